# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's field tables."""

from __future__ import annotations

import ctypes
from typing import Dict, List, NamedTuple, Tuple

from . import structures as c
from .library import Library


class Field(NamedTuple):
    """One field of a kind: see ompd_cl_field_t."""

    name: str
    title: str
    help: str
    unit: str
    type: int  # Type
    offset: int  # into the info struct, in bytes
    names: Dict[int, str]  # of values, or of bits
    in_table: bool


class KindInfo(NamedTuple):
    """A kind of row."""

    number: int  # Kind
    name: str
    size: int  # of its info struct, bytes
    has_id: bool  # an object ID follows struct_size
    fields: Dict[str, Field]
    texts: Tuple[Field, ...]  # those of type text


_ID_END = 16  # bytes: struct_size and an id


def load_kind(library: Library, number: int) -> KindInfo:
    """Read the description of a kind."""
    name, size = ctypes.c_char_p(), ctypes.c_uint64()
    library.call("ompd_cl_kind_get", number, ctypes.byref(name), ctypes.byref(size))
    fields: Dict[str, Field] = {}
    found = ctypes.POINTER(c.Field)()
    while (
        library.call("ompd_cl_field_get", number, len(fields), ctypes.byref(found))
        == c.ReturnCode.OK
    ):
        field = _field(found.contents)
        fields[field.name] = field
    first = min(field.offset for field in fields.values())
    texts = tuple(field for field in fields.values() if field.type == c.Type.TEXT)
    decoded = (name.value or b"").decode()
    return KindInfo(number, decoded, size.value, first >= _ID_END, fields, texts)


def _names(found: c.Field) -> List[c.Name]:
    """The names of a field.  Their stride may be larger than this package's structure."""
    if not found.name_count:
        return []
    first, size = ctypes.addressof(found.names.contents), found.names.contents.struct_size
    return [c.Name.from_address(first + size * index) for index in range(found.name_count)]


def _field(found: c.Field) -> Field:
    return Field(
        found.name.decode(),
        found.title.decode(),
        found.help.decode(),
        found.unit.decode(),
        found.type,
        found.offset,
        {entry.value: entry.name.decode() for entry in _names(found)},
        bool(found.in_table),
    )
