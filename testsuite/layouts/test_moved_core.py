#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A core of a program without the recorder on a machine that has neither the program nor the OpenCL
runtime, only the layout."""

from __future__ import annotations

import os
import shutil
import unittest

from command import INCOMPLETE, OK, run
from fitting import fitting_layout
from harness import ask, ask_lists, main, run_gdb, some, thorough, work_folder
from kernel_core import skip_without_cores
from unprepared import (
    Process,
    Truth,
    ask_command,
    compare,
    debuggers_core,
    is_of_missing,
    kernel_core,
    lists_of,
    program_environment,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase

WORDS = ["50", "second"]

LACKS_MODULES = "modules could be read"
VERBS = ("svm", "svm-frees", "queues", "contexts", "destructors", "memobjs", "runtimes", "overview")


def asked_in_gdb(verb: str) -> str:
    return "opencl" if verb == "overview" else "opencl " + verb


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

    def check_whole(self, folder: str, core: str) -> None:
        """The core has lost the symbols of its modules, but not what shows that no other one of
        them is a runtime with objects: as much is known as where the files are."""
        empty = os.path.join(folder, "empty")
        commands = ["set sysroot " + empty, "core-file " + core]
        verbs = some(VERBS, 4)
        session = run_gdb(
            [],
            [*commands, *(ask(verb, asked_in_gdb(verb)) for verb in verbs)],
            tool_environment(),
            name="whole",
        )
        for verb in verbs:
            whole = run(["--core", core, verb], tool_environment())
            for words in (["--no-files"], ["--sysroot", empty]):
                answer = run([*words, "--core", core, verb], tool_environment())
                self.assertEqual(answer.code, whole.code, answer)
                self.assertNotIn(LACKS_MODULES, answer.output)
            self.assertNotIn(LACKS_MODULES, session.answer(verb).output)
        # Of Oclgrind's runtime its layout tells less.
        self.assertEqual(whole.code, OK, whole)

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
        self.check_whole(folder, core)
        shutil.rmtree(folder)


class TestPocl(Moved):
    runtime = "pocl"


@thorough
class TestOclgrind(Moved):
    runtime = "oclgrind"


@thorough
class TestRusticl(Moved):
    runtime = "rusticl"


class TestHidden(unittest.TestCase):
    """Two runtimes, and a layout of one."""

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        layouts = {runtime: fitting_layout(runtime) for runtime in ("pocl", "rusticl")}
        folder = work_folder("moved-hidden")
        core = kernel_core(WORDS, folder, program_environment(*layouts))
        truth = Process.truth_of(folder, "main")
        for layout in layouts.values():
            alone = os.path.join(folder, "layouts")
            os.makedirs(alone)
            shutil.copy(layout, alone)
            for verb in some(("overview", "memobjs", "contexts", "runtimes"), 2):
                answer = run(["--no-files", "--core", core, verb], tool_environment(alone))
                self.assertEqual(answer.code, INCOMPLETE, answer)
                self.assertIn(LACKS_MODULES, answer.output)
            answer = run(
                ["--no-files", "--core", core, "memobjs", "--json"], tool_environment(alone)
            )
            handles = {row["handle"] for row in answer.objects() if not is_of_missing(row)}
            self.assertEqual(len(handles), len(truth["memobjs"]) / 2)
            self.assertLess(handles, {row["handle"] for row in truth["memobjs"]})
            shutil.rmtree(alone)
        for verb in some(VERBS, 4):
            answer = run(["--no-files", "--core", core, verb], tool_environment())
            self.assertNotIn(LACKS_MODULES, answer.output)
        shutil.rmtree(folder)


del Moved, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
