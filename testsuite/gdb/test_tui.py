#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The window of GDB's TUI: the changes since the last stop are what the program did."""

from __future__ import annotations

import re
import unittest
from collections import Counter
from typing import List

from harness import GDB, PLUGIN, environment, main, program, recorder_alone
from screen import Screen

TITLE = "OpenCL, and its changes since the last stop"
# What the program makes between the two stops.
MADE = {"buffer": 2, "sub-buffer": 4, "image2d": 1, "SVM": 3, "SVM-free": 1}
EVENTS = 2
LINES, COLUMNS = 100, 120


class TestWindow(unittest.TestCase):
    def _start(self, recorder: bool) -> None:
        line = [GDB, "-nx", "-q", "-iex", "set debuginfod enabled off"]
        line += ["-iex", "set style enabled off", "-iex", "set confirm off"]
        line += ["-iex", "set pagination off", "-x", PLUGIN, program("programs/demo/edges")]
        variables = recorder_alone("pocl") if recorder else environment("pocl", recorder=False)
        self.screen = Screen(line, variables, LINES, COLUMNS)
        self.addCleanup(self.screen.end)
        self.screen.wait(lambda text: "(gdb)" in text)
        self.screen.send("break create_buffers")
        self.screen.send("break stop_here")
        self.screen.send("run >/dev/null")
        self.screen.wait(lambda text: "hit Breakpoint 1" in text)

    def _window(self, word: str) -> List[str]:
        """The lines of the window, once WORD is among them."""

        def lines(text: str) -> List[str]:
            rows = [re.fullmatch("[│|x](.*)[│|x]", row) for row in text.splitlines()]
            found = [row[1].rstrip() if row is not None else "" for row in rows]
            begins = [at for at, row in enumerate(found) if row.startswith("OpenCL in process ")]
            return found[begins[0] :] if begins else []

        return lines(self.screen.wait(lambda text: word in "\n".join(lines(text))))

    def _check_changes(self) -> None:
        self.screen.send("layout opencl")
        # The window above takes the line of the title, too.
        self.screen.wait(lambda text: TITLE in text)
        self._window("Changes are shown from the next stop on.")
        self.screen.send("next")
        self._window("Nothing has changed since then.")
        self.screen.send("continue")
        found = self._window("+ event")
        for line in found:
            if line.startswith("+ SVM allocation"):
                self.assertRegex(line, "SVM allocation 0x[0-9a-f]+, [0-9]+ B")
        made = Counter(line.split()[1] for line in found if line.startswith("+ "))
        # Without the recorder there may be events of the runtime's own.
        self.assertGreaterEqual(made.pop("event"), EVENTS)
        self.assertEqual(made, MADE)

    def test_recorder(self) -> None:
        self._start(True)
        self._check_changes()
        changed = [line for line in self._window("~ ") if line.startswith("~ OpenCL context 0x")]
        self.assertRegex(changed[0], "children [0-9]+, was [0-9]+$")
        # What there is no room for is scrolled to.
        self.screen.send("winheight opencl 5")
        self.screen.wait(lambda text: "~ OpenCL context" not in text)
        self.screen.send("+ 1000 opencl")
        self.screen.wait(lambda text: "~ OpenCL context" in text)
        self._check_small()
        self.screen.send("kill")
        self.screen.wait(lambda text: "No process: start the program" in text)

    def _check_small(self) -> None:
        """A window of one line has a change, and says that there are more."""
        self.screen.send("- 1000 opencl")
        self.screen.send("winheight opencl 3")
        small = re.escape(TITLE) + r" \(from line 1 of [0-9]+\).*\n[│|x]\+ buffer 0x"
        self.screen.wait(lambda text: re.search(small, text) is not None)

    def test_alone(self) -> None:
        """Without the recorder."""
        self._start(False)
        self._check_changes()


if __name__ == "__main__":
    main()
