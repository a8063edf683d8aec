#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process whose main thread has ended, and GDB attached to one of its other threads."""

from __future__ import annotations

import json
import subprocess
import unittest
from typing import Any, Dict, List

from harness import ask, environment, main, program, run_gdb
from process_states import of_threads


class TestMainThread(unittest.TestCase):
    def _check(self, runtime: str, recorder: bool) -> None:
        variables = environment(runtime, recorder)
        with subprocess.Popen(
            [program("programs/left"), "main"],
            env=variables,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdout is not None
            try:
                truth = json.loads(process.stdout.readline())
                # All but the main thread and the one that GDB is attached to.
                running = len(of_threads(process.pid, "stat")) - 2
                self._check_in_gdb(truth, running, recorder, variables)
            finally:
                process.kill()

    def _check_in_gdb(
        self, truth: Dict[str, Any], running: int, recorder: bool, variables: Dict[str, str]
    ) -> None:
        commands: List[str] = [
            ask("overview", "opencl"),
            ask("threads", "opencl threads"),
            ask("memobjs", "opencl memobjs -json"),
            "detach",
        ]
        session = run_gdb(
            ["-p", str(truth["lwp"])], commands, variables, name="main-thread", all_symbols=True
        )
        warning = (
            "warning: GDB is attached to thread %(lwp)d of process %(pid)d alone, whose main "
            "thread (LWP %(pid)d) has ended and cannot be read." % truth
        )
        if running != 0:
            warning += (
                "  %d other threads run, so data may be missing or inconsistent; "
                "`ompd-opencl --pid %d` stops all." % (running, truth["pid"])
            )
        for name in ("overview", "threads"):
            lines = session.answer(name).output.splitlines()
            self.assertEqual(lines[0], warning, name)
        overview = session.answer("overview").output
        self.assertIn("\nOpenCL in process %(pid)d: " % truth, overview)
        self.assertEqual([row["size"] for row in session.answer("memobjs").rows()], [64])
        if recorder:
            threads = session.answer("threads").output
            self.assertIn("1  LWP %(lwp)d (thread 1)  outside" % truth, threads)

    def test_recorded(self) -> None:
        self._check("icd", recorder=True)

    def test_unprepared(self) -> None:
        self._check("pocl", recorder=False)


if __name__ == "__main__":
    main()
