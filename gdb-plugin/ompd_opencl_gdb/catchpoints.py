# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Catchpoints, created by `opencl catch` and `embree catch`.

They are listed, changed and deleted by GDB's own commands.  For GDB each is a `catch load` for a
library whose name is the words of the command.  So it has no location, costs nothing, takes a
condition, and GDB never stops for it.  The events are watched by breakpoints that GDB does not list
(`maint info breakpoints` does).  They exist only while a catchpoint is enabled.
"""

from __future__ import annotations

import re
from typing import (
    Any,
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import gdb

from ompd_opencl.printable import printable

from .catch_options import Thing


# In a command line: -i=mi, --interpreter mi3.
_MACHINE_INTERFACE = rb"\0--?i\w*[=\0]mi\d?\0"


def _has_machine_interface() -> bool:
    """Whether a front end reads GDB's output, which lacks the frame for a silent breakpoint."""
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return re.search(_MACHINE_INTERFACE, file.read()) is not None
    except OSError:
        return True


class Wanted(Protocol):
    """The conditions of a catchpoint."""

    @property
    def event(self) -> str:
        """The event that has to be watched."""

    @property
    def is_temporary(self) -> bool:
        """Whether it stops the program once."""

    def title(self) -> str:
        """The name of the event in reports: "opencl create"."""

    def words(self) -> str:
        """The command that creates it, as `info breakpoints` shows it."""

    def matches(self, thing: Thing) -> bool:
        """Whether to stop for THING."""

    def report(self, thing: Thing) -> str:
        """What to print when the program has stopped for THING."""


def _make(wanted: Wanted) -> gdb.Breakpoint:
    known = {breakpoint.number for breakpoint in gdb.breakpoints()}
    command = "tcatch" if wanted.is_temporary else "catch"
    gdb.execute("%s load %s" % (command, wanted.words()), False, True)
    return next(each for each in gdb.breakpoints() if each.number not in known)


class Catchpoint(NamedTuple):
    """A catchpoint in GDB's list."""

    wanted: Wanted
    breakpoint: gdb.Breakpoint

    def stops(self, thing: Thing) -> bool:
        """Whether to stop for THING in the selected frame, by GDB's condition and counts, too."""
        if not self.breakpoint.is_valid() or not self.breakpoint.enabled:
            return False
        if not self.wanted.matches(thing) or not self._condition_holds():
            return False
        count: int = self.breakpoint.ignore_count
        if count > 0:
            self.breakpoint.ignore_count = count - 1
        return count <= 0

    def _condition_holds(self) -> bool:
        condition = self.breakpoint.condition
        if condition is None:
            return True
        try:
            return bool(gdb.parse_and_eval(condition))
        except gdb.error as error:
            gdb.write(
                "Error in testing condition for breakpoint %d:\n%s\n"
                % (self.breakpoint.number, error),
                gdb.STDERR,
            )
            return True


class Catchpoints:
    """All catchpoints."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed  # called when the enabled ones change
        self._all: Dict[int, Catchpoint] = {}
        self._reports: List[str] = []
        self._over: List[gdb.Breakpoint] = []  # temporary ones that have stopped the program
        self._is_silent = False
        self._select: Optional[Callable[[], None]] = None
        gdb.events.breakpoint_deleted.connect(self._deleted)
        gdb.events.breakpoint_modified.connect(self._modified)
        gdb.events.stop.connect(self._stopped)

    def add(self, wanted: Wanted) -> int:
        """Create a catchpoint; returns its number."""
        made = _make(wanted)
        self._all[made.number] = Catchpoint(wanted, made)
        self._changed()
        return made.number

    def events(self) -> List[str]:
        """The events that have to be watched."""
        return sorted(
            {catch.wanted.event for catch in self._all.values() if catch.breakpoint.enabled}
        )

    def wanted(self) -> List[Tuple[Wanted, bool]]:
        """The conditions of all catchpoints, and whether each is enabled."""
        return [(catch.wanted, catch.breakpoint.enabled) for catch in self._all.values()]

    def could_stop(self, event: str, thing: Thing) -> bool:
        """Whether a catchpoint matches EVENT and THING."""
        return any(
            catch.breakpoint.enabled and catch.wanted.matches(thing) for catch in self._of(event)
        )

    def _of(self, event: str) -> Sequence[Catchpoint]:
        return [catch for catch in self._all.values() if catch.wanted.event == event]

    def decide(
        self,
        event: str,
        thing: Thing,
        place: gdb.Breakpoint,
        select: Optional[Callable[[], None]] = None,
    ) -> bool:
        """Whether to stop for EVENT at PLACE.  If several catchpoints match, GDB runs the commands
        of the first.  SELECT selects the frame to show, unless it is the innermost."""
        found = [catch for catch in self._of(event) if catch.stops(thing)]
        if not found:
            return False
        commands = found[0].breakpoint.commands
        place.silent = not _has_machine_interface()
        place.commands = commands or ""
        self._select = select
        self._is_silent = (commands or "").startswith("silent")
        for catch in found:
            self._reports.append(
                "Catchpoint %d (%s), %s"
                % (catch.breakpoint.number, catch.wanted.title(), catch.wanted.report(thing))
            )
            if catch.breakpoint.temporary:
                self._over.append(catch.breakpoint)
        return True

    def note(self, sentence: str) -> None:
        """Print SENTENCE at this stop, after the reports."""
        self._reports.append(sentence)

    def _stopped(self, _event: Any) -> None:
        reports, self._reports = self._reports, []
        select, self._select = self._select, None
        while self._over:
            self._over.pop().delete()
        if reports and select is not None:
            select()
        if not reports or self._is_silent:
            return
        gdb.write("\n%s\n" % "\n".join(map(printable, reports)))
        if not _has_machine_interface():
            gdb.execute("frame")

    def _deleted(self, breakpoint: gdb.Breakpoint) -> None:
        if self._all.pop(breakpoint.number, None) is not None:
            self._changed()

    def _modified(self, breakpoint: gdb.Breakpoint) -> None:
        if breakpoint.number in self._all:
            self._changed()
