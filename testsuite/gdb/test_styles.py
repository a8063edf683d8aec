#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On a terminal with colours, text has the styles of `set style`, and is otherwise the same."""

import re
import unittest

from harness import GDB, PLUGIN, environment, main, program
from ompd_opencl.terminal_text import columns
from terminal import Terminal

# What a terminal is told (ECMA-48, SGR).
_TOLD = re.compile(r"\x1b\[([\d;]*)m")
RED, BLUE, CYAN, ON_GREEN = "31", "34", "36", "42"
SETTINGS = ["set opencl " + name for name in ("bindings", "limit", "memory-limit", "reader")]
SETTINGS += ["set debug opencl"]
SETTINGS += ["set style opencl-note intensity", "function opencl_live", "info opencl"]
HANDLE = r"0x[0-9a-f]+\x1b"


class TestStyles(unittest.TestCase):
    def setUp(self) -> None:
        line = [GDB, "-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set height 0"]
        line += ["-iex", "set width 0", "-iex", "set editing off", "-iex", "set confirm off"]
        line += ["-iex", "set prompt " + Terminal.PROMPT, "-x", PLUGIN]
        line += [program("programs/many-buffers")]
        variables = {
            name: value for name, value in environment("icd").items() if name != "NO_COLOR"
        }
        self.terminal = Terminal(line, variables, "xterm-256color")
        self.terminal.read_until(Terminal.PROMPT)
        self.terminal.command("break truth_stop")
        self.terminal.command("run 3 2")

    def tearDown(self) -> None:
        self.assertEqual(self.terminal.close(), 0)

    def told_before(self, text: str, pattern: str) -> str:
        """The last style that the terminal got before the first match of PATTERN in TEXT."""
        place = re.search(pattern, text)
        assert place is not None, text
        told = "".join(match + ";" for match in _TOLD.findall(text[: place.start()]))
        return told.rpartition(";;")[2].rstrip(";")

    def test_settings(self) -> None:
        ask = self.terminal.command
        coloured = ask("opencl memobjs")
        self.assertEqual(self.told_before(coloured, HANDLE), BLUE)
        # They are those of what GDB itself writes.
        ask("set style address foreground cyan")
        self.assertEqual(self.told_before(ask("opencl memobjs"), HANDLE), CYAN)
        self.assertIn("color is: cyan", ask("show style opencl-address foreground"))
        ask("set style opencl-address foreground red")
        ask("set style opencl-address background green")
        self.assertIn(
            'The "opencl-address" style foreground color is: red',
            ask("show style opencl-address foreground"),
        )
        changed = ask("opencl memobjs")
        self.assertEqual(self.told_before(changed, HANDLE), RED + ";" + ON_GREEN)
        ask("set style enabled off")
        plain = ask("opencl memobjs")
        self.assertNotIn("\x1b", plain)
        self.assertRegex(plain, r"memory object\n1  0x[0-9a-f]+\n")
        for text in (coloured, changed):
            self.assertEqual(_TOLD.sub("", text), plain)

    def test_words(self) -> None:
        """Which styles can be set, and errors about others."""
        ask = self.terminal.command
        ask("set style enabled off")
        shown = ask("show style opencl-heading")
        self.assertEqual(len(re.findall(r'"opencl-heading" style .* is: (none|bold)\b', shown)), 3)
        self.assertIn('"set style opencl-note" must be followed by', ask("set style opencl-note"))
        self.assertIn(
            'Unknown setting "set style opencl-note sky"', ask("set style opencl-note sky")
        )
        self.assertRegex(
            ask("set style opencl-note foreground sky"), "(?i)undefined|invalid|expected"
        )
        self.assertIn("notes about what is shown", ask("help set style opencl-note"))

    def test_help(self) -> None:
        """It fits in 80 columns, and no paragraph of it is broken twice."""
        self.terminal.command("set style enabled off")
        about = ["catch", "tcatch", *re.findall(r"^  ([a-z-]+)  ", self._help(""), re.MULTILINE)]
        self.assertGreater(len(about), 30)
        for name in [*("opencl " + verb for verb in about), *SETTINGS]:
            text = self._help(name)
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertNotRegex(self._help("").partition("Verbs")[0], r"\n ")

    def _help(self, name: str) -> str:
        """What is said of a command, without GDB's own list of those that begin with it."""
        text = self.terminal.command("help " + (name or "opencl"))
        return text.partition("\nList of ")[0]

    def test_width(self) -> None:
        """What is refused is in lines that fit, where a person reads it."""
        ask = self.terminal.command
        whole = ask("opencl calls")
        # GDB 17 and later have a sign before an error where the terminal's characters are UTF-8.
        self.assertRegex(whole, "^(\\W+ )?The recorder records no calls.*environment\\.\n$")
        ask("set width 40")
        lines = ask("opencl calls").splitlines()
        self.assertLessEqual(max(map(columns, lines)), 40)
        self.assertEqual(" ".join(line.strip() for line in lines), whole.strip())


if __name__ == "__main__":
    main()
