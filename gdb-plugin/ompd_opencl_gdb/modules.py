# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules of a target, from the headers in its memory, and from GDB's mappings."""

from __future__ import annotations

import re
import shlex
from typing import List, NamedTuple, Optional

import gdb

from ompd_opencl.core_file import Range
from ompd_opencl.elf_image import Image, Module, Read, read_image, unwritten_ranges
from ompd_opencl.elf_symbols import exported_symbol
from ompd_opencl.errors import UnreadableMemory

from .memory_map import Mapping, MemoryMap
from .symbol_addresses import is_symbol

_VDSO = "[vdso]"
# "33   AT_SYSINFO_EHDR      System-supplied DSO's ELF header 0x7ffff7fc8000"
_VDSO_ADDRESS = r"^33\s.*(0x[0-9a-f]+)\s*$"
# "[1042] T 0x7ffff7e6b930 malloc section .text"; lower-case letters mark local symbols.
_SYMBOL = r"^\[ *\d+\] ([TDBAi]|[tdb]) (0x[0-9a-f]+) %s(?: |$)"


class Modules:
    """The modules of one stop, sorted by address."""

    def __init__(self, memory_map: MemoryMap, read: Read) -> None:
        self._map = memory_map
        self._read = read
        self._modules: Optional[List[Module]] = None

    def forget(self) -> None:
        """Forget the modules, because the target ran."""
        self._modules = None

    def get(self, index: int) -> Optional[Module]:
        """Module number INDEX; None after the last one.  Raises UnreadableMemory if GDB knows no
        module, because every program has one."""
        modules = self._all()
        if index < len(modules):
            return modules[index]
        if not self._map.has_files():
            raise UnreadableMemory()
        return None

    def find_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of NAME in module number INDEX.  Raises UnreadableMemory if GDB lacks its
        file, which may define the symbol without exporting it."""
        module = self.get(index)
        if module is None:
            return None
        objfiles = _objfiles_of(module)
        if not objfiles:
            address = self._exported_symbol(module, name)
            if address is None:
                raise UnreadableMemory()
            return address
        if not is_symbol(name):
            return None
        found = [symbol for objfile in objfiles for symbol in _symbols_in(objfile, name)]
        # Global symbols come first.
        return min(found, key=lambda symbol: symbol.is_local).address if found else None

    def exported_symbol(self, name: str) -> Optional[int]:
        """The address of NAME in a module without symbols in GDB, from the module's tables in
        memory; None: not exported."""
        for module in self._all():
            if not _objfiles_of(module):
                address = self._exported_symbol(module, name)
                if address is not None:
                    return address
        return None

    def _exported_symbol(self, module: Module, name: str) -> Optional[int]:
        return None if module.image is None else exported_symbol(self._read, module.image, name)

    def unwritten_ranges(self) -> List[Range]:
        """See elf_image.unwritten_ranges, for all modules."""
        return unwritten_ranges(self._all())

    def is_gap(self, start: int, end: int) -> bool:
        """Whether [START, END) is a gap between the segments of a module."""
        for module in self._all():
            if module.image is not None and module.start <= start and end <= module.end:
                parts = map(module.image.pages_in_memory, module.image.loads)
                return all(end <= first or past <= start for first, past in parts)
        return False

    def _all(self) -> List[Module]:
        if self._modules is None:
            self._modules = self._find()
        return self._modules

    def _find(self) -> List[Module]:
        modules: List[Module] = []
        group: List[Mapping] = []
        for mapping in self._map.mappings():
            if not mapping.file.startswith("/"):
                continue
            # A file loaded a second time starts a new module.
            if group and (mapping.offset == 0 or mapping.file != group[0].file):
                modules += self._module_of(group)
                group = []
            group.append(mapping)
        modules += self._module_of(group) + self._vdso()
        return sorted(modules, key=lambda module: module.start)

    def _module_of(self, group: List[Mapping]) -> List[Module]:
        """The module in GROUP, the mappings of one file; None if the file is only mapped for
        reading."""
        if not group:
            return []
        start, name = group[0].start, group[0].file
        image = read_image(self._read, start)
        if image is not None:
            return [_module(name, image)] if _is_loaded(image, group) else []
        if any(self._is_code(mapping, len(group)) for mapping in group):
            return [Module(name, b"", start, group[-1].end)]
        return []

    def _is_code(self, mapping: Mapping, count: int) -> bool:
        """Whether MAPPING, of COUNT, is of a code file whose header is unknown."""
        ranges = [
            part for part in self._map.core_ranges() if part.start <= mapping.start < part.end
        ]
        return any(part.is_executable() or (count > 1 and part.is_writable()) for part in ranges)

    def _vdso(self) -> List[Module]:
        try:
            match = re.search(_VDSO_ADDRESS, gdb.execute("info auxv", False, True), re.MULTILINE)
        except gdb.error:
            return []
        image = read_image(self._read, int(match.group(1), 16)) if match else None
        return [_module(_VDSO, image)] if image is not None else []


def _module(name: str, image: Image) -> Module:
    return Module(name, image.build_id, image.start, image.end, image)


def _is_loaded(image: Image, group: List[Mapping]) -> bool:
    """Whether IMAGE is mapped as a module: its segments at their offsets, with separate
    permissions. A file mapped in one piece for reading is not a module."""
    last, flags = None, 0
    for load in image.loads:
        if load.file_size == 0:
            continue
        address = image.bias + load.address
        for mapping in group:
            if mapping.start <= address < mapping.end:
                break
        else:
            return False
        if mapping.offset + address - mapping.start != load.offset:
            return False
        if mapping == last and load.flags != flags:
            return False
        last, flags = mapping, load.flags
    return True


class _Symbol(NamedTuple):
    address: int
    is_local: bool


def _objfiles_of(module: Module) -> List[gdb.Objfile]:
    """GDB's objfiles of MODULE: its file, and its debug information."""
    if module.image is None:
        return []  # the file may differ from the one that was loaded
    return [
        objfile
        for objfile in gdb.objfiles()
        if (objfile.build_id or "") == module.build_id.hex()
        and (module.build_id or (objfile.filename or "").endswith(module.name))
    ]


def _symbols_in(objfile: gdb.Objfile, name: str) -> List[_Symbol]:
    """The defined minimal symbols called NAME in an objfile."""
    file = objfile.filename or ""
    if not file.isprintable():
        return []  # GDB runs each line as a command, and the target chooses the name
    command = "maintenance print msymbols -objfile " + shlex.quote(file)
    try:
        text = gdb.execute(command, False, True)
    except gdb.error:
        return []
    return [
        _Symbol(int(match.group(2), 16), match.group(1) in "tdb")
        for match in re.finditer(_SYMBOL % re.escape(name), text, re.MULTILINE)
    ]
