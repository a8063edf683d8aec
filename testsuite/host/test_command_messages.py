#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of runtimes to the `pfn_notify` of contexts: of a process and of what is saved of it, as
JSON, in words and in Python; and without the recorder."""

from __future__ import annotations

import os
import subprocess
import time
import unittest
from typing import Dict, List, NamedTuple

from command import OK, run
from harness import environment, lines_until, main, program, work_folder
from json_page import Page

import ompd_opencl

PATH = program("icd/messages")


class Message(NamedTuple):
    """What the program tells of a message."""

    context: str
    thread: int
    text: str


def read_told(process: subprocess.Popen[str]) -> List[Message]:
    """The messages that the program tells until its stop."""
    told = []
    for line in lines_until(process, "main"):
        context, thread, text = line.rstrip("\n").split(" ", 2)
        told.append(Message(context, int(thread), text))
    return told


def read_rows(rows: List[Dict[str, object]]) -> List[Message]:
    """The messages in rows of JSON."""
    return [Message(str(row["context"]), int(str(row["thread"])), str(row["text"])) for row in rows]


class TestMessages(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = work_folder(self.id().rpartition(".")[2])

    def _start(self, variables: Dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [PATH],
            env=variables,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )

    def _check(self, target: List[str], variables: Dict[str, str], told: List[Message]) -> None:
        """Messages of TARGET are as TOLD, the latest first."""
        answer = run([*target, "messages", "--json"], variables)
        self.assertEqual(answer.code, OK, answer)
        rows = answer.objects()
        page = Page()
        page.check_answer(page.verbs["messages"], rows)
        self.assertEqual(read_rows(rows), told[::-1])
        self.assertEqual([row for row in rows if "at_least" in row], [])
        for row in rows:
            self.assertLess(abs(time.time() - row["at"] / 1000), 600, row)
            self.assertEqual(row["symbol"], "notify", row)
        context = told[-1].context
        mine = [message for message in told if message.context == context]
        filtered = run([*target, "messages", "--context", context, "--json"], variables)
        self.assertEqual(read_rows(filtered.objects()), mine[::-1])
        self._check_context(target, variables, context, mine)
        self._check_words(target, variables, told)

    def _check_context(
        self, target: List[str], variables: Dict[str, str], context: str, mine: List[Message]
    ) -> None:
        """The context's own answer has its messages."""
        (row,) = run([*target, "context", context, "--json"], variables).objects()
        self.assertEqual(sorted(read_rows(row["messages"])), sorted(mine))
        words = run([*target, "context", context], variables).output
        self.assertIn("Messages of the runtime about it:\n", words)
        for message in mine:
            self.assertRegex(words, rf"  {message.text} *\n")
        self.assertNotIn("buffer of 0 bytes", words)

    def _check_words(
        self, target: List[str], variables: Dict[str, str], told: List[Message]
    ) -> None:
        """A table has the beginning of a long text; errors are followed by messages."""
        table = run([*target, "messages"], variables).output
        errors = run([*target, "errors"], variables).output
        self.assertIn("Messages of runtimes to the program:\n", errors)
        for message in told:
            self.assertIn(message.text[:100], table)
            self.assertIn(message.text[:100], errors)
        self.assertIn("m\u2026", table)
        self.assertNotIn("nobody hears it", table)
        chosen = run([*target, "errors", "--columns", "call"], variables).output
        self.assertNotIn("Messages", chosen)

    def test_process(self) -> None:
        variables = environment("icd")
        saved = os.path.join(self.folder, "saved")
        with self._start(variables) as process:
            told = read_told(process)
            self.assertEqual(len(told), 5)
            self.assertEqual(len({message.thread for message in told}), 2)
            target = ["--pid", str(process.pid)]
            self._check(target, variables, told)
            answer = run([*target, "save", saved], variables)
            assert process.stdin
            process.stdin.close()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(answer.code, OK, answer)
        self._check(["--core", saved], variables, told)
        with ompd_opencl.open_core(saved) as opened:
            texts = [row.text for row in opened.messages()]
        self.assertEqual(sorted(texts), sorted(message.text for message in told))

    def test_last(self) -> None:
        """As many as OMPD_OPENCL_HISTORY sets remain, and none with 0."""
        for history in ("2", "0"):
            variables = {**environment("icd"), "OMPD_OPENCL_HISTORY": history}
            with self._start(variables) as process:
                told = read_told(process)
                answer = run(["--pid", str(process.pid), "messages", "--json"], variables)
                assert process.stdin
                process.stdin.close()
            self.assertEqual(process.returncode, 0)
            if history == "0":
                self.assertIn("OMPD_OPENCL_HISTORY was 0", answer.errors)
            else:
                self.assertEqual(read_rows(answer.objects()), told[:-3:-1])

    def test_unprepared(self) -> None:
        """Without the recorder they are unknown, which is not none."""
        variables = environment("icd", recorder=False)
        with self._start(variables) as process:
            read_told(process)
            answer = run(["--pid", str(process.pid), "messages"], variables)
            assert process.stdin
            process.stdin.close()
        self.assertEqual(process.returncode, 0)
        self.assertNotEqual(answer.code, OK)
        self.assertIn("run the program under the recorder", answer.errors)


if __name__ == "__main__":
    main()
