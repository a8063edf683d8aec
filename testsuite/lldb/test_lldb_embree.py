#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embree in LLDB: its commands, and summaries of handles, live and on a core of GDB."""

from __future__ import annotations

import os
import unittest
from typing import List

from embree import library
from embree_debuggers import debugger_environment
from harness import Session, ask as ask_gdb, main, program, run_gdb, work_folder
from lldb_runner import ask, find_lldb, run_lldb

PROGRAM = "programs/embree-accounts"
BYTES = 2626716  # of the first device with its scene, as its monitor has added them up
BOUND = "(?:at least )?"  # memory that a core may lack
OWN = r", 1 reference \(presumed\)\n"
VALUES = [  # of the scenario `alone`
    r"\[0\] = 0x0+[1-9a-f][0-9a-f]+ Embree device, BOUND%d B .*" % BYTES + OWN,
    r"\(RTCScene\) scene = 0x0+[1-9a-f][0-9a-f]+ Embree scene, committed, BOUND1 geometry, .*"
    + OWN,
    r"\(RTCGeometry\) geometry = 0x0+[1-9a-f][0-9a-f]+ Embree geometry, triangle, 30000 "
    r"primitives, 0 references \(presumed\), app-released \(presumed\)\n",
]
PAIRS = {
    "embree overview": "opencl embree",
    "embree devices": "opencl embree-devices",
    "embree buffers --json": "opencl embree-buffers --json",
    "embree geometry geometry": "opencl embree-geometry geometry",
}
OTHERS = ("opencl memobjs", "embree geometry devices[0]", "embree check", "embree leaks")


class EmbreeCase(unittest.TestCase):
    """How it is with one library."""

    name = ""

    def setUp(self) -> None:
        find_lldb()
        self.library = library(self.name)

    def check(self, session: Session, bound: str = "") -> None:
        """Check what the debugger shows where the scene is built."""
        shown = session.answer("values").output
        for words in VALUES:
            self.assertRegex(shown, words.replace("BOUND", bound))
        for ours, theirs in PAIRS.items():
            self.assertIsNone(session.answer(ours).error)
            self.assertEqual(session.answer(ours).output, session.answer(theirs).output)
        devices = session.answer("embree devices").output
        self.assertRegex(devices, "(?m)^1 +0x[0-9a-f]+ .*%d B" % BYTES)
        rows = session.answer("embree buffers --json").rows()
        self.assertEqual(len([row for row in rows if "handle" in row]), 2)

    def test_live(self) -> None:
        """A process, and what is refused."""
        condition = "name[0] == 98 && name[1] == 117"
        commands = ["breakpoint set --name step --condition '%s'" % condition]
        launch = "process launch --stdout /dev/null -- %s alone" % self.library
        commands += [launch, *self._questions()]
        commands += [ask(each, each) for each in OTHERS]
        session = run_lldb([program(PROGRAM)], [*commands, "kill"], debugger_environment())
        self.check(session)
        self.assertRegex(session.answer("embree check").output, "(?m)^No findings.$")
        self.assertRegex(session.answer("embree leaks").output, "(?i)no .*leak|not released|holds")
        no_opencl = "There is no OpenCL recorder and no OpenCL runtime in this process."
        self.assertEqual(session.answer("opencl memobjs").error, no_opencl)
        refused = session.answer("embree geometry devices[0]").error or ""
        self.assertRegex(
            refused, r"^devices\[0\] .* is an Embree device, not an Embree geometry: use "
        )

    def _questions(self) -> List[str]:
        asked = [each for pair in PAIRS.items() for each in pair]
        return [
            ask("values", "target variable devices scene geometry"),
            *(ask(each, each) for each in asked),
        ]

    def test_core(self) -> None:
        """A core that GDB has written."""
        core = os.path.join(work_folder("core-" + self.name), "core")
        stop = "break embree-accounts.c:step if name[0] == 'b' && name[1] == 'u'"
        commands = ["set args %s alone" % self.library, stop, "run", "gcore " + core]
        commands += [ask_gdb("bytes", "output first.bytes"), "kill"]
        variables = debugger_environment()
        written = run_gdb([program(PROGRAM)], commands, variables, plugin=False, name="lldb-embree")
        self.assertEqual(written.answer("bytes").output, str(BYTES))
        commands = ["target create --core %s %s" % (core, program(PROGRAM))]
        self.check(run_lldb([], [*commands, *self._questions()], variables), BOUND)


class TestEmbree3(EmbreeCase):
    name = "embree3"


class TestEmbree4(EmbreeCase):
    name = "embree4"


class TestEmbreex(EmbreeCase):
    name = "embreex"


del EmbreeCase  # it is of no library


if __name__ == "__main__":
    main()
