#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLDB never shows outdated values; breakpoints hide no code; an expensive search needs a request;
threads are shown even if LLDB cannot unwind their stacks."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict, List, Tuple

from command import write_core
from harness import Row, Session, environment, main, program, work_folder
from lldb_runner import ask, find_lldb, launch, run_lldb, start_lldb

TRUTH = "programs/truth-program"
# Before memory is searched, what that costs.
COST = r"would read up to [\d.]+ [KM]iB over LLDB's connection, about [\d.]+ s"
NO_PROCESS = "No process: start the program with `process launch`"
SESSION = "ompd_opencl_lldb.session(lldb.process)"
MAKE_BUFFER = "(void *)clCreateBuffer((void *)%s, (unsigned long)1, (unsigned long)4242, 0, 0)"


def what_it_does(row: Row) -> Tuple[str, str]:
    """A thread, at any run."""
    return str(row.get("state")), str(row.get("call"))


class LiveCase(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")
        cls.folder = work_folder("lldb-stops")

    def run_truth(self, commands: List[str]) -> Session:
        """The truth program at its first stop."""
        return run_lldb([program(TRUTH)], [*launch(self.folder), *commands], self.variables)


class TestStops(LiveCase):
    def test_changes(self) -> None:
        """What a stop shows once LLDB has done something at it."""
        commands = [*breakpoints(), *expression(), *memory_written()]
        commands += ["opencl set reader host", ask("by host", "opencl overview"), "kill"]
        session = self.run_truth(commands)
        with self.subTest("reader"):  # the host library reads the same
            self.assertIn(" memory objects ", session.answer("by host").output)
        with self.subTest("breakpoints"):
            found = re.findall(r"BREAKPOINTS (\d+) (\d+)", session.output)
            self.assertEqual(len(found), 2)
            self.assertGreater(min(int(there) for there, _seen in found), 0)
            self.assertEqual([seen for _there, seen in found], ["0", "0"])
        with self.subTest("expression"):
            told = [row["handle"] for row in session.answer("before").rows()]
            shown = session.answer("after").rows()
            (made,) = [row for row in shown if row["handle"] not in told]
            self.assertEqual((made["size"], made["flags"]), (4242, ["CL_MEM_READ_WRITE"]))
        with self.subTest("memory"):
            names = ("held", "written")
            before, after = (len(session.answer(name).rows()) for name in names)
            self.assertEqual(after, before + 1)

    def test_end(self) -> None:
        """Killed by LLDB, and from outside."""
        session = self.run_truth(
            [
                ask("alive", "opencl overview"),
                "kill",
                "script in_lldb.wait_for_end()",
                ask("killed", "opencl overview"),
                *launch(self.folder)[1:],
                ask("again", "opencl overview"),
                "script in_lldb.kill_from_outside()",
                ask("lost", "opencl memobjs"),
            ]
        )
        self.assertIn(" memory objects ", session.answer("alive").output)
        self.assertIn(" memory objects ", session.answer("again").output)
        self.assertIn(NO_PROCESS, str(session.answer("killed").error))
        self.assertNotIn("0x", session.answer("lost").output)
        self.assertIn("STATE ", session.output)
        self.assertIn("ENDED [False, True]", session.output)
        self.assertIsNotNone(session.answer("lost").error)


def breakpoints() -> List[str]:
    """They stay in memory while the process is stopped: the library is not to see them."""
    names = ("clWaitForEvents", "truth_write")
    commands = ["breakpoint set --name " + name for name in names]
    return commands + ["script in_lldb.tell_breakpoints(%r)" % name for name in names]


def expression() -> List[str]:
    """One that calls a function of OpenCL, which is no stop to LLDB."""
    context = "next(iter(%s.contexts())).handle" % SESSION
    return [
        ask("before", "opencl memobjs --json"),
        "script lldb.frame.EvaluateExpression(%r %% %s)" % (MAKE_BUFFER, context),
        ask("after", "opencl memobjs --json --min-size 4242"),
    ]


def memory_written() -> List[str]:
    """Memory that LLDB writes without notifying anyone: a handle."""
    ask_holders = "script in_lldb.ask(%r, 'opencl holders --json %%#x' %% handle)"
    return [
        "script handle = next(iter(%s.memobjs())).handle" % SESSION,
        ask_holders % "held",
        "script symbol = lldb.target.FindSymbols('truth_counts')[0].GetSymbol()",
        "script place = symbol.GetStartAddress().GetLoadAddress(lldb.target)",
        "script lldb.process.WriteMemory(place, handle.to_bytes(8, 'little'), lldb.SBError())",
        ask_holders % "written",
    ]


class TestThreads(unittest.TestCase):
    def test_stacks(self) -> None:
        """Without the recorder stacks show what threads do: for a process the longer of LLDB's and
        the host library's, for a core the latter.  LLDB 19 ends a stack that goes through
        `waiting_for_event`, which lies between the two parts of `stop`."""
        find_lldb()
        folder = work_folder("lldb-stacks")
        core = os.path.join(folder, "core")
        path, variables = program("programs/busy-threads"), environment("pocl", recorder=False)
        threads = ask("threads", "opencl threads --json")
        live = run_lldb([path], [*launch(folder, "shallow"), threads, "kill"], variables)
        write_core("programs/busy-threads", [folder, "shallow"], core, variables)
        told, expected = (
            sorted(map(what_it_does, session.answer("threads").rows()))
            for session in (live, run_lldb(["-c", core, path], [threads], variables))
        )
        self.assertGreater(len(expected), 5)
        self.assertEqual(told, expected)
        os.unlink(core)


class TestSearch(LiveCase):
    """If LLDB reads, memory is searched only on request."""

    def test_recorder(self) -> None:
        """Said once, and not among the rows."""
        commands = [*launch(self.folder), "opencl set reader lldb", "opencl memobjs"]
        commands += ["opencl memobjs --json", "kill"]
        done = start_lldb([program(TRUTH)], commands, self.variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("warning: only the recorder was used"), 1, done.stderr)
        self.assertRegex(done.stderr, COST)
        self.assertNotIn("connection", done.stdout)


if __name__ == "__main__":
    main()
