#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The users' guide names each mistake of the tests' programs with the command and the sentence that
names its cause; the command says that sentence of a few of them.  All are in situations.py."""

from __future__ import annotations

import os
import unittest

from harness import SOURCE, environment, main, program
from command import run
from situation_cases import SITUATIONS, expected, guide_rows, said

GUIDE = os.path.join(SOURCE, "doc", "guide-users.md")


class TestSituations(unittest.TestCase):
    def test_guide(self) -> None:
        with open(GUIDE, encoding="utf-8") as file:
            lines = file.read().splitlines()
        heading = lines.index("| Mistake | Command | What it says |")
        table = lines[heading + 2 :]
        self.assertEqual(table[: table.index("")], guide_rows())

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
