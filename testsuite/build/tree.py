#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for every file of the tree."""

import os
import re
import sys
import unittest
from typing import List

from source_tree import SOURCE, source_files

# Spelt so that this file keeps the rules too.
LEFT_BEHIND = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(^|[^A-Za-z0-9_.])/(wo" r"rk|fa" r"rm|ho" r"me)/")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LICENSED = (".c", ".h", ".py", ".pyi", ".sh", ".am", ".ac", ".m4")
# A longer file is asked about: it may have one job, or two.  A much longer one is refused.
MANY_LINES = 500
MOST_LINES = 800
LONGEST_LINE = 100
# Documents, and the names of C++ classes in layouts.
FREE_LINES = (".md", ".1", ".5", ".7", ".layout")
# One contract, one file: the header is read as a manual.
LONG_FILES = ("include/ompd-opencl.h", "include/ompd-opencl-typed.h")
# What a newcomer reads first has few lines, and they are narrow.
README_LINES = 135
README_COLUMNS = 90
LAW = re.compile(r"\blaw[\s*/#]+(\d+)")
LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")
VAGUE_NAMES = re.compile(r"^(util|utils|misc|common|helpers?)\b")


def lines(path: str) -> List[str]:
    """The lines of a file of the tree."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read().split("\n")


def matches(pattern: "re.Pattern[str]", paths: List[str]) -> List[str]:
    """Where a pattern is found: `file:line: text`."""
    return [
        f"{path}:{number}: {line}"
        for path in paths
        for number, line in enumerate(lines(path), 1)
        if pattern.search(line)
    ]


def prose(path: str) -> str:
    """The text of a document without transcripts and code."""
    return re.sub(r"```.*?```", "", "\n".join(lines(path)), flags=re.DOTALL)


def headings(path: str) -> List[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"(?m)^#+ (.*)$", prose(path))
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


# Commands of GDB that are made of words: no word of them is the target's choice, but for the
# name of a file in the one of modules.py.
GDB_COMMANDS = {
    "catchpoints.py": ['"%s load %s" % (command, wanted.words())'],
    "hidden_breakpoints.py": ["\"python __import__(%r, fromlist=['x']).make_now()\" % __name__"],
    "modules.py": ["command"],
    "style_settings.py": ['"%s %s" % (self._words, setting)'],
    "symbol_addresses.py": ['"info address " + name', '"info address " + name'],
    "tui_window.py": ["_LAYOUT"],
}
GDB_COMMAND = re.compile(
    r"gdb\.execute\((?!\"[^\"]*\"[,)])(.*?)(?:, (?:False|to_string).*)?\)$", re.MULTILINE
)


class TreeTest(unittest.TestCase):
    """The whole tree."""

    def setUp(self) -> None:
        self.files = source_files()
        self.assertGreater(len(self.files), 30, "the tree was not found")

    def assert_none(self, faults: List[str]) -> None:
        """Fail with one fault a line."""
        self.assertFalse(faults, "\n" + "\n".join(faults))

    def test_readme_is_short(self) -> None:
        """What a stranger reads first; transcripts are as wide as they are."""
        self.assertLessEqual(len(lines("README.md")), README_LINES)
        text = prose("README.md").split("\n")
        self.assert_none([line for line in text if len(line) > README_COLUMNS])

    def test_links(self) -> None:
        """Every link of a document leads to a file of the tree, and to a heading of it."""
        documents = [path for path in self.files if path.endswith(".md")]
        self.assertGreater(len(documents), 10, "the documents were not found")
        found = {path: headings(path) for path in documents}
        faults = []
        for path in documents:
            for link in LINK.findall(prose(path)):
                name, _, anchor = link.partition("#")
                target = os.path.normpath(os.path.join(os.path.dirname(path), name or "."))
                target = target if name else path
                if not os.path.exists(os.path.join(SOURCE, target)):
                    faults.append(f"{path}: {link}: no such file")
                elif anchor and anchor not in found.get(target, ()):
                    faults.append(f"{path}: {link}: no such heading")
        self.assert_none(faults)

    def test_nothing_is_left_for_later(self) -> None:
        """No mark of unfinished work."""
        self.assert_none(matches(LEFT_BEHIND, self.files))

    def test_commands_of_gdb(self) -> None:
        """None is made of what a target chooses."""
        found = {}
        for path in self.files:
            if path.startswith("gdb-plugin/") and path.endswith(".py"):
                commands = GDB_COMMAND.findall("\n".join(lines(path)))
                if commands:
                    found[os.path.basename(path)] = commands
        self.assertEqual(found, GDB_COMMANDS)

    def test_no_path_of_one_machine(self) -> None:
        """No path of one person's machine."""
        self.assert_none(matches(MACHINE_PATH, self.files))

    def test_licence(self) -> None:
        """Every file that can says its licence at its head."""
        bare = [
            path
            for path in self.files
            if path.endswith(LICENSED) and not any(LICENCE in line for line in lines(path)[:2])
        ]
        self.assert_none(bare)

    def test_ends(self) -> None:
        """Every line and every file ends as it should."""
        self.assert_none(matches(re.compile(r"\s$"), self.files))
        self.assert_none([path for path in self.files if lines(path)[-1] != ""])

    def test_width(self) -> None:
        """Lines fit beside each other on a screen; Markdown and manual pages are free."""
        narrow = [path for path in self.files if not path.endswith(FREE_LINES)]
        self.assert_none(matches(re.compile(f".{{{LONGEST_LINE + 1}}}"), narrow))

    def test_size(self) -> None:
        """A file has one job."""
        code = [path for path in self.files if path.endswith((".c", ".h", ".py", ".sh"))]
        sizes = {path: len(lines(path)) for path in code if path not in LONG_FILES}
        for path, size in sizes.items():
            if MANY_LINES < size <= MOST_LINES:
                print(f"{path} has {size} lines: has it one job?")
        self.assert_none([path for path, size in sizes.items() if size > MOST_LINES])

    def test_laws(self) -> None:
        """A law that a comment cites is in CONTRIBUTING.md."""
        text = "\n".join(lines("CONTRIBUTING.md"))
        section = text.split("## The laws")[1].split("\n## ")[0]
        laws = re.findall(r"^(\d+)\. \*\*", section, re.MULTILINE)
        cited = {law for path in self.files for law in LAW.findall("\n".join(lines(path)))}
        self.assertGreater(len(cited), 5, "no law is cited")
        self.assertEqual(cited - set(laws), set())

    def test_names(self) -> None:
        """A file's name says what it is for."""
        vague = [path for path in self.files if VAGUE_NAMES.search(os.path.basename(path))]
        self.assert_none(vague)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
