# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The regions of the target's memory, from GDB."""

from __future__ import annotations

import bisect
from typing import Callable, List, Optional

from ompd_opencl.core_file import Range, permissions_of, with_missing

from .memory_map import Mapping, MemoryMap
from .modules import Modules

# The smallest read after a larger one has failed.
_PAGE = 4096


class Regions:
    """The regions of one stop, sorted and disjoint, for ompd_cl_extra_t.memory_region."""

    def __init__(
        self,
        memory_map: MemoryMap,
        modules: Modules,
        is_core: bool,
        told: Callable[[], List[Range]],
    ) -> None:
        """TOLD: the regions of a process from its kernel; empty if unknown."""
        self._map = memory_map
        self._told = told
        self._modules = modules
        self._is_core = is_core
        self._ranges: Optional[List[Range]] = None
        self._ends: List[int] = []

    def forget(self) -> None:
        """Forget the mappings, because the target ran."""
        self._ranges = None

    def after(self, address: int) -> Optional[Range]:
        """The first range that ends above ADDRESS."""
        if self._ranges is None:
            self._ranges = self._of_core() if self._is_core else self._of_process()
            self._ends = [part.end for part in self._ranges]
        index = bisect.bisect_right(self._ends, address)
        return self._ranges[index] if index < len(self._ranges) else None

    def note_unreadable(self, address: int, size: int) -> None:
        """Memory of a process could not be read.  An unreadable anonymous page is a guard page
        (MADV_GUARD_INSTALL), to which nothing was written."""
        mapping = None if self._is_core or size > _PAGE else self._map.mapping_at(address)
        whole = self.after(address)
        if mapping is None or not mapping.is_of_program() or whole is None or not whole.is_data():
            return
        page = whole._replace(
            start=max(whole.start, address - address % _PAGE),
            end=min(whole.end, address - address % _PAGE + _PAGE),
        ).untouched()
        assert self._ranges is not None
        index = bisect.bisect_right(self._ends, address)
        parts = [whole._replace(end=page.start), page, whole._replace(start=page.end)]
        self._ranges[index : index + 1] = [part for part in parts if part.start < part.end]
        self._ends = [part.end for part in self._ranges]

    def _of_process(self) -> List[Range]:
        return self._told() or [
            Range(mapping.start, mapping.end, True, mapping.permissions)
            for mapping in self._map.mappings()
        ]

    def _of_core(self) -> List[Range]:
        """The ranges of the core.  Memory that it leaves out is described by module headers, then
        by mappings."""
        ranges = self._presumed(self._map.core_ranges())
        if not ranges:
            return []
        ranges = with_missing(ranges, self._modules.unwritten_ranges())
        return with_missing(ranges, map(self._left_out, self._map.mappings()))

    def _presumed(self, ranges: List[Range]) -> List[Range]:
        """RANGES, with anonymous memory marked as presumably untouched, if the core has other
        anonymous memory: Linux leaves out ranges without pages, and those excluded by madvise(2).
        """
        mappings = self._map.mappings()
        starts = [mapping.start for mapping in mappings]

        def is_of_file(part: Range) -> bool:
            index = bisect.bisect_left(starts, part.end)
            return index > 0 and mappings[index - 1].end > part.start

        has_others = any(
            part.is_saved and part.is_data() and not is_of_file(part) for part in ranges
        )
        return [
            part if has_others and part.is_left_out() and not is_of_file(part) else part.touched()
            for part in ranges
        ]

    def _left_out(self, mapping: Mapping) -> Range:
        """The range for MAPPING, if neither the core nor a module header describes it."""
        is_gap = self._modules.is_gap(mapping.start, mapping.end)
        permissions = permissions_of(False, False, False) if is_gap else 0
        return Range(mapping.start, mapping.end, False, permissions)
