# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The regions of the target's memory, from LLDB or from the core file."""

from __future__ import annotations

import bisect
from typing import Callable, List, Optional

import lldb

from ompd_opencl.core_file import Range, core_ranges, permissions_of, with_missing

from .modules import Modules


class Regions:
    """The regions of one stop, sorted and disjoint, for ompd_cl_extra_t.memory_region."""

    def __init__(
        self,
        process: lldb.SBProcess,
        modules: Modules,
        is_core: bool,
        core: Optional[str],
        told: Callable[[], List[Range]],
    ) -> None:
        """CORE is the path of a core, or None.  TOLD: the regions of a process from its kernel;
        empty if unknown."""
        self._told = told
        self._process = process
        self._modules = modules
        self._is_core = is_core
        self._core = core
        self._ranges: Optional[List[Range]] = None

    def forget(self) -> None:
        """Forget the mappings, because the target ran."""
        self._ranges = None

    def after(self, address: int) -> Optional[Range]:
        """The first range that ends above ADDRESS."""
        ranges = self._all()
        index = bisect.bisect_right(ranges, Range(address + 1, 0, False, 0)) - 1
        if index >= 0 and ranges[index].end > address:
            return ranges[index]
        return ranges[index + 1] if index + 1 < len(ranges) else None

    def is_unsaved(self, address: int, size: int) -> bool:
        """Whether a core lacks some of SIZE bytes at ADDRESS."""
        part = self.after(address)
        return part is not None and part.start < address + size and not part.is_saved

    def data_size(self) -> int:
        """The writable memory in bytes: the most that a search reads."""
        return sum(
            part.end - part.start for part in self._all() if part.is_data() and part.is_searched()
        )

    def _all(self) -> List[Range]:
        if self._ranges is None:
            self._ranges = self._find()
        return self._ranges

    def _find(self) -> List[Range]:
        ranges = self._of_file() if self._is_core else self._told()
        if not ranges:
            ranges = self._of_lldb()
        if self._is_core:
            ranges = with_missing(ranges, self._modules.unwritten_ranges())
        return ranges

    def _of_file(self) -> List[Range]:
        """The ranges of the core file, because LLDB does not report what was left out.  Missing
        memory is not presumed untouched, because LLDB does not know the mappings."""
        try:
            ranges = core_ranges(self._core) if self._core is not None else None
        except OSError:
            ranges = None
        return [part.touched() for part in ranges or ()]

    def _of_lldb(self) -> List[Range]:
        regions = self._process.GetMemoryRegions()
        region = lldb.SBMemoryRegionInfo()
        ranges = []
        for index in range(regions.GetSize()):
            if regions.GetMemoryRegionAtIndex(index, region) and region.IsMapped():
                permissions = permissions_of(
                    region.IsReadable(), region.IsWritable(), region.IsExecutable()
                )
                start, end = int(region.GetRegionBase()), int(region.GetRegionEnd())
                ranges.append(Range(start, end, True, permissions))
        return sorted(ranges)
