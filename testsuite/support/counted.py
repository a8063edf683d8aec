# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program `ledger` counted, and how `ledger` and `calls` show it."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List

from harness import Row

ASKED = {"OMPD_OPENCL_LEDGER": "1", "OMPD_OPENCL_CALLS": "64", "OMPD_OPENCL_STACK_DEPTH": "8"}
_ERRORS = {0: "CL_SUCCESS", -30: "CL_INVALID_VALUE"}


def read(path: str) -> List[Row]:
    """The contents of the file PATH, written by the program."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def of(truth: List[Row], name: str) -> List[Row]:
    """The actions of the program on the object NAME, in order."""
    return [row for row in truth if row.get("name") == name]


def check_rows(case: Any, truth: List[Row], rows: List[Row]) -> None:
    """ROWS, of JSON, are those of one object, and end where it does."""
    for told, row in zip(truth, rows):
        for key in ("handle", "action", "lwp", "references"):
            case.assertEqual(row[key], told[key], row)
        case.assertEqual(row["stack"][0]["line"], told["line"], row)
    rest = [row["action"] for row in rows[len(truth) :]]
    case.assertEqual(rest, ["ended"] if truth[-1]["references"] == 0 else [])


def check_text(case: Any, truth: List[Row], text: str) -> None:
    """TEXT has an entry for each, behind the verdict."""
    head, _, entries = re.sub(r"\n {6,}", " ", text).partition("In order:\n")
    for number, (told, line) in enumerate(zip(truth, entries.splitlines()), 1):
        case.assertRegex(
            line,
            r"^ +%d  %s at \w+ at ledger\.c:%d .*by LWP %d( \(thread \d+\))?, count now %d$"
            % (number, told["action"], told["line"], told["lwp"], told["references"]),
        )
    count = {
        action: len([row for row in truth if row["action"] == action])
        for action in ("retained", "released")
    }
    left = truth[-1]["references"]
    verdict = "Created, %(retained)d retained, %(released)d released by the program: " % count
    end = "%d reference left: a leak if the program no longer needs it." % left
    case.assertIn(verdict + (end if left else "balanced."), " ".join(head.split()))


def check_calls(case: Any, truth: List[Row], rows: List[Row]) -> None:
    """The last calls of ROWS, of JSON, are those of the last lines of TRUTH."""
    last: Dict[str, Row] = {}
    for row in reversed(rows):
        last[row["call"]] = row
    for told in (row for row in truth if "call" in row):
        row = last[told["call"]]
        case.assertEqual(row["result"], _ERRORS[told["error"]])
        case.assertEqual(row["thread"], told["lwp"])
        case.assertEqual(row["stack"][0]["line"], told["line"])
    case.assertEqual([row["call"] for row in rows[:2]], ["clGetContextInfo", "clWaitForEvents"])
    orders = [row["order"] for row in rows]
    case.assertEqual(orders, sorted(orders, reverse=True))
    retains = [row for row in rows if row["call"] == "clRetainEvent"]
    threads = {row["lwp"] for row in of(truth, "kept")}
    case.assertEqual({row["thread"] for row in retains}, threads)
