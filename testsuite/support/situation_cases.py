# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes that people make with OpenCL, each a program that makes it and does the same rightly,
the command that names its cause, and what that says."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Tuple

import hangs
import mistakes
from harness import Row

OK = 0
FINDINGS = 1
INCOMPLETE = 4

NOTHING_LEFT = "Nothing of OpenCL was left alive."


class Situation(NamedTuple):
    """One of them."""

    mistake: str  # as the users' guide names it
    program: str
    case: str  # the word that the program takes
    verb: str  # of the command that names it
    is_named_alone: bool = False  # without the recorder, too
    runtime: str = "pocl"
    dies: bool = False  # of the mistake


SITUATIONS: Tuple[Situation, ...] = (
    Situation("host memory is freed early", "mistake", "host-freed", "check", True),
    Situation("a library forgets what it makes", "forget", "library", "run"),
    Situation("a forgotten event keeps its context", "forget", "event", "run"),
    Situation("nobody sets a user event", "waiting", "user-finish", "waits", True),
    Situation("user events wait for each other", "waiting", "event-cycle", "waits", True),
    Situation("a queue is never flushed", "waiting", "unflushed", "waits", runtime="rusticl"),
    Situation("SVM is freed twice", "mistake", "svm-freed-twice", "check", True),
    Situation("SVM is freed while a kernel uses it", "mistake", "svm-used-by-kernel", "check"),
    Situation("the same of a buffer", "mistake", "svm-used", "check"),
    Situation("a callback's library is unloaded", "mistake", "callback-unloaded", "check", True),
    Situation(
        "an object that is gone is released",
        "mistake",
        "over-release-destroyed",
        "check",
        dies=True,
    ),
    Situation("the same of one that another holds", "mistake", "over-release", "check"),
    Situation("the same of an event", "mistake", "over-release-event", "check"),
    Situation("something else releases it", "mistake", "released-unseen", "check"),
    Situation("a callback waits", "mistake", "callback-waits", "check", True),
    Situation("a call makes more and more", "forget", "growth", "run"),
    Situation("sub-buffers overlap", "mistake", "sub-buffers", "check", True),
    Situation("a build hangs", "waiting", "build", "waits", True),
    Situation("a kernel does not compile", "mistake", "build-error", "check", True),
)

# Others that people ask of.
MORE: Tuple[Situation, ...] = (
    Situation("two buffers use one host memory", "mistake", "host-shared", "check", True),
    Situation("a read waits for an event", "waiting", "user-read", "waits", True),
    Situation("a thread waits for an event", "waiting", "user-events", "waits", True),
    Situation("an event has failed", "waiting", "failed", "waits"),
    Situation("a forgotten event", "forget", "event", "leaks"),
    Situation("a forgotten buffer in each frame", "forget", "growth", "leaks"),
)

_LEAKS_ALONE = (
    "Which objects the program has released only the recorder knows: which of them are leaks is "
    "not known; run the program under it."
)

# What `run` says of a program that has released all but what it forgot.
_HELD = [
    "Released, but held by other objects: 1 OpenCL context",
    "Released, but maybe still held by the runtime: 1 command queue",
]
_CALLS = {
    "library": [" #1 apply_filter at forget.c:N", " #2 main at forget.c:N"],
    "event": [" #1 main at forget.c:N"],
    "growth": [" #1 grow at forget.c:N", " #2 main at forget.c:N"],
}
_LEFT: Dict[str, List[Tuple[str, str]]] = {
    "library": [
        ("24 memory objects (96 KiB)", "filter_apply at filter.c:N"),
        ("24 events", "filter_apply at filter.c:N"),
        ("24 kernels", "filter_apply at filter.c:N"),
        ("24 programs", "filter_apply at filter.c:N"),
    ],
    "event": [("1 event", "forget_event at forget.c:N")],
    "growth": [
        ("24 memory objects (1.5 MiB)", "make_tile at forget.c:N, inlined in draw_frame"),
    ],
}


def _left(case: str) -> List[str]:
    """What `run` says is left."""
    lines: List[str] = []
    for objects, place in _LEFT[case]:
        made = " %s of %s made at" % (objects, objects.split()[0])  # none was released
        lines += ["Left alive: " + objects, made, " #0 " + place, *_CALLS[case]]
    return lines


def _of_run(case: str, how: str) -> Tuple[int, List[str]]:
    if how == "right":
        return OK, [NOTHING_LEFT]
    return FINDINGS, _left(case)


def _of_leaks(case: str, how: str, recorder: bool) -> Tuple[int, List[str]]:
    """While it runs, what has no handle in its memory any more."""
    if not recorder:
        return INCOMPLETE if how == "wrong" else OK, [_LEAKS_ALONE]
    if how == "right":
        return OK, ["No leaks."]
    ((objects, place),) = _LEFT[case]
    lost = " lost: nowhere in the program's memory"
    return FINDINGS, ["Leaked: %s." % objects, " %s made at" % objects, " #0 " + place, lost]


def _of_check(case: str, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    mistake = mistakes.MISTAKES[case]
    if how == "right":
        lines = [mistakes.NO_FINDINGS]
        return OK, lines if recorder else [*lines, mistakes.ONLY_RECORDER]
    is_found = recorder or mistake.by_stacks or not mistake.needs_recorder
    return FINDINGS if is_found else OK, mistakes.expected(mistake, truth, recorder)


def _of_waits(situation: Situation, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    if recorder:
        return hangs.expected(situation.case, how, truth)
    return hangs.expected_without_recorder(situation.case, how, truth, situation.runtime)


def expected(situation: Situation, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    """The exit code, and the lines that the command says of a process or a core."""
    if situation.verb == "run":
        return _of_run(situation.case, how)
    if situation.verb == "leaks":
        return _of_leaks(situation.case, how, recorder)
    if situation.verb == "check":
        return _of_check(situation.case, how, truth, recorder)
    return _of_waits(situation, how, truth, recorder)


_HANDLES = r" (\d+ )?(lost: |held: |presumably held: )| (it|they) keeps? "


def said(situation: Situation, text: str) -> List[str]:
    """The lines of an answer, as expected() has them."""
    if situation.verb == "check":
        return mistakes.said(text, mistakes.MISTAKES[situation.case])
    if situation.verb == "waits":
        lines = hangs.said(text)
        # Events that a layout tells come in the order in which they are found.
        return sorted(lines) if hangs.WITHOUT_RECORDER in lines else lines
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    lines = [re.sub(r" +", " ", line).rstrip() for line in text.splitlines()]
    lines = [line for line in lines if "never written to" not in line]
    if situation.verb == "run":
        lines = [re.sub(r":\d+", ":N", line) for line in lines]
        lines = [line for line in lines if line not in _HELD and not line.startswith(("{", "/"))]
        # Where handles are left over differs from run to run.
        lines = [line for line in lines if not re.match(_HANDLES, line)]
    if situation.verb == "leaks":
        lines = [re.sub(r":\d+", ":N", line) for line in lines]
        lines = [line for line in lines if not re.match("The program (presumably )?has the", line)]
        lines = [_LEAKS_ALONE] if _LEAKS_ALONE in lines else lines
    return lines


# What the users' guide has in place of what differs from run to run.
_EXAMPLE: Row = {
    "object": "0x5555",
    "other": "0x7777",
    "address": "0x6660",
    "queue": "0x8880",
    "other_queue": "0x8888",
    "gate": "0x9990",
    "other_gate": "0x9999",
    "program": "0x4440",
    "line": 42,
    "other_line": 40,
    "gate_line": 30,
    "other_gate_line": 31,
}


def summary(situation: Situation) -> str:
    """The sentence that names the cause, as the users' guide has it."""
    lines = expected(situation, "wrong", _EXAMPLE, True)[1]
    if situation.verb == "run":
        objects, place = _LEFT[situation.case][0]
        text = "Left alive: %s made at %s" % (objects, place.replace(":N", ":24"))
    elif situation.verb == "waits":
        end = next(i for i, line in enumerate(lines) if line.startswith(("Mistake:", "End:")))
        # Before the end of a cycle is what it comes back to.
        first = end - 2 if "for itself" in lines[end] else end - 1
        text = " ".join(lines[first : end + 1])
    else:
        text = re.sub(r"^1  (Certain|Presumed): ", "", lines[0]).replace("PARENT", "0x9999")
    text = text.replace(":N", ":24").replace("TIME", "2026-11-23 18:10:02.124 UTC")
    return re.sub(r"\bLWP\b", "LWP 7", text)


def guide_rows() -> List[str]:
    """The rows of its table."""
    return [
        "| %s%s | `%s` | %s |"
        % (
            situation.mistake,
            "" if situation.is_named_alone else " (recorder)",
            situation.verb,
            summary(situation),
        )
        for situation in SITUATIONS
    ]
