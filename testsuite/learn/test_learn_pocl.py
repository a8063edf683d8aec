#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The learned layout of PoCL agrees with its sources and with the shipped layout."""

from __future__ import annotations

import glob
import os
import unittest

from learning import ShippedCases, folder_of, learn_text
from harness import main


class TestLearnPocl(ShippedCases, unittest.TestCase):
    runtime = "pocl"
    file = "pocl-3.1.layout"
    wanted = {
        "context": [
            "field references 56 4",
            "field device_count 84 4",
            "list svm linked 208 24 oldest-first",
            "each-holds 1",
        ],
        "queue": [
            "field context 64 8",
            "field device 72 8",
            "field properties 80 8",
            "internal 80 8 0x400",
            "list events linked 88 192 oldest-first",
            "element event 0 0",
        ],
        "buffer": [
            "rule 56 4 1 0xffffff",
            "rule 72 4 0x10f0 0x10f0",
            "dying 56 4",
            "dying-holds context 1",
            "dying-holds buffer 1",
            "maps-hold 1",
            "field unique 8 8",
            "field size 136 8",
            "field flags 80 8",
            "field host_pointer 152 8",
            "field origin 144 8",
            "field parent 216 8",
            "list destructors linked 224 16 newest-first",
        ],
        "image": [
            "rule 72 4 0x10f1 0x10f6",
            "field type 72 4",
            "field parent 216 8",
            "holds context 1",
        ],
        "event": [
            "field command_type 80 4",
            "field status 184 4",
            "field svm_pointer_count 88>16 4",
            "field svm_pointers 88>24 8",
            "field svm_function 88>32 8",
            "field svm_user_data 88>0 8",
            "list memobjs array 128 120 8 oldest-first",
            "element memobj 0 8",
            "each-holds 1 of memobj but 0x11fd",
        ],
        "kernel": ["field program 72 8"],
    }

    def test_compiles_once(self) -> None:
        """One program is compiled, once, however many are built: compilers take most of the
        time."""
        cache = folder_of("cache")
        learn_text("only", dict(self.variables, POCL_CACHE_DIR=cache))
        compiled = glob.glob(os.path.join(cache, "**", "program.bc"), recursive=True)
        self.assertEqual(len(compiled), 1, compiled)
        kernels = {os.path.basename(path) for path in glob.glob(os.path.join(cache, "*", "*", "*"))}
        self.assertIn("sum", kernels, "PoCL has compiled nothing, or elsewhere")


if __name__ == "__main__":
    main()
