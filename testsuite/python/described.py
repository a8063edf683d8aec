# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write down everything that a session shows, in GDB or in Python alone."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional

from ompd_opencl import OpenCLError, Row, Session

LISTS = (
    *("contexts", "queues", "memobjs", "destructors", "svm", "svm_frees"),
    *(
        "devices",
        "commands",
        "events",
        "kernels",
        "programs",
        "samplers",
        "threads",
        "runtimes",
        "destroyed",
    ),
)
PARTS = ("destructors", "pointers", "wait_list", "activities", "arguments", "accesses")


def describe_fields(row: Row) -> Dict[str, Any]:
    """The fields of a row: what each is, what is known of it and where from."""
    return {name: [row[name], row.status(name), row.source(name)] for name in row.keys()}


def describe_row(row: Row) -> Dict[str, Any]:
    """A row with what belongs to it."""
    parts: Dict[str, Any] = {}
    for name in PARTS:
        rows: Optional[Iterable[Row]] = getattr(row, name, None)
        if rows is not None and not isinstance(rows, int):
            parts[name] = [describe_fields(part) for part in rows]
    return {"json": row.to_json(), "fields": describe_fields(row), "parts": parts}


def describe(session: Session) -> Dict[str, Any]:
    """Each list, or the sentence why there is none; and the counts."""
    result: Dict[str, Any] = {}
    for name in LISTS:
        rows = getattr(session, name)()
        try:
            found: List[Any] = [describe_row(row) for row in rows]
        except OpenCLError as error:
            result[name] = {"error": str(error), "kind": type(error).__name__}
            continue
        result[name] = {"rows": found, "missing": [rows.unreadable, list(rows.notes)]}
        result[name]["is_complete"] = rows.is_complete
    result["overview"] = describe_row(session.overview())
    return result
