# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl, alone: what is in the target."""

from __future__ import annotations

from typing import List

import gdb

from .. import fields
from .. import structures as c
from ..activities import RUNS, WAITS, ThreadRenderer
from ..errors import LibraryError
from ..fields import Field, Row
from ..json_rows import JsonArray, JsonWriter
from ..output import write, write_notes
from ..plugin import Plugin
from ..printable import printable
from ..render import NOT_PROVED, UNRECORDED
from ..sentences import describe_platform
from ..session import RowFilter
from ..sizes import count_of, format_bytes
from ..sources import Sources
from .command import JSON_OPTION, Invocation, OpenCLCommand

_HELP = """Show what OpenCL holds in the program: an overview.
Usage: opencl [-json]

What is shown comes from layouts of the OpenCL runtimes, for any program, and from ompd-opencl's
recorder in the program, which knows more of it: run it with OPENCL_LAYERS naming
libompd-opencl-recorder.so.  Nothing here resumes the program or changes anything in it.

Options:
  -json  print JSON: an array with one object a row, never cut"""

# At most so many running callbacks and waiting SVM frees are named one by one.
_NAMED = 3


# Counts that the overview in words has, where they are not 0.
_SHOWN = (
    "contexts",
    "queues",
    "memory_objects",
    "memory_object_bytes",
    "app_released",
    "svm_allocations",
    "svm_bytes",
    "svm_frees",
    "destructors_registered",
)


class OverviewCommand(OpenCLCommand):
    """The prefix command, and the overview when it stands alone."""

    def __init__(self, plugin: Plugin) -> None:
        super().__init__(plugin, "opencl", _HELP, [JSON_OPTION], False, True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by GDB for `opencl` alone and for words that are no command of it."""
        words = argument.split()
        if words and not words[0].startswith("-"):
            raise gdb.GdbError('There is no command "opencl %s": try `help opencl`.' % words[0])
        super().invoke(argument, from_tty)

    def run(self, invocation: Invocation) -> None:
        overview = invocation.session.overview()
        gaps = invocation.session.gaps()
        if invocation.arguments.has("json"):
            output = JsonArray(gdb.write)
            writer = JsonWriter(invocation.view.symbols, invocation.session.stack)
            row = writer.row(overview)
            if gaps:
                row["notes"] = gaps
            output.add(row)
            output.end()
            return
        sources = Sources(invocation.session, overview)
        write(_Sentences(invocation, overview, sources).text())
        _write_notes(invocation, overview, sources, gaps)


class _Sentences:
    """The overview in words."""

    def __init__(self, invocation: Invocation, overview: Row, sources: Sources) -> None:
        self._sources = sources
        self._invocation = invocation
        self._session = invocation.session
        self._overview = overview

    def text(self) -> str:
        """All lines."""
        lines = [self._what_is_there()]
        happening = self._destructors() + self._svm_frees() + self._app_released()
        if happening:
            lines.append("  " + ", ".join(happening))
        lines.extend("  " + line for line in self._threads() + self._faults())
        lines.append("  sources: " + self._sources.line())
        return "\n".join(lines)

    def _what_is_there(self) -> str:
        parts = self._platforms()
        parts.append(self._count("contexts", "context"))
        parts.append(self._count("queues", "queue"))
        parts.append(self._count("memory_objects", "memory object", "memory_object_bytes"))
        parts.append(self._count("svm_allocations", "SVM allocation", "svm_bytes"))
        pid = self._overview["pid"]
        process = str(pid.value) if pid.is_known else str(self._invocation.view.inferior.pid)
        return "OpenCL in process %s: %s" % (process, ", ".join(parts))

    def _platforms(self) -> List[str]:
        with self._session.rows(fields.PLATFORM) as platforms:
            named = [
                printable(describe_platform(row["name"].text, row["version"].text))
                for row in platforms
                if row["name"].is_known
            ]
        return named or self._sources.platforms()

    def _count(self, name: str, singular: str, bytes_name: str = "") -> str:
        value = self._overview[name]
        known = value.bound + count_of(value.value, singular)
        text = known if value.is_known else "? %ss" % singular
        if not bytes_name or (value.is_known and value.value == 0):
            return text
        size = self._overview[bytes_name]
        known = size.bound + format_bytes(size.value)
        return "%s (%s)" % (text, known if size.is_known else "? B")

    def _destructors(self) -> List[str]:
        running = self._overview["destructors_running"]
        registered = self._overview["destructors_registered"]
        parts = []
        if running.is_known and running.value:
            text = _are(running.value, "destructor callback", "running")
            threads = self._running_threads()
            parts.append("%s (%s)" % (text, "; ".join(threads)) if threads else text)
        if registered.is_known and registered.value:
            what = "more" if parts else "destructor callback"
            text = count_of(registered.value, what, "more" if parts else "")
            parts.append("%s%s registered" % (registered.bound, text))
        return parts

    def _running_threads(self) -> List[str]:
        """The threads that run destructor callbacks now."""
        running = RowFilter(states=1 << fields.STATE_RUNNING)
        with self._session.rows(fields.DESTRUCTOR, running) as rows:
            lwps = [row["running_lwp"] for row in rows.take(_NAMED)]
        numbers = sorted({lwp.value for lwp in lwps if lwp.is_known})
        return [self._invocation.view.threads.describe_inline(number) for number in numbers]

    def _svm_frees(self) -> List[str]:
        count = self._overview["svm_frees"]
        if not count.is_known or not count.value:
            return []
        running = self._count_svm_frees_running()
        parts = [_are(running, "SVM free", "running")] if running else []
        enqueued = count.value - running
        if enqueued > 0:
            what = "more" if parts else "SVM free"
            text = _are(enqueued, what, "enqueued", "more" if parts else "")
            parts.append(count.bound + text + self._events_in_front(enqueued))
        return parts

    def _count_svm_frees_running(self) -> int:
        """SVM-free commands whose function is running."""
        chosen = RowFilter(states=1 << fields.STATE_RUNNING)
        with self._session.rows(fields.SVM_FREE, chosen) as rows:
            return sum(row.number("state") == fields.STATE_RUNNING for row in rows)

    def _events_in_front(self, enqueued: int) -> str:
        """What those of so many enqueued SVM-free commands that wait for events wait for."""
        chosen = RowFilter(states=1 << fields.STATE_ENQUEUED)
        waiting = 0
        bound = ""
        events: List[str] = []
        with self._session.rows(fields.SVM_FREE, chosen) as rows:
            for row in rows:
                if not row["wait_count"].is_known:
                    bound = "at least "
                if not row.number("wait_count"):
                    continue
                waiting += 1
                if waiting <= _NAMED:
                    self._add_events(row, events)
        if not events:
            return ""
        of_them = "" if waiting >= enqueued else ", %s%d of them" % (bound, waiting)
        others = " and others" if waiting > _NAMED else ""
        return "%s behind event %s%s" % (of_them, " and ".join(events), others)

    def _add_events(self, command: Row, events: List[str]) -> None:
        """Add the first events that COMMAND waits for, each once."""
        with self._session.parts(fields.WAIT, command) as waits:
            for wait in waits.take(_NAMED):
                event = wait["event"]
                if event.is_known and hex(event.value) not in events:
                    events.append(hex(event.value))

    def _threads(self) -> List[str]:
        """The threads that wait, and those that run callbacks."""
        states = WAITS + RUNS
        chosen = RowFilter(states=sum(1 << state for state in states))
        renderer = ThreadRenderer(self._invocation.view)
        try:
            with self._session.rows(fields.THREAD, chosen) as rows:
                busy = [row for row in rows if row.number("state") in states]
        except LibraryError as error:
            if error.code == c.RC_UNAVAILABLE:
                return []
            raise
        busy.sort(key=lambda row: (row.number("state") in RUNS, row.number("order")))
        parts = [renderer.sentence(row) for row in busy[:_NAMED]]
        if len(busy) > _NAMED:
            parts.append("%d more: see `opencl threads`" % (len(busy) - _NAMED))
        return ["; ".join(parts)] if parts else []

    def _app_released(self) -> List[str]:
        count = self._overview["app_released"]
        if not count.is_known or not count.value:
            return []
        text = _are(count.value, "memory object", "released by the program but still held")
        return [count.bound + text]

    def _faults(self) -> List[str]:
        """What went wrong so far, in the program or in recording it."""
        lines = []
        releases = self._overview["over_releases"]
        if releases.is_known and releases.value:
            last = self._overview["over_released"]
            lines.append(
                "%s of objects with no references left%s"
                % (
                    count_of(releases.value, "release"),
                    ", the last of %#x" % last.value if last.is_known and last.value else "",
                )
            )
        for name in ("unknown_handles", "not_recorded", "loaders_refused"):
            value = self._overview[name]
            field = self._overview.kind.field(name)
            if field is not None and value.is_known and value.value:
                lines.append("%d %s" % (value.value, field.help))
        return lines


def _are(count: int, singular: str, what: str, plural: str = "") -> str:
    """ "1 SVM free is enqueued"."""
    return "%s %s %s" % (count_of(count, singular, plural), "is" if count == 1 else "are", what)


def _write_notes(invocation: Invocation, overview: Row, sources: Sources, gaps: List[str]) -> None:
    """Why some of the counts are not known, and which are not proved."""
    unknown: List[Field] = [
        field
        for field in overview.kind.fields
        if not overview[field.name].is_known and not overview[field.name].is_absent
    ]
    unrecorded: List[str] = []
    if not sources.has_recorder:
        unrecorded = [
            field.title
            for field in unknown
            if overview[field.name].status == fields.STATUS_UNKNOWN and field.name != "pid"
        ]
        unknown = [
            field for field in unknown if overview[field.name].status != fields.STATUS_UNKNOWN
        ]
    notes = ["?  %s: %s" % (field.title, overview[field.name].reason) for field in unknown]
    if unrecorded:
        notes.append("%s: %s" % (UNRECORDED, ", ".join(unrecorded)))
    presumed = [
        field.title
        for field in overview.kind.fields
        if field.name in _SHOWN and overview.number(field.name) and overview[field.name].is_presumed
    ]
    if presumed:
        notes.append("%s: %s" % (NOT_PROVED, ", ".join(presumed)))
    write_notes(notes + gaps + sources.notes(), invocation.style, "  ")


def install(plugin: Plugin) -> None:
    """Make the prefix command."""
    OverviewCommand(plugin)
