#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several copies of Embree in one process, and cores without the library's file."""

from __future__ import annotations

import glob
import os
import shutil
import unittest
from typing import Any, Dict, Iterator

from embree import embree_core, embree_started, gdb_core, libraries, library
from embree_comparing import ask_command, assert_same, complete
from harness import main, program, read_truth, work_folder
from kernel_core import skip_without_cores


class TestCopies(unittest.TestCase):
    """Devices of both copies, each found by the layout of its library."""

    def setUp(self) -> None:
        self.folder = work_folder(self.id())

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def check(self, first: str, second: str) -> None:
        """Compare the lists of a program with two libraries, live and of a core."""
        with embree_started(self.folder, "copies", first, second) as process:
            truth = process.wait_for("main")
            modules = [row["module"] for row in truth["devices"]]
            self.assertEqual(modules, [first, second])
            assert_same(truth, complete(ask_command(["--pid", str(process.pid)])))
            assert_same(truth, complete(ask_command(["--core", gdb_core(process)])))

    def test_same_twice(self) -> None:
        """The same build in two files."""
        for path in libraries().values():
            with self.subTest(path):
                # Its own libraries lie beside it.
                copy = os.path.join(os.path.dirname(path), "other-" + os.path.basename(path))
                if not os.access(os.path.dirname(path), os.W_OK) or path.startswith("/usr"):
                    copy = os.path.join(self.folder, "libother.so")
                shutil.copy(path, copy)
                self.check(path, copy)
                os.unlink(copy)

    def test_embree3_and_embreex(self) -> None:
        """Two major versions."""
        self.check(library("embree3"), library("embreex"))


class TestWithoutFile(unittest.TestCase):
    """The library's file was removed after a core was written, and then another took its place:
    what the core has of the library is enough."""

    def setUp(self) -> None:
        self.folder = work_folder(self.id())

    def tearDown(self) -> None:
        shutil.rmtree(self.folder)

    def copies(self) -> Iterator[str]:
        """A copy of each library, with its own libraries beside it."""
        for name, path in libraries().items():
            with self.subTest(name):
                beside = "libtbb*" if name == "embreex" else ""
                for other in glob.glob(os.path.join(os.path.dirname(path), beside or "none")):
                    shutil.copy(other, self.folder)
                yield shutil.copy(path, os.path.join(self.folder, "libembree-removed.so"))

    def test_gdb_core(self) -> None:
        for copy in self.copies():
            with embree_started(self.folder, "devices", copy) as process:
                truth = process.wait_for("main")
                core = gdb_core(process)
            self.check(truth, core, copy)

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        for copy in self.copies():
            core = embree_core(self.folder, "devices", copy)
            self.check(read_truth(self.folder, "main"), core, copy)

    def check(self, truth: Dict[str, Any], core: str, copy: str) -> None:
        """The lists are true without the file and with another."""
        os.unlink(copy)
        assert_same(truth, complete(ask_command(["--core", core])))
        shutil.copy(program("programs/embree"), copy)
        assert_same(truth, complete(ask_command(["--core", core])))
        os.unlink(core)


if __name__ == "__main__":
    main()
