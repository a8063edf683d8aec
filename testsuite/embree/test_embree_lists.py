#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All objects of programs that use Embree, with each library, in a process and in cores: the lists
are what the program itself has counted, to the byte."""

from __future__ import annotations

import glob
import shutil
import subprocess
import unittest
from typing import Any, Dict

from embree import (
    PROGRAM,
    embree_core,
    embree_started,
    gdb_core,
    library,
    tool_variables,
)
from embree_comparing import (
    LISTS,
    ask_command,
    ask_in_gdb,
    assert_same,
    complete,
    shown_in_gdb,
)
from harness import main, program, read_truth, run_gdb, work_folder
from kernel_core import skip_without_cores

# Scenarios whose lists are compared in a process, at a stop.
OTHERS = {
    "leaks": "main",
    "subdivision": "main",
    "dynamic": "main",
    "qualities": "main",
    "bvh": "main",
    "cancel": "cancelled",
}


class ListsCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)
        self.folder = work_folder("%s-%s" % (self.name, self.id()))

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def test_devices(self) -> None:
        """Six devices, two of which were released; a buffer keeps one of them alive."""
        with embree_started(self.folder, "devices", self.library) as process:
            truth = process.wait_for("main")
            self.check(truth, ["--pid", str(process.pid)])
            core = gdb_core(process)
            self.check(truth, ["--core", core])
            session = run_gdb(["-p", str(process.pid)], ask_in_gdb(), tool_variables())
            assert_same(truth, shown_in_gdb(session))
            session = run_gdb([program(PROGRAM), core], ask_in_gdb(), tool_variables())
            assert_same(truth, shown_in_gdb(session))
            self.go_to_end(process)

    def go_to_end(self, process: Any) -> None:
        """When all is released, the lists are empty."""
        process.go_on()
        process.wait_for("end")
        shown = complete(ask_command(["--pid", str(process.pid)]))
        self.assertEqual(shown, {table: [] for table in LISTS})

    def check(self, truth: Dict[str, Any], target: Any) -> None:
        """The lists of a target are complete and true."""
        assert_same(truth, complete(ask_command(target)))

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        core = embree_core(self.folder, "devices", self.library)
        self.check(read_truth(self.folder, "main"), ["--core", core])

    def test_others(self) -> None:
        """Geometries, flags and qualities of all kinds, and a build that was cancelled."""
        arrays = {} if self.name == "embree3" else {"arrays": "main"}
        for scenario, stop in {**OTHERS, **arrays}.items():
            with self.subTest(scenario):
                with embree_started(self.folder, scenario, self.library) as process:
                    truth = process.wait_for(stop)
                    self.check(truth, ["--pid", str(process.pid)])

    def test_other_allocator(self) -> None:
        """Memory comes from jemalloc."""
        found = glob.glob("/usr/lib*/*/libjemalloc.so.2")
        if not found:
            self.skipTest("jemalloc is not installed")
        with embree_started(self.folder, "devices", self.library, preload=found[0]) as process:
            truth = process.wait_for("main")
            self.check(truth, ["--pid", str(process.pid)])

    def test_stripped(self) -> None:
        """Without the program's symbols its functions are addresses still."""
        stripped = self.folder + "/stripped"
        subprocess.run(["strip", "-o", stripped, program(PROGRAM)], check=True)
        with embree_started(self.folder, "devices", self.library, executable=stripped) as process:
            truth = process.wait_for("main")
            self.check(truth, ["--pid", str(process.pid)])


class TestEmbree3(ListsCase):
    name = "embree3"


class TestEmbree4(ListsCase):
    name = "embree4"


class TestEmbreex(ListsCase):
    name = "embreex"


del ListsCase  # it is of no library


if __name__ == "__main__":
    main()
