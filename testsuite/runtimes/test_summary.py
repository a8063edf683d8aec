#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that the summary in doc/runtimes.md agrees with the table below it."""

from __future__ import annotations

import unittest

from table import summarize, summary_shown


class TestSummary(unittest.TestCase):
    """`make runtimes-table` updates it."""

    def test_summary(self) -> None:
        expected = summarize().splitlines()
        self.assertGreater(len(expected), 2)
        self.assertEqual(summary_shown().splitlines(), expected)


if __name__ == "__main__":
    unittest.main()
