#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fail when a test skipped for a reason that is not in the list of allowed skips.

usage: check-skips.py ALLOWED_SKIPS [LOG...]

A test that skips something prints a line `SKIP: REASON`.  The list has lines `NAME: REASON`, where
NAME is the path of the log below testsuite/ without `.log`.
"""

import os
import sys
from typing import List, Set


def allowed_skips(path: str) -> Set[str]:
    """The lines of the list of allowed skips."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return {line for line in lines if line and not line.startswith("#")}


def test_result(log: str) -> str:
    """What automake's test driver says of a test: PASS, SKIP, FAIL..."""
    with open(log[: -len(".log")] + ".trs", encoding="utf-8") as file:
        for line in file:
            if line.startswith(":test-result:"):
                return line.split()[1]
    return "no result"


def skips(log: str) -> List[str]:
    """The reasons that a test gives for what it skips."""
    with open(log, encoding="utf-8", errors="replace") as file:
        reasons = [line[len("SKIP: ") :].strip() for line in file if line.startswith("SKIP: ")]
    # A part of `make check-long` may run tests, each of which has a log of its own.
    reasons = [reason for reason in reasons if not reason.startswith("testsuite/")]
    if test_result(log) == "SKIP":
        # The driver's own last line, `SKIP name (exit status: 77)`, has no colon after SKIP.
        return reasons or ["no reason given"]
    return reasons


def main(arguments: List[str]) -> int:
    """Print each skip that is not allowed; 1 when there is one."""
    if not arguments:
        sys.exit(__doc__)
    allowed = allowed_skips(arguments[0])
    status = 0
    for log in arguments[1:]:
        name = os.path.normpath(log)[: -len(".log")]
        name = name[len("testsuite/") :] if name.startswith("testsuite/") else name
        for reason in skips(log):
            if f"{name}: {reason}" not in allowed:
                print(
                    f"FAIL: {name} skipped, which testsuite/allowed-skips does not allow: {reason}"
                )
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
