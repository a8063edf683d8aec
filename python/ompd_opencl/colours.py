# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colours of a terminal for the styles of the view; the text is the same without."""

from __future__ import annotations

from typing import Dict

from .view_structures import Style

# Those that GDB has for addresses, functions and the like.
_COLOURS: Dict[int, str] = {
    Style.HEADING: "1",
    Style.ADDRESS: "34",
    Style.FUNCTION: "33",
    Style.NOTE: "2",
}


def paint(text: str, style: int) -> str:
    """TEXT in a style; TEXT itself when there is nothing to paint."""
    colour = _COLOURS.get(style)
    if colour is None or not text.strip():
        return text
    return "\033[%sm%s\033[m" % (colour, text)
