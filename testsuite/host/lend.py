#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that `ompd-opencl run` runs and others look at: all answers, several who ask, threads
that come and go, GDB."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import List

from command import COMMAND, FINDINGS, OK, UNREADABLE, USAGE, run
from command_rows import ask_all
from harness import TIME_LIMIT, gdb_command, main, program
from lending import LendCase
from process_states import of_threads, states, tracers

LOOKS = 100  # at a program whose threads come and go
LASTING = 50  # buffers of it that stay


class TestLend(LendCase):
    def test_answers(self) -> None:
        """The answers are those of a process that is stopped, and it goes on to its end."""
        with self.population() as (command, target):
            shown = ask_all(target, self.variables)
            self.assertEqual(shown, ask_all([*target, "--no-stop"], self.variables))
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\nNothing of OpenCL was left alive.\n", errors)

    def test_borrower_dies(self) -> None:
        """One that is killed while it has borrowed the program lets it go on."""
        with self.population() as (command, target):
            with self.holding(target) as other:
                other.kill()
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(command.returncode, OK)

    def test_two_borrowers(self) -> None:
        """The second waits for the first."""
        with self.population() as (command, target):
            with self.holding(target) as other:
                second = subprocess.Popen(
                    [COMMAND, *target, "memobjs"], env=self.variables, stdout=subprocess.DEVNULL
                )
                with second:
                    self.read_all(other)
                    self.assertEqual(second.wait(TIME_LIMIT), OK)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(command.returncode, OK)

    def test_threads_come_and_go(self) -> None:
        """Each look is whole, whatever the threads are about to do; so is the last."""
        with self.running(program("programs/short-threads"), str(LASTING)) as (command, target):
            for _ in range(LOOKS):
                answer = run([*target, "memobjs", "--json"], self.variables)
                self.assertEqual((answer.code, answer.errors), (OK, ""))
                sizes = [row["size"] for row in answer.objects()]
                self.assertEqual(sizes[:LASTING], [64] * LASTING)
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" exited with status 0.\n", errors)

    def gdb(self, target: List[str], *commands: str) -> str:
        """What GDB says, for which `run` lets go of the program."""
        words = gdb_command([], commands, plugin=False)[1:]
        answer = run(["gdb", target[1], *words], self.variables)
        self.assertEqual(answer.code, OK, answer)
        return answer.output

    def is_traced_again(self, command: "subprocess.Popen[str]", target: List[str]) -> None:
        """The command that runs the program traces all of it again, and it runs."""
        limit = time.monotonic() + TIME_LIMIT
        while tracers(int(target[1])) != {str(command.pid)} or states(int(target[1])) != {"S"}:
            self.assertLess(time.monotonic(), limit)

    def test_gdb(self) -> None:
        """GDB comes and goes, and the end is told as ever."""
        with self.population() as (command, target):
            for _ in range(3):
                text = self.gdb(target, "info threads", "detach")
                for lwp in of_threads(int(target[1]), "stat"):
                    self.assertIn("LWP %d" % lwp, text)
                self.is_traced_again(command, target)
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\nNothing of OpenCL was left alive.\n", errors)

    def test_crash_after_gdb(self) -> None:
        with self.population() as (command, target):
            self.gdb(target, "info threads")
            self.is_traced_again(command, target)
            os.kill(int(target[1]), signal.SIGSEGV)
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, FINDINGS)
        self.assertIn(" died of SIGSEGV.\nAlive when it died: ", errors)

    def test_end_in_gdb(self) -> None:
        """What a program has left is not known that ends while GDB traces it; how it did is."""
        with self.population() as (command, target):
            self.gdb(target, "kill")
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, UNREADABLE)
        self.assertIn(" died of SIGKILL.\n", errors)
        self.assertIn("has left alive is not known: it ended while it was lent.\n", errors)

    def test_gdb_and_threads(self) -> None:
        """Threads that begin and end while GDB comes and goes are traced again."""
        with self.running(program("programs/short-threads"), str(LASTING)) as (command, target):
            for _ in range(5):
                self.gdb(target, "info threads")
                answer = run([*target, "memobjs", "--json"], self.variables)
                self.assertEqual((answer.code, answer.errors), (OK, ""))
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" exited with status 0.\n", errors)
        self.assertNotIn("not known", errors)

    def test_gdb_alone(self) -> None:
        """GDB by itself is refused, as of any process that is traced."""
        with self.population() as (command, target):
            done = subprocess.run(
                gdb_command(["-p", target[1]], [], plugin=False),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            self.assertIn("is already traced by process %d" % command.pid, done.stdout)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(command.returncode, OK)

    def test_nobody_lends(self) -> None:
        """A program that something else traces is refused as before."""
        with self.population() as (command, target):
            answer = run(["--pid", str(command.pid), "memobjs"], self.variables)
            self.assertEqual(answer.code, UNREADABLE)
            for word, code in ((str(command.pid), UNREADABLE), ("1x", USAGE), ("0", USAGE)):
                answer = run(["gdb", word], self.variables)
                self.assertEqual((answer.code, answer.is_refusal()), (code, True), answer)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)


del LendCase  # it has no tests


if __name__ == "__main__":
    main()
