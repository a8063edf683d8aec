#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl leaks` reports lost objects at a stop, and remaining objects once the program exits.  The
command reports the same for the core that GDB writes there."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict

from command import run
from harness import ask, environment, main, program, run_gdb, work_folder
from json_page import Page

LEAKS = "opencl leaks"


def plain(text: str) -> str:
    """What the shell says as well: it does not number threads."""
    return re.sub(r"LWP \d+( \(thread \d+\))?", "LWP N", " ".join(text.split()))


class TestLeaks(unittest.TestCase):
    def check(self, mode: str, code: int) -> Dict[str, str]:
        """What is said of a program in MODE at a stop and in its exit."""
        folder = work_folder("leaks-gdb-" + mode)
        variables = dict(environment("pocl"), OMPD_OPENCL_STACK_DEPTH="8")
        commands = [
            "set width 0",
            "set breakpoint pending on",
            "break stand_still",
            "break _exit",
            "run %s exit > /dev/null" % mode,
        ]
        for place in ("stop", "exit"):
            path = os.path.join(folder, place)
            commands += [ask(path, LEAKS), ask(path + ".json", LEAKS + " -json")]
            commands += ["gcore %s.core" % path]
            commands += ["continue"] if place == "stop" else ["kill"]
        session = run_gdb(
            [program("programs/lost-handles")], commands, variables, name="leaks-" + mode
        )
        page = Page()
        said = {}
        for place in ("stop", "exit"):
            path = os.path.join(folder, place)
            said[place] = session.answer(path).output
            rows = session.answer(path + ".json").rows()
            page.check_answer(page.verbs["leaks"], rows)
            self.assertEqual({row["is_exiting"] for row in rows} - {place == "exit"}, set())
            answer = run(["--core", path + ".core", "leaks"], variables)
            self.assertEqual(plain(answer.output), plain(said[place]))
            self.assertEqual(answer.code, code)
            os.unlink(path + ".core")
        return said

    def test_leaky(self) -> None:
        said = self.check("leaky", 1)
        self.assertRegex(
            said["stop"], r"\ALeaked: 1 memory object \(4 KiB\), .*[2-4] events, 1 kernel\.\n"
        )
        self.assertNotIn("variable", said["stop"])
        # What the program has the handle of is left, too, and said to be held.
        self.assertRegex(
            said["exit"], r"\ALeft alive: 2 memory objects \(8 KiB\), .*4 events, 1 kernel\.\n"
        )
        self.assertIn("\n    held by the variable `kept_buffer` of lost-handles\n", said["exit"])
        self.assertIn(
            "\nReleased, but held by other objects: "
            "1 OpenCL context, 1 command queue, 1 program.\n",
            said["exit"],
        )

    def test_clean(self) -> None:
        said = self.check("clean", 0)
        self.assertEqual(said, {"stop": "No leaks.\n", "exit": "No leaks.\n"})


if __name__ == "__main__":
    main()
