#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl holders` finds where a program stores handles, and none for lost ones: live, on
cores of GDB and the kernel, with and without the recorder."""

from __future__ import annotations

import re
import unittest
from typing import Dict, List

from command import OK, UNREADABLE, USAGE, Answer, run
from harness import environment, main, run_gdb, thorough, work_folder
from kept_handles import BLOCK_OF_RUNTIME, KEPT, LOST, SENTENCES, Kept, core_in, dead, standing
from kernel_core import skip_without_cores
from unprepared import tool_environment


class TestHolders(unittest.TestCase):
    def ask(self, target: List[str], handle: str, *options: str) -> Answer:
        return run([*target, "holders", handle, *options], tool_environment())

    def check(
        self, target: List[str], kept: Kept, recorder: bool = True, stray: bool = False
    ) -> None:
        """Compare the report with the actions of the program.  STRAY: handles may also be in dead
        words of live frames, which look like live ones."""
        self.assertEqual(set(kept.handles), {*SENTENCES, *LOST})
        for place, (sentence, name) in SENTENCES.items():
            (handle,) = kept.handles[place]
            if place == "user-data" and not recorder:
                sentence, name = BLOCK_OF_RUNTIME
            answer = self.ask(target, handle)
            self.assertEqual(answer.code, OK, answer.errors)
            first, *lines = answer.output.splitlines()
            self.assertRegex(
                first, "^buffer %s, 4096 B, .*: (presumably )?held at \\d+ places?\\.$" % handle
            )
            found = [line for line in lines if re.search(sentence, line)]
            self.assertEqual(len(found), 1, answer.output)
            if not stray:
                self.assertEqual(
                    [line for line in lines if re.match("  (presumably )?held by ", line)], found
                )
            rows = self.ask(target, handle, "--json").objects()
            places = [row["storage"] for row in rows].count(name)
            self.assertTrue(places == 1 or (stray and places > 1), rows)
            # Copies of the runtime's may be left in memory that it has freed.
            for row in rows:
                self.assertTrue(
                    row["owner"] in ("program", None)
                    or row["storage"] == "object"
                    or (row["owner"], row["storage"]) == ("nobody", "freed"),
                    row,
                )
        for place in LOST:
            for handle in kept.handles[place]:
                answer = self.ask(target, handle)
                self.assertEqual(answer.code, OK, answer.errors)
                said = "lost: not found in the program's memory\\."
                if stray:
                    said = "(%s|presumably held at \\d+ places?\\.)" % said
                self.assertRegex(
                    answer.output.splitlines()[0], "^buffer %s, .*: %s$" % (handle, said)
                )
        self.assertEqual(len(kept.handles["lost"]), 3)

    def check_runtime(self, runtime: str, recorder: bool) -> None:
        variables: Dict[str, str] = environment(runtime, recorder)
        folder = work_folder("holders-%s-%d" % (runtime, recorder))
        with standing(variables) as kept:
            self.check(["--pid", str(kept.pid)], kept, recorder, stray=runtime == "rusticl")
            core = folder + "/gcore"
            commands = ["set auto-solib-add off", "attach %d" % kept.pid, "gcore " + core, "detach"]
            run_gdb([], commands, tool_environment(), plugin=False, name="holders-gcore")
            self.check(["--core", core], kept, recorder, stray=runtime == "rusticl")

    def test_pocl(self) -> None:
        self.check_runtime("pocl", True)

    def test_pocl_unprepared(self) -> None:
        self.check_runtime("pocl", False)

    @thorough
    def test_rusticl_unprepared(self) -> None:
        self.check_runtime("rusticl", False)

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        folder = work_folder("holders-kernel")
        kept = dead(environment("pocl"), folder)
        self.check(["--core", core_in(folder)], kept)

    def test_handled(self) -> None:
        """A handler runs on a stack of its own: the thread's is known all the same."""
        skip_without_cores(self)
        folder = work_folder("holders-handled")
        kept = dead(environment("pocl"), folder, how="handled")
        self.check(["--core", core_in(folder)], kept)

    def test_context(self) -> None:
        """A variable holds the context.  Handles of the runtime are reported separately."""
        with standing(environment("pocl")) as kept:
            target = ["--pid", str(kept.pid)]
            (row,) = run([*target, "contexts", "--json"], tool_environment()).objects()
            answer = self.ask(target, row["handle"])
            self.assertRegex(answer.output, "held by the variable `context` of kept-handles\n")
            self.assertRegex(
                answer.output, r"Also at \d+ places in the OpenCL runtime's own memory\.\n"
            )

    def test_refusals(self) -> None:
        with standing(environment("pocl")) as kept:
            target = ["--pid", str(kept.pid)]
            self.assertEqual(self.ask(target, "0x10").code, USAGE)
            self.assertEqual(run([*target, "holders"], tool_environment()).code, USAGE)
        self.assertEqual(self.ask(["--core", KEPT], "0x10").code, UNREADABLE)


if __name__ == "__main__":
    main()
