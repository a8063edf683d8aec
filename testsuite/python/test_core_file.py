#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory a core file has: word sizes, byte orders, truncated files, many segments."""

import struct
import tempfile
import unittest
from typing import List, Tuple

from ompd_opencl.core_file import Range, core_ranges, permissions_of

PT_NOTE = 4
PT_LOAD = 1
READ_AND_WRITE = permissions_of(True, True, False)
ZERO = 32  # ompd_cl_permission_zero

# Kind, offset in the file, address, bytes in the file, bytes in memory.
Segment = Tuple[int, int, int, int, int]


def elf(is_64_bit: bool, order: str, segments: List[Segment], kind: int = 4) -> bytes:
    """An ELF file with these segments and nothing else."""
    start = b"\x7fELF" + bytes([2 if is_64_bit else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    count = len(segments)
    section = b""
    if count >= 0xFFFF:
        section = struct.pack(order + "40xI20x" if is_64_bit else order + "28xI12x", 0)
        section = bytearray(section)
        struct.pack_into(order + "I", section, 44 if is_64_bit else 28, count)
        section = bytes(section)
        count = 0xFFFF
    if is_64_bit:
        header = struct.pack(
            order + "HHIQQQIHHHHHH", kind, 62, 1, 0, 64, 4096, 0, 64, 56, count, 64, 1, 0
        )
        table = b"".join(
            struct.pack(order + "IIQQQQQQ", kind, 6, offset, address, 0, in_file, in_memory, 4096)
            for kind, offset, address, in_file, in_memory in segments
        )
    else:
        header = struct.pack(
            order + "HHIIIIIHHHHHH", kind, 3, 1, 0, 52, 4096, 0, 52, 32, count, 40, 1, 0
        )
        table = b"".join(
            struct.pack(order + "IIIIIIII", kind, offset, address, 0, in_file, in_memory, 6, 4096)
            for kind, offset, address, in_file, in_memory in segments
        )
    if section:
        # The table goes behind the section header, whose place is 4096.
        place = 4096 + len(section)
        position, form = (32, "Q") if is_64_bit else (28, "I")
        whole = bytearray(start + header)
        struct.pack_into(order + form, whole, position, place)
        return bytes(whole).ljust(4096, b"\0") + section + table
    return (start + header + table).ljust(8192, b"\0")


class TestCoreFile(unittest.TestCase):
    """core_ranges."""

    def ranges(self, content: bytes) -> "List[Range] | None":
        """What core_ranges says of a file with this content."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            return core_ranges(file.name)

    def test_all_kinds_of_elf(self) -> None:
        segments = [
            (PT_NOTE, 4096, 0, 100, 0),
            (PT_LOAD, 6144, 0x20000, 2048, 4096),
            (PT_LOAD, 4096, 0x10000, 2048, 2048),
            (PT_LOAD, 0, 0x30000, 0, 4096),
            (PT_LOAD, 0, 0x40000, 0, 0),
        ]
        expected = [
            Range(0x10000, 0x10800, True, READ_AND_WRITE),
            Range(0x20000, 0x20800, True, READ_AND_WRITE),
            Range(0x20800, 0x21000, False, READ_AND_WRITE),
            Range(0x30000, 0x31000, False, READ_AND_WRITE).untouched(),
        ]
        for is_64_bit in (True, False):
            for order in "<>":
                with self.subTest(is_64_bit=is_64_bit, order=order):
                    self.assertEqual(self.ranges(elf(is_64_bit, order, segments)), expected)

    def test_cut_file(self) -> None:
        content = elf(True, "<", [(PT_LOAD, 4096, 0x10000, 4096, 4096)])
        self.assertEqual(
            self.ranges(content[:5000]),
            [
                Range(0x10000, 0x10000 + 904, True, READ_AND_WRITE),
                Range(0x10000 + 904, 0x11000, False, READ_AND_WRITE),
            ],
        )
        self.assertEqual(
            self.ranges(content[:200]), [Range(0x10000, 0x11000, False, READ_AND_WRITE)]
        )
        for size in (0, 3, 40, 63):
            self.assertIsNone(self.ranges(content[:size]), size)
        self.assertEqual(self.ranges(content[:64]), [])

    def test_holes(self) -> None:
        """Large holes of the file are reported as zeros."""
        size = 1 << 20
        segments = [(PT_LOAD, 0, number * size, size, size) for number in range(2)]
        with tempfile.NamedTemporaryFile() as file:
            file.write(elf(True, "<", segments))
            for place in (512 << 10, 768 << 10):  # the holes behind are too small
                file.seek(place)
                file.write(b"data" * 1024)
            file.truncate(size)
            file.flush()
            found = core_ranges(file.name)
        assert found is not None
        self.assertEqual(
            found,
            [
                Range(base + start, base + end, True, permissions)
                for base in (0, size)
                for start, end, permissions in (
                    (0, 8 << 10, READ_AND_WRITE),
                    (8 << 10, 512 << 10, READ_AND_WRITE | ZERO),
                    (512 << 10, size, READ_AND_WRITE),
                )
            ],
        )

    def test_many_segments(self) -> None:
        count = 0x10001
        for is_64_bit in (True, False):
            segments = [(PT_LOAD, 0, number * 4096, 64, 4096) for number in range(count)]
            found = self.ranges(elf(is_64_bit, "<", segments))
            assert found is not None
            self.assertEqual(len(found), 2 * count)
            self.assertEqual(
                found[-1], Range(count * 4096 - 4032, count * 4096, False, READ_AND_WRITE)
            )

    def test_no_core(self) -> None:
        self.assertIsNone(self.ranges(elf(True, "<", [(PT_LOAD, 0, 0, 64, 64)], kind=3)))
        self.assertIsNone(self.ranges(b"#!/bin/sh\n" * 100))


if __name__ == "__main__":
    unittest.main(verbosity=2)
