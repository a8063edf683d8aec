# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that a target runs, as LLDB knows them, and their symbols."""

from __future__ import annotations

from typing import List, NamedTuple, Optional

import lldb

from ompd_opencl.core_file import Range
from ompd_opencl.elf_image import Module, Read, read_image, unwritten_ranges
from ompd_opencl.errors import UnreadableMemory

# Where a file has no build-id LLDB has the CRC of its contents in its place.
_CRC_SIZE = 4


class _Known(NamedTuple):
    """A module, for the library and as LLDB has it."""

    told: Module
    module: lldb.SBModule


class Modules:
    """The modules of one stop, sorted by address."""

    def __init__(self, process: lldb.SBProcess, read: Read, are_all: bool) -> None:
        """ARE_ALL: LLDB lists also those whose files are not there."""
        self._target = process.GetTarget()
        self._read = read
        self._are_all = are_all
        self._modules: Optional[List[_Known]] = None

    def forget(self) -> None:
        """The target ran: it may have loaded others."""
        self._modules = None

    def get(self, index: int) -> Optional[Module]:
        """Module number INDEX; None past the last one; raises UnreadableMemory where there may be
        more: of a core whose files are lost LLDB lists none, though every program has one."""
        modules = self._all()
        if index < len(modules):
            return modules[index].told
        if not modules or not self._are_all:
            raise UnreadableMemory()
        return None

    def find_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of NAME in module number INDEX alone."""
        modules = self._all()
        if index >= len(modules):
            return None
        return self._address(modules[index].module.FindSymbols(name))

    def find_any_symbol(self, name: str) -> Optional[int]:
        """The address of NAME in any module."""
        return self._address(self._target.FindSymbols(name))

    def unwritten_ranges(self) -> List[Range]:
        """See elf_image.unwritten_ranges."""
        return unwritten_ranges(known.told for known in self._all())

    def start_of(self, module: lldb.SBModule) -> int:
        """The address that its first page is loaded at; LLDB_INVALID_ADDRESS: it is not."""
        return int(module.GetObjectFileHeaderAddress().GetLoadAddress(self._target))

    def _address(self, found: lldb.SBSymbolContextList) -> Optional[int]:
        """That of the first of the symbols FOUND that is defined; one of all modules comes before
        those of one."""
        addresses = []
        for index in range(found.GetSize()):
            symbol = found.GetContextAtIndex(index).GetSymbol()
            address = symbol.GetStartAddress().GetLoadAddress(self._target)
            if symbol.GetType() != lldb.eSymbolTypeUndefined and (
                address != lldb.LLDB_INVALID_ADDRESS
            ):
                addresses.append((not symbol.IsExternal(), int(address)))
        return min(addresses)[1] if addresses else None

    def _all(self) -> List[_Known]:
        if self._modules is None:
            found = (self._known(module) for module in self._target.module_iter())
            modules = {known.told.start: known for known in found if known is not None}
            self._modules = [modules[start] for start in sorted(modules)]
        return self._modules

    def _known(self, module: lldb.SBModule) -> Optional[_Known]:
        """MODULE, where it is loaded."""
        start = self.start_of(module)
        if start == lldb.LLDB_INVALID_ADDRESS:
            return None
        name = module.GetFileSpec().fullpath or "?"
        image = read_image(self._read, start)
        if image is not None:
            return _Known(Module(name, image.build_id, image.start, image.end, image), module)
        return _Known(Module(name, _build_id(module), start, self._end_of(module, start)), module)

    def _end_of(self, module: lldb.SBModule, start: int) -> int:
        """The address behind its last section."""
        end = start + 1
        for section in module.section_iter():
            address = section.GetLoadAddress(self._target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                end = max(end, int(address) + int(section.GetByteSize()))
        return end


def _build_id(module: lldb.SBModule) -> bytes:
    text = (module.GetUUIDString() or "").replace("-", "")
    build_id = bytes.fromhex(text) if len(text) % 2 == 0 else b""
    return build_id if len(build_id) > _CRC_SIZE else b""
