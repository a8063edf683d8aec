# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One inferior as a Target, for the library's callbacks.  It only reads, and keeps GDB's selection.
"""

from __future__ import annotations

from ctypes import c_uint64
from typing import Optional, Tuple

import gdb

from ompd_opencl.debugger_target import DebuggerTarget
from ompd_opencl.errors import UnreadableMemory
from ompd_opencl.host_library import HostTarget, NotSaved, NotThere

from .memory_map import MemoryMap
from .modules import Modules
from .readers import Readers, connection_of
from .regions import Regions
from .stacks import Stacks
from .symbol_addresses import symbol_address


class InferiorTarget(DebuggerTarget):
    """The selected inferior.  It stays selected, because callbacks run only during a command."""

    def __init__(self, inferior: gdb.Inferior, readers: Readers) -> None:
        self.inferior = inferior
        self._readers = readers
        self._host: Optional[HostTarget] = None
        self._is_reader_chosen = False
        self.memory_map = MemoryMap()
        self._modules = Modules(self.memory_map, self._try_to_read)
        self.has_registry = False
        self.why_unknown = ""  # why the presence of a symbol is unknown
        self.unsaved_reads = c_uint64()  # reads so far of memory missing in the core
        connection = connection_of(inferior)
        self.is_core = connection.kind == "core"
        self._is_remote = connection.kind not in ("core", "native", "")
        self._stacks = Stacks(inferior, connection.kind)
        self._regions = Regions(
            self.memory_map, self._modules, self.is_core, lambda: readers.regions(inferior)
        )
        super().__init__(self._modules, self._regions, self._stacks)

    def read(self, address: int, size: int) -> memoryview:
        """See protocols.Target."""
        host = self.host_reader()
        if host is None:
            return self._read_by_gdb(address, size)
        try:
            return host.read(address, size)
        except NotSaved:
            self.unsaved_reads.value += 1
            raise UnreadableMemory() from None
        except NotThere:
            raise UnreadableMemory() from None

    def forget(self) -> None:
        """Forget cached data, because the target ran or changed."""
        self.memory_map.forget()
        self._modules.forget()
        self._regions.forget()
        self._stacks.forget()
        self._is_reader_chosen = False
        host, self._host = self._host, None
        if host is not None:
            host.close()

    def reader_name(self) -> str:
        """The reader of memory: "host", "gdb", or "" before the first read."""
        if not self._is_reader_chosen:
            return ""
        return "gdb" if self._host is None else "host"

    def reads_slowly(self) -> bool:
        """Whether GDB reads memory over a connection, at about 1 MiB per second."""
        return self._is_remote and self.host_reader() is None

    def host_reader(self) -> Optional[HostTarget]:
        """The host library's reader, if it reads."""
        if self._host is not None and self._host.is_outdated():
            self.forget()
        if not self._is_reader_chosen:
            self._host = self._readers.open(self.inferior)
            self._is_reader_chosen = True
        return self._host

    def _try_to_read(self, address: int, size: int) -> Optional[bytes]:
        try:
            return bytes(self._read_by_gdb(address, size))
        except UnreadableMemory:
            return None

    def _read_by_gdb(self, address: int, size: int) -> memoryview:
        if self.is_core and self.memory_map.is_unsaved(address, size):
            self.unsaved_reads.value += 1
            raise UnreadableMemory()
        try:
            return self.inferior.read_memory(address, size)
        except gdb.MemoryError:
            self._regions.note_unreadable(address, size)
            raise UnreadableMemory() from None
        except OverflowError:
            raise UnreadableMemory() from None
        except gdb.error as error:
            # A truncated core file raises an error other than MemoryError, and so does a remote
            # target that replies with an error.
            raise UnreadableMemory() from error

    def find_symbol(self, name: str) -> Optional[int]:
        """See protocols.Target.  GDB may lack the file of a module: of a rebuilt program, in a
        container, or with `set auto-solib-add off`."""
        self.why_unknown = ""
        address = symbol_address(name)
        if address is None:
            address = self._find_symbol_without_gdb(name)
        self.has_registry = address is not None
        return address

    def _find_symbol_without_gdb(self, name: str) -> Optional[int]:
        host = self.host_reader()
        if host is not None:
            try:
                return host.find_symbol(name)
            except NotSaved as error:
                self.why_unknown = str(error)
        elif not self.memory_map.has_files():
            self.why_unknown = "GDB cannot tell which files it has mapped"
        else:
            return self._modules.exported_symbol(name)
        return None

    def type_sizes(self) -> Tuple[int, int, int, int, int, int]:
        """See protocols.Target."""
        pointer = gdb.Value(0).type.pointer().sizeof
        return (
            _size_of("char", 1),
            _size_of("short", 2),
            _size_of("int", 4),
            _size_of("long", pointer),
            _size_of("long long", 8),
            pointer,
        )

    def is_little_endian(self) -> bool:
        """See protocols.Target."""
        integer = gdb.Value(0).type
        data = b"\1" + bytes(integer.sizeof - 1)
        return int(gdb.Value(data, integer)) == 1


def _size_of(type_name: str, default: int) -> int:
    """The size of a C type; DEFAULT if the current language lacks the type."""
    try:
        return gdb.lookup_type(type_name).sizeof
    except gdb.error:
        return default
