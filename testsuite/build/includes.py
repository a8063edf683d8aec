#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who includes whom: the rooms of the tree, and the layers of the library."""

import os
import re
import sys
import unittest
from typing import Dict, List, NamedTuple, Tuple

from source_tree import SOURCE, source_files

# The folders of libompd/, from the ground up: each includes its own headers and those before it.
LAYERS = (
    "base",
    "target",
    "registry",
    "kinds",
    "layout",
    "runtime",
    "discovery",
    "session",
    "stacks",
    "rows",
    "lists",
    "findings",
    "waits",
    "holders",
    "leaks",
    "api",
    "ompd",
)

# What view/ and command/ share.
TEXT = ("text/heap.h", "text/not-checked.h", "text/size.h", "text/text.h")

# The public headers that a room uses, and the private ones of other rooms.
ROOMS: Dict[str, Tuple[str, ...]] = {
    "libompd": (
        "ompd-opencl.h",
        "ompd-opencl-calls.h",
        "ompd-opencl-registry.h",
        "ompd-opencl-types.h",
    ),
    "recorder": ("ompd-opencl-calls.h", "ompd-opencl-registry.h"),
    "text": (),
    "view": (
        "ompd-opencl.h",
        "ompd-opencl-view.h",
        *TEXT,
        "text/json.h",
        "text/time.h",
        "text/utf8.h",
    ),
    "host": ("ompd-opencl.h", "ompd-opencl-host.h", "ompd-opencl-types.h"),
    "learn": (
        "libompd/sources/layout/layout.h",
        "libompd/sources/layout/layout.h",
        "libompd/target/target.h",
    ),
    "command": (
        "ompd-opencl.h",
        "ompd-opencl-host.h",
        "ompd-opencl-view.h",
        "text/json.h",
        *TEXT,
    ),
}

# Without them there is no C, or, of the last, no numbers of ELF; all others need a system.
FREESTANDING = ("stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "string.h", "config.h", "elf.h")

INCLUDE = re.compile(r'^ *# *include +(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# At the start of a line: what a function gives, its name, its parameters, then its body or a `;`.
FUNCTION = re.compile(
    r"^(?!static|typedef|PUBLIC|else|return)((?:[A-Za-z_]\w*[ *]+)+)(\w+)"
    r"\(([^;{}()]*(?:\([^;{}]*)?)\)\s*([;{])",
    re.MULTILINE,
)


class Include(NamedTuple):
    """A line of a file that includes a header."""

    path: str
    is_quoted: bool
    header: str


def code(path: str) -> str:
    """A file of the tree without its comments."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return COMMENT.sub("", file.read())


def files_of(room: str) -> List[str]:
    """The C of a room."""
    return [path for path in source_files(".c", ".h") if path.startswith(room + "/")]


def includes_of(path: str) -> List[Include]:
    """What a file includes."""
    return [Include(path, mark == '"', header) for mark, header in INCLUDE.findall(code(path))]


def functions(path: str, end: str) -> List[str]:
    """The functions that a file defines, END being `{`, or declares, END being `;`."""
    return [name for _, name, _, last in FUNCTION.findall(code(path)) if last == end]


class LibraryTest(unittest.TestCase):
    """The layers of libompd."""

    def setUp(self) -> None:
        self.files = files_of("libompd")
        self.assertGreater(len(self.files), 100, "the library was not found")

    def assert_none(self, faults: List[str]) -> None:
        """Fail with one fault a line."""
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_folders(self) -> None:
        """Every file is in a folder of the list."""
        lost = [path for path in self.files if path.split("/")[1] not in LAYERS]
        self.assert_none(lost)

    def test_layers(self) -> None:
        """A folder includes no header of a later one, and names the folder."""
        faults = []
        seen = 0
        for path in self.files:
            own = LAYERS.index(path.split("/")[1])
            for include in includes_of(path):
                folder, _, name = include.header.rpartition("/")
                if not include.is_quoted:
                    continue
                seen += 1
                if folder not in LAYERS or "libompd/" + include.header not in self.files:
                    faults.append(f"{path}: {name} is not named with its folder")
                elif LAYERS.index(folder) > own:
                    faults.append(f"{path}: {include.header} is above {LAYERS[own]}/")
        self.assertGreater(seen, 300, "few includes were found")
        self.assert_none(faults)

    def test_freestanding(self) -> None:
        """No header of a system."""
        faults = [
            f"{path}: {include.header}"
            for path in self.files
            for include in includes_of(path)
            if not include.is_quoted
            and include.header not in ROOMS["libompd"]
            and include.header not in FREESTANDING
        ]
        self.assert_none(faults)

    def test_headers(self) -> None:
        """A function that others call is declared in its own file's header, and there alone."""
        declared: Dict[str, List[str]] = {}
        for path in self.files:
            if path.endswith(".h"):
                for name in functions(path, ";"):
                    declared.setdefault(name, []).append(path)
        faults = []
        seen = 0
        for path in self.files:
            for name in functions(path, "{") if path.endswith(".c") else []:
                own = path[: -len(".c")] + ".h"
                headers = declared.pop(name, [])
                seen += 1
                if headers != [own]:
                    faults.append(f"{path}: {name} is declared in {', '.join(headers) or 'none'}")
        faults += [f"{name} of {paths[0]} is nowhere" for name, paths in declared.items()]
        self.assertGreater(seen, 250, "few functions were found")
        self.assert_none(faults)


class RoomTest(unittest.TestCase):
    """The rooms of the tree."""

    def test_rooms(self) -> None:
        """No room includes a private header of another, nor a public one that is not for it."""
        faults = []
        for room, used in ROOMS.items():
            includes = [include for path in files_of(room) for include in includes_of(path)]
            self.assertGreater(len(includes), 15, f"{room} was not found")
            for path, is_quoted, header in includes:
                place = os.path.join(os.path.dirname(path), header) if is_quoted else header
                other = os.path.normpath(place).split("/")[0]
                is_private = other in ROOMS and other != room and header not in used
                is_public = os.path.basename(header).startswith("omp") and "/" not in header
                if is_private or (is_public and os.path.basename(header) not in used):
                    faults.append(f"{path}: {header}")
        self.assertFalse(faults, "\n" + "\n".join(faults))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
