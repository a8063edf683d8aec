#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two debuggers with the plugin on one process: the kernel refuses the second, the command names
the tracer and can read the process, and the first continues unaffected."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import unittest

from command import COMMAND
from harness import TIME_LIMIT, ask, environment, main, program, run_gdb, work_folder
from lldb_runner import find_lldb, lldb_line

ASKED = "opencl memobjs -json"


class TestSecond(unittest.TestCase):
    def test_second(self) -> None:
        find_lldb()
        variables = dict(environment("icd"), DEBUGINFOD_URLS="")
        folder = work_folder("lldb-second")
        pipe = subprocess.PIPE
        truth = [program("programs/truth-program"), folder, "wait"]
        with subprocess.Popen(truth, env=variables, stdin=pipe, stdout=pipe) as process:
            assert process.stdout is not None
            self.assertEqual(process.stdout.readline(), b"main\n")
            pid = str(process.pid)
            lldb = lldb_line([], ["process attach --pid " + pid])
            commands = [ask("before", ASKED)]
            for name, words in (
                ("lldb", lldb),
                ("refused", [COMMAND, "--pid", pid, "overview"]),
                ("read", [COMMAND, "--no-stop", "--pid", pid, "overview"]),
            ):
                line = " ".join(map(shlex.quote, words))
                path = os.path.join(folder, name)
                commands.append("shell %s < /dev/null > %s 2>&1" % (line, path))
            commands += [ask("after", ASKED), "detach"]
            session = run_gdb(["-p", pid], commands, variables, name="second")
            process.communicate(b"\n\n\n\n", TIME_LIMIT)
        self.assertEqual(process.returncode, 0)
        texts = {}
        for name in ("lldb", "refused", "read"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts[name] = file.read()
        self.assertRegex(texts["lldb"], "error: attach failed: ")
        self.assertNotIn("Traceback", texts["lldb"])
        refused = r"ompd-opencl: process %s is already traced by process \d+; read it " % pid
        self.assertTrue(re.match(refused, texts["refused"]), texts["refused"])
        self.assertRegex(texts["read"], "^OpenCL in process %s: " % pid)
        self.assertEqual(session.answer("before").rows(), session.answer("after").rows())


if __name__ == "__main__":
    main()
