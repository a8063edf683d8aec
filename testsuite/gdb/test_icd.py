#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What no runtime at hand can do, on the test suite's own vendor library.

Pipes, GL, EGL and vendor creators, calls that fail, callbacks that come late and on another thread,
destructor callbacks of an OpenCL context.
"""

import unittest

from comparing import assert_truth
from harness import ask, environment, main, program, read_truth, run_gdb, work_folder
from runtime_cases import questions

STOPS = ("main", "held", "late", "svm-free", "context")


class TestIcd(unittest.TestCase):
    def test_all_stops(self) -> None:
        folder = work_folder("icd")
        commands = ["break truth_stop", "run " + folder]
        for stop in STOPS:
            commands += questions(stop)
            commands.append(ask(stop + ".memobjs-text", "opencl memobjs"))
            commands.append("continue")
        session = run_gdb([program("icd/icd-program")], commands, environment("icd"), name="icd")
        self.assertIn("exited normally", session.output)
        for stop in STOPS:
            with self.subTest(stop=stop):
                assert_truth(read_truth(folder, stop), session, stop)


if __name__ == "__main__":
    main()
