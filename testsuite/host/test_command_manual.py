#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manual page of the command has everything that its help has."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict, List

from command_help import help_of, options, summaries, verbs
from harness import SOURCE, main

PAGE = os.path.join(SOURCE, "doc", "ompd-opencl.1")


def sections() -> Dict[str, str]:
    """The manual page's sections, without roff's backslashes."""
    with open(PAGE, encoding="utf-8") as file:
        parts = re.split(r"(?m)^\.SH (.*)$", file.read().replace("\\-", "-"))
    return dict(zip(parts[1::2], parts[2::2]))


def entries(section: str) -> List[str]:
    """The first words of a section's entries."""
    return re.findall(r'^\.TP\n\.(?:B|BI|BR) "?([\w-]+)', sections()[section], re.MULTILINE)


def first_sentences() -> Dict[str, str]:
    """The first sentence of each verb's entry."""
    found = {}
    for entry in sections()["VERBS"].split("\n.TP\n")[1:]:
        head, text = entry.split("\n", maxsplit=1)
        words = re.sub(r"(?m)^\.[BI]+ ", "", text + "\n").split(".\n")[0]
        found[re.findall(r'^\.[BIR]+ "?([\w-]+)', head)[0]] = words.replace("\n", " ") + "."
    return found


class TestManual(unittest.TestCase):
    def test_verbs(self) -> None:
        self.assertGreater(len(verbs()), 10)
        self.assertEqual(sorted(entries("VERBS")), sorted(verbs()))

    def test_summaries(self) -> None:
        """Each verb begins with the sentence that its help has."""
        self.assertEqual(first_sentences(), summaries())

    def test_options(self) -> None:
        self.assertGreater(len(options()), 10)
        self.assertEqual(sorted(entries("OPTIONS")), sorted(options()))

    def test_exit_codes(self) -> None:
        part = help_of().split("Exit codes:", maxsplit=1)[1]
        codes = re.findall(r"^  (\d)  ", part, re.MULTILINE)
        self.assertEqual(codes, ["0", "1", "2", "3", "4", "5"])
        self.assertEqual(entries("EXIT STATUS"), codes)


if __name__ == "__main__":
    main()
