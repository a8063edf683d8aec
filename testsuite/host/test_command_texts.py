#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts that are longer than a record has room for: of a process, of a core, and of what is saved
of both, as JSON, in words and in GDB; and without the recorder."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from typing import Dict, List, Tuple

from command import OK, run
from harness import (
    Row,
    ask,
    environment,
    lines_until,
    main,
    one_arena,
    program,
    run_gdb,
    work_folder,
)

import ompd_opencl

PATH = program("programs/texts")
Told = Dict[str, List[Tuple[str, str]]]


def read_told(lines: List[str]) -> Told:
    """What the program tells: by a word, handles and texts."""
    told: Told = {}
    for line in lines:
        word, handle, text = line.rstrip("\n").split(" ", 2)
        told.setdefault(word, []).append((handle, text.replace("|", "\n")))
    return told


def row_of(rows: List[Row], handle: str) -> Row:
    """The row of an object."""
    (row,) = [row for row in rows if row.get("handle") == handle]
    return row


class TestTexts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = work_folder(self.id().rpartition(".")[2])

    def _check_rows(self, programs: List[Row], kernels: List[Row], told: Told) -> None:
        ((handle, options),) = told["options"]
        self.assertGreater(len(options), 600)
        self.assertEqual(row_of(programs, handle)["options"], options)
        ((handle, log),) = told["log"]
        row = row_of(programs, handle)
        start = log.rfind("\n", 0, log.index("error")) + 1
        self.assertGreater(len(log) - start, 600, log)
        self.assertEqual(row["log"], log[start:])
        self.assertEqual(len(told["kernel"]), 2)
        for handle, name in told["kernel"]:
            self.assertEqual(len(name), 201)
            self.assertEqual(row_of(kernels, handle)["name"], name)
        self.assertEqual([row for row in programs + kernels if "at_least" in row], [])

    def _check_words(self, words: Dict[str, str], told: Told) -> None:
        self.assertIn("options", words["options"])
        self.assertIn(told["options"][0][1], words["options"])
        self.assertIn(told["kernel"][0][1], words["kernel"])
        lines = [line.strip() for line in words["log"].splitlines()]
        for line in told["log"][0][1].splitlines():
            if "there_is_no_such_name" in line:
                self.assertTrue(any(shown.endswith(line.strip()) for shown in lines), words["log"])

    def _check(self, target: List[str], variables: Dict[str, str], told: Told) -> None:
        programs = run([*target, "programs", "--json"], variables)
        kernels = run([*target, "kernels", "--json"], variables)
        self.assertEqual((programs.code, kernels.code), (OK, OK), programs.errors)
        self._check_rows(programs.objects(), kernels.objects(), told)
        verbs = {"options": "program", "log": "program", "kernel": "kernel"}
        words = {
            word: run([*target, verb, told[word][0][0]], variables).output
            for word, verb in verbs.items()
        }
        self._check_words(words, told)
        # A table has the beginning, and says that it is no more; groups are of whole names.
        table = run([*target, "kernels"], variables).output
        self.assertEqual(len(re.findall(r" filter_k{109}\u2026$", table, re.M)), 2, table)
        groups = run([*target, "kernels", "--group", "name", "--json"], variables).objects()
        self.assertEqual(sorted(row["name"] for row in groups), sorted(self._names(told)))

    @staticmethod
    def _names(told: Told) -> List[str]:
        return [name for _, name in told["kernel"]]

    def test_process(self) -> None:
        variables = environment("pocl")
        saved = os.path.join(self.folder, "saved")
        with subprocess.Popen(
            [PATH],
            env=variables,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin
            told = read_told(lines_until(process, "main"))
            target = ["--pid", str(process.pid)]
            self._check(target, variables, told)
            answer = run([*target, "save", saved], variables)
            process.stdin.close()
        self.assertEqual(answer.code, OK, answer)
        self._check(["--core", saved], variables, told)

    def test_core(self) -> None:
        variables = one_arena(environment("pocl"))
        core = os.path.join(self.folder, "core")
        output = os.path.join(self.folder, "output")
        session = run_gdb(
            [PATH],
            [
                "cd " + self.folder,
                "break truth_stop",
                "run > " + output,
                ask("programs", "opencl programs -json"),
                ask("kernels", "opencl kernels -json"),
                "python import gdb, re",
                "python handles = dict(line.split()[:2] for line in open('output') if ' ' in line)",
                "python ask('options', 'opencl program ' + handles['options'])",
                "python ask('log', 'opencl program ' + handles['log'])",
                "python ask('kernel', 'opencl kernel ' + handles['kernel'])",
                "gcore " + core,
                "kill",
            ],
            variables,
            name="texts",
        )
        with open(output, encoding="utf-8") as file:
            told = read_told([line for line in file if " " in line])
        self._check_rows(session.answer("programs").rows(), session.answer("kernels").rows(), told)
        words = {word: session.answer(word).output for word in ("options", "log")}
        # The last kernel is asked for.
        words["kernel"] = session.answer("kernel").output
        self._check_words(words, {**told, "kernel": told["kernel"][1:]})
        self._check(["--core", core], variables, told)
        self._check_python(core, told)

    def _check_python(self, core: str, told: Told) -> None:
        """Rows of the Python package have whole texts, also after the session."""
        with ompd_opencl.open_core(core) as opened:
            programs, kernels = list(opened.programs()), list(opened.kernels())
        ((handle, options),) = told["options"]
        self.assertEqual(
            [row.options for row in programs if "%#x" % row.handle == handle], [options]
        )
        self.assertEqual(sorted(row.name for row in kernels), sorted(self._names(told)))

    def test_layout(self) -> None:
        """A layout does not tell them, which is not the empty text."""
        variables = environment("pocl", recorder=False)
        with subprocess.Popen(
            [PATH],
            env=variables,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin
            lines = lines_until(process, "main")
            rows = run(["--pid", str(process.pid), "programs", "--json"], variables).objects()
            process.stdin.close()
        row = row_of(rows, read_told(lines)["options"][0][0])
        self.assertIsNone(row["options"])
        self.assertIn("options", row["unknown"])


if __name__ == "__main__":
    main()
