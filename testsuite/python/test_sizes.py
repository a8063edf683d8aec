#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes in the settings of the plugin."""

import unittest

from ompd_opencl.sizes import describe_bytes, format_bytes, parse_limit, parse_size


class TestSizes(unittest.TestCase):
    """Sizes as people write them."""

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
            with self.assertRaises(ValueError, msg=text):
                parse_size(text)

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
