#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder beside another layer, above and below it, and behind a library that replaces the
OpenCL library: each works with the others, and the buffers and call sites shown are the expected
ones."""

from __future__ import annotations

import re
import subprocess
import unittest
from collections import Counter
from typing import Dict, List, Tuple

from command import OK, run
from harness import RECORDER, Row, environment, main, program

LAYER = program("loader/.libs/libother-layer.so")
IN_FRONT = program("loader/.libs/libOpenCL-in-front.so")

# The last of OPENCL_LAYERS is the nearest to the program.
RECORDER_NEARER = LAYER + ":" + RECORDER
LAYER_NEARER = RECORDER + ":" + LAYER

# Of a buffer that the program has: its size, references and callbacks.
Facts = Tuple[int, int, int]


class LayersCase(unittest.TestCase):
    """How it is on a runtime."""

    runtime = ""

    def _look(
        self, way: str, layers: str, preloaded: str = ""
    ) -> Tuple[Dict[str, Facts], int, List[Row], List[Row]]:
        """What the program knows of its buffers by their handles, and how many calls failed; the
        rows of buffers, and those of refused calls.  The program ends well."""
        variables = dict(environment(self.runtime), OPENCL_LAYERS=layers, OMPD_TEST_LAYER=way)
        with subprocess.Popen(
            [program("loader/layered")],
            env=dict(variables, LD_PRELOAD=preloaded),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin and process.stdout
            lines = []
            for line in process.stdout:
                if line == "main\n":
                    break
                lines.append(line.split())
            try:
                listed = run(["--pid", str(process.pid), "memobjs", "--json"], variables)
                errors = run(["--pid", str(process.pid), "errors", "--json"], variables)
                check = run(["--pid", str(process.pid), "check"], variables)
                self._check_places(process.pid, variables, len(self._recorded(listed.objects())))
            finally:
                process.stdin.close()
        self.assertEqual((process.returncode, listed.code, errors.code), (0, OK, OK))
        self.assertRegex(check.output, r"\ANo findings")
        known = {line[0]: (int(line[1]), int(line[2]), int(line[3])) for line in lines[:-1]}
        self.assertGreater(len(known), 4)
        refused = [row for row in errors.objects() if row["error"] == "CL_OUT_OF_RESOURCES"]
        return known, int(lines[-1][1]), listed.objects(), refused

    def _check_places(self, pid: int, variables: Dict[str, str], count: int) -> None:
        """The program made all COUNT buffers that are recorded, whoever passed its calls on."""
        made = run(["--pid", str(pid), "memobjs", "--columns", "source,caller"], variables)
        places = re.findall(r"^ *\d+ +recorder +(\S.*)$", made.output, re.MULTILINE)
        self.assertEqual(len(places), count, made.output)
        for place in places:
            self.assertRegex(place, r"^use at layered\.c:\d+")

    def _recorded(self, rows: List[Row]) -> Dict[str, Facts]:
        return {
            row["handle"]: (row["size"], row["references"], row["destructor_count"])
            for row in rows
            if row["source"] == "recorder"
        }

    def test_wrap(self) -> None:
        """The layer gives the program other handles than the runtime gives it."""
        known, _failed, rows, _refused = self._look("wrap", RECORDER_NEARER)
        self.assertEqual(self._recorded(rows), known)
        known, _failed, rows, _refused = self._look("wrap", LAYER_NEARER)
        recorded = self._recorded(rows)
        self.assertEqual(Counter(recorded.values()), Counter(known.values()))
        self.assertFalse(set(recorded) & set(known))
        self.assertEqual(len(rows), len(known))

    def test_in_front(self) -> None:
        """A library that takes the place of the OpenCL library, and calls that one."""
        known, failed, rows, _refused = self._look("", RECORDER, IN_FRONT)
        self.assertEqual((self._recorded(rows), failed), (known, 0))

    def test_reorder(self) -> None:
        """The layer holds releases back, and passes on the last first."""
        for layers in (RECORDER_NEARER, LAYER_NEARER):
            known, failed, rows, _refused = self._look("reorder", layers)
            self.assertEqual((self._recorded(rows), failed), (known, 0))
            self.assertEqual(len(rows), len(known))

    def test_fail(self) -> None:
        """The layer lets calls fail, which the recorder sees when it is nearer to the program."""
        for layers in (RECORDER_NEARER, LAYER_NEARER):
            known, failed, rows, refused = self._look("fail", layers)
            self.assertEqual(self._recorded(rows), known)
            self.assertEqual(len(rows), len(known))
            self.assertGreater(failed, 8)
            self.assertEqual(len(refused), failed if layers == RECORDER_NEARER else 0)


class TestIcd(LayersCase):
    runtime = "icd"


class TestPocl(LayersCase):
    runtime = "pocl"


del LayersCase  # it is of no runtime


if __name__ == "__main__":
    main()
