#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl destroyed` lists released objects, and `opencl object` identifies stale handles and
addresses, live and on a core of GDB.  The command reports the same for that core."""

from __future__ import annotations

import os
import unittest
from typing import Dict, List

from command import as_error, run
from departed import check, check_errors, read, read_errors, said, sentence
from harness import Row, ask, main, program, recorder_alone, run_gdb, work_folder
from json_page import Page

REFUSED = 2


class TestPocl(unittest.TestCase):
    """testsuite/host/gone.py has other runtimes and cores of the kernel."""

    def test_recorder(self) -> None:
        folder = work_folder("gone")
        truth_path = os.path.join(folder, "truth")
        core = os.path.join(folder, "core")
        variables = recorder_alone("pocl")
        commands = ["break truth_stop", "run > " + truth_path]
        commands += [ask("rows", "opencl destroyed -json"), ask("table", "opencl destroyed")]
        commands += [ask("errors", "opencl errors -json"), ask("refused", "opencl errors")]
        commands += [
            ask("first", "opencl object destroyed#1"),
            ask("none", "opencl object 1234567"),
            ask("host", "opencl object (char *)host + 70"),
            ask("live", "opencl object context"),
            ask("context", "opencl context context"),
            "gcore " + core,
            "kill",
        ]
        session = run_gdb([program("programs/gone")], commands, variables, name="gone")
        truth = read(truth_path)
        rows = session.answer("rows").rows()
        page = Page()
        page.check_answer(page.verbs["destroyed"], [dict(row) for row in rows])
        check(self, truth, rows)
        errors = session.answer("errors").rows()
        page.check_answer(page.verbs["errors"], [dict(row) for row in errors])
        check_errors(self, read_errors(truth_path), errors, session.answer("refused").output)
        lines = session.answer("table").output.splitlines()
        self.assertIn(truth[0]["handle"], [line for line in lines if line.split()[0] == "1"][0])
        # The handle may have been that of others before.
        wanted = sentence(truth[0], truth[0]["handle"] + " was ")
        self.assertEqual(said(session.answer("first").output)[: len(wanted)], wanted)
        # The parent of the sub-buffer, which went just before it, used the array `host`.
        parent = [row for row in truth if row["size"] == 64 << 10][0]
        self.assertIn(
            "byte 70 of the memory of " + sentence(parent), said(session.answer("host").output)
        )
        self.assertIn(
            "belongs to no live or recently destroyed object", session.answer("none").error or ""
        )
        live = session.answer("live").output
        self.assertTrue(live)
        self.assertEqual(live, session.answer("context").output)
        self._check_core(core, truth, rows, variables)

    def _check_core(
        self, core: str, truth: List[Row], rows: List[Row], variables: Dict[str, str]
    ) -> None:
        """The command on the same stop."""
        self.assertEqual(run(["--core", core, "--json", "destroyed"], variables).objects(), rows)
        for told in truth:
            answer = run(["--core", core, "object", told["handle"]], variables)
            self.assertEqual(answer.code, 0, answer)
            self.assertIn(sentence(told, told["handle"] + " was "), said(answer.output))
        told = truth[0]
        answer = run(["--core", core, "memobj", told["handle"]], variables)
        self.assertEqual(answer.code, REFUSED)
        wanted = "There is no memory object %s; it was " % told["handle"]
        self.assertIn(as_error(sentence(told, wanted)), said(answer.errors))
        os.unlink(core)


if __name__ == "__main__":
    main()
