#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of doc/runtimes.md: what is certain, presumed and unknown of each runtime's objects;
and the README's, which says the same in short.

Each test that compares a runtime with the truth leaves its row in the build folder, and fails when
the document says something else of that build.  `table.py --write` brings the document up to date
with the rows that were left, and the README with the document.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from typing import Dict, Iterable, List, Tuple

from harness import BUILD, SOURCE
from learning import parse

DOCUMENT = os.path.join(SOURCE, "doc", "runtimes.md")
README = os.path.join(SOURCE, "README.md")
_ROWS = os.path.join(BUILD, "testsuite", "runtimes", "rows")
_RULE = "|---|---|---|---|---|---|---|\n"
_README_HEAD = "| Runtime | Comes with | Unprepared | Under the recorder |\n|---|---|---|---|\n"
_SYSTEMS = {
    "bookworm": "Debian 12",
    "trixie": "Debian 13",
    "sid": "Debian sid",
    "pypi": "PyPI",
    "driver": "its driver",
}

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


def this_release() -> str:
    """The code name of the machine's own release; "" for none.  Debian's that is not released yet,
    whose name tells the next one, is sid: it has no number."""
    if not os.path.exists("/etc/os-release"):
        return ""
    with open("/etc/os-release", encoding="utf-8") as file:
        text = file.read()
    found = re.search(r"(?m)^VERSION_CODENAME=\W?(\w+)", text)
    if found and re.search(r"(?m)^ID=debian$", text) and not re.search(r"(?m)^VERSION_ID=", text):
        return "sid"
    return str(found.group(1)) if found else ""


def make_row(layout: str, release: str, source: str, statuses: Statuses) -> str:
    """The line of the runtime that the file LAYOUT is of and that comes with the release of that
    code name, as one source tells it: the layout, or the recorder."""
    with open(layout, encoding="utf-8") as file:
        head = parse(file.read()).head
    total = sum(sum(counts.values()) for counts in statuses.values())
    unknown = sum(counts.get("unknown", 0) for counts in statuses.values())
    return "| %s | %s | %s | %s | %d of %d | %s | %s |\n" % (
        head["runtime"],
        head["build-id"][:8],
        _SYSTEMS.get(release, release),
        source,
        total - unknown,
        total,
        _fields(statuses, "presumed"),
        _fields(statuses, "unknown"),
    )


def _key(row: str) -> str:
    """What is the same in two rows of one build and source."""
    cells = row.split("|")
    return "|".join(cells[1:3] + cells[4:5])


def _read_rows() -> List[str]:
    """The rows of the document."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    return [line + "\n" for line in text.split(_RULE)[1].split("\n\n")[0].splitlines()]


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


def summarize() -> str:
    """The README's rows: a line for each runtime, whatever its builds, with what is known by each
    source; a build that is known less of counts."""
    known: Dict[Tuple[str, str], Dict[str, str]] = {}
    for row in _read_rows():
        runtime, _, system, source, share = [cell.strip() for cell in row.split("|")[1:6]]
        runtime = re.sub(r" [\[(].*", "", runtime)  # such as " (HSA,LC) [Offline]"
        shares = known.setdefault((runtime, system), {})
        shares[source] = min(share, shares.get(source, share), key=_share_known)
    return "".join(
        "| %s | %s | %s | %s |\n"
        % (runtime, system, shares.get("layout", "-"), shares.get("recorder", "-"))
        for (runtime, system), shares in sorted(known.items())
    )


def _share_known(text: str) -> float:
    """Of `193 of 197` the quotient; of what was not tried 0."""
    known, _, total = text.partition(" of ")
    return int(known) / int(total) if total else 0.0


def summary_shown() -> str:
    """The rows that the README has."""
    with open(README, encoding="utf-8") as file:
        return file.read().split(_README_HEAD)[1].split("\n\n")[0] + "\n"


def write_summary() -> None:
    """Have the README say what the document does."""
    with open(README, encoding="utf-8") as file:
        head, rest = file.read().split(_README_HEAD)
    text = head + _README_HEAD + summarize() + rest[rest.index("\n\n") + 1 :]
    with open(README, "w", encoding="utf-8") as file:
        file.write(text)


def main() -> None:
    """Write the rows that were left."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: table.py --write")
    rows = []
    for path in sorted(glob.glob(os.path.join(_ROWS, "*"))):
        with open(path, encoding="utf-8") as file:
            rows.append(file.read())
    write(rows)
    write_summary()


if __name__ == "__main__":
    main()
