#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command lists the objects that a crashed program had released, on a core of the kernel, on
each runtime.  Without the recorder, or if it kept none, the command says why."""

from __future__ import annotations

import glob
import os
import signal
import subprocess
import unittest
from typing import Dict, Tuple

from command import run
from departed import check, check_errors, read, read_errors, said, sentence
from harness import environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores

REFUSED = 2


class GoneCase(unittest.TestCase):
    """How it is on a runtime."""

    def check(self, runtime: str) -> None:
        skip_without_cores(self)
        variables = environment(runtime)
        core, path = self._abort(runtime, variables)
        truth = read(path)
        check(self, truth, run(["--core", core, "--json", "destroyed"], variables).objects())
        for told in truth:
            answer = run(["--core", core, "object", told["handle"]], variables)
            self.assertEqual(answer.code, 0, answer)
            self.assertIn(sentence(told, told["handle"] + " was "), said(answer.output))
        rows = run(["--core", core, "--json", "errors"], variables).objects()
        table = run(["--core", core, "errors"], variables).output
        check_errors(self, read_errors(path), rows, table)
        os.unlink(core)
        for reason, extra in (
            ("OMPD_OPENCL_HISTORY", {"OMPD_OPENCL_HISTORY": "0"}),
            ("only the recorder", {}),
        ):
            kept = dict(environment(runtime, bool(extra)), **extra)
            core = self._abort(runtime, kept)[0]
            for words in (["destroyed"], ["errors"], ["object", "0x1234"]):
                answer = run(["--core", core, *words], kept)
                self.assertNotEqual(answer.code, 0)
                self.assertIn(reason.lower(), answer.errors.lower())
            os.unlink(core)

    def _abort(self, runtime: str, variables: Dict[str, str]) -> Tuple[str, str]:
        """Have the program abort; its core, and the file that it wrote."""
        folder = work_folder("gone-" + runtime)
        path = os.path.join(folder, "truth")
        with open(path, "wb") as file:
            done = subprocess.run(
                [program("programs/gone"), "abort"],
                cwd=folder,
                env=variables,
                stdout=file,
                preexec_fn=allow_core,
                check=False,
            )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = glob.glob(folder + "/*core*")
        self.assertEqual(len(cores), 1, os.listdir(folder))
        return cores[0], path


class TestPocl(GoneCase):
    def test_kernel_core(self) -> None:
        self.check("pocl")


class TestRusticl(GoneCase):
    def test_kernel_core(self) -> None:
        self.check("rusticl")


del GoneCase  # it is of no runtime


if __name__ == "__main__":
    main()
