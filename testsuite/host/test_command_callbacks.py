#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl callbacks` on a core of the kernel.  Without the recorder it says that it needs the
recorder."""

from __future__ import annotations

import glob
import os
import signal
import subprocess
import unittest
from typing import Dict, Tuple

from called import ASKED, check_events, check_rows, check_threads, read
from command import OK, run
from harness import environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores

UNREADABLE = 3


class TestCallbacks(unittest.TestCase):
    def setUp(self) -> None:
        skip_without_cores(self)

    def test_core(self) -> None:
        variables = dict(environment("pocl"), **ASKED)
        core, path = self._abort(variables)
        truth = read(path)
        answer = run(["--core", core, "--json", "callbacks"], variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        check_rows(self, truth, answer.objects())
        check_threads(self, truth, run(["--core", core, "--json", "threads"], variables).objects())
        check_events(self, truth, run(["--core", core, "--json", "events"], variables).objects())
        builds = run(["--core", core, "--json", "callbacks", "--kind", "program"], variables)
        self.assertEqual([row["symbol"] for row in builds.objects()], ["built"])
        os.unlink(core)

    def test_no_recorder(self) -> None:
        variables = environment("pocl", recorder=False)
        core, _ = self._abort(variables)
        answer = run(["--core", core, "callbacks"], variables)
        self.assertEqual((answer.code, answer.output), (UNREADABLE, ""))
        self.assertIn(
            "only the recorder knows callbacks of events and builds", answer.errors.lower()
        )
        os.unlink(core)

    def _abort(self, variables: Dict[str, str]) -> Tuple[str, str]:
        """Have the program abort; its core, and the file that it wrote."""
        folder = work_folder("callbacks")
        path = os.path.join(folder, "truth")
        with open(path, "wb") as file:
            done = subprocess.run(
                [program("programs/callbacks"), "abort"],
                cwd=folder,
                env=variables,
                stdout=file,
                stderr=subprocess.DEVNULL,
                preexec_fn=allow_core,
                check=False,
            )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = glob.glob(folder + "/*core*")
        self.assertEqual(len(cores), 1, os.listdir(folder))
        return cores[0], path


if __name__ == "__main__":
    main()
