# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program `waiting` waits for, and how `waits` reports it."""

from __future__ import annotations

import re
from typing import Dict, List, Tuple

import reported_hangs
from hang_words import (
    EVENTS,
    FINISH,
    FOR_MARKER,
    GATE,
    Hang,
    KERNEL,
    MAY_SET,
    NOBODY,
    NOT_KNOWN,
    OTHER_GATE,
    OTHER_QUEUE,
    OTHER_SPIN,
    QUEUE,
    READS,
    SLOW,
    SPIN,
    TO_RUN,
    UNSET,
    carried,
    chain,
    command,
    for_event,
)
from harness import Row

_IN_CALLBACK = "LWP, in callback wait_for_itself at waiting.c:N"
NOTHING = ["Nothing is known to wait."]
WITHOUT_RECORDER = (
    "Only the recorder knows for certain what threads do, and what commands wait for besides "
    "their wait lists; run the program under the recorder."
)


_SVM_FREE = command("svm-free", "queue", "callback_cycle", "line")
_READ = command("read-buffer", "other_queue", "user_read", "other_line", "")
_MARKER = command("marker", "queue", "pending", "line")
_CYCLE = command("marker", "queue", "event_cycle", "line")
_OTHER_CYCLE = command("marker", "other_queue", "event_cycle", "other_line")
_NAMED = command("marker", "queue", "named_cycle", "line")
_BEHIND = command("marker", "queue", "unflushed", "line")
_LATER = command("marker", "queue", "user_set_later", "line")
_FAILED = command("marker", "queue", "failed", "line")
_LOCKED = command("marker", "queue", "mutex_cycle", "line")
_IN_OTHER = "LWP, in callback lock_in_callback at waiting.c:N"
_MUTEX = ", which waits for mutex {lock} <lock>, locked by"
_SEVERAL = "LWP waits in clWaitForEvents since TIME for 1 more event and for"
_SETS = "set_event at waiting.c:N"
_SETS_NAMED = "set_named at waiting.c:N"
_LOCKS = "lock_in_callback at waiting.c:N"
_RETURNING = "End: the callback has not returned; it may just be slow."


_HANGS: Dict[str, Hang] = {
    "user-finish": Hang(
        (1, chain(FINISH, QUEUE, _MARKER, GATE, NOBODY)),
        (0, chain(FINISH, QUEUE, SPIN, SLOW)),
    ),
    "user-events": Hang((1, chain(EVENTS, _MARKER, GATE, NOBODY)), (0, chain(EVENTS, SPIN, SLOW))),
    "several-events": Hang(
        (1, chain(_SEVERAL, GATE, NOBODY)),
        (0, chain(_SEVERAL, SPIN, SLOW) + chain(OTHER_QUEUE, OTHER_SPIN, SLOW)),
    ),
    "user-read": Hang((1, chain(READS, _READ, GATE, NOBODY)), (0, chain(READS, _READ, SPIN, SLOW))),
    "user-set-later": Hang(
        (1, chain(FINISH, QUEUE, _LATER, GATE, NOBODY)),
        (
            0,
            chain(
                FINISH,
                QUEUE,
                _LATER,
                GATE,
                MAY_SET,
            ),
        ),
    ),
    "event-cycle": Hang(
        (
            1,
            chain(FINISH, QUEUE, _CYCLE, GATE, carried(NOBODY, _SETS))
            + chain(OTHER_QUEUE, _OTHER_CYCLE, OTHER_GATE, carried(NOBODY, _SETS)),
        ),
        (0, NOTHING),
    ),
    "named-cycle": Hang(
        (1, chain(FINISH, QUEUE, _NAMED, GATE, carried(NOBODY, _SETS_NAMED))),
        (
            0,
            chain(FINISH, QUEUE, _NAMED, GATE, carried(TO_RUN, _SETS_NAMED))
            + chain(OTHER_QUEUE, OTHER_SPIN, SLOW),
        ),
    ),
    "unflushed": Hang(
        (
            1,
            chain(
                FINISH,
                QUEUE,
                _BEHIND,
                OTHER_SPIN,
                "Mistake: it was never flushed, so the runtime need not start it.",
            ),
        ),
        (0, chain(FINISH, QUEUE, _BEHIND, OTHER_SPIN, SLOW)),
        ("rusticl",),  # PoCL begins commands at once
    ),
    "callback-cycle": Hang(
        (
            1,
            chain(
                FINISH,
                QUEUE,
                _SVM_FREE,
                _IN_CALLBACK + ", which waits in clFinish since TIME for",
                "command queue {queue}.",
                "Mistake: command queue {queue} waits for itself.",
            )
            + chain(
                _IN_CALLBACK + ", waits in clFinish since TIME for",
                QUEUE,
                _SVM_FREE,
                "LWP.",
                "Mistake: LWP waits for itself.",
            ),
        ),
        (
            0,
            chain(FINISH, QUEUE, _SVM_FREE, _IN_CALLBACK + " since TIME.", _RETURNING)
            + chain(_IN_CALLBACK + " since TIME.", _RETURNING),
        ),
        ("pocl",),  # the other has no SVM
    ),
    "mutex-cycle": Hang(
        (
            1,
            chain(FINISH, QUEUE, _LOCKED, GATE, carried(NOBODY, _LOCKS, "LWP"))
            + chain(
                _IN_OTHER + _MUTEX,
                "LWP, which waits in clFinish since TIME for",
                QUEUE,
                _LOCKED,
                GATE,
                carried(NOBODY, _LOCKS, "LWP"),
            ),
        ),
        (
            0,
            chain(FINISH, QUEUE, _LOCKED, GATE, carried(MAY_SET, _LOCKS, "LWP"))
            + chain(_IN_OTHER + " since TIME.", _RETURNING),
        ),
    ),
    "failed": Hang(
        (
            0,
            chain(
                QUEUE,
                _FAILED,
                "event {gate}, made at main at waiting.c:{gate_line} by LWP.",
                "End: it has failed with -5, so nothing that waits for it can run.",
            ),
        ),
        (
            0,
            chain(QUEUE, _FAILED, OTHER_SPIN, SLOW) + chain(OTHER_QUEUE, OTHER_SPIN, SLOW),
        ),
    ),
    "build": Hang(
        (
            0,
            [
                "LWP builds in clBuildProgram program {program}, made at build at "
                "waiting.c:{line} by LWP, since TIME.",
                "End: the build has not ended; it may just be slow.",
            ],
        ),
        (0, NOTHING),
        ("pocl",),
    ),
}

HANGS = {**_HANGS, **reported_hangs.HANGS}

# Reported without the recorder: user events that are not set, where that is not both,
_UNSET: Dict[Tuple[str, str], Tuple[str, ...]] = {
    ("event-cycle", "right"): (),
    ("failed", "wrong"): ("other_gate",),
    **reported_hangs.UNSET,
}


_NOT_FOUND = NOT_KNOWN + "the object that the call waits for was not found."


_SVM_FREED = for_event("svm-free")[:3]
_CALLED = _IN_CALLBACK + "~"

# and what threads wait for, as their stacks show.
_BY_STACKS: Dict[Tuple[str, str], List[str]] = {
    ("user-finish", "wrong"): FOR_MARKER,
    ("user-finish", "right"): for_event("ndrange-kernel"),
    ("user-events", "wrong"): for_event("marker", "clWaitForEvents"),
    ("user-events", "right"): for_event("ndrange-kernel", "clWaitForEvents"),
    ("several-events", "wrong"): [
        "LWP presumably waits in clWaitForEvents for 1 more event and for",
        "user event {gate}.",
        UNSET,
    ],
    ("several-events", "right"): [
        "LWP presumably waits in clWaitForEvents for 1 more event and for",
        *for_event("ndrange-kernel", "clWaitForEvents")[1:],
    ],
    ("user-read", "wrong"): for_event("read-buffer", "clEnqueueReadBuffer"),
    ("user-read", "right"): for_event("read-buffer", "clEnqueueReadBuffer", KERNEL),
    ("user-set-later", "wrong"): FOR_MARKER,
    ("user-set-later", "right"): FOR_MARKER,
    ("event-cycle", "wrong"): FOR_MARKER,
    ("named-cycle", "wrong"): FOR_MARKER,
    ("named-cycle", "right"): FOR_MARKER,
    ("unflushed", "wrong"): for_event("marker", then=KERNEL),
    ("unflushed", "right"): for_event("marker", then=KERNEL),
    ("callback-cycle", "wrong"): _SVM_FREED
    + [
        _CALLED + ", which presumably waits in clFinish for",
        "command queue {queue}.",
        "End: command queue {queue} presumably waits for itself.",
        _CALLED + ", presumably waits in clFinish for",
        *_SVM_FREED[1:],
        "LWP.",
        "End: LWP presumably waits for itself.",
    ],
    ("callback-cycle", "right"): _SVM_FREED + 2 * [_CALLED + ".", _RETURNING],
    ("mutex-cycle", "wrong"): FOR_MARKER
    + [_IN_OTHER + "~" + _MUTEX, "LWP, which presumably waits in clFinish for", *FOR_MARKER[1:]],
    ("mutex-cycle", "right"): FOR_MARKER + [_IN_OTHER + "~.", _RETURNING],
    **reported_hangs.BY_STACKS,
    ("build", "wrong"): [
        "LWP presumably builds in clBuildProgram program {program}.",
        "End: the build has not ended; it may just be slow.",
    ],
}

# Of rusticl a read that waits for a kernel has no event yet.
_BY_STACKS_OF_RUSTICL = {
    ("user-read", "right"): ["LWP presumably waits in clEnqueueReadBuffer.", _NOT_FOUND],
}


def expected_without_recorder(
    name: str, how: str, truth: Row, runtime: str = "pocl"
) -> Tuple[int, List[str]]:
    """The same of the case NAME without the recorder, sorted: events come as they are found."""
    lines = _BY_STACKS.get((name, how), [])
    if runtime == "rusticl":
        lines = _BY_STACKS_OF_RUSTICL.get((name, how), lines)
    lines = [line.format(**truth) for line in lines]
    for gate in _UNSET.get((name, how), ("gate", "other_gate")):
        line = "user event %s." % truth[gate]
        lines += [] if line in lines else [line, UNSET]
    code = 1 if (name, how) == ("own-lock", "wrong") else 0
    return code, sorted([*(lines or NOTHING), WITHOUT_RECORDER])


# Call sites in a file that the program does not record.
_PLACES = (
    "runtime_queue_create",
    "wait_for_itself",
    "lock_in_callback",
    "set_event",
    "set_named",
    "call_with_lock",
    "note_build",
    "stay_in_free",
)


# How many lines of a case are of its other queue.  Queues that no thread waits for come by handles.
_OF_OTHER_QUEUE = len(chain(OTHER_QUEUE, OTHER_SPIN, SLOW))


def _is_before(truth: Row, first: str, second: str) -> bool:
    """Whether the object FIRST of the truth comes before SECOND."""
    return int(truth[first], 16) < int(truth[second], 16)


def expected(name: str, how: str, truth: Row) -> Tuple[int, List[str]]:
    """The exit code and the lines of the case NAME."""
    code, lines = HANGS[name].wrong if how == "wrong" else HANGS[name].right
    filled = [line.format(**truth) for line in lines]
    if (name, how) == ("failed", "right") and _is_before(truth, "other_queue", "queue"):
        filled = filled[-_OF_OTHER_QUEUE:] + filled[:-_OF_OTHER_QUEUE]
    return code, ["\n".join(filled)] if filled == NOTHING else filled


def said(text: str) -> List[str]:
    """The lines of an answer without differences between runs: chains by their wait steps."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    for place in _PLACES:
        text = re.sub(r"(%s at [\w-]+\.c):\d+" % place, r"\1:N", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC", "TIME", text)
    text = re.sub(r"(?m)^\d*  +", "", text)
    # Without the recorder commands have their events, which the program does not always record.
    text = re.sub(r"\bevent 0x[0-9a-f]+ \(", "event (", text)
    # Nor those whose callbacks have a handle.
    text = re.sub(r"\bof event 0x[0-9a-f]+", "of event EVENT", text)
    text = re.sub(r"(event \(ndrange-kernel\)\.\nEnd: ).*", r"\1as far as the runtime tells.", text)
    return [line for line in text.splitlines() if "never written to" not in line]
