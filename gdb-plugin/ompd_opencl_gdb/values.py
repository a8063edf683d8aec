# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The objects behind the program's values, for printers and functions."""

from __future__ import annotations

from typing import Dict, Optional

import gdb

from ompd_opencl.errors import ClosedError, NoSuchObjectError
from ompd_opencl.program_values import KINDS, Names
from ompd_opencl.rows import Row
from ompd_opencl.session import Session

from .script import InferiorOpened
from .sessions import Sessions


def kind_of(value_type: gdb.Type) -> Optional[str]:
    """The kind of object of a handle type; None: not a handle."""
    pointer = value_type.strip_typedefs()
    if pointer.code != gdb.TYPE_CODE_PTR:
        return None
    target = pointer.target().strip_typedefs()
    return KINDS.get(target.name or "") if target.code == gdb.TYPE_CODE_STRUCT else None


class Values:
    """The objects of the selected inferior, by the program's values."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._opened: Dict[int, Session] = {}  # by inferior number
        self._names = Names()

    def session(self) -> Session:
        """A session on the selected inferior; raises OpenCLError."""
        number = gdb.selected_inferior().num
        found = self._opened.pop(number, None)
        if found is not None:
            try:
                found.space()
                self._opened[number] = found
                return found
            except ClosedError:
                found.close()
        found = self._opened[number] = Session(InferiorOpened(self._sessions))
        return found

    def find(self, kind: str, handle: int) -> Row:
        """The object of a handle; raises OpenCLError."""
        try:
            row: Row = getattr(self.session(), kind)(handle)
        except NoSuchObjectError:
            self._sessions.view(needs_objects=True)  # raises an error without a source of objects
            raise
        return row

    def find_any(self, handle: int) -> Optional[Row]:
        """The object of any handle, or the allocation of an SVM pointer; None: not found.  Raises
        OpenCLError."""
        for kind in (*KINDS.values(), "svm_allocation"):
            try:
                return self.find(kind, handle)
            except NoSuchObjectError:
                pass
        return None

    def names(self, kind: int, field: str) -> Dict[int, str]:
        """OpenCL's names for the values or bits of a field; raises OpenCLError."""
        return self._names.of(self._sessions.library(), kind, field)

    def reads_slowly(self) -> bool:
        """Whether looking up objects is too slow for printing values."""
        return self._sessions.view(needs_objects=False).target.reads_slowly()
