# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A target opened by libompd-opencl-host, with its address space."""

from __future__ import annotations

import ctypes
import itertools
from typing import List, Optional, Sequence

from .address_space import AddressSpace
from .errors import ClosedError, OpenCLError
from .host_library import HostTarget
from .library import Library
from .protocols import CodePlace, Use
from .structures import LogLevel


class HostSpace(AddressSpace):
    """An address space created by the host library, with its callbacks and layouts."""

    def __init__(
        self,
        library: Library,
        target: HostTarget,
        memory_limit: int = 0,
        limit_setting: str = "",
        log_level: int = LogLevel.NONE,
    ) -> None:
        """See AddressSpace."""
        self._target = target
        super().__init__(library, memory_limit, limit_setting, log_level)

    def _create(self, memory_limit: int) -> int:
        return self.library.call(
            "ompd_host_address_space_create",
            self._target.handle,
            memory_limit,
            ctypes.byref(self.handle),
        )


class HostNames:
    """Names of a target's addresses and threads: see protocols.Symbols and Threads."""

    def __init__(self, target: HostTarget) -> None:
        self._target = target

    def function(self, address: int) -> Optional[CodePlace]:
        """See protocols.Symbols."""
        return self._target.place(address, False)

    def caller(self, address: int) -> Optional[CodePlace]:
        """See protocols.Symbols."""
        return self._target.place(address, True)

    def data(self, address: int) -> str:
        """See protocols.Symbols."""
        place = self._target.place(address, False)
        if place is None or place.symbol is None:
            return ""
        return place.symbol if place.offset == 0 else "%s+%d" % (place.symbol, place.offset)

    def number(self, _lwp: int) -> str:
        """See protocols.Threads."""
        return ""

    def others(self, lwps: Sequence[int]) -> List[str]:
        """See protocols.Threads."""
        return [str(lwp) for lwp in sorted(self._target.threads()) if lwp not in lwps]


class OpenTarget:
    """See session.Opened."""

    def __init__(
        self, library: Library, target: HostTarget, log_level: int = LogLevel.NONE
    ) -> None:
        self.library = library
        self.target = target
        self._log_level = log_level
        self._names = HostNames(target)
        self._info = target.info()
        self._space: Optional[AddressSpace] = None
        self._is_closed = False

    def space(self) -> AddressSpace:
        """See session.Opened.  If Ctrl-C ended the previous one, create a new one."""
        if self._is_closed:
            raise ClosedError("The session is closed.")
        if self._space is None or self._space.is_released:
            self._space = HostSpace(self.library, self.target, log_level=self._log_level)
        self._space.refresh()
        return self._space

    def use(self, _needs_objects: bool) -> Use:
        """See session.Opened."""
        space = self.space()
        reads = self.target.unsaved_reads()
        return Use(
            space.handle,
            self._names,
            self._names,
            self._info.pid,
            reads if reads else None,
            program=self._info.program,
            file=self._info.file,
            build_id=self._build_id(),
        )

    def _build_id(self) -> Optional[str]:
        """The build-id of the program's file."""
        try:
            for index in itertools.count():
                module = self.target.module(index)
                if module is None:
                    break
                if module.name == self._info.program:
                    return module.build_id.hex() or None
        except OpenCLError:
            pass  # not all of them are known
        return None

    def mark_stale(self) -> None:
        """Mark the target as changed."""
        if self._space is not None:
            self._space.mark_stale()

    def save(self, path: str) -> int:
        """See session.Opened."""
        return self.target.save(path)

    def close(self) -> None:
        """See session.Opened."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._space is not None:
            self._space.release()
        self.target.close()
