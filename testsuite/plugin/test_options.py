#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users type: options in any order, abbreviated, completed; sizes, names and row numbers."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plugin_modules  # noqa: E402,F401

from ompd_opencl.errors import OpenCLError  # noqa: E402
from ompd_opencl.last_list import parse_number  # noqa: E402
from ompd_opencl.options import (  # noqa: E402
    Option,
    Options,
    parse_min_size,
    parse_names,
    split_words,
)
from ompd_opencl.sentences import describe_platform  # noqa: E402
from ompd_opencl.sizes import describe_bytes, format_bytes, parse_limit, parse_size  # noqa: E402

KIND = Option("kind", "NAME", "", ((1, "buffer"), (2, "image1d"), (3, "image2d"), (4, "image1d_x")))
OPTIONS = [
    Option("context", "EXPR", ""),
    KIND,
    Option("min-size", "SIZE", ""),
    Option("json", "", ""),
]


class TestParse(unittest.TestCase):
    """Options and the expression among them."""

    def setUp(self) -> None:
        self.options = Options("opencl memobj", OPTIONS, True)

    def test_any_order(self) -> None:
        for text in (
            "-json -kind buffer b[1]",
            "b[1] -kind buffer -json",
            "-kind buffer b[1] -json",
        ):
            arguments = self.options.parse(text)
            self.assertEqual(arguments.options, {"json": "", "kind": "buffer"}, text)
            self.assertEqual(arguments.expression, "b[1]", text)

    def test_expressions_keep_their_blanks(self) -> None:
        for text in ("f(a, b)", "b[ 1 ]", "(cl_mem) p", "m['x y']", "a - 1"):
            self.assertEqual(self.options.parse(text + " -json").expression, text)

    def test_abbreviations(self) -> None:
        self.assertTrue(self.options.parse("-j").has("json"))
        self.assertTrue(self.options.parse("--json").has("json"))
        self.assertEqual(self.options.parse("-m 4K").options, {"min-size": "4K"})

    def test_end_of_options(self) -> None:
        self.assertEqual(self.options.parse("-json -- -kind").expression, "-kind")

    def test_faults(self) -> None:
        for text, said in (
            ("-foo", "no option -foo"),
            ("-kind", "-kind needs a name"),
            ("x -context", "-context needs an expression"),
        ):
            with self.assertRaisesRegex(OpenCLError, said):
                self.options.parse(text)
        with self.assertRaisesRegex(OpenCLError, "takes no argument x"):
            Options("opencl memobjs", OPTIONS, False).parse("x")

    def test_ambiguous(self) -> None:
        options = Options("opencl x", [Option("state", "NAME", ""), Option("stack", "", "")], False)
        with self.assertRaisesRegex(OpenCLError, "-state or -stack"):
            options.parse("-sta")

    def test_words(self) -> None:
        self.assertEqual(split_words("a  b[1, 2] 'c d' "), ["a", "b[1, 2]", "'c d'"])


class TestComplete(unittest.TestCase):
    """GDB hands over the text and its last word, which begins behind a dash or a comma."""

    def setUp(self) -> None:
        self.options = Options("opencl memobjs", OPTIONS, False)

    def test_options(self) -> None:
        self.assertEqual(self.options.complete("-", ""), ["context", "kind", "min-size", "json"])
        self.assertEqual(self.options.complete("-ki", "ki"), ["kind"])
        self.assertEqual(self.options.complete("-min-s", "s"), ["size"])
        self.assertEqual(self.options.complete("-json -k", "k"), ["kind"])
        self.assertEqual(self.options.complete("-json -j", "j"), [])

    def test_values(self) -> None:
        self.assertEqual(self.options.complete("-kind b", "b"), ["buffer"])
        self.assertEqual(self.options.complete("-kind buffer,image2", "image2"), ["image2d"])
        self.assertEqual(len(self.options.complete("-kind ", "") or []), 4)

    def test_expressions(self) -> None:
        self.assertIsNone(self.options.complete("-context c", "c"))
        self.assertIsNone(Options("opencl memobj", OPTIONS, True).complete("b", "b"))


class TestValues(unittest.TestCase):
    """Names, sizes and row numbers."""

    def test_names(self) -> None:
        self.assertEqual(parse_names(KIND, "buffer"), 1 << 1)
        self.assertEqual(parse_names(KIND, "image1d"), 1 << 2)
        self.assertEqual(parse_names(KIND, "image,buffer"), 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4)
        for text in ("pipe", "", "buffer,"):
            with self.assertRaisesRegex(OpenCLError, "there are buffer"):
                parse_names(KIND, text)

    def test_sizes(self) -> None:
        for text, size in (
            ("0", 0),
            ("4096", 4096),
            ("64K", 65536),
            ("1m", 1 << 20),
            ("2GiB", 2 << 30),
            ("0x10", 16),
        ):
            self.assertEqual(parse_size(text), size, text)
        for text in ("", "K", "-1", "1.5M", "4X"):
            with self.assertRaisesRegex(OpenCLError, "is no size"):
                parse_min_size(text)

    def test_bytes(self) -> None:
        for size, text in (
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (196608, "192 KiB"),
            (1288490188, "1.2 GiB"),
            ((1 << 64) - 1, "16 EiB"),
        ):
            self.assertEqual(format_bytes(size), text)

    def test_bytes_in_full(self) -> None:
        for size, text in (
            (512, "512 B"),
            (4096, "4096 B (4 KiB)"),
            (5000, "5000 B (about 4.9 KiB)"),
        ):
            self.assertEqual(describe_bytes(size), text)

    def test_limits(self) -> None:
        for text, size in (("unlimited", 0), ("0", 0), ("64M", 64 << 20), (" 10 ", 10)):
            self.assertEqual(parse_limit(text), size)
        for text in ("", "none", "-1", "unlimited 3"):
            with self.assertRaises(ValueError):
                parse_limit(text)

    def test_row_numbers(self) -> None:
        self.assertEqual(parse_number("#3"), 3)
        self.assertEqual(parse_number("3"), 3)
        self.assertEqual(parse_number("#70000"), 70000)
        for text in ("70000", "0x3", "b", "b[3]", "3+4"):
            self.assertIsNone(parse_number(text), text)
        with self.assertRaisesRegex(OpenCLError, "no row number"):
            parse_number("#x")

    def test_platforms(self) -> None:
        for name, version, text in (
            (
                "PoCL",
                "OpenCL 3.0 PoCL 3.1+debian  Linux, LLVM 15.0.6",
                "PoCL 3.1+debian (OpenCL 3.0)",
            ),
            ("Oclgrind", "OpenCL 3.0 (Oclgrind 21.10)", "Oclgrind 21.10 (OpenCL 3.0)"),
            ("rusticl", "OpenCL 3.0 ", "rusticl (OpenCL 3.0)"),
            ("odd", "what", "odd"),
        ):
            self.assertEqual(describe_platform(name, version), text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
