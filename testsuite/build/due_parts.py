#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Find the parts of `make check-long` that a change touches, and those that are due.

usage: due_parts.py table RECORD PART...
       due_parts.py cost PART

`table` prints a line for each part, with `yes` as its third word if the part is due.  `cost` prints
how long a part takes and what it proves.  RECORD is the file check-long/parts, with a line for each
run of a part.

The change is the difference from the commit CHECK_SINCE.  The default is the commit at which the
branch left its upstream branch, or else the default branch of the cloned repository.
"""

import configparser
import fnmatch
import os
import re
import sys
from typing import Dict, Iterable, List, NamedTuple, Optional, Set

from git_changes import SOURCE, changed_since, git_lines

TABLE = os.path.join(SOURCE, "testsuite", "build", "parts.ini")
RUN = re.compile(
    r"(?P<date>\S+) \S+ UTC (?P<part>\S+) (?P<result>\w+) in \d+ s (?P<version>\S+)$", re.MULTILINE
)


class Part(NamedTuple):
    """What the table says of a part."""

    minutes: str
    rooms: List[str]
    proves: str


class Pass(NamedTuple):
    """A run in which a part passed."""

    date: str
    version: str


def read_table(path: str = TABLE) -> Dict[str, Part]:
    """The parts by their names."""
    parser = configparser.ConfigParser(
        interpolation=configparser.ExtendedInterpolation(), inline_comment_prefixes=None
    )
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    return {
        name: Part(parser[name]["minutes"], parser[name]["rooms"].split(), parser[name]["proves"])
        for name in parser.sections()
    }


def last_passes(record: str) -> Dict[str, Pass]:
    """The last run of each part, where it passed; RECORD is the text of check-long/parts.

    A run on changes that no commit holds, or outside git, proves nothing of a commit.
    """
    passes: Dict[str, Pass] = {}
    for run in RUN.finditer(record):
        part, version = run["part"], run["version"]
        if run["result"] == "failed":
            passes.pop(part, None)
        elif run["result"] == "passed" and not version.endswith("-dirty") and version != "release":
            passes[part] = Pass(run["date"], version)
    return passes


def is_in_room(path: str, room: str) -> bool:
    """Whether a file is in a folder, is that file, or matches that pattern."""
    if "*" in room:
        return fnmatch.fnmatchcase(path, room)
    return path == room or path.startswith(room + "/")


def touched_rooms(rooms: Iterable[str], changed: Set[str]) -> List[str]:
    """The rooms in which a file changed."""
    return [room for room in rooms if any(is_in_room(path, room) for path in changed)]


def is_due(part: Part, last: Optional[Pass]) -> bool:
    """Whether a file of its rooms changed since it last passed, as far as git can say."""
    if last is None:
        return True
    changed = changed_since(last.version)
    return changed is None or bool(touched_rooms(part.rooms, changed))


def base_commit() -> str:
    """The commit where the change begins; HEAD when the branch follows no other."""
    named = os.environ.get("CHECK_SINCE")
    if named:
        return named
    for followed in ("@{upstream}", "origin/HEAD"):
        found = git_lines("merge-base", "HEAD", followed)
        if found:
            return found[0]
    return "HEAD"


def print_table(parts: Dict[str, Part], passes: Dict[str, Pass], due: List[str]) -> None:
    """A line for each part."""
    base = base_commit()
    changed = changed_since(base)
    if changed is None and os.environ.get("CHECK_SINCE"):
        sys.exit(f"check-long: CHECK_SINCE={base} is not a commit of this tree")
    print("check-long: changes since %s" % (base[:12] if changed is not None else "?"))
    line = "%-17s %7s  %-3s  %-24s  %s"
    print(line % ("PART", "MINUTES", "DUE", "LAST PASSED", "TOUCHED BY"))
    for name, part in parts.items():
        last = passes.get(name)
        passed = "%s %s" % (last.date, last.version) if last else "never"
        touched = " ".join(touched_rooms(dict.fromkeys(part.rooms), changed or set())) or "-"
        print(line % (name, part.minutes, "yes" if name in due else "no", passed, touched))
    minutes = sum(int(parts[name].minutes.lstrip("~")) for name in due)
    print(f"check-long: {len(due)} of {len(parts)} parts are due, about {minutes} minutes")


def main(arguments: List[str]) -> int:
    """Answer one of the two questions."""
    table = read_table()
    if len(arguments) == 2 and arguments[0] == "cost":
        part = table[arguments[1]]
        print(f"about {part.minutes.lstrip(chr(126))} min; {part.proves}")
        return 0
    if len(arguments) < 2 or arguments[0] != "table":
        print(__doc__, file=sys.stderr)
        return 2
    record, *names = arguments[1:]
    parts = {name: table[name] for name in names}
    with open(record, encoding="utf-8") as file:
        passes = last_passes(file.read())
    due = [name for name, part in parts.items() if is_due(part, passes.get(name))]
    print_table(parts, passes, due)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
