#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the compilation database of this build, compile_commands.json, for clangd and its like.

usage: compile_commands.py [TARGET...]

The commands are those that `make -n TARGET...` prints when every source file counts as new.
Nothing is compiled.  Without TARGET the database covers the product and all programs of the tests.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from typing import Dict, Iterable, List, Optional, TypedDict

from source_tree import SOURCE, source_files

BUILD = os.environ["TOP_BUILDDIR"]
DATABASE = os.path.join(BUILD, "compile_commands.json")
# Not `all`, which runs another make, without the options for files that count as new.
ALL_TARGETS = ("all-am", "test-programs")

# automake asks for each source file whether it is in the build folder.
PLACE = re.compile(r"`test -f '?([^'` ]+)'? \|\| echo '([^']*)'`")
# Options with which the compiler writes dependencies for make, and how many words each has.
DEPENDENCY_OPTIONS = {"-MT": 2, "-MF": 2, "-MQ": 2, "-MD": 1, "-MP": 1, "-MMD": 1}
SOURCE_SUFFIXES = (".c", ".cc")


class Entry(TypedDict):
    """How one object file is compiled, as the database has it."""

    directory: str
    file: str
    output: str
    arguments: List[str]


def make_output(targets: Iterable[str]) -> str:
    """What make would run for these targets if every source file were new."""
    source_folder = os.path.relpath(SOURCE, BUILD)
    options = []
    for path in source_files(*SOURCE_SUFFIXES):
        options += ["-W", os.path.join(source_folder, path)]
    # A make that runs this has its own options and its own job server.
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
    }
    command = [os.environ.get("MAKE", "make"), "-n", "V=1", *options, *targets]
    done = subprocess.run(
        command, cwd=BUILD, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.replace("\\\n", " ")


def without_dependencies(words: List[str]) -> List[str]:
    """A compiler's command that writes nothing but the object file."""
    kept = []
    skip = 0
    for word in words:
        if skip == 0:
            skip = DEPENDENCY_OPTIONS.get(word, 0)
        if skip > 0:
            skip -= 1
        else:
            kept.append(word)
    return kept


def entry_of(line: str) -> Optional[Entry]:
    """The entry for one line of make's output; None if it does not compile one file."""
    if " -c " not in line:
        return None
    place = PLACE.search(line)
    if place is not None:
        prefix = "" if os.path.exists(os.path.join(BUILD, place.group(1))) else place.group(2)
        line = PLACE.sub(prefix.replace("\\", "\\\\"), line)
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    if "--mode=compile" in words:
        words = words[words.index("--mode=compile") + 1 :]
    sources = [word for word in words if word.endswith(SOURCE_SUFFIXES)]
    if "-c" not in words or "-o" not in words or len(sources) != 1:
        return None
    return {
        "directory": BUILD,
        "file": os.path.normpath(os.path.join(BUILD, sources[0])),
        "output": words[words.index("-o") + 1],
        "arguments": without_dependencies(words),
    }


def entries(targets: Iterable[str] = ALL_TARGETS) -> List[Entry]:
    """One entry for each object file, those of the product first: clangd takes a file's first."""
    found: Dict[str, Entry] = {}
    for line in make_output(targets).split("\n"):
        entry = entry_of(line)
        if entry is not None:
            found.setdefault(entry["output"], entry)
    return list(found.values())


def main(targets: List[str]) -> int:
    """Write the database; 1 when make names no command."""
    found = entries(targets or ALL_TARGETS)
    if not found:
        print("compile_commands: make prints no compiler command", file=sys.stderr)
        return 1
    with open(DATABASE + ".tmp", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")
    os.replace(DATABASE + ".tmp", DATABASE)
    files = {entry["file"] for entry in found}
    print(f"compile_commands.json: {len(found)} commands for {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
