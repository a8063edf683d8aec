#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every verb on cores, with all widths of a terminal: lines fit, and no row is lost."""

import os
import re
import unittest
from typing import Dict, List, Tuple

from harness import GDB_SCRIPTS, environment, main, program, run_gdb, work_folder

WIDTHS = [0, *range(20, 104, 4), *range(113, 250, 19), 250]

# The lists whose rows begin with the object that they are about, and its key in JSON.
HANDLES = {
    "contexts": "handle",
    "queues": "handle",
    "memobjs": "handle",
    "svm": "pointer",
}
LISTS = [*HANDLES, "destructors", "svm-frees", "threads", "runtimes"]
COMMANDS = [
    *("opencl " + name for name in LISTS),
    "opencl",
    "opencl memory",
    "opencl destructors memobjs#9",
    "opencl memobj memobjs#9",
    "opencl context contexts#1",
    "opencl queue queues#1",
    "opencl svm-free svm-frees#1",
    "opencl memobjs -group kind",
    "opencl memobjs -sort -size -limit 3",
    "opencl memobjs -columns handle,flags,host_pointer,context,caller,state,destructors,size",
]
UNPREPARED = ["opencl " + name for name in [*HANDLES, "destructors", "runtimes"]] + ["opencl"]

Printed = Dict[str, Dict[int, str]]

NUMBER = re.compile(r"(?m)^ *[=~!]?(\d+)(?=  |$)")
NUMBERED = re.compile(r"(?m)^ *[=~!]?(\d+) +(0x[0-9a-f]+)\b")


class TestWidths(unittest.TestCase):
    def print(self, runtime: str, recorder: bool, stop: str, commands: List[str]) -> Printed:
        """What a core of the truth program at a stop says of itself."""
        folder = work_folder("widths-%s-%d" % (runtime, recorder))
        core = os.path.join(folder, "core")
        words = [program("programs/truth-program")]
        variables = environment(runtime, recorder)
        live = ["break " + stop, "run " + folder, "gcore " + core, "kill"]
        run_gdb(words, live, variables, name="widths-live")
        self.assertTrue(os.path.exists(core))
        asked = "python print_at_widths(%r, %r)" % (WIDTHS, commands)
        source = "source " + os.path.join(GDB_SCRIPTS, "in_gdb_widths.py")
        said = run_gdb(words + [core], [source, asked], variables, name="widths-core").output
        printed: Printed = {command: {} for command in commands}
        for part in said.split("@@@ ")[1:-1]:
            heading, text = part.split("\n", 1)
            width, command = heading.split(" ", 1)
            printed[command][int(width)] = text
        return printed

    def check_lines(self, printed: Printed) -> None:
        """A line that is wider than the terminal is a single word."""
        narrow = 0
        for command, texts in printed.items():
            self.assertEqual(list(texts), WIDTHS, command)
            for width, text in texts.items():
                self.assertTrue(text.endswith("\n"), (command, width))
                for line in text.splitlines():
                    fits = width == 0 or len(line) <= width
                    self.assertTrue(fits or len(line.split()) == 1, (command, width, line))
                    self.assertEqual(line, line.rstrip(), (command, width))
                narrow += width == 80 and text != texts[0]
        self.assertGreater(narrow, 2)

    def check_words(self, printed: Printed, commands: List[str]) -> None:
        """What is prose is the same but for where lines end."""
        for command in commands:
            words = {" ".join(text.split()) for text in printed[command].values()}
            self.assertEqual(len(words), 1, command)

    def rows(self, text: str) -> List[Tuple[str, str]]:
        """Numbers, and the handles behind them."""
        return NUMBERED.findall(text)

    def check_rows(self, printed: Printed) -> None:
        """The same rows are behind the same numbers at all widths."""
        for name in (name for name in LISTS if "opencl " + name in printed):
            texts = printed["opencl " + name]
            whole = NUMBER.findall(texts[0])
            self.assertEqual(whole, [str(i + 1) for i in range(len(whole))], name)
            self.assertTrue(whole, name)
            for width, text in texts.items():
                self.assertEqual(NUMBER.findall(text), whole, (name, width))
                if name in HANDLES:
                    self.assertEqual(self.rows(text), self.rows(texts[0]), (name, width))
                    self.assertEqual(len(self.rows(text)), len(whole), (name, width))

    def test_recorder(self) -> None:
        printed = self.print("icd", True, "truth_stop", COMMANDS)
        self.check_lines(printed)
        self.check_rows(printed)
        self.check_words(printed, ["opencl"])
        # Wide ones have more; what the user named is there at all widths.
        memobjs = printed["opencl memobjs"]
        self.assertNotIn("parent", memobjs[0])
        self.assertIn("  parent", memobjs[250])
        self.assertIn("made at", memobjs[250])
        self.assertIn("  RW|UHP ", printed[COMMANDS[-1]][80])
        self.assertIn("CL_MEM_READ_WRITE|CL_MEM_USE_HOST_PTR", memobjs[250])
        self.assertRegex(memobjs[80], r"(?s)No room for: .*references")
        self.assertNotIn("No room for", memobjs[250])
        for width, text in printed[COMMANDS[-1]].items():
            self.assertIn("destructors", text, width)
            self.assertNotIn("No room for", text, width)

    def test_unprepared(self) -> None:
        """What nearly all rows have is said once: few of them have a mark."""
        printed = self.print("pocl", False, "truth_stop", UNPREPARED)
        self.check_lines(printed)
        self.check_rows(printed)
        self.check_words(printed, ["opencl"])
        for name in ("contexts", "queues", "memobjs"):
            text = printed["opencl " + name][80]
            self.assertRegex(text, r"Presumed, not proved[^:]*: [^.]*state")
            rows = [line for line in text.splitlines() if NUMBERED.match(line)]
            marked = [line for line in rows if re.search(r"[~=]", line)]
            self.assertLessEqual(2 * len(marked), len(rows), text)


if __name__ == "__main__":
    main()
