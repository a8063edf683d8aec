# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the object files of a room name of one another: more than its includes say."""

import os
import re
import subprocess
from typing import Dict, Set

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


def references_of(room: str) -> Dict[str, Set[str]]:
    """For each C file of a room the files of the room whose functions or data it names."""
    objects = objects_of(room)
    path_of = {path: source for source, path in objects.items()}
    defined: Dict[str, str] = {}
    wanted: Dict[str, Set[str]] = {source: set() for source in objects}
    command = ["nm", "--print-file-name", "--extern-only", *path_of]
    listing = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in listing.splitlines():
        path, _, rest = line.rpartition(":")
        kind, symbol = rest.split()[-2:]
        if kind == "U":
            wanted[path_of[path]].add(symbol)
        else:
            defined[symbol] = path_of[path]
    return {
        source: {defined[symbol] for symbol in symbols if symbol in defined} - {source}
        for source, symbols in wanted.items()
    }
