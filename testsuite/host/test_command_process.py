#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes in every state: the command reads or refuses them, and they continue unchanged."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import Dict, Iterator, List

from command import KEYS, OK, SMALL_PIPE, UNREADABLE, run, start_held_up
from command_rows import Rows, RowsCase, ask_all
from harness import TIME_LIMIT, environment, main, program, work_folder
from process_states import come_to, of_threads, states, tracers
from stopped import stopped

NOBODY = 65534
LOOKS = 20  # at a process whose threads come and go
LASTING = 50  # buffers of it that stay
SHORT_THREADS = 4  # of it at once


class TestProcess(RowsCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "1"

    @contextlib.contextmanager
    def waiting(self, name: str) -> Iterator[List[str]]:
        """A process with some of all objects that waits to go on, and does so in the end."""
        words = [program("programs/truth-program"), work_folder("command-" + name), "wait"]
        with stopped(words, self.variables) as started:
            self.assertEqual(started.line, "main\n")
            yield started.target
            started.process.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(started.process.returncode, 0)

    @contextlib.contextmanager
    def holding(self, target: List[str]) -> Iterator["subprocess.Popen[bytes]"]:
        """A command that holds the process, in the middle of its answer."""
        with start_held_up([*target, "memobjs", "--json"], self.variables, 0) as command:
            assert command.stdout is not None
            self.assertNotEqual(command.stdout.read(1), b"")
            yield command

    def comes_to(self, state: str, pid: int) -> None:
        """Every thread is in a state again, and has no tracer."""
        self.assertEqual(tracers(pid), {"0"})
        come_to(pid, state)

    def goes_on(self, target: List[str]) -> None:
        """Every thread waits for what it has waited for: none is stopped, none is traced."""
        self.comes_to("S", int(target[1]))

    def refused(self, words: List[str], **options: int) -> str:
        """The sentence with which a target is refused, whatever is asked."""
        answer = run(words, self.variables, **options)
        self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True), answer)
        return answer.errors

    def test_goes_on(self) -> None:
        """After each verb the process waits as before."""
        with self.waiting("goes-on") as target:
            before = set(of_threads(int(target[1]), "stat"))
            self.assertGreater(len(before), 1)
            for verb in (*KEYS, "overview", "destructors", "memory"):
                self.assertEqual(run([*target, verb], self.variables).code, OK)
                self.goes_on(target)
            self.assertEqual(set(of_threads(int(target[1]), "stat")), before)

    def test_killed(self) -> None:
        """The command is killed while it holds the process, in the middle of its answer."""
        with self.waiting("killed") as target:
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
                with self.holding(target) as command:
                    self.assertEqual(states(int(target[1])), {"t"})
                    command.send_signal(number)
                    self.assertEqual(command.wait(), -number)
                self.goes_on(target)
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)

    def test_held_already(self) -> None:
        """While one command holds the process, another can read it, but not stop it."""
        with self.waiting("held") as target:
            expected = ask_all(target, self.variables)
            with self.holding(target) as command:
                assert command.stdout is not None
                self.assertIn("traced by process", self.refused([*target, "memobjs"]))
                shown = ask_all([*target, "--no-stop"], self.variables)
                while command.stdout.read(SMALL_PIPE) != b"":
                    pass
                self.assertEqual(command.wait(), OK)
            self.assertEqual(self.places_apart(shown), self.places_apart(expected))
            self.goes_on(target)

    def places_apart(self, rows: Rows) -> Dict[str, List[object]]:
        """The keys of all rows."""
        return {verb: list(of_verb) for verb, of_verb in rows.items()}

    def test_stopped_already(self) -> None:
        """A process that was stopped stays so, until it is continued."""
        with self.waiting("stopped") as target:
            pid = int(target[1])
            expected = ask_all(target, self.variables)
            os.kill(pid, signal.SIGSTOP)
            os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)
            try:
                self.assertEqual(ask_all(target, self.variables), expected)
                self.comes_to("T", pid)
            finally:
                os.kill(pid, signal.SIGCONT)

    def test_not_permitted(self) -> None:
        """Another user's process is refused, and not touched."""
        if os.geteuid() != 0:
            self.assertRegex(self.refused(["--pid", "1", "memobjs"]), "(?i)permi|may not")
            return
        with self.waiting("not-permitted") as target:
            nobody = {"user": NOBODY, "group": NOBODY}
            for words in (target, [*target, "--no-stop"]):
                sentence = self.refused([*words, "memobjs"], **nobody)
                self.assertRegex(sentence, "(?i)permi|may not")
            self.goes_on(target)

    def test_gone(self) -> None:
        with subprocess.Popen(["true"]) as gone:
            gone.wait()
        for verb in (*KEYS, "overview", "memory"):
            sentence = self.refused(["--pid", str(gone.pid), verb])
            self.assertIn("does not exist", sentence)

    def test_zombie(self) -> None:
        """A process that has ended, but was not waited for."""
        with subprocess.Popen(["true"]) as zombie:
            os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
            for words in (["memobjs"], ["memobjs", "--no-stop"]):
                self.refused(["--pid", str(zombie.pid), *words])

    def test_no_opencl(self) -> None:
        """A process without OpenCL is refused in one sentence and goes on."""
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            for verb in (*KEYS, "overview"):
                target = ["--pid", str(other.pid)]
                self.assertIn("OpenCL", self.refused([*target, verb]))
                self.assertEqual(tracers(other.pid), {"0"})
            output, _errors = other.communicate(b"still here\n", timeout=TIME_LIMIT)
        self.assertEqual((other.returncode, output), (0, b"still here\n"))

    def test_threads_come_and_go(self) -> None:
        """Each answer about threads that start, create and release a buffer, and end is
        complete."""
        words = [program("programs/short-threads"), str(LASTING)]
        with stopped(words, self.variables) as started:
            self.assertEqual(started.line, "main\n")
            for _ in range(LOOKS):
                self.check_look(started.target)
            started.process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(started.process.returncode, 0)

    def check_look(self, target: List[str]) -> None:
        """The buffers that stay are there, and no more of the others than there are threads."""
        answer = run([*target, "memobjs", "--json"], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        rows = answer.objects()
        self.assertEqual(len({row["handle"] for row in rows}), len(rows))
        self.assertEqual([row["size"] for row in rows[:LASTING]], [64] * LASTING)
        self.assertLessEqual(len(rows), LASTING + SHORT_THREADS)
        threads = run([*target, "threads", "--json"], self.variables)
        self.assertEqual((threads.code, threads.errors), (OK, ""))
        callers = [row for row in threads.objects() if row["is_caller"]]
        self.assertIn(int(target[1]), [row["lwp"] for row in callers])
        self.assertLessEqual(len(callers), 1 + SHORT_THREADS)
        self.assertEqual(tracers(int(target[1])), {"0"})


if __name__ == "__main__":
    main()
