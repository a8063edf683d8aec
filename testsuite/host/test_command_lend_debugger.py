#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""While `ompd-opencl run` runs a program, GDB attaches to it."""

from __future__ import annotations

import os
import signal
from typing import List

from command import FINDINGS, NOTHING_FOUND, OK, UNREADABLE, run
from harness import TIME_LIMIT, main
from lending import LendCase


class TestDebugger(LendCase):
    def test_gdb(self) -> None:
        """GDB, which knows nothing of `run`, attaches and detaches; the end is told as ever."""
        with self.population() as (command, target):
            self.has_all_threads(self.gdb_alone(target, "info threads", "detach"), target)
            self.is_traced_again(command, target)
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK, errors)
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

    def test_crash_after_gdb(self) -> None:
        with self.population() as (command, target):
            self.has_all_threads(self.gdb_alone(target, "info threads"), target)
            self.is_traced_again(command, target)
            os.kill(int(target[1]), signal.SIGSEGV)
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, FINDINGS, errors)
        self.assertIn(" died of SIGSEGV.\n", errors)
        self.assertIn("\nAlive when it died: ", errors)

    def crash_in_gdb(self, target: List[str], first: str) -> None:
        """Have GDB say that the program has got a signal, and let go of it."""
        crash = ["shell kill -SEGV " + target[1], "continue", "detach"]
        self.assertIn("received signal SIGSEGV", self.gdb_alone(target, first, *crash))

    def test_signal_in_gdb(self) -> None:
        """A signal that GDB keeps for itself is none to `run`."""
        with self.population() as (command, target):
            self.crash_in_gdb(target, "handle SIGSEGV nopass")
            self.is_traced_again(command, target)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK, errors)
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

    def test_crash_in_gdb(self) -> None:
        """The program dies of a signal that GDB passes on, as is told; what it had is not known but
        where `run` was faster."""
        with self.population() as (command, target):
            self.crash_in_gdb(target, "handle SIGSEGV pass")
            errors = self.errors_of_killed(command)
        self.assertIn(" died of SIGSEGV.\n", errors)
        ends = {UNREADABLE: "is not known: it ended while it was lent.", FINDINGS: "Alive when it "}
        self.assertIn(ends[command.returncode], errors)


del LendCase  # it has no tests


if __name__ == "__main__":
    main()
