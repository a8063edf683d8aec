# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Escaping untrusted texts for a terminal.

Invalid UTF-8 bytes of the target are lone surrogates here, by Python's "surrogateescape".
"""

from __future__ import annotations

import re
from typing import Match

_UNFIT = r"[\x00-\x1f\x7f-\x9f\\\udc80-\udcff]"
_LETTERS = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\\": "\\"}


def printable(text: str) -> str:
    """TEXT with controls, backslashes and invalid UTF-8 as C escapes: \n, \x1b."""
    return re.sub(_UNFIT, _escape, text)


def _escape(match: Match[str]) -> str:
    character = match.group(0)
    if character in _LETTERS:
        return "\\" + _LETTERS[character]
    encoded = character.encode("utf-8", "surrogateescape")
    return "".join("\\x%02x" % byte for byte in encoded)
