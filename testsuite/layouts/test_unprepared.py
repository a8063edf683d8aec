#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every object of a program without the recorder, live and on cores, in the command and in GDB."""

from __future__ import annotations

import shutil

from harness import main, thorough, work_folder
from table import check_row, make_row, this_release
from kernel_core import skip_without_cores
from unprepared import (
    FEW,
    Process,
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    kernel_core,
    started,
    tool_environment,
)
from unprepared_cases import WITHOUT_TCACHE, RuntimeCase, with_jemalloc


class Population(RuntimeCase):
    """Few buffers, and enough of them to fill blocks of memory."""

    def test_few(self) -> None:
        statuses = self.check(FEW, {}).statuses
        check_row(make_row(self.layout, this_release(), "layout", statuses))

    def test_without_tcache(self) -> None:
        self.check(["2000", "half"], WITHOUT_TCACHE)

    def test_jemalloc(self) -> None:
        self.check(["2000", "second"], with_jemalloc())

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        folder = work_folder("unprepared-kernel-" + self.runtime)
        core = kernel_core(FEW, folder, self.variables)
        truth = Process.truth_of(folder, "main")
        shown = ask_command(["--core", core], tool_environment())
        compare(truth, shown, self.runtime)
        compare(truth, ask_gdb(["-c", core], tool_environment()), self.runtime)
        shutil.rmtree(folder)

    def test_gdb(self) -> None:
        """GDB attaches, and opens a core that it has written."""
        folder = work_folder("unprepared-gdb-" + self.runtime)
        with started(["2000", "second"], folder, self.variables) as process:
            truth = process.wait_for("main")
            shown = ask_gdb(["-p", str(process.pid)], tool_environment())
            compare(truth, shown, self.runtime)
            core = debuggers_core(process)
        compare(truth, ask_gdb(["-c", core], tool_environment()), self.runtime)
        shutil.rmtree(folder)


class TestPocl(Population):
    runtime = "pocl"


class OthersPopulation(Population):
    """Other allocators, and what the kernel writes, are tried with PoCL."""

    test_without_tcache = thorough(Population.test_without_tcache)
    test_jemalloc = thorough(Population.test_jemalloc)
    test_kernel_core = thorough(Population.test_kernel_core)


class TestOclgrind(OthersPopulation):
    runtime = "oclgrind"


class TestRusticl(OthersPopulation):
    runtime = "rusticl"


del Population, OthersPopulation, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
