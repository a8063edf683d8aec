#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors in a script are exceptions with one sentence, in whatever order things end.  Filters of
scripts are those of the commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import unittest
from functools import partial
from typing import Any, Callable, Dict, List, Type
from unittest import mock

from command import run
from harness import BUILD, TIME_LIMIT, environment, main, program, run_gdb, work_folder

import ompd_opencl
from ompd_opencl import host_library

HERE = os.path.dirname(os.path.abspath(__file__))

# Filters as a script writes them, and as the command does.
FILTERED = (
    ("memobjs", {"kind": "buffer"}, "--kind buffer"),
    ("memobjs", {"kind": ["im", "pipe"]}, "--kind im,pipe"),
    ("memobjs", {"state": "app,destr"}, "--state app,destr"),
    ("memobjs", {"min_size": 0x4000}, "--min-size 16K"),
    ("memobjs", {"min_size": "1K", "kind": "buffer"}, "--min-size 1024 --kind buffer"),
    ("contexts", {"state": "live"}, "--state live"),
    ("queues", {"state": "live"}, "--state live"),
    ("svm", {"kind": "svm", "min_size": "1K"}, "--kind svm --min-size 1K"),
    ("svm_frees", {"state": "enqueued"}, "--state enqueued"),
    ("destructors", {"state": "registered"}, "--state registered"),
    ("threads", {"state": "outside"}, "--state outside"),
)

# Scripts whose objects end in an order of their own; they print nothing.
ENDINGS = (
    "row = next(iter(session.memobjs())); del session; row.to_json()",
    "rows = iter(session.memobjs()); next(rows); session.close(); del rows",
    "rows = iter(session.memobjs()); next(rows); del session, rows; gc.collect()",
    "keep = session; keep.self = keep; keep.rows = iter(keep.svm()); next(keep.rows); "
    "keep.run('memobjs'); del keep, session; gc.collect()",
    "import builtins; builtins.kept = [session, iter(session.memobjs())]; next(builtins.kept[1])",
    "a = next(iter(session.memobjs())).destructors; session.close(); gc.collect(); "
    "ompd_opencl.open_core(sys.argv[1]).overview(); repr(a)",
)
ENDING = "import gc, sys, ompd_opencl; session = ompd_opencl.open_core(sys.argv[1]); "


class TestSession(unittest.TestCase):
    folder = ""
    core = ""
    followed = ""  # what GDB printed
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.folder = work_folder("session")
        cls.core = os.path.join(cls.folder, "core")
        path = program("programs/truth-program")
        commands = ["source " + os.path.join(HERE, "in_gdb_session.py")]
        commands += ["python follow(%r)" % cls.folder, "run %s > /dev/null" % cls.folder]
        commands += ["continue", "gcore " + cls.core, "kill"]
        cls.followed = run_gdb([path], commands, cls.variables, name="session").output

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def setUp(self) -> None:
        self.session = ompd_opencl.open_core(self.core)
        self.addCleanup(self.session.close)

    def refused(self, kind: Type[Exception], words: str, work: Callable[[], object]) -> None:
        """WORK raises just KIND: one sentence that has WORDS."""
        with self.assertRaises(ompd_opencl.OpenCLError) as caught:
            work()
        self.assertIs(type(caught.exception), kind)
        self.assertRegex(str(caught.exception), r"\A[^\n]+\.\Z")
        self.assertIn(words, str(caught.exception))

    def test_looks(self) -> None:
        """A snapshot has not changed since it was saved, and an error about one names it."""
        look = os.path.join(self.folder, "look")
        self.session.run("save", look)
        said = self.session.run("diff", look)
        self.assertIn("From look to core: nothing has changed.", said)
        self.assertEqual(self.session.run("diff", "'%s'" % look), said)
        self.assertIn(
            "From look to core: nothing", self.session.run("diff", look + " " + self.core)
        )
        refuse = "no-core': "
        missing = os.path.join(self.folder, "no-core")
        self.refused(ompd_opencl.CommandError, refuse, lambda: self.session.run("diff", missing))
        self.assertEqual(self.session.run("diff", look), said)

    def test_in_gdb(self) -> None:
        self.assertRegex(self.followed, r"(?m)^FOLLOWED$")
        self.assertEqual(self.followed.count("\nREFUSED "), 5)
        self.assertRegex(self.followed, r"INTERRUPTED\nWHOLE\n")

    def test_targets(self) -> None:
        no_core = os.path.join(self.folder, "no-core")
        with open(no_core, "w", encoding="utf-8") as file:
            file.write("this is no core\n")
        for path in (no_core, no_core + ".not-there", program("programs/truth-program"), "/"):
            error = ompd_opencl.TargetError
            self.refused(error, path, lambda: ompd_opencl.open_core(path))
        self.refused(ompd_opencl.TargetError, "4194305", lambda: ompd_opencl.open_process(4194305))

    def test_no_opencl(self) -> None:
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
            try:
                with ompd_opencl.open_process(other.pid) as session:
                    self.assertEqual(list(session.runtimes()), [])
                    for work in (session.overview, lambda: list(session.memobjs())):
                        self.refused(ompd_opencl.UnavailableError, "", work)
                    error = ompd_opencl.UnavailableError
                    self.refused(error, "", partial(session.find, 3))
                other.communicate(timeout=TIME_LIMIT / 10)
            finally:
                other.kill()
        self.assertEqual(other.returncode, 0)

    def test_no_objects(self) -> None:
        error = ompd_opencl.NoSuchObjectError
        self.refused(error, "memobj 0x3:", lambda: self.session.memobj(3))
        self.refused(error, "thread 1:", lambda: self.session.thread(1))
        self.refused(error, "0x3", lambda: self.session.svm_free(3))
        self.refused(error, "context 0x3:", lambda: self.session.memobjs(context=3))
        self.refused(error, "object 0x3;", lambda: self.session.find("0x3"))
        for handle in ("", "b", "0x", "-1", None, 1.5j):
            for work in (self.session.find, self.session.memobj):
                no_handle: Any = handle
                words = "%r is not a handle" % handle
                self.refused(ompd_opencl.OpenCLError, words, partial(work, no_handle))

    def test_columns(self) -> None:
        """A list has its columns without a row."""
        rows = self.session.memobjs(min_size="1T")
        self.assertEqual(list(rows), [])
        first = next(iter(self.session.memobjs()))
        self.assertEqual(rows.columns, tuple(first.keys()))
        self.assertIn("size", rows.columns)

    def test_one_object(self) -> None:
        for name, single in (
            ("contexts", self.session.context),
            ("queues", self.session.queue),
            ("memobjs", self.session.memobj),
            ("svm", self.session.svm_allocation),
        ):
            rows: List[ompd_opencl.Row] = list(getattr(self.session, name)())
            self.assertGreater(len(rows), 1)
            for row in rows:
                self.assertEqual(single(row).to_json(), row.to_json())
                written = json.loads(row.to_json())["pointer" if name == "svm" else "handle"]
                for handle in (row, written):
                    self.assertEqual(single(handle).to_json(), row.to_json())
                    self.assertEqual(self.session.find(handle).to_json(), row.to_json())
        for row in self.session.threads():
            self.assertEqual(self.session.thread(row.lwp).to_json(), row.to_json())
        for row in self.session.svm_frees():
            pointer = next(iter(row.pointers)).pointer
            self.assertEqual(self.session.svm_free(pointer).order, row.order)

    def test_filters(self) -> None:
        for name, filters, options in FILTERED:
            with self.subTest(options):
                rows = getattr(self.session, name)(**filters)
                words = [name.replace("_", "-"), "--json", *options.split()]
                shown = run(["--core", self.core, *words], self.variables).output.splitlines()
                self.assertEqual(sorted(row.to_json() for row in rows), sorted(shown))
                self.assertTrue(shown)

    def test_context_filter(self) -> None:
        every = list(self.session.memobjs())
        for context in self.session.contexts():
            expected = {row.handle for row in every if row.context == context.handle}
            self.assertTrue(expected)
            for given in (context, context.handle):
                found = {row.handle for row in self.session.memobjs(context=given)}
                self.assertEqual(found, expected)

    def test_refused_filters(self) -> None:
        error = ompd_opencl.FilterError
        self.refused(
            error, "unknown name 'bogus'; choose from", lambda: self._memobjs(kind="bogus")
        )
        self.refused(error, "unknown name ''", lambda: self._memobjs(state="live,"))
        self.refused(error, "'4X' is not a size", lambda: self._memobjs(min_size="4X"))
        self.refused(error, "'-1' is not a size", lambda: self._memobjs(min_size=-1))

    def _memobjs(self, **filters: Any) -> None:
        self.session.memobjs(**filters)

    def test_names(self) -> None:
        """No field hides behind what every row has, but for `source`, which gives both."""
        for kind in range(1, 17):
            info = self.session.kind(kind)
            self.assertTrue(info.fields)
            hidden = set(info.fields) & {name for name in dir(ompd_opencl.Row) if name != "source"}
            self.assertEqual(hidden, set())
        row = next(iter(self.session.memobjs()))
        self.assertEqual((row.source(), row.source("size"), row["source"]), ("recorder",) * 3)
        self.assertIn("size", dir(row))
        self.assertIn("destructors", dir(row))
        self.assertRegex(repr(row), r"^<memobj 0x[0-9a-f]+>$")
        for name in ("bogus", "activities", "_bogus"):
            with self.assertRaises(AttributeError):
                getattr(row, name)
            with self.assertRaises(KeyError):
                row[name]
        with self.assertRaises(AttributeError):
            row.status("bogus")

    def test_places(self) -> None:
        row = next(row for row in self.session.memobjs(kind="pipe"))
        place = row.place("caller")
        assert place is not None and place.file is not None
        self.assertIn(os.path.basename(place.file), ("population-memobjs.c", "population.h"))
        self.assertIsNone(row.place("host_pointer"))

    def test_closed(self) -> None:
        row = next(iter(self.session.memobjs()))
        rows = iter(self.session.memobjs())
        next(rows)
        size, parts = row.size, row.destructors
        self.session.close()
        self.session.close()
        self.assertEqual(row.size, size)
        closed = ompd_opencl.ClosedError
        for work in (
            row.to_json,
            lambda: list(parts),
            lambda: row.place("caller"),
            lambda: list(rows),
            self.session.overview,
            lambda: list(self.session.memobjs()),
            lambda: self.session.run("memobjs"),
            self.session.info,
            self.session.refresh,
        ):
            self.refused(closed, "", work)

    def test_endings(self) -> None:
        """Whatever order Python ends things in, nothing crashes and nothing is printed."""
        variables = dict(self.variables, PYTHONPATH=os.path.join(BUILD, "python"))
        for ending in ENDINGS:
            done = subprocess.run(
                [sys.executable, "-B", "-X", "dev", "-c", ENDING + ending, self.core],
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=TIME_LIMIT,
                universal_newlines=True,
                check=False,
            )
            self.assertEqual((done.returncode, done.stdout), (0, ""), ending)

    def test_control_c(self) -> None:
        """It ends searches and reads as KeyboardInterrupt; the next answer is whole, and the old
        rows are of no more use."""
        expected = {row.handle for row in self.session.memobjs()}

        def pressing() -> bool:
            signal.raise_signal(signal.SIGINT)
            return bool(signal.SIGINT in signal.sigpending())

        for name in ("runtimes", "threads"):
            old = next(iter(self.session.memobjs()))
            self.session.refresh()
            with mock.patch.object(host_library, "is_interrupted", pressing):
                with self.assertRaises(KeyboardInterrupt):
                    list(getattr(self.session, name)())
            self.assertEqual({row.handle for row in self.session.memobjs()}, expected)
            self.refused(ompd_opencl.ClosedError, "", old.to_json)

    def test_failure_in_a_callback(self) -> None:
        def failing() -> bool:
            raise ZeroDivisionError("on purpose")

        self.session.refresh()
        with mock.patch.object(host_library, "is_interrupted", failing):
            with self.assertRaisesRegex(ZeroDivisionError, "on purpose"):
                list(self.session.runtimes())

    def test_commands(self) -> None:
        shown = run(["--core", self.core, "memobjs"], self.variables).output
        self.assertEqual(self.session.run("memobjs").split(), shown.split())
        self.refused(
            ompd_opencl.CommandError, "Unknown verb 'bogus'", lambda: self.session.run("bogus")
        )


if __name__ == "__main__":
    main()
