# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program `gone` created and released, and how `gone` and `object` show it."""

from __future__ import annotations

import json
import re
from typing import Any, List

from harness import Row

_FUNCTIONS = {
    "memobj": "buffers",
    "svm": "svm",
    "sampler": "programs",
    "kernel": "programs",
    "program": "programs",
    "event": "event",
    "context": "other_context",
    "queue": "other_queue",
}
_NOUNS = {
    "svm": "an SVM allocation",
    "sampler": "a sampler",
    "kernel": "a kernel",
    "program": "a program",
    "event": "an event",
    "context": "an OpenCL context",
    "queue": "a command queue",
}
_SIZES = {4 << 20: "4 MiB", 64 << 10: "64 KiB", 4096: "4 KiB", 8192: "8 KiB", 256: "256 B"}
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC")
ELSEWHERE = "release_elsewhere"


def read(path: str) -> List[Row]:
    """The contents of the file PATH, written by the program, with the object that was destroyed
    last first."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if "handle" in row][::-1]


def read_errors(path: str) -> List[Row]:
    """Which calls of it were refused, by the same file, the last one first."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if "error" in row][::-1]


def check_errors(case: Any, truth: List[Row], rows: List[Row], table: str) -> None:
    """ROWS, of JSON, and TABLE are of the refused calls of TRUTH."""
    names = {-61: "CL_INVALID_BUFFER_SIZE", -30: "CL_INVALID_VALUE"}
    case.assertGreaterEqual(len(rows), len(truth))
    for told, row in zip(truth, rows):
        case.assertEqual(row["call"], told["call"])
        case.assertEqual(row["error"], names[told["error"]])
        case.assertEqual(row["thread"], told["lwp"])
        case.assertIn(" at gone.c:%d" % told["line"], table)
        case.assertIn(names[told["error"]], table)


def said(text: str) -> str:
    """TEXT without times and GDB's numbers of threads, broken into no lines."""
    text = re.sub(r" \(thread \d+\)", "", " ".join(text.split()))
    return _TIME.sub("TIME", text)


def sentence(row: Row, was: str = "") -> str:
    """The sentence about an object of the program, after its handle."""
    is_svm = row["kind"] == "svm"
    function = _FUNCTIONS[row["kind"]] if row["memobj_kind"] != "image2d" else "image"
    other = ELSEWHERE if row["released_lwp"] != row["lwp"] else function
    name = row["memobj_kind"]
    noun = "%s %s" % ("an" if name == "image2d" else "a", name) if name else _NOUNS[row["kind"]]
    size = " of " + _SIZES[row["size"]] if row["size"] else ""
    text = "%s%s, made at %s at gone.c:%d by LWP %d, %s at %s at gone.c:%d by LWP %d, " % (
        *(noun, size, function, row["made"], row["lwp"], "freed" if is_svm else "released"),
        *(other, row["released"], row["released_lwp"]),
    )
    known = "found destroyed" if row["ending"] == "later" else "destroyed"
    after = ", after its last destructor callback had returned"
    return was + text + known + " at TIME" + (after if row["ending"] == "callbacks" else "") + "."


def check(case: Any, truth: List[Row], rows: List[Row]) -> None:
    """ROWS, of JSON, are the objects of TRUTH, to which is added how each is known to be
    destroyed."""
    case.assertGreaterEqual(len(rows), len(truth))
    endings = {"sub-buffer": {"callbacks"}, "svm": {"released", "later"}}
    times = [row["ended_at"] for row in rows]
    case.assertEqual(times, sorted(times, reverse=True))
    for told, row in zip(truth, rows):
        told["ending"] = row["ending"]
        with case.subTest(told=told, row=row):
            for key in ("kind", "handle", "lwp", "released_lwp"):
                case.assertEqual(row[key], told[key])
            case.assertEqual(row.get("memobj_kind", ""), told["memobj_kind"])
            case.assertEqual(row.get("size", 0), told["size"])
            allowed = endings.get(told["memobj_kind"] or told["kind"], {"released", "later"})
            case.assertIn(row["ending"], allowed)
            case.assertEqual(row["source"], "recorder")
            case.assertNotIn("unknown", row)
    orders = [row["end_order"] for row in rows if row["kind"] == "memobj"]
    case.assertEqual(orders, sorted(set(orders), reverse=True))
