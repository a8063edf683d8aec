#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A runtime that no layout fits and that has no device: nothing of it is missed."""

from __future__ import annotations

import shutil
import unittest

from command import OK, run
from fitting import fitting_layout
from harness import ask, main, run_gdb, work_folder
from unprepared import program_environment, started, tool_environment


class TestUnusedRuntime(unittest.TestCase):
    def test_beside_another(self) -> None:
        """Mesa's clover, which has no device here, beside PoCL."""
        fitting_layout("pocl")  # skips without it
        folder = work_folder("unused-runtime")
        variables = program_environment("pocl", "mesa")
        with started(["10", "second"], folder, variables) as process:
            truth = process.wait_for("main")
            self.assertEqual(len(truth["contexts"]), 2, "clover has a device")
            target = ["--pid", str(process.pid)]
            overview = run([*target, "overview"], tool_environment())
            rows = run([*target, "runtimes", "--json"], tool_environment())
            table = run([*target, "runtimes"], tool_environment())
            questions = [ask("overview", "opencl"), ask("runtimes", "opencl runtimes -json")]
            in_gdb = run_gdb(["-p", str(process.pid)], questions, tool_environment())
        self.assertEqual((overview.code, rows.code, table.code), (OK, OK, OK))
        for text in (overview.output, in_gdb.answer("overview").output):
            self.assertIn("2 contexts, 2 queues", text)
            self.assertNotIn("No layout fits", text)
        for told in (rows.objects(), in_gdb.answer("runtimes").rows()):
            [clover] = [row for row in told if "layout" not in row]
            self.assertIn("libMesaOpenCL", clover["module"])
            self.assertEqual((clover["objects"], clover["presumed"]), (0, ["objects"]))
            [pocl] = [row for row in told if "layout" in row]
            self.assertGreater(pocl["objects"], 20)
        self.assertRegex(table.output, r"libMesaOpenCL.* 0~\n")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
