#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layout of Oclgrind agrees with its sources and with the shipped layout."""

from __future__ import annotations

import unittest

from learning import ShippedCases, parse
from harness import main


class TestLearnOclgrind(ShippedCases, unittest.TestCase):
    runtime = "oclgrind"
    file = "oclgrind-21.10.layout"
    wanted = {
        "context": ["field references 128 4"],
        "queue": ["field references 56 4", "field context 16 8", "field properties 8 8"],
        "buffer": [
            "rule 56 1 0 0",
            "field references 176 4",
            "field context 8 8",
            "field parent 16 8",
            "field size 32 8",
            "field origin 40 8",
            "field flags 48 8",
            "field host_pointer 64 8",
            "list destructors deque 88 120 512 16 oldest-first",
        ],
        "image": ["field width 200 8", "field channel_order 180 4"],
        "event": ["field context 8 8", "field queue 16 8", "field status 32>0 4"],
    }

    def test_nothing_of_malloc(self) -> None:
        """What the allocator keeps between objects is no field of theirs."""
        for lines in parse(self.text).objects.values():
            self.assertEqual([line for line in lines if " -" in line], [])


if __name__ == "__main__":
    main()
