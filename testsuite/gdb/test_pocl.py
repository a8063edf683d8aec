#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list has the expected values on PoCL."""

import unittest

from harness import main, thorough
from runtime_cases import RuntimeCases


class TestPocl(RuntimeCases, unittest.TestCase):
    runtime = "pocl"
    # The way is the same for every runtime, and Oclgrind is the quickest of them.
    test_gdbserver = thorough(RuntimeCases.test_gdbserver)


if __name__ == "__main__":
    main()
