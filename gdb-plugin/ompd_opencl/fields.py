# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's field table: what rows of each kind hold, and how to decode and show it."""

from __future__ import annotations

import ctypes
import struct
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import structures as c
from .library import Library

# ompd_cl_kind_t
OVERVIEW = 1
PLATFORM = 2
CONTEXT = 3
QUEUE = 4
MEMOBJ = 5
DESTRUCTOR = 6
SVM = 7
SVM_FREE = 8
SVM_POINTER = 9
WAIT = 10
THREAD = 11
ACTIVITY = 12
USAGE = 13
MEMORY = 14
RUNTIME = 15

# Kinds whose info struct has an object id behind struct_size.
KINDS_WITH_ID = (CONTEXT, QUEUE, MEMOBJ, SVM, SVM_FREE, THREAD)

# ompd_cl_type_t
TYPE_HANDLE = 1
TYPE_ADDRESS = 2
TYPE_FUNCTION = 3
TYPE_CALLER = 4
TYPE_BYTES = 5
TYPE_COUNT = 6
TYPE_NUMBER = 7
TYPE_LWP = 8
TYPE_FLAGS = 9
TYPE_NAME = 10
TYPE_STATE = 11
TYPE_BOOLEAN = 12
TYPE_STACK = 13
TYPE_TEXT = 14

# ompd_cl_status_t
STATUS_NONE = 0
STATUS_VALUE = 1
STATUS_PRESUMED = 2
STATUS_UNKNOWN = 3
STATUS_NOT_APPLICABLE = 4
STATUS_NOT_SAVED = 5
STATUS_UNREADABLE = 6
STATUS_CHANGING = 7
STATUS_CORRUPT = 8
STATUS_AT_LEAST = 9

# ompd_cl_source_t
SOURCE_RECORDER = 1
SOURCE_LAYOUT = 2

# ompd_cl_confidence_t
CONFIDENCE_CERTAIN = 1
CONFIDENCE_PRESUMED = 2
CONFIDENCE_DOUBTFUL = 3

# ompd_cl_state_t, as far as commands ask for one of them
STATE_LIVE = 1
STATE_APP_RELEASED = 2
STATE_DESTROYING = 3
STATE_REGISTERED = 4
STATE_ENQUEUED = 5
STATE_RUNNING = 6
STATE_DONE = 7
STATE_OUTSIDE = 9
STATE_IN_CALL = 10
STATE_WAITS_FOR_QUEUE = 11
STATE_WAITS_FOR_EVENTS = 12
STATE_WAITS_FOR_TRANSFER = 13
STATE_BUILDS = 14
STATE_RUNS_DESTRUCTOR = 15
STATE_RUNS_SVM_FREE = 16

_TEXT_SIZE = 120
_ID_OFFSET = 8


class Field(NamedTuple):
    """One member of an info struct."""

    name: str
    title: str
    help: str
    unit: str
    type: int
    offset: int
    in_table: bool
    names: Tuple[Tuple[int, str], ...]

    def name_of(self, value: int) -> Optional[str]:
        """The name of one VALUE of a field of type name or state."""
        for number, name in self.names:
            if number == value:
                return name
        return None

    def flag_names(self, value: int) -> List[str]:
        """The names of the bits set in VALUE; bits without a name as one hexadecimal number."""
        found = []
        for bit, name in self.names:
            if bit and value & bit == bit:
                found.append(name)
                value &= ~bit
        if value:
            found.append(hex(value))
        return found


class Value(NamedTuple):
    """What is known of one field of one object: ompd_cl_value_t, or ompd_cl_text_t with `text`."""

    value: int
    status: int
    source: int
    lwp: int
    text: str = ""

    @property
    def is_known(self) -> bool:
        """Whether `value` (or `text`) says something."""
        return self.status == STATUS_VALUE or self.is_presumed

    @property
    def is_presumed(self) -> bool:
        """Whether that is not proved."""
        return self.status in (STATUS_PRESUMED, STATUS_AT_LEAST)

    @property
    def bound(self) -> str:
        """What stands before a count: "at least " or nothing."""
        return "at least " if self.status == STATUS_AT_LEAST else ""

    @property
    def is_absent(self) -> bool:
        """Whether the object has no such thing."""
        return self.status in (STATUS_NONE, STATUS_NOT_APPLICABLE)

    @property
    def reason(self) -> str:
        """Why there is no value."""
        if self.status == STATUS_CHANGING:
            return "being changed by LWP %d" % self.lwp
        return _REASONS.get(self.status, "unknown")


NOT_OBSERVED = "not observed"

_REASONS = {
    STATUS_UNKNOWN: NOT_OBSERVED,
    STATUS_NOT_SAVED: "not saved in the core",
    STATUS_UNREADABLE: "unreadable",
    STATUS_CORRUPT: "corrupt",
}

_NO_VALUE = Value(0, STATUS_NONE, 0, 0)


class Kind:
    """A kind of row."""

    def __init__(self, number: int, name: str, size: int, fields: List[Field]) -> None:
        self.number = number
        self.name = name
        self.size = size
        self.fields = fields
        self._positions: Dict[str, Tuple[int, bool]] = {}
        self._struct = self._make_struct()

    def _make_struct(self) -> struct.Struct:
        """One struct that unpacks all fields of a row; remember where each one's values stand."""
        form = "="
        end = 0
        position = 0
        for field in sorted(self.fields, key=lambda field: field.offset):
            form += "%dx" % (field.offset - end)
            is_text = field.type == TYPE_TEXT
            self._positions[field.name] = (position, is_text)
            form += "HHI%ds" % _TEXT_SIZE if is_text else "QHHI"
            end = field.offset + (8 + _TEXT_SIZE if is_text else 16)
            position += 4
        return struct.Struct(form)

    def field(self, name: str) -> Optional[Field]:
        """The field called NAME."""
        for field in self.fields:
            if field.name == name:
                return field
        return None

    def decode(self, buffer: "ctypes.Array[ctypes.c_char]", start: int) -> "Row":
        """The row whose info struct begins at START of BUFFER."""
        number = 0
        if self.number in KINDS_WITH_ID:
            (number,) = struct.unpack_from("=Q", buffer, start + _ID_OFFSET)
        return Row(self, number, self._struct.unpack_from(buffer, start))

    def value(self, raw: Tuple[object, ...], name: str) -> Value:
        """Field NAME of a decoded row."""
        place = self._positions.get(name)
        if place is None:
            return _NO_VALUE
        position, is_text = place
        part = raw[position : position + 4]
        if not is_text:
            return Value(*part)  # type: ignore[arg-type]
        status, source, lwp, data = part
        assert isinstance(data, bytes)
        text = data.split(b"\0", 1)[0].decode("utf-8", "surrogateescape")
        return Value(0, status, source, lwp, text)  # type: ignore[arg-type]


class Row:
    """One object, as the library described it at this stop."""

    __slots__ = ("kind", "id", "_raw")

    def __init__(self, kind: Kind, number: int, raw: Tuple[object, ...]) -> None:
        self.kind = kind
        self.id = number
        self._raw = raw

    def __getitem__(self, name: str) -> Value:
        return self.kind.value(self._raw, name)

    def number(self, name: str) -> int:
        """The value of a field, 0 when it is not known."""
        return self[name].value

    def is_unrecorded(self, value: Value) -> bool:
        """Whether VALUE of this row is not known because the recorder does not have the object."""
        return value.status == STATUS_UNKNOWN and self["source"].value == SOURCE_LAYOUT

    def name_of(self, name: str) -> str:
        """The name of the value of a field of type name or state, "?" when it has none."""
        field = self.kind.field(name)
        value = self[name]
        if field is None or not value.is_known:
            return "?"
        return field.name_of(value.value) or "%s %d" % (field.name, value.value)


def read_kind(library: Library, number: int) -> Kind:
    """Ask the library for the fields of a kind."""
    name = ctypes.c_char_p()
    size = ctypes.c_uint64()
    library.call("ompd_cl_kind_get", number, ctypes.byref(name), ctypes.byref(size))
    fields: List[Field] = []
    pointer = ctypes.POINTER(c.FieldDescription)()
    while library.call("ompd_cl_field_get", number, len(fields), ctypes.byref(pointer)) == c.RC_OK:
        fields.append(_make_field(pointer.contents))
    return Kind(number, (name.value or b"").decode(), size.value, fields)


def _make_field(description: c.FieldDescription) -> Field:
    names = tuple(
        (description.names[index].value, description.names[index].name.decode())
        for index in range(description.name_count)
    )
    return Field(
        description.name.decode(),
        description.title.decode(),
        description.help.decode(),
        description.unit.decode(),
        description.type,
        description.offset,
        bool(description.in_table),
        names,
    )


def read_kinds(library: Library) -> Dict[int, Kind]:
    """All kinds of rows."""
    return {number: read_kind(library, number) for number in range(OVERVIEW, RUNTIME + 1)}
