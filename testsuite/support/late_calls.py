# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the program `waiting` that come too late, and how `check` reports them."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Tuple

from command import FINDINGS, OK
from harness import Row
from mistakes import NO_FINDINGS, NOT_CHECKED, OF_RELEASES, ONLY_RECORDER

_ENDED = ", when the runtime may already have shut down"
_WITHIN = "LWP is in clFinish ({queue}) within exit()" + _ENDED
_BESIDE = "LWP is in clFinish ({queue}) while LWP is in exit()" + _ENDED


class Late(NamedTuple):
    """A case of the program, and the sentence about it."""

    case: str
    is_certain: bool
    sentence: str
    needs_recorder: bool = False
    before: str = ""  # further facts of the recorder, which come first
    clause: str = ""  # of OpenCL's specification


LATE: Tuple[Late, ...] = (
    Late("in-exit", False, _WITHIN),
    Late("beside-exit", False, _BESIDE),
    Late(
        "after-fork",
        True,
        "LWP is in clFinish ({queue}) in a process that was forked from process PID after that had "
        "used OpenCL; the runtime's threads do not exist here",
        needs_recorder=True,
    ),
)

_NOT_VALID = OF_RELEASES + "an object is not valid after its last release."

# As people have reported them.
REPORTED: Tuple[Late, ...] = (
    Late(
        "released-event",
        True,
        "event {other_gate} was used in clWaitForEvents at released_event at "
        "waiting-reported.c:{line} by LWP, when it had no references left; the last was released "
        "at released_event at waiting-reported.c:{other_line} by LWP",
        needs_recorder=True,
        clause=_NOT_VALID,
    ),
    Late("static-destructor", False, _WITHIN),
    Late("worker-at-exit", False, _BESIDE),
    Late(
        "collected-at-exit",
        False,
        _WITHIN,
        before="command queue {queue} was used in clFinish at finish at waiting.c:N by LWP, when "
        "it had no references left; the last was released at collect at "
        "waiting-reported.c:{other_line} by LWP",
    ),
)


def expected(
    late: Late, how: str, recorder: bool, truth: Row, alive: str = "; N objects still exist"
) -> Tuple[int, List[str]]:
    """The exit code of `check`, and its lines.  ALIVE are the live objects of the recorder."""
    rest = [] if recorder else [ONLY_RECORDER]
    if how == "right" or (late.needs_recorder and not recorder):
        return OK, [NO_FINDINGS, NOT_CHECKED, *rest]
    lines = []
    if recorder and late.before:
        lines.append("1  Certain: %s." % late.before.format(**truth))
        lines.append("   " + _NOT_VALID)
    sure = "Certain" if late.is_certain else "Presumed"
    sentence = late.sentence.format(**truth) + (
        alive if recorder and "exit()" in late.sentence else ""
    )
    lines.append("%d  %s: %s." % (len(lines) // 2 + 1, sure, sentence))
    lines += ["   " + late.clause] if late.clause else []
    return FINDINGS, [*lines, *rest]


def said(text: str) -> List[str]:
    """The lines of TEXT as expected() has them."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    text = re.sub(r"(finish at waiting\.c):\d+", r"\1:N", text)
    return [line for line in text.splitlines() if "never written to" not in line]


def said_of_any(text: str) -> List[str]:
    """The same, however many objects still exist."""
    return said(re.sub(r"; \d+ objects are", "; N objects are", text))
