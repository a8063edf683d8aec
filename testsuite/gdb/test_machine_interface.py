#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands for GDB/MI front ends: their rows are those of JSON."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import unittest
from typing import Any, Dict, List

from harness import GDB, PLUGIN, TIME_LIMIT, environment, main, program, recorder_alone

PROGRAM = program("programs/demo/edges")
VERBS = ("memobjs -kind buffer", "queues", "contexts", "events", "svm", "svm-frees", "threads")


def written(value: Any) -> str:
    """A value of JSON as GDB/MI writes it: without what is null."""
    if isinstance(value, dict):
        parts = ["%s=%s" % (key, written(part)) for key, part in value.items() if part is not None]
        return "{%s}" % ",".join(parts)
    if isinstance(value, list):
        return "[%s]" % ",".join(written(part) for part in value if part is not None)
    if isinstance(value, bool):
        return '"%s"' % str(value).lower()
    return json.dumps(str(value))


class Interpreter:
    """GDB with the plugin and a program, driven as front ends drive it."""

    def __init__(self, variables: Dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [GDB, "-nx", "-q", "-i=mi", "-iex", "source " + PLUGIN, PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=variables,
            text=True,
        )
        self._timer = threading.Timer(TIME_LIMIT, self._process.kill)
        self._timer.start()
        self.changed_settings: List[str] = []  # as GDB has announced them

    def send(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()

    def line(self, start: str) -> str:
        """What stands behind START in the next line that begins with it."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._note(line)
            if line.startswith(start):
                return line[len(start) :].rstrip("\n")
        raise AssertionError("GDB has ended before %s" % start)

    def _note(self, line: str) -> None:
        if line.startswith("=cmd-param-changed"):
            self.changed_settings.append(line)

    def ask(self, command: str) -> str:
        """The result of a command."""
        self.send("7" + command)
        return self.line("7^")

    def console(self, command: str) -> str:
        """What a command of GDB's own prints."""
        self.send('9-interpreter-exec console "%s"' % command)
        text = ""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._note(line)
            if line.startswith("~"):
                text += json.loads(line[1:])
            if line.startswith("9^"):
                return text
        raise AssertionError("GDB has ended in %s" % command)

    def end(self) -> None:
        """The program ends, and GDB."""
        self._process.kill()
        self._process.communicate()
        self._timer.cancel()


class TestMachineInterface(unittest.TestCase):
    def setUp(self) -> None:
        self._begin(True)

    def _begin(self, recorder: bool) -> None:
        variables = recorder_alone("pocl") if recorder else environment("pocl", recorder=False)
        self.gdb = Interpreter(variables)
        self.addCleanup(self.gdb.end)

    def _run(self) -> None:
        self.gdb.ask("-break-insert stop_here")
        self.gdb.ask("-exec-run")
        self.gdb.line("*stopped")

    def _rows(self, line: str) -> List[Any]:
        rows: List[Any] = json.loads(self.gdb.console("opencl %s -json" % line))
        return rows

    def _compare(self, line: str) -> None:
        rows = self._rows(line)
        self.assertGreater(len(rows), 0, line)
        self.assertEqual(self.gdb.ask("-opencl " + line), "done,rows=" + written(rows), line)
        self.assertEqual(self.gdb.changed_settings, [], line)

    def test_nulls(self) -> None:
        """Without the recorder much is not known."""
        self._begin(False)
        self._run()
        self.assertIn('"caller": null', self.gdb.console("opencl memobjs -json"))
        self._compare("memobjs")

    def test_rows(self) -> None:
        self._run()
        for line in VERBS:
            self._compare(line)
        # Alone it is the overview.
        self.assertEqual(self.gdb.ask("-opencl"), "done,rows=" + written(self._rows("overview")))
        # An expression may have blanks.
        rows = self._rows("memobj pipeline.picture")
        for word in ("pipeline.picture", '"(cl_mem) pipeline.picture"'):
            self.assertEqual(self.gdb.ask("-opencl memobj " + word), "done,rows=" + written(rows))

    def test_errors(self) -> None:
        answer = self.gdb.ask("-opencl memobjs")
        self.assertRegex(
            answer, r'^error,msg="[^"]*: start (it|the program)|^error,msg="There is no'
        )
        self._run()
        for line, words in {
            "memobj": "opencl memobj needs an expression",
            "memobjs -kind bag": "bag",
            "nonsense": "Unknown verb 'nonsense'",
        }.items():
            answer = self.gdb.ask("-opencl " + line)
            self.assertRegex(answer, r'^error,msg="[^"]*%s[^"]*"' % words)
            self.assertNotIn("Python", answer)
        self.assertEqual(
            self.gdb.ask("-opencl-notify"), 'error,msg="-opencl-notify takes on or off."'
        )

    def test_notifications(self) -> None:
        """A stop without changes is not reported.  Before GDB 16 there are no notifications."""
        self._run()
        answer = self.gdb.ask("-opencl-notify on")
        old = re.fullmatch(
            r'error,msg="-opencl-notify needs GDB 16 or later; this one is (\d+)\..*"', answer
        )
        if old is not None:
            self.assertLess(int(old[1]), 16)
            return
        self.assertEqual(answer, "done")
        self.gdb.send("-exec-next")
        self.gdb.line("*stopped")
        told = self.gdb.line("=opencl-changed,overview=")
        self.assertEqual(told, written(self._rows("overview")[0]))
        self.gdb.send("-exec-next")
        self.gdb.send("8-break-insert clReleaseContext")
        self.gdb.send("-exec-continue")
        # A thread of the runtime may have ended something by the second stop, and not all by this.
        self.gdb.line('*stopped,reason="breakpoint-hit"')
        told = self.gdb.line("=opencl-changed,overview=")
        overview = self._rows("overview")[0]
        self.assertEqual(told, written(overview))
        rows = self._rows("memobjs")
        self.assertEqual([row["references"] for row in rows], len(rows) * [0], rows)


if __name__ == "__main__":
    main()
