# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How GDB prints OpenCL's handles and flags: `print buffer`, `info locals`, `backtrace`.

Who does not want that types `disable pretty-printer global ompd-opencl`.
"""

from __future__ import annotations

from typing import Dict, Optional, Union

import gdb
import gdb.printing

from ompd_opencl.errors import NoSuchObjectError, OpenCLError
from ompd_opencl.program_values import (
    NO_OBJECT,
    NUMBER_TYPES,
    is_none,
    words_of_number,
    words_of_row,
)

from .values import Values, kind_of

NAME = "ompd-opencl"


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
            return "%s <%s>" % (plain, words_of_row(self._values.find(self._kind, handle), handle))
        except NoSuchObjectError as error:
            return "%s <%s>" % (plain, NO_OBJECT) if is_none(error) else plain
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
        return words_of_number(self._names, self._is_flags, self._number)


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
        number_type = NUMBER_TYPES.get(name)
        if number_type is None:
            return None
        try:
            names = self._values.names(number_type.kind, number_type.field)
        except OpenCLError:
            return None  # there is no library
        return _NumberPrinter(names, number_type.is_flags, value)


def install(values: Values) -> None:
    """Have GDB ask for printers, once."""
    gdb.printing.register_pretty_printer(None, _Printers(values), replace=True)
