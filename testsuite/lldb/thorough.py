#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make check-long PART=lldb`: the opencl commands in LLDB on each runtime, live, attached and on
cores of the kernel, with each reader; and slow cases of problems in LLDB."""

from __future__ import annotations

import glob
import os
import signal
import subprocess
import unittest
from typing import Dict, List

from comparing import assert_truth
from harness import Session, environment, main, program, read_truth, work_folder
from kernel_core import allow_core, skip_without_cores
from lldb_runner import (
    ask,
    core_of_lost_program,
    find_lldb,
    launch,
    questions,
    run_lldb,
    start_lldb,
)
from runtime_cases import STOPS, assert_overview
from test_lldb_stops import COST

TRUTH = "programs/truth-program"
BY_LLDB = ["opencl set reader lldb", "opencl set search on"]
MANY = 10000


def compare(folder: str, session: Session, truth_stop: str, stop: str) -> None:
    """The answers at a STOP, compared with what the program wrote."""
    truth = read_truth(folder, truth_stop)
    assert_truth(truth, session, stop)
    assert_overview(truth, session.answer(stop + ".overview").rows()[0])


class RuntimeCase(unittest.TestCase):
    """How it is seen on a runtime."""

    def check(self, runtime: str) -> None:
        """Live, read by the host library and by LLDB, and at two stops cores of the kernel."""
        find_lldb()
        variables = environment(runtime)
        folder = work_folder("lldb-" + runtime)
        commands = launch(folder)
        for stop in STOPS:
            commands += [*questions(stop), *BY_LLDB, *questions(stop + "-lldb")]
            commands += ["opencl set reader auto", "process continue"]
        session = run_lldb([program(TRUTH)], [*commands, "kill"], variables)
        for stop in STOPS:
            compare(folder, session, stop, stop)
            compare(folder, session, stop, stop + "-lldb")

    def check_cores(self, runtime: str) -> None:
        """Of the kernel."""
        skip_without_cores(self)
        find_lldb()
        for stop in STOPS:
            folder = work_folder("lldb-kernel-" + runtime)
            done = subprocess.run(
                [program(TRUTH), folder, "abort-" + stop],
                cwd=folder,
                env=environment(runtime),
                preexec_fn=allow_core,
                check=False,
            )
            self.assertEqual(done.returncode, -signal.SIGABRT)
            (core,) = [path for path in glob.glob(folder + "/*") if "json" not in path]
            words = ["-c", core, program(TRUTH)]
            session = run_lldb(words, questions(stop), environment(runtime))
            compare(folder, session, stop, stop)
            os.unlink(core)


class TestRuntimes(RuntimeCase):
    def test_pocl(self) -> None:
        self.check("pocl")

    def test_oclgrind(self) -> None:
        self.check("oclgrind")

    def test_rusticl(self) -> None:
        self.check("rusticl")

    def test_pocl_cores(self) -> None:
        self.check_cores("pocl")

    def test_oclgrind_cores(self) -> None:
        self.check_cores("oclgrind")

    def test_rusticl_cores(self) -> None:
        self.check_cores("rusticl")


class TestRest(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")
        cls.folder = work_folder("lldb-thorough")

    def test_running(self) -> None:
        """A program that runs is asked to be stopped."""
        path = program(TRUTH)
        with subprocess.Popen(
            [path, self.folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            self.assertEqual(process.stdout.readline(), "main\n")
            commands = questions("main")
            commands += ["script lldb.debugger.SetAsync(True)", "process continue"]
            commands += [ask("running", "opencl overview"), "script lldb.debugger.SetAsync(False)"]
            session = run_lldb(
                ["-p", str(process.pid)], [*commands, "process interrupt", "detach"], self.variables
            )
            assert_truth(read_truth(self.folder, "main"), session, "main")
            process.communicate("\n\n\n\n")
        self.assertEqual(process.returncode, 0)
        self.assertEqual(
            session.answer("running").error,
            "The program is running: stop it first with `process interrupt`.",
        )

    def test_minidump(self) -> None:
        """What LLDB saves by itself has stacks alone: that is a sentence."""
        folder = work_folder("lldb-minidump")
        core = os.path.join(folder, "minidump")
        saved = [*launch(folder), "process save-core " + core, "kill"]
        run_lldb([program(TRUTH)], saved, self.variables)
        session = run_lldb(["-c", core], [ask("memobjs", "opencl memobjs")], self.variables)
        self.assertRegex(str(session.answer("memobjs").error), r"^[A-Z].* cannot be read\.$")

    def test_moved(self) -> None:
        """A core whose program LLDB is given at another place."""
        folder = work_folder("lldb-moved")
        core = core_of_lost_program(TRUTH, folder, self.variables)
        session = run_lldb(["-c", core, program(TRUTH)], questions("main"), self.variables)
        assert_truth(read_truth(folder, "main"), session, "main")
        os.unlink(core)

    def test_alone(self) -> None:
        """Without the recorder, read by LLDB: that is an error, and no search."""

        def said(*commands: str) -> "subprocess.CompletedProcess[str]":
            asked = [*launch("10", "0"), "opencl set reader lldb", *commands, "kill"]
            path = program("programs/many-buffers")
            return start_lldb([path], asked, environment("pocl", recorder=False))

        done = said("opencl memobjs")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(
            done.stderr,
            r"error: No OpenCL recorder in process \d+, and searching its memory for objects %s: "
            r"`opencl set search on` allows that\." % COST,
        )
        done = said("opencl set search on", "opencl memobjs")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\n[ ~]*10  0x[0-9a-f]+")

    def test_many(self) -> None:
        """Ten thousand, whoever reads."""
        commands: List[str] = launch(str(MANY), "0")
        commands += [ask("host", "opencl memobjs --json"), *BY_LLDB]
        commands += [ask("lldb", "opencl memobjs --json"), "kill"]
        session = run_lldb([program("programs/many-buffers")], commands, environment("pocl"))
        rows = session.answer("host").rows()
        self.assertEqual(len(rows), MANY)
        self.assertEqual(rows, session.answer("lldb").rows())


if __name__ == "__main__":
    main()
