#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of the bytes of a buffer: without the recorder none is shown as a fact; with the recorder
none is shown."""

from __future__ import annotations

import re
import shutil

from command import OK, run
from harness import environment, main, thorough, work_folder
from unprepared import (
    Lists,
    Truth,
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase


def bytes_before(layout: str) -> int:
    """The bytes of a buffer's object that lie before its handle: the count is the first of them."""
    with open(layout, encoding="utf-8") as file:
        buffer = file.read().split("\nobject buffer\n")[1].split("\nobject ")[0]
    counts = re.findall(r"^  field references (-?\d+) \d+$", buffer, re.MULTILINE)
    return max(0, -int(counts[0]))


class Copies(RuntimeCase):
    shown = 6  # copies that look like objects

    def test_copies(self) -> None:
        folder = work_folder("copies-" + self.runtime)
        words = ["20", "none", "copy", str(bytes_before(self.layout))]
        with started(words, folder, self.variables) as process:
            truth = process.wait_for("main")
            pid = str(process.pid)
            self._check(truth, ask_command(["--pid", pid], tool_environment()))
            self._check(truth, ask_gdb(["-p", pid], tool_environment()))
            core = debuggers_core(process)
            self._check(truth, ask_command(["--core", core], tool_environment()))
        shutil.rmtree(folder)

    def test_beside_recorder(self) -> None:
        """The recorder has seen all objects: what else seems to be one is a copy."""
        folder = work_folder("copies-recorded-" + self.runtime)
        words = ["20", "none", "copy", str(bytes_before(self.layout))]
        with started(words, folder, environment(self.runtime)) as process:
            truth = process.wait_for("main")
            target = ["--pid", str(process.pid)]
            memobjs = run([*target, "memobjs", "--json"], tool_environment())
            overview = run([*target, "overview"], tool_environment())
            in_gdb = ask_gdb(["-p", target[1]], tool_environment())["memobjs"]
        self.assertEqual(memobjs.code, OK, memobjs.output)
        live = {row["handle"] for row in truth["memobjs"]}
        self.assertEqual({row["handle"] for row in memobjs.objects()}, live)
        self.assertEqual({row["handle"] for row in in_gdb}, live)
        self.assertEqual({row["source"] for row in memobjs.objects()}, {"recorder"})
        self.assertIn(" %d memory objects" % len(live), overview.output)
        shutil.rmtree(folder)

    def _check(self, truth: Truth, shown: Lists) -> None:
        """Each copy is in doubt and says why; the objects are all there."""
        copies = set(truth["copies"])
        self.assertEqual(len(copies), 6)
        found = [row for row in shown["memobjs"] if row["handle"] in copies]
        for row in found:
            self.assertEqual(row["confidence"], "doubtful", row)
            self.assertTrue(row["doubt"], row)
        self.assertGreaterEqual(len(found), self.shown)
        compare(truth, shown, self.runtime, copied=[truth["copied"]])


class TestPocl(Copies):
    runtime = "pocl"


@thorough
class TestOclgrind(Copies):
    runtime = "oclgrind"


@thorough
class TestRusticl(Copies):
    runtime = "rusticl"


del Copies, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
