#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl errors` says why calls were refused: for each call of the program refusals that the
runtime refused with the error of the specification, its reason is the right one."""

from __future__ import annotations

import json
import re
import subprocess
import unittest
from typing import Any, Dict, List, Tuple

from command import FINDINGS, OK, run
from harness import lines_until, main, program, recorder_alone

Row = Dict[str, Any]


def _order(row: Row) -> int:
    order = row["order"]
    assert isinstance(order, int)
    return order


class TestRefusals(unittest.TestCase):
    def test_pocl(self) -> None:
        self._check("pocl", 325)

    def test_rusticl(self) -> None:
        self._check("rusticl", 300)

    def test_table(self) -> None:
        """People get a sentence below the table."""
        variables = recorder_alone("pocl")
        with subprocess.Popen(
            [program("programs/refusals")],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                lines_until(process, "ready")
                answer = run(["--pid", str(process.pid), "errors"], variables)
            finally:
                process.kill()
        self.assertRegex(
            answer.output.replace("\n", " "),
            r"clRetainKernel at refuse_kernels at refusals-kernels\.c:\d+ returned "
            r"CL_INVALID_KERNEL: +kernel is NULL\.",
        )

    def test_run(self) -> None:
        """The end of `run` says it too."""
        answer = run(["run", program("programs/refuse"), "refused"], recorder_alone("pocl"))
        self.assertEqual(answer.code, FINDINGS)
        self.assertRegex(
            answer.errors,
            r"CL_INVALID_VALUE from clEnqueueReadBuffer at .*, 250 times: "
            r"offset 0 and size 8192 exceed the 4096 bytes of buffer",
        )
        self.assertRegex(
            answer.errors,
            r"CL_INVALID_MEM_OBJECT from clEnqueueWriteBuffer at .*: buffer is NULL",
        )

    def _check(self, runtime: str, least: int) -> None:
        """At least LEAST calls are refused as the specification says."""
        truth, rows = self._refuse(runtime)
        self.assertEqual(len(rows), len(truth))
        right = 0
        for wanted, row in zip(truth, rows):
            with self.subTest(call=wanted["call"], reason=wanted["reason"]):
                self.assertIsInstance(row["reason"], str)
                self.assertNotIn("%", row["reason"])
                if wanted["wanted"] == wanted["returned"]:
                    self.assertEqual(row["reason"], wanted["reason"])
                    right += 1
        self.assertGreaterEqual(right, least)

    def _refuse(self, runtime: str) -> Tuple[List[Row], List[Row]]:
        """What the program has provoked, and the rows of `errors`, in the order of the calls."""
        variables = dict(recorder_alone(runtime), OMPD_OPENCL_HISTORY="4096")
        with subprocess.Popen(
            [program("programs/refusals")],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                lines = lines_until(process, "ready")
                answer = run(["--pid", str(process.pid), "errors", "--json"], variables)
            finally:
                process.kill()
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        rows = [row for row in answer.objects() if re.match("CL_|$", row.get("error") or "")]
        return [json.loads(line) for line in lines], sorted(rows, key=_order)


if __name__ == "__main__":
    main()
