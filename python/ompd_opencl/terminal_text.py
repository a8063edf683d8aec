# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text as a terminal shows it, in columns: some characters are two columns wide, some none."""

from __future__ import annotations

import re
import unicodedata
from typing import List

# A number stays with its noun or unit.
_WORD = r"(?:\(?\d[\d.]* )?[^ ]+"


def columns(text: str) -> int:
    """The width of TEXT in columns."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(sentence: str, width: int, before: str = "") -> str:
    """Wrap SENTENCE at WIDTH columns, 0: never. The first line follows BEFORE."""
    if width <= 0:
        return sentence
    return "\n".join(wrap(before + sentence, width, "    "))[len(before) :]


def wrap(line: str, width: int, indent: str = "") -> List[str]:
    """Split LINE into parts of at most WIDTH columns, with INDENT before all but the first. A word
    that is too long is broken."""
    indent = indent if columns(indent) < width - 1 else ""
    parts = [""]
    for word in re.findall(_WORD, line):
        between = "" if parts[-1] in ("", indent) else " "
        if between and columns(parts[-1]) + 1 + columns(word) > width:
            parts.append(indent)
            between = ""
        parts[-1] += between
        for character in word:
            if columns(parts[-1]) + _columns_of(character) > max(width, 2):
                parts.append(indent)
            parts[-1] += character
    return parts
