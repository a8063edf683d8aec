#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A core of a program that nobody prepared, on a machine that has no file of it: neither the
program nor the OpenCL runtime, only the layout.
"""

from __future__ import annotations

import os
import shutil

from command import INCOMPLETE, run
from harness import ask_lists, main, run_gdb, work_folder
from kernel_core import skip_without_cores
from unprepared import (
    Process,
    Truth,
    ask_command,
    compare,
    debuggers_core,
    kernel_core,
    lists_of,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase

WORDS = ["50", "second"]


class Moved(RuntimeCase):
    def folder(self, name: str) -> str:
        folder = work_folder("moved-%s-%s" % (name, self.runtime))
        os.mkdir(os.path.join(folder, "empty"))
        return folder

    def check_core(self, truth: Truth, folder: str, core: str) -> None:
        empty = os.path.join(folder, "empty")
        target = ["--sysroot", empty, "--core", core]
        shown = ask_command(target, tool_environment())
        compare(truth, shown, self.runtime)
        commands = ["set auto-solib-add on", "set sysroot " + empty, "core-file " + core]
        session = run_gdb([], commands + ask_lists(), tool_environment(), name="moved")
        shown = lists_of(session)
        compare(truth, shown, self.runtime)

    def check_without_files(self, core: str) -> None:
        """Of modules whose symbols the core has lost nothing is known: the objects are there, and a
        runtime may be missing."""
        answer = run(["--no-files", "--core", core, "memobjs", "--json"], tool_environment())
        self.assertEqual(answer.code, INCOMPLETE, answer.errors)
        whole = run(["--core", core, "memobjs", "--json"], tool_environment())
        handles = [[row.get("handle") for row in each.objects()] for each in (answer, whole)]
        self.assertEqual([handle for handle in handles[0] if handle], handles[1])

    def test_debuggers_core(self) -> None:
        folder = self.folder("gcore")
        with started(WORDS, folder, self.variables) as process:
            truth = process.wait_for("main")
            core = debuggers_core(process)
        self.check_core(truth, folder, core)
        shutil.rmtree(folder)

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        folder = self.folder("kernel")
        core = kernel_core(WORDS, folder, self.variables)
        self.check_core(Process.truth_of(folder, "main"), folder, core)
        self.check_without_files(core)
        shutil.rmtree(folder)


class TestPocl(Moved):
    runtime = "pocl"


class TestOclgrind(Moved):
    runtime = "oclgrind"


class TestRusticl(Moved):
    runtime = "rusticl"


del Moved, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
