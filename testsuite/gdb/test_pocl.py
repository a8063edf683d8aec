#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list agrees with the truth on PoCL."""

import unittest

from harness import main
from runtime_cases import RuntimeCases


class TestPocl(RuntimeCases, unittest.TestCase):
    runtime = "pocl"


if __name__ == "__main__":
    main()
