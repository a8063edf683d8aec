# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes as people write them."""

from __future__ import annotations

import re

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_SIZE = r"^(0[xX][0-9a-fA-F]+|[0-9]+)\s*([KMGT]?)(?:i?B)?$"
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def format_bytes(count: int) -> str:
    """ "512 B", "192 KiB", "1.2 GiB": exact when it divides evenly, else one decimal."""
    size = float(count)
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            break
        size /= 1024
    text = "%.1f" % size
    if text.endswith(".0"):
        text = text[:-2]
    return "%s %s" % (text, unit)


def describe_bytes(count: int) -> str:
    """ "512 B", "4096 B (4 KiB)", "5000 B (about 4.9 KiB)"."""
    text = "%d B" % count
    if count < 1024:
        return text
    return "%s (%s%s)" % (text, "about " if count % 1024 else "", format_bytes(count))


def parse_size(text: str) -> int:
    """The bytes of "4096", "64K", "1M", "2G"; raises ValueError."""
    match = re.match(_SIZE, text.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(text)
    return int(match.group(1), 0) * _FACTORS[match.group(2).upper()]


def parse_limit(text: str) -> int:
    """The bytes of a limit; 0 for "unlimited" and, as in GDB's own settings, for 0."""
    return 0 if text.strip() == "unlimited" else parse_size(text)
