#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls and callbacks that were left by longjmp(), a signal handler, the end of their thread or a
fork are over: all lists of the process, its child and its core agree."""

from __future__ import annotations

import glob
import json
import os
import re
import signal
import subprocess
import unittest
from typing import Dict, List

from command import OK, run
from harness import RECORDER, THOROUGH, Row, environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores


class TestLeft(unittest.TestCase):
    def rows(self, target: List[str], verb: str, variables: Dict[str, str]) -> List[Row]:
        answer = run([*target, "--json", verb], variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        return answer.objects()

    def nothing_runs(self, target: List[str], lwp: int, variables: Dict[str, str]) -> None:
        """Thread LWP is the only one, and in no call; nothing waits for it."""
        threads = self.rows(target, "threads", variables)
        self.assertEqual([(row["lwp"], row["state"]) for row in threads], [(lwp, "outside")])
        self.assertEqual([row["depth"] for row in threads], [0])
        self.assertNotIn("main thread", run([*target, "threads"], variables).output)
        overview = run([*target, "overview"], variables)
        self.assertNotRegex(overview.output, r"running|waits for|\n  LWP")
        check = run([*target, "check"], variables)
        self.assertEqual((check.code, check.errors), (OK, ""))

    def callbacks(self, target: List[str], variables: Dict[str, str]) -> Dict[str, object]:
        """Of each object, what its callback does, and who ran it."""
        rows = self.rows(target, "destructors", variables)
        return {row["object"]: (row["symbol"], row["state"], row["running_lwp"]) for row in rows}

    def check_process(self, truth: Row, target: List[str], variables: Dict[str, str]) -> None:
        self.nothing_runs(target, truth["lwp"], variables)
        expected = {
            truth["jumped"]: ("jump", "left", truth["lwp"]),
            truth["ended"]: ("end_thread", "left", truth["ended_lwp"]),
        }
        self.assertEqual(self.callbacks(target, variables), expected)
        waits = run([*target, "waits"], variables)
        self.assertNotIn("clFinish", waits.output)

    def check(self, runtime: str, way: str) -> None:
        variables = environment(runtime)
        folder = work_folder("left-" + runtime)
        with subprocess.Popen(
            [program("programs/left"), way],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            universal_newlines=True,
        ) as process:
            assert process.stdout is not None
            truth = json.loads(process.stdout.readline())
            try:
                target = ["--pid", str(truth["lwp"])]
                if way == "abort":
                    self.assertEqual(process.wait(), -signal.SIGABRT)
                    target = ["--core", *glob.glob(folder + "/*core*")]
                self.check_process(truth, target, variables)
                child = ["--pid", str(truth["child"])]
                self.nothing_runs(child, truth["child"], variables)
                expected = {truth["forked"]: ("start_child", "left", truth["lwp"])}
                self.assertEqual(self.callbacks(child, variables), expected)
            finally:
                os.kill(truth["child"], signal.SIGKILL)
                process.kill()
        for core in glob.glob(folder + "/*core*"):
            os.unlink(core)

    def test_process(self) -> None:
        self.check("pocl", "wait")
        if THOROUGH:
            self.check("rusticl", "wait")

    def test_main_thread(self) -> None:
        """Lists of threads and reports of waits say that the main thread has ended."""
        for runtime, recorder in (("icd", True), ("pocl", False)):
            variables = environment(runtime, recorder)
            with self.subTest(recorder=recorder), subprocess.Popen(
                [program("programs/left"), "main"],
                env=variables,
                stdout=subprocess.PIPE,
                universal_newlines=True,
            ) as process:
                assert process.stdout is not None
                try:
                    truth = json.loads(process.stdout.readline())
                    target = ["--pid", str(truth["pid"])]
                    answers = [
                        run([*target, verb], variables) for verb in ("overview", "threads", "waits")
                    ]
                finally:
                    process.kill()
                ended = r"The main thread \(LWP %d\) has ended; the process continues with "
                ended += "1 thread." if runtime == "icd" else r"\d threads."
                for answer in answers:
                    lines = [line.strip() for line in answer.output.splitlines()]
                    found = [line for line in lines if re.fullmatch(ended % truth["pid"], line)]
                    self.assertEqual(len(found), 1, answer)
                if recorder:
                    self.assertIn("1  LWP %d  outside" % truth["lwp"], answers[1].output)

    def test_end(self) -> None:
        """An object that was being destroyed when its callback was left does not count as left by
        the program."""
        variables = dict(environment("pocl", recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        answer = run(["run", program("programs/left"), "end"], variables)
        self.assertIn("\nLeft alive: 1 memory object (64 B)\n", answer.errors)

    def test_core(self) -> None:
        skip_without_cores(self)
        self.check("pocl", "abort")


if __name__ == "__main__":
    main()
