#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C ends a long command in LLDB, and the next one works.  Errors fit the terminal."""

from __future__ import annotations

import re
import unittest

from harness import environment, main, program
from lldb_runner import launch, lldb_line
from terminal import Terminal

COUNT = 200000


class TestInterrupt(unittest.TestCase):
    def test_interrupt(self) -> None:
        """It comes once the library has looked for it, which LLDB's signal never does."""
        commands = ["settings set prompt '%s'" % Terminal.PROMPT]
        words = [program("programs/many-buffers")]
        terminal = Terminal(lldb_line(words, commands), environment("icd"))
        terminal.read_until("'%s'" % Terminal.PROMPT)
        terminal.read_until(Terminal.PROMPT)
        for command in launch(str(COUNT), "2"):
            terminal.command(command)
        terminal.command("opencl set limit unlimited")
        terminal.command("script in_lldb.tell_first_look()")
        terminal.send("opencl memobjs --sort -size\n")
        terminal.read_until("LOOKING")
        terminal.send("\x03")
        printed = terminal.read_until(Terminal.PROMPT)
        self.assertRegex(printed, r"error: opencl memobjs was interrupted.*\.\n")
        self.assertLess(len(re.findall("0x", printed)), COUNT // 10)
        self.assertNotIn("Traceback", printed)
        self.assertIn(" 200000", terminal.command("opencl overview"))
        # What is refused is in lines that fit, too.
        refused = terminal.command("opencl calls")
        self.assertRegex(refused, r"again with\n    OMPD_OPENCL_CALLS=256 in")
        self.assertEqual(terminal.close(), 0)


if __name__ == "__main__":
    main()
