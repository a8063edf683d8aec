#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl ledger` and `opencl calls` in a stopped program, and the command on a core of the same
stop."""

from __future__ import annotations

import os
import unittest

from command import OK, run
from counted import ASKED, check_calls, check_rows, check_text, of, read
from harness import ask, main, program, recorder_alone, run_gdb, work_folder
from json_page import Page


class TestPocl(unittest.TestCase):
    """Kernel cores: testsuite/host/test_command_ledger.py."""

    def test_ledger(self) -> None:
        folder = work_folder("gdb-ledger")
        truth_path = os.path.join(folder, "truth")
        core = os.path.join(folder, "core")
        variables = dict(recorder_alone("pocl"), **ASKED)
        commands = ["break truth_stop", "run > " + truth_path, "set width 0"]
        commands += [
            ask("kept", "opencl ledger kept.handle"),
            ask("kept rows", "opencl ledger -json kept.handle"),
            ask("all", "opencl ledger -json"),
            ask("calls", "opencl calls -json"),
            ask("numbered", "opencl calls"),
            ask("first", "opencl ledger calls#1"),
            "gcore " + core,
            "kill",
        ]
        session = run_gdb([program("programs/ledger")], commands, variables, name="ledger")
        truth = read(truth_path)
        kept = of(truth, "kept")
        gone = of(truth, "gone")
        text = session.answer("kept").output
        check_text(self, kept, text)
        rows = session.answer("kept rows").rows()
        page = Page()
        page.check_answer(page.verbs["ledger"], [dict(row) for row in rows])
        check_rows(self, kept, rows)
        calls = session.answer("calls").rows()
        page.check_answer(page.verbs["calls"], [dict(row) for row in calls])
        check_calls(self, truth, calls)
        everything = session.answer("all").rows()
        self.assertTrue({row["kind"] for row in everything} >= {"event", "memobj", "context"})
        # The last call was about the context, which the ledger knows as well.
        self.assertIn("Created, 0 retained", session.answer("first").output)
        answer = run(["--core", core, "ledger", kept[0]["handle"]], variables)
        self.assertEqual(answer.code, OK, answer.errors)
        check_text(self, kept, answer.output)
        answer = run(["--core", core, "ledger", gone[0]["handle"]], variables)
        check_text(self, gone, answer.output)
        rows = run(["--core", core, "--json", "ledger", kept[0]["handle"]], variables).objects()
        check_rows(self, kept, rows)
        calls = run(["--core", core, "--json", "calls"], variables).objects()
        check_calls(self, truth, calls)
        os.unlink(core)


if __name__ == "__main__":
    main()
