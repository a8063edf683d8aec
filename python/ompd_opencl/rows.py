# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows: objects of the target at one stop, from the library."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, Dict, Iterator, KeysView, List, Mapping, Optional, Tuple

from . import structures as c
from .address_space import AddressSpace
from .errors import ClosedError
from .fields import Field, KindInfo
from .protocols import CodePlace

if TYPE_CHECKING:
    from .session import Session

_VALUE = struct.Struct("=QHHI")
_TEXT = struct.Struct("=HHIQQ%ds" % c.TEXT_SIZE)
_ID = struct.Struct("=Q")

_KNOWN = (c.Status.VALUE, c.Status.PRESUMED, c.Status.AT_LEAST)
_STATUSES = {int(status): status.name.lower() for status in c.Status}
_SOURCES = {int(source): source.name.lower() for source in c.Source}

# Lists of what belongs to an object, by JSON name: the kind of their rows, and the kinds of objects
# that have such a list.
_PARTS: Dict[str, Tuple[c.Kind, Tuple[c.Kind, ...]]] = {
    "destructors": (c.Kind.DESTRUCTOR, (c.Kind.MEMOBJ, c.Kind.CONTEXT, c.Kind.PROGRAM)),
    "pointers": (c.Kind.SVM_POINTER, (c.Kind.SVM_FREE,)),
    "wait_list": (c.Kind.WAIT, (c.Kind.SVM_FREE, c.Kind.COMMAND)),
    "commands": (c.Kind.COMMAND, (c.Kind.QUEUE,)),
    "activities": (c.Kind.ACTIVITY, (c.Kind.THREAD,)),
    "arguments": (c.Kind.ARGUMENT, (c.Kind.KERNEL, c.Kind.COMMAND)),
    "accesses": (c.Kind.ACCESS, (c.Kind.COMMAND, c.Kind.KERNEL)),
}

# Rows per call: of all objects, and of what belongs to one.
_BATCH = 256
_SMALL_BATCH = 16


class Row:
    """One object.  Its fields are attributes with their JSON names: `row.size`, `row["size"]`.  A
    field that is unknown or does not apply is None; `row.status("size")` tells which.  The parts of
    the object (`row.destructors`) are Rows.

    The fields are those of the stop at which the row was read, and stay valid after the session.
    """

    __slots__ = ("_session", "_space", "_kind", "_data", "_whole")

    def __init__(
        self, session: "Session", space: AddressSpace, kind: KindInfo, data: bytes
    ) -> None:
        self._session = session
        self._space = space
        self._kind = kind
        self._data = data
        # Texts that are longer than their short form, by the offset of their field.
        self._whole = {
            field.offset: text
            for field, text in ((field, self._whole_text(field)) for field in kind.texts)
            if text is not None
        }

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        parts = _PARTS.get(name)
        if parts is not None and self._kind.number in parts[1]:
            return Rows(self._session, parts[0], self, None)
        field = self._kind.fields.get(name)
        if field is None:
            raise AttributeError("A %s has no field %s." % (self._kind.name, name))
        return self._value(field)

    def __getitem__(self, name: str) -> Any:
        return self._value(self._kind.fields[name])

    def __dir__(self) -> List[str]:
        parts = [name for name, part in _PARTS.items() if self._kind.number in part[1]]
        return [*super().__dir__(), *self._kind.fields, *parts]

    def __repr__(self) -> str:
        name = "pointer" if "pointer" in self._kind.fields else "handle"
        number = self[name] if name in self._kind.fields else None
        return "<%s%s>" % (self._kind.name, " %#x" % number if number is not None else "")

    def keys(self) -> KeysView[str]:
        """The names of the fields: dict(row) has them all."""
        return self._kind.fields.keys()

    def fields(self) -> Mapping[str, Field]:
        """The description of each field: type, title, names of values."""
        return self._kind.fields

    def kind_of_row(self) -> int:
        """The Kind that it is a row of."""
        return self._kind.number

    def status(self, name: str) -> str:
        """The status of a field: "value", "presumed" or "at_least"; without a value "unknown",
        "not_applicable", "not_saved", "unreadable", "changing" or "corrupt"."""
        return _STATUSES.get(self._raw(self._field(name))[1], "unknown")

    def source(self, name: Optional[str] = None) -> Optional[str]:
        """The source of a field, "recorder" or "layout"; without NAME, of the object."""
        if name is None:
            source: Optional[str] = self["source"] if "source" in self._kind.fields else None
            return source
        return _SOURCES.get(self._raw(self._field(name))[2]) if self._is_known(name) else None

    def number(self, name: str) -> Optional[int]:
        """The number behind a name, state or flags; otherwise the value."""
        value, status, _source = self._raw(self._field(name))
        return value if status in _KNOWN and isinstance(value, int) else None

    def place(self, name: str) -> Optional[CodePlace]:
        """The function, file and line of a field that is a code address."""
        address = self.number(name)
        if not address:
            return None
        is_caller = self._field(name).type == c.Type.CALLER
        return self._session.place(address, is_caller)

    def to_json(self) -> str:
        """The JSON that the commands print, without a newline."""
        self._check()
        return self._session.row_json(self._kind, self._data)

    def describe(self) -> str:
        """A description: "buffer 0x55d0c0ffee00, 4096 B, 1 reference"."""
        self._check()
        return self._session.row_words(self._kind, self._data)

    @property
    def id(self) -> int:
        """The object id, valid as long as the session; 0 if the kind has none."""
        return int(_ID.unpack_from(self._data, _ID.size)[0]) if self._kind.has_id else 0

    def _check(self) -> None:
        """Check that the library still knows the object."""
        if self._space.is_released:
            raise ClosedError("This %s belongs to a session that has ended." % self._kind.name)

    def _field(self, name: str) -> Field:
        field = self._kind.fields.get(name)
        if field is None:
            raise AttributeError("A %s has no field %s." % (self._kind.name, name))
        return field

    def _is_known(self, name: str) -> bool:
        return self._raw(self._field(name))[1] in _KNOWN

    def _raw(self, field: Field) -> Tuple[Any, int, int]:
        """The value, its Status and its Source."""
        if field.type == c.Type.TEXT:
            status, source, *_rest, text = _TEXT.unpack_from(self._data, field.offset)
            return _decode(text.split(b"\0", 1)[0]), status, source
        value, status, source, _lwp = _VALUE.unpack_from(self._data, field.offset)
        return value, status, source

    def _whole_text(self, field: Field) -> Optional[str]:
        """A text that is longer than its short form; None if that is all there is to read."""
        key, length = _TEXT.unpack_from(self._data, field.offset)[3:5]
        if length < c.TEXT_SIZE or key == 0:
            return None
        text = self._session.text(key)
        return None if text is None else _decode(text)

    def _value(self, field: Field) -> Any:
        value, status, _source = self._raw(field)
        if status not in _KNOWN:
            return None
        if field.type == c.Type.TEXT:
            return self._whole.get(field.offset, value)
        if field.type in (c.Type.NAME, c.Type.STATE):
            return field.names.get(value, str(value))
        if field.type == c.Type.FLAGS:
            return _flags(field, value)
        if field.type == c.Type.BOOLEAN:
            return value != 0
        if field.type == c.Type.STACK:
            self._check()
            return self._session.frames(value)
        if field.type in (c.Type.BYTES, c.Type.COUNT, c.Type.NUMBER, c.Type.LWP):
            return value - (1 << 64) if value >> 63 else value
        return value


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _flags(field: Field, value: int) -> Tuple[str, ...]:
    """The names of the bits of VALUE; bits without a name as a number."""
    found = []
    for bit, name in field.names.items():
        if bit and value & bit == bit:
            found.append(name)
            value &= ~bit
    return tuple(found + (["%#x" % value] if value else []))


class Rows:
    """A list of the library.  Each iteration opens the list again and reads in batches, so it may
    have a million rows.  After an iteration it tells what is missing."""

    def __init__(
        self, session: "Session", kind: int, owner: Optional[Row], row_filter: Optional[c.Filter]
    ) -> None:
        self._session = session
        self._kind = session.kind(kind)
        self._owner = owner  # the owner of the rows; None: all objects
        self._filter = row_filter
        #: The number of rows missing because their memory was unreadable.
        self.unreadable = 0
        #: Other gaps in the answer, in sentences.
        self.notes: Tuple[str, ...] = ()
        #: Whether all rows were returned; False until the end of the list.
        self.is_complete = False

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the fields of each row, also if there are no rows."""
        return tuple(self._kind.fields)

    def __iter__(self) -> Iterator[Row]:
        self.unreadable, self.notes, self.is_complete = 0, (), False
        if self._owner is not None:
            self._owner._check()
        space = self._session.space()
        number = self._open(space)
        try:
            while True:
                data, count = self._next(space, number)
                if count == 0:
                    return
                size = self._kind.size
                for start in range(0, count * size, size):
                    yield Row(self._session, space, self._kind, data[start : start + size])
        finally:
            space.abandon(number)

    def _open(self, space: AddressSpace) -> c.ListNumber:
        number = c.ListNumber()
        kind, found = self._kind.number, ctypes.byref(number)
        if self._owner is not None:
            space.call("ompd_cl_object_list_open", kind, self._owner.id, found)
        else:
            space.call("ompd_cl_list_open", kind, self._filter, found)
        return number

    def _next(self, space: AddressSpace, number: c.ListNumber) -> Tuple[bytes, int]:
        """The next rows and their number; 0: no more rows."""
        capacity = _BATCH if self._owner is None else _SMALL_BATCH
        buffer = ctypes.create_string_buffer(capacity * self._kind.size)
        ctypes.c_uint64.from_buffer(buffer).value = self._kind.size
        count, unreadable = ctypes.c_uint64(), ctypes.c_uint64(self.unreadable)
        code = space.call(
            "ompd_cl_list_next",
            number,
            self._kind.number,
            capacity,
            buffer,
            ctypes.byref(count),
            ctypes.byref(unreadable),
        )
        self.unreadable = unreadable.value
        if count.value == 0:
            self.is_complete = code == c.ReturnCode.OK
            self.notes = _notes(space)
        return buffer.raw, count.value


def _notes(space: AddressSpace) -> Tuple[str, ...]:
    notes: List[str] = []
    while True:
        note = space.text_of("ompd_cl_note_get", len(notes))
        if not note:
            return tuple(notes)
        notes.append(note)
