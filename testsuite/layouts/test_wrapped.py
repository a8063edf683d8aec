#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program under Oclgrind's wrapper, which replaces the OpenCL loader: its objects are found, and
no message suggests a recorder that nothing would load."""

from __future__ import annotations

import shutil
import unittest

from command import INCOMPLETE, run
from harness import Skip, main, program
from kept_handles import standing
from unprepared import program_environment, tool_environment

NOT_LOADED = "; liboclgrind-rt.so replaces the OpenCL loader, which would load the recorder."


class TestWrapped(unittest.TestCase):
    def test_oclgrind(self) -> None:
        wrapper = shutil.which("oclgrind")
        if wrapper is None:
            raise Skip("Oclgrind is not installed")
        variables = program_environment("oclgrind")
        with standing(variables, wrapper, program("programs/kept-handles")) as kept:
            target = ["--pid", str(kept.pid)]
            rows = run([*target, "memobjs", "--json"], tool_environment()).objects()
            made = [handle for handles in kept.handles.values() for handle in handles]
            self.assertEqual(sorted(row["handle"] for row in rows), sorted(made))
            self.assertEqual({row["size"] for row in rows}, {4096})
            leaks = run([*target, "leaks"], tool_environment())
            commands = run([*target, "commands"], tool_environment())
        self.assertEqual(leaks.code, INCOMPLETE, leaks.errors)
        self.assertRegex(leaks.output, r"^Not found in the program's memory: \d memory objects ")
        self.assertIn("therefore which of them are leaks" + NOT_LOADED + "\n", leaks.output)
        self.assertEqual(
            commands.errors,
            "ompd-opencl: only the recorder knows commands, and it is not in this process%s\n"
            % NOT_LOADED.rstrip("."),
        )


if __name__ == "__main__":
    main()
