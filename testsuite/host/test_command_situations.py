#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents have the command and the sentence for each mistake of the test programs and for
each public report.  The command prints some of these sentences; situations.py checks all of
them."""

from __future__ import annotations

import os
import unittest

from harness import SOURCE, environment, main, program
from command import run
import public_threads
from situation_cases import SITUATIONS, expected, guide_rows, said

GUIDE = os.path.join(SOURCE, "doc", "guide-users.md")


class TestSituations(unittest.TestCase):
    def test_guide(self) -> None:
        with open(GUIDE, encoding="utf-8") as file:
            lines = file.read().splitlines()
        tables = {
            "| Mistake | Command | What it says |": guide_rows(),
            "| Report | What happens | Command | What it says |": public_threads.guide_rows(),
        }
        for heading, rows in tables.items():
            with self.subTest(heading=heading):
                table = lines[lines.index(heading) + 2 :]
                self.assertEqual(table[: table.index("")], rows)

    def test_threads(self) -> None:
        """Each public report has a case, or a reason that it has none; and no two have one."""
        threads = public_threads.THREADS
        self.assertEqual(len({thread.where for thread in threads}), public_threads.COUNT)
        for thread in threads:
            with self.subTest(thread=thread.where):
                self.assertNotEqual(bool(thread.case), bool(thread.reason))
                if thread.case:
                    public_threads.situation_of(thread)
        cases = [thread.case for thread in threads if thread.case]
        self.assertEqual(len(cases), len(set(cases)))
        self.assertGreaterEqual(len(cases), public_threads.LEAST)

    def test_run(self) -> None:
        """What is left, by the call that made it; nothing of the same program done rightly."""
        (situation,) = [row for row in SITUATIONS if row.case == "event"]
        variables = environment(situation.runtime)
        for how in ("wrong", "right"):
            with self.subTest(how=how):
                words = ["run", program("programs/forget"), situation.case, how]
                answer = run(words, variables)
                wanted = expected(situation, how, {}, True)
                self.assertEqual((answer.code, said(situation, answer.errors)), wanted)


if __name__ == "__main__":
    main()
