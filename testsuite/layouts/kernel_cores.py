# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many cores of the kernel, of a program with the recorder and of one without: each has every row
and every count if only memory that was never written is missing.

Which memory is missing depends on where the kernel maps it, and differs between cores.
"""

from __future__ import annotations

import os

from command import INCOMPLETE, OK
from comparing import assert_truth
from harness import main
from holes import (
    COUNTS,
    RUNTIME,
    UNSAVED,
    CoreCase,
    ask_core,
    die_recorded,
    die_unprepared,
)
from runtime_cases import assert_overview
from unprepared import PROGRAM, compare

# All that the kernel saves by default but private memory of no file.
WITHOUT_PRIVATE = "0x32"

CORES = 100


class TestMany(CoreCase):
    def test_recorded(self) -> None:
        """Every count is a fact; in every other core some memory was never written to."""
        untouched = 0
        for number in range(CORES):
            with self.subTest(number):
                dead = die_recorded(RUNTIME, self.folder, "untouched" if number % 2 else "")
                answers = ask_core(dead, "programs/truth-program", keeps_folder=True)
                self.codes(answers, OK)
                self.both_alike(answers)
                assert_truth(dead.truth, answers.session)
                assert_overview(dead.truth, answers.row())
                self.facts(answers.row())
                untouched += answers.row()["untouched_bytes"] != 0
        self.assertGreaterEqual(untouched, CORES // 2)
        print("memory that was never written to was missing in %d of %d" % (untouched, CORES))

    def test_unprepared(self) -> None:
        """Every count is a number: a bound where memory is missing, a fact where none is."""
        untouched = 0
        for number in range(CORES):
            with self.subTest(number):
                dead = die_unprepared(RUNTIME, self.folder, "untouched" if number % 2 else "")
                answers = ask_core(dead, PROGRAM, keeps_folder=True)
                self.codes(answers, OK)
                self.both_alike(answers)
                shown = {table: answer.objects() for table, answer in answers.lists.items()}
                compare(dead.truth, shown, RUNTIME)
                row = answers.row()
                self.assertEqual([row[count] for count in COUNTS if row[count] is None], [])
                if row["untouched_bytes"]:
                    self.bounds(row)
                    untouched += 1
                else:
                    self.assertNotIn("at_least", row)
        self.assertGreaterEqual(untouched, CORES // 2)
        print("memory that was never written to was missing in %d of %d" % (untouched, CORES))


class TestTaken(CoreCase):
    def test_excepted_recorded(self) -> None:
        """It took the heap: what the recorder counted is there, and there may be more."""
        dead = die_recorded(RUNTIME, self.folder, "cut-heap")
        answers = ask_core(dead, "programs/truth-program")
        self.assertEqual(answers.overview.code, INCOMPLETE)
        assert_overview(dead.truth, answers.row())
        self.bounds(answers.row())
        self.says(answers, UNSAVED, False)
        for answer in answers.texts.values():
            self.assertNotIn("more row", answer.output)

    def test_filter(self) -> None:
        """The core's filter left out all private memory."""
        dead = die_unprepared(RUNTIME, self.folder, "", WITHOUT_PRIVATE)
        answers = ask_core(dead, PROGRAM)
        self.codes(answers, INCOMPLETE)
        self.both_alike(answers)
        self.bounds(answers.row())
        self.says(answers, UNSAVED)

    def test_truncated(self) -> None:
        """The end of the file is missing, where the stack was."""
        dead = die_unprepared(RUNTIME, self.folder, "")
        os.truncate(dead.core, os.path.getsize(dead.core) - 100_000)
        answers = ask_core(dead, PROGRAM)
        self.codes(answers, INCOMPLETE)
        self.both_alike(answers)
        self.bounds(answers.row())
        self.says(answers, UNSAVED)
        self.assertEqual(answers.row()["contexts"], len(dead.truth["contexts"]))


del CoreCase  # it expects nothing by itself


if __name__ == "__main__":
    main()
