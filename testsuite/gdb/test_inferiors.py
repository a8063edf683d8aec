#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several programs in one GDB: each shows its own objects; a core beside a live process."""

import unittest

from comparing import assert_truth
from harness import ask, ask_lists, environment, main, program, read_truth, run_gdb, work_folder


class TestInferiors(unittest.TestCase):
    def test_two_live(self) -> None:
        first = work_folder("inferior-1")
        second = work_folder("inferior-2")
        commands = [
            "set schedule-multiple off",
            "break truth_stop",
            "run " + first,
            "add-inferior -exec " + program("icd/icd-program"),
            "inferior 2",
            ask("empty", "opencl memobjs"),
            "run " + second,
            *ask_lists("second"),
            "inferior 1",
            *ask_lists("first"),
            "inferior 2",
            *ask_lists("again"),
            "kill",
            ask("killed", "opencl memobjs"),
            "inferior 1",
            *ask_lists("left"),
            "kill",
        ]
        words = [program("programs/truth-program")]
        session = run_gdb(words, commands, environment("icd"), name="inferiors", all_symbols=True)
        self.assertIsNotNone(session.answer("empty").error)
        self.assertIsNotNone(session.answer("killed").error)
        for stop, folder in (
            ("second", second),
            ("first", first),
            ("again", second),
            ("left", first),
        ):
            assert_truth(read_truth(folder, "main"), session, stop)

    def test_core_beside_live(self) -> None:
        folder = work_folder("inferior-core")
        other = work_folder("inferior-live")
        path = program("programs/truth-program")
        commands = [
            "break truth_stop",
            "run " + folder,
            "gcore %s/core" % folder,
            "kill",
            "run " + other,
            "add-inferior -exec " + path,
            "inferior 2",
            "core-file %s/core" % folder,
            *ask_lists("core"),
            "inferior 1",
            *ask_lists("live"),
            "kill",
        ]
        session = run_gdb([path], commands, environment("icd"), name="inferiors", all_symbols=True)
        assert_truth(read_truth(folder, "main"), session, "core")
        assert_truth(read_truth(other, "main"), session, "live")

    def test_run_again(self) -> None:
        """The same inferior run twice, and the plugin loaded twice."""
        folder = work_folder("inferior-again")
        commands = ["break truth_stop", "run " + folder, *ask_lists("first"), "kill"]
        commands += ["run " + folder, *ask_lists("second"), "kill"]
        words = [program("programs/truth-program")]
        session = run_gdb(words, commands, environment("icd"), name="inferiors", all_symbols=True)
        assert_truth(read_truth(folder, "main"), session, "second")
        self.assertGreater(len(session.answer("first.memobjs").rows()), 20)


if __name__ == "__main__":
    main()
