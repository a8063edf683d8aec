#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which layouts the plugin finds on a machine, in which order, and its messages about others."""

import os
import shutil
import tempfile
import unittest
from typing import List
from unittest import mock

from ompd_opencl.layouts import Layouts


class TestLayoutFiles(unittest.TestCase):
    """Folders with files in them."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.warnings: List[str] = []
        installed = os.path.join(self.folder, "installed")
        self.layouts = Layouts([installed], self.warnings.append)
        variables = mock.patch.dict(os.environ, {"XDG_DATA_HOME": self.folder})
        variables.start()
        self.addCleanup(variables.stop)
        os.environ.pop("OMPD_OPENCL_LAYOUT_PATH", None)

    def write(self, name: str, text: str = "x") -> str:
        """Make a file; returns its path."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def found(self) -> List[str]:
        """The files there are, by their paths from the folder on."""
        return [os.path.relpath(file.path, self.folder) for file in self.layouts.state()]

    def test_order(self) -> None:
        """The user's before the installed ones, each by name, and layouts alone."""
        self.assertEqual(self.layouts.state(), ())
        for name in ("installed/a.layout", "installed/b.layout", "installed/notes.txt"):
            self.write(name)
        for name in ("c.layout", "a.layout", ".d.layout", "layout"):
            self.write("ompd-opencl/layouts/" + name)
        users = ["ompd-opencl/layouts/a.layout", "ompd-opencl/layouts/c.layout"]
        self.assertEqual(self.found(), users + ["installed/a.layout", "installed/b.layout"])

    def test_home(self) -> None:
        """Without XDG_DATA_HOME, or with a relative one, the folder is that of HOME."""
        self.write(".local/share/ompd-opencl/layouts/a.layout")
        for data in ("", "data"):
            with mock.patch.dict(os.environ, {"XDG_DATA_HOME": data, "HOME": self.folder}):
                self.assertEqual(self.found(), [".local/share/ompd-opencl/layouts/a.layout"])

    def test_path(self) -> None:
        """OMPD_OPENCL_LAYOUT_PATH names all folders there are; none is the working folder."""
        for name in ("installed/a.layout", "one/b.layout", "two/a.layout"):
            self.write(name)
        path = "%s/two::%s/none:%s/one" % ((self.folder,) * 3)
        with mock.patch.dict(os.environ, {"OMPD_OPENCL_LAYOUT_PATH": path}):
            self.assertEqual(self.found(), ["two/a.layout", "one/b.layout"])
        with mock.patch.dict(os.environ, {"OMPD_OPENCL_LAYOUT_PATH": ""}):
            self.assertEqual(self.found(), [])

    def test_changes(self) -> None:
        """A file that is written anew is another one."""
        self.write("installed/a.layout", "one")
        before = self.layouts.state()
        self.assertEqual(self.layouts.state(), before)
        self.write("installed/a.layout", "three")
        self.assertNotEqual(self.layouts.state(), before)
        self.assertEqual(self.layouts.read(self.layouts.state()[0]), b"three")

    def test_bounds(self) -> None:
        """No more is read of a file than shows that it is too long, nor more files than 1024."""
        self.write("installed/0.layout", "y" * 100000)
        (file,) = self.layouts.state()
        self.assertEqual(len(self.layouts.read(file)), 64 * 1024 + 1)
        for number in range(1030):
            self.write("installed/1%04d.layout" % number)
        self.assertEqual(len(self.layouts.state()), 1024)

    def test_warnings(self) -> None:
        """What is wrong with a file is said once, and again when something else is."""
        path = self.write("installed/\x1ba.layout")
        (file,) = self.layouts.state()
        for reason in ("Line 1: no.", "Line 1: no.", "Line 2: no."):
            self.layouts.refuse(file, reason)
        shown = path.replace("\x1b", "\\x1b")
        sentence = "The layout %s is ignored: Line %d: no."
        self.assertEqual(self.warnings, [sentence % (shown, 1), sentence % (shown, 2)])
        os.unlink(path)
        self.assertEqual(self.layouts.read(file), b"")
        self.assertRegex(self.warnings[2], "No such file")


if __name__ == "__main__":
    unittest.main(verbosity=2)
