# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of rule_cases.py: each mistake is reported in processes, in cores of the kernel, in GDB on
them, and at the end of `run`.  The correct twins have no finding."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import unittest
from typing import Dict, List, Tuple

from command import FINDINGS, OK, Answer, run
from fitting import LAYOUT_PATH, fitting_layout
from harness import TIME_LIMIT, Row, ask, environment, program, recorder_alone, run_gdb, some
from harness import work_folder
from kernel_core import allow_core, skip_without_cores
from rule_cases import Finding, RuleCase, findings_of, plain

PROGRAM = "programs/rules"

Twin = Tuple[RuleCase, str]  # "wrong" or "right"


def _is_clause(text: str) -> bool:
    """Whether it names the text that the rule is from."""
    return text.startswith(("OpenCL ", "Embree "))


class RuleTests(unittest.TestCase):
    """The cases of one file of the program, on one runtime."""

    cases: Tuple[RuleCase, ...] = ()
    runtime = ""

    def test_stops(self) -> None:
        """In a process, and in the core that the kernel writes."""
        skip_without_cores(self)
        for case, how in some(self._twins(), 8):
            with self.subTest(case=case.case, how=how):
                self._check_stops(case, how, self._variables(case))

    def test_gdb(self) -> None:
        """In GDB, in a core of the kernel."""
        skip_without_cores(self)
        for case, how in some(self._twins(), 2):
            with self.subTest(case=case.case, how=how):
                truth, core = self._write_core(case, how, self._variables(case))
                self._check_in_gdb(case, how, truth, core)
                os.unlink(core)

    def test_run(self) -> None:
        """At the end of the program."""
        for case, how in some(self._twins(), 8):
            with self.subTest(case=case.case, how=how):
                self._check_run(case, how)

    def test_alone(self) -> None:
        """Without the recorder."""
        skip_without_cores(self)
        fitting_layout(self.runtime)
        variables = dict(environment(self.runtime, False), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        cases = sorted(self._cases(), key=lambda case: case.alone == "")
        for case in some(cases, 2):
            with self.subTest(case=case.case):
                self._check_alone(case, variables)

    def _cases(self) -> List[RuleCase]:
        return [case for case in self.cases if self.runtime in case.runtimes]

    def _twins(self) -> List[Twin]:
        return [(case, how) for case in self._cases() for how in ("wrong", "right")]

    def _variables(self, case: RuleCase) -> Dict[str, str]:
        """The environment of a program under the recorder."""
        variables = recorder_alone(self.runtime)
        del variables["MALLOC_ARENA_MAX"]
        if case.is_thorough:
            variables["OMPD_OPENCL_CHECK"] = "thorough"
        return variables

    def _aborts(self, case: RuleCase, how: str) -> bool:
        return self.runtime in case.aborts and how == "wrong"

    def _check_stops(self, case: RuleCase, how: str, variables: Dict[str, str]) -> None:
        folder = work_folder(self._name(case))
        with self._start(case, how, folder, variables) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                truth = json.loads(process.stdout.readline())
                if not self._aborts(case, how):
                    answer = run(["--pid", str(process.pid), "check"], variables)
                    self._check(case, how, truth, answer)
                    process.stdin.write("\n")
                    process.stdin.flush()
                self.assertLess(process.wait(TIME_LIMIT), 0)
            finally:
                process.kill()
        core = self._core(folder)
        self._check(case, how, truth, run(["--core", core, "check"], variables))
        self._check_json(case, how, run(["--core", core, "check", "--json"], variables))
        os.unlink(core)

    def _check_run(self, case: RuleCase, how: str) -> None:
        words = [program(PROGRAM), case.case, how]
        if how == "right" or case.lasts:
            words.append("end")
        answer = run(["run", *words], self._variables(case))
        truth = json.loads(answer.output.splitlines()[0])
        if how == "right":
            self._check(case, how, truth, Answer(answer.code, answer.errors, ""))
        elif case.lasts:
            self._check_findings(case, truth, findings_of(answer.errors), answer.errors)
            is_clean = case.level == "Note" and not case.is_left
            self.assertEqual(answer.code, OK if is_clean else FINDINGS)

    def _check_alone(self, case: RuleCase, variables: Dict[str, str]) -> None:
        truth, core = self._write_core(case, "wrong", variables)
        answer = run(["--core", core, "check"], variables)
        os.unlink(core)
        wanted = [(case.alone_level, plain(case.alone.format(**truth)))] if case.alone else []
        found = findings_of(answer.output)
        self.assertEqual([(one.level, one.sentence) for one in found], wanted, answer.output)
        is_mistake = bool(case.alone) and case.alone_level != "Note"
        self.assertEqual(answer.code, FINDINGS if is_mistake else OK)
        self.assertIn("run the program under the recorder", answer.output)

    def _name(self, case: RuleCase) -> str:
        return "rules-%s-%s" % (self.runtime, case.case)

    def _start(
        self, case: RuleCase, how: str, folder: str, variables: Dict[str, str]
    ) -> "subprocess.Popen[str]":
        """Start the program, which aborts when it gets a line."""
        return subprocess.Popen(
            [program(PROGRAM), case.case, how, "wait"],
            cwd=folder,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            universal_newlines=True,
        )

    def _core(self, folder: str) -> str:
        (core,) = glob.glob(folder + "/*core*")
        return core

    def _write_core(self, case: RuleCase, how: str, variables: Dict[str, str]) -> Tuple[Row, str]:
        """The truth of the program, and a core of the kernel."""
        folder = work_folder(self._name(case))
        with self._start(case, how, folder, variables) as process:
            try:
                output, _ = process.communicate("\n", TIME_LIMIT)
            finally:
                process.kill()
        return json.loads(output), self._core(folder)

    def _check(self, case: RuleCase, how: str, truth: Row, answer: Answer) -> None:
        """What `check` or `run` says."""
        text = answer.output + answer.errors
        found = findings_of(text)
        if how == "right":
            self.assertEqual((found, answer.code), ([], OK), text)
            self.assertRegex(text, r"(?m)^No findings[.,]")
            return
        self._check_findings(case, truth, found, text)
        self.assertEqual(answer.code, OK if case.level == "Note" else FINDINGS, text)

    def _check_findings(self, case: RuleCase, truth: Row, found: List[Finding], text: str) -> None:
        wanted = [(case.level, plain(one.format(**truth))) for one in (case.sentence, *case.more)]
        self.assertCountEqual([(one.level, one.sentence) for one in found], wanted, text)
        for one in found:
            self.assertTrue(_is_clause(one.clause) or case.level == "Note", text)

    def _check_json(self, case: RuleCase, how: str, answer: Answer) -> None:
        """The rule's name."""
        rules = [row["rule"] for row in answer.objects() if "rule" in row]
        wanted = [case.rule] * (1 + len(case.more)) if how == "wrong" else []
        self.assertEqual(rules, wanted)

    def _check_in_gdb(self, case: RuleCase, how: str, truth: Row, core: str) -> None:
        """GDB has no exit code."""
        commands = [ask("check", "opencl check")]
        session = run_gdb(
            [program(PROGRAM), core], commands, self._variables(case), name=self._name(case)
        )
        answer = session.answer("check")
        self.assertIsNone(answer.error)
        is_mistake = how == "wrong" and case.level != "Note"
        code = FINDINGS if is_mistake else OK
        self._check(case, how, truth, Answer(code, answer.output, ""))
