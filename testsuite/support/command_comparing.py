# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the output of the command ompd-opencl with that of the GDB plugin, as text and JSON."""

from __future__ import annotations

import re
import subprocess
import unittest
from typing import Any, Dict, Iterator, List, Tuple

from command import Answer, run
from harness import LISTS, MORE_LISTS, Row, Session, ask

TABLES = (*LISTS, *MORE_LISTS, "destructors")

ALIAS = r"\b_*(?:GI_+)?(?=[a-z])"  # how the C library's names of one function begin
_THREAD_NUMBER = re.compile(r" \(thread [0-9.]+\)")


def rows_of(answer: Answer) -> List[Row]:
    """The objects of an answer that is whole."""
    if answer.code != 0:
        raise AssertionError("exit code %d: %s" % (answer.code, answer.errors))
    return answer.objects()


def own_words(question: str) -> List[str]:
    """The plugin's "memobjs -kind buffer" as the command takes it."""
    return [re.sub(r"^-(?=[a-z])", "--", word) for word in question.split()]


def plain(text: str) -> List[str]:
    """Lines without GDB's numbers of threads; where there were some, without columns' widths."""
    without = _THREAD_NUMBER.sub("", text)
    if without == text:
        return text.splitlines()
    return [re.sub("  +", "  ", line).strip() for line in without.splitlines()]


def same_names(value: Any) -> Any:
    """A JSON value without differences between aliases of a C library function (clone3, __clone3
    and __GI___clone3), of which GDB selects any."""
    if isinstance(value, list):
        return [same_names(element) for element in value]
    if not isinstance(value, dict):
        return value
    result = {key: same_names(element) for key, element in value.items()}
    if "symbol" in result:
        result["symbol"] = re.sub(ALIAS, "", result["symbol"])
    return result


def live_stops(path: str, folder: str, variables: Dict[str, str]) -> Iterator[int]:
    """The pid of the truth program PATH each time that it waits; it must end well."""
    with subprocess.Popen(
        [path, folder, "wait"],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for stop in ("main", "destructor"):
            if process.stdout.readline() != stop + "\n":
                raise AssertionError("the program did not come to its stop " + stop)
            yield process.pid
            process.stdin.write("\n")
            process.stdin.flush()
        process.communicate("\n\n\n")
    if process.returncode != 0:
        raise AssertionError("the program ended with %d" % process.returncode)


class Cases(unittest.TestCase):
    """How both are compared."""

    variables: Dict[str, str] = {}
    target: List[str] = []  # the words that name it to the command

    def compare(self, session: Session, question: str) -> Tuple[int, int]:
        """Both forms of one answer; returns the numbers of lines and rows."""
        words = self.target + own_words(question)
        own = run(words, self.variables)
        expected = session.answer(question).output
        self.assertEqual((own.code, own.errors), (0, ""), question)
        lines = own.output.splitlines()
        if plain(expected) != expected.splitlines():
            lines = [re.sub("  +", "  ", line).strip() for line in lines]
        self.assertEqual(lines, plain(expected), question)
        rows = rows_of(run(words + ["--json"], self.variables))
        expected_rows = session.answer(question + " -json").rows()
        self.assertEqual(same_names(rows), same_names(expected_rows), question)
        return len(lines), len(rows)

    def compare_all(self, session: Session, questions: List[str]) -> None:
        """All questions; there must have been rows."""
        counts = [self.compare(session, question) for question in questions]
        self.assertGreater(sum(lines for lines, _rows in counts), 80)
        self.assertGreater(sum(rows for _lines, rows in counts), 80)


def plugin_questions(questions: List[str]) -> List[str]:
    """The GDB commands that ask both forms of each."""
    asked = ["set opencl limit unlimited"]
    for question in questions:
        asked.append(ask(question, "opencl " + question))
        asked.append(ask(question + " -json", "opencl %s -json" % question))
    return asked
