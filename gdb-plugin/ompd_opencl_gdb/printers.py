# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretty-printers for OpenCL handles and flags: `print buffer`, `info locals`, `backtrace`.

To switch them off, use `disable pretty-printer global ompd-opencl`.  In editors that use the Debug
Adapter Protocol, a handle expands to the fields of its object.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, Iterator, List, Optional, Union

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
from ompd_opencl.rows import Row

from .children import Child, children_of
from .values import Values, kind_of

NAME = "ompd-opencl"

# GDB 14 and later read the children of printers of this class one by one. Such a printer has only
# names that GDB defines or that Python mangles.
_ValuePrinter: Any = getattr(gdb, "ValuePrinter", object)


class _Handle:
    """A handle of the program, and its object."""

    def __init__(self, values: Values, kind: str, value: gdb.Value) -> None:
        self._values = values
        self._kind = kind
        self._number = int(value) & (1 << 64) - 1

    def _row(self) -> Optional[Row]:
        """The object; None if reading it would take too long for printing a value.  Raises
        OpenCLError."""
        if self._number == 0 or self._values.reads_slowly():
            return None
        return self._values.find(self._kind, self._number)

    def words(self) -> str:
        """The handle and a description of its object."""
        plain = hex(self._number)
        try:
            row = self._row()
            return plain if row is None else "%s <%s>" % (plain, words_of_row(row, self._number))
        except NoSuchObjectError as error:
            return "%s <%s>" % (plain, NO_OBJECT) if is_none(error) else plain
        except (OpenCLError, gdb.error):
            return plain

    def children(self) -> List[Child]:
        """The fields of the object, if it exists."""
        try:
            row = self._row()
            return [] if row is None else children_of(row)
        except (OpenCLError, gdb.error):
            return []


class _HandlePrinter:
    """Prints a handle in a line."""

    def __init__(self, handle: _Handle) -> None:
        self._handle = handle

    def to_string(self) -> str:
        """Called by GDB."""
        return self._handle.words()


class _UnfoldingPrinter(_ValuePrinter):  # type: ignore[misc]
    """The same for front ends that expand values on demand."""

    def __init__(self, handle: _Handle) -> None:
        self.__handle = handle
        self.__found: Optional[List[Child]] = None

    def to_string(self) -> str:
        """Called by GDB."""
        return self.__handle.words()

    def children(self) -> Iterator[Child]:
        """Called by GDB."""
        return iter(self.__all())

    def num_children(self) -> int:
        """Called by GDB."""
        return len(self.__all())

    def child(self, number: int) -> Child:
        """Called by GDB."""
        return self.__all()[number]

    def __all(self) -> List[Child]:
        if self.__found is None:
            self.__found = self.__handle.children()
        return self.__found


class _NumberPrinter:
    """Flags, or a number with an OpenCL name."""

    def __init__(self, names: Dict[int, str], is_flags: bool, value: gdb.Value) -> None:
        self._names = names
        self._is_flags = is_flags
        self._number = int(value)

    def to_string(self) -> str:
        """Called by GDB."""
        return words_of_number(self._names, self._is_flags, self._number)


_AnyPrinter = Union[_HandlePrinter, _UnfoldingPrinter, _NumberPrinter]


class _Printers:
    """Chooses the printer of a value."""

    def __init__(self, values: Values) -> None:
        self.name = NAME
        self.enabled = True
        self._values = values

    def __call__(self, value: gdb.Value) -> Optional[_AnyPrinter]:
        """Called by GDB with each value that it prints."""
        kind = kind_of(value.type)
        if kind is None:
            return self._number(value)
        handle = _Handle(self._values, kind, value)
        # `print` would show all children; an editor shows those that the user unfolds.
        return _UnfoldingPrinter(handle) if "gdb.dap" in sys.modules else _HandlePrinter(handle)

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
    """Register the printers, once."""
    gdb.printing.register_pretty_printer(None, _Printers(values), replace=True)
