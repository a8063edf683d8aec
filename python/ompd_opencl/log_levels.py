# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The levels of the diagnostic log, as settings name them."""

from __future__ import annotations

from typing import Dict

from .structures import LogLevel

OFF = "off"
LOG_LEVELS: Dict[str, LogLevel] = {
    OFF: LogLevel.NONE,
    "refusals": LogLevel.REFUSAL,
    "decisions": LogLevel.DECISION,
    "lookups": LogLevel.LOOKUP,
    "reads": LogLevel.READ,
}


def describe_log_level(name: str) -> str:
    """The meaning of the setting value NAME."""
    if name == OFF:
        return "The diagnostic log is off."
    shown = list(LOG_LEVELS)[1 : list(LOG_LEVELS).index(name) + 1]
    return "The diagnostic log reports %s." % ", ".join(shown)
