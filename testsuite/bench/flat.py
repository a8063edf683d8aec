#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of the recorder stays constant: after 10^9 calls, with 10 million objects, after 100,000
threads.  User times are compared by their minimum, which other load does not affect.  Instructions
are counted by callgrind and compared to one percent."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from typing import Dict, List, NamedTuple

from harness import environment, main, program

CALLS = 10**9
OBJECTS = 10**7
THREADS = 10**5

# Of the later parts to the earlier ones, at most.
SLOWER = {"calls": 1.05, "objects": 1.5, "threads": 1.25}
LARGER = 1.01

# Bytes that 10 million objects may take, with those of the program.
ROOM = 8 << 30

# Calls of three programs under callgrind.
FEW_CALLS = (40000, 400000, 4000000)


class Part(NamedTuple):
    """A tenth of a run."""

    nanoseconds: float  # for one
    resident: int  # bytes at its end


class TestFlat(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")

    def _run(self, what: str, count: int) -> List[Part]:
        output = subprocess.run(
            [program("bench/flat"), what, str(count)],
            env=self.variables,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        ).stdout
        parts = [Part(float(line.split()[0]), int(line.split()[1])) for line in output.splitlines()]
        self.assertEqual(len(parts), 10)
        least = [min(part.nanoseconds for part in half) for half in (parts[:5], parts[5:])]
        print("%s: %.1f ns, then %.1f ns" % (what, least[0], least[1]))
        self.assertLess(least[1] / least[0], SLOWER[what])
        return parts

    def _check_memory(self, parts: List[Part]) -> None:
        """No more memory after the second part."""
        print("%d B, then %d B" % (parts[1].resident, parts[-1].resident))
        self.assertLess(parts[-1].resident / parts[1].resident, LARGER)

    def test_calls(self) -> None:
        self._check_memory(self._run("calls", CALLS))

    def test_threads(self) -> None:
        self._check_memory(self._run("threads", THREADS))

    def test_objects(self) -> None:
        """The last million takes as much memory as the second."""
        with open("/proc/meminfo", encoding="ascii") as file:
            available = re.search(r"MemAvailable: +(\d+) kB", file.read())
        if available is None or int(available.group(1)) << 10 < ROOM:
            self.skipTest("there is too little memory for ten million objects")
        parts = self._run("objects", OBJECTS)
        early = parts[1].resident - parts[0].resident
        late = (parts[-1].resident - parts[1].resident) / 8
        print("%.1f B an object, then %.1f B" % (early * 10 / OBJECTS, late * 10 / OBJECTS))
        self.assertLess(late / early, 1.1)

    def test_instructions(self) -> None:
        """A call takes as many after a million others as before, to one in a hundred."""
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed")
        counts = [self._count_instructions(calls) for calls in FEW_CALLS]
        early, late = (
            (counts[i + 1] - counts[i]) / (FEW_CALLS[i + 1] - FEW_CALLS[i]) for i in range(2)
        )
        print("%.1f instructions a call, then %.1f" % (early, late))
        self.assertGreater(early, 20)
        self.assertLess(abs(late / early - 1), 0.01)

    def _count_instructions(self, calls: int) -> int:
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run(
            [*tool, program("bench/flat"), "calls", str(calls)],
            env=self.variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        )
        told = re.search(r"Collected : (\d+)", done.stderr)
        assert told is not None, done.stderr
        return int(told.group(1))


if __name__ == "__main__":
    main()
