#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list has the expected values in 32-bit programs under the 64-bit GDB: live, attached, under
gdbserver, on cores of GDB and the kernel."""

from __future__ import annotations

import unittest

import test_kernel_core as kernel_core
import test_threads as threads
from harness import main, program
from runtime_cases import RuntimeCases


class TestObjects(RuntimeCases, unittest.TestCase):
    runtime = "pocl-i386"

    def test_word_size(self) -> None:
        """The program is what the other tests take it for."""
        with open(program(self.program_name, self.runtime), "rb") as file:
            self.assertEqual(file.read(5), b"\x7fELF\x01")


class TestThreads(threads.ThreadCases, unittest.TestCase):
    runtime = "pocl-i386"
    core_stops = ("busy", "nested")


class TestKernelCore(kernel_core.KernelCoreCase):
    def test_pocl(self) -> None:
        self.check("pocl-i386")


if __name__ == "__main__":
    main()
