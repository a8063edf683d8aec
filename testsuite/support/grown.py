# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with different objects at its two stops, and its own account of them, which is compared
with the output of diff."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import unittest
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from command import OK, Answer, run
from harness import TIME_LIMIT, Row, environment, program
from kernel_core import allow_core
from unprepared import tool_environment

PROGRAM = program("programs/grows")

Place = Tuple[str, str]  # kind, and function
BY_KIND = "any function"


class Count(NamedTuple):
    """The counts of the program at a place or of a kind."""

    objects: int = 0
    bytes: int = 0
    made: int = 0
    destroyed: int = 0

    def plus(self, other: "Count", sign: int = 1) -> "Count":
        """The sums."""
        return Count(*(one + sign * more for one, more in zip(self, other)))


Truth = Dict[Place, Count]


def by_kind(truth: Truth) -> Truth:
    """TRUTH without functions."""
    sums: Truth = collections.defaultdict(Count)
    for (kind, _function), count in truth.items():
        sums[kind, BY_KIND] = sums[kind, BY_KIND].plus(count)
    return sums


class Growing:
    """The program, at one of its stops."""

    def __init__(self, folder: str, recorder: bool, *words: str, **variables: str) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [PROGRAM, *words],
            cwd=folder,
            env=dict(environment("pocl", recorder), **variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            universal_newlines=True,
        )
        self.target = ["--pid", str(self._process.pid)]
        self.truths = [self._read()]

    def _read(self) -> Truth:
        assert self._process.stdout is not None
        rows: List[Row] = json.loads(self._process.stdout.readline())
        return {
            (row["kind"], row["function"]): Count(
                row["count"], row["bytes"], row["made"], row["destroyed"]
            )
            for row in rows
        }

    def go_on(self) -> None:
        """To the second stop."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self.truths.append(self._read())

    def save(self, name: str) -> str:
        """Save a snapshot in a file of the program's folder."""
        path = os.path.join(self.folder, name)
        answer = run([*self.target, "save", path], tool_environment())
        if answer.code != OK:
            raise AssertionError(answer.errors)
        return path

    def abort(self) -> str:
        """Have it abort where it is; the kernel's core."""
        self._process.communicate("", TIME_LIMIT)
        (core,) = [name for name in os.listdir(self.folder) if name.startswith("core")]
        return os.path.join(self.folder, core)

    def kill(self) -> None:
        """End it, if it has not."""
        self._process.kill()
        self._process.communicate()


def diff(*words: str) -> Answer:
    """The text output of the command."""
    return run(words, tool_environment())


def rows_of(*words: str) -> Tuple[int, List[Row]]:
    """The exit code of the command, and its JSON."""
    answer = run([*words, "--json"], tool_environment())
    return answer.code, answer.objects()


def function_of(row: Row) -> str:
    """The innermost call that made the objects of ROW."""
    return str(row["made_at"][0].split(" at ")[0]) if row.get("made_at") else BY_KIND


def _change(rows: List[Row]) -> Truth:
    """The growth in ROWS, and the objects that were created and destroyed."""
    sums: Truth = collections.defaultdict(Count)
    for row in rows:
        more = Count(
            row["after"] - row["before"],
            row.get("bytes_after", 0) - row.get("bytes_before", 0),
            row["made"] or 0,
            row["destroyed"] or 0,
        )
        place = (row["kind"], function_of(row))
        sums[place] = sums[place].plus(more)
    return sums


def check_changes(
    test: unittest.TestCase, rows: List[Row], truths: Sequence[Truth], is_one_process: bool
) -> None:
    """The changes by place, and the totals, are the program's between both truths."""
    before, after = truths
    changes: Truth = {}
    for place in set(before) | set(after):
        more = after.get(place, Count()).plus(before.get(place, Count()), -1)
        if not is_one_process:
            more = more._replace(made=0, destroyed=0)
        if any(more):
            changes[place] = more
    shown = {place: more for place, more in _change(rows[1:]).items() if any(more)}
    test.assertEqual(shown, changes)
    check_totals(test, rows[0]["totals"], truths)


def check_totals(
    test: unittest.TestCase, totals: List[Row], truths: Sequence[Truth], *untold: str
) -> None:
    """The counts of each kind are the program's, but for those of kinds UNTOLD."""
    kinds: Dict[str, List[Any]] = {}
    for kind in {kind for truth in truths for kind, _function in truth} - set(untold):
        counts = [by_kind(truth).get((kind, BY_KIND), Count()) for truth in truths]
        kinds[kind] = [count.objects for count in counts] + [count.bytes for count in counts]
    shown = {
        row["kind"]: [
            *(row["before"], row["after"]),
            *(row.get("bytes_before", 0), row.get("bytes_after", 0)),
        ]
        for row in totals
        if row["kind"] not in untold and (row["before"] or row["after"])
    }
    test.assertEqual(shown, {kind: counts for kind, counts in kinds.items() if any(counts)})


def without_names(rows: List[Row]) -> List[Row]:
    """ROWS without the names of their snapshots, and without notes, because the kernel omits memory
    from cores that was never written."""
    own = ("first", "second", "notes")
    head = {key: value for key, value in rows[0].items() if key not in own}
    return [head, *rows[1:]]
