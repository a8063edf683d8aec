# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The regions of the target's memory, as far as GDB can tell them."""

from __future__ import annotations

import bisect
from typing import Iterable, List, Optional

from .core_file import Range, permissions_of
from .memory_map import Mapping, MemoryMap
from .modules import Modules


class Regions:
    """Those of one stop, sorted and disjoint, for ompd_cl_extra_t.memory_region."""

    def __init__(self, memory_map: MemoryMap, modules: Modules, is_core: bool) -> None:
        self._map = memory_map
        self._modules = modules
        self._is_core = is_core
        self._ranges: Optional[List[Range]] = None
        self._ends: List[int] = []

    def forget(self) -> None:
        """The target ran: its mappings may be others now."""
        self._ranges = None

    def after(self, address: int) -> Optional[Range]:
        """The first range that ends above ADDRESS."""
        if self._ranges is None:
            self._ranges = self._of_core() if self._is_core else self._of_process()
            self._ends = [part.end for part in self._ranges]
        index = bisect.bisect_right(self._ends, address)
        return self._ranges[index] if index < len(self._ranges) else None

    def _of_process(self) -> List[Range]:
        return [
            Range(mapping.start, mapping.end, True, mapping.permissions)
            for mapping in self._map.mappings()
        ]

    def _of_core(self) -> List[Range]:
        """What the core says; then, of memory that it leaves out, what its modules' headers say;
        then what was mapped, whatever it was."""
        ranges = list(self._map.core_ranges())
        if not ranges:
            return []
        ranges = _with_missing(ranges, self._modules.unwritten_ranges())
        return _with_missing(ranges, map(self._left_out, self._map.mappings()))

    def _left_out(self, mapping: Mapping) -> Range:
        """What MAPPING is where neither the core nor a module's header says."""
        is_gap = self._modules.is_gap(mapping.start, mapping.end)
        permissions = permissions_of(False, False, False) if is_gap else 0
        return Range(mapping.start, mapping.end, False, permissions)


def _with_missing(ranges: List[Range], others: Iterable[Range]) -> List[Range]:
    """RANGES, which are sorted, and what of OTHERS they do not cover."""
    parts = [part for other in others for part in _parts_outside(other, ranges)]
    return sorted(ranges + parts)


def _parts_outside(whole: Range, ranges: List[Range]) -> List[Range]:
    """The parts of WHOLE that none of RANGES covers."""
    parts = []
    position = whole.start
    for part in ranges[max(bisect.bisect_left(ranges, whole) - 1, 0) :]:
        if part.end <= position:
            continue
        if part.start >= whole.end:
            break
        if position < part.start:
            parts.append(whole._replace(start=position, end=part.start))
        position = part.end
    if position < whole.end:
        parts.append(whole._replace(start=position))
    return parts
