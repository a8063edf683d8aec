# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of `embree catch`."""

from __future__ import annotations

from typing import List

from ompd_opencl.errors import OpenCLError

from .catch_options import ends_of, find_name, size_of, split, take_value
from .expressions import evaluate_handle
from .monitor_conditions import MONITOR, MonitorConditions

EVENTS = (MONITOR,)
_FLAGS = ("-cancel", "-temporary")
OPTIONS = ("-cancel", "-device", "-min-bytes", "-temporary")


def parse(command: str, line: str, wanted: MonitorConditions) -> None:
    """Parse LINE, the arguments of COMMAND ("embree catch"), into WANTED; raises OpenCLError."""
    words = split(command, line)
    has_event = False
    while words:
        word = words.pop(0)
        if word.startswith("-"):
            option = find_name(command, "option", word, OPTIONS)
            value = "" if option in _FLAGS else take_value(command, option, words)
            _set(command, wanted, option, value)
        elif has_event:
            raise OpenCLError("%s takes one event; unexpected '%s'." % (command, word))
        elif not MONITOR.startswith(word):
            raise OpenCLError("%s: unknown event '%s'; use %s." % (command, word, MONITOR))
        else:
            has_event = True
    if not has_event:
        raise OpenCLError("%s needs an event: %s." % (command, MONITOR))


def _set(command: str, wanted: MonitorConditions, option: str, value: str) -> None:
    if option == "-cancel":
        wanted.cancels = True
    elif option == "-temporary":
        wanted.is_temporary = True
    elif option == "-device":
        wanted.device = evaluate_handle(value)
    else:
        wanted.min_bytes = size_of(command, value)


def complete(text: str, word: str) -> List[str]:
    """Complete WORD at the end of TEXT."""
    words = text.split()
    last = words[-1] if words and not text[-1:].isspace() else ""
    before = words[:-1] if last else words
    if before and before[-1] in OPTIONS and before[-1] not in _FLAGS:
        return []
    is_option = last.startswith("-") or MONITOR in before
    return ends_of(OPTIONS if is_option else EVENTS, last, word)
