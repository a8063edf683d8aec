# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program's own values are, for GDB's own commands: printers and functions."""

from __future__ import annotations

from typing import Dict, Optional, Tuple

import gdb

from ompd_opencl.errors import ClosedError
from ompd_opencl.fields import load_kind
from ompd_opencl.rows import Row
from ompd_opencl.session import Session

from .script import InferiorOpened
from .sessions import Sessions

# The structures that OpenCL's handles point to (CL/cl.h), and what finds one in a session.
KINDS = {
    "_cl_context": "context",
    "_cl_command_queue": "queue",
    "_cl_mem": "memobj",
    "_cl_event": "event",
    "_cl_kernel": "kernel",
    "_cl_program": "program",
    "_cl_sampler": "sampler",
}


def kind_of(value_type: gdb.Type) -> Optional[str]:
    """The kind that a handle of a type is of; None: it is no handle."""
    pointer = value_type.strip_typedefs()
    if pointer.code != gdb.TYPE_CODE_PTR:
        return None
    target = pointer.target().strip_typedefs()
    return KINDS.get(target.name or "") if target.code == gdb.TYPE_CODE_STRUCT else None


class Values:
    """The objects of the selected inferior, by the values that the program has."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._session: Optional[Session] = None
        self._names: Dict[Tuple[int, str], Dict[int, str]] = {}

    def session(self) -> Session:
        """One on the selected inferior; raises OpenCLError."""
        if self._session is not None:
            try:
                self._session.space()
                return self._session
            except ClosedError:
                self._session.close()
        self._session = None
        self._session = Session(InferiorOpened(self._sessions))
        return self._session

    def find(self, kind: str, handle: int) -> Row:
        """The object of a handle; raises OpenCLError."""
        row: Row = getattr(self.session(), kind)(handle)
        return row

    def names(self, kind: int, field: str) -> Dict[int, str]:
        """What OpenCL calls the values, or bits, of a field; raises OpenCLError."""
        found = self._names.get((kind, field))
        if found is None:
            found = load_kind(self._sessions.library(), kind).fields[field].names
            self._names[kind, field] = found
        return found

    def reads_slowly(self) -> bool:
        """Whether to look objects up takes longer than who prints a value would wait."""
        return self._sessions.view(needs_objects=False).target.reads_slowly()
