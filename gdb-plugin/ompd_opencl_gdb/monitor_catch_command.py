# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embree catch, embree tcatch."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.printable import printable

from . import monitor_options
from .catchpoints import Catchpoints
from .monitor_conditions import MonitorConditions
from .values import Values
from .watched_monitors import WatchedMonitors

_HELP = """%s
Usage: %s monitor [-min-bytes SIZE] [-device EXPR] [-cancel] [-temporary]

The program stops where Embree calls the memory monitor of a device.  A line
reports the device, the bytes, whether they are allocated or freed, and the sum
of the bytes since the catchpoint was set.  The sum ends before an allocation
that the monitor has not granted yet, and contains a free that has happened.
Cancelled allocations do not count.  The line of an allocation ends with the
bytes that Embree holds for the device, if a layout describes the library.

-min-bytes stops only for so many bytes or more: a number with an optional K, M
or G.  -device stops only for one device.  -cancel stops only for allocations,
and cancels them: Embree calls the monitor, but the plugin has the call return
false at once, so that the program's function does not run.  For this the plugin
writes registers of the thread.  Embree then fails with
RTC_ERROR_OUT_OF_MEMORY.

Threads of Embree's scheduler call the monitor too, and they may hold a spin
lock of Embree.  If you resume only other threads at such a stop, they may spin
until this thread continues.

GDB's own commands list, disable, delete and change a catchpoint, as they do for
`opencl catch`.  Conditions and commands may use $embree_bytes (negative for a
free), $embree_post and $embree_device.  The sum begins anew when a catchpoint
is enabled again.  Every call costs one to two milliseconds while a catchpoint
is enabled."""


class MonitorCatch:
    """Catchpoints on monitors, and their hidden breakpoints."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._catchpoints = Catchpoints(self._changed)
        self._monitors = WatchedMonitors(values, self._catchpoints)
        self._why_unknown = ""
        gdb.events.before_prompt.connect(self._monitors.remove)
        gdb.events.exited.connect(lambda event: self._forget(event.inferior))
        gdb.events.clear_objfiles.connect(self._replaced)
        gdb.events.stop.connect(lambda event: self._learn())  # GDB may have attached to a process

    def run(self, command: str, argument: str, is_temporary: bool) -> None:
        """Create a catchpoint.  Raises OpenCLError."""
        wanted = MonitorConditions(self._describe)
        wanted.is_temporary = is_temporary
        monitor_options.parse(command, argument, wanted)
        if wanted.cancels and not gdb.parameter("may-write-registers"):
            raise OpenCLError(
                "%s: -cancel writes registers; use `set may-write-registers on` first." % command
            )
        number = self._catchpoints.add(wanted)
        gdb.write("Catchpoint %d (%s)\n" % (number, wanted.title()))
        if self._why_unknown:
            gdb.write(
                "Monitors that were set before are not caught: %s\n" % printable(self._why_unknown)
            )

    def _describe(self, devices: Tuple[int, ...]) -> str:
        """The bytes that Embree holds for the only one of DEVICES, or ""."""
        try:
            if len(devices) != 1 or self._values.reads_slowly():
                return ""
            row = self._values.find("embree_device", devices[0])
        except (OpenCLError, gdb.error):
            return ""
        count = row.number("bytes")
        if count is None:
            return ""
        bound = "at least " if row.status("bytes") == "at_least" else ""
        return "Embree holds %s%d bytes for the device" % (bound, count)

    def _learn(self) -> None:
        self._why_unknown = self._monitors.learn()

    def _changed(self) -> None:
        wanted = self._catchpoints.wanted()
        for conditions, is_enabled in wanted:
            if not is_enabled and isinstance(conditions, MonitorConditions):
                conditions.restart("enabled")
        self._monitors.watch(any(is_enabled for _, is_enabled in wanted))
        self._learn()

    def _replaced(self, event: Any) -> None:
        """The program file of a program space is replaced."""
        for inferior in gdb.inferiors():
            if inferior.progspace == event.progspace:
                self._forget(inferior)

    def _forget(self, inferior: gdb.Inferior) -> None:
        self._monitors.forget(inferior.num)
        for conditions, _ in self._catchpoints.wanted():
            if isinstance(conditions, MonitorConditions):
                conditions.forget(inferior.num)


class MonitorCatchCommand(gdb.Command):
    """embree catch, or embree tcatch."""

    def __init__(self, catch: MonitorCatch, name: str, summary: str, is_temporary: bool) -> None:
        self._catch = catch
        self._name = name
        self._is_temporary = is_temporary
        self.__doc__ = _HELP % (summary, name)
        super().__init__(name, gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB."""
        try:
            self._catch.run(self._name, argument, self._is_temporary)
        except OpenCLError as error:
            raise gdb.GdbError(printable(str(error))) from None

    def complete(self, text: str, word: Optional[str]) -> Sequence[str]:
        """Called by GDB: complete WORD."""
        found: List[str] = monitor_options.complete(text, word or "")
        return found


def install(values: Values) -> None:
    """Create the commands."""
    catch = MonitorCatch(values)
    MonitorCatchCommand(catch, "embree catch", "Stop at Embree's memory monitors.", False)
    MonitorCatchCommand(catch, "embree tcatch", "Stop once at a memory monitor.", True)
