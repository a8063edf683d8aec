#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin finds its parts however GDB loads it, and reports what it needs of GDB."""

import os
import shutil
import subprocess
import unittest
from typing import List

from harness import BUILD, GDB, PLUGIN, SOURCE, TIME_LIMIT, environment, main, work_folder

BUILD_PLUGIN = os.path.join(BUILD, "gdb-plugin", "ompd-opencl-gdb.py")
# That of the sources knows the libraries of a build folder called build.
PLUGINS = [BUILD_PLUGIN]
if os.path.realpath(os.path.join(SOURCE, "build")) == os.path.realpath(BUILD):
    PLUGINS.append(PLUGIN)

# With the library, which it looks for at the first command, the plugin looks for a process.
LOADED = "No process: "


def gdb_said(words: List[str], folder: str = ".") -> str:
    """What a GDB says that is started in FOLDER with WORDS and then asked by the plugin."""
    variables = environment("icd", recorder=False)
    del variables["OMPD_OPENCL_LIBRARY"]
    line = [GDB, "-batch", "-nx", "-iex", "set auto-load safe-path /"]
    done = subprocess.run(
        line + words + ["-ex", "opencl"],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    return done.stdout


def script(folder: str, *lines: str) -> str:
    """A Python script for GDB in a folder where nothing else of the plugin is."""
    path = os.path.join(folder, "script.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(("import gdb", *lines, "")))
    return path


class TestLoading(unittest.TestCase):
    """Where the plugin is loaded from, and by what."""

    def test_by_a_script(self) -> None:
        """GDB keeps the __file__ of the script for what the script sources."""
        folder = work_folder("loading-script")
        for plugin in PLUGINS:
            with self.subTest(plugin=plugin):
                outer = script(folder, "gdb.execute('source %s')" % plugin)
                self.assertTrue(gdb_said(["-x", outer]).startswith(LOADED))

    def test_by_a_relative_path(self) -> None:
        folder = os.path.dirname(BUILD_PLUGIN)
        for words in (["-x", "ompd-opencl-gdb.py"], ["-ex", "source ompd-opencl-gdb.py"]):
            with self.subTest(words=words):
                self.assertTrue(gdb_said(words, folder).startswith(LOADED))

    def test_by_a_link(self) -> None:
        for plugin in PLUGINS:
            with self.subTest(plugin=plugin):
                link = os.path.join(work_folder("loading-link"), "opencl.py")
                os.symlink(plugin, link)
                self.assertTrue(gdb_said(["-x", link]).startswith(LOADED))

    def test_with_its_program(self) -> None:
        """As PROGRAM-gdb.py GDB loads it by itself."""
        for plugin in PLUGINS:
            with self.subTest(plugin=plugin):
                folder = work_folder("loading-program")
                copy = shutil.copy("/bin/true", os.path.join(folder, "program"))
                os.symlink(plugin, copy + "-gdb.py")
                self.assertTrue(gdb_said([copy]).startswith(LOADED))


class TestNeeds(unittest.TestCase):
    """A GDB that is too old, played by one from which a part is taken."""

    def _refused(self, *lines: str) -> None:
        folder = work_folder("loading-needs")
        first, *rest = gdb_said(["-x", script(folder, *lines), "-x", PLUGIN]).splitlines()
        self.assertRegex(first, r"^ompd-opencl needs GDB 12 or later, built with Python 3\.8 or ")
        self.assertRegex(first, r": this is GDB 11\.1 with Python [0-9]+\.[0-9]+\.[0-9]+\.$")
        self.assertEqual(len(rest), 1, rest)
        self.assertRegex(rest[0], '^Undefined command: "opencl"')

    def test_old_gdb(self) -> None:
        self._refused("gdb.VERSION = '11.1'", "del gdb.events.connection_removed")

    def test_old_python(self) -> None:
        lines = ["import sys", "gdb.VERSION = '11.1'", "sys.version_info = (3, 7, 9)"]
        self._refused(*lines)

    def test_not_python(self) -> None:
        """What a GDB does first that takes the file for commands of its own: one without Python
        says there that it has none, and ends."""
        said = gdb_said(["-iex", "set script-extension off", "-x", PLUGIN])
        first, *rest = said.splitlines()
        self.assertRegex(first, "^This is Python: `set script-extension soft` ")
        self.assertRegex(rest[-1], '^Undefined command: "opencl"')

    def test_other_version(self) -> None:
        """A plugin for another version than the library's: a sentence for each command."""
        add = "sys.path.insert(0, %r)" % os.path.join(BUILD, "python")
        other = ["import sys", add, "import ompd_opencl.structures as c", "c.VERSION_MAJOR = 99"]
        path = script(work_folder("loading-version"), *other)
        said = gdb_said(["-x", path, "-x", BUILD_PLUGIN])
        self.assertRegex(said, r"^\S*/libompd-opencl\.so\.0 has version 0\.\d+, but this plugin ")
        self.assertRegex(said, r" needs version 99: install both [^\n]*\.\n\Z")
        other[-1] = "c.PROTOTYPES['ompd_cl_of_tomorrow'] = (None, [])"
        path = script(work_folder("loading-function"), *other)
        said = gdb_said(["-x", path, "-x", BUILD_PLUGIN])
        self.assertRegex(said, r"\A\S* has no function ompd_cl_of_tomorrow: [^\n]*\.\n\Z")


if __name__ == "__main__":
    main()
