#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features that no installed runtime has, on the vendor library of the test suite.

Pipes, GL, EGL and vendor creation functions, vendor commands, failing calls, late callbacks on
other threads, destructor callbacks of an OpenCL context.
"""

import unittest

from comparing import assert_truth
from harness import Row, Session, ask, environment, main, program, read_truth, run_gdb, work_folder
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
        overview = session.answer("main.overview").rows()[0]
        self.assertEqual(overview["events"], read_truth(folder, "main")["counted_events"])
        self.assertEqual(overview["over_releases"], 1)
        self.assertEqual(overview["unknown_handles"], 2)
        truth = read_truth(folder, "main")["memobjs"]
        released = [row["handle"] for row in truth if row["state"] == "app-released"]
        self.assertEqual([overview["over_released"]], released)
        self._check_running(read_truth(folder, "late"), session)

    def _check_running(self, truth: Row, session: Session) -> None:
        """The overview names the thread that runs a callback, which is not the main one."""
        self.assertNotEqual(truth["lwp"], truth["pid"])
        text = session.answer("late.text").output
        self.assertRegex(
            text, r"1 destructor callback is running \(LWP %d, thread \d+\)" % truth["lwp"]
        )


if __name__ == "__main__":
    main()
