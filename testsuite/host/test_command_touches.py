#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What commands touch, where memory objects are mapped, and who set a user event."""

from __future__ import annotations

import json
import subprocess
import unittest
from typing import Dict, List

from command import OK, run
from harness import TIME_LIMIT, Row, environment, main, program
from unprepared import tool_environment


def _box(x: int, y: int, width: int, height: int) -> Row:
    """The fields of a box in one slice."""
    return {
        "origin_x": x,
        "origin_y": y,
        "origin_z": 0,
        "region_x": width,
        "region_y": height,
        "region_z": 1,
    }


class TouchesTests(unittest.TestCase):
    """One process for all tests of a runtime."""

    runtime = ""
    process: "subprocess.Popen[str]"
    truth: Dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.process = subprocess.Popen(
            [program("programs/touches")],
            env=environment(cls.runtime),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )
        assert cls.process.stdout is not None
        cls.truth = json.loads(cls.process.stdout.readline())
        assert cls.process.stdout.readline() == "ready\n"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.process.communicate("\n", TIME_LIMIT)
        assert cls.process.returncode == 0

    def _ask(self, *words: str) -> str:
        answer = run(["--pid", str(self.process.pid), *words], tool_environment())
        self.assertEqual(answer.code, OK, answer)
        return answer.output

    def _rows(self, *words: str) -> List[Row]:
        return [json.loads(line) for line in self._ask(*words, "--json").splitlines()]

    def _commands(self) -> Dict[object, Row]:
        """The commands by their type, the last of each."""
        rows = sorted(self._rows("commands"), key=lambda row: int(str(row["number"])))
        return {row["type"]: row for row in rows}

    def _memobj(self, use: str, handle: str, **fields: object) -> Row:
        kind = {"use": use, "object_kind": "memobj", "object": self.truth[handle]}
        return {**kind, **fields}

    def _host(self, use: str, **fields: object) -> Row:
        return {"use": use, "object_kind": "host", "address": self.truth["memory"], **fields}

    def _svm(self) -> List[Row]:
        """What the kernel uses besides its arguments, where the runtime has SVM."""
        if self.truth["svm"] == "(nil)":
            return []
        start = int(self.truth["svm"], 16)
        kind = {"use": "uses", "object_kind": "svm", "object": self.truth["svm"]}
        return [{**kind, "address": "0x%x" % (start + at), "offset": at} for at in (16, 0)]

    def test_kernel(self) -> None:
        """The SVM that a kernel uses besides its arguments, as text and as JSON."""
        (kernel,) = self._rows("kernels")
        self.assertEqual(kernel["accesses"], self._svm())
        self.assertEqual(kernel["svm_pointer_count"], len(self._svm()))
        self.assertEqual(kernel.get("uses_any", []), self.truth["uses_any"].split())
        answer = self._ask("kernel", self.truth["kernel"])
        if self._svm():
            self.assertRegex(
                answer,
                r"It also uses:\n  In all rows below: access uses, kind svm, object %(svm)s\.\n"
                r".*\n +1 .* 16 B\n +2 +%(svm)s .* 0 B\n" % self.truth,
            )
        else:
            self.assertNotIn("It also uses", answer)

    def test_accesses(self) -> None:
        commands = self._commands()
        wanted: Dict[str, List[Row]] = {
            "read-buffer": [
                self._memobj("reads", "buffer", offset=16, size=100),
                self._host("writes", size=100),
            ],
            "write-buffer-rect": [
                self._host(
                    "reads",
                    offset=512 + 1,
                    size=3 * 512 + 8,
                    **_box(1, 1, 8, 4),
                    row_pitch=512,
                    slice_pitch=0,
                ),
                self._memobj("writes", "buffer", **_box(4, 2, 8, 4), row_pitch=256, slice_pitch=0),
            ],
            "copy-buffer": [
                self._memobj("reads", "constant", offset=8, size=32),
                self._memobj("writes", "buffer", offset=24, size=32),
            ],
            "read-image": [
                self._memobj("reads", "image", **_box(4, 2, 8, 4)),
                self._host(
                    "writes",
                    size=4 * 8 * 4,
                    region_x=8,
                    region_y=4,
                    region_z=1,
                    row_pitch=0,
                    slice_pitch=0,
                ),
            ],
            "fill-buffer": [self._memobj("writes", "buffer", offset=64, size=128)],
            "migrate-mem-objects": [
                self._memobj("migrates", "buffer"),
                self._memobj("migrates", "constant"),
            ],
            "ndrange-kernel": [
                *self._svm(),
                self._memobj("uses", "buffer", argument=0, offset=0, size=65536),
                self._memobj("reads", "constant", argument=1, offset=0, size=65536),
            ],
            "map-buffer": [
                self._memobj(
                    "maps",
                    "buffer",
                    address=self.truth["mapped"],
                    offset=128,
                    size=64,
                    map_flags=["CL_MAP_READ"],
                    map_flags_value=1,
                )
            ],
            "unmap-mem-object": [self._memobj("unmaps", "buffer", address=self.truth["undone"])],
        }
        self.assertEqual({kind: commands[kind]["accesses"] for kind in wanted}, wanted)

    def test_work_sizes(self) -> None:
        commands = self._commands()
        keys = ["dimensions"]
        keys += [f"global_{what}_{axis}" for what in ("offset", "size") for axis in "xyz"]
        keys += ["local_size_x"]
        kernel = commands["ndrange-kernel"]
        told = [kernel.get(key) for key in keys]
        self.assertEqual(told, [2, 1, 2, None, 16, 8, None, None])
        self.assertNotIn("dimensions", commands["read-buffer"])

    def test_sentences(self) -> None:
        rows = [row["type"] for row in self._rows("commands")]
        answer = self._ask("command", f"commands#{rows.index('read-buffer') + 1}")
        self.assertRegex(
            answer,
            r"It touches:\n  In all rows below: size 100 B\.\n"
            r" +# +access +kind +object +address +offset\n"
            r" +1 +reads +memobj +%(buffer)s +- +16 B\n"
            r" +2 +writes +host +- +%(memory)s <memory> +-\n" % self.truth,
        )

    def test_mappings(self) -> None:
        rows = sorted(self._rows("mappings"), key=lambda row: str(row["state"]))
        self.assertEqual(
            [[row[key] for key in ("state", "pointer", "offset", "size")] for row in rows],
            [
                ["mapped", self.truth["mapped"], 128, 64],
                ["unmapped", self.truth["undone"], 512, 32],
            ],
        )
        self.assertIn("unmapped_caller", rows[1])
        self.assertNotIn("unmapped_caller", rows[0])
        answer = self._ask("memobj", self.truth["buffer"])
        self.assertRegex(
            answer, r"Its mappings:\n.*\n +1 +%(mapped)s .* mapped +128 B" % self.truth
        )

    def test_addresses(self) -> None:
        """An address in a mapping, and in one that was undone."""
        place = r"at main at touches\.c:\d+ by LWP %d" % self.process.pid
        for name, verb, end in (
            ("mapped", "is", ""),
            ("undone", "was", r", unmapped " + place),
        ):
            address = "0x%x" % (int(self.truth[name], 16) + 3)
            self.assertRegex(
                self._ask("object", address),
                r"\A%s %s byte 3 of a mapping of memory object %s, mapped %s%s\.\n\Z"
                % (address, verb, self.truth["buffer"], place, end),
            )

    def test_setter(self) -> None:
        self.assertRegex(
            self._ask("event", self.truth["set"]),
            r"\n +set by +LWP %d.*\n(.*\n)* +set at +main at touches\.c:\d+\n" % self.process.pid,
        )


class TestPocl(TouchesTests):
    runtime = "pocl"


class TestRusticl(TouchesTests):
    runtime = "rusticl"


del TouchesTests  # what the runtimes have in common

if __name__ == "__main__":
    main()
