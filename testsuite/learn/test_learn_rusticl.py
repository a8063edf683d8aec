#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layout of rusticl agrees with its observed objects and with the shipped layout."""

from __future__ import annotations

import unittest

from learning import ShippedCases
from harness import main


class TestLearnRusticl(ShippedCases, unittest.TestCase):
    runtime = "rusticl"
    file = "rusticl-22.3.6.layout"
    wanted = {
        "context": ["rule 8 4 0xffffffde 0xffffffde", "field references -16 8"],
        "queue": [
            "field context 16 8 16",
            "field device 24 8 16",
            "list events array 72 88 8 oldest-first",
            "element event 0 8 16",
        ],
        "buffer": [
            "rule 8 4 0xffffffda 0xffffffda",
            "rule -16 8 1 0xffffff",
            "rule -8 8 1 0xffffff",
            "field context 16 8 16",
            "field type 32 4",
            "field flags 40 8",
            "field size 48 8",
            "field origin 56 8",
            "field parent 24 8 16",
            "field host_pointer 64 8",
            "list destructors array 192 208 16 oldest-first boxed",
        ],
        "image": ["field width 88 8"],
        "event": ["field command_type 32 4", "field status 176 4"],
    }


if __name__ == "__main__":
    main()
