# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules of a target and their symbols, from LLDB."""

from __future__ import annotations

from typing import List, NamedTuple, Optional

import lldb

from ompd_opencl.core_file import Range
from ompd_opencl.elf_image import Module, Read, read_image, unwritten_ranges
from ompd_opencl.errors import UnreadableMemory

# For a file without a build-id, LLDB reports the CRC of its contents instead.
_CRC_SIZE = 4


class _Known(NamedTuple):
    """A module, for the library and in LLDB."""

    told: Module
    module: lldb.SBModule


class Modules:
    """The modules of one stop, sorted by address."""

    def __init__(self, process: lldb.SBProcess, read: Read, are_all: bool) -> None:
        """ARE_ALL: LLDB also lists modules whose files are missing."""
        self._target = process.GetTarget()
        self._read = read
        self._are_all = are_all
        self._modules: Optional[List[_Known]] = None

    def forget(self) -> None:
        """Forget the modules, because the target ran."""
        self._modules = None

    def get(self, index: int) -> Optional[Module]:
        """Module number INDEX; None after the last one.  Raises UnreadableMemory if there may be
        more: LLDB lists no modules of a core whose files are missing."""
        modules = self._all()
        if index < len(modules):
            return modules[index].told
        if not modules or not self._are_all:
            raise UnreadableMemory()
        return None

    def find_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of NAME in module number INDEX."""
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
        """The load address of the module's first page; LLDB_INVALID_ADDRESS: not loaded."""
        return int(module.GetObjectFileHeaderAddress().GetLoadAddress(self._target))

    def _address(self, found: lldb.SBSymbolContextList) -> Optional[int]:
        """The address of the first defined symbol in FOUND, with global symbols first."""
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
        """MODULE at its load address."""
        start = self.start_of(module)
        if start == lldb.LLDB_INVALID_ADDRESS:
            return None
        name = module.GetFileSpec().fullpath or "?"
        image = read_image(self._read, start)
        if image is not None:
            return _Known(Module(name, image.build_id, image.start, image.end, image), module)
        return _Known(Module(name, _build_id(module), start, self._end_of(module, start)), module)

    def _end_of(self, module: lldb.SBModule, start: int) -> int:
        """The address after its last section."""
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
