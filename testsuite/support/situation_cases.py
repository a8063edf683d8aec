# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes that people make with OpenCL: for each a program that makes it, and that does the same
correctly, the command that names its cause, and the expected answer."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Tuple

import hangs
import late_calls
import mistakes
from command import NOTHING_FOUND
from harness import Row

OK = 0
FINDINGS = 1
REFUSED = 2
INCOMPLETE = 4


class Situation(NamedTuple):
    """One of them."""

    mistake: str  # as doc/mistakes.md names it
    program: str
    case: str  # the argument of the program
    verb: str  # that names the cause
    is_named_alone: bool = False  # also without the recorder
    runtime: str = "pocl"
    dies: bool = False  # of the mistake
    asks_of_object: bool = False  # the verb takes the object as its operand
    hops: int = 1  # before the end of a wait, in doc/mistakes.md


SITUATIONS: Tuple[Situation, ...] = (
    Situation(
        "host memory is freed while a buffer uses it", "mistake", "host-freed", "check", True
    ),
    Situation("a library never releases what it creates", "forget", "library", "run"),
    Situation("an event that is never released keeps its context alive", "forget", "event", "run"),
    Situation("nobody sets a user event", "waiting", "user-finish", "waits", True),
    Situation("two user events wait for each other", "waiting", "event-cycle", "waits", True),
    Situation("a queue is never flushed", "waiting", "unflushed", "waits", runtime="rusticl"),
    Situation("SVM is freed twice", "mistake", "svm-freed-twice", "check", True),
    Situation("SVM is freed while a kernel uses it", "mistake", "svm-used-by-kernel", "check"),
    Situation("SVM is freed while a buffer uses it", "mistake", "svm-used", "check"),
    Situation("a callback's library is unloaded", "mistake", "callback-unloaded", "check", True),
    Situation(
        "a destroyed object is released",
        "mistake",
        "over-release-destroyed",
        "check",
        dies=True,
    ),
    Situation(
        "an object that another one holds is released too often", "mistake", "over-release", "check"
    ),
    Situation("an event is released too often", "mistake", "over-release-event", "check"),
    Situation(
        "code that the recorder does not see releases an object",
        "mistake",
        "released-unseen",
        "check",
    ),
    Situation("a callback waits in OpenCL", "mistake", "callback-waits", "check", True),
    Situation("a call creates more and more objects", "forget", "growth", "run"),
    Situation("a build hangs", "waiting", "build", "waits", True),
    Situation("a kernel does not compile", "mistake", "build-error", "check", True),
)

# Others that people ask of.
MORE: Tuple[Situation, ...] = (
    Situation("a read waits for an event", "waiting", "user-read", "waits", True),
    Situation("a thread waits for an event", "waiting", "user-events", "waits", True),
    Situation("an event has failed", "waiting", "failed", "waits"),
    Situation("a forgotten event", "forget", "event", "leaks"),
    Situation("a forgotten buffer in each frame", "forget", "growth", "leaks"),
)

# As people have reported them: public_threads.py has the reports.
REPORTED: Tuple[Situation, ...] = (
    Situation(
        "a callback's queue is not flushed",
        "waiting",
        "callback-unflushed",
        "waits",
        runtime="rusticl",
        hops=2,
    ),
    Situation(
        "a queue stalls behind a user event",
        "waiting",
        "out-of-order",
        "waits",
        runtime="rusticl",
    ),
    Situation("a callback is behind the barrier", "waiting", "behind-barrier", "waits"),
    Situation("the thread that waits would set it", "waiting", "set-behind-map", "waits"),
    Situation("a callback waits under a lock", "waiting", "locked-callback", "waits", hops=5),
    Situation("a worker ends too early", "waiting", "worker-ended", "waits", hops=3),
    Situation("a device is slow, or stands still", "waiting", "slow-device", "waits", hops=4),
    Situation(
        "two queues wait for each other",
        "waiting",
        "across-queues",
        "waits",
        runtime="rusticl",
        hops=2,
    ),
    Situation("two threads set one event", "mistake", "set-twice", "check"),
    Situation(
        "a callback releases its own event",
        "mistake",
        "own-event",
        "object",
        dies=True,
        asks_of_object=True,
    ),
    Situation(
        "an event is set after its release", "mistake", "set-after-release", "check", dies=True
    ),
    Situation("nobody may set a user event any more", "waiting", "released-gate", "waits"),
    Situation("an event is waited for after its release", "waiting", "released-event", "check"),
    Situation("a callback's data is freed", "mistake", "user-data-freed", "check"),
    Situation("SVM is freed while it is mapped", "mistake", "svm-freed-mapped", "check"),
    Situation("two owners release one buffer", "mistake", "two-owners", "check"),
    Situation("events are forgotten now and then", "forget", "events", "run"),
    Situation("programs keep contexts", "forget", "order", "run"),
    Situation("a back end is never closed", "forget", "backend", "run"),
    Situation("a library releases what it was given", "mistake", "taken-context", "check"),
    Situation("a static destructor comes too late", "waiting", "static-destructor", "check", True),
    Situation("an exit handler waits for a thread", "waiting", "worker-at-exit", "check", True),
    Situation("a queue is collected first", "waiting", "collected-at-exit", "check", True),
    Situation("the same while the program runs", "mistake", "collected-queue", "check"),
    Situation("one object of many is forgotten", "forget", "sampler", "run"),
)

ALL = SITUATIONS + MORE + REPORTED


def words_of(situation: Situation, truth: Row) -> List[str]:
    """Return the command line that names the cause."""
    return [situation.verb, truth["object"]] if situation.asks_of_object else [situation.verb]


_LEAKS_ALONE = (
    "Only the recorder knows which objects the program has released, and therefore which of them "
    "are leaks; run the program under the recorder."
)

# The report of `run` about a program that forgot to release some objects.
_HELD = [
    "Released, but held by other objects: 1 OpenCL context",
    "Released, but held by other objects: 3 OpenCL contexts",
]
_MAIN = " #1 main at forget.c:N"
_IN_LIBRARY = [" #1 apply_filter at forget.c:N", " #2 main at forget.c:N"]
_OF_BACKEND = [" #1 use_backend at forget.c:N", " #2 main at forget.c:N"]
_IN_BACKEND = [" #1 open_backend at forget.c:N", " #2 use_backend at forget.c:N"]


class Left(NamedTuple):
    """The remaining objects of one kind in `run`: how many of how many, and who created them."""

    objects: str
    made: int
    place: str
    calls: List[str]


_LEFT: Dict[str, List[Left]] = {
    "library": [
        Left("24 memory objects (96 KiB)", 24, "filter_apply at filter.c:N", _IN_LIBRARY),
        Left("24 events", 24, "filter_apply at filter.c:N", _IN_LIBRARY),
        Left("24 kernels", 24, "filter_apply at filter.c:N", _IN_LIBRARY),
        Left("24 programs", 24, "filter_apply at filter.c:N", _IN_LIBRARY),
    ],
    "event": [Left("1 event", 1, "forget_event at forget.c:N", [_MAIN])],
    "growth": [
        Left(
            "24 memory objects (1.5 MiB)",
            24,
            "make_tile at forget.c:N, inlined in draw_frame at forget.c:N",
            [" #1 grow at forget.c:N", " #2 main at forget.c:N"],
        ),
    ],
    "events": [Left("96 events", 432, "copy_all at forget.c:N", [_MAIN])],
    "order": [
        Left(
            "3 programs",
            3,
            "program_of at forget.c:N, inlined in do_job at forget.c:N",
            [" #1 do_jobs at forget.c:N", " #2 main at forget.c:N"],
        )
    ],
    "backend": [
        Left("1 SVM allocation (64 KiB)", 1, "open_backend at forget.c:N", _OF_BACKEND),
        Left("1 OpenCL context", 1, "open_backend at forget.c:N", _OF_BACKEND),
        Left(
            "1 command queue",
            1,
            "runtime_queue_create at runtime.c:N",
            [*_IN_BACKEND, " #3 main at forget.c:N"],
        ),
        Left("3 kernels", 3, "open_backend at forget.c:N", _OF_BACKEND),
        Left(
            "1 program",
            1,
            "program_of at forget.c:N, inlined in open_backend at forget.c:N",
            _OF_BACKEND,
        ),
    ],
    "sampler": [Left("1 sampler", 1, "forget_sampler at forget.c:N", [_MAIN])],
}

# What the remaining objects keep alive, if that is the mistake.
_KEEPS = {"order": " they keep 3 OpenCL contexts, which the program has released"}


def _left(case: str) -> List[str]:
    """The remaining objects in `run`."""
    lines: List[str] = []
    for left in _LEFT[case]:
        made = " %s of %d made at" % (left.objects, left.made)
        lines += ["Left alive: " + left.objects, made, " #0 " + left.place, *left.calls]
        lines += [_KEEPS[case]] if case in _KEEPS else []
    return lines


def _of_run(case: str, how: str) -> Tuple[int, List[str]]:
    if how == "right":
        return OK, NOTHING_FOUND.splitlines()
    return FINDINGS, _left(case)


def _of_leaks(case: str, how: str, recorder: bool) -> Tuple[int, List[str]]:
    """Objects that have no handle in memory any more while the program runs."""
    if not recorder:
        return INCOMPLETE if how == "wrong" else OK, [_LEAKS_ALONE]
    if how == "right":
        return OK, ["No leaks."]
    (left,) = _LEFT[case]
    lost = " lost: not found in the program's memory"
    lines = ["Leaked: %s." % left.objects, " %s made at" % left.objects, " #0 " + left.place, lost]
    return FINDINGS, lines


_LATE = {late.case: late for late in late_calls.LATE + late_calls.REPORTED}


def _of_check(case: str, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    if case in _LATE:
        return late_calls.expected(_LATE[case], how, recorder, truth)
    mistake = mistakes.MISTAKES[case]
    if how == "right":
        lines = [mistakes.NO_FINDINGS, mistakes.NOT_CHECKED]
        return OK, lines if recorder else [*lines, mistakes.ONLY_RECORDER]
    is_found = recorder or mistake.by_stacks or not mistake.needs_recorder
    return FINDINGS if is_found else OK, mistakes.expected(mistake, truth, recorder)


def _of_waits(situation: Situation, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    if recorder:
        return hangs.expected(situation.case, how, truth)
    return hangs.expected_without_recorder(situation.case, how, truth, situation.runtime)


_NOT_KNOWN = (
    "ompd-opencl: {object} belongs to no live object; destroyed objects are unknown. Only the "
    "recorder knows destroyed objects and failed calls, and it is not in this process; run the "
    "program under the recorder."
)


def _of_object(how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    """An event, destroyed or not."""
    if how == "right":
        presumed = "" if recorder else " (presumed)"
        return OK, ["event %s, user, complete, 1 reference%s." % (truth["object"], presumed)]
    if not recorder:
        return REFUSED, [_NOT_KNOWN.format(**truth)]
    sentence = (
        "{object} was an event, made at own_event at mistake-reported.c:{line} by LWP, released at "
        "release_own at mistake-reported.c:{other_line} by LWP, found destroyed at TIME."
    )
    return OK, [sentence.format(**truth)]


def expected(situation: Situation, how: str, truth: Row, recorder: bool) -> Tuple[int, List[str]]:
    """The exit code, and the lines that the command says of a process or a core."""
    if situation.verb == "run":
        return _of_run(situation.case, how)
    if situation.verb == "leaks":
        return _of_leaks(situation.case, how, recorder)
    if situation.verb == "object":
        return _of_object(how, truth, recorder)
    if situation.verb == "check":
        return _of_check(situation.case, how, truth, recorder)
    return _of_waits(situation, how, truth, recorder)


_HANDLES = r" (\d+ )?(lost: |held: |presumably held: )| (it|they) keeps? "


def _counted(line: str) -> str:
    """LINE with the number of the contexts that it names."""
    if not line.startswith(" they keep OpenCL context"):
        return line
    count = len(re.findall("OpenCL context 0x", line))
    return " they keep %d OpenCL contexts" % count + line[line.rindex(", which") :]


def said(situation: Situation, text: str) -> List[str]:
    """The lines of an answer, as expected() has them."""
    if situation.case in _LATE:
        return late_calls.said_of_any(text)
    if situation.verb == "object":
        return hangs.said(text)[:1]
    if situation.verb == "check":
        return mistakes.said(text)
    if situation.verb == "waits":
        lines = hangs.said(text)
        # Events of a layout have the order in which they were found.
        return sorted(lines) if hangs.WITHOUT_RECORDER in lines else lines
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    lines = [re.sub(r" +", " ", line).rstrip() for line in text.splitlines()]
    lines = [line for line in lines if "never written to" not in line]
    if situation.verb == "run":
        lines = [re.sub(r":\d+", ":N", line) for line in lines]
        lines = [line for line in lines if line not in _HELD and not line.startswith(("{", "/"))]
        if situation.case in _KEEPS:
            lines = [_counted(line) for line in lines]
        # Where handles are left over differs from run to run.
        lines = [
            line
            for line in lines
            if line == _KEEPS.get(situation.case) or not re.match(_HANDLES, line)
        ]
    if situation.verb == "leaks":
        lines = [re.sub(r":\d+", ":N", line) for line in lines]
        lines = [line for line in lines if not re.match("The program (presumably )?has the", line)]
        lines = [_LEAKS_ALONE] if _LEAKS_ALONE in lines else lines
    return lines


# What doc/mistakes.md has in place of values that differ between runs.
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
    "third_line": 38,
    "lock": "0x7770",
}


def summary(situation: Situation) -> str:
    """Return the sentence that names the cause, as doc/mistakes.md has it."""
    lines = expected(situation, "wrong", _EXAMPLE, True)[1]
    if situation.verb == "run":
        left = _LEFT[situation.case][0]
        of_all = "" if left.objects.startswith("%d " % left.made) else " of %d" % left.made
        keeps = ";" + _KEEPS[situation.case] if situation.case in _KEEPS else ""
        text = "Left alive: %s%s made at %s%s" % (left.objects, of_all, left.place, keeps)
    elif situation.verb == "waits":
        end = next(i for i, line in enumerate(lines) if line.startswith(("Mistake:", "End:")))
        # The line before the end of a cycle is where it closes.
        hops = 2 if "for itself" in lines[end] else situation.hops
        text = " ".join(lines[end - hops : end + 1])
    else:
        text = re.sub(r"^1  (Certain|Presumed): ", "", lines[0])
    text = (
        text.replace(":N", ":24")
        .replace("PID", "4711")
        .replace("; N ", "; 6 ")
        .replace("TIME", "2026-11-23 18:10:02.124 UTC")
        .replace(" EVENT", " 0x9980")
    )
    text = re.sub(r"\b(while|before at \S+ at \S+ by|locked by) LWP\b", r"\1 LWP 9", text)
    return re.sub(r"\bLWP\b(?! 9)", "LWP 7", text)


def page_rows() -> List[str]:
    """Return the rows of the first table of doc/mistakes.md."""
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
