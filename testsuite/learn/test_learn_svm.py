#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layout of a test runtime agrees with its source: SVM allocations in trees, commands
that free more than a callback, devices in a vector."""

from __future__ import annotations

import unittest
from typing import Dict, List

from learning import Layout, learn_text, parse, variables_for
from harness import main, program

MADE_SVM = program("learn/.libs/libmade-svm-icd.so")

# The members of the structs of made-svm-icd.c, as they lie about the handle and in a node.
FREES = [
    "field svm_pointer_count 104>16>0 4",
    "known-when 104>0 8 0 0",
    "field svm_pointers 104>16>8 8",
    "known-when 104>0 8 0 0",
    "field svm_function 104>16>16 8",
    "known-when 104>0 8 0 0",
    "field svm_user_data 104>16>24 8",
    "known-when 104>0 8 0 0",
]


def requirements(text: str) -> List[str]:
    """What a layout requires."""
    return [line.split()[1] for line in text.splitlines() if line.startswith("require ")]


class TestLearnSvm(unittest.TestCase):
    variables: Dict[str, str] = {}

    def setUp(self) -> None:
        self.variables = variables_for("made-svm", {"made": MADE_SVM})

    def lines_from(self, layout: Layout, kind: str, first: str, count: int) -> List[str]:
        """So many lines of an object, from that which begins with FIRST on."""
        lines = layout.objects[kind]
        [at] = [i for i, line in enumerate(lines) if line.startswith(first)]
        return lines[at : at + count]

    def test_binary_tree(self) -> None:
        """Of a node the pointers to others lie before its key."""
        text = learn_text("made", self.variables)
        self.assertEqual(
            self.lines_from(parse(text), "context", "list svm", 3),
            ["list svm binary-tree 24>8 24>24 8 16", "element pointer 24 8", "element size 40 8"],
        )
        self.assertIn("binary-trees", requirements(text))
        self.assertNotIn("trees", requirements(text))

    def test_b_tree(self) -> None:
        """Of a node keys and values lie in arrays of their own."""
        text = learn_text("made", dict(self.variables, MADE_ICD="b-tree"))
        self.assertEqual(
            self.lines_from(parse(text), "context", "list svm", 3),
            [
                "list svm tree 32 40 48 168 176",
                "element pointer 0 8 every 8",
                "element size 64 8 every 16",
            ],
        )
        self.assertIn("trees", requirements(text))
        self.assertNotIn("binary-trees", requirements(text))

    def test_devices(self) -> None:
        """The number of those that differ is not that of all, and a vector that never grows ends
        where its room does."""
        lines = parse(learn_text("made", self.variables)).objects["context"]
        self.assertIn("list devices range 64 72 8 oldest-first", lines)
        self.assertIn("element device 0 8 16", lines)
        self.assertEqual([line for line in lines if "device_count" in line], [])

    def test_what_hangs_on_a_callback(self) -> None:
        """It is known of commands that have no callback of the program's in front of it."""
        text = learn_text("made", self.variables)
        lines = self.lines_from(parse(text), "event", "field svm_pointer_count", 8)
        self.assertEqual(lines, FREES)
        self.assertIn("known-when", requirements(text))


if __name__ == "__main__":
    main()
