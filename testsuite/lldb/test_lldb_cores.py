#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Incomplete cores in LLDB: short reads, missing files, invalid ids."""

from __future__ import annotations

import json
import os
import re
import subprocess
import unittest
from typing import Any, Dict, List

from command import write_core
from harness import environment, main, program, read_truth, work_folder
from lldb_runner import ask, core_of_lost_program, find_lldb, launch, questions, run_lldb
from ompd_opencl.core_file import core_ranges

TRUTH = "programs/truth-program"
BY_LLDB = ["opencl set reader lldb", "opencl set search on"]
SIZES = [16, 64, 2048]


class TestCores(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")

    def test_short_read(self) -> None:
        """Of a read over the end of what was saved LLDB gives the beginning, and says success."""
        folder = work_folder("lldb-short")
        core = os.path.join(folder, "core")
        write_core(TRUTH, [folder], core, self.variables)
        ranges = core_ranges(core) or []
        ends = [
            part.end
            for part, after in zip(ranges, ranges[1:])
            if part.is_saved and part.is_data() and part.end < after.start
        ]
        self.assertGreater(len(ends), 0)
        read = "script print(len(lldb.process.ReadMemory(%d, 32, lldb.SBError())))" % (ends[0] - 16)
        tell = "script in_lldb.tell_reads(%d, %r)" % (ends[0], SIZES)
        session = run_lldb(["-c", core, program(TRUTH)], [*BY_LLDB, read, tell], self.variables)
        self.assertIn("\n16\n", session.output)  # of 32: the trap is there
        self.assertIn("READS 0 of %d\n" % len(SIZES), session.output)
        os.unlink(core)

    def test_lost_program(self) -> None:
        """LLDB then lists no module at all, but the host library does, even if LLDB does not
        provide the core's path."""
        folder = work_folder("lldb-lost")
        core = core_of_lost_program(TRUTH, folder, self.variables)
        commands = ["script del lldb.SBProcess.GetCoreFile"]
        commands += [ask("main.modules", "image list"), *questions("main"), *BY_LLDB]
        commands += [ask("by-lldb", "opencl memobjs"), "script in_lldb.tell_modules()"]
        session = run_lldb(["-c", core], commands, self.variables)
        self.assertIn("no associated executable images", str(session.answer("main.modules").error))
        truth = read_truth(folder, "main")
        told = {row["handle"]: row["size"] for row in session.answer("main.memobjs").rows()}
        self.assertEqual({row["handle"]: row["size"] for row in truth["memobjs"]}, told)
        self.assertIn("MODULES AND MORE []\n", session.output)
        sentence = str(session.answer("by-lldb").error)
        self.assertRegex(sentence, "^Whether there is an OpenCL recorder or runtime is not known: ")
        os.unlink(core)

    def test_no_build_id(self) -> None:
        """Of a file without one LLDB gives a CRC, which is not to be taken for it."""
        folder = work_folder("lldb-crc")
        path = os.path.join(folder, "truth-program")
        copy = ["objcopy", "--remove-section=.note.gnu.build-id", program(TRUTH), path]
        subprocess.run(copy, check=True)
        crc = "script print('UUID', lldb.target.module[0].GetUUIDString())"
        taken = (
            "script print('TAKEN', *map(ompd_opencl_lldb.modules._build_id, lldb.target.modules))"
        )
        commands = [*launch(folder), *BY_LLDB, crc, taken, "script in_lldb.tell_modules()", "kill"]
        session = run_lldb([path], commands, self.variables)
        self.assertRegex(session.output, r"UUID [0-9A-F]{8}\n")  # the trap is there
        self.assertRegex(session.output, r"TAKEN b'' b'.{4}")  # where memory has none
        modules = self._modules(session.output)
        self.assertEqual(modules.pop("truth-program"), "")
        others = [name for name, build_id in modules.items() if len(build_id) == 40]
        self.assertIn("libompd-opencl-recorder.so", others)

    def _modules(self, output: str) -> Dict[str, Any]:
        """What tell_modules() of in_lldb.py printed."""
        (found,) = re.findall(r"^MODULES (\[.*)$", output, re.MULTILINE)
        told: List[List[str]] = json.loads(found)
        return {name: build_id for name, build_id in told}


if __name__ == "__main__":
    main()
