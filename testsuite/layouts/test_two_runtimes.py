#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process with two OpenCL runtimes and without the recorder: the objects of both, each by its own
layout."""

from __future__ import annotations

import shutil
import unittest

from command import OK, run
from fitting import fitting_layout
from harness import main, thorough, work_folder
from unprepared import (
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    program_environment,
    started,
    tool_environment,
)

MODULES = {"pocl": "libpocl", "rusticl": "libRusticlOpenCL", "oclgrind": "liboclgrind"}


class TestTwoRuntimes(unittest.TestCase):
    def check(self, *runtimes: str) -> None:
        for runtime in runtimes:
            fitting_layout(runtime)  # skips without the runtime
        folder = work_folder("two-" + "-".join(runtimes))
        variables = program_environment(*runtimes)
        with started(["20", "second"], folder, variables) as process:
            truth = process.wait_for("main")
            self.assertEqual(len(truth["contexts"]), 2 * len(runtimes))
            target = ["--pid", str(process.pid)]
            compare(truth, ask_command(target, tool_environment()), *runtimes)
            compare(truth, ask_gdb(["-p", str(process.pid)], tool_environment()), *runtimes)
            core = debuggers_core(process)
            target = ["--core", core]
            compare(truth, ask_command(target, tool_environment()), *runtimes)
            answer = run([*target, "runtimes", "--json"], tool_environment())
            self.assertEqual(answer.code, OK, answer.errors)
            rows = answer.objects()
            self.assertEqual(len(rows), len(runtimes), rows)
            for runtime in runtimes:
                fitting = [row for row in rows if MODULES[runtime] in row["module"]]
                self.assertEqual(len(fitting), 1, rows)
                self.assertTrue(fitting[0]["layout"], rows)
                self.assertGreater(fitting[0]["objects"], 20, rows)
        shutil.rmtree(folder)

    @thorough
    def test_pocl_and_rusticl(self) -> None:
        self.check("pocl", "rusticl")

    def test_pocl_and_oclgrind(self) -> None:
        self.check("pocl", "oclgrind")


if __name__ == "__main__":
    main()
