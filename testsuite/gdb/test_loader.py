#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder under other OpenCL loaders, and beside a library with the same names."""

import os
import subprocess
import unittest

from comparing import assert_truth
from harness import (
    RECORDER,
    ask_lists,
    environment,
    main,
    program,
    read_truth,
    run_gdb,
    vendor_library,
    work_folder,
)


class TestLoader(unittest.TestCase):
    def _check(self, way: str, recorder: bool = False) -> None:
        folder = work_folder("loader-" + way)
        variables = environment("icd", recorder)
        arguments = " ".join([folder, vendor_library("icd"), RECORDER, way])
        commands = ["break truth_stop", "run " + arguments, *ask_lists(), "kill"]
        # libtool's wrapper is a script: what GDB runs lies in .libs.
        path = program("loader/.libs/loader-program")
        library = os.path.dirname(program("loader/.libs/libother-ompd.so"))
        commands.insert(0, "set environment LD_LIBRARY_PATH " + library)
        session = run_gdb([path], commands, variables, name="loader")
        assert_truth(read_truth(folder, "main"), session)

    def test_with_properties(self) -> None:
        """As Khronos' loader does since 2026."""
        self._check("with-properties")

    def test_legacy(self) -> None:
        """As older loaders do."""
        self._check("legacy")

    def test_short_table(self) -> None:
        """A loader that knows fewer functions than the recorder: none behind them is touched."""
        self._check("short")

    def test_two_loaders(self) -> None:
        """The system's loader and another in one process share one recorder."""
        self._check("both", recorder=True)


class TestEnvironment(unittest.TestCase):
    def test_layers_survive(self) -> None:
        """The program still sees all of OPENCL_LAYERS, whichever place the recorder has in it."""
        variables = environment("icd")
        for layers in (RECORDER, RECORDER + ":/no/such/layer.so", "/no/such/layer.so:" + RECORDER):
            with self.subTest(layers=layers):
                variables["OPENCL_LAYERS"] = layers
                output = subprocess.run(
                    [program("loader/environment-program")],
                    env=variables,
                    stdout=subprocess.PIPE,
                    universal_newlines=True,
                    check=True,
                ).stdout
                self.assertEqual(output, layers + "\n")


if __name__ == "__main__":
    main()
