# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colour, where GDB itself would use it; the text is the same without."""

from __future__ import annotations

import os

import gdb

# The colours of GDB's own styles: title, address, function, filename, highlight.
TITLE = "1"
ADDRESS = "34"
FUNCTION = "33"
NOTE = "2"


class Style:
    """Paints for one command."""

    def __init__(self, is_interactive: bool) -> None:
        self._is_on = is_interactive and _terminal_has_colour() and _was_typed_alone()

    def paint(self, text: str, style: str) -> str:
        """TEXT in a style; TEXT itself when colour is off or there is nothing to paint."""
        if not self._is_on or not style or not text.strip():
            return text
        return "\033[%sm%s\033[m" % (style, text)


def _terminal_has_colour() -> bool:
    return (
        bool(gdb.parameter("style enabled"))
        and not gdb.parameter("logging enabled")
        and os.isatty(1)
        and os.environ.get("TERM", "dumb") != "dumb"
        and "NO_COLOR" not in os.environ
    )


def _was_typed_alone() -> bool:
    """Whether the line typed last is the command itself.

    Python cannot see that `pipe` and the like send the output elsewhere, but GDB's history has
    them in front of the command.
    """
    lines = gdb.execute("show commands", False, True).splitlines()
    words = lines[-1].split(None, 2)[1:] if lines else []
    return bool(words) and "opencl".startswith(words[0])
