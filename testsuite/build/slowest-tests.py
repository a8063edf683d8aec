#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the processor time of all tests, and the tests that took most of it.

usage: slowest-tests.py [LOG...]

The test driver writes the time of each test to its result file, beside its log.
"""

import os
import sys
from typing import Dict, List

FIELD = ":processor-seconds:"
SHOWN = 8


def test_seconds(log: str) -> float:
    """The time of a test, or 0 if its result does not have it."""
    with open(os.path.splitext(log)[0] + ".trs", encoding="utf-8") as file:
        fields = [line.split() for line in file if line.startswith(FIELD)]
    return sum(float(field[1]) for field in fields)


def main(logs: List[str]) -> None:
    """Print one line."""
    seconds: Dict[str, float] = {log: test_seconds(log) for log in logs}
    longest = sorted(logs, key=lambda log: -seconds[log])[:SHOWN]
    names = [
        "%s %.0f s" % (os.path.splitext(log)[0].replace("testsuite/", ""), seconds[log])
        for log in longest
    ]
    print("# processor time: %.0f s; most: %s" % (sum(seconds.values()), ", ".join(names)))


if __name__ == "__main__":
    main(sys.argv[1:])
