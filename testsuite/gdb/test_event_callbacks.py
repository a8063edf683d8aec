#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl callbacks` in a stopped program, and the command on a core of the same stop."""

from __future__ import annotations

import os
import unittest

from called import ASKED, check_events, check_rows, check_threads, read
from command import OK, run
from harness import ask, main, program, recorder_alone, run_gdb, work_folder
from json_page import Page


class TestPocl(unittest.TestCase):
    """Kernel cores: testsuite/host/test_command_callbacks.py."""

    runtime = "pocl"

    def test_callbacks(self) -> None:
        folder = work_folder("callbacks-" + self.runtime)
        truth_path = os.path.join(folder, "truth")
        core = os.path.join(folder, "core")
        variables = dict(recorder_alone(self.runtime), **ASKED)
        commands = ["break truth_stop", "run > " + truth_path, "set width 0"]
        commands += [
            ask("rows", "opencl callbacks -json"),
            ask("all", "opencl callbacks"),
            ask("first", "opencl event callbacks#1"),
            ask("running", "opencl callbacks -state running"),
            ask("threads", "opencl threads -json"),
            ask("events", "opencl events -json"),
            ask("waits", "opencl waits"),
            "gcore " + core,
            "kill",
        ]
        session = run_gdb([program("programs/callbacks")], commands, variables, name="callbacks")
        truth = read(truth_path)
        rows = session.answer("rows").rows()
        page = Page()
        page.check_answer(page.verbs["callbacks"], [dict(row) for row in rows])
        check_rows(self, truth, rows)
        check_threads(self, truth, session.answer("threads").rows())
        check_events(self, truth, session.answer("events").rows())
        lines = session.answer("running").output.splitlines()
        self.assertEqual(lines[0], "In all rows below: state running.")
        self.assertEqual(len(lines), 4, lines)
        for told, line in zip(truth.callbacks[-2:], lines[2:]):
            words = [told["handle"], told["function"] + " at callbacks.c:"]
            words += ["LWP %d" % told["running_lwp"], " at callbacks.c:%d" % told["line"]]
            for word in words:
                self.assertIn(word, line)
        self.assertIn(
            "event %s, user, unset" % truth.callbacks[0]["handle"], session.answer("first").output
        )
        own = session.answer("first").output.partition("Its callbacks:\n")[2].splitlines()
        self.assertEqual(len(own), 4, own)
        for told, line in zip(truth.callbacks[:2], own[2:]):
            self.assertIn(told["function"] + " at callbacks.c:", line)
            self.assertIn(" at callbacks.c:%d" % told["line"], line)
        waits = session.answer("waits").output
        for told in truth.callbacks[-2:]:
            self.assertIn("in callback %s at callbacks.c:" % told["function"], waits)
        answer = run(["--core", core, "--json", "callbacks"], variables)
        self.assertEqual(answer.code, OK, answer.errors)
        check_rows(self, truth, answer.objects())
        threads = run(["--core", core, "--json", "threads"], variables).objects()
        check_threads(self, truth, threads)
        os.unlink(core)


class TestRusticl(TestPocl):
    """Which calls callbacks on a thread of its own."""

    runtime = "rusticl"


if __name__ == "__main__":
    main()
