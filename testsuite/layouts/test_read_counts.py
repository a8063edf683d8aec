#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many reads a list of many objects of a core needs with a tool that maps no memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import List, NamedTuple

from harness import main, program, run_gdb, work_folder
from unprepared import tool_environment
from unprepared_cases import RuntimeCase

COUNT = 100000
MIB = 1 << 20
SPARE = 64  # reads for what is no stretch of a MiB: ends of regions, beginnings of walks
# Reads that one unreadable page may cost each time that it is come to: a window of a MiB is halved
# eight times, with a read on either side and one that fails; four bring the windows to a MiB again.
HOLE = 8 * 3 + 4
PASSES = 2  # through the objects: for their own rows, for those of their callbacks
# Reads for a MiB of a pass: that MiB, and the page before it, to which a walk comes back where an
# object, or an object and its callback, lie across the edge. Where they lie is by chance.
EACH = 2


class Listing(NamedTuple):
    """The result of one list, and how often it read; MiB to search."""

    memobjs: int
    destructors: int
    reads: int
    searched: int


class TestPocl(RuntimeCase):
    runtime = "pocl"

    def setUp(self) -> None:
        super().setUp()
        self.folder = work_folder("read-counts")
        self.core = os.path.join(self.folder, "core")
        self.extent = 0  # MiB from the first object to the last

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def make_core(self) -> None:
        """The core of a program with many buffers, each with a callback."""
        truth = os.path.join(self.folder, "truth")
        with subprocess.Popen(
            [program("programs/many-buffers"), str(COUNT), "1", truth],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            try:
                assert process.stdout is not None
                self.assertEqual(process.stdout.readline(), "main\n")
                save = ["generate-core-file %s" % self.core]
                run_gdb(["-p", str(process.pid)], save, self.variables, plugin=False)
            finally:
                process.kill()
        with open(truth, encoding="ascii") as file:
            handles = [int(line, 16) for line in file]
        self.assertEqual(len(handles), COUNT)
        self.extent = (max(handles) - min(handles)) // MIB + 1

    def count(self) -> List[Listing]:
        """A first listing, another at the same stop, and one with a page that cannot be read."""
        done = subprocess.run(
            [program("layouts/count-reads"), self.core],
            env=tool_environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        )
        return [Listing(*map(int, line.split())) for line in done.stdout.splitlines()]

    def test_counts(self) -> None:
        self.make_core()
        first, again, broken = self.count()
        walks = PASSES * EACH * self.extent
        print("%s %s %s, objects over %d MiB" % (first, again, broken, self.extent))
        for listing in (first, again):
            self.assertEqual((listing.memobjs, listing.destructors), (COUNT, COUNT))
        self.assertGreater(first.searched, self.extent)
        self.assertLessEqual(first.reads, first.searched + walks + SPARE)
        # What was found at a stop is not looked for again.
        self.assertLessEqual(again.reads, walks + SPARE // 2)
        # A page of the heap takes the objects in it along, and no others.
        self.assertLess(broken.memobjs, COUNT)
        self.assertGreater(broken.memobjs, COUNT - 100)
        self.assertLessEqual(broken.reads, first.reads + HOLE * (1 + PASSES))


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
