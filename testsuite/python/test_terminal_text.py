#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines that fit on a terminal, by what characters take there."""

from __future__ import annotations

import unittest

from harness import main
from ompd_opencl.terminal_text import columns, fit, wrap


class TestTerminalText(unittest.TestCase):
    def test_columns(self) -> None:
        self.assertEqual(columns("abc"), 3)
        self.assertEqual(columns("\u6f22\u5b57 \u00e9"), 6)
        self.assertEqual(columns("e\u0301"), 1)

    def test_wrap(self) -> None:
        self.assertEqual(wrap("one two three", 7, "  "), ["one two", "  three"])
        self.assertEqual(wrap("size 4 KiB (3 parts)", 8), ["size", "4 KiB", "(3 parts", ")"])
        self.assertEqual(wrap("\u6f22\u5b57 \u6f22\u5b57", 8), ["\u6f22\u5b57", "\u6f22\u5b57"])
        self.assertEqual(wrap("/a/long/path", 5, "  "), ["/a/lo", "  ng/", "  pat", "  h"])
        self.assertEqual(wrap("abc", 1, "  "), ["ab", "c"])
        self.assertEqual(wrap("", 10), [""])

    def test_fit(self) -> None:
        self.assertEqual(fit("no such thing here", 0, "error: "), "no such thing here")
        text = fit("no such thing here", 16, "error: ")
        self.assertEqual(text, "no such\n    thing here")


if __name__ == "__main__":
    main()
