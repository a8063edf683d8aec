#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""While `ompd-opencl run` runs a program, another use of the command looks at it by --pid, and GDB
attaches to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import List

from command import COMMAND, FINDINGS, OK, UNREADABLE, run
from hangs import expected, said
from harness import TIME_LIMIT, main, program
from lending import LendCase, variables_of
from process_states import of_threads, states


class TestLend(LendCase):
    def test_attach_and_detach(self) -> None:
        """Whoever looks at the program finds it stopped, and it goes on to its end."""
        with self.population() as (command, target):
            threads = set(of_threads(int(target[1]), "stat"))
            self.assertGreater(len(threads), 1)
            with self.holding(target) as other:
                self.assertEqual(states(int(target[1])), {"t"})
                self.read_all(other)
            self.assertEqual(set(of_threads(int(target[1]), "stat")), threads)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\nNothing of OpenCL was left alive.\n", errors)

    def test_stacks(self) -> None:
        """Of a hang it tells what `run` does at its end, with the stacks of the threads."""
        hang = program("programs/waiting")
        with subprocess.Popen(
            [COMMAND, "run", hang, "user-finish", "wrong", "stay"],
            env=variables_of("pocl"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as command:
            assert command.stdout is not None
            truth = json.loads(command.stdout.readline())
            target = ["--pid", str(truth["lwp"])]
            try:
                answer = run([*target, "waits"], self.variables)
                self.assertEqual(
                    (answer.code, said(answer.output)), expected("user-finish", "wrong", truth)
                )
                answer = run([*target, "holders", truth["gate"]], self.variables)
                self.assertRegex(answer.output, r"variable `scene\+\d+`")
                self.assertNotIn("stack", answer.output)
            finally:
                os.kill(truth["lwp"], signal.SIGINT)
            self.assertEqual(command.wait(TIME_LIMIT), FINDINGS)

    def test_crash_while_attached(self) -> None:
        """What kills the program meanwhile does so afterwards, and all that it had is told."""
        for number in (signal.SIGSEGV, signal.SIGKILL):
            with self.subTest(number=number), self.population() as (command, target):
                with self.holding(target) as other:
                    os.kill(int(target[1]), number)
                    if number != signal.SIGKILL:
                        self.assertEqual(states(int(target[1])), {"t"})
                        self.read_all(other)
                    else:
                        other.communicate(timeout=TIME_LIMIT)
                errors = self.errors_of_killed(command)
                self.assertEqual(command.returncode, FINDINGS)
                name = signal.Signals(number).name
                self.assertIn(" died of %s.\nAlive when it died: " % name, errors)

    def test_gdb(self) -> None:
        """GDB, which knows nothing of `run`, attaches and detaches; the end is told as ever."""
        with self.population() as (command, target):
            self.has_all_threads(self.gdb_alone(target, "info threads", "detach"), target)
            self.is_traced_again(command, target)
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\nNothing of OpenCL was left alive.\n", errors)

    def test_crash_after_gdb(self) -> None:
        with self.population() as (command, target):
            self.has_all_threads(self.gdb_alone(target, "info threads"), target)
            self.is_traced_again(command, target)
            os.kill(int(target[1]), signal.SIGSEGV)
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, FINDINGS)
        self.assertIn(" died of SIGSEGV.\nAlive when it died: ", errors)

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
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\nNothing of OpenCL was left alive.\n", errors)

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
