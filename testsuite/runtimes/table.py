#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of doc/runtimes.md: what is certain, presumed and unknown of each runtime's objects.

Each test that compares a runtime with the truth leaves its row in the build folder, and fails when
the document says something else of that build.  `table.py --write` brings the document up to date
with the rows that were left.
"""

from __future__ import annotations

import glob
import os
import sys
from typing import Dict, Iterable, List, Tuple

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "gdb"))
sys.path.insert(0, os.path.join(_HERE, "..", "learn"))
from harness import BUILD, SOURCE  # noqa: E402
from learning import parse  # noqa: E402

DOCUMENT = os.path.join(SOURCE, "doc", "runtimes.md")
_ROWS = os.path.join(BUILD, "testsuite", "runtimes", "rows")
_RULE = "|---|---|---|---|---|---|\n"

# Certain, presumed or unknown: of each table and field, how many times.
Statuses = Dict[Tuple[str, str], Dict[str, int]]


def _fields(statuses: Statuses, wanted: str) -> str:
    """The fields of which one value or more is WANTED, by tables: "contexts: devices; ..."."""
    by_table: Dict[str, List[str]] = {}
    for (table, field), counts in sorted(statuses.items()):
        if counts.get(wanted):
            by_table.setdefault(table, []).append(field)
    texts = ["%s: %s" % (table, ", ".join(fields)) for table, fields in by_table.items()]
    return "; ".join(texts) or "none"


def make_row(layout: str, source: str, statuses: Statuses) -> str:
    """The line of the runtime that the file LAYOUT is of, as one source tells it: the layout, or
    the recorder."""
    with open(layout, encoding="utf-8") as file:
        head = parse(file.read()).head
    total = sum(sum(counts.values()) for counts in statuses.values())
    unknown = sum(counts.get("unknown", 0) for counts in statuses.values())
    return "| %s | %s | %s | %d of %d | %s | %s |\n" % (
        head["runtime"],
        head["build-id"][:8],
        source,
        total - unknown,
        total,
        _fields(statuses, "presumed"),
        _fields(statuses, "unknown"),
    )


def _key(row: str) -> str:
    """What is the same in two rows of one build and source."""
    return "|".join(row.split("|")[1:4])


def _read_rows() -> List[str]:
    """The rows of the document."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    return text.split(_RULE)[1].split("\n\n")[0].splitlines(keepends=True)


def check_row(row: str) -> None:
    """Leave ROW for the document, and fail when it is not there.  Of a build that the document does
    not have it is printed."""
    os.makedirs(_ROWS, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in _key(row))
    with open(os.path.join(_ROWS, name), "w", encoding="utf-8") as file:
        file.write(row)
    print(row, end="")
    for told in _read_rows():
        if _key(told) == _key(row) and told != row:
            raise AssertionError("%s says:\n%sand true is:\n%s" % (DOCUMENT, told, row))


def write(rows: Iterable[str]) -> None:
    """Have the document say ROWS, in place of those of the same builds."""
    by_key = {_key(row): row for row in [*_read_rows(), *rows]}
    with open(DOCUMENT, encoding="utf-8") as file:
        head, rest = file.read().split(_RULE)
    tail = rest[rest.index("\n\n") + 1 :] if "\n\n" in rest else ""
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(head + _RULE + "".join(sorted(by_key.values())) + tail)


def main() -> None:
    """Write the rows that were left."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: table.py --write")
    rows = []
    for path in sorted(glob.glob(os.path.join(_ROWS, "*"))):
        with open(path, encoding="utf-8") as file:
            rows.append(file.read())
    write(rows)


if __name__ == "__main__":
    main()
