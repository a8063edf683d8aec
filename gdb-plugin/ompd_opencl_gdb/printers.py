# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How GDB prints OpenCL's handles and flags: `print buffer`, `info locals`, `backtrace`.

Who does not want that types `disable pretty-printer global ompd-opencl`.
"""

from __future__ import annotations

from typing import Dict, Optional, Tuple, Union

import gdb
import gdb.printing

from ompd_opencl.errors import NoSuchObjectError, OpenCLError
from ompd_opencl.printable import printable
from ompd_opencl.structures import Kind, ReturnCode

from .values import Values, kind_of

NAME = "ompd-opencl"

# Types that CL/cl.h has as numbers: the kind and the field whose values have their names.
_FLAGS: Dict[str, Tuple[Kind, str]] = {
    "cl_mem_flags": (Kind.MEMOBJ, "flags"),
    "cl_svm_mem_flags": (Kind.SVM, "flags"),
    "cl_command_queue_properties": (Kind.QUEUE, "properties"),
    "cl_device_type": (Kind.DEVICE, "type"),
}
_NAMES: Dict[str, Tuple[Kind, str]] = {
    "cl_channel_order": (Kind.MEMOBJ, "channel_order"),
    "cl_channel_type": (Kind.MEMOBJ, "channel_type"),
    "cl_command_type": (Kind.COMMAND, "type"),
}


class _HandlePrinter:
    """A handle, as the object that it is of."""

    def __init__(self, values: Values, kind: str, value: gdb.Value) -> None:
        self._values = values
        self._kind = kind
        self._value = value

    def to_string(self) -> str:
        """Called by GDB."""
        handle = int(self._value) & (1 << 64) - 1
        plain = hex(handle)
        if handle == 0:
            return plain
        try:
            if self._values.reads_slowly():
                return plain
            words = printable(self._values.find(self._kind, handle).describe())
            return "%s <%s>" % (plain, words.replace(" " + plain, "", 1))
        except NoSuchObjectError as error:
            # Where part could not be read, nobody knows.
            is_none = error.code == ReturnCode.UNAVAILABLE
            return plain + " <no object: never created, or gone>" if is_none else plain
        except (OpenCLError, gdb.error):
            return plain


class _NumberPrinter:
    """Flags, or a number that OpenCL has a name for."""

    def __init__(self, names: Dict[int, str], is_flags: bool, value: gdb.Value) -> None:
        self._names = names
        self._is_flags = is_flags
        self._number = int(value)

    def to_string(self) -> str:
        """Called by GDB."""
        if not self._is_flags:
            return self._names.get(self._number, hex(self._number))
        found = []
        rest = self._number
        for bit, name in self._names.items():
            if bit and rest & bit == bit:
                found.append(name)
                rest &= ~bit
        if rest or not found:
            found.append(hex(rest) if rest else "0")
        return " | ".join(found)


class _Printers:
    """Chooses the printer of a value."""

    def __init__(self, values: Values) -> None:
        self.name = NAME
        self.enabled = True
        self._values = values

    def __call__(self, value: gdb.Value) -> Optional[Union[_HandlePrinter, _NumberPrinter]]:
        """Called by GDB with each value that it prints."""
        kind = kind_of(value.type)
        if kind is not None:
            return _HandlePrinter(self._values, kind, value)
        return self._number(value)

    def _number(self, value: gdb.Value) -> Optional[_NumberPrinter]:
        name = value.type.unqualified().name or ""
        is_flags = name in _FLAGS
        place = _FLAGS.get(name) or _NAMES.get(name)
        if place is None:
            return None
        try:
            names = self._values.names(*place)
        except OpenCLError:
            return None  # there is no library
        return _NumberPrinter(names, is_flags, value)


def install(values: Values) -> None:
    """Have GDB ask for printers, once."""
    gdb.printing.register_pretty_printer(None, _Printers(values), replace=True)
