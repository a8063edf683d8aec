#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stop programs while Embree builds on two threads: nothing is wrong that is not marked as
presumed, unknown or a lower bound.

The program stops in a call of its memory monitor, or is stopped at $OMPD_OPENCL_STOPS random
instants with each library; the seed is printed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
import unittest
from typing import Any, Dict, List, Tuple

from command import INCOMPLETE, OK, run
from embree import embree_started, library, tool_variables
from embree_comparing import LISTS, Lists
from embree_moments import contradictions, read_moment
from harness import Row, main, work_folder
from ompd_opencl.host import open_process
from unprepared import Process

# At random instants; 0: in fixed calls of the monitor.
RANDOM_STOPS = int(os.environ.get("OMPD_OPENCL_STOPS", "0"))
LONGEST_RUN = 0.05  # seconds between two stops

# Calls of the monitor in two builds, negative ones of those that report freed memory, and calls in
# builds beside a thread that makes and releases objects.
CALLS_OF_BUILD = (1, 2, 3, 5, 8, 12, -1, -2, -8, -16)
CALLS_BESIDE = (10, 1_000, 20_000, 50_000)


def rows_of(text: str) -> Tuple[List[Row], bool]:
    """The rows of JSON Lines, and whether nothing is said to be missing."""
    rows = [json.loads(line) for line in text.splitlines()]
    objects = [row for row in rows if "unreadable" not in row]
    return objects, len(objects) == len(rows)


class BuildsCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)
        self.folder = work_folder(self.id())

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def test_in_monitor(self) -> None:
        """A thread is in the monitor that a build calls, and the others run on."""
        for call in CALLS_OF_BUILD:
            with self.subTest(call):
                words = ["-at", str(call), self.library]
                with embree_started(self.folder, "in-monitor", *words) as process:
                    truth = process.wait_for("main")
                    device, scene = self.compare_held(process, truth)
                    self.assertEqual(scene["build"], "building")
                    self.assertEqual(scene["builder_lwp"], process.pid)
                    self.assertEqual(device["build"], "building")
                    self.assertIn("bytes", device["at_least"])
                    process.go_on()
                    process.wait_for("end")

    def test_beside(self) -> None:
        """Another thread makes and releases objects meanwhile."""
        for call in CALLS_BESIDE:
            with self.subTest(call):
                words = ["-at", str(call), self.library]
                with embree_started(self.folder, "building", *words) as process:
                    truth = process.wait_for("building")
                    process.await_stop("main")
                    self.compare_held(process, truth)
                    process.go_on()
                    process.go_on()

    def compare_held(self, process: Process, truth: Dict[str, Any]) -> Tuple[Row, Row]:
        """Compare with all threads stopped; returns the lasting device and scene."""
        os.kill(process.pid, signal.SIGSTOP)
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status), status)
        lists: Lists = {}
        is_complete = True
        for table, verb in LISTS.items():
            answer = run(["--pid", str(process.pid), verb, "--json"], tool_variables())
            self.assertIn(answer.code, (OK, INCOMPLETE), answer.errors)
            lists[table], has_all = rows_of(answer.output)
            is_complete &= has_all and answer.code == OK
        self.check(process, truth, lists, is_complete)
        os.kill(process.pid, signal.SIGCONT)
        self.assertEqual(len(lists["devices"]), 1)
        handle = truth["scenes"][0]["handle"]
        [scene] = [row for row in lists["scenes"] if row["handle"] == handle]
        return lists["devices"][0], scene

    def check(
        self, process: Process, truth: Dict[str, Any], lists: Lists, is_complete: bool
    ) -> None:
        """Nothing contradicts what the program has in its file at this moment."""
        moment = read_moment(process.folder)
        found = contradictions(truth, moment, process.pid, lists, is_complete)
        self.assertEqual(found, [], moment)

    def test_at_random(self) -> None:
        """At any instant; most lists are complete."""
        seed = random.randrange(1 << 30)
        print("seed %d" % seed, flush=True)
        draw = random.Random(seed)
        complete = building = 0
        with embree_started(self.folder, "building", self.library) as process:
            truth = process.wait_for("building")
            for number in range(RANDOM_STOPS):
                time.sleep(draw.random() * LONGEST_RUN)
                with self.subTest(seed=seed, stop=number):
                    with open_process(process.pid) as session:
                        answers = {
                            table: rows_of(session.run(verb, "-json"))
                            for table, verb in LISTS.items()
                        }
                        lists = {table: rows for table, (rows, _) in answers.items()}
                        is_complete = all(has_all for _, has_all in answers.values())
                        self.check(process, truth, lists, is_complete)
                        complete += is_complete
                        building += lists["devices"][0].get("build") == "building"
            process.go_on()
            process.wait_for("end")
        print("%d of %d stops had complete lists" % (complete, RANDOM_STOPS))
        self.assertGreater(complete, RANDOM_STOPS // 2)
        self.assertGreater(building, RANDOM_STOPS // 10)


class TestEmbree3(BuildsCase):
    name = "embree3"


class TestEmbree4(BuildsCase):
    name = "embree4"


class TestEmbreex(BuildsCase):
    name = "embreex"


if RANDOM_STOPS:
    del BuildsCase.test_in_monitor, BuildsCase.test_beside
else:
    del BuildsCase.test_at_random
del BuildsCase  # it is of no library


if __name__ == "__main__":
    main()
