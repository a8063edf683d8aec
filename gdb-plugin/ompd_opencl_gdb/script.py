# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The selected inferior as ompd_opencl.session.Opened, for scripts."""

from __future__ import annotations

import ctypes

import gdb

from ompd_opencl.address_space import AddressSpace
from ompd_opencl.errors import ClosedError, OpenCLError
from ompd_opencl.protocols import Use

from .linux_process import process_id
from .sessions import Sessions, View, identity


class InferiorOpened:
    """The selected inferior, as long as its process is the same."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.library = sessions.library()
        self._inferior = gdb.selected_inferior()
        self._identity = identity(self._inferior)
        sessions.view(needs_objects=False)

    def _view(self, needs_objects: bool) -> View:
        if not self._inferior.is_valid() or identity(self._inferior) != self._identity:
            raise ClosedError("The process or core of this session no longer exists.")
        if gdb.selected_inferior() != self._inferior:
            raise OpenCLError(
                "This session belongs to inferior %d; select it with `inferior %d`."
                % (self._inferior.num, self._inferior.num)
            )
        return self._sessions.view(needs_objects)

    def space(self) -> AddressSpace:
        """See session.Opened."""
        return self._view(needs_objects=False).space

    def use(self, needs_objects: bool) -> Use:
        """See session.Opened."""
        view = self._view(needs_objects)
        return Use(
            view.space.handle,
            view.symbols,
            view.threads,
            process_id(view.inferior),
            ctypes.pointer(view.target.unsaved_reads),
        )

    def save(self, path: str) -> int:
        """See session.Opened."""
        self._view(needs_objects=False)
        return self._sessions.save(path)

    def close(self) -> None:
        """See session.Opened.  The address space stays, for the commands."""
