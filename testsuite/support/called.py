# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The event and build callbacks of the program `callbacks`, and how `callbacks`, `threads` and
`events` show them."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple

from harness import Row

ASKED = {"OMPD_OPENCL_STACK_DEPTH": "8"}


class Called(NamedTuple):
    """The values that the program wrote."""

    callbacks: List[Row]
    released: str  # an event that it has released, and that its callback keeps
    over: str  # one whose callback was called


def read(path: str) -> Called:
    """The contents of the file PATH."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    others: Dict[str, str] = {}
    for row in rows:
        if "kind" not in row:
            others.update(row)
    callbacks = [row for row in rows if "kind" in row]
    return Called(callbacks, others["released"], others["over"])


def check_rows(case: Any, truth: Called, rows: List[Row]) -> None:
    """ROWS, of JSON, are the pending and running callbacks."""
    rows = sorted(rows, key=lambda row: int(row["order"]))
    case.assertEqual(len(rows), len(truth.callbacks))
    for told, row in zip(truth.callbacks, rows):
        for key in ("handle", "kind", "state", "lwp"):
            case.assertEqual(row[key], told[key], row)
        case.assertEqual(row.get("status", ""), told["status"], row)
        case.assertEqual(row["symbol"], told["function"], row)
        case.assertEqual(
            int(row["user_data"], 16), int(told["user_data"].strip("(nil)") or "0", 16)
        )
        case.assertEqual(row.get("running_lwp", 0), told["running_lwp"], row)
        case.assertEqual(row["stack"][0]["line"], told["line"], row)
        case.assertEqual(row["source"], "recorder")


def check_threads(case: Any, truth: Called, rows: List[Row]) -> None:
    """ROWS, of `threads` in JSON, have those that are in a callback."""
    states = {"event": "runs-event-callback", "program": "runs-build-callback"}
    running = {told["running_lwp"]: told for told in truth.callbacks if told["running_lwp"]}
    case.assertEqual(len(running), 2)
    threads = {row["lwp"]: row for row in rows}
    for lwp, told in running.items():
        row = threads[lwp]
        case.assertEqual(row["state"], states[told["kind"]])
        case.assertEqual(row["handle"], told["handle"])
        innermost = row["activities"][0]
        case.assertEqual(innermost["symbol"], told["function"])
        case.assertEqual(innermost["user_data"], told["user_data"])


def check_events(case: Any, truth: Called, rows: List[Row]) -> None:
    """ROWS, of `events` in JSON: the callback keeps its event alive until it was called, no
    longer."""
    states = {row["handle"]: row["state"] for row in rows}
    case.assertEqual(states[truth.released], "app-released")
    case.assertNotEqual(states.get(truth.over), "app-released")
