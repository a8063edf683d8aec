#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`check` reports calls that come too late: in the child of a process that has used OpenCL, and
during exit(), in a process and its core, in the shell and in GDB, with and without the recorder."""

from __future__ import annotations

import glob
import json
import os
import signal
import subprocess
import unittest
from typing import Dict, List

from command import run
from fitting import LAYOUT_PATH, fitting_layout
from harness import THOROUGH, TIME_LIMIT, ask, environment, main, program, run_gdb, work_folder
from kernel_core import allow_core, skip_without_cores
from late_calls import LATE, Late, expected, said

WAITING = program("programs/waiting")
LISTS = ("contexts", "queues", "memobjs", "svm", "programs", "kernels", "samplers", "events")


def alive_of(target: List[str], variables: Dict[str, str]) -> str:
    """What is said of the objects that the lists of TARGET have."""
    count = 0
    for verb in LISTS:
        rows = run([*target, verb, "--json"], variables).objects()
        count += sum(row["confidence"] == "certain" for row in rows)
    return "; %d objects still exist" % count


class TestLateCalls(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        fitting_layout("pocl")

    def check(self, late: Late, how: str, recorder: bool) -> None:
        """All that is asked of the case, done wrongly or rightly."""
        folder = work_folder("late-%s" % late.case)
        variables = dict(environment("pocl", recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        with subprocess.Popen(
            [WAITING, late.case, how, "wait"],
            cwd=folder,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                truth = json.loads(process.stdout.readline())
                target = ["--pid", str(truth["lwp"])]
                is_told = recorder and how == "wrong" and "exit" in late.case
                alive = alive_of(target, variables) if is_told else ""
                wanted = expected(late, how, recorder, truth, alive)
                wanted[1][0] = wanted[1][0].replace("PID", str(process.pid))
                answer = run([*target, "check"], variables)
                self.assertEqual((answer.code, said(answer.output)), wanted)
                process.stdin.write("\n")
                process.stdin.flush()
                child = truth["lwp"] != process.pid
                self.assertEqual(process.wait(TIME_LIMIT), 0 if child else -signal.SIGABRT)
            finally:
                process.kill()
        (core,) = [path for path in glob.glob(folder + "/*core*")]
        answer = run(["--core", core, "check"], variables)
        self.assertEqual((answer.code, said(answer.output)), wanted)
        if THOROUGH or how == "wrong":
            commands = [ask("core", "opencl check")]
            session = run_gdb([WAITING, core], commands, variables, name="late")
            self.assertEqual(said(session.answer("core").output), wanted[1])
        os.unlink(core)

    def check_all(self, recorder: bool) -> None:
        """All cases."""
        skip_without_cores(self)
        for late in LATE:
            for how in ("wrong", "right"):
                with self.subTest(case=late.case, how=how):
                    self.check(late, how, recorder)

    def test_recorder(self) -> None:
        self.check_all(True)

    def test_alone(self) -> None:
        self.check_all(False)


if __name__ == "__main__":
    main()
