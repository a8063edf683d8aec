#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts that packaging/ repeats agree.  `make check-long` builds the packages."""

import os
import re
import sys
import unittest
from typing import List, Set

from source_tree import SOURCE

PACKAGING = os.path.join(SOURCE, "packaging")
ROOMS = {
    "libompd-opencl": "libompd",
    "libompd-opencl-host": "host",
    "libompd-opencl-view": "view",
}


def text_of(*path: str) -> str:
    """A file of the tree."""
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def exported(library: str) -> Set[str]:
    """The names that a version script exports, each with its node, and the node itself."""
    script = text_of(ROOMS[library], library + ".map")
    found: Set[str] = set()
    for node, body in re.findall(r"(?ms)^(\S+) \{(.*?)^local:", script):
        found |= {f"{name}@{node}" for name in (node, *re.findall(r"(\w+);", body))}
    return found


class TestPackaging(unittest.TestCase):
    def test_symbols(self) -> None:
        """The files by which Debian finds the version of a library that a program needs."""
        for library in ROOMS:
            lines = text_of("packaging", "debian", library + "0.symbols").splitlines()
            self.assertEqual(lines[0], f"{library}.so.0 {library}0 #MINVER#")
            names = [line.split()[0] for line in lines[1:]]
            self.assertGreater(len(names), 10)
            self.assertEqual(names, sorted(exported(library)), library)

    def test_version(self) -> None:
        """All are of the release's."""
        found = re.search(r"AC_INIT\(\[ompd-opencl\], \[(.*?)\]\)", text_of("configure.ac"))
        assert found is not None
        changelog = text_of("packaging", "debian", "changelog")
        self.assertTrue(changelog.startswith(f"ompd-opencl ({found[1]}-"), changelog[:40])
        spec = text_of("packaging", "rpm", "ompd-opencl.spec")
        self.assertIn(f"\nVersion:        {found[1]}\n", spec)
        self.assertIn(f" - {found[1]}-1\n", spec)

    def test_files(self) -> None:
        """Each package of Debian has a list of files, and a release has all of packaging/."""
        packages = re.findall(r"(?m)^Package: (.*)$", text_of("packaging", "debian", "control"))
        self.assertGreater(len(packages), 5)
        files: List[str] = []
        for folder, _, names in os.walk(PACKAGING):
            files += [os.path.relpath(os.path.join(folder, name), SOURCE) for name in names]
        for package in packages:
            self.assertIn(f"packaging/debian/{package}.install", files)
        listed = re.findall(r"packaging/\S+", text_of("packaging", "room.am").split("\n\n")[1])
        self.assertEqual(sorted(listed), sorted(set(files) - {"packaging/room.am"}))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
