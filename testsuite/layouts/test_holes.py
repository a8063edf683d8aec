#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Missing or unreadable memory does not affect what is known."""

from __future__ import annotations

import os
import shutil

from command import INCOMPLETE, OK, run
from comparing import assert_truth
from harness import LISTS, Skip, ask_lists, main, run_gdb, work_folder
from holes import (
    RUNTIME,
    UNSAVED,
    UNTOUCHED,
    Answers,
    CoreCase,
    Expectation,
    ask_all,
    ask_core,
    die_recorded,
    die_unprepared,
    with_holes,
)
from runtime_cases import assert_overview
from unprepared import PROGRAM, compare, program_environment, started, tool_environment


class TestCores(CoreCase):
    def test_untouched_unprepared(self) -> None:
        """What was never written to is missing alone: all rows are there, counts are bounds."""
        dead = die_unprepared(RUNTIME, self.folder, "untouched")
        answers = ask_core(dead, PROGRAM)
        self.codes(answers, OK)
        self.both_alike(answers)
        shown = {table: answer.objects() for table, answer in answers.lists.items()}
        compare(dead.truth, shown, RUNTIME)
        self.bounds(answers.row())
        self.says(answers, UNTOUCHED)
        self.assertGreaterEqual(answers.row()["untouched_bytes"], 1 << 20)
        self.assertEqual(answers.row()["contexts"], len(dead.truth["contexts"]))
        self.assertIn(" at least 2 contexts, at least 2 queues, at least ", answers.text.output)

    def test_untouched_recorded(self) -> None:
        """What the recorder counted are facts, for which memory is not searched."""
        dead = die_recorded(RUNTIME, self.folder, "untouched")
        answers = ask_core(dead, "programs/truth-program", keeps_folder=True)
        self.codes(answers, OK)
        self.both_alike(answers)
        assert_truth(dead.truth, answers.session)
        assert_overview(dead.truth, answers.row())
        self.facts(answers.row())
        self.assertNotIn(UNTOUCHED, answers.text.output)
        self.assertNotIn("at least", answers.text.output)
        searched = run(["--core", dead.core, "overview", "--sources=all"], tool_environment())
        self.assertEqual(searched.code, OK, searched)
        self.assertIn(UNTOUCHED, searched.output)
        self.assertNotIn("at least", searched.output)
        shutil.rmtree(dead.folder)

    def test_shared_recorded(self) -> None:
        """Nor are they fewer if no layout matches the runtime, and the core lacks memory that may
        have led to it."""
        tools = tool_environment(work_folder("holes-no-layouts"))
        whole = die_recorded(RUNTIME, self.folder, "")
        (runtime,) = run(["--core", whole.core, "runtimes", "--json"], tools).objects()
        dead = die_recorded(RUNTIME, self.folder, "shared")
        words = ["--core", dead.core, "overview"]
        self.assertEqual(run([*words, "--json"], tools).code, OK)
        answer = run(words, tools)
        self.assertEqual(answer.code, OK)
        self.assertIn(", 2 contexts, 4 queues, ", answer.output)
        self.assertIn("sources: recorder", answer.output)
        # A library with a compiler within has too many tables of code to search for that of OpenCL.
        lacking = OK if runtime.get("table") is None else INCOMPLETE
        self.assertEqual(run(["--core", dead.core, "runtimes"], tools).code, lacking)

    def test_excepted_unprepared(self) -> None:
        """MADV_DONTDUMP took the heap: the runtime's own data leads there."""
        answers = ask_core(die_unprepared(RUNTIME, self.folder, "cut-heap"), PROGRAM)
        self.codes(answers, INCOMPLETE)
        self.both_alike(answers)
        self.bounds(answers.row())
        self.says(answers, UNSAVED)
        self.assertIn(" at least 0 contexts,", answers.text.output)
        for table, answer in answers.lists.items():
            [missing] = answer.objects()
            self.assertEqual(missing["unreadable"], 0)
            self.assertIn(UNSAVED, missing["unknown"]["rows"])
            self.assertNotRegex(answers.texts[table].output, "(?m)^No |more row")


def guard_bytes(pid: str) -> int:
    """How much of the memory that a process may write to cannot be read: such pages, and those that
    glibc puts at the stacks of threads since 2.42."""
    page = os.sysconf("SC_PAGESIZE")
    count = 0
    with open("/proc/%s/maps" % pid, encoding="utf-8") as file:
        ranges = [line.split()[0].split("-") for line in file if " rw-p " in line]
    memory = os.open("/proc/%s/mem" % pid, os.O_RDONLY)
    for start, end in ranges:
        place = int(start, 16)
        while place < int(end, 16):
            try:
                place += len(os.pread(memory, min(1 << 20, int(end, 16) - place), place))
            except OSError:
                place += page
                count += page
    os.close(memory)
    return count


def table_bytes(pid: int) -> int:
    """The memory of a process's page tables, which grow by the pages that are read of it."""
    with open("/proc/%d/status" % pid, encoding="utf-8") as file:
        [line] = [line for line in file if line.startswith("VmPTE:")]
    return int(line.split()[1]) << 10


class TestProcess(Expectation):
    guards = 0  # bytes

    def ask(self, reader: str) -> Answers:
        """All there is to ask about a process with pages that it cannot touch itself."""
        folder = work_folder(self.id())
        variables = with_holes(program_environment(RUNTIME), "guard")
        with started(["10", "second"], folder, variables) as process:
            try:
                truth = process.wait_for("main")
            except AssertionError:
                raise Skip("this kernel has no MADV_GUARD_INSTALL") from None
            pid = str(process.pid)
            self.guards = guard_bytes(pid)
            answers = ask_all(["--pid", pid], ["-p", pid], ["set opencl reader " + reader])
        shutil.rmtree(folder)
        self.codes(answers, OK)
        for shown in (
            {table: answer.objects() for table, answer in answers.lists.items()},
            {table: answers.session.answer(table).rows() for table in answers.lists},
        ):
            compare(truth, shown, RUNTIME)
        return answers

    def test_reserved(self) -> None:
        """What was never written to is not read, so that the process has no more pages than before;
        and nothing is missing."""
        folder = work_folder(self.id())
        variables = with_holes(program_environment(RUNTIME), "reserved")
        with started(["10", "second"], folder, variables) as process:
            truth = process.wait_for("main")
            before = table_bytes(process.pid)
            for words in (["--pid", str(process.pid)], ["--no-stop", "--pid", str(process.pid)]):
                tools = tool_environment()
                answers = {table: run([*words, table, "--json"], tools) for table in LISTS}
                self.assertEqual({answer.code for answer in answers.values()}, {OK})
                shown = {table: answer.objects() for table, answer in answers.items()}
                compare(truth, shown, RUNTIME)
                [row] = run([*words, "overview", "--json"], tools).objects()
                self.assertEqual((row["untouched_bytes"], row["unreadable_bytes"]), (0, 0))
            by_gdb = ["set opencl reader gdb", *ask_lists()]
            session = run_gdb(["-p", str(process.pid)], by_gdb, tool_environment(), name="reserved")
            compare(truth, {table: session.answer(table).rows() for table in LISTS}, RUNTIME)
            self.assertLess(table_bytes(process.pid), before + (2 << 20))
        shutil.rmtree(folder)

    def test_guard(self) -> None:
        """The kernel says what such a page is: nothing is missing."""
        answers = self.ask("host")
        self.both_alike(answers)
        for row in (answers.row(), answers.session.answer("overview").rows()[0]):
            self.assertEqual(row["unreadable_bytes"], 0)

    def test_guard_by_gdb(self) -> None:
        """GDB only knows that it could not be read."""
        row = self.ask("gdb").session.answer("overview").rows()[0]
        self.bounds(row)
        self.assertGreaterEqual(self.guards, 3 * os.sysconf("SC_PAGESIZE"))
        self.assertEqual((row["untouched_bytes"], row["unreadable_bytes"]), (self.guards, 0))
        [note] = row["notes"]
        self.assertIn("cannot be read, presumably because it was never written to.", note)


del CoreCase, Expectation  # they expect nothing by themselves


if __name__ == "__main__":
    main()
