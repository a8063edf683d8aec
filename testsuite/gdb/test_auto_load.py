#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB loads the installed plugin with a program that uses OpenCL, if auto-loading is allowed."""

import os
import subprocess
import unittest
from typing import List

from harness import BUILD, GDB, TIME_LIMIT, Skip, environment, main, program, work_folder

TARGETS = ["dist_pluginDATA", "dist_pluginpackageDATA", "dist_pypackageDATA", "pypathsDATA"]
STOPPED = "OpenCL in process"
UNKNOWN = 'Undefined command: "opencl"'


class TestAutoLoad(unittest.TestCase):
    data = ""  # the installed datadir
    plugin = ""

    @classmethod
    def setUpClass(cls) -> None:
        """Install below a folder, as packages are made."""
        folder = work_folder("auto-load")
        clean = {name: value for name, value in os.environ.items() if "MAKE" not in name[:8]}
        words = ["install-" + name for name in TARGETS] + ["install-data-hook"]
        subprocess.run(
            [os.environ.get("MAKE", "make"), "-s", "-C", BUILD, *words, "DESTDIR=" + folder],
            env=clean,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for path, _folders, files in os.walk(folder):
            if "ompd-opencl-gdb.py" in files:
                cls.plugin = os.path.join(path, "ompd-opencl-gdb.py")
                cls.data = path[: -len("/ompd-opencl/gdb")]
        if not any("libOpenCL" in each for _path, _, files in os.walk(cls.data) for each in files):
            raise Skip("no OpenCL loader was found when this was configured")

    def _said(self, *before: str, first: str = "") -> str:
        """What GDB says of a program that has called OpenCL."""
        variables = environment("icd")
        line: List[str] = [GDB, "-batch", "-nx", "-iex", "set debuginfod enabled off"]
        for command in before:
            line += ["-iex", command]
        if first:
            line += ["-x", first]
        folder = work_folder("auto-load-truth")
        commands = ["set opencl limit 7"] if first else []
        commands += ["break truth_stop", "run " + folder, "opencl", "show opencl limit", "kill"]
        for command in commands:
            line += ["-ex", command]
        done = subprocess.run(
            [*line, program("programs/truth-program")],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        self.assertNotIn("Traceback", done.stdout)
        return done.stdout

    @property
    def _folder(self) -> str:
        return "add-auto-load-scripts-directory %s/gdb/auto-load" % self.data

    @property
    def _trust(self) -> str:
        return "add-auto-load-safe-path %s/gdb/auto-load" % self.data

    def test_loaded(self) -> None:
        said = self._said(self._folder, self._trust)
        self.assertIn(STOPPED, said)
        self.assertNotIn(UNKNOWN, said)

    def test_twice(self) -> None:
        """By hand, too, before the program runs."""
        said = self._said(self._folder, self._trust, first=self.plugin)
        self.assertIn(STOPPED, said)
        self.assertIn("OpenCL lists show at most 7 rows.", said)

    def test_not_trusted(self) -> None:
        said = self._said(self._folder)
        self.assertIn("auto-loading has been declined", said)
        self.assertIn(UNKNOWN, said)

    def test_not_wanted(self) -> None:
        for setting in ("python-scripts off", "off"):
            with self.subTest(setting=setting):
                command = "set auto-load " + setting
                said = self._said(self._folder, self._trust, command)
                self.assertIn(UNKNOWN, said)
                self.assertNotIn(STOPPED, said)


if __name__ == "__main__":
    main()
