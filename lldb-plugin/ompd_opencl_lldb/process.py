# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process, or a core that LLDB reads, as a Target.  It only reads."""

from __future__ import annotations

import bisect
from ctypes import c_uint64
from typing import List, Optional, Tuple

import lldb

from ompd_opencl.core_file import Range
from ompd_opencl.debugger_target import DebuggerTarget
from ompd_opencl.errors import OpenCLError, UnreadableMemory
from ompd_opencl.host_library import HostTarget, NotSaved, NotThere
from ompd_opencl.protocols import Frame

from .memory import read_file, read_memory
from .modules import Modules
from .readers import Readers, is_core
from .regions import Regions
from .stacks import Stacks

_INTEGERS = (1, 2, 4)  # sizes of char, short and int on all machines


class ProcessTarget(DebuggerTarget):
    """See protocols.Target."""

    def __init__(self, process: lldb.SBProcess, readers: Readers, core: Optional[str]) -> None:
        """CORE is the path of a core; None: unknown, or not a core."""
        self._process = process
        self._readers = readers
        self._is_core = is_core(process)
        self._host: Optional[HostTarget] = None
        self._is_reader_chosen = self._is_core
        self._stopped: Optional[HostTarget] = None  # with its threads, after the first request
        self._code: Optional[List[Range]] = None
        self._modules = Modules(process, self._read_header, not self._is_core)
        self._stacks = Stacks(process)
        self.regions = Regions(
            process, self._modules, self._is_core, core, lambda: readers.regions(process)
        )
        super().__init__(self._modules, self.regions, self._stacks)
        self.unsaved_reads = c_uint64()

    def forget(self) -> None:
        """Forget cached data, because the target ran or changed."""
        self._modules.forget()
        self._stacks.forget()
        self.regions.forget()
        self._code = None
        self._is_reader_chosen = self._is_core
        for host in (self._host, self._stopped):
            if host is not None:
                host.close()
        self._host = self._stopped = None

    def host_reader(self) -> Optional[HostTarget]:
        """The host library's reader, if it reads."""
        if not self._is_reader_chosen:
            self._host = self._readers.open(self._process)
            self._is_reader_chosen = True
        return self._host

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Target.  Returns the longer of two stacks.  LLDB before 20 stops at code
        between the parts of a function that the compiler has split; the host library stops at code
        without a file."""
        frames = super().innermost_frames(lwp, capacity)
        if len(frames) >= capacity:
            return frames
        followed = self._followed_by_host(lwp, capacity)
        return followed if len(followed) > len(frames) else frames

    def _followed_by_host(self, lwp: int, capacity: int) -> List[Frame]:
        """The stack from the host library; empty if LLDB reads."""
        if self._is_core or self.host_reader() is None:
            return []
        if self._stopped is None:
            try:
                self._stopped = self._readers.open_stopped(self._process)
            except OpenCLError:
                return []
        return self._stopped.innermost_frames(lwp, capacity)

    def has_ended(self) -> bool:
        """Whether the process that the host library reads has ended.  LLDB may not know yet, and
        returns cached memory."""
        if self._host is None or self._is_core:
            return False
        part = self._host.region_after(0)
        while part is not None and not part.is_writable():  # read-only memory is read from files
            part = self._host.region_after(part.end)
        if part is None:
            return True
        try:
            self._host.read(part.start, 1)
        except (NotSaved, NotThere):
            return True
        return False

    def read(self, address: int, size: int) -> memoryview:
        """See protocols.Target.  LLDB reads code, because it hides its breakpoints there."""
        host = self.host_reader()
        if host is None or self._is_code(host, address, size):
            return memoryview(self._read_by_lldb(address, size))
        try:
            return host.read(address, size)
        except (NotSaved, NotThere):
            raise UnreadableMemory() from None

    def _is_code(self, host: HostTarget, address: int, size: int) -> bool:
        if self._code is None:
            self._code = []
            part = host.region_after(0)
            while part is not None:
                if part.is_executable():
                    self._code.append(part)
                part = host.region_after(part.end)
        index = bisect.bisect_left(self._code, Range(address + max(size, 1), 0, False, 0)) - 1
        return index >= 0 and self._code[index].end > address

    def _read_header(self, address: int, size: int) -> Optional[bytes]:
        """Read the beginning of a module, which describes regions of a core."""
        try:
            return read_memory(self._process, address, size)
        except UnreadableMemory:
            return None

    def _read_by_lldb(self, address: int, size: int) -> bytes:
        if not self._is_core:
            return read_memory(self._process, address, size)
        try:
            if self.regions.is_unsaved(address, size):
                raise UnreadableMemory()
            return read_memory(self._process, address, size)
        except UnreadableMemory:
            pass
        try:
            return read_file(self._process, address, size)
        except UnreadableMemory:
            self.unsaved_reads.value += 1
            raise

    def find_symbol(self, name: str) -> Optional[int]:
        """See protocols.Target."""
        host = self.host_reader()
        address = self._modules.find_any_symbol(name)
        if address is None and host is not None:
            try:
                return host.find_symbol(name)
            except NotSaved:
                return None
        return address

    def type_sizes(self) -> Tuple[int, int, int, int, int, int]:
        """See protocols.Target."""
        pointer = int(self._process.GetAddressByteSize())
        return (*_INTEGERS, pointer, 8, pointer)

    def is_little_endian(self) -> bool:
        """See protocols.Target."""
        return bool(self._process.GetByteOrder() == lldb.eByteOrderLittle)
