# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colour, where GDB itself would use it; the text is the same without."""

from __future__ import annotations

import os

import gdb

from . import view_structures as v

# The colours of GDB's own styles.
_COLOURS = {v.HEADING: "1", v.ADDRESS: "34", v.FUNCTION: "33", v.NOTE: "2"}


def paint(text: str, style: int) -> str:
    """TEXT in a style; TEXT itself when there is nothing to paint."""
    if style not in _COLOURS or not text.strip():
        return text
    return "\033[%sm%s\033[m" % (_COLOURS[style], text)


def is_wanted() -> bool:
    """Whether a command that was typed is to have colours."""
    return _terminal_has_colour() and _was_typed_alone()


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
