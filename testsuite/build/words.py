#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The product speaks plain English: lines of help, and phrases that no printed text may have."""

from __future__ import annotations

import ast
import os
import re
import unittest
from typing import Dict, Iterator, List, Tuple

from command_help import help_of
from harness import main
from source_tree import SOURCE, source_files

ROOMS = (
    "command/",
    "gdb-plugin/",
    "host/",
    "learn/",
    "libompd/",
    "lldb-plugin/",
    "python/",
    "recorder/",
    "schema/",
    "text/",
    "view/",
)

# How the help of a verb begins.
IMPERATIVES = (
    "Find",
    "Identify",
    "Learn",
    "List",
    "Report",
    "Run",
    "Save",
    "Show",
    "Summarize",
    "Write",
)
LONGEST = 60  # characters of a line of help

# Phrases that a native speaker would not write, word by word, so that this file has none of them.
PHRASES = (
    ("there", "is", "no", "memory"),
    ("is", "no", "handle"),
    ("is", "no", "process", "id"),
    ("is", "no", "layout"),
    ("a", "look", "at"),
    ("look", "of"),
    ("looks", "of"),
    ("lend",),
    ("lends",),
    ("lent",),
    ("is", "none"),
    ("are", "none"),
    ("is", "none", "that"),
    ("no", "memory", "is", "there"),
    ("be", "it"),
    ("need", "be"),
    ("no", "kind", "of"),
    ("yet", "to", "be"),
    ("is", "there", "already"),
    ("do", "not", "tell", "of"),
    ("of", "which", "none"),
)

_STRING = r'"(?:[^"\\\n]|\\.)*"'
# Comments come first, as a string may begin in one.
_C_TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:[^'\\\n]|\\.)+'|%s" % _STRING, re.DOTALL)
_INCLUDE = re.compile(r"^ *#include .*$", re.MULTILINE)


def c_texts(text: str) -> Iterator[str]:
    """The string literals of a C file, those that follow each other joined."""
    joined = ""
    end = 0
    text = _INCLUDE.sub("", text)
    for match in _C_TOKEN.finditer(text):
        is_next = not text[end : match.start()].strip()
        if match.group()[0] == '"':
            if not is_next:
                yield joined
                joined = ""
            joined += match.group()[1:-1]
        elif not is_next or match.group()[0] == "'":
            continue
        end = match.end()
    yield joined


def python_texts(text: str) -> Iterator[str]:
    """The strings of a Python file that are no documentation."""
    tree = ast.parse(text)
    documentation = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documentation.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node not in documentation:
                yield node.value


def printed_texts() -> Iterator[Tuple[str, str]]:
    """Each text that the product may print, with its file."""
    for path in source_files():
        if not path.startswith(ROOMS) or not path.endswith((".c", ".h", ".def", ".py")):
            continue
        with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
            text = file.read()
        for printed in python_texts(text) if path.endswith(".py") else c_texts(text):
            yield path, printed


def help_lines(title: str) -> Dict[str, str]:
    """What the command's help says of each verb or option, in the part that TITLE begins."""
    part = help_of().split(title, maxsplit=1)[1]
    part = re.split(r"\n(?:Options|Environment|Exit codes):\n", part, maxsplit=1)[0]
    part = re.sub(r"\n {8,}", " ", part)  # of lines that were wrapped
    lines = re.findall(r"^  ((?:--)?[a-z][\w-]*)(?: [^ ]+)?(?:\[.*\])?  +(.+)$", part, re.MULTILINE)
    return dict(lines)


class TestHelp(unittest.TestCase):
    """Lines of help."""

    def test_verbs(self) -> None:
        """Each is an imperative sentence."""
        lines = help_lines("Verbs, each")
        self.assertGreater(len(lines), 30)
        for verb, line in lines.items():
            self.assertIn(line.split()[0], IMPERATIVES, verb)
            self.assertLessEqual(len(line), LONGEST, verb)
            self.assertTrue(line.endswith("."), (verb, line))
            self.assertNotIn(". ", line, verb)

    def test_options(self) -> None:
        """Each is a phrase in lower case."""
        lines = help_lines("\nOptions:\n")
        self.assertGreater(len(lines), 20)
        for option, line in lines.items():
            self.assertLessEqual(len(line), LONGEST, option)
            self.assertFalse(line[0].isupper() and line[1].islower(), (option, line))
            self.assertFalse(line.endswith("."), (option, line))


class TestPhrases(unittest.TestCase):
    """What the product prints."""

    def test_texts(self) -> None:
        """What is found in a file, and what is not."""
        text = '/* "one" */ f("t\\"w" /* "x" */ "o", 2, "three", \'"\');'
        self.assertEqual([part for part in c_texts(text) if part], ['t\\"wo', "three"])
        text = '"""one"""\ndef f():\n    """two"""\n    return "three" + "fo" "ur"'
        self.assertEqual(list(python_texts(text)), ["three", "four"])

    def test_phrases(self) -> None:
        patterns = [re.compile(r"\b%s\b" % r"\s+".join(words), re.IGNORECASE) for words in PHRASES]
        found: List[str] = []
        count = 0
        for path, text in printed_texts():
            count += 1
            for pattern in patterns:
                match = pattern.search(text)
                if match is not None:
                    found.append("%s: %r in %.90r" % (path, match.group(), text))
        self.assertGreater(count, 5000)
        self.assertFalse(found, "\n" + "\n".join(found))


if __name__ == "__main__":
    main()
