#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder changes nothing that a program can see."""

import difflib
import subprocess
import unittest
from typing import Dict, List

from harness import TIME_LIMIT, Skip, environment, main, program


def observed(variables: Dict[str, str]) -> str:
    """What the program observe prints."""
    return subprocess.run(
        [program("programs/observe")],
        env=variables,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=True,
    ).stdout


class TestObserve(unittest.TestCase):
    def _check(self, runtime: str) -> None:
        try:
            without = observed(environment(runtime, recorder=False))
        except Skip as skip:
            self.skipTest(str(skip))
        self.assertGreater(len(without.splitlines()), 100)
        recorded = environment(runtime)
        variants: List[Dict[str, str]] = [
            {},
            {"OMPD_OPENCL_STACK_DEPTH": "16"},
            {"OMPD_OPENCL_TRACK_COMPLETION": "1"},
        ]
        for extra in variants:
            with self.subTest(**extra):
                recorded_lines = observed(dict(recorded, **extra)).splitlines()
                changes = difflib.unified_diff(without.splitlines(), recorded_lines, n=2)
                self.assertEqual(list(changes), [])

    def test_pocl(self) -> None:
        self._check("pocl")

    def test_oclgrind(self) -> None:
        self._check("oclgrind")

    def test_rusticl(self) -> None:
        self._check("rusticl")


if __name__ == "__main__":
    main()
