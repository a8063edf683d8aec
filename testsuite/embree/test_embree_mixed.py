#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that a program makes, changes, builds and releases in an order that a seed gives: at each
stop all lists are what the program has counted.

The seeds are fixed, or as many random ones as $OMPD_OPENCL_SEEDS says, which are printed.
"""

from __future__ import annotations

import os
import random
import shutil
import unittest

from embree import embree_started, library
from embree_comparing import LISTS, ask_command, assert_same, complete
from harness import main, work_folder

RANDOM_SEEDS = int(os.environ.get("OMPD_OPENCL_SEEDS", "0"))
SEEDS = (4711, 42)
STOPS = 6  # of each run


class MixedCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)
        self.folder = work_folder(self.id())

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def test_seeds(self) -> None:
        seeds = [random.randrange(1 << 30) for _ in range(RANDOM_SEEDS)] or SEEDS
        for seed in seeds:
            with self.subTest(seed=seed):
                if RANDOM_SEEDS:
                    print("seed %d" % seed, flush=True)
                self.compare(seed)

    def compare(self, seed: int) -> None:
        """One run of the program."""
        words = ["-at", str(seed), self.library]
        with embree_started(self.folder, "mixed", *words) as process:
            target = ["--pid", str(process.pid)]
            for _ in range(STOPS):
                truth = process.wait_for("main")
                assert_same(truth, complete(ask_command(target)))
                process.go_on()
            process.wait_for("end")
            shown = complete(ask_command(target))
            self.assertEqual(shown, {table: [] for table in LISTS})


class TestEmbree3(MixedCase):
    name = "embree3"


class TestEmbree4(MixedCase):
    name = "embree4"


class TestEmbreex(MixedCase):
    name = "embreex"


del MixedCase  # it is of no library


if __name__ == "__main__":
    main()
