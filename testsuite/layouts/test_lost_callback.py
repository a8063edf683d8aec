#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program dies when it calls a destructor callback whose code is unmapped.  The object is shown,
as doubtful without the recorder; the callback has an address outside all libraries; and the call is
shown, too.  If a runtime has removed the callbacks from the object, a layout shows none and has no
doubt; nor does it show that the object is being destroyed if the runtime keeps it alive."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Dict, List, NamedTuple

from command import INCOMPLETE, OK, run
from fitting import LAYOUT_PATH
from harness import (
    Row,
    ask,
    environment,
    main,
    program,
    run_gdb,
    split_table,
    thorough,
    work_folder,
)
from unprepared import without_untold
from unprepared_cases import RuntimeCase

FINDINGS = 1
DOUBT = "the destructor callback that it runs has no code"
TABLES = ("memobjs", "destructors")


class Death(NamedTuple):
    """The answers about a program that died so: by table, "TABLE" as text and "TABLE -json"."""

    truth: Row
    by_gdb: Dict[str, str]
    by_command: Dict[str, str]
    verdict: Row
    line: str

    def rows(self, table: str) -> List[Row]:
        """By GDB, live, and by the command, of the core: they must be the same."""
        rows: List[Row] = json.loads(self.by_gdb[table + " -json"])
        told = [json.loads(line) for line in self.by_command[table + " -json"].splitlines()]
        if rows != told:
            raise AssertionError("%s\n%s" % (rows, told))
        return without_untold(rows)[0]


def die(end: str, runtime: str, recorder: bool, verdict_code: int = FINDINGS) -> Death:
    """Have the program die under GDB; then ask GDB, and the command about the core of it, of which
    VERDICT_CODE is what the command ends with when it gives its verdict."""
    folder = work_folder("lost-callback-%s-%s" % (runtime, end))
    variables = dict(environment(runtime, recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
    core = os.path.join(folder, "core")
    output = os.path.join(folder, "output")
    questions = [table + json_option for table in TABLES for json_option in ("", " -json")]
    commands = ["handle SIGUSR2 nostop noprint pass", "run %s > %s" % (end, output)]
    commands += [ask(question, "opencl " + question) for question in questions]
    commands += ["gcore " + core, "kill"]
    words = [program("programs/lost-callback")]
    session = run_gdb(words, commands, variables, name="lost-callback")
    with open(output, encoding="utf-8") as file:
        truth = json.loads(file.readline())
    by_command = {}
    for question in questions:
        answer = run(["--core", core, *question.replace(" -", " --").split()], variables)
        is_untold = answer.code == INCOMPLETE and " does not cover " in answer.output
        assert answer.code == OK or is_untold, answer
        by_command[question] = answer.output
    line = run(["triage", core], variables)
    assert line.code == verdict_code, line
    verdict = run(["triage", "--json", core], variables).objects()[0]
    shutil.rmtree(folder)
    by_gdb = {question: session.answer(question).output for question in questions}
    return Death(truth, by_gdb, by_command, verdict, line.output)


class LostCallback(RuntimeCase):
    def check_by_layout(self, end: str) -> None:
        is_told = self.tells_svm() and (self.calls_later() or not self.takes_callbacks())
        death = die(end, self.runtime, False, FINDINGS if is_told else INCOMPLETE)
        if self.takes_callbacks():
            self._check_taken(death)
            return
        lost = self._find(death, "doubtful")
        self.assertEqual(lost["doubt"], "callback")
        for text in (death.by_gdb["memobjs"], death.by_command["memobjs"]):
            self.assertIn("!  1 memory object: doubtful: " + DOUBT, text.splitlines())
        rows = death.rows("destructors")
        self.assertEqual([row["user_data"] for row in rows], ["0x1001", "0x1002"])
        self._check_nowhere(death, rows, "Presumed, not proved: ")

    def _check_taken(self, death: Death) -> None:
        """The callbacks are "not observed", not "none"."""
        if self.calls_later():  # the callback, which never began, put the object nowhere
            self._find(death, "certain", "live")
            self.assertEqual(death.rows("destructors"), [])
            self._check_call(death)
            return
        lost = self._find(death, "presumed")
        self.assertNotIn("doubt", lost)
        self.assertIsNone(lost["destructors"])
        self.assertEqual(lost["unknown"]["destructors"], "not observed")
        self.assertEqual(death.rows("destructors"), [])
        for text in (death.by_gdb["destructors"], death.by_command["destructors"]):
            self.assertIn("does not tell the destructor callbacks of 1 object that is", text)
        self._check_call(death)

    def check_by_recorder(self, end: str) -> None:
        death = die(end, self.runtime, True)
        self._find(death, "certain")
        rows = death.rows("destructors")
        states = {row["user_data"]: row["state"] for row in rows}
        self.assertEqual(states, {"0x1001": "running", "0x1002": "registered"})
        self._check_nowhere(death, rows, "In all rows below: ")

    def _find(self, death: Death, confidence: str, state: str = "destroying") -> Row:
        """The object, of which one is this sure."""
        rows = {row["handle"]: row for row in death.rows("memobjs") if row.get("doubt") != "place"}
        self.assertEqual(set(rows), {death.truth["kept"], death.truth["lost"]})
        lost = rows[death.truth["lost"]]
        self.assertEqual((lost["state"], lost["confidence"]), (state, confidence))
        self.assertEqual(rows[death.truth["kept"]]["state"], "live")
        return lost

    def _check_nowhere(self, death: Death, rows: List[Row], sure: str) -> None:
        """The callback is an address alone, said once of both rows, and so is what was called."""
        function = death.truth["function"]
        for row in rows:
            self.assertEqual(row["function"], function)
            for key in ("symbol", "file", "module", "module_offset"):
                self.assertNotIn(key, row)
        for text in (death.by_gdb["destructors"], death.by_command["destructors"]):
            said, table = split_table(text.splitlines())
            self.assertRegex(said, r"%s([^.]+, )?callback %s[.,]" % (sure, function))
            self.assertEqual(sum(re.match(r" *\d+  ", line) is not None for line in table), 2)
        self._check_call(death)

    def _check_call(self, death: Death) -> None:
        """What was called has no code, and is said by its address."""
        function = death.truth["function"]
        self.assertEqual(death.verdict["called"], function)
        thread = "[^;<]*clone3?" if self.calls_later() else "main"
        self.assertRegex(death.verdict["frames"][-1], "^%s$" % thread)
        who = "(, in| from) ([^;<]+ < )*%s; " % thread
        self.assertRegex(death.line, " died of SIGSEGV, called address %s%s" % (function, who))


class TestPocl(LostCallback):
    runtime = "pocl"

    def test_by_layout(self) -> None:
        self.check_by_layout("beyond")

    def test_by_recorder(self) -> None:
        self.check_by_recorder("beyond")


class TestOclgrind(LostCallback):
    runtime = "oclgrind"

    def test_by_layout(self) -> None:
        self.check_by_layout("unmapped")


@thorough
class TestRusticl(LostCallback):
    runtime = "rusticl"

    def test_by_layout(self) -> None:
        self.check_by_layout("unmapped")


del LostCallback, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
