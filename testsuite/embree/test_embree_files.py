#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several copies of Embree in one process, and cores without the library's file."""

from __future__ import annotations

import os
import shutil
import unittest
from typing import Any, Dict

from command import INCOMPLETE, UNREADABLE
from embree import embree_started, gdb_core, libraries, library
from embree_comparing import LISTS, ask_command, assert_same, complete
from harness import main, work_folder


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
    """The library's file was removed after the core was written."""

    def test_core(self) -> None:
        folder = work_folder(self.id())
        copy = os.path.join(folder, "libembree-removed.so")
        shutil.copy(library("embree3"), copy)
        with embree_started(folder, "devices", copy) as process:
            truth = process.wait_for("main")
            core = gdb_core(process)
        os.unlink(copy)
        self.check(truth, core)
        shutil.rmtree(folder)

    def check(self, truth: Dict[str, Any], core: str) -> None:
        """Each list is true, or says why it cannot be."""
        answers = ask_command(["--core", core])
        codes = {answer.code for answer in answers.values()}
        if codes <= {INCOMPLETE, UNREADABLE}:
            for table, answer in answers.items():
                self.assertTrue(answer.output or answer.errors, table)
        else:
            assert_same(truth, complete(answers))
        self.assertEqual(set(answers), set(LISTS))


if __name__ == "__main__":
    main()
