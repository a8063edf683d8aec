#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OMPD_OPENCL_DEBUG has the command log what the library does, on the standard error output: of a
process, of a core, and in the process that is confined."""

from __future__ import annotations

import os
from typing import Dict, List

import unittest

from command import OK, USAGE, Answer, run, write_core
from harness import TIME_LIMIT, environment, main, program, work_folder
from stopped import stopped

VARIABLE = "OMPD_OPENCL_DEBUG"
# How the lines begin that a level adds.
STARTS = {
    "refusals": ("bad input: ",),
    "decisions": ("recorder: accepted, ",),
    "lookups": ("module 0: ", 'symbol lookup "ompd_opencl_registry": 0x'),
    "reads": ("read ", "map "),
}


def log_of(answer: Answer) -> List[str]:
    """The lines of the log, without what each begins with."""
    lines = answer.errors.splitlines()
    for line in lines:
        if not line.startswith("ompd-opencl: "):
            raise AssertionError("no line of the log: " + line)
    return [line.partition(" ")[2] for line in lines]


def has(lines: List[str], level: str) -> bool:
    """Whether a line is one that only this level has, or a higher one."""
    return any(line.startswith(STARTS[level]) for line in lines)


class TestDebug(unittest.TestCase):
    variables: Dict[str, str] = {}
    core = ""

    @classmethod
    def setUpClass(cls) -> None:
        folder = work_folder("command-debug")
        cls.variables = environment("icd")
        cls.core = os.path.join(folder, "core")
        write_core("programs/truth-program", [folder], cls.core, cls.variables)

    def ask(self, target: List[str], level: str) -> Answer:
        """The memory objects, with a log."""
        return run([*target, "memobjs"], dict(self.variables, **{VARIABLE: level}))

    def check_levels(self, target: List[str]) -> None:
        """Each level has what it says and no more, and the answer is the same."""
        plain = run([*target, "memobjs"], self.variables)
        self.assertEqual((plain.code, plain.errors), (OK, ""))
        for level in ("", "off", "refusals"):
            answer = self.ask(target, level)
            self.assertEqual(answer, plain, level)
        levels = list(STARTS)
        for at, level in enumerate(levels[1:], 1):
            answer = self.ask(target, level)
            self.assertEqual((answer.code, answer.output), (plain.code, plain.output), level)
            lines = log_of(answer)
            for other in levels[1 : at + 1]:
                self.assertTrue(has(lines, other), (level, other))
            for other in levels[at + 1 :]:
                self.assertFalse(has(lines, other), (level, other))

    def test_core(self) -> None:
        """By the process that is confined, and by the command itself."""
        self.check_levels(["--core", self.core])
        self.check_levels(["--core", self.core, "--no-sandbox"])

    def test_process(self) -> None:
        words = [program("programs/truth-program"), work_folder("command-debug-live"), "wait"]
        with stopped(words, self.variables) as started:
            self.check_levels(started.target)
            started.process.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(started.process.returncode, 0)

    def test_refusal(self) -> None:
        """A call that fails is logged with the sentence that the user gets."""
        words = ["--core", self.core, "memobj", "0x10"]
        plain = run(words, self.variables)
        logged = run(words, dict(self.variables, **{VARIABLE: "refusals"}))
        self.assertEqual((logged.code, logged.output), (plain.code, plain.output))
        lines = log_of(logged)
        self.assertEqual(lines[-1], plain.errors.rstrip("\n").partition(" ")[2])
        self.assertTrue(any(line.startswith("unavailable: ") for line in lines[:-1]), lines)

    def test_wrong_level(self) -> None:
        for level in ("all", "5", "READS", "reads,"):
            answer = self.ask(["--core", self.core], level)
            self.assertEqual((answer.code, answer.output), (USAGE, ""))
            self.assertEqual(
                answer.errors,
                "ompd-opencl: %s: '%s' is not a level; use off, refusals, decisions, lookups or "
                "reads\n" % (VARIABLE, level),
            )

    def test_help(self) -> None:
        self.assertIn(VARIABLE, run(["--help"], self.variables).output)


if __name__ == "__main__":
    main()
