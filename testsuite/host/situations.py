#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One sentence names the cause of each mistake, in processes and in cores of the kernel and GDB, by
the command and in GDB, with the recorder.  Without it the sentence is the same, or says what is
missing.  Correct code gets no findings."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import unittest
from typing import List

from command import as_error, run
from fitting import LAYOUT_PATH, fitting_layout
from harness import (
    TIME_LIMIT,
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    run_gdb,
    work_folder,
)
from kernel_core import allow_core, skip_without_cores
from situation_cases import ALL, Situation, expected, said, words_of

HOWS = ("wrong", "right")


class Scene:
    """A program that makes a mistake, or does the same rightly."""

    def __init__(self, case: unittest.TestCase, situation: Situation, recorder: bool) -> None:
        self.case = case
        self.situation = situation
        self.recorder = recorder
        self.folder = work_folder("situations-" + situation.case)
        self.path = program("programs/" + situation.program)
        self.variables = dict(
            environment(situation.runtime, recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH
        )

    def check(self, how: str, truth: Row, code: int, text: str) -> None:
        """CODE and TEXT are what is to be said."""
        wanted = expected(self.situation, how, truth, self.recorder)
        self.case.assertEqual((code, said(self.situation, text)), wanted)

    def check_run(self, how: str) -> None:
        """The command runs the program itself."""
        answer = run(["run", self.path, self.situation.case, how], self.variables)
        self.check(how, {}, answer.code, answer.errors)

    def check_command(self, how: str) -> None:
        """Of the process, and of the core that the kernel writes, there in GDB too."""
        with subprocess.Popen(
            [self.path, self.situation.case, how, "wait"],
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                truth = json.loads(process.stdout.readline())
                dies = self.situation.dies and how == "wrong"
                if not dies:
                    self._ask(how, truth, "process", ["--pid", str(process.pid)])
                    process.stdin.write("\n")
                    process.stdin.flush()
                self.case.assertLess(process.wait(TIME_LIMIT), 0)
            finally:
                process.kill()
        (core,) = [path for path in glob.glob(self.folder + "/*core*")]
        self._ask(how, truth, "core", ["--core", core])
        self._ask_in_gdb(how, truth, core)
        os.unlink(core)

    def _ask(self, how: str, truth: Row, target: str, words: List[str]) -> None:
        with self.case.subTest(target=target):
            answer = run([*words, *words_of(self.situation, truth)], self.variables)
            self.check(how, truth, answer.code, answer.output + answer.errors)

    def _ask_in_gdb(self, how: str, truth: Row, core: str) -> None:
        """Of a core in GDB."""
        commands = [ask("core", "opencl " + " ".join(words_of(self.situation, truth)))]
        session = run_gdb([self.path, core], commands, self.variables, name="situations")
        self._check_answer(how, truth, "core", session)

    def check_gdb(self, how: str) -> None:
        """Of the process in GDB, and of the core that it writes."""
        output = os.path.join(self.folder, "truth")
        core = os.path.join(self.folder, "written")
        commands = [
            "handle SIGUSR2 nostop noprint pass",
            "break truth_stop",
            "run %s %s > %s" % (self.situation.case, how, output),
            self._question(output),
            "gcore " + core,
            "kill",
        ]
        session = run_gdb([self.path], commands, self.variables, name="situations")
        with open(output, encoding="utf-8") as file:
            truth = json.loads(file.readline())
        self._check_answer(how, truth, "process", session)
        self._ask(how, truth, "core", ["--core", core])
        self._ask_in_gdb(how, truth, core)
        os.unlink(core)

    def _question(self, path: str) -> str:
        """The GDB command that asks of the process, which has written its truth to PATH."""
        if not self.situation.asks_of_object:
            return ask("process", "opencl " + self.situation.verb)
        handle = "__import__('json').loads(open(%r).readline())['object']" % path
        return "python ask('process', 'opencl %s ' + %s)" % (self.situation.verb, handle)

    def _check_answer(self, how: str, truth: Row, target: str, session: Session) -> None:
        """The same lines, but for what GDB has instead of an exit code."""
        answer = session.answer(target)
        text = answer.output if answer.error is None else "ompd-opencl: " + as_error(answer.error)
        lines = expected(self.situation, how, truth, self.recorder)[1]
        with self.case.subTest(target=target, by="GDB"):
            self.case.assertEqual(said(self.situation, text), lines)


class TestSituations(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        for runtime in {situation.runtime for situation in ALL}:
            fitting_layout(runtime)

    def check(self, recorder: bool) -> None:
        """All of them."""
        skip_without_cores(self)
        for situation in ALL:
            for how in HOWS:
                with self.subTest(case=situation.case, how=how, recorder=recorder):
                    scene = Scene(self, situation, recorder)
                    if situation.verb != "run":
                        scene.check_command(how)
                        scene.check_gdb(how)
                    elif recorder:
                        scene.check_run(how)

    def test_recorder(self) -> None:
        self.check(True)

    def test_alone(self) -> None:
        self.check(False)


if __name__ == "__main__":
    main()
