#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list has the expected values on Oclgrind."""

import unittest

from harness import main, thorough
from runtime_cases import RuntimeCases


class TestOclgrind(RuntimeCases, unittest.TestCase):
    runtime = "oclgrind"
    test_attached = thorough(RuntimeCases.test_attached)


if __name__ == "__main__":
    main()
