# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores that the kernel writes: check that it does, and enable them for a program."""

from __future__ import annotations

import resource
import unittest

PATTERN = "/proc/sys/kernel/core_pattern"


def pattern() -> str:
    """Where the kernel writes cores."""
    with open(PATTERN, encoding="utf-8") as file:
        return file.read().strip()


def skip_without_cores(test: unittest.TestCase) -> None:
    """Skip a test that needs a core by the kernel, where that writes none."""
    if pattern().startswith("|") or "/" in pattern():
        test.skipTest("core_pattern does not name a file in the program's folder")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        test.skipTest("cores are forbidden by the hard limit")


def allow_core() -> None:
    """In the program to be, before it starts."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
