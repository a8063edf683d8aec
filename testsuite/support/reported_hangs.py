# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program `waiting` waits for in hangs that people have reported."""

from __future__ import annotations

from typing import Dict, List, Tuple

from hang_words import (
    EMPTY_LIST,
    EVENTS,
    FINISH,
    FOR_MARKER,
    GATE,
    GATE_UNSET,
    KERNEL,
    LOST_LIST,
    MAY_SET,
    NOBODY,
    OTHER_QUEUE,
    OTHER_SPIN,
    QUEUE,
    READS,
    SLOW,
    SPIN,
    TO_RUN,
    Hang,
    carried,
    chain,
    command,
    for_event,
)

_FILE = "waiting-reported.c"
_NOTHING = (0, ["Nothing is known to wait."])
_UNFLUSHED = "Mistake: it was never flushed, so the runtime need not start it."
_NOT_FLUSHED = "End: it has not yet been flushed, so the runtime need not start it."
_ONLY_UNFLUSHED = (
    "Mistake: nobody has set it; only commands that were never flushed could lead to that."
)
_MAPS = "LWP waits in clEnqueueMapBuffer since TIME for"
_CALLED = "LWP, in callback call_with_lock at waiting-reported.c:N"
_SETS = "set_event at waiting.c:N"
_MARKER = command("marker", "queue", "marker", "line", file=_FILE)
_BARRIER = command("barrier", "queue", "behind_barrier", "line", file=_FILE)
_MAP = command("map-buffer", "queue", "set_behind_map", "other_line", "", _FILE)
_READ = command("read-buffer", "queue", "slow_device", "other_line", "", _FILE)
_BEFORE_KERNEL = command("marker", "queue", "marker", "third_line", file=_FILE)
_OF_WORKER = command("marker", "queue", "worker_ended", "line", file=_FILE)
_FILL = command("fill-buffer", "queue", "out_of_order", "other_line", "2 ", _FILE)
_LAST = command("marker", "queue", "marker", "line", "2 ", _FILE)
_OF_OTHER = command("marker", "other_queue", "marker", "other_line", file=_FILE)
_BEHIND = (
    "End: nothing is known to block it, but an earlier command of this out-of-order queue is "
    "stuck, and the runtime may run them in order."
)

_LOCKED = "LWP, in callback note_build at waiting-reported.c:N"
_FOR_LOCK = "LWP waits for read-write lock {lock} <table_lock>, locked by"
_JOINS = "LWP, which waits in pthread_join for"
_FINISHES = "LWP, which waits in clFinish since TIME for"
_IN_FREE = "LWP, in callback stay_in_free at waiting-reported.c:N"
_FREE = command("svm-free", "other_queue", "begun_unflushed", "other_line", file=_FILE)
_RETURNING = "End: the callback has not returned; it may just be slow."
_LATE = command("marker", "queue", "marker", "line", file=_FILE)

HANGS: Dict[str, Hang] = {
    "own-lock": Hang(
        (
            1,
            [
                _LOCKED + ", which waits for mutex {lock} <binding_lock>, locked by",
                "LWP.",
                "Mistake: LWP waits for the mutex that it has already locked (normal mutex).",
            ],
        ),
        (
            0,
            [_LOCKED + " since TIME.", "End: the callback has not returned; it may just be slow."],
        ),
        ("pocl",),  # the other may call back in a thread of its own
    ),
    "joined-owner": Hang(
        (
            1,
            chain(_FOR_LOCK, _JOINS, _FINISHES, QUEUE, _MARKER, GATE, NOBODY)
            + chain(FINISH, QUEUE, _MARKER, GATE, NOBODY),
        ),
        (
            0,
            chain(_FOR_LOCK, _JOINS, _FINISHES, QUEUE, SPIN, SLOW)
            + chain(FINISH, QUEUE, SPIN, SLOW),
        ),
    ),
    "begun-unflushed": Hang(
        (
            1,
            chain(
                FINISH,
                QUEUE,
                _MARKER,
                _FREE,
                _IN_FREE + ", which waits in clFinish since TIME for",
                "command queue {queue}.",
                "Mistake: command queue {queue} waits for itself.",
            )
            + chain(
                _IN_FREE + ", waits in clFinish since TIME for",
                QUEUE,
                _MARKER,
                _FREE,
                "LWP.",
                "Mistake: LWP waits for itself.",
            ),
        ),
        (
            0,
            chain(FINISH, QUEUE, _MARKER, _FREE, _IN_FREE + " since TIME.", _RETURNING)
            + chain(_IN_FREE + " since TIME.", _RETURNING),
        ),
        ("pocl",),  # the other has no SVM
    ),
    "late-caller": Hang(
        (1, chain(FINISH, QUEUE, _LATE, GATE, NOBODY)),
        (0, chain(FINISH, QUEUE, _LATE, GATE, MAY_SET)),
    ),
    "callback-unflushed": Hang(
        (
            1,
            chain(FINISH, QUEUE, _MARKER, GATE, carried(_ONLY_UNFLUSHED, _SETS))
            + chain(OTHER_QUEUE, OTHER_SPIN, _NOT_FLUSHED),
        ),
        (
            0,
            chain(FINISH, QUEUE, _MARKER, GATE, carried(TO_RUN, _SETS))
            + chain(OTHER_QUEUE, OTHER_SPIN, SLOW),
        ),
        ("rusticl",),  # PoCL begins commands at once
    ),
    "out-of-order": Hang(
        (
            0,
            chain(EVENTS, _FILL, _BEHIND)
            + chain(
                QUEUE,
                _MARKER,
                GATE,
                MAY_SET,
            ),
        ),
        _NOTHING,
        ("rusticl",),  # others run the second command
    ),
    "behind-barrier": Hang(
        (1, chain(FINISH, QUEUE, _BARRIER, GATE, carried(NOBODY, _SETS))),
        (
            0,
            chain(FINISH, QUEUE, _BARRIER, GATE, carried(TO_RUN, _SETS))
            + chain(OTHER_QUEUE, OTHER_SPIN, SLOW),
        ),
        ("pocl",),  # the other takes no barrier for a command
    ),
    "set-behind-map": Hang(
        (
            1,
            chain(
                _MAPS,
                _MAP,
                "user event {gate}, made at set_behind_map at waiting-reported.c:{gate_line} by "
                "LWP.",
                NOBODY,
            ),
        ),
        _NOTHING,
        ("pocl",),
    ),
    "locked-callback": Hang(
        (
            1,
            chain(
                "LWP waits for mutex {lock} <library_lock>, locked by",
                _CALLED + ", which waits in clFinish since TIME for",
                QUEUE,
                _MARKER,
                GATE,
                NOBODY,
            )
            + chain(_CALLED + ", waits in clFinish since TIME for", QUEUE, _MARKER, GATE, NOBODY),
        ),
        (0, chain(_CALLED + ", waits in clFinish since TIME for", QUEUE, SPIN, SLOW)),
        ("pocl",),  # the other calls back in a thread that has no lock
    ),
    "worker-ended": Hang(
        (1, chain(EVENTS, _OF_WORKER, GATE, NOBODY)),
        (0, chain(EVENTS, _OF_WORKER, GATE, MAY_SET)),
        ("pocl",),
    ),
    "slow-device": Hang(
        (1, chain(READS, _READ, _BEFORE_KERNEL, GATE, NOBODY)),
        (0, chain(READS, _READ, SPIN, SLOW)),
        ("pocl",),
    ),
    "released-gate": Hang(
        (
            1,
            chain(
                FINISH,
                QUEUE,
                _MARKER,
                GATE,
                "Mistake: nobody has set it, and nobody can, because the program has released its "
                "last reference.",
            ),
        ),
        _NOTHING,
        ("pocl",),  # the other runs the waiting command
    ),
    "across-queues": Hang(
        (1, chain(FINISH, QUEUE, _LAST, _OF_OTHER, _UNFLUSHED)),
        _NOTHING,
        ("rusticl",),
    ),
}

_IN_CALLBACK = _CALLED + "~, presumably waits in clFinish for"
_KERNEL_BEHIND = [
    "event (ndrange-kernel), which waits for",
    "event (marker), which waits for",
    *GATE_UNSET,
]
_WAITED_FOR = for_event("marker", call="clWaitForEvents")

_BEHIND_FREE = [
    "command queue {queue}, which waits for",
    "event (marker), which waits for",
    "event (svm-free), which waits for",
]

# Facts of stacks and layouts about them.
BY_STACKS: Dict[Tuple[str, str], List[str]] = {
    ("callback-unflushed", "wrong"): FOR_MARKER,
    ("callback-unflushed", "right"): FOR_MARKER,
    ("out-of-order", "wrong"): for_event("fill-buffer", "clWaitForEvents", EMPTY_LIST),
    ("behind-barrier", "wrong"): for_event("barrier"),
    ("behind-barrier", "right"): for_event("barrier"),
    ("set-behind-map", "wrong"): for_event("map-buffer", call="clEnqueueMapBuffer"),
    ("locked-callback", "wrong"): [_IN_CALLBACK, *FOR_MARKER[1:]],
    ("locked-callback", "right"): [_IN_CALLBACK, *for_event("ndrange-kernel")[1:]],
    ("worker-ended", "wrong"): _WAITED_FOR,
    ("worker-ended", "right"): _WAITED_FOR,
    ("slow-device", "wrong"): for_event("read-buffer", "clEnqueueReadBuffer", _KERNEL_BEHIND),
    ("slow-device", "right"): for_event("read-buffer", "clEnqueueReadBuffer", KERNEL),
    ("released-gate", "wrong"): for_event("marker", then=LOST_LIST),
    ("across-queues", "wrong"): for_event("marker", then=EMPTY_LIST),
    ("own-lock", "wrong"): [
        _LOCKED + "~, which waits for mutex {lock} <binding_lock>, locked by",
        "LWP.",
        "Mistake: LWP waits for the mutex that it has already locked (normal mutex).",
    ],
    ("own-lock", "right"): [
        _LOCKED + "~.",
        "End: the callback has not returned; it may just be slow.",
    ],
    # The argument of the callback is not stored where it waits.
    ("begun-unflushed", "wrong"): [
        "LWP presumably waits in clFinish for",
        *_BEHIND_FREE[:-1],
        "event (svm-free).",
        SLOW,
        _IN_FREE + "~, presumably waits in clFinish for",
        *_BEHIND_FREE[:-1],
        "event (svm-free).",
        SLOW,
    ],
    ("begun-unflushed", "right"): [
        "LWP presumably waits in clFinish for",
        *_BEHIND_FREE,
        *2 * [_IN_FREE + "~.", _RETURNING],
    ],
    ("joined-owner", "wrong"): FOR_MARKER,
    ("joined-owner", "right"): for_event("ndrange-kernel"),
    ("late-caller", "wrong"): FOR_MARKER,
    ("late-caller", "right"): FOR_MARKER,
}

# Which user events are not set, where that is not both.
UNSET: Dict[Tuple[str, str], Tuple[str, ...]] = {
    ("out-of-order", "right"): ("other_gate",),
    ("set-behind-map", "right"): ("other_gate",),
    ("released-gate", "wrong"): ("other_gate",),
    ("released-gate", "right"): ("other_gate",),
}
