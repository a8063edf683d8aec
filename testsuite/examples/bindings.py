#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in C++, Rust and Python, made by the commands of their README: each prints what the
command tells of a core."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unittest
from typing import Dict, List

import command
from example import installed, run
from harness import SOURCE, Skip, environment, main, work_folder

EXAMPLES = os.path.join(SOURCE, "doc", "examples")
MOST_LINES = 149
PYTHONS = (sys.executable, "/usr/bin/python3")  # the latter has the distribution's packages


def readme_commands(name: str) -> List[str]:
    """The commands of the paragraph of the README that begins with the file NAME."""
    with open(os.path.join(EXAMPLES, "README.md"), encoding="utf-8") as file:
        text = file.read().split("**`%s`**" % name)[1].split("**`")[0]
    return [line.strip() for line in re.findall(r"(?m)^    \S.*$", text.replace("\\\n", ""))]


def need(*programs: str) -> None:
    """Skip where one of PROGRAMS is not installed."""
    for name in programs:
        if shutil.which(name) is None:
            raise Skip(name + " is not installed")


class Bindings(unittest.TestCase):
    folder = ""
    core = ""
    expected: List[str] = []
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = work_folder("example-bindings")
        cls.core = os.path.join(cls.folder, "core.4711")
        cls.variables = environment("icd")
        command.write_core("programs/truth-program", [cls.folder], cls.core, cls.variables)
        rows = command.run(["--core", cls.core, "memobjs", "--json"], cls.variables).objects()
        cls.expected = ["%s %d B" % (row["handle"], row["size"]) for row in rows]
        for name in ("memobjs.cc", "memobjs.rs", "memobjs_cffi.py"):
            shutil.copy(os.path.join(EXAMPLES, name), cls.folder)
        prefix = installed()
        cls.variables["LD_LIBRARY_PATH"] = os.path.join(prefix, "lib")
        cls.variables["PKG_CONFIG_PATH"] = os.path.join(prefix, "lib", "pkgconfig")
        # All that is installed lies below a folder.
        cls.variables["PKG_CONFIG_SYSROOT_DIR"] = prefix[: -len("/usr/local")]

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def _make(self, name: str) -> List[str]:
        """Run all commands for the example but the last, which runs it; that one's words."""
        commands = readme_commands(name)
        for line in commands[:-1]:
            done = run(["sh", "-e", "-c", line], cwd=self.folder, env=self.variables)
            self.assertEqual(done.returncode, 0, line + "\n" + done.stdout + done.stderr)
            self.assertEqual(done.stderr, "", line)
        return commands[-1].split()

    def _compare(self, words: List[str]) -> None:
        """The example lists all objects, and refuses other files than cores with a sentence."""
        self.assertGreater(len(self.expected), 10)
        done = run(words, cwd=self.folder, env=self.variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(self.expected))
        done = run([*words[:-1], "/dev/null"], cwd=self.folder, env=self.variables)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"\Amemobjs\S*: '/dev/null' is not a file\.?\n\Z")
        self.assertEqual(run(words[:-1], cwd=self.folder, env=self.variables).returncode, 2)

    def test_cplusplus(self) -> None:
        need("c++")
        self._compare(self._make("memobjs.cc"))

    def test_rust(self) -> None:
        need("bindgen", "rustc")
        self._compare(self._make("memobjs.rs"))

    def test_cffi(self) -> None:
        words = self._make("memobjs_cffi.py")
        self.assertEqual(words[0], "python3")
        for python in PYTHONS:
            if run([python, "-c", "import cffi"]).returncode == 0:
                self._compare([python, *words[1:]])
                return
        raise Skip("cffi is not installed")

    def test_size(self) -> None:
        """They stay what one reads in a sitting."""
        for name in ("memobjs.cc", "memobjs.rs", "memobjs_cffi.py"):
            with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
                self.assertLessEqual(len(file.readlines()), MOST_LINES)


if __name__ == "__main__":
    main()
