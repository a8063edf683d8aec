#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads are said to do where the target says little, or nonsense."""

import ctypes
import os
import struct
import sys
import unittest
from typing import Any, Dict, Iterator, List, Optional, Tuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plugin_modules  # noqa: E402

from ompd_opencl import fields  # noqa: E402
from ompd_opencl.activities import ThreadRenderer  # noqa: E402
from ompd_opencl.errors import LibraryError  # noqa: E402
from ompd_opencl.fields import Row, read_kinds  # noqa: E402
from ompd_opencl.library import Library  # noqa: E402
from ompd_opencl.symbols import CodePlace  # noqa: E402

KINDS = read_kinds(Library(plugin_modules.LIBRARY))
BUFFER = 0x1000
SVM = 0x2000
SENSELESS = 0x3000
CLFINISH = next(
    number
    for field in KINDS[fields.THREAD].fields
    for number, name in field.names
    if name == "clFinish"
)


def make_row(kind_number: int, **known: int) -> Row:
    """A row with these fields known; those of value -1 are unknown, the others not there."""
    kind = KINDS[kind_number]
    content = bytearray(kind.size)
    for field in kind.fields:
        status = fields.STATUS_NOT_APPLICABLE
        value = known.get(field.name, 0)
        if field.name in known:
            status = fields.STATUS_UNKNOWN if value == -1 else fields.STATUS_VALUE
        struct.pack_into("=QHHI", content, field.offset, max(value, 0), status, 1, 0)
    return kind.decode((ctypes.c_char * kind.size).from_buffer(content), 0)


class FakeRows:
    """See session.RowList."""

    def __init__(self, rows: List[Row], unreadable: int) -> None:
        self._rows = rows
        self.unreadable = unreadable

    def __enter__(self) -> "FakeRows":
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)


class FakeSession:
    """Knows a buffer and an SVM allocation; any thread is in the same activities."""

    def __init__(self, activities: List[Row], unreadable: int = 0) -> None:
        self._activities = activities
        self._unreadable = unreadable
        self.lists = 0

    def parts(self, _kind: int, _owner: Row) -> FakeRows:
        """See session.Session."""
        self.lists += 1
        return FakeRows(self._activities, self._unreadable)

    def find(self, kind: int, handle: int) -> Optional[int]:
        """See session.Session."""
        if handle == SENSELESS:
            raise LibraryError(4, "The registry makes no sense.")
        return 1 if (kind, handle) in ((fields.MEMOBJ, BUFFER), (fields.SVM, SVM)) else None

    def get(self, _kind: int, _number: int) -> Row:
        """See session.Session."""
        return make_row(fields.MEMOBJ, kind=1)


class FakeView:
    """See sessions.View."""

    def __init__(self, session: FakeSession) -> None:
        self.session = session
        self.symbols = self
        self.threads = self

    def function(self, _address: int) -> CodePlace:
        """See symbols.Symbols."""
        return CodePlace("freed", 0, "app.c", 9, None, None)

    def describe(self, lwp: int) -> str:
        """See threads.Threads."""
        return "LWP %d" % lwp


def renderer(*activities: Row, unreadable: int = 0) -> Tuple[ThreadRenderer, FakeSession]:
    """A renderer of threads that are in these activities, innermost first."""
    session = FakeSession(list(activities), unreadable)
    view: Any = FakeView(session)
    return ThreadRenderer(view), session


def cells(shown: ThreadRenderer, row: Row) -> Dict[str, str]:
    """The cells of a row by their fields' names."""
    return {field.name: shown.cell(field, row) for field in row.kind.fields}


class TestThreads(unittest.TestCase):
    """ThreadRenderer."""

    def test_handles(self) -> None:
        """A handle is said to be what is known of it, and no more."""
        shown, _session = renderer()
        for state, handle, text in (
            (fields.STATE_IN_CALL, BUFFER, "buffer 0x1000"),
            (fields.STATE_IN_CALL, SVM, "SVM allocation 0x2000"),
            (fields.STATE_IN_CALL, SENSELESS, "0x3000"),
            (fields.STATE_IN_CALL, 0x4000, "0x4000"),
            (fields.STATE_WAITS_FOR_EVENTS, BUFFER, "event 0x1000"),
            (99, 0x4000, "0x4000"),
        ):
            row = make_row(fields.THREAD, state=state, handle=handle)
            self.assertEqual(cells(shown, row)["handle"], text)

    def test_nothing_known(self) -> None:
        shown, session = renderer()
        row = make_row(fields.THREAD, lwp=-1, state=-1, call=-1, handle=-1, depth=-1, is_caller=-1)
        known = cells(shown, row)
        self.assertEqual({known[name] for name in ("lwp", "state", "handle", "is_caller")}, {"?"})
        self.assertEqual(shown.below(row), [])
        self.assertEqual(session.lists, 0)
        self.assertEqual(shown.lwps, set())
        (note,) = shown.footnotes()
        self.assertRegex(note, r"^\?  (\w+, ){5}\w+ of 1 row: not observed$")

    def test_callback(self) -> None:
        """A callback is said by its function; its activities are asked for once."""
        runs = fields.STATE_RUNS_DESTRUCTOR
        inner = make_row(fields.ACTIVITY, state=runs, function=0x10, handle=BUFFER)
        outer = make_row(
            fields.ACTIVITY, state=fields.STATE_WAITS_FOR_QUEUE, call=CLFINISH, handle=7
        )
        shown, session = renderer(inner, outer)
        row = make_row(fields.THREAD, lwp=5, state=runs, handle=BUFFER, depth=2, is_caller=0)
        known = cells(shown, row)
        self.assertEqual(known["call"], "freed at app.c:9")
        self.assertEqual(known["state"], "runs destructor")
        self.assertEqual(known["is_caller"], "runtime")
        self.assertEqual(shown.below(row), ["within clFinish, queue 0x7"])
        self.assertEqual(session.lists, 1)
        self.assertEqual(shown.sentence(row), "LWP 5 runs freed at app.c:9")

    def test_callback_unknown(self) -> None:
        """Neither its function nor its activities could be read."""
        runs = fields.STATE_RUNS_SVM_FREE
        row = make_row(fields.THREAD, lwp=5, state=runs, handle=7, depth=2)
        shown, _session = renderer(make_row(fields.ACTIVITY, state=runs, function=-1))
        self.assertEqual(cells(shown, row)["call"], "?")
        shown, _session = renderer(unreadable=2)
        self.assertEqual(cells(shown, row)["call"], "-")
        self.assertRegex(shown.below(row)[0], "within 2 deeper activities")
        self.assertEqual(shown.sentence(row), "LWP 5 runs a callback")

    def test_lost(self) -> None:
        """Activities that are not kept are counted, and one that makes no sense is no call."""
        senseless = make_row(fields.ACTIVITY, state=-1, call=-1, handle=9)
        shown, _session = renderer(senseless, unreadable=1)
        row = make_row(fields.THREAD, lwp=5, state=-1, depth=9)
        self.assertEqual(
            shown.below(row),
            [
                "within 1 deeper activity that are not known",
                "within a call that is not known, 0x9",
            ],
        )

    def test_sentences(self) -> None:
        shown, _session = renderer()
        waits = make_row(fields.THREAD, state=fields.STATE_WAITS_FOR_QUEUE, handle=7)
        self.assertEqual(shown.sentence(waits), "a thread waits for queue 0x7")
        waits = make_row(fields.THREAD, lwp=5, state=fields.STATE_WAITS_FOR_EVENTS)
        self.assertEqual(shown.sentence(waits), "LWP 5 waits for something")
        builds = make_row(fields.THREAD, lwp=5, state=fields.STATE_BUILDS, handle=8)
        self.assertEqual(shown.sentence(builds), "LWP 5 builds program 0x8")


if __name__ == "__main__":
    unittest.main(verbosity=2)
