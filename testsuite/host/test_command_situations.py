#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that doc/mistakes.md has the sentence that the command prints for each mistake.

situations.py runs all test programs; this script runs one of them.
"""

from __future__ import annotations

import unittest

from command import run
from harness import environment, main, program
import mistakes_page
import public_threads
from situation_cases import SITUATIONS, expected, said


class TestSituations(unittest.TestCase):
    def test_page(self) -> None:
        """`make mistakes-page` writes it."""
        with open(mistakes_page.PAGE, encoding="utf-8") as file:
            self.assertEqual(file.read(), mistakes_page.text())

    def test_threads(self) -> None:
        """Each public report has a case of its own, or a reason for having none."""
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
        """`run` reports what is left, and nothing for the correct version of the program."""
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
