# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conditions of an `embree catch monitor` catchpoint, and its sum of the bytes."""

from __future__ import annotations

from typing import Callable, Dict, Optional, Tuple

import gdb

from .catch_options import Thing

MONITOR = "monitor"
CANCEL = "cancel"  # the same for a catchpoint that cancels allocations
ALLOCATION = "allocation"
FREE = "free"


class _Sum:
    """The bytes in one inferior, by the rule of Embree's manual: without cancelled allocations."""

    def __init__(self) -> None:
        self.bytes = 0
        self.cancelled = 0  # allocations


class MonitorConditions:
    """See catchpoints.Wanted.  In a Thing of a monitor call, `kind` is ALLOCATION or FREE,
    `handles` are the devices that the call may be for, none if they are unknown, and `size` is the
    absolute number of bytes."""

    def __init__(self, describe: Callable[[Tuple[int, ...]], str]) -> None:
        self.min_bytes = 0
        self.device: Optional[int] = None
        self.cancels = False
        self.is_temporary = False
        self._describe = describe  # the current bytes of devices, in words, or ""
        self._sums: Dict[int, _Sum] = {}  # by inferior number
        self._since = "set"

    @property
    def event(self) -> str:
        """See catchpoints.Wanted."""
        return CANCEL if self.cancels else MONITOR

    def title(self) -> str:
        """See catchpoints.Wanted."""
        return "embree monitor"

    def words(self) -> str:
        """See catchpoints.Wanted."""
        words = ["embree", "catch", "monitor"]
        words += ["-min-bytes %d" % self.min_bytes] if self.min_bytes else []
        words += ["-device %#x" % self.device] if self.device is not None else []
        words += ["-cancel"] if self.cancels else []
        return " ".join(words)

    def covers(self, devices: Tuple[int, ...]) -> bool:
        """Whether calls for DEVICES belong to the sum."""
        return self.device is None or not devices or self.device in devices

    def matches(self, thing: Thing) -> bool:
        """See catchpoints.Wanted."""
        return self.covers(thing.handles) and (thing.size or 0) >= self.min_bytes

    def report(self, thing: Thing) -> str:
        """See catchpoints.Wanted."""
        found = self._sum()
        words = thing.words + (", which is cancelled" if self.cancels else "")
        words += "; sum since the catchpoint was %s: %d bytes" % (self._since, found.bytes)
        cancelled = found.cancelled + self.cancels
        if cancelled:
            words += ", %d %s cancelled" % (
                cancelled,
                "allocation" if cancelled == 1 else "allocations",
            )
        # Embree clears some pointers only after it has reported that their memory is freed.
        holds = self._describe(thing.handles) if thing.kind == ALLOCATION else ""
        return words + ("; " + holds if holds else "")

    def add(self, devices: Tuple[int, ...], count: int) -> None:
        """Add COUNT bytes to the sum of the selected inferior; negative: they were freed."""
        if self.covers(devices):
            self._sum().bytes += count

    def cancel(self, devices: Tuple[int, ...]) -> None:
        """Note that an allocation was cancelled, by the program or a catchpoint."""
        if self.covers(devices):
            self._sum().cancelled += 1

    def restart(self, since: str) -> None:
        """Begin new sums: the catchpoint watches nothing until it is SINCE, for example
        "enabled"."""
        self._sums.clear()
        self._since = since

    def forget(self, inferior: int) -> None:
        """Forget a program that ended or was replaced."""
        self._sums.pop(inferior, None)

    def _sum(self) -> _Sum:
        return self._sums.setdefault(gdb.selected_inferior().num, _Sum())
