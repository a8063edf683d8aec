#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl gdb: a program under the recorder, or a core, in GDB with the opencl commands."""

import os
import shutil
import subprocess
import unittest
from typing import Dict, List

from command import BUILT_COMMAND, COMMAND, UNREADABLE, run
from harness import GDB, RECORDER, TIME_LIMIT, environment, main, program, run_gdb, work_folder

TRUTH = "programs/truth-program"


class TestGdb(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        # The program that is called gdb is the one that is tested with; it reads no file of the
        # user's.
        cls.variables = environment("icd", recorder=False)
        if COMMAND != BUILT_COMMAND:  # the recorder beside it may not be for these programs
            cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER
        folder = work_folder("command-gdb")
        path = os.path.join(folder, "gdb")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec "%s" -q -nx "$@"\n' % (shutil.which(GDB) or GDB))
        os.chmod(path, 0o755)
        cls.variables["PATH"] = "%s:%s" % (folder, cls.variables["PATH"])

    def _said(self, words: List[str], *commands: str) -> str:
        """What GDB says, which reads commands from its standard input."""
        done = subprocess.run(
            [COMMAND, "gdb", *words],
            input="".join(command + "\n" for command in ("set confirm off", *commands)),
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        return done.stdout

    def test_program(self) -> None:
        """With its arguments."""
        folder = work_folder("command-gdb-truth")
        said = self._said(
            [program(TRUTH), folder, "--color=a b"],
            "show args",
            "break truth_stop",
            "run",
            "opencl",
            "opencl threads",
            "kill",
        )
        self.assertIn(r'debugged when it is started is "%s --color=a\ b".' % folder, said)
        self.assertRegex(said, r"OpenCL in process \d+: ")
        self.assertRegex(said, r"recorder \d")

    def test_cores(self) -> None:
        """A core after its program, and alone."""
        folder = work_folder("command-gdb-core")
        core = os.path.join(folder, "core")
        commands = ["break truth_stop", "run " + folder, "gcore " + core, "kill"]
        run_gdb([program(TRUTH)], commands, environment("icd"), plugin=False, name="command-gdb")
        for words in ([program(TRUTH), core], [core]):
            with self.subTest(words=words):
                said = self._said(words, "opencl", "info inferiors")
                self.assertRegex(said, r"OpenCL in process \d+: ")
                self.assertIn(" (core)", said)
        os.unlink(core)

    def test_refused(self) -> None:
        """No recorder, no GDB."""
        variables = dict(self.variables, OMPD_OPENCL_RECORDER="/no/such/recorder.so")
        answer = run(["gdb", program(TRUTH)], variables)
        self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True), answer)
        self.assertIn("cannot find the recorder /no/such/recorder.so", answer.errors)
        answer = run(["gdb", program(TRUTH)], dict(self.variables, PATH="/no/such/folder"))
        self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True), answer)
        self.assertIn("cannot run gdb: No such file or directory", answer.errors)


if __name__ == "__main__":
    main()
