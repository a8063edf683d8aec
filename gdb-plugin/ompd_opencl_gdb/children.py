# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The children of a handle in an editor: the fields of its object, and its destructor callbacks.

A child that is a handle has its C type, so that it can be expanded in turn.
"""

from __future__ import annotations

from itertools import islice
from typing import Iterator, List, Optional, Tuple, Union

import gdb

from ompd_opencl.fields import Field
from ompd_opencl.printable import printable
from ompd_opencl.program_values import NUMBER_TYPES
from ompd_opencl.protocols import CodePlace
from ompd_opencl.rows import Row
from ompd_opencl.structures import Kind, Type

# GDB converts texts and numbers to values.
Child = Tuple[str, Union[gdb.Value, str, int, bool]]

# The user has unfolded the handle, and a call stack does not fit on a line.
_LEFT_OUT = ("handle", "stack")

# The types of handle fields of OpenCL's and of Embree's objects, by the field's name.
_HANDLE_TYPES = {
    "context": "cl_context",
    "queue": "cl_command_queue",
    "parent": "cl_mem",
    "memobj": "cl_mem",
    "event": "cl_event",
    "program": "cl_program",
    "kernel": "cl_kernel",
    "device": "cl_device_id",
    "platform": "cl_platform_id",
}
_EMBREE_KINDS = range(Kind.EMBREE_DEVICE, Kind.EMBREE_BUFFER + 1)
_EMBREE_TYPES = {
    "device": "RTCDevice",
    "scene": "RTCScene",
    "vertex_buffer": "RTCBuffer",
    "index_buffer": "RTCBuffer",
}

_WHY_UNKNOWN = {"unknown": "not observed", "not_saved": "not saved in the core"}
_GUESSES = {"presumed": " (presumed)", "at_least": " (at least)"}
_MOST_CALLBACKS = 64
_TO_64_BITS = (1 << 64) - 1


def children_of(row: Row) -> List[Child]:
    """The fields of the object in the order of tables, and its callbacks."""
    found = [
        _child(row, field)
        for name, field in row.fields().items()
        if name not in _LEFT_OUT and row.status(name) != "not_applicable"
    ]
    if "destructors" in dir(row):
        found += _callbacks(row)
    return found


def _child(row: Row, field: Field) -> Child:
    status = row.status(field.name)
    number = row.number(field.name)
    name = field.name + _GUESSES.get(status, "")
    if row[field.name] is None:
        return name, "? (%s)" % _WHY_UNKNOWN.get(status, status.replace("_", " "))
    if number is not None and field.type == Type.HANDLE:
        types = _EMBREE_TYPES if row.kind_of_row() in _EMBREE_KINDS else _HANDLE_TYPES
        return name, _typed(number, types.get(field.name, "void *"))
    if number is not None and field.type == Type.ADDRESS:
        return name, _typed(number, "void *")
    if number is not None and field.type in (Type.FUNCTION, Type.CALLER):
        return name, _code(number, row.place(field.name))
    if number is not None and field.type == Type.FLAGS:
        return name, _flags(row, field, number)
    value = row[field.name]
    return name, printable(value) if isinstance(value, str) else value


def _typed(number: int, name: str) -> Union[gdb.Value, str]:
    """A value of the type, or the number if the program does not know the type."""
    try:
        if name == "void *":
            found = gdb.lookup_type("void").pointer()
        else:
            found = gdb.lookup_type(name)
        return gdb.Value(number & _TO_64_BITS).cast(found)
    except gdb.error:
        return "%#x" % number


def _flags(row: Row, field: Field, number: int) -> Union[gdb.Value, str]:
    for name, number_type in NUMBER_TYPES.items():
        if number_type.is_flags and (number_type.kind, number_type.field) == (
            row.kind_of_row(),
            field.name,
        ):
            found = _typed(number, name)
            if isinstance(found, gdb.Value):
                return found
    return " | ".join(row[field.name]) or "0"


def _code(address: int, place: Optional[CodePlace]) -> str:
    words = "%#x" % address
    if place is not None and place.symbol:
        words += " <%s>" % printable(place.symbol)
    if place is not None and place.file:
        words += " at %s:%d" % (printable(place.file), place.line)
    return words


def _callbacks(row: Row) -> Iterator[Child]:
    """The callbacks in call order, and the reason why some are missing."""
    callbacks = row.destructors
    for number, callback in enumerate(islice(callbacks, _MOST_CALLBACKS)):
        words = _code(callback.number("function") or 0, callback.place("function"))
        user_data = callback.number("user_data")
        if user_data is not None:
            words += ", user data %#x" % user_data
        if callback["state"] is not None:
            words += ", %s" % callback["state"]
        yield "destructors[%d]" % number, words
    if not callbacks.is_complete:
        reason = printable(" ".join(callbacks.notes)) or "there may be more"
        yield "destructors", "? (%s)" % reason
