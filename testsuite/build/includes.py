#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check which rooms and folders depend on each other, by includes and by object files."""

import os
import re
import sys
import unittest
from typing import Dict, List, NamedTuple, Tuple

from object_files import references_of
from source_tree import SOURCE, source_files

# The folders of each room, from the ground up: a file names what is in its own and in those before
# it.  "" is the room itself.
FOLDERS: Dict[str, Tuple[str, ...]] = {
    "libompd": (
        "base",
        "target",
        "kinds",
        "sources",
        "sources/recorder",
        "sources/layout",
        "sources/embree",
        "sources/stack",
        "answers",
        "questions/findings",
        "questions/waits",
        "questions/holders",
        "questions/leaks",
        "api",
    ),
    "recorder": ("core", "objects", "refusals", "wrap", ""),
    "view": ("context", "model", "show", "verbs", "report", ""),
    "command": ("session", "run", "triage", "learn", ""),
    "learn": ("base", "population", "search", "rules", "embree", ""),
    "host": ("base", "process", "files", "core", "elf", "", "snapshot", "sandbox"),
}

# Of the questions that are derived from rows each stands alone, but for this one.
ALLOWED_QUESTION = ("questions/leaks", "questions/holders")

# Headers that view/ and command/ share.
TEXT = ("text/heap.h", "text/json.h", "text/text.h")

# The public headers that a room uses, and the private ones of other rooms.
ROOMS: Dict[str, Tuple[str, ...]] = {
    "libompd": (
        "schema/calls.def",
        "schema/conditions.def",
        "schema/kinds.def",
        "schema/layout.def",
        "schema/names.def",
        "schema/rules.def",
        "ompd-opencl.h",
        "ompd-opencl-calls.h",
        "ompd-opencl-registry.h",
        "ompd-opencl-types.h",
    ),
    "recorder": (
        "schema/conditions.def",
        "schema/operands.def",
        "schema/registry.def",
        "schema/rules.def",
        "ompd-opencl-calls.h",
        "ompd-opencl-registry.h",
    ),
    "text": (),
    "view": (
        "schema/rules.def",
        "ompd-opencl.h",
        "ompd-opencl-view.h",
        *TEXT,
    ),
    "host": ("ompd-opencl.h", "ompd-opencl-host.h", "ompd-opencl-types.h"),
    "learn": (
        "schema/layout.def",
        "libompd/sources/layout/layout.h",
        "libompd/target/target.h",
    ),
    "command": (
        "schema/rules.def",
        "ompd-opencl.h",
        "ompd-opencl-host.h",
        "ompd-opencl-view.h",
        *TEXT,
    ),
}

# Without them there is no C, or, of the last, no numbers of ELF; all others need a system.
FREESTANDING = ("stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "string.h", "config.h", "elf.h")

INCLUDE = re.compile(r'^ *# *include +(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# At the start of a line: the result of a function, its name, its parameters, then its body or `;`.
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


def folder_of(path: str, room: str) -> str:
    """The folder of the room that a file is in."""
    return os.path.dirname(path)[len(room) + 1 :]


class FolderTest(unittest.TestCase):
    """The order of the folders of each room."""

    def assert_none(self, faults: List[str]) -> None:
        """Fail with one fault a line."""
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def fault_of(self, room: str, path: str, other: str) -> List[str]:
        """Why PATH may not name OTHER, a file of the same room; nothing where it may."""
        order = FOLDERS[room]
        own, its = folder_of(path, room), folder_of(other, room)
        if order.index(its) > order.index(own):
            return [f"{path}: {other} is above {own or room}/"]
        are_questions = own != its and own.startswith("questions/") and its.startswith("questions/")
        if are_questions and (own, its) != ALLOWED_QUESTION:
            return [f"{path}: {other} is another question"]
        return []

    def test_folders(self) -> None:
        """Every file is in a folder of the list."""
        for room, order in FOLDERS.items():
            files = files_of(room)
            self.assertGreater(len(files), 30, f"{room} was not found")
            self.assert_none([path for path in files if folder_of(path, room) not in order])

    def test_includes(self) -> None:
        """A file includes no header of a later folder, and names the folder of each."""
        for room in FOLDERS:
            files = set(files_of(room))
            faults = []
            seen = 0
            for path in sorted(files):
                for include in includes_of(path):
                    header = include.header if not include.is_quoted else f"{room}/{include.header}"
                    if header in files:
                        seen += 1
                        faults += self.fault_of(room, path, header)
                    elif include.is_quoted:
                        faults.append(f"{path}: {include.header} is not named with its folder")
            self.assertGreater(seen, 30, f"few includes of {room} were found")
            self.assert_none(faults)

    def test_references(self) -> None:
        """No object names a function or data of a later folder."""
        for room in FOLDERS:
            references = references_of(room)
            self.assertGreater(len(references), 25, f"{room} was not found")
            faults = [
                fault
                for path, others in sorted(references.items())
                for other in sorted(others)
                for fault in self.fault_of(room, path, other)
            ]
            self.assert_none(faults)

    def test_faults(self) -> None:
        """What is refused, and what is not."""
        self.assertTrue(self.fault_of("libompd", "libompd/base/call.c", "libompd/api/usage.c"))
        self.assertFalse(self.fault_of("libompd", "libompd/api/usage.c", "libompd/base/call.c"))
        leaks, holders = "libompd/questions/leaks/a.c", "libompd/questions/holders/b.h"
        self.assertFalse(self.fault_of("libompd", leaks, holders))
        self.assertTrue(self.fault_of("libompd", leaks, "libompd/questions/waits/c.h"))


class LibraryTest(unittest.TestCase):
    """What holds for libompd alone."""

    def setUp(self) -> None:
        self.files = files_of("libompd")
        self.assertGreater(len(self.files), 100, "the library was not found")

    def assert_none(self, faults: List[str]) -> None:
        """Fail with one fault a line."""
        self.assertFalse(faults, "\n" + "\n".join(faults))

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
        """A function that others call is declared in a header of its folder, and there alone."""
        declared: Dict[str, List[str]] = {}
        for path in self.files:
            if path.endswith(".h"):
                for name in functions(path, ";"):
                    declared.setdefault(name, []).append(path)
        faults = []
        seen = 0
        for path in self.files:
            for name in functions(path, "{") if path.endswith(".c") else []:
                headers = declared.pop(name, [])
                seen += 1
                if [os.path.dirname(header) for header in headers] != [os.path.dirname(path)]:
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
