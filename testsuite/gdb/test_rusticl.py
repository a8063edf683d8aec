#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list has the expected values on rusticl."""

import unittest

from harness import main, thorough
from runtime_cases import RuntimeCases


class TestRusticl(RuntimeCases, unittest.TestCase):
    runtime = "rusticl"
    test_attached = thorough(RuntimeCases.test_attached)
    # gdbserver takes half a second for each of the 200 MB that llvmpipe fills, and the way is the
    # same for every runtime: the tests of the others take it.
    test_gdbserver = None  # type: ignore[assignment]


if __name__ == "__main__":
    main()
