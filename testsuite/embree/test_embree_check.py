#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`check` reports each mistake in the use of Embree, in a process without OpenCL and in its core,
and nothing for the correct version of the program."""

from __future__ import annotations

import os
import unittest
from typing import List

from command import FINDINGS, INCOMPLETE, OK, Answer, run
from embree import embree_core, embree_environment, embree_started, library
from embree_mistakes import MISTAKES, EmbreeMistake, Truth, expected, said
from harness import SOURCE, main, read_truth, some, work_folder

SOME = "No findings in what could be checked"
UNKNOWN = "The process may use OpenCL, too: some of its modules could not be read."

# This program builds until it is stopped, perhaps in its memory monitor, and then check says this.
BUILDS = "building"
IN_MONITOR = "Note: LWP N is in memory monitor count_moment "

# Correct programs with all kinds of objects.
CORRECT = ("devices", "leaks", "subdivision", "dynamic", "qualities", "bvh", BUILDS)


def ask(target: List[str], *words: str) -> Answer:
    """The command's answer about a target."""
    layouts = os.path.join(SOURCE, "layouts")
    return run([*target, *words], dict(embree_environment(), OMPD_OPENCL_LAYOUT_PATH=layouts))


class CheckCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)

    def compare(self, mistake: EmbreeMistake, truth: Truth, target: List[str]) -> None:
        """All that `check` says is the mistake.  The libraries of PyPI's package have no build-id,
        so that a core lacks those beside Embree, any of which may be a runtime of OpenCL."""
        is_partial = self.name == "embreex" and target[0] == "--core"
        (row, *_) = ask(target, "check", "--json").objects()
        self.assertEqual(row["rule"], mistake.rule)
        self.assertEqual(row["confidence"], "certain" if mistake.is_certain else "presumed")
        wanted = expected(mistake, truth, row)
        if mistake.scenario == "mistake-shared-size":
            end = int(row["address"], 16) + row["size"]
            self.assertEqual(end, int(truth["address"], 16) + 3 * 400 * 12)
        code = FINDINGS if mistake.clause else OK
        if is_partial:
            wanted = [line.replace("No findings", SOME) for line in wanted] + [UNKNOWN]
            code = code or INCOMPLETE
        for words in (["check"], ["embree", "check"]):
            answer = ask(target, *words)
            self.assertEqual((said(answer.output), answer.code), (wanted, code), answer)

    def test_mistakes(self) -> None:
        for mistake in MISTAKES:
            folder = work_folder("%s-%s" % (self.name, mistake.scenario))
            with self.subTest(mistake.scenario), embree_started(
                folder, mistake.scenario, self.library
            ) as process:
                process.await_stop("main")
                self.compare(mistake, read_truth(folder, "main"), ["--pid", str(process.pid)])

    def test_cores(self) -> None:
        for mistake in some(MISTAKES, 3):
            folder = work_folder("%s-core-%s" % (self.name, mistake.scenario))
            with self.subTest(mistake.scenario):
                core = embree_core(folder, mistake.scenario, self.library)
                self.compare(mistake, read_truth(folder, "main"), ["--core", core])

    def test_correct(self) -> None:
        twins = [row.scenario.replace("mistake", "correct") for row in MISTAKES if row.clause]
        for scenario in [*twins, "correct-error-unread", "correct-device-released", *CORRECT]:
            folder = work_folder("%s-%s" % (self.name, scenario))
            with self.subTest(scenario), embree_started(folder, scenario, self.library) as process:
                process.await_stop(BUILDS if scenario == BUILDS else "main")
                answer = ask(["--pid", str(process.pid)], "check")
                lines = said(answer.output)
                if scenario == BUILDS:
                    lines = [line for line in lines if not line.startswith(IN_MONITOR)]
                self.assertEqual((lines, answer.code), (["No findings."], OK))


class TestEmbree3(CheckCase):
    name = "embree3"


class TestEmbree4(CheckCase):
    name = "embree4"


class TestEmbreex(CheckCase):
    name = "embreex"


del CheckCase  # it is of no library


if __name__ == "__main__":
    main()
