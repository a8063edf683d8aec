#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores truncated at random places: each row is that of the complete core or marks what is unknown,
and missing rows are counted."""

from __future__ import annotations

import os
import random
from typing import Any, Dict, List, Set, Tuple

from command import INCOMPLETE, KEYS, OK, UNREADABLE, Answer, is_error, run, write_core
from command_rows import Rows, RowsCase, ask_all
from core_editor import CoreEditor, Segment, keeping
from harness import environment, main, some, work_folder
from test_command_triage import abort_at, require_cores

SEED = 20261121

# How often each core is cut: at half of the places anywhere, else in a segment that is drawn first.
# `make check` tries every second.
DEBUGGERS_CUTS = 20
KERNELS_CUTS = 80
HOLES = 20  # segments, each of which is left out, and saved in part

FILE_SIZE = 32  # offset of p_filesz in a program header
PROGRAM = "programs/truth-program"


class TruncatedCase(RowsCase):
    """How the answers to a core that was cut are compared with those to the whole one."""

    folder = ""
    core = ""
    variables: Dict[str, str] = {}
    whole: Rows = {}

    def setUp(self) -> None:
        self.codes: Set[int] = set()  # exit codes that the cuts led to

    @classmethod
    def ask(cls, *words: str) -> Answer:
        """Ask the command about the core as it is."""
        return run(["--core", cls.core, *words], cls.variables)

    def check_code(self, answer: Answer) -> None:
        """There is an answer, or a sentence why not, and no claim about unknown facts."""
        self.assertIn(answer.code, (OK, UNREADABLE, INCOMPLETE))
        self.codes.add(answer.code)
        if answer.code == UNREADABLE:
            self.assertTrue(is_error(answer.errors), answer.errors)
            self.assertNotIn("no OpenCL", answer.errors)
        else:
            self.assertEqual(answer.errors, "")

    def check_rows(self, verb: str) -> int:
        """One list of the cut core as JSON and as a table; returns how many rows were shown."""
        answer = self.ask(verb, "--json")
        self.check_code(answer)
        missing = 0
        shown: Set[Any] = set()
        is_marked = False
        for row in answer.objects():
            is_marked = is_marked or bool(row.get("unknown"))
            if "unreadable" in row:
                missing += max(row["unreadable"], 1)
                continue
            key = tuple(row.get(name) for name in KEYS[verb])
            if None in key:
                self.assertIn("unknown", row)
                missing += 1
                continue
            self.assertIn(key, self.whole[verb])
            self.assertNotIn(key, shown, "a row that is shown twice")
            shown.add(key)
            self.same_or_marked("%s %s" % (verb, key), self.whole[verb][key], row)
        if answer.code == OK:
            self.assertEqual((shown, missing), (set(self.whole[verb]), 0))
        elif answer.code == INCOMPLETE:
            self.assertTrue(missing > 0 or is_marked or shown == set(self.whole[verb]))
        if answer.code != UNREADABLE and len(shown) < len(self.whole[verb]):
            self.assertGreater(missing, 0, "rows are missing, and nothing says so")
        self.check_table(verb, answer, len(shown))
        return len(shown)

    def check_table(self, verb: str, json: Answer, count: int) -> None:
        """The table says where JSON counts.  It has not all that JSON has: that may be whole."""
        table = self.ask(verb)
        self.assertIn(table.code, (OK, json.code))
        self.assertEqual(table.errors, json.errors)
        counts = any("unreadable" in row for row in json.objects())
        self.assertEqual(table.says_missing(), counts, table.output)
        if counts:
            self.assertEqual(table.code, json.code)
        if count == 0 and table.code != UNREADABLE:
            self.assertTrue(counts)

    def places(self, count: int) -> List[int]:
        """Where to cut, from the end to the start."""
        draw = random.Random(SEED)
        size = os.path.getsize(self.core)
        segments = [segment for segment in CoreEditor(self.core).segments if segment.file_size]
        result = [draw.randrange(size) for _ in range(count // 2)]
        for _ in range(count - count // 2):
            segment = draw.choice(segments)
            result.append(segment.offset + draw.randrange(segment.file_size))
        return sorted(result, reverse=True)

    def check_cuts(self, count: int) -> Tuple[int, int]:
        """Cut the core shorter and shorter; returns how many rows were shown, and of how many cores
        there was no overview."""
        type(self).whole = ask_all(["--core", self.core], self.variables)
        verbs = list(KEYS)
        shown = 0
        refused = 0
        for number, place in enumerate(some(self.places(count), count // 2)):
            os.truncate(self.core, place)
            with self.subTest(place=place), keeping(self.core):
                for verb in ("memobjs", verbs[number % len(verbs)]):
                    shown += self.check_rows(verb)
                overview = self.ask("overview")
                self.check_code(overview)
                refused += overview.code == UNREADABLE
        return shown, refused


class TestDebuggersCore(TruncatedCase):
    """GDB writes the notes about threads and files after the memory."""

    def test_cuts(self) -> None:
        type(self).variables = environment("icd")
        type(self).folder = work_folder("command-truncated")
        type(self).core = os.path.join(self.folder, "core")
        write_core(PROGRAM, [self.folder], self.core, self.variables)
        _shown, refused = self.check_cuts(DEBUGGERS_CUTS)
        self.assertGreater(refused, 0)
        os.unlink(self.core)


class TestKernelsCore(TruncatedCase):
    """The kernel writes the notes first, and leaves out the pages of files."""

    def test_cuts(self) -> None:
        require_cores()
        type(self).variables = environment("icd")
        type(self).folder = os.path.join(work_folder("command-truncated-kernel"), "main")
        type(self).core = abort_at("main", self.folder, self.variables)
        shown, refused = self.check_cuts(KERNELS_CUTS)
        self.assertGreater(shown, 100)
        self.assertGreater(refused, 0)
        os.unlink(self.core)


class TestHoles(TruncatedCase):
    """A core of which the end of one segment was not saved, and all that lies behind it was."""

    def test_holes(self) -> None:
        type(self).variables = environment("icd")
        type(self).folder = work_folder("command-truncated-holes")
        type(self).core = os.path.join(self.folder, "core")
        write_core(PROGRAM, [self.folder], self.core, self.variables)
        type(self).whole = ask_all(["--core", self.core], self.variables)
        draw = random.Random(SEED)
        segments = [segment for segment in CoreEditor(self.core).segments if segment.file_size]
        for segment in draw.sample(segments, HOLES):
            for size in (0, draw.randrange(segment.file_size)):
                self.save_of(segment, size)
                where = hex(segment.address)
                with self.subTest(address=where, size=size), keeping(self.core):
                    for verb in some(draw.sample(list(KEYS), 3), 2):
                        self.check_rows(verb)
                self.save_of(segment, segment.file_size)
        self.assertEqual(self.codes, {OK, UNREADABLE, INCOMPLETE})
        os.unlink(self.core)

    def save_of(self, segment: Segment, size: int) -> None:
        """Have the core say that so many bytes of a segment were saved."""
        with open(self.core, "r+b") as file:
            file.seek(segment.header + FILE_SIZE)
            file.write(size.to_bytes(8, "little"))


if __name__ == "__main__":
    main()
