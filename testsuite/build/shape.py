#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shape of the tree: its size, and the cycles among its files.

Each figure has a bound.  A change that exceeds one makes the tree harder to navigate, and needs a
better design.  A change that takes a figure well below its bound lowers the bound in the same
commit.  `shape.py --print` only prints the figures."""

import os
import re
import sys
import unittest
from typing import Dict, Iterable, List, Set

from object_files import objects_of, references_of
from source_tree import SOURCE, source_files

# The rooms that have C, and all whose lines count.
C_ROOMS = ("libompd", "recorder", "view", "host", "command", "learn", "text")
ROOMS = (*C_ROOMS, "include", "schema", "python", "gdb-plugin", "lldb-plugin")

# The output of schema/generate.py does not count.
WRITTEN = (
    "include/ompd-opencl-typed.h",
    *("python/ompd_opencl/enumerations.py", "python/ompd_opencl/structures.py"),
    *("python/ompd_opencl/host_structures.py", "python/ompd_opencl/view_structures.py"),
)

# The largest value of each figure.
BOUNDS: Dict[str, int] = {
    "lines": 146_000,
    "private headers": 72,
    "files of libompd": 235,
    "folders of libompd": 14,
    "members of struct address_space": 20,
    "headers that address-space.h includes": 4,
    "largest cycle of libompd": 7,
    "largest cycle of recorder": 10,
    "largest cycle of view": 3,
    "largest cycle of host": 2,
    "largest cycle of command": 3,
    "largest cycle of learn": 3,
    "largest cycle of text": 1,
}

ADDRESS_SPACE = "libompd/sources/address-space.h"


def text_of(path: str) -> str:
    """A file of the tree."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def files_of(rooms: Iterable[str], *suffixes: str) -> List[str]:
    """The files of rooms that end so."""
    starts = tuple(room + "/" for room in rooms)
    return [path for path in source_files(*suffixes) if path.startswith(starts)]


def cycles(graph: Dict[str, Set[str]]) -> List[List[str]]:
    """The groups of files that all reach one another, largest first."""
    reached = {node: _reachable(graph, node) for node in graph}
    groups: List[List[str]] = []
    seen: Set[str] = set()
    for node in sorted(graph):
        if node not in seen:
            group = sorted({other for other in reached[node] if node in reached[other]} | {node})
            seen.update(group)
            groups.append(group)
    return sorted((group for group in groups if len(group) > 1), key=len, reverse=True)


def _reachable(graph: Dict[str, Set[str]], start: str) -> Set[str]:
    found: Set[str] = set()
    ahead = [start]
    while ahead:
        for other in graph[ahead.pop()] - found:
            found.add(other)
            ahead.append(other)
    return found


def address_space_members() -> int:
    """How many members the struct has that every room of the library shares."""
    found = re.search(r"(?ms)^struct address_space \{\n(.*?)^\};", text_of(ADDRESS_SPACE))
    assert found, "struct address_space was not found"
    body = re.sub(r"(?s)/\*.*?\*/", "", found.group(1))
    return body.count(";")


def figures() -> Dict[str, int]:
    """All figures, by the names that BOUNDS has."""
    libompd = files_of(["libompd"], ".c", ".h")
    found = {
        "lines": sum(
            text_of(path).count("\n")
            for path in files_of(ROOMS, ".c", ".h", ".def", ".py")
            if path not in WRITTEN
        ),
        "private headers": len(files_of(C_ROOMS, ".h")),
        "files of libompd": len(libompd),
        "folders of libompd": len({os.path.dirname(path) for path in libompd}),
        "members of struct address_space": address_space_members(),
        "headers that address-space.h includes": text_of(ADDRESS_SPACE).count("\n#include"),
    }
    for room in C_ROOMS:
        groups = cycles(references_of(room))
        found[f"largest cycle of {room}"] = len(groups[0]) if groups else 1
    return found


class ShapeTest(unittest.TestCase):
    """The figures within their bounds."""

    def test_bounds(self) -> None:
        """No figure is over its bound, and none is of a tree that was not found."""
        found = figures()
        self.assertEqual(found.keys(), BOUNDS.keys())
        over = [
            f"{name}: {found[name]}, and no more than {bound} are wanted"
            for name, bound in BOUNDS.items()
            if found[name] > bound
        ]
        self.assertFalse(over, "\n" + "\n".join(over))
        self.assertGreater(found["lines"], 50_000, "the tree was not found")
        for room in C_ROOMS:
            self.assertGreaterEqual(len(objects_of(room)), len(files_of([room], ".c")) * 0.9, room)

    def test_cycles(self) -> None:
        """What is a cycle and what is not."""
        graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}
        self.assertEqual(cycles(graph), [["b", "c"]])


if __name__ == "__main__":
    if "--print" in sys.argv:
        for figure, value in figures().items():
            print(f"{figure}: {value} (at most {BOUNDS[figure]})")
    else:
        unittest.main(argv=[sys.argv[0], "-v"])
