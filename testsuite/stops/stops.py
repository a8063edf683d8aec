#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops the program `restless` at random instants: no list contradicts another at any of them.

The number of stops of each case is that of $OMPD_OPENCL_STOPS.  What a stop has contradicted is
saved beside the sentence, as a look that the command opens.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
import unittest
from typing import List, Tuple

from harness import environment, main, program, work_folder
from ompd_opencl.host import HostSession, open_process
from relations import contradictions
from stop import Stop

STOPS = int(os.environ.get("OMPD_OPENCL_STOPS", "500"))

# Seconds that it runs on for, at most, between two stops.
LONGEST_RUN = 0.02

# Entries of each history: all are compared at each stop.
HISTORY = "8"


class StopsCase(unittest.TestCase):
    """How it is on a runtime."""

    runtime = ""

    def test_with_recorder(self) -> None:
        """Nothing contradicts itself, and what lasts is always there."""
        self._check(True)

    def test_without_recorder(self) -> None:
        """Nothing does that is not marked as presumed, doubtful or incomplete."""
        self._check(False)

    def _check(self, recorder: bool) -> None:
        seed = random.randrange(1 << 30)
        variables = dict(environment(self.runtime, recorder), OMPD_OPENCL_HISTORY=HISTORY)
        with subprocess.Popen(
            [program("programs/restless", self.runtime), str(seed)],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin and process.stdout
            lasting = _read_lasting(process.stdout.readline())
            try:
                compared = 0
                for number in range(STOPS):
                    time.sleep(random.random() * LONGEST_RUN)
                    with self.subTest(seed=seed, stop=number):
                        compared += self._check_stop(process.pid, recorder, lasting)
                self.assertGreater(compared, 0, "all stops are marked")
                self.assertIsNone(process.poll(), "the program has ended")
            finally:
                process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def _check_stop(self, pid: int, recorder: bool, lasting: List[Tuple[int, int]]) -> bool:
        """Whether the stop told enough to be compared."""
        with open_process(pid) as session:
            stop = Stop(session, pid, recorder)
            found = contradictions(stop)
            if not recorder and stop.is_marked():
                return False
            sizes = {row["handle"]: row["size"] for row in stop["memobjs"]}
            found += [
                "the buffer %#x of %d bytes is not listed" % (handle, size)
                for handle, size in lasting
                if sizes.get(handle) != size
            ]
            if found:
                self.fail("\n".join([*found, "Saved in %s." % self._save(session, pid)]))
        return True

    def _save(self, session: HostSession, pid: int) -> str:
        """Save the first stop of a program that contradicts itself: later ones do so as well."""
        path = os.path.join(work_folder("stops-" + self.runtime), "look.%d" % pid)
        if not os.path.exists(path):
            session.run("save", path)
        return path


def _read_lasting(line: bytes) -> List[Tuple[int, int]]:
    """The handles and sizes of the program's buffers that stay."""
    words = (word.split(":") for word in line.decode().split())
    lasting = [(int(handle, 16), int(size)) for handle, size in words]
    assert lasting, "the program has not begun"
    return lasting


class TestPocl(StopsCase):
    runtime = "pocl"


class TestRusticl(StopsCase):
    runtime = "rusticl"


del StopsCase  # it is of no runtime


if __name__ == "__main__":
    main()
