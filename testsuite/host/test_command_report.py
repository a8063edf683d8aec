#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`report` and `graph`: the command and GDB write the same page of a core, which has every row that
the lists have and nothing of what is in buffers.  report.py has the rest, in a browser."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, List

from command import OK, UNREADABLE, run
from harness import ask, main, run_gdb
from report_page import Page, text_of
from saved_looks import HELD, SECRET, LooksCase, waiting
from unprepared import tool_environment

KEYS = ("handle", "pointer", "object", "lwp", "module")
NO_DOT = "Graphviz (the program dot) is not installed"


class TestReport(LooksCase):
    """The page of one look."""

    def environment(self) -> Dict[str, str]:
        """Where there is no dot, whatever is installed."""
        return dict(tool_environment(), PATH=os.path.join(self.folder, "empty"))

    def check_rows(self, page: Page, target: List[str]) -> None:
        """The lists of PAGE have the rows that the verbs list."""
        self.assertGreater(len(page.lists), 8)
        for verb, rows in page.lists.items():
            with self.subTest(verb=verb):
                listed = run([*target, verb, "--json"], tool_environment()).objects()
                self.assertEqual(len(rows), len(listed))
                key = next((key for key in KEYS if key in listed[0]), "order")
                self.assertEqual(
                    sorted(text_of(row[key]).split(" <")[0].replace("LWP ", "") for row in rows),
                    sorted(str(row[key]) for row in listed),
                )

    def check_refusals(self, look: str, page: str) -> None:
        """A file that is there stays as it is, and a folder that is not there gets none."""
        with open(page, "rb") as file:
            before = file.read()
        for path, sentence in (
            (page, "is there already, and nothing is written over"),
            (os.path.join(self.folder, "none", "page"), "cannot be written"),
        ):
            answer = run(["--core", look, "report", path], tool_environment())
            self.assertEqual(answer.code, UNREADABLE)
            self.assertTrue(answer.is_refusal(), answer.errors)
            self.assertIn("Nothing was written: " + path, answer.errors)
            self.assertIn(sentence, answer.errors)
        with open(page, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_page(self) -> None:
        page, by_gdb = (os.path.join(self.folder, name) for name in ("page", "by-gdb"))
        with waiting(self.folder, True) as process:
            look = self.save(["--pid", str(process.pid)])
        target = ["--core", look]
        answer = run([*target, "report", page], tool_environment())
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertRegex(answer.output, r"\AThe report is in \S+: [\d.]+ KiB, without what is in ")
        whole = Page(page)
        self.assertNotIn(SECRET.decode(), whole.source)
        self.assertEqual(set(whole.badges), {"check", "waits", "leaks"})
        for verb in whole.badges:
            said = run([*target, verb], tool_environment())
            self.assertIn(said.output, whole.text)
        self.check_rows(whole, target)
        graph = run([*target, "graph"], tool_environment()).output
        has_dot = shutil.which("dot", path=tool_environment().get("PATH")) is not None
        self.assertEqual(NO_DOT in whole.text, not has_dot)
        if has_dot:
            self.assertEqual(
                sum("->" not in title for title in whole.graph),
                len(re.findall(r"^  n\d+ \[", graph, re.MULTILINE)),
            )
        self.check_refusals(look, page)
        session = run_gdb(
            [HELD, look],
            [
                ask("report", "opencl report " + by_gdb),
                ask("again", "opencl report " + by_gdb),
                ask("graph", "opencl graph"),
            ],
            tool_environment(),
            name="report",
        )
        self.assertRegex(session.answer("report").output, r"^The report is in ")
        self.assertIn("is there already", session.answer("again").error or "")
        self.assertEqual(session.answer("graph").output, graph)
        self.assertEqual(Page(by_gdb).comparable(), whole.comparable())
        self.assertNotEqual(whole.comparable(), whole.source)
        if not has_dot:
            self.skipTest("Graphviz is not installed")

    def test_no_dot(self) -> None:
        """The page of a process, confined by nobody, and of a core where dot is not to be had."""
        page = os.path.join(self.folder, "page")
        with waiting(self.folder, True) as process:
            look = self.save(["--pid", str(process.pid)])
            for name, target in (("live", ["--pid", str(process.pid)]), ("core", ["--core", look])):
                answer = run([*target, "report", page + name], self.environment())
                self.assertEqual((answer.code, answer.errors), (OK, ""))
                self.assertIn("It has no graph: %s.\n" % NO_DOT, answer.output)
                whole = Page(page + name)
                self.assertIn("There is no graph: %s." % NO_DOT, whole.text)
                self.assertEqual(whole.graph, [])
                self.check_rows(whole, target)


if __name__ == "__main__":
    main()
