# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads are doing, in words: what one waits for, which callback it runs, within what."""

from __future__ import annotations

from typing import List, Optional, Set

from . import fields
from .errors import LibraryError
from .fields import Field, Row
from .nouns import NOUNS
from .render import ABSENT, UNKNOWN, Renderer
from .session import Session
from .sessions import View
from .sizes import count_of

WAITS = (
    fields.STATE_WAITS_FOR_QUEUE,
    fields.STATE_WAITS_FOR_EVENTS,
    fields.STATE_WAITS_FOR_TRANSFER,
    fields.STATE_BUILDS,
)
RUNS = (fields.STATE_RUNS_DESTRUCTOR, fields.STATE_RUNS_SVM_FREE)

# What the handle of an activity is, where its state says so.
_NOUNS = {
    fields.STATE_WAITS_FOR_QUEUE: "queue",
    fields.STATE_WAITS_FOR_EVENTS: "event",
    fields.STATE_WAITS_FOR_TRANSFER: "queue",
    fields.STATE_BUILDS: "program",
    fields.STATE_RUNS_SVM_FREE: "queue",
}

# What it may be else, as far as a cl handle can be looked up.
_FINDABLE = (fields.MEMOBJ, fields.QUEUE, fields.CONTEXT, fields.SVM)


class ThreadRenderer(Renderer):
    """Shows threads: states in words, handles with what they are, callbacks by their functions."""

    def __init__(self, view: View) -> None:
        super().__init__(view.symbols, view.threads)
        self._session: Session = view.session
        self._row: Optional[Row] = None  # whose activities are kept
        self._activities: List[Row] = []
        self._lost = 0
        self.lwps: Set[int] = set()  # of the threads shown

    def cell(self, field: Field, row: Row) -> str:
        """See Renderer.cell."""
        value = row[field.name]
        if field.name == "lwp" and value.is_known:
            self.lwps.add(value.value)
        if field.name == "state" and value.is_known:
            return self.state(row)
        if field.name == "call" and value.is_absent and row.number("state") in RUNS:
            return self.callback(row)
        if field.name == "handle" and value.is_known:
            return self.handle(row)
        if field.name == "is_caller" and value.is_known:
            return ABSENT if value.value else "runtime"
        return super().cell(field, row)

    def below(self, row: Row) -> List[str]:
        """What the thread's innermost activity lies within, one line each."""
        if row.number("depth") < 2:
            return []
        outer = self._outer_activities(row)
        lines = ["within %s" % self._activity(activity) for activity in outer]
        if self._lost:
            what = count_of(self._lost, "deeper activity", "deeper activities")
            lines.insert(0, "within %s that are not known" % what)
        return lines

    def state(self, row: Row) -> str:
        """ "waits for events"."""
        return row.name_of("state").replace("-", " ").replace("svm", "SVM")

    def handle(self, row: Row) -> str:
        """ "event 0x5555556131c0": the object of a row of a thread or an activity."""
        number = row.number("handle")
        noun = _NOUNS.get(row.number("state")) or self._noun(number)
        return "%s %#x" % (noun, number) if noun else "%#x" % number

    def _noun(self, handle: int) -> str:
        for kind in _FINDABLE:
            try:
                identifier = self._session.find(kind, handle)
                if identifier and kind == fields.MEMOBJ:
                    return self._session.get(kind, identifier).name_of("kind")
            except LibraryError:
                return ""  # the handle alone says enough where the target makes no sense
            if identifier:
                return NOUNS[kind].singular
        return ""

    def callback(self, thread: Row) -> str:
        """The function of the callback that a thread runs, innermost."""
        self._read(thread)
        if not self._activities:
            return ABSENT
        return self._function(self._activities[0])

    def _function(self, activity: Row) -> str:
        field = activity.kind.field("function")
        assert field is not None
        return super().cell(field, activity)

    def _activity(self, activity: Row) -> str:
        """ "clReleaseMemObject, buffer 0x5555556027d0"."""
        if activity["call"].is_known:
            text = activity.name_of("call")
        elif activity.number("state") in RUNS:
            text = self._function(activity)
        else:
            text = "a call that is not known"
        return "%s, %s" % (text, self.handle(activity)) if activity["handle"].is_known else text

    def _outer_activities(self, thread: Row) -> List[Row]:
        """Those that the thread's row does not tell of."""
        self._read(thread)
        return self._activities if self._lost else self._activities[1:]

    def _read(self, thread: Row) -> None:
        """Have the activities of THREAD at hand, innermost first."""
        if self._row is thread:
            return
        with self._session.parts(fields.ACTIVITY, thread) as parts:
            self._activities = list(parts)
            self._lost = parts.unreadable
        self._row = thread

    def sentence(self, thread: Row) -> str:
        """ "LWP 4711 (thread 1) waits for queue 0x5555556131c0", for a thread in WAITS or RUNS."""
        name = "a thread"
        if thread["lwp"].is_known:
            name = self._threads.describe(thread.number("lwp"))
        state = thread.number("state")
        if state in RUNS:
            function = self.callback(thread)
            is_known = function not in (ABSENT, UNKNOWN)
            return "%s runs %s" % (name, function if is_known else "a callback")
        verb = "builds" if state == fields.STATE_BUILDS else "waits for"
        what = self.handle(thread) if thread["handle"].is_known else "something"
        return "%s %s %s" % (name, verb, what)
