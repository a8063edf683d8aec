#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command follows every wait of a program on a core of the kernel, on each runtime.  Without
the recorder it says what is missing.  Correct programs get no findings."""

from __future__ import annotations

import glob
import json
import os
import signal
import subprocess
import unittest
from typing import List, Tuple

from command import Answer, run
from fitting import LAYOUT_PATH, fitting_layout
from hangs import HANGS, expected, expected_without_recorder, said
from harness import environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores
from runtime_cases import STOPS

MISTAKE = 1


class WaitsCase(unittest.TestCase):
    """How it is on a runtime."""

    def check(self, runtime: str) -> None:
        """All waits, with and without the recorder."""
        skip_without_cores(self)
        fitting_layout(runtime)
        for name, hang in HANGS.items():
            if runtime not in hang.runtimes:
                continue
            for how in ("wrong", "right"):
                with self.subTest(name=name, how=how):
                    words = ["waiting", name, how]
                    output, answer = self._abort(runtime, True, words)
                    self.assertEqual(
                        (answer.code, said(answer.output)), expected(name, how, json.loads(output))
                    )
                    output, answer = self._abort(runtime, False, words)
                    self.assertEqual(
                        (answer.code, sorted(said(answer.output))),
                        expected_without_recorder(name, how, json.loads(output), runtime),
                    )
        for stop in STOPS:
            with self.subTest(name="population", stop=stop):
                words = ["truth-program", work_folder("waits-" + runtime), "abort-" + stop]
                answer = self._abort(runtime, True, words)[1]
                self.assertNotEqual(answer.code, MISTAKE, answer)

    def _abort(self, runtime: str, recorder: bool, words: List[str]) -> Tuple[bytes, Answer]:
        """Have a program abort; then what the command says of its core."""
        folder = work_folder("waits-" + runtime)
        variables = dict(environment(runtime, recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        done = subprocess.run(
            [program("programs/" + words[0]), *words[1:]],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = [path for path in glob.glob(folder + "/*core*") if not path.endswith(".json")]
        self.assertEqual(len(cores), 1, os.listdir(folder))
        answer = run(["--core", cores[0], "waits"], variables)
        os.unlink(cores[0])
        return done.stdout, answer


class TestPocl(WaitsCase):
    def test_kernel_core(self) -> None:
        self.check("pocl")


class TestRusticl(WaitsCase):
    def test_kernel_core(self) -> None:
        self.check("rusticl")


del WaitsCase  # it is of no runtime


if __name__ == "__main__":
    main()
