# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Terminal colours for the styles of the view."""

from __future__ import annotations

from typing import Dict, NamedTuple

from .view_structures import Style

NONE = "none"  # the terminal's default colour
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
BRIGHT = "bright-"  # and a colour; terminals accept it although ECMA-48 lacks it
# The terminal's code for each (ECMA-48, section 8.3.117).
INTENSITIES: Dict[str, str] = {"normal": "", "bold": "\033[1m", "dim": "\033[2m"}


class Look(NamedTuple):
    """The appearance of a style."""

    foreground: str = NONE
    background: str = NONE
    intensity: str = "normal"


# Readable on black and on white: blue is not on black, and yellow is not on white.
DEFAULTS: Dict[int, Look] = {
    Style.HEADING: Look(intensity="bold"),
    Style.ADDRESS: Look(BRIGHT + "blue"),
    Style.FUNCTION: Look("magenta"),
    Style.NOTE: Look(intensity="dim"),
}


def colour_sequence(colour: str, is_foreground: bool) -> str:
    """The terminal sequence for one of COLOURS, bright or not; "" for the default colour."""
    if colour == NONE:
        return ""
    first = 30 if is_foreground else 40
    if colour.startswith(BRIGHT):
        first, colour = first + 60, colour[len(BRIGHT) :]
    return "\033[%dm" % (first + COLOURS.index(colour))


def _begin(look: Look) -> str:
    """The terminal sequence before text; "" for plain text."""
    return (
        INTENSITIES[look.intensity]
        + colour_sequence(look.foreground, True)
        + colour_sequence(look.background, False)
    )


def paint(text: str, beginning: str) -> str:
    """TEXT with the sequence BEGINNING, or TEXT itself without one."""
    if not beginning or not text.strip():
        return text
    return "%s%s\033[m" % (beginning, text)


def paint_by_default(text: str, style: int) -> str:
    """TEXT in the default appearance of a style."""
    return paint(text, _begin(DEFAULTS.get(style, Look())))
