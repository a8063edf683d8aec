#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list has the expected values on cores that the kernel writes when a program aborts."""

import glob
import os
import signal
import subprocess
import unittest

from comparing import assert_truth
from harness import environment, main, program, read_truth, run_gdb, work_folder
from kernel_core import allow_core, skip_without_cores
from runtime_cases import STOPS, assert_overview, questions


class KernelCoreCase(unittest.TestCase):
    """How it is seen on a runtime."""

    def setUp(self) -> None:
        skip_without_cores(self)

    def check(self, runtime: str) -> None:
        """At both stops."""
        variables = environment(runtime)
        path = program("programs/truth-program", runtime)
        for stop in STOPS:
            with self.subTest(stop=stop):
                folder = work_folder("kernel-%s-%s" % (runtime, stop))
                done = subprocess.run(
                    [path, folder, "abort-" + stop],
                    cwd=folder,
                    env=variables,
                    preexec_fn=allow_core,
                    check=False,
                )
                self.assertEqual(done.returncode, -signal.SIGABRT)
                cores = [core for core in glob.glob(folder + "/*") if "json" not in core]
                self.assertEqual(len(cores), 1, os.listdir(folder))
                session = run_gdb([path, cores[0]], questions(stop), variables, name="kernel")
                os.unlink(cores[0])
                truth = read_truth(folder, stop)
                assert_truth(truth, session, stop)
                assert_overview(truth, session.answer(stop + ".overview").rows()[0])


class TestKernelCore(KernelCoreCase):
    def test_pocl(self) -> None:
        self.check("pocl")

    def test_oclgrind(self) -> None:
        self.check("oclgrind")

    def test_rusticl(self) -> None:
        self.check("rusticl")


if __name__ == "__main__":
    main()
