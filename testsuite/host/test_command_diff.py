#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl diff`, and `opencl diff` in GDB: the changes between snapshots, cores of the kernel
and the present are what the program did, with and without the recorder."""

from __future__ import annotations

import json
import os
import unittest
from typing import List

import registry_view as registry
from command import FINDINGS, INCOMPLETE, OK, UNREADABLE, USAGE, run
from core_editor import CoreEditor
from fitting import fitting_layout
from grown import PROGRAM, Growing, check_changes, check_totals, diff, rows_of, without_names
from harness import Row, ask, main, program, run_gdb, work_folder
from json_page import Page
from kernel_core import skip_without_cores
from unprepared import tool_environment

VERDICT = (
    "From one to %s: +5 memory objects (+256 KiB), +1 SVM allocation (+128 KiB), "
    "+1 OpenCL context, +5 events, -1 sampler, +2 commands.\n"
)
RELATION = (
    "Made since then and still alive: 6 memory objects (1.2 MiB), 1 SVM allocation (128 KiB), "
    "1 OpenCL context, 5 events, 2 commands. Destroyed: 1 memory object (1 MiB), 1 sampler.\n"
)


class TestDiff(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        fitting_layout("pocl")

    def setUp(self) -> None:
        skip_without_cores(self)
        self.folder = work_folder("diff")

    def start(self, recorder: bool, *words: str, **variables: str) -> Growing:
        """The program, which ends with the test."""
        growing = Growing(self.folder, recorder, *words, **variables)
        self.addCleanup(growing.kill)
        return growing

    def in_gdb(self, words: List[str], snapshots: str) -> List[Row]:
        """The output of GDB with WORDS about SNAPSHOTS."""
        commands = [
            ask("words", "opencl diff " + snapshots),
            ask("rows", "opencl diff -json " + snapshots),
        ]
        session = run_gdb(words, commands, tool_environment(), name="diff")
        self.assertIsNone(session.answer("rows").error)
        self.assertIn(RELATION.split(":")[0], session.answer("words").output)
        rows: List[Row] = json.loads(session.answer("rows").output)
        return rows

    def test_one_process(self) -> None:
        growing = self.start(True, OMPD_OPENCL_STACK_DEPTH="8")
        one = growing.save("one")
        growing.go_on()
        code, rows = rows_of(*growing.target, "diff", one)
        self.assertEqual(code, FINDINGS)
        self.assertEqual(rows[0]["is_one_process"], True)
        self.assertEqual([rows[0]["first"], rows[0]["second"]], [one, "now"])
        check_changes(self, rows, growing.truths, True)
        self.assertEqual(rows[0]["notes"], [])
        self.check_page(rows)
        answer = diff(*growing.target, "diff", one)
        self.assertEqual(answer.code, FINDINGS)
        self.assertTrue(answer.output.startswith(VERDICT % "now" + RELATION), answer.output)
        self.check_entries(answer.output)
        pid = growing.target[1]
        self.assertEqual(without_names(self.in_gdb(["-p", pid], one)), without_names(rows))
        two = growing.save("two")
        core = growing.abort()
        for words in (["diff", one, two], ["diff", one, core], ["--core", core, "diff", one]):
            with self.subTest(words=words):
                code, others = rows_of(*words)
                self.assertEqual(code, FINDINGS)
                self.assertEqual(others[0]["first"], one)
                self.assertEqual(others[0]["second"], core if core in words else two)
                self.assertEqual(without_names(others), without_names(rows))
        self.assertIn(VERDICT % "two", diff("diff", one, two).output)
        for start, snapshots in (("", '"%s" %s' % (one, core)), (PROGRAM + " " + core, one)):
            others = self.in_gdb(start.split(), snapshots)
            self.assertEqual(others[0]["second"], core)
            self.assertEqual(without_names(others), without_names(rows))
        self.check_none(one, two)

    def check_page(self, rows: List[Row]) -> None:
        """Each key is on the page of JSON."""
        page = Page()
        rows = [dict(row) for row in rows]
        page.check_answer("comparison", rows[:1])
        page.check_answer("change", rows[1:])

    def check_entries(self, text: str) -> None:
        """The largest growth comes first, the largest loss last; each is by its calls."""
        entries = [line for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertEqual(entries[0], "  +1 memory object (+1 MiB) made at")
        self.assertEqual(entries[1], "  +4 memory objects (+256 KiB) made at")
        self.assertEqual(entries[-1], "  -1 memory object (-1 MiB) made at")
        self.assertRegex(
            text,
            r"\+5 events made at\n    #0 make_event at grows\.c:\d+\n    #1 main at grows\.c:\d+\n"
            r"    0 before, 5 after; 5 made since then\n",
        )
        # What has begun the thread is glibc's.
        self.assertRegex(
            text,
            r"\+1 OpenCL context made at\n    #0 make_context at \S+\n    #1 thread at \S+\n    0 ",
        )

    def check_none(self, one: str, two: str) -> None:
        """A snapshot has not changed since itself, and the earlier one comes first."""
        answer = diff("diff", one, one)
        self.assertEqual(answer.code, OK)
        self.assertEqual(answer.output, "From %s to %s: nothing has changed.\n" % (one, one))
        code, rows = rows_of("diff", two, two)
        self.assertEqual((code, len(rows), rows[0]["changed_places"]), (OK, 1, 0))
        answer = diff("diff", two, one)
        self.assertEqual(answer.code, USAGE)
        self.assertIn(two + " is the later snapshot; name the earlier one first", answer.errors)

    def test_two_processes(self) -> None:
        """Other addresses, and deeper stacks: places are the same by what they are called."""
        first = self.start(True, OMPD_OPENCL_STACK_DEPTH="8")
        one = first.save("one")
        second = self.start(True, OMPD_OPENCL_STACK_DEPTH="1")
        second.go_on()
        code, rows = rows_of(*second.target, "diff", one)
        self.assertEqual(code, FINDINGS)
        self.assertEqual(rows[0]["is_one_process"], False)
        check_changes(self, rows, [first.truths[0], second.truths[1]], False)
        for row in rows[1:]:
            self.assertEqual(len(row["made_at"]), 1)
            self.assertIn("not known to be of one process", row["unknown"]["made"])
        text = " ".join(diff(*second.target, "diff", one).output.split())
        self.assertIn(
            "They are of different processes. Objects are therefore counted by the calls", text
        )
        self.assertIn("compared to the depth that both have: 1 call.", text)

    def test_layouts(self) -> None:
        """Without the recorder kinds are compared, and with it on one side alone as well."""
        growing = self.start(False, "build")
        one = growing.save("one")
        growing.go_on()
        code, rows = rows_of(*growing.target, "diff", one)
        self.assertEqual(code, FINDINGS)
        self.check_page(rows)
        self.assertIsNone(rows[0]["is_one_process"])
        self.assertEqual({row["made_at"] for row in rows[1:]}, {None})
        # PoCL has events for the commands that wait, too.
        check_totals(self, rows[0]["totals"], growing.truths, "event", "command")
        self.assertIn("kernel", [row["kind"] for row in rows[1:]])
        text = " ".join(diff(*growing.target, "diff", one).output.split())
        self.assertIn("It is not known whether they are of one process. Without the recorder", text)
        self.assertIn("Not compared, because neither side lists them: commands.", text)
        recorded = self.start(True)
        code, rows = rows_of(*recorded.target, "diff", one)
        self.assertEqual(code, INCOMPLETE)
        self.assertNotIn("command", [row["kind"] for row in rows[0]["totals"]])
        check_totals(
            self,
            rows[0]["totals"],
            [growing.truths[0], recorded.truths[0]],
            *("event", "command"),
        )
        self.assertIn(
            "Not compared, because only one side lists them: command buffers, semaphores, "
            "commands.",
            rows[0]["notes"],
        )

    def test_usage(self) -> None:
        growing = self.start(True)
        one = growing.save("one")
        no_core = os.path.join(self.folder, "no-core")
        with open(no_core, "wb") as file:
            file.write(b"This is no core. " * 100)
        empty = os.path.join(self.folder, "empty")
        commands = ["break main", "run > /dev/null", "gcore " + empty, "kill"]
        run_gdb([program("programs/no-opencl")], commands, tool_environment(), name="diff")
        pid = growing.target
        for words, code, sentence in (
            (["diff"], USAGE, "diff needs SNAPSHOT [SNAPSHOT]"),
            (["diff", one], USAGE, "name two snapshots, or one and --pid N or --core FILE"),
            (["diff", one, one, one], USAGE, "diff takes two arguments; unexpected "),
            ([*pid, "diff", one, one], USAGE, "or one and either --pid N or --core FILE"),
            (["--every", "1s", "diff", one, one], USAGE, "--every applies to a process"),
            (["diff", one, one + "-2"], UNREADABLE, "cannot open core '%s-2': No such file" % one),
            (["diff", no_core, one], UNREADABLE, "no-core"),
            (["diff", one, empty], UNREADABLE, empty + ": "),
        ):
            with self.subTest(words=words):
                answer = run(words, tool_environment())
                self.assertEqual(answer.code, code, answer.errors)
                self.assertTrue(answer.is_refusal(), answer.errors)
                self.assertIn(sentence, answer.errors)
                again = run([*words, "--json"], tool_environment())
                self.assertEqual((again.code, again.output), (code, ""))

    def test_damaged(self) -> None:
        """What a snapshot lacks is neither created nor destroyed, and its counts are bounds."""
        growing = self.start(True)
        one = growing.save("one")
        growing.kill()
        editor = CoreEditor(one)
        at = editor.data.index(registry.MAGIC_BYTES)
        (root,) = [
            part.address + at - part.offset
            for part in editor.segments
            if part.offset <= at < part.offset + part.file_size
        ]
        for record in registry.RegistryView(editor, root).records(registry.MEMOBJ):
            editor.cut(record)
            break
        damaged = editor.save(os.path.join(self.folder, "damaged"))
        for words, lost in ((["diff", one, damaged], "after"), (["diff", damaged, one], "before")):
            code, rows = rows_of(*words)
            self.assertEqual(code, INCOMPLETE)
            (total,) = [row for row in rows[0]["totals"] if row["kind"] == "memobj"]
            self.assertIn(lost, total["at_least"])
            self.assertEqual(total["made"], 0)
            self.assertEqual(total["destroyed"], None if lost == "after" else 0)
            self.assertEqual(diff(*words).code, INCOMPLETE)
        with open(one, "rb") as file:
            contents = file.read()
        with open(damaged, "wb") as file:
            file.write(contents.replace(registry.MAGIC_BYTES, b"?" + registry.MAGIC_BYTES[1:]))
        answer = diff("diff", one, damaged)
        self.assertIn(answer.code, (UNREADABLE, INCOMPLETE))
        self.assertIn("corrupt", " ".join((answer.output + answer.errors).split()))


if __name__ == "__main__":
    main()
