#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`run --stop-on-mistake` and `gdb --stop-on-mistake`: a program comes no further than its first
mistake.  A correct program and one with a note are not stopped."""

from __future__ import annotations

import os
import re
import subprocess
import time
import unittest
from typing import Dict, List

from command import COMMAND, FINDINGS, OK, run
from harness import RECORDER, environment, main, program, recorder_alone, work_folder

PROGRAM = "programs/rules"
SENTENCE = r"was used in clGetMemObjectInfo by its own destructor callback"


class TestStopOnMistake(unittest.TestCase):
    variables: Dict[str, str]

    def setUp(self) -> None:
        self.variables = dict(recorder_alone("pocl"), OMPD_OPENCL_RECORDER=RECORDER)

    def test_run(self) -> None:
        """It prints nothing after the mistake; the report begins with its place."""
        words = [program(PROGRAM), "callback-queries", "wrong", "end"]
        answer = run(["run", "--stop-on-mistake", *words], self.variables)
        self.assertEqual(answer.code, FINDINGS)
        self.assertEqual(answer.output, "")
        lines = answer.errors.splitlines()
        self.assertRegex(
            lines[0],
            r"^LWP \d+ was stopped at the first mistake, in clGetMemObjectInfo, called from "
            r"query at "
            r"rules-callbacks\.c:\d+:$",
        )
        self.assertRegex(lines[1], r"^    #0  query at rules-callbacks\.c:\d+$")
        self.assertRegex(
            answer.errors, r"\n.*/rules \(process \d+\) was terminated at its first mis"
        )
        self.assertRegex(answer.errors, r"\n1  Certain: buffer 0x\w+ %s" % SENTENCE)
        self.assertRegex(answer.errors, r"\nAlive when it died: 1 command queue\n")

    def test_json(self) -> None:
        words = [program(PROGRAM), "callback-queries", "wrong", "end"]
        report = os.path.join(work_folder("stop-on-mistake"), "run.json")
        answer = run(
            ["run", "--stop-on-mistake", "--json", "--output", report, *words], self.variables
        )
        self.assertEqual(answer.code, FINDINGS)
        with open(report, encoding="utf-8") as file:
            rows = answer._replace(output=file.read()).objects()
        self.assertEqual(rows[0]["signal"], "SIGTRAP")
        self.assertEqual(rows[0]["findings"], 1)
        rules = [row["rule"] for row in rows if "rule" in row]
        self.assertEqual(rules, ["callback-uses-its-object"])

    def test_uses(self) -> None:
        """Uses of what was released, set or mapped stop it, too."""
        for case, call in (
            ("flush-released", "clFlush"),
            ("event-set-twice", "clSetUserEventStatus"),
            ("svm-mapped", "clSVMFree"),
        ):
            with self.subTest(case=case):
                words = [program(PROGRAM), case, "wrong", "end"]
                answer = run(["run", "--stop-on-mistake", *words], self.variables)
                self.assertEqual((answer.code, answer.output), (FINDINGS, ""))
                self.assertRegex(answer.errors, r"^LWP \d+ was stopped at .* in %s, called" % call)

    def test_no_mistake(self) -> None:
        """A correct program, one with a note, and one that is not to be stopped."""
        for words in (["callback-queries", "right"], ["callback-registered-twice", "wrong"]):
            answer = run(
                ["run", "--stop-on-mistake", program(PROGRAM), *words, "end"], self.variables
            )
            self.assertEqual(answer.code, OK, answer.errors)
            self.assertIn("exited with status 0.", answer.errors)
        answer = run(["run", program(PROGRAM), "callback-queries", "wrong", "end"], self.variables)
        self.assertEqual(answer.code, FINDINGS)
        self.assertIn("exited with status 0.", answer.errors)
        self.assertRegex(
            answer.errors, r"\n   Made on %s-\d\d-\d\d \d\d:\d\d" % time.gmtime().tm_year
        )

    def test_gdb(self) -> None:
        """GDB stops in the program's frame, with the sentence."""
        output = self._gdb([program(PROGRAM), "callback-queries", "wrong"])
        self.assertRegex(output, r"Catchpoint 1 \(opencl mistake\), buffer 0x\w+ %s" % SENTENCE)
        self.assertRegex(
            output, r"(?s)\n#\d+ +\S+ in query \(.*\)\s+at \S*rules-callbacks\.c:\d+\n"
        )
        output = self._gdb([program(PROGRAM), "callback-queries", "right", "end"])
        self.assertIn("exited normally", output)
        self.assertNotIn("Catchpoint 1 (opencl mistake), ", output)

    def test_gdb_refuses_cores(self) -> None:
        core = os.path.join(work_folder("stop-on-mistake"), "core")
        with open(core, "wb") as file:
            file.write(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x04\x00" + bytes(46))
        answer = run(["gdb", "--stop-on-mistake", core], self.variables)
        self.assertEqual(answer.code, 2)
        self.assertIn("--stop-on-mistake applies to a program or process", answer.errors)

    def _gdb(self, words: List[str]) -> str:
        """What GDB prints, whose input has a command and then ends."""
        variables = dict(environment("pocl", recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        done = subprocess.run(
            [COMMAND, "gdb", "--stop-on-mistake", *words],
            input="kill\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(variables, HOME=work_folder("stop-on-mistake")),
            universal_newlines=True,
            check=False,
        )
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.stdout)


if __name__ == "__main__":
    main()
