# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References between the object files of a room, which show more than its includes."""

import os
import re
import subprocess
from typing import Dict, Iterable, NamedTuple, Set

from source_tree import source_files

BUILD = os.environ["TOP_BUILDDIR"]


def objects_of(room: str) -> Dict[str, str]:
    """The object file of each C file of a room that is part of the product."""
    objects: Dict[str, str] = {}
    for source in [path for path in source_files(".c") if path.startswith(room + "/")]:
        folder, stem = os.path.split(source[: -len(".c")])
        for place in (os.path.join(BUILD, folder, ".libs"), os.path.join(BUILD, folder)):
            for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
                if re.fullmatch(rf"((lib\w*|\w*opencl\w*|\w*_la)-)?{stem}\.o", name):
                    objects.setdefault(source, os.path.join(place, name))
    return objects


class Names(NamedTuple):
    """What an object file has for others, and what it has from them."""

    defined: Set[str]
    wanted: Set[str]


def names_of(paths: Iterable[str]) -> Dict[str, Names]:
    """The names of each object file."""
    names = {path: Names(set(), set()) for path in paths}
    command = ["nm", "--print-file-name", "--extern-only", *names]
    listing = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in listing.splitlines():
        path, _, rest = line.rpartition(":")
        kind, symbol = rest.split()[-2:]
        (names[path].wanted if kind == "U" else names[path].defined).add(symbol)
    return names


def references_of(room: str) -> Dict[str, Set[str]]:
    """For each C file of a room the files of the room whose functions or data it names."""
    objects = objects_of(room)
    names = names_of(objects.values())
    defined = {symbol: source for source, path in objects.items() for symbol in names[path].defined}
    return {
        source: {defined[symbol] for symbol in names[path].wanted if symbol in defined} - {source}
        for source, path in objects.items()
    }
