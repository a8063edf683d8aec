#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program without the recorder under gdbserver: all memory comes through GDB's protocol, with or
without the files of the libraries on GDB's side."""

from __future__ import annotations

import os
import shutil

from gdbserver import gdbserver
from harness import THOROUGH, ask, ask_lists, main, run_gdb, work_folder
from unprepared import (
    Process,
    Truth,
    compare,
    lists_of,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase


class Remote(RuntimeCase):
    with_files = False  # whether GDB has them where it tries one way alone

    def test_gdbserver(self) -> None:
        folder = work_folder("remote-" + self.runtime)
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        with started(["100", "second"], folder, self.variables) as process:
            truth = process.wait_for("main")
            alone = "/" if self.with_files else empty
            for sysroot in ("/", empty) if THOROUGH else (alone,):
                with self.subTest(sysroot=sysroot):
                    self._check(truth, process, sysroot)
        shutil.rmtree(folder)

    def _check(self, truth: Truth, process: Process, sysroot: str) -> None:
        attached = [str(process.pid)]
        with gdbserver(attached, tool_environment(), options=["--attach"]) as connect:
            commands = ["set sysroot " + sysroot, connect, *ask_lists()]
            commands += [ask("memory", "opencl memory -json"), "detach"]
            session = run_gdb([], commands, tool_environment(), name="remote")
        shown = lists_of(session, lacks_modules=sysroot != "/")
        compare(truth, shown, self.runtime)


class TestPocl(Remote):
    runtime = "pocl"


class TestOclgrind(Remote):
    runtime = "oclgrind"
    with_files = True


del Remote, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
