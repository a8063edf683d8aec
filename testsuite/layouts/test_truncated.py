#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores without the recorder, truncated at random places: what is shown is as in the complete core
or marked as unknown, and missing parts are reported."""

from __future__ import annotations

import os
import random
import shutil
from typing import List, Set

from command import INCOMPLETE, OK, UNREADABLE, run
from core_editor import CoreEditor, Segment, keeping, kept_cores
from harness import LISTS, THOROUGH, Row, main, thorough, work_folder
from kernel_core import skip_without_cores
from unprepared import (
    KEYS,
    Lists,
    ask_command,
    is_of_missing,
    kernel_core,
    tool_environment,
)
from unprepared_cases import RuntimeCase

SEED = 20261121
CUTS = 12 if THOROUGH else 6
HOLES = 8 if THOROUGH else 4
HEAPS = 12  # segments in which objects may lie: they come first

FILE_SIZE = 32  # offset of p_filesz in a program header

PAGE_SIZE = 4096

# Lists in a row: the field that counts their rows, and what is known of each of these.
PARTS = {
    "destructors": ("destructor_count", ("function", "user_data")),
    "pointers": ("pointer_count", ("pointer",)),
}

# What names a function.
NAMES = {"symbol", "file", "line", "module", "module_offset"}

# What may be judged otherwise with less to judge by.
JUDGEMENTS = {"schema", "unknown", "presumed", "at_least", "confidence", "doubt"}


def is_marked(row: Row, key: str) -> bool:
    """Whether the row says that a value is not known or not proved.  The number of a field that is
    a list of names stands beside it, and has its mark."""
    key = key[: -len("_value")] if key.endswith("_value") else key
    return key in row.get("unknown", {}) or key in row.get("presumed", [])


class Truncated(RuntimeCase):
    core = ""

    def test_cuts(self) -> None:
        """A core of the kernel, because one of a debugger has its modules at the end."""
        skip_without_cores(self)
        folder = work_folder("truncated-layout-" + self.runtime)
        self.core = kernel_core(["200", "second"], folder, self.variables)
        whole = ask_command(["--core", self.core], tool_environment())
        self.assertGreater(len(whole["memobjs"]), 100)
        codes = set()
        segments = [s for s in CoreEditor(self.core).segments if s.file_size]
        draw = random.Random(SEED)
        for segment in draw.sample(segments[:HEAPS], HOLES):
            size = draw.randrange(segment.file_size)
            self._save_of(segment, size)
            cut = "%d bytes of %#x" % (size, segment.address)
            codes |= self._check_both(whole, cut, LISTS[size % len(LISTS)])
            self._save_of(segment, segment.file_size)
        self.assertIn(INCOMPLETE, codes)
        places = [draw.randrange(os.path.getsize(self.core)) for _ in range(CUTS)]
        for place in sorted(places, reverse=True):
            os.truncate(self.core, place)
            codes |= self._check_both(whole, "%d bytes" % place, LISTS[place % len(LISTS)])
        self.assertIn(UNREADABLE, codes)
        os.unlink(self.core)
        if not kept_cores(self.core):
            shutil.rmtree(folder)

    def _save_of(self, segment: Segment, size: int) -> None:
        """Have the core say that so many bytes of a segment were saved."""
        with open(self.core, "r+b") as file:
            file.seek(segment.header + FILE_SIZE)
            file.write(size.to_bytes(8, "little"))

    def _check_both(self, whole: Lists, cut: str, other: str) -> Set[int]:
        """The memory objects and another list of what CUT has left."""
        codes = set()
        for table in ("memobjs", other):
            with self.subTest(cut=cut, table=table), keeping(self.core):
                codes.add(self._check(whole, table))
        return codes

    def _check(self, whole: Lists, table: str) -> int:
        """One list; returns the exit code."""
        answer = run(["--core", self.core, table, "--json"], tool_environment())
        self.assertIn(answer.code, (OK, INCOMPLETE, UNREADABLE), answer.errors)
        if answer.code == UNREADABLE:
            self.assertTrue(answer.is_refusal(), answer.errors)
            self.assertNotIn("no OpenCL runtime", answer.errors)
            self.assertNotIn("the tool", answer.errors)  # that would be the command itself
            return answer.code
        key = KEYS.get(table, "handle")
        expected = {row[key]: row for row in whole[table]}
        shown = [row for row in answer.objects() if not is_of_missing(row)]
        missing = [row for row in answer.objects() if is_of_missing(row)]
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
        for name in (whole.keys() | shown.keys()) - JUDGEMENTS - NAMES:
            if is_marked(shown, name):
                continue
            if name in PARTS:
                self._same_parts(name, whole[name], shown)
            else:
                self.assertEqual(whole.get(name), shown.get(name), name)
        self._same_name(whole, shown)

    def _same_parts(self, name: str, whole: List[Row], shown: Row) -> None:
        """Of a list that could not be followed to its end, what came before."""
        count, keys = PARTS[name]
        rows = shown.get(name) or []
        if not is_marked(shown, count):
            self.assertEqual(len(rows), len(whole), name)
        for one, other in zip(whole, rows):
            for key in keys:
                if not is_marked(other, key):
                    self.assertEqual(one[key], other[key], key)

    def _same_name(self, whole: Row, shown: Row) -> None:
        """Code has its name by the headers that its module has in memory; without them, it has its
        place in the module's file."""
        if "module" in shown and "module" not in whole:
            self.assertNotIn("symbol", shown)
            base = int(shown["function"], 16) - int(shown["module_offset"], 16)
            self.assertEqual(base % PAGE_SIZE, 0)
        else:
            for name in NAMES:
                self.assertEqual(whole.get(name), shown.get(name), name)


class TestPocl(Truncated):
    runtime = "pocl"


@thorough
class TestOclgrind(Truncated):
    runtime = "oclgrind"


class TestRusticl(Truncated):
    runtime = "rusticl"


del Truncated, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
