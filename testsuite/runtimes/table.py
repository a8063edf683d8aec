#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of doc/runtimes.md: which fields of each runtime's objects are certain, presumed or
unknown, and a summary.

Each test that compares a runtime with the truth writes its row in the build folder, and fails if
the document differs for that build.  `table.py --write` updates the document with these rows.
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
_ROWS = os.path.join(BUILD, "testsuite", "runtimes", "rows")
_RULE = "|---|---|---|---|---|---|---|\n"
_SUMMARY_HEAD = "| Runtime | Comes with | Unprepared | Under the recorder |\n|---|---|---|---|\n"
_SYSTEMS = {
    "bookworm": "Debian 12",
    "trixie": "Debian 13",
    "sid": "Debian sid",
    "pypi": "PyPI",
    "driver": "its driver",
}

# Of each table and field, how many values are certain, presumed and unknown.
Statuses = Dict[Tuple[str, str], Dict[str, int]]


def _fields(statuses: Statuses, wanted: str) -> str:
    """Return the fields that have a WANTED value, by tables: "contexts: devices; ..."."""
    by_table: Dict[str, List[str]] = {}
    for (table, field), counts in sorted(statuses.items()):
        if counts.get(wanted):
            by_table.setdefault(table, []).append(field)
    texts = ["%s: %s" % (table, ", ".join(fields)) for table, fields in by_table.items()]
    return "; ".join(texts) or "none"


def this_release() -> str:
    """Return the code name of this machine's release, or "".

    Debian sid has the name of the next release, but no number.
    """
    if not os.path.exists("/etc/os-release"):
        return ""
    with open("/etc/os-release", encoding="utf-8") as file:
        text = file.read()
    found = re.search(r"(?m)^VERSION_CODENAME=\W?(\w+)", text)
    if found and re.search(r"(?m)^ID=debian$", text) and not re.search(r"(?m)^VERSION_ID=", text):
        return "sid"
    return str(found.group(1)) if found else ""


def make_row(layout: str, release: str, source: str, statuses: Statuses) -> str:
    """Return the row of a runtime for one source, "layout" or "recorder".

    LAYOUT is the file with the runtime's layout, RELEASE the code name that it comes with.
    """
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
    """Return what two rows of one build and source share."""
    cells = row.split("|")
    return "|".join(cells[1:3] + cells[4:5])


def _read_rows() -> List[str]:
    """Return the rows of the document."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    return [line + "\n" for line in text.split(_RULE)[1].split("\n\n")[0].splitlines()]


def check_row(row: str) -> None:
    """Write ROW in the build folder, and fail if the document has another row for the build."""
    os.makedirs(_ROWS, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in _key(row))
    with open(os.path.join(_ROWS, name), "w", encoding="utf-8") as file:
        file.write(row)
    print(row, end="")
    for found in _read_rows():
        if _key(found) == _key(row) and found != row:
            raise AssertionError("%s has:\n%sinstead of:\n%s" % (DOCUMENT, found, row))


def write(rows: Iterable[str]) -> None:
    """Replace the document's rows of the same builds by ROWS."""
    by_key = {_key(row): row for row in [*_read_rows(), *rows]}
    with open(DOCUMENT, encoding="utf-8") as file:
        head, rest = file.read().split(_RULE)
    tail = rest[rest.index("\n\n") + 1 :] if "\n\n" in rest else ""
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(head + _RULE + "".join(sorted(by_key.values())) + tail)


def summarize() -> str:
    """Return the rows of the summary, one for each runtime.

    Of several builds it has the one of which the least is known.
    """
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
    """Return the quotient of `193 of 197`, or 0 for a source that was not tried."""
    known, _, total = text.partition(" of ")
    return int(known) / int(total) if total else 0.0


def summary_shown() -> str:
    """Return the summary in the document."""
    with open(DOCUMENT, encoding="utf-8") as file:
        return file.read().split(_SUMMARY_HEAD)[1].split("\n\n")[0] + "\n"


def write_summary() -> None:
    """Update the summary in the document."""
    with open(DOCUMENT, encoding="utf-8") as file:
        head, rest = file.read().split(_SUMMARY_HEAD)
    text = head + _SUMMARY_HEAD + summarize() + rest[rest.index("\n\n") + 1 :]
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(text)


def main() -> None:
    """Update the document with the rows in the build folder."""
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
