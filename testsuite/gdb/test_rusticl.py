#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list agrees with the truth on rusticl."""

import unittest

from harness import main
from runtime_cases import RuntimeCases


class TestRusticl(RuntimeCases, unittest.TestCase):
    runtime = "rusticl"
    # GDB takes half a second for each of the many megabytes that llvmpipe fills.
    searches_remotely = False


if __name__ == "__main__":
    main()
