#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In LLDB nothing old is shown, whatever happened since; breakpoints hide no code; a search that is
dear is not made unasked."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import unittest
from typing import Dict, List

from comparing import assert_truth
from harness import Session, environment, main, program, read_truth, work_folder
from lldb_runner import ask, find_lldb, launch, questions, run_lldb, start_lldb

TRUTH = "programs/truth-program"
NO_PROCESS = "No process: start the program with `process launch`"
MAKE_BUFFER = "(void *)clCreateBuffer((void *)%s, (unsigned long)1, (unsigned long)4242, 0, 0)"


class LiveCase(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")
        cls.folder = work_folder("lldb-stops")

    def run_truth(self, commands: List[str], recorder: bool = True) -> Session:
        """The truth program at its first stop."""
        variables = self.variables if recorder else environment("icd", recorder=False)
        return run_lldb([program(TRUTH)], [*launch(self.folder), *commands], variables)


class TestStops(LiveCase):
    def test_expression(self) -> None:
        """One that calls a function of OpenCL is no stop to LLDB."""
        first = "[row.handle for row in ompd_opencl_lldb.session(lldb.process).contexts()][0]"
        make = "script lldb.frame.EvaluateExpression(%r %% %s)" % (MAKE_BUFFER, first)
        before, after = "opencl memobjs --json", "opencl memobjs --json --min-size 4242"
        session = self.run_truth([ask("before", before), make, ask("after", after), "kill"])
        told = [row["handle"] for row in session.answer("before").rows()]
        (made,) = [row for row in session.answer("after").rows() if row["handle"] not in told]
        self.assertEqual((made["size"], made["flags"]), (4242, ["CL_MEM_READ_WRITE"]))

    def test_written(self) -> None:
        """Memory that LLDB writes, which it tells nobody."""
        session = "ompd_opencl_lldb.session(lldb.process)"
        ask_holders = "script in_lldb.ask(%r, 'opencl holders --json %%#x' %% handle)"
        commands = [
            "script handle = next(iter(%s.memobjs())).handle" % session,
            ask_holders % "before",
            "script symbol = lldb.target.FindSymbols('truth_counts')[0].GetSymbol()",
            "script place = symbol.GetStartAddress().GetLoadAddress(lldb.target)",
            "script lldb.process.WriteMemory(place, handle.to_bytes(8, 'little'), lldb.SBError())",
            ask_holders % "after",
        ]
        told = self.run_truth([*commands, "kill"])
        before, after = (len(told.answer(name).rows()) for name in ("before", "after"))
        self.assertEqual(after, before + 1)

    def test_end(self) -> None:
        """Killed by LLDB, and by somebody else."""
        session = self.run_truth(
            [
                ask("alive", "opencl overview"),
                "kill",
                ask("killed", "opencl overview"),
                *launch(self.folder)[1:],
                ask("again", "opencl overview"),
                "script import os, signal; os.kill(lldb.process.GetProcessID(), signal.SIGKILL)",
                ask("lost", "opencl memobjs"),
            ]
        )
        self.assertIn(" memory objects ", session.answer("alive").output)
        self.assertIn(" memory objects ", session.answer("again").output)
        self.assertIn(NO_PROCESS, str(session.answer("killed").error))
        self.assertNotIn("0x", session.answer("lost").output)
        self.assertIsNotNone(session.answer("lost").error)

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

    def test_breakpoints(self) -> None:
        """They stay in memory while the process is stopped: the library is not to see them."""
        commands = ["breakpoint set --name clWaitForEvents", "breakpoint set --name truth_write"]
        for name in ("truth_write", "clWaitForEvents"):
            commands.append("script in_lldb.tell_breakpoints(%r)" % name)
        session = self.run_truth([*commands, "kill"])
        found = re.findall(r"BREAKPOINTS (\d+) (\d+)", session.output)
        self.assertEqual(len(found), 2)
        self.assertGreater(min(int(there) for there, _seen in found), 0)
        self.assertEqual([seen for _there, seen in found], ["0", "0"])


class TestSearch(LiveCase):
    """Where LLDB reads, memory is not searched before somebody has said so."""

    READER = "opencl set reader lldb"
    COST = r"would read up to [\d.]+ MiB over LLDB's connection, about [\d.]+ s"

    def _said(self, recorder: bool, commands: List[str]) -> "subprocess.CompletedProcess[str]":
        path, arguments = program(TRUTH), [self.folder]
        if not recorder:
            path, arguments = program("programs/many-buffers"), ["10", "0"]
        variables = environment("icd" if recorder else "pocl", recorder)
        asked = [*launch(*arguments), self.READER, *commands, "kill"]
        return start_lldb([path], asked, variables)

    def test_recorder(self) -> None:
        """Said once, and not among the rows."""
        done = self._said(True, ["opencl memobjs", "opencl memobjs --json"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("warning: only the recorder was asked"), 1, done.stderr)
        self.assertRegex(done.stderr, self.COST)
        self.assertNotIn("connection", done.stdout)

    def test_alone(self) -> None:
        """Nothing else tells of the objects: that is an error, and no search."""
        done = self._said(False, ["opencl memobjs"])
        self.assertEqual(done.returncode, 1)
        self.assertRegex(
            done.stderr,
            r"error: No OpenCL recorder in process \d+, and searching its memory for objects %s: "
            r"`opencl set search on` allows that\." % self.COST,
        )
        done = self._said(False, ["opencl set search on", "opencl memobjs"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\n[ ~]*1  0x[0-9a-f]+")


if __name__ == "__main__":
    main()
