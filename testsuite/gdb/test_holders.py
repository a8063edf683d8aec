#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`opencl holders` names the variable, frame or heap block that has a handle, live and on a core of
GDB.  The command reports the same for that core."""

from __future__ import annotations

import os
import re
import unittest
from typing import Dict

from command import run
from harness import Row, SOURCE as TREE, ask, main, program, recorder_alone, run_gdb, work_folder
from json_page import Page

STOP = "if (aborts)"
SOURCE = "testsuite/programs/kept-handles.c"

# What is asked for, and how the one line about the program's memory ends; None: there is none.
QUESTIONS: Dict[str, str] = {
    "kept_global": r"  held by the variable `kept_global` of kept-handles",
    "kept_member.memory": r"  held by the variable `kept_member(\+8)?` of kept-handles",
    "kept_node->memory": r"  presumably held by a heap block of \d+ B at 0x[0-9a-f]+",
    "kept_in_frame": r"  held by frame 0 of LWP N.*, stand_still at kept-handles\.c:\d+",
}


def stop_line() -> int:
    """The line at which the program has all its handles where they are to be found."""
    with open(os.path.join(TREE, SOURCE), encoding="utf-8") as file:
        (line,) = [number for number, text in enumerate(file, 1) if STOP in text]
    return line


def without_numbers(text: str) -> str:
    """What the shell says as well: it does not number threads."""
    return re.sub(r"LWP \d+( \(thread \d+\))?", "LWP N", " ".join(text.split()))


LEFT_OVER = r"^Stale copies at %d places? in freed memory\.$"


def is_left(row: Row) -> bool:
    """Whether this is a copy in memory that was freed."""
    return bool(row["storage"] == "freed")


class TestHolders(unittest.TestCase):
    def test_pocl(self) -> None:
        folder = work_folder("holders-gdb")
        variables = recorder_alone("pocl")
        core = os.path.join(folder, "core")
        commands = ["set width 0", "break kept-handles.c:%d" % stop_line(), "run > /dev/null"]
        for number, question in enumerate(QUESTIONS):
            path = os.path.join(folder, str(number))
            commands += [ask(path, "opencl holders " + question)]
            commands += [ask(path + ".json", "opencl holders -json " + question)]
        commands += ["gcore " + core, "kill"]
        session = run_gdb([program("programs/kept-handles")], commands, variables, name="holders")
        page = Page()
        for number, (question, sentence) in enumerate(QUESTIONS.items()):
            with self.subTest(question=question):
                path = os.path.join(folder, str(number))
                output = session.answer(path).output
                first, *lines = re.sub(r"LWP \d+", "LWP N", output).splitlines()
                self.assertRegex(first, r"^buffer 0x[0-9a-f]+, 4096 B, .* held at 1 place\.$")
                # What the runtime has freed may have copies still.
                left = [row for row in session.answer(path + ".json").rows() if is_left(row)]
                self.assertEqual(len(lines), 1 + bool(left), output)
                self.assertRegex(lines[0], "^%s$" % sentence)
                if left:
                    self.assertRegex(lines[1], LEFT_OVER % len(left))
                rows = session.answer(path + ".json").rows()
                page.check_answer(page.verbs["holders"], rows)
                self.assertEqual(len(rows), 1 + len(left))
                answer = run(["--core", core, "holders", first.split()[1].rstrip(",")], variables)
                self.assertEqual(without_numbers(answer.output), without_numbers(output))
        os.unlink(core)


if __name__ == "__main__":
    main()
