#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example with all commands, built as a vendor builds it: its answers are the command's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from typing import Dict, List, Tuple

import command
from example import build, installed, run, source
from harness import TIME_LIMIT, environment, main, program, work_folder

PACKAGES = ["ompd-opencl-view", "ompd-opencl-host"]
MOST_LINES = 249

LISTS = ["contexts", "queues", "memobjs", "destructors", "svm", "svm-frees", "threads", "runtimes"]

# What both are asked.  The example says nothing of what the target is, nor of threads that are not
# in OpenCL, and its library holds memory of its own.
ASKED = [
    *[[name] for name in LISTS],
    ["overview"],
    ["memory"],
    ["memobjs", "--kind", "buffer", "--min-size=1K"],
    ["memobjs", "--limit", "2"],
    ["destructors", "--state", "registered"],
]
REFUSED = [
    ["memobsj"],
    ["memobjs", "--foo"],
    ["memobjs", "--kind", "bogus"],
    ["memobjs", "--limit", "2", "--json"],
    ["memobj", "0x10"],
    ["memobj", "host"],
]


def common(words: List[str], output: str) -> List[str]:
    """The lines of a table that are the example's and the command's."""
    lines = output.splitlines()
    if words[0] == "memory" and "--json" not in words:
        return lines[: next(i for i, line in enumerate(lines) if line.startswith("Library memory"))]
    return lines


class TestCommands(unittest.TestCase):
    """doc/examples/commands.c."""

    folder = ""
    core = ""
    example = ""
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = work_folder("example-commands")
        cls.core = os.path.join(cls.folder, "core")
        cls.variables = environment("icd")
        cls.variables.pop("DEBUGINFOD_URLS", None)
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "16"
        command.write_core("programs/truth-program", [cls.folder], cls.core, cls.variables)
        cls.example = build("commands", PACKAGES, "gcc", cls.folder)

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def _ask(self, example: str, target: str, words: List[str]) -> Tuple[int, str, str]:
        variables = dict(self.variables, LD_LIBRARY_PATH=os.path.join(installed(), "lib"))
        done = run([example, target, *words], env=variables)
        return done.returncode, done.stdout, done.stderr

    def _compare(self, example: str, target: List[str], words: List[str]) -> None:
        """One question to both."""
        code, output, errors = self._ask(example, target[1], words)
        expected = command.run([*target, *words], self.variables)
        self.assertEqual((code, errors), (expected.code, expected.errors), words)
        shown = common(words, output)
        self.assertTrue(shown, words)
        lines = common(words, expected.output)
        if "--json" in words and words[0] == "memory":
            self.assertEqual(output.split('"library"')[0], expected.output.split('"library"')[0])
        elif words[0] == "overview" and "--json" not in words:
            self.assertEqual(shown, lines[-len(shown) :])
        else:
            lines = [line for line in lines if not line.startswith("Not seen in OpenCL: ")]
            self.assertEqual(shown, lines)

    def _compare_all(self, example: str, target: List[str]) -> None:
        for words in ASKED:
            with self.subTest(" ".join(words)):
                self._compare(example, target, words)
                if "--limit" not in words:
                    self._compare(example, target, [*words, "--json"])

    def test_core(self) -> None:
        """Every list, as a table and as JSON, by both compilers' builds."""
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler) is None:
                self.skipTest(compiler + " is not installed")
            example = build("commands", PACKAGES, compiler, self.folder)
            self._compare_all(example, ["--core", self.core])

    def test_objects(self) -> None:
        """What belongs to one object."""
        for verb, name in (("memobj", "memobjs"), ("context", "contexts"), ("queue", "queues")):
            rows = command.run(["--core", self.core, name, "--json"], self.variables).objects()
            self.assertTrue(rows)
            for words in ([verb, rows[0]["handle"]], [verb, rows[-1]["handle"], "--json"]):
                self._compare(self.example, ["--core", self.core], words)

    def test_process(self) -> None:
        """A process, which goes on then."""
        with subprocess.Popen(
            [program("programs/truth-program"), self.folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdout is not None
            try:
                self.assertEqual(process.stdout.readline(), "main\n")
                target = ["--pid", str(process.pid)]
                self._compare(self.example, target, ["memobjs"])
                self._compare(self.example, target, ["memobjs", "--no-stop", "--json"])
                process.communicate("\n\n\n\n", timeout=TIME_LIMIT)
            except BaseException:
                process.kill()
                raise
        self.assertEqual(process.returncode, 0)

    def test_refused(self) -> None:
        """What makes no sense: the same exit code, and the same sentence but for where help is."""
        for words in REFUSED:
            code, output, errors = self._ask(self.example, self.core, words)
            expected = command.run(["--core", self.core, *words], self.variables)
            self.assertEqual((code, output), (2, ""), words)
            self.assertEqual(expected.code, 2)
            said = errors.replace("commands CORE|PID", "ompd-opencl")
            said = said.replace("commands: ", "", 1).strip()
            self.assertEqual("ompd-opencl: %s\n" % command.as_error(said), expected.errors)
        errors = self._ask(self.example, self.core, ["memobjs", "\033[2J"])[2]
        self.assertRegex(errors, r"\Acommands: .*\\x1b\[2J.*\n\Z")
        code, output, errors = self._ask(self.example, self.core + ".not-there", ["memobjs"])
        self.assertEqual((code, output), (3, ""))
        self.assertRegex(errors, r"\Acommands: [^\n]+\.\n\Z")

    def test_help(self) -> None:
        """Help has every verb, and the example's own option."""
        code, output, errors = self._ask(self.example, self.core, ["--help"])
        self.assertEqual((code, errors), (0, ""))
        for word in (*LISTS, "--no-stop", "--kind NAME"):
            self.assertIn(word, output)

    def test_own_verb(self) -> None:
        """The verb that the example has itself: a row of the list, and what all rows add up to."""
        rows = command.run(["--core", self.core, "memobjs", "--json"], self.variables).objects()
        largest = max(rows, key=lambda row: int(row["size"]))
        whole = sum(int(row["size"]) for row in rows if row.get("parent", "0x0") == "0x0")
        code, output, errors = self._ask(self.example, self.core, ["largest", "--json"])
        self.assertEqual((code, errors), (0, ""))
        found = json.loads(output)
        self.assertEqual(found["handle"], largest["handle"])
        self.assertEqual(found["all_bytes"], whole)
        self.assertLessEqual(set(found) - {"all_bytes"}, set(largest))
        code, output, errors = self._ask(self.example, self.core, ["largest"])
        self.assertEqual((code, errors), (0, ""))
        self.assertRegex(output, r"\A(.*\n)*memory object .* of all\n0x")
        self.assertIn(largest["handle"], output)
        self.assertIn(f" {whole} B\n", output)
        self.assertIn("largest ", self._ask(self.example, self.core, ["--help"])[1])

    def test_size(self) -> None:
        """It stays what one reads in a sitting."""
        with open(source("commands"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), MOST_LINES)


if __name__ == "__main__":
    main()
