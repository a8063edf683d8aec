#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A runtime with several devices, a context of all of them and one of the last, without the
recorder.  The layout was learned with other devices, but finds the objects of each context and its
number of devices."""

from __future__ import annotations

import shutil

from harness import main, work_folder
from unprepared import (
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase

DEVICES = ["basic", "pthread", "basic"]


class TestPoclDevices(RuntimeCase):
    runtime = "pocl"

    def test_several_devices(self) -> None:
        folder = work_folder("devices")
        variables = dict(self.variables, POCL_DEVICES=" ".join(DEVICES))
        with started(["100", "second"], folder, variables) as process:
            truth = process.wait_for("main")
            self.assertEqual([row["devices"] for row in truth["contexts"]], [len(DEVICES), 1])
            self.assertEqual(len({row["device"] for row in truth["queues"]}), 2)
            target = ["--pid", str(process.pid)]
            compare(truth, ask_command(target, tool_environment()), self.runtime)
            shown = ask_gdb(["-p", str(process.pid)], tool_environment())
            compare(truth, shown, self.runtime)
            core = debuggers_core(process)
        compare(truth, ask_command(["--core", core], tool_environment()), self.runtime)
        shutil.rmtree(folder)


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
