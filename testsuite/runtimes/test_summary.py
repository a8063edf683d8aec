#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The README's table of runtimes agrees with doc/runtimes.md."""

from __future__ import annotations

import unittest

from table import summarize, summary_shown


class TestSummary(unittest.TestCase):
    """`make runtimes-table` brings it up to date."""

    def test_summary(self) -> None:
        expected = summarize().splitlines()
        self.assertGreater(len(expected), 2)
        self.assertEqual(summary_shown().splitlines(), expected)


if __name__ == "__main__":
    unittest.main()
