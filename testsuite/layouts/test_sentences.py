#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is said of single objects of a program that nobody prepared: the same in GDB and by the
command, and nothing as a fact that is presumed.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Dict, List

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "host"))
sys.path.insert(0, os.path.join(_HERE, "..", "gdb"))
from command import OK, run  # noqa: E402
from harness import ask, main, run_gdb, work_folder  # noqa: E402
from unprepared import Truth, started, tool_environment  # noqa: E402
from unprepared_cases import RuntimeCase  # noqa: E402


def questions(truth: Truth) -> Dict[str, List[str]]:
    """Verbs and handles, by what they are about."""
    [part] = [row for row in truth["memobjs"] if row["kind"] == "sub-buffer"]
    return {
        "whole": ["memobj", part["parent"]],
        "part": ["destructors", part["handle"]],
        "queue": ["queue", truth["queues"][0]["handle"]],
        "context": ["context", truth["contexts"][0]["handle"]],
    }


class TestPocl(RuntimeCase):
    runtime = "pocl"

    def test_sentences(self) -> None:
        folder = work_folder("sentences")
        with started(["10", "second"], folder, self.variables) as process:
            asked = questions(process.wait_for("main"))
            pid = str(process.pid)
            commands = [ask(name, "opencl " + " ".join(words)) for name, words in asked.items()]
            session = run_gdb(["-p", pid], commands, tool_environment(), name="sentences")
            for name, words in asked.items():
                by_command = run(["--pid", pid, *words], tool_environment())
                self.assertEqual(by_command.code, OK, by_command.errors)
                self.assertEqual(session.answer(name).output, by_command.output)
        shutil.rmtree(folder)
        lines = {name: session.answer(name).output.splitlines() for name in asked}
        for name in asked:
            self.assertIn(", 1 reference (presumed)", lines[name][0])
            self.assertNotIn("none", lines[name][0])
        self.assertRegex(lines["whole"][-1], "^When it is freed, 8192 B at .* may be used again.$")
        # The memory of a sub-buffer is that of the whole one, which goes on using it.
        self.assertEqual(lines["part"][-1], "After them the object is freed.")


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
