#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C during a long list, or `q` in GDB's pager, ends it cleanly, and the next command works."""

import json
import unittest

from harness import GDB, PLUGIN, environment, main, program
from terminal import Terminal

COUNT = 200000
SOON = COUNT // 10  # rows: a list that is read no further waits, and Ctrl-C meets it there


class InterruptCase(unittest.TestCase):
    count = COUNT

    def setUp(self) -> None:
        line = [GDB, "-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set height 0"]
        line += ["-iex", "set style enabled off", "-iex", "set editing off"]
        line += ["-iex", "set confirm off", "-iex", "set prompt " + Terminal.PROMPT]
        line += ["-x", PLUGIN, program("programs/many-buffers")]
        self.terminal = Terminal(line, environment("icd"))
        self.terminal.read_until(Terminal.PROMPT)
        self.terminal.command("break truth_stop")
        self.assertIn("truth_stop", self.terminal.command("run %d 2" % self.count))

    def tearDown(self) -> None:
        self.assertEqual(self.terminal.close(), 0)


class TestInterrupt(InterruptCase):
    def _interrupt(self, command: str) -> None:
        terminal = self.terminal
        terminal.send(command + "\n")
        terminal.read_until("\n")
        terminal.read_until("0x")  # the list has begun
        terminal.send("\x03")
        printed = terminal.read_until(Terminal.PROMPT)
        rows = printed.count("\n")
        self.assertLess(rows, SOON, "the list went on")
        last = printed[: -len(Terminal.PROMPT)].strip().splitlines()[-1]
        self.assertRegex(last, "(?i)interrupted|stopped|quit")
        for word in ("Traceback", "Error occurred", "KeyboardInterrupt"):
            self.assertNotIn(word, printed)
        self.assertIn("= 42", terminal.command("print 6 * 7"))
        self.assertIn("200,000", terminal.command("opencl").replace("200000", "200,000"))

    def test_table(self) -> None:
        self.terminal.command("set opencl limit unlimited")
        self._interrupt("opencl memobjs")

    def test_json(self) -> None:
        self._interrupt("opencl memobjs -json")


class TestPager(InterruptCase):
    """A list that is longer than the screen."""

    count = 100
    ASKS = "--Type <RET>"

    def setUp(self) -> None:
        super().setUp()
        self.terminal.command("set height 20")

    def test_table(self) -> None:
        terminal = self.terminal
        terminal.send("opencl memobjs\n")
        terminal.read_until(self.ASKS)
        terminal.send("q\n")
        printed = terminal.read_until(Terminal.PROMPT)
        self.assertRegex(printed, "interrupted|Quit")
        self.assertNotIn("Traceback", printed)
        self.assertRegex(terminal.command("opencl"), r" 100 memory\s+objects")

    def test_json(self) -> None:
        """It is for programs, which type no key."""
        printed = self.terminal.command("opencl memobjs -json")
        self.assertNotIn(self.ASKS, printed)
        self.assertEqual(len(json.loads(printed)), self.count)


if __name__ == "__main__":
    main()
