#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The product has no unused function or data, and none that could be static."""

import os
import re
import sys
import unittest
from typing import Dict, List, Set

from object_files import names_of, objects_of
from source_tree import SOURCE, source_files

ROOMS = ("libompd", "recorder", "view", "host", "command", "learn", "text")

# These stand in for functions of the C library, which calls them.
REPLACING = ("learn/base/guard-heap.c",)

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WORD = re.compile(r"\w+")


def words_of(path: str) -> List[str]:
    """The words of a file of the tree, without its comments."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return WORD.findall(COMMENT.sub(" ", file.read()))


def exported() -> Set[str]:
    """What the libraries export."""
    names: Set[str] = set()
    for path in source_files(".map"):
        names.update(words_of(path))
    return names


def fault_of(path: str, name: str, is_used: bool, is_tested: bool) -> str:
    """What is wrong of NAME, of PATH, which no other file of the product names; "": nothing.
    IS_USED: by its own file.  IS_TESTED: some test names it."""
    if not is_used:
        return f"{path}: {name} is used by {'tests' if is_tested else 'nothing'}: it can go"
    return "" if is_tested else f"{path}: no other file uses {name}: it can be static"


class UnusedTest(unittest.TestCase):
    """What each object file defines."""

    def test_uses(self) -> None:
        """Each name that a file lets others use is used by another one."""
        objects = {source: path for room in ROOMS for source, path in objects_of(room).items()}
        self.assertGreater(len(objects), 300, "the product was not found")
        names = names_of(list(objects.values()))
        wanted = exported() | {"main"}
        for path in names:
            wanted |= names[path].wanted
        words: Dict[str, Set[str]] = {source: set(words_of(source)) for source in objects}
        in_headers = [word for path in source_files(".h") for word in words_of(path)]
        tests = [path for path in source_files(".c", ".h") if path.startswith("testsuite/")]
        tested = {word for path in tests for word in words_of(path)}
        faults = []
        for source, path in objects.items():
            for name in names[path].defined - wanted if source not in REPLACING else ():
                # Code for other machines or loaders, and inline functions, use some of them.
                is_elsewhere = any(name in words[other] for other in objects if other != source)
                if is_elsewhere or in_headers.count(name) > 1:
                    continue
                is_used = words_of(source).count(name) > 1
                faults.append(fault_of(source, name, is_used, name in tested))
        self.assertEqual([fault for fault in faults if fault], [])

    def test_faults(self) -> None:
        """What is refused, and what is not: a test may reach into a file by a name of its own."""
        self.assertIn("can go", fault_of("a.c", "a", False, True))
        self.assertIn("can go", fault_of("a.c", "a", False, False))
        self.assertIn("static", fault_of("a.c", "a", True, False))
        self.assertEqual(fault_of("a.c", "a", True, True), "")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
