#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stop the program `restless` during its work: no list contradicts another at any of these stops.
If the command is killed while it has stopped the program, the program continues.

The program stops itself after numbers of steps from a fixed seed.  $OMPD_OPENCL_STOPS adds that
many stops at random instants to each case, on each runtime, and the seed is printed.  A snapshot of
each stop with a contradiction is saved beside the sentence.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
import unittest
from typing import Iterator

from command import COMMAND, start_held_up
from harness import BUILD, GDB, TIME_LIMIT, environment, main, program, work_folder
from ompd_opencl.host import open_process
from process_states import states, tracers
from restless import LONGEST_RUN, Restless, compare, new_seed

# At random instants; 0: at holds.
RANDOM_STOPS = int(os.environ.get("OMPD_OPENCL_STOPS", "0"))

STEPS = program("programs/.libs/libtest-steps.so")
SEED = 4711
HOLDS = 25
MOST_STEPS = 400  # from one hold to the next: several of its activities

# Of so many stops one is asked for leaks, which take as long as all else together.
LEAKS_EVERY = 10

# For so many random stops the command is killed once, at most so many seconds after its start.
KILLED_EVERY = 5
LONGEST_LIFE = 0.3

# Of the system calls by which the command stops the program, before which it is killed.
MOST_CALLS = 24
CALLS_KILLED = 2


class StopsCase(unittest.TestCase):
    """How it is on a runtime."""

    runtime = ""

    def test_with_recorder(self) -> None:
        """Nothing contradicts itself, and what lasts is always there."""
        self._check(True)

    def test_without_recorder(self) -> None:
        """Nothing does that is not marked as presumed, doubtful or incomplete."""
        self._check(False)

    def _check(self, recorder: bool) -> None:
        folder = work_folder("stops-%s-%d" % (self.runtime, recorder))
        variables = environment(self.runtime, recorder)
        path = program("programs/restless", self.runtime)
        seed = new_seed() if RANDOM_STOPS else SEED
        steps = "" if RANDOM_STOPS else STEPS
        draw = random.Random(seed)
        compared = 0
        with Restless(path, seed, variables, steps) as restless:
            for number in range(RANDOM_STOPS or HOLDS):
                if RANDOM_STOPS:
                    time.sleep(draw.random() * LONGEST_RUN)
                else:
                    restless.hold(draw.randint(1, MOST_STEPS))
                with self.subTest(seed=seed, stop=number):
                    without = ("leaks",) if number % LEAKS_EVERY else ()
                    with open_process(restless.pid) as session:
                        compared += compare(
                            session, restless.pid, recorder, restless.lasting, folder, without
                        )
        self.assertGreater(compared, 0, "all stops are marked")


class TestPocl(StopsCase):
    runtime = "pocl"


class TestRusticl(StopsCase):
    runtime = "rusticl"


class TestKilled(unittest.TestCase):
    """Whenever the command dies, no thread is left stopped."""

    def setUp(self) -> None:
        self.variables = environment("pocl")

    @contextlib.contextmanager
    def _held(self) -> Iterator[int]:
        """The program, held, with nothing in it that runs: its process."""
        with Restless(program("programs/restless"), SEED, self.variables, STEPS) as restless:
            restless.hold(MOST_STEPS)
            yield restless.pid

    def _runs_on(self, pid: int) -> None:
        """It is not stopped.  The end shows that it continues from where it was stopped."""
        self.assertEqual(tracers(pid), {"0"})
        self.assertFalse(states(pid) & set("tT"))

    def test_in_answer(self) -> None:
        """It is killed in the middle of its answer."""
        with self._held() as pid:
            words = ["--pid", str(pid), "memobjs", "--json"]
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
                with self.subTest(number=number):
                    with start_held_up(words, self.variables, 0) as command:
                        assert command.stdout is not None
                        self.assertEqual(command.stdout.read(1), b"{")
                        self.assertEqual(states(pid), {"t"})
                        command.send_signal(number)
                        self.assertEqual(command.wait(TIME_LIMIT), -number)
                    self._runs_on(pid)

    def test_in_stopping(self) -> None:
        """It is killed before one of its calls of ptrace."""
        draw = random.Random(SEED)
        with self._held() as pid:
            for count in draw.sample(range(1, MOST_CALLS), CALLS_KILLED):
                with self.subTest(count=count):
                    self._kill_before_call(pid, count)
                    self._runs_on(pid)

    def _kill_before_call(self, pid: int, count: int) -> None:
        """Have GDB run the command on process PID, and kill it before call COUNT of ptrace."""
        # Each call stops it twice.
        commands = ["catch syscall ptrace", "ignore 1 %d" % (2 * count - 2), "run", "kill"]
        libraries = os.path.join(BUILD, ".libs")
        words = [GDB, "-batch", "-nx", "-iex", "set debuginfod enabled off"]
        words += [word for command in commands for word in ("-ex", command)]
        words += ["--args", os.path.join(libraries, "ompd-opencl"), "--pid", str(pid), "leaks"]
        done = subprocess.run(
            words,
            env=dict(self.variables, LD_LIBRARY_PATH=libraries),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        self.assertRegex(done.stdout, r"Catchpoint 1 \(call to syscall ptrace\)")
        self.assertRegex(done.stdout, r"\[Inferior 1 \(process \d+\) killed\]")

    def test_at_random(self) -> None:
        """It is killed at any instant."""
        seed = new_seed()
        draw = random.Random(seed)
        numbers = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
        with Restless(program("programs/restless"), seed, self.variables) as restless:
            words = [COMMAND, "--pid", str(restless.pid), "leaks", "--json"]
            for number in range(RANDOM_STOPS // KILLED_EVERY):
                with subprocess.Popen(
                    words, env=self.variables, stdout=subprocess.DEVNULL
                ) as command:
                    time.sleep(draw.random() * LONGEST_LIFE)
                    command.send_signal(draw.choice(numbers))
                    command.wait()
                with self.subTest(seed=seed, death=number):
                    self._runs_on(restless.pid)


del StopsCase  # it is of no runtime
if not RANDOM_STOPS:
    del TestRusticl, TestKilled.test_at_random


if __name__ == "__main__":
    main()
