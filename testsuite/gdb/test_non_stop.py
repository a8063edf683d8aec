#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands in GDB's non-stop mode, with one thread stopped and others running, and with modules
whose files GDB has not read."""

import unittest
from typing import List

from comparing import assert_truth
from harness import Session, ask, ask_lists, main, program, read_truth, recorder_alone, run_gdb
from harness import work_folder

RUNNING = "threads are running, so data may be missing or inconsistent; `interrupt -a` stops all."


class TestNonStop(unittest.TestCase):
    folder = ""
    session: Session

    @classmethod
    def setUpClass(cls) -> None:
        """Threads of the program wait in OpenCL, and nothing stops them."""
        cls.folder = work_folder("non-stop")
        commands = ["set non-stop on", "break truth_stop", "run " + cls.folder + " shallow"]
        commands += [
            *ask_lists(),
            ask("text", "opencl threads"),
            ask("json", "opencl threads -json"),
        ]
        commands += ["thread 2", ask("running", "opencl memobjs"), "thread 1"]
        commands += ["set scheduler-locking off", ask("again", "opencl contexts"), "kill"]
        words = [program("programs/busy-threads")]
        variables = recorder_alone("pocl")
        cls.session = run_gdb(words, commands, variables, name="non-stop")

    def test_threads(self) -> None:
        """The selected thread is stopped: the activities of the others are shown, with a
        warning."""
        lines = self.session.answer("text").output.splitlines()
        self.assertRegex(lines[0], r"^warning: \d+ " + RUNNING + "$")
        told = [line for line in lines if "clFinish" in line or "clWaitForEvents" in line]
        self.assertGreater(len(told), 0)

    def test_json(self) -> None:
        """A warning is no JSON."""
        rows = self.session.answer("json").rows()
        truth = read_truth(self.folder, "busy")
        known = {thread["lwp"] for thread in truth["threads"]}
        self.assertGreater(len(rows), 3)
        self.assertLessEqual({row["lwp"] for row in rows}, known)

    def test_running_thread(self) -> None:
        """A command refuses a selected thread that is running."""
        self.assertEqual(
            self.session.answer("running").error,
            "The selected thread is running; select a stopped thread with `thread`, or stop all "
            "with `interrupt -a`.",
        )
        self.assertEqual(self.session.answer("again").error, None)


class TestUnreadModules(unittest.TestCase):
    """`nosharedlibrary` leaves GDB as it is in a container whose files it cannot read."""

    def _check(self, reader: str) -> None:
        folder = work_folder("unread-" + reader)
        commands: List[str] = ["break truth_stop", "run " + folder, "nosharedlibrary"]
        commands += ["set opencl reader " + reader, *ask_lists(), "kill"]
        words = [program("programs/truth-program")]
        variables = recorder_alone("icd")
        session = run_gdb(words, commands, variables, name="unread", all_symbols=True)
        assert_truth(read_truth(folder, "main"), session)

    def test_by_host(self) -> None:
        self._check("host")

    def test_by_gdb(self) -> None:
        """The dynamic linker's tables in the program's memory have the recorder's symbol."""
        self._check("gdb")


if __name__ == "__main__":
    main()
