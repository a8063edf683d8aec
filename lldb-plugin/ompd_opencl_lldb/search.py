# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of searching memory over LLDB's connection."""

from __future__ import annotations

import time

import lldb

from ompd_opencl.sizes import format_bytes

_SAMPLE = 1 << 18  # bytes read to measure the speed


class Search:
    """A search that the user must allow."""

    def __init__(self, process: lldb.SBProcess, size: int) -> None:
        """SIZE is the most bytes that it reads."""
        self._pid = process.GetProcessID()
        self._size = size
        self._speed = _speed(process)
        self.is_told = False

    def cost(self) -> str:
        """The cost of the search, in words."""
        seconds = self._size / self._speed if self._speed else 0.0
        time_text = ", about %.1f s" % seconds if seconds else ""
        return "would read up to %s over LLDB's connection%s" % (
            format_bytes(self._size),
            time_text,
        )

    def left_out(self) -> str:
        """A sentence for answers without the search."""
        return (
            "only the recorder was used: searching the memory of process %d for more %s; "
            "`opencl set search on` allows it." % (self._pid, self.cost())
        )

    def only_way(self) -> str:
        """A sentence for a process without a recorder."""
        return (
            "No OpenCL recorder in process %d, and searching its memory for objects %s: "
            "`opencl set search on` allows it." % (self._pid, self.cost())
        )


def _speed(process: lldb.SBProcess) -> float:
    """LLDB's reading speed in bytes per second; 0: unknown."""
    address = int(process.GetSelectedThread().GetFrameAtIndex(0).GetSP())
    region = lldb.SBMemoryRegionInfo()
    if not process.GetMemoryRegionInfo(address, region).Success():
        return 0.0
    size = min(_SAMPLE, int(region.GetRegionEnd()) - int(region.GetRegionBase()))
    start = time.monotonic()
    data = process.ReadMemory(region.GetRegionEnd() - size, size, lldb.SBError())
    seconds = time.monotonic() - start
    return len(data) / seconds if data and seconds > 0 else 0.0
