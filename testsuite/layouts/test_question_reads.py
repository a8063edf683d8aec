#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much questions read with a tool that maps no memory.  Where the recorder has seen every
object, or the handle is known, memory is not searched."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Dict, NamedTuple

from harness import environment, main, program, work_folder
from unprepared import program_environment, tool_environment
from unprepared_cases import RuntimeCase

COUNT = 11  # buffers
OK, UNAVAILABLE = 0, 1  # ompd_rc_t
CERTAIN, PRESUMED = 1, 2  # ompd_cl_confidence_t
POINT_READS = 12  # reads that a question about one handle may cost
SEARCH = 100  # a search costs more reads
RECORDS = 24  # a list of so few records costs no more


class Answer(NamedTuple):
    """The cost of an answer."""

    code: int
    rows: int
    reads: int
    size: int  # bytes read
    confidence: int


class ReadCase(RuntimeCase):
    """Set `runtime` in a derived class."""

    def ask(self, variables: Dict[str, str]) -> Dict[str, Answer]:
        """Every question of a program of COUNT buffers with a callback each."""
        folder = work_folder("%s-%s" % (self.id(), self.runtime))
        truth = os.path.join(folder, "truth")
        with subprocess.Popen(
            [program("programs/many-buffers"), str(COUNT), "1", truth],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            try:
                assert process.stdout is not None
                self.assertEqual(process.stdout.readline(), "main\n")
                with open(truth, encoding="ascii") as file:
                    handle = hex(int(file.readline(), 16))
                done = subprocess.run(
                    [program("layouts/question-reads"), str(process.pid), handle],
                    env=tool_environment(),
                    stdout=subprocess.PIPE,
                    universal_newlines=True,
                    check=True,
                )
            finally:
                process.kill()
        shutil.rmtree(folder)
        print(self.runtime, done.stdout)
        lines = [line.split() for line in done.stdout.splitlines()]
        return {name: Answer(*map(int, numbers)) for name, *numbers in lines}

    def check_handle(self, answers: Dict[str, Answer], confidence: int) -> None:
        """Questions about one handle."""
        found = answers["find"]
        self.assertEqual((found.code, found.rows, found.confidence), (OK, 1, confidence))
        nothing = answers["find-nothing"]
        self.assertEqual((nothing.code, nothing.rows), (UNAVAILABLE, 0))
        callbacks = answers["callbacks"]
        self.assertEqual((callbacks.code, callbacks.rows), (OK, 1))
        for answer in (found, nothing, callbacks):
            self.assertLessEqual(answer.reads, POINT_READS)
            self.assertLessEqual(answer.size, POINT_READS * 4096)

    def test_recorded(self) -> None:
        answers = self.ask(environment(self.runtime))
        self.check_handle(answers, CERTAIN)
        for name, rows in (
            ("overview", COUNT),
            ("memobjs", COUNT),
            ("queues", 0),
            ("svm", 0),
            ("svm-frees", 0),
            ("waits", 0),
        ):
            self.assertEqual((answers[name].code, answers[name].rows), (OK, rows))
            self.assertLessEqual(answers[name].reads, RECORDS)
        # Findings compare the recorder's objects with those of the runtime.
        self.assertGreater(answers["check"].reads, SEARCH)

    def test_unprepared(self) -> None:
        answers = self.ask(program_environment(self.runtime))
        self.check_handle(answers, PRESUMED)
        # The list may also have copies of objects, which it doubts.
        self.assertEqual((answers["overview"].code, answers["overview"].rows), (OK, COUNT))
        self.assertGreaterEqual(answers["memobjs"].rows, COUNT)
        for name in ("overview", "memobjs"):
            self.assertGreater(answers[name].reads, SEARCH)


class TestPocl(ReadCase):
    runtime = "pocl"


class TestRusticl(ReadCase):
    runtime = "rusticl"


del ReadCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
