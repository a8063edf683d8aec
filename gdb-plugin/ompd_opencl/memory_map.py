# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The target's mappings, as GDB tells them."""

from __future__ import annotations

import bisect
import os
import re
from typing import List, NamedTuple, Optional

import gdb

from .core_file import Range, core_ranges

# "  0x555555554000     0x555555555000     0x1000        0x0  r--p   /bin/app"; permissions are not
# there for cores, nor before GDB 12.
_MAPPING = re.compile(r"^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x[0-9a-f]+\s+0x[0-9a-f]+(.*)$")
_PERMISSIONS = re.compile(r"^\s*[r-][w-][x-][ps-]\s*")
# "	`/tmp/core.4711', file type elf64-x86-64."  The quotes depend on the locale.
_FILE = re.compile(r"^\s*[`'‘\"«](.*)['’\"»]\W.*elf", re.MULTILINE)


class Mapping(NamedTuple):
    """Addresses [start, end), and the file mapped there, if any."""

    start: int
    end: int
    file: str


def read_mappings() -> List[Mapping]:
    """The mappings of the selected inferior; empty when GDB cannot tell."""
    try:
        text = gdb.execute("info proc mappings", False, True)
    except gdb.error:
        return []
    mappings = []
    for line in text.split("\n"):
        match = _MAPPING.match(line)
        if match:
            file = _PERMISSIONS.sub("", match.group(3), count=1).strip()
            mappings.append(Mapping(int(match.group(1), 16), int(match.group(2), 16), file))
    mappings.sort()
    return mappings


class Core(NamedTuple):
    """A core file and what it saved."""

    path: str
    ranges: List[Range]


def core_of_inferior() -> Optional[Core]:
    """The core of the selected inferior; None when it has none, or it is not to be found."""
    for path in _FILE.findall(gdb.execute("info files", False, True)):
        try:
            ranges = core_ranges(path)
        except OSError:
            continue
        if ranges is not None:
            return Core(path, ranges)
    return None


class MemoryMap:
    """Ranges of one stop, for ompd_cl_extra_t.memory_region and for names of code addresses."""

    def __init__(self) -> None:
        self._mappings: Optional[List[Mapping]] = None
        self._ranges: Optional[List[Range]] = None
        self._ends: List[int] = []
        self._unsaved: Optional[List[Range]] = None

    def forget(self) -> None:
        """The target ran: its mappings may be others now."""
        self.__init__()  # type: ignore[misc]

    def mappings(self) -> List[Mapping]:
        """All mappings, sorted by address."""
        if self._mappings is None:
            self._mappings = read_mappings()
        return self._mappings

    def region_after(self, address: int, is_core: bool) -> Optional[Range]:
        """The first range that ends above ADDRESS."""
        if self._ranges is None:
            self._ranges = self._core_ranges() if is_core else self._live_ranges()
            self._ends = [part.end for part in self._ranges]
        index = bisect.bisect_right(self._ends, address)
        return self._ranges[index] if index < len(self._ranges) else None

    def is_unsaved(self, address: int, size: int) -> bool:
        """Whether a core has SIZE bytes at ADDRESS, or some of them, without their contents.

        GDB reads such memory as zeros, or what a file that was mapped there holds now.
        """
        if self._unsaved is None:
            core = core_of_inferior()
            self._unsaved = [part for part in core.ranges if not part.is_saved] if core else []
        index = bisect.bisect_right(self._unsaved, (address, address, False))
        neighbours = self._unsaved[max(index - 1, 0) : index + 1]
        return any(part.start < address + size and address < part.end for part in neighbours)

    def mapping_at(self, address: int) -> Optional[Mapping]:
        """The mapping that ADDRESS lies in."""
        for mapping in self.mappings():
            if mapping.start <= address < mapping.end:
                return mapping
        return None

    def find_file(self, name: str) -> Optional[str]:
        """The mapped file called NAME, in whatever folder; None when there is none."""
        for mapping in self.mappings():
            if os.path.basename(mapping.file) == name:
                return mapping.file
        return None

    def file_start(self, file: str) -> int:
        """The lowest address at which FILE is mapped."""
        return min(mapping.start for mapping in self.mappings() if mapping.file == file)

    def _live_ranges(self) -> List[Range]:
        return [Range(mapping.start, mapping.end, True) for mapping in self.mappings()]

    def _core_ranges(self) -> List[Range]:
        """What the core holds, and what it says was mapped without holding it."""
        core = core_of_inferior()
        if core is None:
            return []
        ranges = core.ranges
        for mapping in self.mappings():
            ranges.extend(_parts_outside(mapping, ranges))
        ranges.sort()
        return ranges


def _parts_outside(mapping: Mapping, ranges: List[Range]) -> List[Range]:
    """The parts of MAPPING that none of RANGES covers, as not saved."""
    parts = []
    position = mapping.start
    for part in sorted(ranges):
        if part.end <= position:
            continue
        if part.start >= mapping.end:
            break
        if position < part.start:
            parts.append(Range(position, part.start, False))
        position = part.end
    if position < mapping.end:
        parts.append(Range(position, mapping.end, False))
    return parts
