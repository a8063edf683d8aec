#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory objects of external memory handles: of a process and of what is saved of it, as JSON, in
words and in Python. No installed runtime has cl_khr_external_memory, so the program uses the vendor
library of the test suite."""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import Dict, List, NamedTuple, Optional

from command import OK, run
from harness import environment, lines_until, main, program, work_folder

import ompd_opencl

PATH = program("icd/external-memory")


class Memory(NamedTuple):
    """What the program tells of a memory object; None for what it has not."""

    handle: str
    type: Optional[str]
    number: int
    acquisition: Optional[str]

    @property
    def sharing(self) -> Optional[str]:
        """The API that its storage comes from."""
        if self.type:
            return "external"
        return "gl" if self.acquisition else None


def read_told(process: subprocess.Popen[str]) -> List[Memory]:
    """The memory objects that the program tells until its stop."""
    told = []
    for line in lines_until(process, "main"):
        handle, *words = line.split()
        kind, number, acquisition = (None if word == "-" else word for word in words)
        told.append(Memory(handle, kind, int(str(number)), acquisition))
    return told


class TestExternalMemory(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = work_folder(self.id().rpartition(".")[2])

    def _start(self, variables: Dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [PATH],
            env=variables,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )

    def _check(self, target: List[str], variables: Dict[str, str], told: List[Memory]) -> None:
        for memory in told:
            words = [*target, "memobj", memory.handle]
            (row,) = run([*words, "--json"], variables).objects()
            number = memory.number if memory.sharing else None
            self.assertEqual(row.get("sharing"), memory.sharing, row)
            self.assertEqual(row.get("sharing_type"), memory.type, row)
            self.assertEqual(row.get("acquisition"), memory.acquisition, row)
            self.assertEqual(row.get("sharing_name"), number, row)
            unknown = {"sharing", "sharing_type", "sharing_name", "acquisition"} & {*row["unknown"]}
            self.assertEqual(unknown, set())
            self._check_words(run(words, variables).output, memory)

    def _check_words(self, text: str, memory: Memory) -> None:
        if memory.type:
            self.assertRegex(text, rf"(?m)^  handle type +{memory.type}( |$)")
        else:
            self.assertNotIn("handle type", text)
        if memory.sharing:
            self.assertRegex(text, rf"(?m)^  sharing name +{memory.number}$")
            self.assertRegex(text, rf"(?m)^  acquisition +{memory.acquisition}( |$)")
        else:
            self.assertNotIn("acquisition", text)

    def test_process(self) -> None:
        variables = environment("icd")
        saved = os.path.join(self.folder, "saved")
        with self._start(variables) as process:
            told = read_told(process)
            self.assertEqual(len(told), 6)
            target = ["--pid", str(process.pid)]
            self._check(target, variables, told)
            answer = run([*target, "save", saved], variables)
            assert process.stdin
            process.stdin.close()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(answer.code, OK, answer)
        self._check(["--core", saved], variables, told)
        with ompd_opencl.open_core(saved) as opened:
            rows = {row.handle: row for row in opened.memobjs()}
        for memory in told:
            row = rows[int(memory.handle, 0)]
            self.assertEqual(
                (row.sharing, row.sharing_type, row.acquisition),
                (memory.sharing, memory.type, memory.acquisition),
            )

    def test_no_history(self) -> None:
        """What is known of memory objects needs no record of commands."""
        variables = {**environment("icd"), "OMPD_OPENCL_HISTORY": "0"}
        with self._start(variables) as process:
            told = read_told(process)
            self._check(["--pid", str(process.pid)], variables, told)
            assert process.stdin
            process.stdin.close()
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    main()
