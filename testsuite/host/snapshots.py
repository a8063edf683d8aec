#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Snapshots of processes, of cores of the kernel and GDB, and those that GDB saves give the same
answers to all questions as the original, with and without the recorder."""

from __future__ import annotations

import os
import signal
import unittest

from command import FINDINGS
from fitting import fitting_layout
from grown import Growing, check_changes, rows_of
from harness import TIME_LIMIT, main, run_gdb, work_folder
from kernel_core import skip_without_cores
from saved_snapshots import SnapshotsCase, waiting
from unprepared import tool_environment


class TestSnapshots(SnapshotsCase):
    def check_all(self, recorder: bool) -> None:
        """All of a program that runs under the recorder, or not."""
        skip_without_cores(self)
        gcore = os.path.join(self.folder, "by-debugger")
        with waiting(self.folder, recorder) as process:
            self.check_target(["--pid", str(process.pid)])
            self.check_process_in_gdb(process.pid)
            run_gdb(["-p", str(process.pid)], ["gcore " + gcore], tool_environment(), name="save")
            process.communicate("\n", TIME_LIMIT)
            self.assertEqual(process.returncode, -signal.SIGABRT)
        (core,) = [name for name in os.listdir(self.folder) if name.startswith("core")]
        snapshot = self.check_target(["--core", os.path.join(self.folder, core)])
        self.check_in_gdb(snapshot)
        self.check_target(["--core", gcore])

    def test_recorder(self) -> None:
        self.check_all(True)

    def test_layouts(self) -> None:
        self.check_all(False)


class TestLargeHeap(unittest.TestCase):
    def test_diff(self) -> None:
        """A compiler leaves a million blocks of malloc, and a snapshot with as many parts is
        complete."""
        fitting_layout("pocl")
        folder = work_folder("large-heap")
        # What PoCL has compiled before it takes from there.
        cache = os.path.join(folder, "cache")
        growing = Growing(folder, True, "build", POCL_CACHE_DIR=cache)
        self.addCleanup(growing.kill)
        one = growing.save("one")
        growing.go_on()
        code, rows = rows_of(*growing.target, "diff", one)
        self.assertEqual(code, FINDINGS)
        check_changes(self, rows, growing.truths, True)


if __name__ == "__main__":
    main()
