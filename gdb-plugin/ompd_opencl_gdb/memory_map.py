# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The target's mappings, from GDB."""

from __future__ import annotations

import bisect
import os
import re
from typing import List, NamedTuple, Optional

import gdb

from ompd_opencl.core_file import Range, core_ranges, permissions_of

# "  0x555555554000     0x555555555000     0x1000        0x0  r--p   /bin/app". Cores have no
# permissions, nor has GDB before 12.
_MAPPING = r"^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)(.*)$"
# Linux appends this to the name of a deleted file.
_DELETED = " (deleted)"
_PERMISSIONS = r"^\s*([r-])([w-])([x-])[ps-](?:\s+|$)"
# "	`/tmp/core.4711', file type elf64-x86-64."  The quotes depend on the locale.
_FILE = r"^\s*[`'‘\"«](.*)['’\"»]\W.*elf"


class Mapping(NamedTuple):
    """Addresses [start, end), and the file mapped there, if any."""

    start: int
    end: int
    file: str
    offset: int  # into the file, in bytes
    permissions: int  # as in core_file.Range

    def is_of_program(self) -> bool:
        """Whether it is anonymous memory: without a name, or with a name of the kernel."""
        return not self.file or self.file.startswith("[")


def _mapping_of(line: str) -> Optional[Mapping]:
    """Parse a line of `info proc mappings`."""
    match = re.match(_MAPPING, line)
    if match is None:
        return None
    start, end, offset = (int(match.group(number), 16) for number in (1, 2, 3))
    rest, permissions = match.group(4), 0
    mode = re.match(_PERMISSIONS, rest)
    if mode is not None:
        rest = rest[mode.end() :]
        permissions = permissions_of(*(letter != "-" for letter in mode.groups()))
    file = rest.strip()
    if file.endswith(_DELETED):
        file = file[: -len(_DELETED)]
    return Mapping(start, end, file, offset, permissions)


def read_mappings() -> List[Mapping]:
    """The mappings of the selected inferior; empty if GDB cannot list them."""
    try:
        text = gdb.execute("info proc mappings", False, True)
    except gdb.error:
        return []
    found = (_mapping_of(line) for line in text.split("\n"))
    mappings = [mapping for mapping in found if mapping is not None]
    mappings.sort()
    return mappings


class Core(NamedTuple):
    """A core file and what it saved."""

    path: str
    ranges: List[Range]


def core_of_inferior() -> Optional[Core]:
    """The core of the selected inferior; None if it has none, or it cannot be found."""
    for path in re.findall(_FILE, gdb.execute("info files", False, True), re.MULTILINE):
        try:
            ranges = core_ranges(path)
        except OSError:
            continue
        if ranges is not None:
            return Core(path, ranges)
    return None


class MemoryMap:
    """The mappings at one stop, and which of them a core saved."""

    def __init__(self) -> None:
        self._mappings: Optional[List[Mapping]] = None
        self._core_path: Optional[str] = None
        self._core_ranges: Optional[List[Range]] = None
        self._unsaved: List[Range] = []

    def forget(self) -> None:
        """Forget the mappings, because the target ran."""
        self.__init__()  # type: ignore[misc]

    def mappings(self) -> List[Mapping]:
        """All mappings, sorted by address."""
        if self._mappings is None:
            self._mappings = read_mappings()
        return self._mappings

    def core_ranges(self) -> List[Range]:
        """The ranges of the core, sorted; empty if the core cannot be found."""
        if self._core_ranges is None:
            core = core_of_inferior()
            self._core_path = core.path if core is not None else None
            self._core_ranges = core.ranges if core is not None else []
            self._unsaved = [part for part in self._core_ranges if not part.is_saved]
        return self._core_ranges

    def core_path(self) -> Optional[str]:
        """The path of the core; None if it cannot be found."""
        self.core_ranges()
        return self._core_path

    def is_unsaved(self, address: int, size: int) -> bool:
        """Whether a core lacks the contents of some of SIZE bytes at ADDRESS.

        GDB reads such memory as zeros, or from the file that was mapped there.
        """
        self.core_ranges()
        index = bisect.bisect_right(self._unsaved, Range(address, address, False, 0))
        neighbours = self._unsaved[max(index - 1, 0) : index + 1]
        return any(part.start < address + size and address < part.end for part in neighbours)

    def mapping_at(self, address: int) -> Optional[Mapping]:
        """The mapping that ADDRESS lies in."""
        for mapping in self.mappings():
            if mapping.start <= address < mapping.end:
                return mapping
        return None

    def has_files(self) -> bool:
        """Whether any mapped file is known, at least the program."""
        return any(mapping.file.startswith("/") for mapping in self.mappings())

    def find_file(self, name: str) -> Optional[str]:
        """The mapped file called NAME in any folder; None if there is none."""
        for mapping in self.mappings():
            if os.path.basename(mapping.file) == name:
                return mapping.file
        return None

    def file_start(self, file: str) -> int:
        """The lowest address at which FILE is mapped."""
        return min(mapping.start for mapping in self.mappings() if mapping.file == file)
