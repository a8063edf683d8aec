# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The common part of all debuggers' targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import List, Optional, Protocol

from .core_file import Range
from .elf_image import Module
from .errors import UnreadableMemory
from .host_library import HostTarget, NotSaved
from .protocols import Frame, StoppedThread


class _Modules(Protocol):
    """The debugger's modules."""

    def get(self, index: int) -> Optional[Module]:
        """See protocols.Modules.module."""

    def find_symbol(self, index: int, name: str) -> Optional[int]:
        """See protocols.Modules.find_module_symbol."""


class _Regions(Protocol):
    """The debugger's memory regions."""

    def after(self, address: int) -> Optional[Range]:
        """See protocols.Memory.region_after."""


class _Stacks(Protocol):
    """The debugger's threads."""

    def thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Stacks.stopped_thread."""

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Stacks."""


class DebuggerTarget(ABC):
    """A target whose regions and modules come from the host library if it reads, else from the
    debugger. Threads come from the debugger."""

    def __init__(self, modules: _Modules, regions: _Regions, stacks: _Stacks) -> None:
        self._own_modules = modules
        self._own_regions = regions
        self._own_stacks = stacks

    @abstractmethod
    def host_reader(self) -> Optional[HostTarget]:
        """The host library's reader, if it reads."""

    def region_after(self, address: int) -> Optional[Range]:
        """See protocols.Target."""
        host = self.host_reader()
        return self._own_regions.after(address) if host is None else host.region_after(address)

    def stopped_thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Target."""
        return self._own_stacks.thread(index)

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Target."""
        return self._own_stacks.innermost_frames(lwp, capacity)

    def module(self, index: int) -> Optional[Module]:
        """See protocols.Target."""
        host = self.host_reader()
        if host is None:
            return self._own_modules.get(index)
        try:
            return host.module(index)
        except NotSaved:
            raise UnreadableMemory() from None

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """See protocols.Target."""
        host = self.host_reader()
        if host is None:
            return self._own_modules.find_symbol(index, name)
        try:
            return host.find_module_symbol(index, name)
        except NotSaved:
            raise UnreadableMemory() from None
