# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows as JSON, with the keys and types that the ompd-opencl command prints too."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Optional

from . import fields
from .fields import Field, Row, Value
from .printable import without_controls
from .symbols import CodePlace, Symbols

SCHEMA = 1

# A memory object's own list of destructor callbacks: what identifies one, and how far it has come.
_DESTRUCTOR_KEYS = ("function", "user_data", "state", "lwp", "running_lwp")

_HEXADECIMAL = (
    fields.TYPE_HANDLE,
    fields.TYPE_ADDRESS,
    fields.TYPE_FUNCTION,
    fields.TYPE_CALLER,
)

Stack = Callable[[int], List[int]]


class JsonWriter:
    """Makes JSON objects of rows."""

    def __init__(self, symbols: Symbols, stack: Stack) -> None:
        self._symbols = symbols
        self._stack = stack

    def row(self, row: Row) -> Dict[str, Any]:
        """One object: its known fields; null for those not known, the reason under "unknown"."""
        result: Dict[str, Any] = {"schema": SCHEMA}
        self._add_fields(result, row, row.kind.fields)
        return result

    def part(self, row: Row) -> Dict[str, Any]:
        """What belongs to an object, inside its row."""
        result: Dict[str, Any] = {}
        self._add_fields(result, row, row.kind.fields)
        return result

    def event(self, row: Row) -> Optional[str]:
        """An event that a command waits for."""
        event = row["event"]
        return hex(event.value) if event.is_known else None

    def destructor(self, row: Row) -> Dict[str, Any]:
        """A destructor callback inside its object's row."""
        result: Dict[str, Any] = {}
        chosen = [field for field in row.kind.fields if field.name in _DESTRUCTOR_KEYS]
        self._add_fields(result, row, chosen)
        return result

    def _add_fields(self, result: Dict[str, Any], row: Row, chosen: List[Field]) -> None:
        unknown: Dict[str, str] = {}
        presumed: List[str] = []
        at_least: List[str] = []
        for field in chosen:
            value = row[field.name]
            if value.is_absent:
                continue
            if not value.is_known:
                result[field.name] = None
                unknown[field.name] = value.reason
                continue
            if value.is_presumed:
                presumed.append(field.name)
            if value.bound:
                at_least.append(field.name)
            self._add_value(result, field, value)
        if unknown:
            result["unknown"] = unknown
        if presumed:
            result["presumed"] = presumed
        if at_least:
            result["at_least"] = at_least

    def _add_value(self, result: Dict[str, Any], field: Field, value: Value) -> None:
        number = value.value
        if field.type == fields.TYPE_TEXT:
            result[field.name] = value.text
        elif field.type in _HEXADECIMAL:
            result[field.name] = hex(number)
            if field.type == fields.TYPE_FUNCTION and number:
                _add_place(result, self._symbols.function(number))
        elif field.type == fields.TYPE_FLAGS:
            result[field.name] = field.flag_names(number)
            result[field.name + "_value"] = number
        elif field.type in (fields.TYPE_NAME, fields.TYPE_STATE):
            result[field.name] = field.name_of(number) or str(number)
        elif field.type == fields.TYPE_BOOLEAN:
            result[field.name] = bool(number)
        elif field.type == fields.TYPE_STACK:
            result[field.name] = [self._frame(address) for address in self._stack(number)]
        else:
            result[field.name] = number - (1 << 64) if number >> 63 else number

    def _frame(self, address: int) -> Dict[str, Any]:
        frame: Dict[str, Any] = {"address": hex(address)}
        _add_place(frame, self._symbols.caller(address))
        return frame


def _add_place(result: Dict[str, Any], place: CodePlace) -> None:
    """What GDB knows of a code address."""
    if place.symbol is not None:
        result["symbol"] = place.symbol
        if place.offset:
            result["symbol_offset"] = place.offset
    if place.inlined_into:
        result["inlined_into"] = list(place.inlined_into)
    if place.file is not None:
        result["file"] = place.file
        result["line"] = place.line
    elif place.module is not None:
        result["module"] = place.module
        if place.module_offset is not None:
            result["module_offset"] = hex(place.module_offset)


class JsonArray:
    """An array of rows, written as they come: one row a line."""

    def __init__(self, write: Callable[[str], Optional[int]]) -> None:
        self._write = write
        self._count = 0

    def add(self, row: Dict[str, Any]) -> None:
        """Write one more row."""
        self._write("[" if self._count == 0 else ",\n ")
        self._write(without_controls(json.dumps(row, ensure_ascii=False)))
        self._count += 1

    def break_off(self) -> None:
        """End the line: there will be no more rows, and no valid end."""
        if self._count:
            self._write("\n")

    def end(self) -> None:
        """Write the end of the array."""
        self._write("[]\n" if self._count == 0 else "]\n")
