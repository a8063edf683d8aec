#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with few objects: no other object shows what is typical, and some are created on the
stack and then moved."""

from __future__ import annotations

import shutil
from typing import Dict, Sequence

from command import INCOMPLETE, OK, run
from doubtful import excess
from harness import main, thorough, work_folder
from unprepared import started_few, tool_environment
from unprepared_cases import RuntimeCase, with_jemalloc

COUNTS = {"context": "contexts", "queue": "queues", "buffer": "memory_objects"}
VERBS = {"context": "contexts", "queue": "queues", "buffer": "memobjs"}


class Few(RuntimeCase):
    def test_few(self) -> None:
        for words in (["context"], ["context", "queue"], ["context", "buffer"]):
            self.check_counts(words, {})

    def test_jemalloc(self) -> None:
        self.check_counts(["context", "queue"], with_jemalloc())

    def check_counts(self, words: Sequence[str], variables: Dict[str, str]) -> None:
        """Each object counts once, and of the rows one is not known for a copy."""
        folder = work_folder("few-" + self.runtime)
        with started_few(words, folder, dict(self.variables, **variables)) as process:
            target = ["--pid", str(process.pid)]
            overview = run([*target, "overview", "--json"], tool_environment())
            lists = [run([*target, VERBS[word], "--json"], tool_environment()) for word in words]
        self.assertEqual(overview.code, OK if self.tells_svm() else INCOMPLETE, overview.output)
        counts = overview.objects()[0]
        for word, key in COUNTS.items():
            self.assertEqual(counts[key], words.count(word), overview.output)
            self.assertNotIn(key, counts.get("at_least", []))
        for answer in lists:
            self.assertEqual(answer.code, OK, answer.output)
            sure = [row for row in answer.objects() if row["confidence"] != "doubtful"]
            self.assertLessEqual(len(sure), 1, answer.output)
            self.assertEqual(excess("objects", answer.objects()), [])
            self.assertNotEqual(answer.objects(), [])
        shutil.rmtree(folder)


class TestPocl(Few):
    runtime = "pocl"


class TestOclgrind(Few):
    runtime = "oclgrind"


@thorough
class TestRusticl(Few):
    runtime = "rusticl"


del Few, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
