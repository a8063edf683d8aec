#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl check` reports each mistake of a program, live and on a core of GDB, with and without the
recorder.  The command reports the same for that core.  Correct code gets no findings."""

from __future__ import annotations

import json
import os
import unittest
from typing import Dict, List

from command import run
from fitting import LAYOUT_PATH
from harness import (
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    recorder_alone,
    run_gdb,
    work_folder,
)
from json_page import Page
from mistakes import MISTAKES, NO_FINDINGS, expected, said
from unprepared_cases import RuntimeCase

FINDINGS = 1
LONG_NAME = "cache-" * 20  # the compiler names a file in it: a line that no record has room for
ON_CORE = (
    "host-unmapped",
    "callback-code",
    "released-unseen",
    "user-data-of-ended-thread",
)  # of which a core is written, too


class CheckCase(RuntimeCase):
    """How it is on a runtime."""

    def check_names(self, source: str, names: List[str]) -> None:
        """Make the mistakes NAMES, one after the other, in one GDB; SOURCE is "recorder", "layout"
        or "both"."""
        recorder = source != "layout"
        folder = work_folder("check-%s-%s" % (self.runtime, source))
        variables = dict(environment(self.runtime, recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        if source == "recorder":
            variables = recorder_alone(self.runtime)
        variables["POCL_CACHE_DIR"] = os.path.join(
            environment(self.runtime)["POCL_CACHE_DIR"], LONG_NAME
        )
        commands = ["handle SIGUSR2 nostop noprint pass", "break truth_stop"]
        for name in names:
            commands.append("run %s wrong > %s" % (name, os.path.join(folder, name)))
            commands += [ask(name, "opencl check"), ask(name + ".json", "opencl check -json")]
            commands += [
                ask(name + ".overview", "opencl"),
                ask(name + ".counted", "opencl overview -json"),
            ]
            if name in ON_CORE:
                commands.append("gcore " + os.path.join(folder, name + ".core"))
        commands += ["run all right > /dev/null", ask("right", "opencl check")]
        right_core = os.path.join(folder, "right.core")
        commands += [ask("right.overview", "opencl"), "gcore " + right_core, "kill"]
        words = [program("programs/mistake")]
        session = run_gdb(words, commands, variables, name="check")
        self.assertIsNone(session.answer("right").error, session.output[-2000:])
        self.assertEqual(session.answer("right").output.splitlines()[0], NO_FINDINGS)
        self.assertNotIn("mistake", session.answer("right.overview").output)
        answer = run(["--core", right_core, "check"], variables)
        self.assertEqual((answer.code, answer.output.splitlines()[0]), (0, NO_FINDINGS))
        os.unlink(right_core)
        for name in names:
            with self.subTest(name=name, source=source):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    truth = json.load(file)
                self._check_live(session, name, truth, recorder)
                if name in ON_CORE:
                    self._check_core(os.path.join(folder, name + ".core"), name, truth, variables)

    def _check_live(self, session: Session, name: str, truth: Row, recorder: bool) -> None:
        mistake = MISTAKES[name]
        self.assertEqual(said(session.answer(name).output), expected(mistake, truth, recorder))
        (overview,) = session.answer(name + ".counted").rows()
        if mistake.needs_recorder and not recorder:
            self.assertEqual(overview["findings"], 0)
            return
        # A build that failed is a fact: the recorder alone knows that a kernel was made of it.
        is_fact = name == "build-error" and not recorder
        counted = (overview["findings"], overview["failed_builds"])
        self.assertEqual(counted, (0, 1) if is_fact else (1, 0))
        words = "1 program's last build failed" if is_fact else "1 finding"
        self.assertIn(
            "  %s: see `opencl check`" % words,
            session.answer(name + ".overview").output.splitlines(),
        )
        (row,) = session.answer(name + ".json").rows()
        page = Page()
        page.check_answer(page.verbs["check"], [row])
        self.assertEqual(row["rule"], mistake.rule)
        if truth["object"] != "(nil)":
            self.assertEqual(row["object"], truth["object"])
        if recorder and "caller" in row:
            self.assertEqual(row["lwp"], truth["lwp"])

    def _check_core(self, core: str, name: str, truth: Row, variables: Dict[str, str]) -> None:
        recorder = "OPENCL_LAYERS" in variables
        mistake = MISTAKES[name]
        answer = run(["--core", core, "check"], variables)
        self.assertEqual(answer.code, FINDINGS, answer)
        self.assertEqual(said(answer.output), expected(mistake, truth, recorder))
        os.unlink(core)


class TestPocl(CheckCase):
    """Others, and other runtimes, are in testsuite/host/findings.py."""

    runtime = "pocl"

    def test_recorder(self) -> None:
        names = [
            "host-freed",
            "host-freed-queued",
            "host-on-stack",
            "host-unmapped",
            "callback-waits",
            "svm-used-by-kernel",
            "svm-freed-mapped",
            "build-error",
            "event-callback-code",
            "user-data-freed",
            "user-data-freed-svm",
            "user-data-freed-arena",
            "user-data-freed-large",
            "user-data-unmapped",
            "user-data-on-stack",
            "user-data-of-ended-thread",
            "over-release-often",
            "collected-queue",
            "read-after-release",
            "set-twice",
        ]
        self.check_names("recorder", names)

    def test_both(self) -> None:
        """What the recorder has noted is not what the runtime has, or is proved by that."""
        names = ["released-unseen", "released-unseen-reused", "another-unseen", "callback-unseen"]
        self.check_names("both", ["svm-freed-twice", *names])

    def test_layout(self) -> None:
        self.check_names(
            "layout",
            [
                "host-freed-small",
                "host-freed-queued",
                "host-on-stack",
                "callback-code",
                "svm-freed-twice",
                "build-error",
            ],
        )


class TestTaking(unittest.TestCase):
    """A runtime that takes what is wrong, as NVIDIA's does, and here the test suite's own."""

    def test_set_twice(self) -> None:
        """The recorder has seen it all the same."""
        path = os.path.join(work_folder("check-taking"), "truth")
        commands = ["break truth_stop", "run set-twice wrong > " + path]
        commands += [ask("check", "opencl check"), ask("errors", "opencl errors -json"), "kill"]
        words = [program("programs/mistake")]
        session = run_gdb(words, commands, environment("icd"), name="check-taking")
        with open(path, encoding="utf-8") as file:
            truth = json.load(file)
        mistake = MISTAKES["set-twice"]
        self.assertEqual(said(session.answer("check").output), expected(mistake, truth, True))
        errors = [row["error"] for row in session.answer("errors").rows()]
        self.assertEqual(errors.count("set-again"), 1, errors)


del CheckCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
