#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runtimes that have no objects: one without a layout and without devices, and one that is being
loaded."""

from __future__ import annotations

import os
import shutil
import unittest

from command import OK, UNREADABLE, run
from doubtful import excess
from fitting import fitting_layout
from harness import GDB_SCRIPTS, ask, main, program, run_gdb, work_folder
from unprepared import RELEASED, program_environment, started, tool_environment
from unprepared_cases import RuntimeCase


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
            self.assertNotIn("No layout matches", text)
        for told in (rows.objects(), in_gdb.answer("runtimes").rows()):
            [clover] = [row for row in told if "layout" not in row]
            self.assertIn("libMesaOpenCL", clover["module"])
            self.assertEqual((clover["objects"], clover["presumed"]), (0, ["objects"]))
            [pocl] = [row for row in told if "layout" in row]
            self.assertGreater(pocl["objects"], 20)
        self.assertRegex(table.output, r"libMesaOpenCL.* 0~\n")
        shutil.rmtree(folder)


class BeingLoaded(RuntimeCase):
    """A stop between its mapping and its relocation."""

    library = ""

    def test_stop(self) -> None:
        core = os.path.join(work_folder("being-loaded-" + self.runtime), "core")
        commands = [
            "source " + os.path.join(GDB_SCRIPTS, "in_gdb_loading.py"),
            "python run_to_mapping(%r)" % self.library,
            ask("loading", "opencl"),
            ask("loading rows", "opencl runtimes -json"),
            "gcore " + core,
            "break -qualified clReleaseContext",
            "continue",
            ask("loaded", "opencl contexts -json"),
            "kill",
        ]
        words = ["--args", program(RELEASED), "1", "3"]
        variables = dict(tool_environment(), **self.variables)
        session = run_gdb(words, commands, variables, name=self.id())
        answer = run(["--core", core, "overview"], tool_environment())
        self.assertEqual(answer.code, UNREADABLE)
        for text in (session.answer("loading").error, answer.errors):
            self.assertRegex(
                str(text),
                r"[Tt]he runtime %s\S* \(build-id [0-9a-f]{40}\) is still being loaded and has no "
                r"objects yet\.?\n?$" % self.library,
            )
        (row,) = session.answer("loading rows").rows()
        self.assertEqual((row["objects"], row["presumed"]), (0, ["objects"]))
        # Rusticl 25 leaves on a stack what it made the context of.
        rows = session.answer("loaded").rows()
        sure = [row for row in rows if row["confidence"] != "doubtful"]
        self.assertEqual(len(sure), 1, rows)
        self.assertEqual(excess("contexts", rows), [])
        shutil.rmtree(os.path.dirname(core))


class TestLoadingPocl(BeingLoaded):
    runtime = "pocl"
    library = "libpocl"


class TestLoadingRusticl(BeingLoaded):
    runtime = "rusticl"
    library = "libRusticlOpenCL"


del BeingLoaded, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
