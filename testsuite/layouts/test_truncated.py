#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores of programs that nobody prepared, cut off at random places: what is shown of them is as the
whole core has it or says that it is not known, and what is missing is said to be.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from typing import List, Set

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "host"))
sys.path.insert(0, os.path.join(_HERE, "..", "gdb"))
from command import INCOMPLETE, OK, UNREADABLE, run  # noqa: E402
from core_editor import CoreEditor, Segment  # noqa: E402
from harness import LISTS, Row, main, work_folder  # noqa: E402
from test_kernel_core import skip_without_cores  # noqa: E402
from unprepared import (  # noqa: E402
    KEYS,
    Lists,
    ask_command,
    kernel_core,
    tool_environment,
)
from unprepared_cases import RuntimeCase  # noqa: E402

SEED = 20261121
CUTS = 12
HOLES = 8
HEAPS = 12  # segments in which objects may lie: they come first

FILE_SIZE = 32  # offset of p_filesz in a program header

# What may be judged otherwise with less to judge by.
JUDGEMENTS = {"schema", "unknown", "presumed", "confidence", "doubt"}


def is_marked(row: Row, key: str) -> bool:
    """Whether the row says that a value is not known or not proved."""
    return key in row.get("unknown", {}) or key in row.get("presumed", [])


class Truncated(RuntimeCase):
    core = ""

    def test_cuts(self) -> None:
        """A core of the kernel: a debugger's has what tells of modules at its end."""
        skip_without_cores(self)
        folder = work_folder("truncated-layout-" + self.runtime)
        self.core = kernel_core(["200", "second"], folder, self.variables)
        whole = ask_command(["--core", self.core], tool_environment())
        self.assertGreater(len(whole["memobjs"]), 100)
        codes = set()
        segments = [s for s in CoreEditor(self.core).segments if s.file_size]
        draw = random.Random(SEED)
        for segment in draw.sample(segments[:HEAPS], HOLES):
            self._save_of(segment, draw.randrange(segment.file_size))
            codes |= self._check_both(whole, segment.address)
            self._save_of(segment, segment.file_size)
        self.assertIn(INCOMPLETE, codes)
        for place in sorted((draw.randrange(os.path.getsize(self.core)) for _ in range(CUTS)))[
            ::-1
        ]:
            os.truncate(self.core, place)
            codes |= self._check_both(whole, place)
        self.assertIn(UNREADABLE, codes)
        shutil.rmtree(folder)

    def _save_of(self, segment: Segment, size: int) -> None:
        """Have the core say that so many bytes of a segment were saved."""
        with open(self.core, "r+b") as file:
            file.seek(segment.header + FILE_SIZE)
            file.write(size.to_bytes(8, "little"))

    def _check_both(self, whole: Lists, place: int) -> Set[int]:
        """The memory objects and another list."""
        tables = ("memobjs", LISTS[place % len(LISTS)])
        codes = set()
        for table in tables:
            with self.subTest(place=place, table=table):
                codes.add(self._check(whole, table))
        return codes

    def _check(self, whole: Lists, table: str) -> int:
        """One list; returns the exit code."""
        answer = run(["--core", self.core, table, "--json"], tool_environment())
        self.assertIn(answer.code, (OK, INCOMPLETE, UNREADABLE), answer.errors)
        if answer.code == UNREADABLE:
            self.assertTrue(answer.is_refusal(), answer.errors)
            self.assertNotIn("no OpenCL runtime", answer.errors)
            return answer.code
        key = KEYS.get(table, "handle")
        expected = {row[key]: row for row in whole[table]}
        shown = [row for row in answer.objects() if "unreadable" not in row]
        missing = [row for row in answer.objects() if "unreadable" in row]
        for row in shown:
            if row["confidence"] != "doubtful":
                self.assertIn(row[key], expected)
            if row[key] in expected:
                self._same(expected[row[key]], row)
        if not expected.keys() <= {row[key] for row in shown}:
            self.assertEqual(answer.code, INCOMPLETE)
            self.assertTrue(missing, "rows are missing, and nothing says so")
        return answer.code

    def _same(self, whole: Row, shown: Row) -> None:
        for name in whole.keys() | shown.keys():
            if name == "destructors" and not is_marked(shown, name):
                self._same_destructors(whole[name], shown)
            elif name not in JUDGEMENTS and not is_marked(shown, name):
                self.assertEqual(whole.get(name), shown.get(name), name)

    def _same_destructors(self, whole: List[Row], shown: Row) -> None:
        """Of a list that could not be followed to its end, what came before."""
        rows = shown.get("destructors") or []
        if not is_marked(shown, "destructor_count"):
            self.assertEqual(len(rows), len(whole))
        for one, other in zip(whole, rows):
            for key in ("function", "user_data"):
                if not is_marked(other, key):
                    self.assertEqual(one[key], other[key], key)


class TestPocl(Truncated):
    runtime = "pocl"


class TestOclgrind(Truncated):
    runtime = "oclgrind"


class TestRusticl(Truncated):
    runtime = "rusticl"


del Truncated, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
