#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""While `ompd-opencl run` runs a program, another use of the command looks at it by --pid."""

from __future__ import annotations

import json
import os
import signal
import subprocess

from command import COMMAND, FINDINGS, NOTHING_FOUND, OK, run
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
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

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
                self.assertIn(" died of %s.\n" % name, errors)
                self.assertIn("\nAlive when it died: ", errors)


del LendCase  # it has no tests


if __name__ == "__main__":
    main()
