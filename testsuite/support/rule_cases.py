# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that break one rule each, with a correct twin, and the sentence that reports it.

The program `rules` has a function for each case.  Names in braces are expected values that it
prints, and LWP is its thread.
"""

from __future__ import annotations

import re
from typing import List, NamedTuple, Tuple

POCL = ("pocl",)
BOTH = ("pocl", "rusticl")


class RuleCase(NamedTuple):
    """A program that breaks a rule."""

    case: str  # the argument of the program
    rule: str  # its name in JSON
    sentence: str  # that `check` prints, without the period
    runtimes: Tuple[str, ...] = BOTH  # which have what the case needs
    level: str = "Certain"  # or "Presumed", or "Note"
    alone: str = ""  # the sentence without the recorder; empty if there is none
    alone_level: str = "Presumed"
    lasts: bool = True  # it is also reported when its objects are destroyed and the program ends
    aborts: Tuple[str, ...] = ()  # the runtimes that end the program because of it
    is_thorough: bool = False  # only reported with OMPD_OPENCL_CHECK=thorough
    more: Tuple[str, ...] = ()  # further sentences, if it breaks the rule more than once


_RELEASED = (
    "%s {object} was used in %s at %s at rules-handles.c:{line} by LWP, when it had no references "
    "left; the last was released at %s at rules-handles.c:{other_line} by LWP"
)

CALLBACKS: Tuple[RuleCase, ...] = (
    RuleCase(
        "no-code",
        "callback-without-code",
        "the destructor callback of buffer {object} is {address}, where there is no code; "
        "registered at no_code at rules-callbacks.c:{line} by LWP",
        alone="the destructor callback of buffer {object} is {address}, where there is no code",
        lasts=False,
    ),
)

HANDLES: Tuple[RuleCase, ...] = (
    RuleCase(
        "flush-released",
        "used-after-release",
        _RELEASED % ("command queue", "clFlush", "flush_released", "flush_released"),
    ),
)

KERNELS: Tuple[RuleCase, ...] = (
    RuleCase(
        "event-set-twice",
        "user-event-set-twice",
        "user event {object} was set at event_set_twice at rules-kernels.c:{line} by LWP, although "
        "it had already been set at event_set_twice at rules-kernels.c:{other_line} by LWP",
    ),
)

MEMORY: Tuple[RuleCase, ...] = (
    RuleCase(
        "host-freed",
        "host-memory-freed",
        "buffer {object} uses host memory that was freed, 4096 B (4 KiB) at {address}; made at "
        "host_freed at rules-memory.c:{line} by LWP",
        alone="buffer {object} uses host memory that was freed, 4096 B (4 KiB) at {address}",
        alone_level="Certain",
        lasts=False,
    ),
)

SVM: Tuple[RuleCase, ...] = (
    RuleCase(
        "svm-mapped",
        "svm-freed-while-mapped",
        "SVM allocation {object} was freed while it was mapped; freed at svm_mapped at "
        "rules-svm.c:{line} by LWP, mapped at svm_mapped at rules-svm.c:{other_line} by LWP",
        runtimes=POCL,
    ),
)

ALL = CALLBACKS + HANDLES + KERNELS + MEMORY + SVM


class Finding(NamedTuple):
    """A finding as `check` and `run` print it."""

    level: str
    sentence: str
    clause: str


# Files of the program that many cases share, whose lines no case knows.
_SHARED_FILES = r"\b(runtime|mistake-scene|rules)\.c:\d+"
_TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( UTC)?"


def _plain(text: str) -> str:
    """TEXT without differences between runs."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    text = re.sub(r" <[^>]*>", "", text)
    text = re.sub(_SHARED_FILES, r"\1.c:N", text)
    return re.sub(_TIME, "TIME", text)


def findings_of(text: str) -> List[Finding]:
    """The findings in the answer TEXT."""
    found = []
    lines = text.splitlines() + [""]
    for line, next_line in zip(lines, lines[1:]):
        match = re.match(r"(?:\d+  (Certain|Presumed)|(Note)): (.*)\.$", _plain(line))
        if match is not None:
            clause = next_line.strip() if next_line.startswith("   ") else ""
            found.append(Finding(match.group(1) or match.group(2), match.group(3), clause))
    return found
