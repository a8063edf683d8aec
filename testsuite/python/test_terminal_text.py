#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines fit a terminal by the width of their characters; colours are readable."""

from __future__ import annotations

import os
import re
import unittest

from harness import SOURCE, main
from ompd_opencl.colours import DEFAULTS, NONE, colour_sequence
from ompd_opencl.terminal_text import columns, fit, wrap

# The colours of xterm that are used, and what they are told by.
XTERM = {35: (0xCD, 0x00, 0xCD), 94: (0x5C, 0x5C, 0xFF)}
LEAST = 4.0  # of contrast, that of text as WCAG 2.1 measures it


def _luminance(colour: "tuple[int, int, int]") -> float:
    parts = [part / 255 for part in colour]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


class TestColours(unittest.TestCase):
    def test_contrast(self) -> None:
        """They can be read on black and on white, and the command has the same."""
        used = {colour_sequence(look.foreground, True) for look in DEFAULTS.values()} - {""}
        self.assertEqual(used, {"\033[%dm" % number for number in XTERM})
        for colour in XTERM.values():
            self.assertGreater((_luminance(colour) + 0.05) / 0.05, LEAST)
            self.assertGreater(1.05 / (_luminance(colour) + 0.05), LEAST)
        self.assertTrue(all(look.background == NONE for look in DEFAULTS.values()))
        path = os.path.join(SOURCE, "command", "session", "services.c")
        with open(path, encoding="utf-8") as file:
            told = re.findall(r'\[ompd_view_style_(?:address|function)\] = "([0-9]+)"', file.read())
        self.assertEqual(set(map(int, told)), set(XTERM))


class TestTerminalText(unittest.TestCase):
    def test_columns(self) -> None:
        self.assertEqual(columns("abc"), 3)
        self.assertEqual(columns("\u6f22\u5b57 \u00e9"), 6)
        self.assertEqual(columns("e\u0301"), 1)
        self.assertEqual(columns("\u274c\ufe0f "), 3)

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
