#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device addresses of buffers and in arguments of kernels: of a process and of what is saved of it,
in JSON and words. No installed runtime has cl_ext_buffer_device_address, so the program uses the
vendor library of the test suite."""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import Dict, List, NamedTuple

from command import OK, USAGE, run
from harness import environment, lines_until, main, program, work_folder

PATH = program("icd/device-addresses")
SIZE = 4096
NOBODYS = "0xbadbadbad000"


class Told(NamedTuple):
    """What the program tells of a buffer, or of a kernel."""

    handle: str
    address: int


def read_told(process: subprocess.Popen[str]) -> Dict[str, Told]:
    """What the program tells until its stop, by name."""
    told = {}
    for line in lines_until(process, "main"):
        name, handle, address = line.split()
        told[name] = Told(handle, int(address, 0))
    return told


class TestDeviceAddresses(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = work_folder(self.id().rpartition(".")[2])
        self.variables = environment("icd")
        self.target: List[str] = []

    def _run_json(self, *words: str) -> Dict[str, object]:
        answer = run([*self.target, *words, "--json"], self.variables)
        self.assertEqual(answer.code, OK, answer)
        (row,) = answer.objects()
        return row

    def _check_buffers(self, told: Dict[str, Told]) -> None:
        rows = {name: self._run_json("memobj", told[name].handle) for name in told}
        unknown = {name: "device_address" in str(row["unknown"]) for name, row in rows.items()}
        asked = rows["asked"]
        self.assertEqual(asked["has_device_address"], True, asked)
        self.assertEqual(int(str(asked["device_address"]), 0), told["asked"].address)
        for name in ("unasked", "none"):
            self.assertEqual(rows[name]["has_device_address"], True, rows[name])
            self.assertIsNone(rows[name]["device_address"], rows[name])
        self.assertNotIn("device_address", rows["plain"])
        self.assertNotIn("has_device_address", rows["plain"])
        self.assertEqual(
            unknown, {"asked": False, "unasked": True, "none": True, "plain": False}, rows
        )
        text = run([*self.target, "memobj", told["asked"].handle], self.variables).output
        self.assertRegex(text, rf"(?m)^  device address +{told['asked'].address:#x}$")

    def _check_object(self, told: Told) -> None:
        """An address in the buffer finds it; one after it does not."""
        last = told.address + SIZE - 1
        row = self._run_json("object", hex(last))
        self.assertEqual(row["handle"], told.handle)
        text = run([*self.target, "object", hex(last)], self.variables).output
        self.assertIn(
            f"{last:#x} is byte {SIZE - 1} of the device memory of this object:\nbuffer", text
        )
        for outside in (told.address - 1, last + 1):
            answer = run([*self.target, "object", hex(outside)], self.variables)
            self.assertEqual(answer.code, USAGE, answer)

    def _check_arguments(self, kernel: Told, buffer: Told) -> None:
        answer = run([*self.target, "kernel", kernel.handle, "--json"], self.variables)
        first, second = answer.objects()[0]["arguments"]
        self.assertEqual(first["form"], "device", first)
        self.assertEqual((first["object_kind"], first["object"]), ("memobj", buffer.handle))
        self.assertEqual(int(first["value"]), kernel.address, first)
        self.assertEqual(second["form"], "device", second)
        self.assertIsNone(second["object"], second)
        self.assertEqual(int(second["value"]), int(NOBODYS, 0), second)

    def _check(self, target: List[str], told: Dict[str, Told]) -> None:
        self.target = target
        self._check_buffers({name: told[name] for name in told if name != "kernel"})
        self._check_object(told["asked"])
        self._check_arguments(told["kernel"], told["asked"])

    def test_process(self) -> None:
        saved = os.path.join(self.folder, "saved")
        with subprocess.Popen(
            [PATH],
            env=self.variables,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            told = read_told(process)
            target = ["--pid", str(process.pid)]
            self._check(target, told)
            answer = run([*target, "save", saved], self.variables)
            assert process.stdin
            process.stdin.close()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(answer.code, OK, answer)
        self._check(["--core", saved], told)


if __name__ == "__main__":
    main()
