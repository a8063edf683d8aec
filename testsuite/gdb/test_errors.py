#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""If there is nothing to show, each command says why in one sentence and changes nothing."""

import os
import shutil
import subprocess
import unittest
from typing import Dict, List, Sequence

from harness import (
    LISTS,
    Session,
    ask,
    environment,
    gdb_command,
    main,
    program,
    read_truth,
    run_gdb,
    work_folder,
)

COMMANDS = (
    "opencl",
    *("opencl " + name for name in LISTS),
    *("opencl %s -json" % name for name in LISTS),
    "opencl destructors",
    "opencl threads",
    "opencl threads -json",
    "opencl memory",
    "opencl memory -json",
    "opencl memobj 0x1234",
    "opencl context 0x1234",
    "opencl destructors 0x1234",
)
HIDDEN = "Not all of the target's modules could be read; runtimes may be missing."


def ask_all(commands: Sequence[str] = COMMANDS) -> List[str]:
    """Ask each command under its own name."""
    return [ask(command, command) for command in commands]


class TestErrors(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")

    def _all_fail(self, session: Session, pattern: str) -> None:
        for command in COMMANDS:
            error = session.answer(command).error
            self.assertIsNotNone(error, command)
            self.assertRegex(str(error), pattern, command)

    def test_no_process(self) -> None:
        self._all_fail(run_gdb([], ask_all(), self.variables), "(?i)process|program|target")

    def test_no_library(self) -> None:
        folder = work_folder("no-library")
        variables = dict(self.variables, OMPD_OPENCL_LIBRARY=folder + "/libompd-opencl.so.0")
        commands = ["break truth_stop", "run " + folder, *ask_all(), "kill"]
        session = run_gdb([program("programs/truth-program")], commands, variables)
        self._all_fail(session, "(?i)libompd-opencl")

    def test_not_started(self) -> None:
        words = [program("programs/truth-program")]
        self._all_fail(run_gdb(words, ask_all(), self.variables), "(?i)process|program|target")

    def test_no_opencl(self) -> None:
        commands = ["break truth_stop", "run", *ask_all(), "kill"]
        session = run_gdb([program("programs/no-opencl")], commands, self.variables)
        self._all_fail(session, "(?i)no OpenCL recorder and no OpenCL runtime")

    def _without_recorder(self, variables: Dict[str, str]) -> Session:
        """All commands, and the list of runtimes, on a runtime that no layout fits."""
        folder = work_folder("no-recorder")
        commands = ["break truth_stop", "run " + folder, *ask_all()]
        commands += [ask("runtimes", "opencl runtimes -json"), "kill"]
        session = run_gdb([program("programs/truth-program")], commands, variables)
        (runtime,) = session.answer("runtimes").rows()
        self.assertRegex(runtime["module"], "libtest-icd.so")
        self.assertNotIn("layout", runtime)
        return session

    def _all_rows(self, session: Session, folder: str) -> None:
        """Each list has as many rows as the program wrote, and the only message is that the
        program, whose file is deleted, could not be read."""
        truth = read_truth(folder, "main")
        for name in LISTS:
            rows = session.answer("opencl %s -json" % name).rows()
            notes = [row["unknown"].get("rows") for row in rows if "unreadable" in row]
            self.assertEqual(len(rows) - len(notes), len(truth[name]), name)
            self.assertIn(notes, ([], [HIDDEN]), name)

    def test_no_recorder(self) -> None:
        """The sentence names the runtime's build, and what to do about it."""
        session = self._without_recorder(environment("icd", recorder=False))
        pattern = (
            r"No layout matches libtest-icd\.so \(build-id [0-9a-f]{40}\); .*`ompd-opencl learn`"
        )
        self._all_fail(session, pattern)

    def test_no_layouts(self) -> None:
        """Where this machine has none, the recorder is what there is."""
        folder = work_folder("no-layouts")
        variables = dict(environment("icd", recorder=False), OMPD_OPENCL_LAYOUT_PATH=folder)
        self._all_fail(self._without_recorder(variables), "(?i)recorder.*OPENCL_LAYERS")

    def test_before_the_first_call(self) -> None:
        """The loader loads the recorder at the first call; then the registry has no objects."""
        commands = ["break truth_stop", "run", *ask_all(), "continue"]
        commands += [ask("later " + command, command) for command in COMMANDS] + ["kill"]
        session = run_gdb([program("programs/no-calls")], commands, self.variables)
        self._all_fail(session, "(?i)recorder|OpenCL call")
        for name in LISTS:
            self.assertEqual(session.answer("later opencl %s -json" % name).rows(), [])

    def test_after_the_process(self) -> None:
        """A process that has ended has nothing; neither has the plugin its old rows."""
        folder = work_folder("after")
        commands = ["break truth_stop", "run " + folder, ask("live", "opencl memobjs -json")]
        commands += ["kill", *ask_all()]
        session = run_gdb([program("programs/truth-program")], commands, self.variables)
        self.assertGreater(len(session.answer("live").rows()), 20)
        self._all_fail(session, "(?i)process|program|target")

    def test_core_without_its_program(self) -> None:
        """GDB then has no symbols: that is no reason to say that there was no recorder.  The host
        library, which reads in its place, finds them by the core alone."""
        folder = work_folder("core-alone")
        core = folder + "/core"
        commands = ["break truth_stop", "run " + folder, "gcore " + core, "kill"]
        gone = shutil.copy(program("programs/truth-program"), folder)
        run_gdb([gone], commands, self.variables)
        os.unlink(gone)  # a newer GDB finds the program of a core by itself
        for words in (["-c", core], [program("programs/no-opencl"), core]):
            with self.subTest(words=words):
                commands = ["set opencl reader gdb", *ask_all()]
                session = run_gdb(words, commands, self.variables)
                if session.answer("opencl").error is None:
                    self._all_rows(session, folder)  # GDB 18 finds the core's libraries by itself
                    continue
                self._all_fail(session, "(?i)recorder.*symbols|symbols.*recorder")
                for command in COMMANDS:
                    self.assertNotIn("No OpenCL recorder", str(session.answer(command).error))
        self._all_rows(run_gdb(["-c", core], ask_all(), self.variables), folder)
        os.unlink(core)

    def test_wrong_handles_and_options(self) -> None:
        folder = work_folder("wrong")
        run = ["break truth_stop", "run " + folder, "up", "up"]
        wrong = [
            "opencl memobj",
            "opencl memobj 0",
            "opencl memobj 0x10",
            "opencl memobj -1",
            "opencl memobj 0xffffffffffffffff",
            "opencl memobj population.context",
            "opencl memobj population.queue",
            "opencl memobj population.gate",
            "opencl memobj no_such_variable",
            "opencl memobj 1 +",
            "opencl memobj #",
            "opencl memobj #0",
            "opencl memobj #99999",
            "opencl memobj -nosuch 1",
            "opencl context stopper->handle",
            "opencl context",
            "opencl destructors stopper",
            "opencl destructors 0x10",
            "opencl destructors #99999",
            "opencl memobjs -kind nosuch",
            "opencl memobjs -kind",
            "opencl memobjs -min-size many",
            "opencl memobjs -min-size -1",
            "opencl memobjs -state nosuch",
            "opencl memobjs -context 0x10 -nosuch",
            "opencl memobjs -context no_such_variable",
            "opencl memobjs extra",
            "opencl svm -kind buffer",
            "opencl threads -kind buffer",
            "opencl threads -state live",
            "opencl threads extra",
            "opencl memory extra",
            "opencl memory -state waits",
            "opencl nosuch",
        ]
        right = ["opencl memobj stopper->handle", "opencl context population.context"]
        commands = [*run, *ask_all(wrong), *ask_all(right), "kill"]
        session = run_gdb([program("programs/truth-program")], commands, self.variables)
        for command in wrong:
            self.assertIsNotNone(session.answer(command).error, command)
        for command in right:
            self.assertIsNone(session.answer(command).error, command)

    def test_stale_handle(self) -> None:
        """A handle, and a number of the last list, of an object that has been destroyed since."""
        folder = work_folder("stale")
        commands = ["break truth_stop", "run " + folder, "continue"]
        commands += [ask("list", "opencl memobjs -state app-released")]
        commands += [ask("late", "opencl memobj late_row->handle"), ask("#2", "opencl memobj #2")]
        commands += ["continue", "continue", ask("gone", "opencl memobj late_row->handle")]
        commands += [ask("gone #2", "opencl memobj #2"), "kill"]
        session = run_gdb([program("icd/icd-program")], commands, self.variables)
        self.assertIsNone(session.answer("late").error)
        self.assertIn("app-released", session.answer("late").output)
        self.assertEqual(session.answer("#2").output, session.answer("late").output)
        self.assertIsNotNone(session.answer("gone").error)
        self.assertIsNotNone(session.answer("gone #2").error)

    def test_exit_status(self) -> None:
        """GDB's own exit status in batch mode is that of the last command."""
        folder = work_folder("status")
        words = [program("programs/truth-program")]
        run = ["break truth_stop", "run " + folder]
        failing = [["kill", "opencl"], ["opencl memobj 0x10"], ["opencl memobjs -kind nosuch"]]
        failing.append(["opencl nosuch"])
        for last in failing + [["opencl memobj 0x10", "opencl memobjs"]]:
            expected = 0 if last[-1] == "opencl memobjs" else 1
            done = subprocess.run(
                gdb_command(words, run + last),
                env=dict(self.variables, OMPD_TEST_ANSWERS=""),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                check=False,
            )
            self.assertEqual(done.returncode, expected, last)
            self.assertNotIn("Traceback", done.stderr)
            if expected:
                self.assertRegex(done.stderr.strip().splitlines()[-1], r"\w.*\.$")

    def test_truth_is_there(self) -> None:
        """The handles above are wrong among objects that are there."""
        folder = work_folder("there")
        commands = [
            "break truth_stop",
            "run " + folder,
            ask("list", "opencl memobjs -json"),
            "kill",
        ]
        session = run_gdb([program("programs/truth-program")], commands, self.variables)
        truth = read_truth(folder, "main")
        self.assertEqual(len(session.answer("list").rows()), len(truth["memobjs"]))


if __name__ == "__main__":
    main()
