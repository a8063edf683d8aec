#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The contents of memory objects in LLDB, as numbers and as pictures, on a core: text and files are
those of the command ompd-opencl."""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import Dict, List

from command import run
from command_comparing import plain, rows_of
from harness import Session, environment, main, program, run_gdb, work_folder
from lldb_runner import ask, find_lldb, run_lldb
from png_picture import rows_of as png_rows

FEW = "programs/few"
KINDS = ["context", "buffer", "image"]
CONTENTS = ("--contents --as uchar4 --rows 2", "--contents --rows 3")
BY_LLDB = ["opencl set reader lldb", "opencl set search on"]


class TestContents(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = core = ""
    target: List[str] = []
    words: List[str] = []
    picture = ""
    session: Session

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("pocl", recorder=False)
        cls.folder = work_folder("lldb-contents")
        cls.core = os.path.join(cls.folder, "core")
        pipe = subprocess.PIPE
        command = [program(FEW), *KINDS]
        with subprocess.Popen(command, env=cls.variables, stdin=pipe, stdout=pipe) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"main\n"
            gcore = ["gcore " + cls.core]
            run_gdb(["-p", str(process.pid)], gcore, cls.variables, plugin=False, name="contents")
            process.communicate(b"\n")
        cls.target = ["--core", cls.core]
        rows = rows_of(run([*cls.target, "memobjs", "--json"], cls.variables))
        (handle,) = (row["handle"] for row in rows if row.get("kind") == "image2d")
        cls.words = ["memobj %s %s" % (handle, asked) for asked in CONTENTS]
        cls.picture = "memobj %s --image %s/" % (handle, cls.folder)
        commands = [ask(word, "opencl " + word) for word in cls.words]
        image = "opencl %slldb.png" % cls.picture
        commands += [ask("image", image), ask("again", image)]
        json = "opencl %s --json" % cls.words[0]
        commands += [ask("json", json), *BY_LLDB, ask("read by lldb", json)]
        cls.session = run_lldb(["-c", cls.core, program(FEW)], commands, cls.variables)

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def test_numbers(self) -> None:
        for words in self.words:
            told = self.session.answer(words).output
            own = run([*self.target, *words.split()], self.variables)
            self.assertEqual(plain(own.output), plain(told))
            self.assertRegex(told, r"\n00000000  .*\n")
        self.assertIn("00000000  (0, 7, 14, 21)", self.session.answer(self.words[0]).output)
        # Who reads makes no difference to the bytes.
        names = ("json", "read by lldb")
        row, read = (self.session.answer(name).rows()[0]["contents"] for name in names)
        self.assertEqual(row, read)
        self.assertEqual(row["values"][:2], [[0, 7, 14, 21], [28, 35, 42, 49]])

    def test_picture(self) -> None:
        """It is in a file of the same pixels, and no file is overwritten."""
        own = run([*self.target, *(self.picture + "own.png").split()], self.variables)
        if "this build has no libpng" in own.output:
            self.skipTest("the command is built without libpng")
        told = self.session.answer("image").output
        self.assertEqual(plain(told), plain(own.output.replace("own.png", "lldb.png")))
        self.assertRegex(told, r"\nImage written to .*: 16 x 8 pixels, \d+ B\.\n\Z")
        paths = (os.path.join(self.folder, name) for name in ("own.png", "lldb.png"))
        ours, lldbs = map(png_rows, paths)
        self.assertEqual((len(ours), ours), (8, lldbs))
        again = str(self.session.answer("again").error)
        self.assertRegex(again, "^'.*/lldb.png' already exists")


if __name__ == "__main__":
    main()
