# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Descriptions of the program's handles, and of flags of <CL/cl.h>, for debuggers."""

from __future__ import annotations

from typing import Dict, NamedTuple, Tuple

from .errors import NoSuchObjectError
from .fields import load_kind
from .library import Library
from .printable import printable
from .rows import Row
from .structures import Kind, ReturnCode

# The structures behind the handles of OpenCL and Embree, and the session method that finds each.
KINDS = {
    "_cl_context": "context",
    "_cl_command_queue": "queue",
    "_cl_mem": "memobj",
    "_cl_event": "event",
    "_cl_kernel": "kernel",
    "_cl_program": "program",
    "_cl_sampler": "sampler",
    "_cl_command_buffer_khr": "command_buffer",
    "_cl_semaphore_khr": "semaphore",
    "RTCDeviceTy": "embree_device",
    "RTCSceneTy": "embree_scene",
    "RTCGeometryTy": "embree_geometry",
    "RTCBufferTy": "embree_buffer",
}


def handle_type(structure: str) -> str:
    """The handle type of one of KINDS: "cl_mem" of "_cl_mem", "RTCScene" of "RTCSceneTy"."""
    return structure[1:] if structure.startswith("_") else structure[: -len("Ty")]


# A debugger shows this for a handle without an object.
NO_OBJECT = "no object: never created, or destroyed"


class NumberType(NamedTuple):
    """A type whose values have the names of a field of a kind."""

    kind: Kind
    field: str
    is_flags: bool


NUMBER_TYPES: Dict[str, NumberType] = {
    "cl_mem_flags": NumberType(Kind.MEMOBJ, "flags", True),
    "cl_svm_mem_flags": NumberType(Kind.SVM, "flags", True),
    "cl_command_queue_properties": NumberType(Kind.QUEUE, "properties", True),
    "cl_device_type": NumberType(Kind.DEVICE, "type", True),
    "cl_channel_order": NumberType(Kind.MEMOBJ, "channel_order", False),
    "cl_channel_type": NumberType(Kind.MEMOBJ, "channel_type", False),
    "cl_command_type": NumberType(Kind.COMMAND, "type", False),
}


class Names:
    """OpenCL's names of values, from the library."""

    def __init__(self) -> None:
        self._names: Dict[Tuple[int, str], Dict[int, str]] = {}

    def of(self, library: Library, kind: int, field: str) -> Dict[int, str]:
        """The names of the values, or bits, of a field of a kind of row; raises OpenCLError."""
        found = self._names.get((kind, field))
        if found is None:
            found = self._names[kind, field] = load_kind(library, kind).fields[field].names
        return found


def words_of_number(names: Dict[int, str], is_flags: bool, number: int) -> str:
    """The name of a number of such a type, or the number itself."""
    if not is_flags:
        return names.get(number, hex(number))
    found = []
    rest = number
    for bit, name in names.items():
        if bit and rest & bit == bit:
            found.append(name)
            rest &= ~bit
    if rest or not found:
        found.append(hex(rest) if rest else "0")
    return " | ".join(found)


def words_of_row(row: Row, handle: int) -> str:
    """A description of the object of HANDLE, for display beside the handle."""
    return printable(row.describe()).replace(" %#x" % handle, "", 1)


def is_none(error: NoSuchObjectError) -> bool:
    """Whether no such object exists.  False if that is unknown, because memory could not be
    read."""
    return error.code == ReturnCode.UNAVAILABLE
