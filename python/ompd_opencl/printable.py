# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts that others chose, made fit for a terminal: neither do they move its cursor, nor do two of
them look the same.

A byte of the target that is no UTF-8 is a lone surrogate here, of Python's "surrogateescape".
"""

from __future__ import annotations

import re
from typing import Match

_UNFIT = r"[\x00-\x1f\x7f-\x9f\\\udc80-\udcff]"
_LETTERS = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\\": "\\"}


def printable(text: str) -> str:
    """TEXT with controls, backslashes and what is no UTF-8 as C's escapes: \\n, \\x1b."""
    return re.sub(_UNFIT, _escape, text)


def _escape(match: Match[str]) -> str:
    character = match.group(0)
    if character in _LETTERS:
        return "\\" + _LETTERS[character]
    encoded = character.encode("utf-8", "surrogateescape")
    return "".join("\\x%02x" % byte for byte in encoded)
