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
from typing import Any, List

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "host"))
sys.path.insert(0, os.path.join(_HERE, "..", "gdb"))
from command import INCOMPLETE, OK, UNREADABLE, run  # noqa: E402
from core_editor import CoreEditor  # noqa: E402
from harness import LISTS, Row, main, work_folder  # noqa: E402
from test_kernel_core import skip_without_cores  # noqa: E402
from unprepared import (  # noqa: E402
    KEYS,
    MAPS_FILES,
    Lists,
    ask_command,
    kernel_core,
    tool_environment,
)
from unprepared_cases import RuntimeCase  # noqa: E402

SEED = 20261121
CUTS = 20

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
        misses = self.runtime in MAPS_FILES
        whole = ask_command(["--core", self.core], tool_environment(), misses)
        self.assertGreater(len(whole["memobjs"]), 100)
        codes = set()
        for number, place in enumerate(self._places()):
            os.truncate(self.core, place)
            for table in ("memobjs", LISTS[number % len(LISTS)]):
                with self.subTest(place=place, table=table):
                    codes.add(self._check(whole, table))
        self.assertIn(INCOMPLETE, codes)
        shutil.rmtree(folder)

    def _places(self) -> List[int]:
        """Where to cut, from the end to the start: half of them in memory that is written to, in
        which the objects lie."""
        draw = random.Random(SEED)
        size = os.path.getsize(self.core)
        segments = [segment for segment in CoreEditor(self.core).segments if segment.file_size]
        low = min(segments, key=lambda segment: segment.address)
        heap = segments[segments.index(low) : segments.index(low) + 8]
        result = [draw.randrange(size) for _ in range(CUTS // 2)]
        for _ in range(CUTS - CUTS // 2):
            segment = draw.choice(heap)
            result.append(segment.offset + draw.randrange(segment.file_size))
        return sorted(result, reverse=True)

    def _check(self, whole: Lists, table: str) -> int:
        """One list; returns the exit code."""
        answer = run(["--core", self.core, table, "--json"], tool_environment())
        self.assertIn(answer.code, (OK, INCOMPLETE, UNREADABLE), answer.errors)
        if answer.code == UNREADABLE:
            self.assertTrue(answer.is_refusal(), answer.errors)
            self.assertNotIn("no OpenCL", answer.errors)
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
            if name in JUDGEMENTS or is_marked(shown, name):
                continue
            self._same_value(name, whole.get(name), shown.get(name))

    def _same_value(self, name: str, whole: Any, shown: Any) -> None:
        if isinstance(whole, list) and isinstance(shown, list) and name == "destructors":
            self.assertEqual(len(whole), len(shown))
            for one, other in zip(whole, shown):
                for key in ("function", "user_data"):
                    self.assertEqual(one[key], other[key])
        else:
            self.assertEqual(whole, shown, name)


class TestPocl(Truncated):
    runtime = "pocl"


class TestOclgrind(Truncated):
    runtime = "oclgrind"


class TestRusticl(Truncated):
    runtime = "rusticl"


del Truncated, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
