#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl waits` follows each wait of a program to its end, live and on a core of GDB.  The command
reports the same for that core.  Slow code is not a mistake."""

from __future__ import annotations

import json
import os
from typing import Dict, List, Tuple

from command import run
from fitting import LAYOUT_PATH
from hangs import expected, expected_without_recorder, said
from harness import (
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    recorder_alone,
    run_gdb,
    thorough,
    work_folder,
)
from json_page import Page
from unprepared_cases import RuntimeCase

Case = Tuple[str, str]

ON_CORE = [
    ("user-read", "wrong"),
    ("several-events", "wrong"),
    ("callback-cycle", "wrong"),
    ("unflushed", "right"),
]


class WaitsCase(RuntimeCase):
    """How it is on a runtime."""

    def check_cases(self, cases: List[Case]) -> None:
        """Let the program hang in all CASES, one after the other, in one GDB: the thread that sees
        it calls abort, from which it does not come back to set anything."""
        folder = work_folder("gdb-waits-" + self.runtime)
        variables = recorder_alone(self.runtime)
        commands = ["handle SIGUSR2 nostop noprint pass"]
        for name, how in cases:
            path = os.path.join(folder, "%s-%s" % (name, how))
            commands.append("run %s %s > %s" % (name, how, path))
            commands += [ask(path, "opencl waits"), ask(path + ".json", "opencl waits -json")]
            commands += [ask(path + ".threads", "opencl threads")]
            if (name, how) in ON_CORE:
                commands.append("gcore %s.core" % path)
        commands.append("kill")
        session = run_gdb([program("programs/waiting")], commands, variables, name="waits")
        for name, how in cases:
            path = os.path.join(folder, "%s-%s" % (name, how))
            with self.subTest(name=name, how=how):
                self._check_case(session, path, (name, how), variables)

    def _check_case(
        self, session: Session, path: str, case: Case, variables: Dict[str, str]
    ) -> None:
        with open(path, encoding="utf-8") as file:
            truth: Row = json.load(file)
        code, lines = expected(*case, truth)
        self.assertEqual(said(session.answer(path).output), lines)
        rows = session.answer(path + ".json").rows()
        page = Page()
        page.check_answer(page.verbs["waits"], rows)
        self.assertEqual(sum(row.get("is_mistake", False) for row in rows) != 0, code == 1)
        if case == ("several-events", "wrong"):
            first = "event %s, one of 3 events" % truth["gate"]
            self.assertIn(first, session.answer(path + ".threads").output)
        if case in ON_CORE:
            answer = run(["--core", path + ".core", "waits"], variables)
            self.assertEqual((answer.code, said(answer.output)), (code, lines))
            os.unlink(path + ".core")


class TestPocl(WaitsCase):
    """Others, and on kernel cores, are in testsuite/host/waits.py."""

    runtime = "pocl"

    def test_recorder(self) -> None:
        self.check_cases(
            [
                ("user-read", "wrong"),
                ("several-events", "wrong"),
                ("several-events", "right"),
                ("user-set-later", "right"),
                ("event-cycle", "wrong"),
                ("callback-cycle", "wrong"),
                ("mutex-cycle", "wrong"),
                ("failed", "right"),
                ("slow-device", "right"),
                ("released-gate", "wrong"),
                ("own-lock", "wrong"),
                ("joined-owner", "wrong"),
                ("begun-unflushed", "right"),
                ("late-caller", "right"),
            ]
        )

    def test_without_recorder(self) -> None:
        """Stacks of threads show what they wait in, and a layout which user events are unset."""
        for name in ("user-finish", "callback-cycle", "own-lock"):
            with self.subTest(name=name):
                lines, expected_lines = self._without_recorder(name)
                self.assertEqual(lines, expected_lines)

    def _without_recorder(self, name: str) -> Tuple[List[str], List[str]]:
        """What the plugin says of a mistake, and what it should."""
        folder = work_folder("waits-layout")
        variables = dict(environment("pocl", False), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        truth_path = os.path.join(folder, "truth")
        commands = ["run %s wrong > %s" % (name, truth_path)]
        commands += [ask("waits", "opencl waits"), "kill"]
        session = run_gdb([program("programs/waiting")], commands, variables, name="waits")
        with open(truth_path, encoding="utf-8") as file:
            truth = json.load(file)
        expected_lines = expected_without_recorder(name, "wrong", truth)[1]
        return sorted(said(session.answer("waits").output)), expected_lines


@thorough
class TestRusticl(WaitsCase):
    runtime = "rusticl"

    def test_recorder(self) -> None:
        self.check_cases(
            [
                ("unflushed", "wrong"),
                ("unflushed", "right"),
                ("out-of-order", "wrong"),
            ]
        )


del WaitsCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
