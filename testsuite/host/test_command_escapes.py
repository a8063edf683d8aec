#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the target never reach a terminal raw: the command and GDB write control characters and
invalid UTF-8 as escapes.  JSON has the original names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unittest
from typing import Dict, List

from command import COMMAND, OK, UNREADABLE, USAGE, run
from harness import Session, ask, environment, main, program, run_gdb, work_folder

NAME = "tr\x1b]0;uth\x07\x7f\x85\u00e9\\"
SHOWN = r"tr\x1b]0;uth\a\x7f\xc2\x85" + "\u00e9" + r"\\"

# Controls but for the newline, which ends lines.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def start(path: str, folder: str, variables: Dict[str, str]) -> "subprocess.Popen[str]":
    """The truth program at its first stop; a line to it lets it go on."""
    process = subprocess.Popen(
        [path, folder, "wait"],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    )
    assert process.stdout is not None
    if process.stdout.readline() != "main\n":
        raise AssertionError("the program did not come to its stop")
    return process


class TestEscapes(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    target: List[str] = []
    session: Session
    process: "subprocess.Popen[str]"

    @classmethod
    def setUpClass(cls) -> None:
        """A program whose functions have no names but that of its file."""
        cls.variables = environment("icd")
        cls.folder = work_folder("command-escapes")
        path = os.path.join(cls.folder, NAME)
        shutil.copy(program("programs/truth-program"), path)
        subprocess.run(["strip", "--strip-all", path], check=True)
        cls.process = start(path, cls.folder, cls.variables)
        cls.target = ["--pid", str(cls.process.pid)]
        commands = [ask("destructors", "opencl destructors")]
        commands += [ask("json", "opencl destructors -json")]
        commands += [ask("refused", "opencl memobjs -kind \x1b[31mpipe"), "detach"]
        words = ["-p", str(cls.process.pid)]
        cls.session = run_gdb(words, commands, cls.variables, name="command-escapes")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.process.communicate("\n\n\n\n")

    def check(self, text: str, part: str) -> None:
        """TEXT has PART, and no controls."""
        self.assertIn(part, text)
        self.assertIsNone(CONTROL.search(text), ascii(text))

    def test_modules(self) -> None:
        """Text has the name escaped, that of the command and GDB's alike; JSON has it as it is."""
        answer = run([*self.target, "destructors"], self.variables)
        self.assertEqual(answer.code, OK)
        self.check(answer.output, SHOWN + "+0x")
        self.check(self.session.answer("destructors").output, SHOWN + "+0x")
        rows = run([*self.target, "destructors", "--json"], self.variables).objects()
        modules = {os.path.basename(row["module"]) for row in rows if "module" in row}
        self.assertEqual(modules, {NAME})
        rows = self.session.answer("json").rows()
        modules = {os.path.basename(row["module"]) for row in rows if "module" in row}
        self.assertEqual(modules, {NAME})

    def test_sentences(self) -> None:
        """What was asked is quoted with escapes, too."""
        for words, code in (
            ([*self.target, "memobjs", "--kind", NAME], USAGE),
            ([*self.target, NAME], USAGE),
            (["--core", os.path.join(self.folder, NAME + "-none"), "memobjs"], UNREADABLE),
        ):
            answer = run(words, self.variables)
            self.assertEqual((answer.code, answer.output), (code, ""))
            self.check(answer.errors, SHOWN)
        error = self.session.answer("refused").error
        assert error is not None
        self.check(error, r"\x1b[31mpipe")

    def test_core(self) -> None:
        """The path of a core and its program's name, in a line of triage and in the overview."""
        core = os.path.join(self.folder, "core-" + NAME)
        commands = ["gcore " + os.path.join(self.folder, "core"), "detach"]
        words = ["-p", str(self.process.pid)]
        run_gdb(words, commands, self.variables, plugin=False, name="command-escapes")
        os.rename(os.path.join(self.folder, "core"), core)
        answer = run(["triage", core], self.variables)
        self.check(answer.output, "core-%s: %s was running" % (SHOWN, SHOWN))
        overview = run(["--core", core, "overview"], self.variables)
        self.check(overview.output, "/%s (process " % SHOWN)
        os.unlink(core)

    def test_layouts(self) -> None:
        """The names of files with layouts, and of OpenCL runtimes that are installed."""
        layouts, vendors = (os.path.join(self.folder, name) for name in ("layouts", "vendors"))
        for folder, file_name, line in (
            (layouts, NAME + ".layout", "none"),
            (vendors, NAME + ".icd", "/no/such.so"),
        ):
            os.mkdir(folder)
            with open(os.path.join(folder, file_name), "w", encoding="ascii") as file:
                file.write(line + "\n")
        variables = dict(self.variables, OMPD_OPENCL_LAYOUT_PATH=layouts, OCL_ICD_VENDORS=vendors)
        output = run(["layouts"], variables).output
        self.check(output, "/%s.layout cannot be used: " % SHOWN)
        self.check(output, "%s (/no/such.so) cannot be used: " % SHOWN)
        errors = run(["learn"], variables).errors
        self.check(errors, "ompd-opencl: %s: cannot learn the layout: " % SHOWN)

    def test_no_utf_8(self) -> None:
        """Bytes that are no UTF-8 come as numbers."""
        done = subprocess.run(
            [COMMAND, b"\xff\xc3"],
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))
        self.assertIn(rb"unknown verb '\xff\xc3':", done.stderr)


if __name__ == "__main__":
    main()
