#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`report` and `graph`: the command and GDB write the same page for a core, which has every row of
the lists and no buffer contents.  report.py tests the rest in a browser."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, List, Sequence

from command import OK, UNREADABLE, run
from harness import ask, main, run_gdb
from report_page import Page, text_of
from saved_snapshots import HELD, SECRET, SnapshotsCase, waiting
from unprepared import tool_environment

KEYS = ("handle", "pointer", "object", "lwp", "module")
NO_DOT = "Graphviz (the program dot) is not installed"


class TestReport(SnapshotsCase):
    """The page of one snapshot."""

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
            (page, "already exists; existing files are never overwritten"),
            (os.path.join(self.folder, "none", "page"), "cannot write '"),
        ):
            answer = run(["--core", look, "report", path], tool_environment())
            self.assertEqual(answer.code, UNREADABLE)
            self.assertTrue(answer.is_refusal(), answer.errors)
            self.assertIn(path, answer.errors)
            self.assertIn(sentence, answer.errors)
        with open(page, "rb") as file:
            self.assertEqual(file.read(), before)

    def check_without_dot(self, *target: str) -> None:
        """The page of a core, whose graph another process has drawn, or of a process."""
        path = os.path.join(self.folder, "page" + target[0])
        answer = run([*target, "report", path], self.environment())
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertIn("The report has no graph: %s.\n" % NO_DOT, answer.output)
        page = Page(path)
        self.assertIn("No graph: %s." % NO_DOT, page.text)
        self.assertEqual(page.graph, [])
        self.assertGreater(len(page.lists), 8)

    def check_in_gdb(self, core: str, verbs: Sequence[str] = ()) -> None:
        """GDB writes the same page and graph."""
        path = os.path.join(self.folder, "by-gdb")
        commands = [ask("report", "opencl report " + path), ask("again", "opencl report " + path)]
        commands.append(ask("graph", "opencl graph"))
        session = run_gdb([HELD, core], commands, tool_environment(), name="report")
        self.assertRegex(session.answer("report").output, r"^Report written to ")
        self.assertIn("already exists", session.answer("again").error or "")
        by_command = Page(os.path.join(self.folder, "page"))
        self.assertEqual(Page(path).comparable(), by_command.comparable())
        self.assertNotEqual(by_command.comparable(), by_command.source)
        graph = run(["--core", core, "graph"], tool_environment()).output
        self.assertEqual(session.answer("graph").output, graph)
        if by_command.graph:
            self.assertEqual(
                sum(re.match(r"n\d+$", title) is not None for title in by_command.graph),
                len(re.findall(r"^  n\d+ \[", graph, re.MULTILINE)),
            )

    def test_page(self) -> None:
        path = os.path.join(self.folder, "page")
        with waiting(self.folder, True) as process:
            target = ["--core", self.save(["--pid", str(process.pid)])]
            self.check_without_dot("--pid", str(process.pid))
        self.check_without_dot(*target)
        answer = run([*target, "report", path], tool_environment())
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        self.assertRegex(answer.output, r"\AReport written to \S+: [\d.]+ KiB, without buffer ")
        page = Page(path)
        self.assertNotIn(SECRET.decode(), page.source)
        self.assertEqual(set(page.badges), {"check", "waits", "leaks"})
        for verb in page.badges:
            self.assertIn(run([*target, verb], tool_environment()).output, page.text)
        self.check_rows(page, target)
        self.check_refusals(target[1], path)
        self.check_in_gdb(target[1])
        has_dot = shutil.which("dot", path=tool_environment().get("PATH")) is not None
        self.assertEqual(NO_DOT in page.text, not has_dot)
        if not has_dot:
            self.skipTest("Graphviz is not installed")


if __name__ == "__main__":
    main()
