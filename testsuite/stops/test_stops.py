#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops the program `restless` at random instants: no list contradicts another at any of them.  The
command is killed at others: the program runs on.

The number of stops of each case is that of $OMPD_OPENCL_STOPS; without it there are as many as
take little time, on PoCL alone.  What a stop has contradicted is saved beside the sentence, as a
look that the command opens.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
import unittest

from command import COMMAND
from harness import environment, main, program, work_folder
from ompd_opencl.host import open_process
from process_states import states, tracers
from restless import LONGEST_RUN, Restless, compare

STOPS = int(os.environ.get("OMPD_OPENCL_STOPS", "50"))

# Of so many stops one is asked for leaks, which take as long as all else together.
LEAKS_EVERY = 10

# For so many stops the command is killed once, at most so many seconds after its start.
KILLED_EVERY = 5
LONGEST_LIFE = 0.3


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
        seed = random.randrange(1 << 30)
        variables = environment(self.runtime, recorder)
        folder = work_folder("stops-%s-%d" % (self.runtime, recorder))
        path = program("programs/restless", self.runtime)
        compared = 0
        with Restless(path, seed, variables) as restless:
            for number in range(STOPS):
                time.sleep(random.random() * LONGEST_RUN)
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
    def test_killed(self) -> None:
        """Whenever the command dies, no thread is left stopped."""
        variables = environment("pocl")
        seed = random.randrange(1 << 30)
        with Restless(program("programs/restless"), seed, variables) as restless:
            words = [COMMAND, "--pid", str(restless.pid), "leaks", "--json"]
            for number in range(STOPS // KILLED_EVERY):
                with subprocess.Popen(words, env=variables, stdout=subprocess.DEVNULL) as command:
                    time.sleep(random.random() * LONGEST_LIFE)
                    command.send_signal(
                        random.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
                    )
                    command.wait()
                with self.subTest(seed=seed, death=number):
                    self.assertEqual(tracers(restless.pid), {"0"})
                    self.assertFalse(states(restless.pid) & set("tT"))


del StopsCase  # it is of no runtime
if "OMPD_OPENCL_STOPS" not in os.environ:
    del TestRusticl


if __name__ == "__main__":
    main()
