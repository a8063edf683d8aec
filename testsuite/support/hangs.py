# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program `waiting` waits for, and what `waits` says of it."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Tuple

from harness import Row

_NOBODY = "Mistake: nobody has set it, and no thread that has called OpenCL is left to do so."
_MAY_SET = "End: nobody has set it; LWP does not wait in OpenCL and may do so."
_SLOW = "End: nothing known keeps it from running; it may just be slow."
_GATE = "user event {gate}, made at main at waiting.c:{gate_line} by LWP."
_SET_BY = ", made at main at waiting.c:{%s} by LWP, which presumably is set by "
_SET = "user event {gate}" + _SET_BY % "gate_line"
_OTHER_SET = "user event {other_gate}" + _SET_BY % "other_gate_line"
_NO_THREAD = " and no thread that has called OpenCL is left to set a user event."
_FINISH = "LWP waits in clFinish since TIME for"
_IN_CALLBACK = "LWP, in callback wait_for_itself at waiting.c:N"
NOTHING = ["Nothing is known to wait."]
WITHOUT_RECORDER = (
    "What commands wait for, and for sure what threads do, only the recorder knows: run the "
    "program under it."
)


def _queue(name: str) -> str:
    return "command queue {%s}, made at runtime_queue_create at runtime.c:N by LWP" % name


def _command(kind: str, queue: str, function: str, line: str, number: str = "1 ") -> str:
    return "command %s(%s) of command queue {%s}, enqueued at %s at waiting.c:{%s} by LWP" % (
        number,
        kind,
        queue,
        function,
        line,
    )


def _chain(*hops: str) -> List[str]:
    """The lines of a chain; the last is how it ends."""
    last = len(hops) - 2
    lines = []
    for place, hop in enumerate(hops[:-1]):
        ends = place == last or hop.endswith((" for", " by", " after"))
        lines.append(hop if ends else hop + ", which waits for")
    if not lines[-1].endswith("."):
        lines[-1] += " at TIME." if lines[-1].startswith("command") else "."
    return lines + [hops[-1]]


_SPIN = _command("ndrange-kernel", "queue", "spin", "line")
_OTHER_SPIN = _command("ndrange-kernel", "other_queue", "spin", "other_line")
_SVM_FREE = _command("svm-free", "queue", "callback_cycle", "line")
_READ = _command("read-buffer", "other_queue", "user_read", "other_line", "")
_MARKER = _command("marker", "queue", "pending", "line")
_CYCLE = _command("marker", "queue", "event_cycle", "line")
_OTHER_CYCLE = _command("marker", "other_queue", "event_cycle", "other_line")
_NAMED = _command("marker", "queue", "named_cycle", "line")
_BEHIND = _command("marker", "queue", "unflushed", "line")
_LATER = _command("marker", "queue", "user_set_later", "line")
_FAILED = _command("marker", "queue", "failed", "line")
_LOCKED = _command("marker", "queue", "mutex_cycle", "line")
_IN_OTHER = "LWP, in callback lock_in_callback at waiting.c:N"
_MUTEX = ", which waits for mutex {lock} <lock>, locked by"
_EVENTS = "LWP waits in clWaitForEvents since TIME for"
_SEVERAL = "LWP waits in clWaitForEvents since TIME for 1 more event and for"
_READS = "LWP waits in clEnqueueReadBuffer since TIME for"
_RETURNING = "End: the callback has not returned; it may just be slow."
_QUEUE = _queue("queue")
_OTHER_QUEUE = _queue("other_queue")


class Hang(NamedTuple):
    """One of them, as a mistake and as it should be: exit code, and the lines of its chains."""

    wrong: Tuple[int, List[str]]
    right: Tuple[int, List[str]]
    runtimes: Tuple[str, ...] = ("pocl", "rusticl")


HANGS: Dict[str, Hang] = {
    "user-finish": Hang(
        (1, _chain(_FINISH, _QUEUE, _MARKER, _GATE, _NOBODY)),
        (0, _chain(_FINISH, _QUEUE, _SPIN, _SLOW)),
    ),
    "user-events": Hang(
        (1, _chain(_EVENTS, _MARKER, _GATE, _NOBODY)), (0, _chain(_EVENTS, _SPIN, _SLOW))
    ),
    "several-events": Hang(
        (1, _chain(_SEVERAL, _GATE, _NOBODY)),
        (0, _chain(_SEVERAL, _SPIN, _SLOW) + _chain(_OTHER_QUEUE, _OTHER_SPIN, _SLOW)),
    ),
    "user-read": Hang(
        (1, _chain(_READS, _READ, _GATE, _NOBODY)), (0, _chain(_READS, _READ, _SPIN, _SLOW))
    ),
    "user-set-later": Hang(
        (1, _chain(_FINISH, _QUEUE, _LATER, _GATE, _NOBODY)),
        (
            0,
            _chain(
                _FINISH,
                _QUEUE,
                _LATER,
                _GATE,
                _MAY_SET,
            ),
        ),
    ),
    "event-cycle": Hang(
        (
            1,
            _chain(
                _FINISH,
                _QUEUE,
                _CYCLE,
                _SET + "callback set_event at waiting.c:N after",
                _OTHER_CYCLE,
                _OTHER_SET + "callback set_event at waiting.c:N after",
                "command 1 (marker) of command queue {queue}.",
                "Mistake: command 1 (marker) of command queue {queue} presumably waits for itself,"
                + _NO_THREAD,
            ),
        ),
        (0, NOTHING),
    ),
    "named-cycle": Hang(
        (
            1,
            _chain(
                _FINISH,
                _QUEUE,
                _NAMED,
                _SET + "callback set_named at waiting.c:N after",
                "command 1 (marker) of command queue {queue}.",
                "Mistake: command 1 (marker) of command queue {queue} presumably waits for itself,"
                + _NO_THREAD,
            ),
        ),
        (
            0,
            _chain(
                _FINISH,
                _QUEUE,
                _NAMED,
                _SET + "callback set_named at waiting.c:N after",
                _OTHER_SPIN,
                _SLOW,
            ),
        ),
    ),
    "unflushed": Hang(
        (
            1,
            _chain(
                _FINISH,
                _QUEUE,
                _BEHIND,
                _OTHER_SPIN,
                "Mistake: it was never flushed, so that the runtime need not begin it.",
            ),
        ),
        (0, _chain(_FINISH, _QUEUE, _BEHIND, _OTHER_SPIN, _SLOW)),
        ("rusticl",),  # PoCL begins commands at once
    ),
    "callback-cycle": Hang(
        (
            1,
            _chain(
                _FINISH,
                _QUEUE,
                _SVM_FREE,
                _IN_CALLBACK + ", which waits in clFinish since TIME for",
                "command queue {queue}.",
                "Mistake: command queue {queue} waits for itself.",
            )
            + _chain(
                _IN_CALLBACK + ", waits in clFinish since TIME for",
                _QUEUE,
                _SVM_FREE,
                "LWP.",
                "Mistake: LWP waits for itself.",
            ),
        ),
        (
            0,
            _chain(_FINISH, _QUEUE, _SVM_FREE, _IN_CALLBACK + " since TIME.", _RETURNING)
            + _chain(_IN_CALLBACK + " since TIME.", _RETURNING),
        ),
        ("pocl",),  # the other has no SVM
    ),
    "mutex-cycle": Hang(
        (
            1,
            _chain(
                _FINISH,
                _QUEUE,
                _LOCKED,
                _SET.rstrip(),
                _IN_OTHER + _MUTEX,
                "LWP.",
                "Mistake: LWP presumably waits for itself," + _NO_THREAD,
            )
            + _chain(
                _IN_OTHER + _MUTEX,
                "LWP, which waits in clFinish since TIME for",
                _QUEUE,
                _LOCKED,
                _SET.rstrip(),
                "LWP.",
                "Mistake: LWP presumably waits for itself," + _NO_THREAD,
            ),
        ),
        (
            0,
            _chain(_FINISH, _QUEUE, _LOCKED, _SET.rstrip(), _IN_OTHER + " since TIME.", _RETURNING)
            + _chain(_IN_OTHER + " since TIME.", _RETURNING),
        ),
    ),
    "failed": Hang(
        (
            0,
            _chain(
                _QUEUE,
                _FAILED,
                "event {gate}, made at main at waiting.c:{gate_line} by LWP.",
                "End: it has failed with -5, so that what waits for it cannot run.",
            ),
        ),
        (
            0,
            _chain(_QUEUE, _FAILED, _OTHER_SPIN, _SLOW) + _chain(_OTHER_QUEUE, _OTHER_SPIN, _SLOW),
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

# What is told without the recorder: the user events that nobody has set, where that is not both,
_UNSET = {("event-cycle", "right"): (), ("failed", "wrong"): ("other_gate",)}


_NOT_KNOWN = "End: what comes next is not known: "
_NOT_BEGUN = _NOT_KNOWN + "only the recorder knows what a command that has not begun waits for."
_NOT_FOUND = _NOT_KNOWN + "what the call waits for is not among the objects that were found."


def _for_event(kind: str, thread: str = "LWP", call: str = "clFinish") -> List[str]:
    """The chain of a thread that presumably waits for an event of a command of KIND: of a queue
    that it finishes, or that its call was given."""
    first = "%s presumably waits in %s for" % (thread, call)
    queue = ["command queue {queue}, which waits for"] if call == "clFinish" else []
    # Only the kernel may have begun, which not every runtime's layout tells.
    end = "End: as far as the runtime tells." if kind == "ndrange-kernel" else _NOT_BEGUN
    return [first, *queue, "event (%s)." % kind, end]


_FOR_MARKER = _for_event("marker")
_SVM_FREED = [*_for_event("svm-free")[:-2], "event (svm-free), which waits for"]
_CALLED = _IN_CALLBACK + "~"

# and what threads wait for, as their stacks show.
_BY_STACKS: Dict[Tuple[str, str], List[str]] = {
    ("user-finish", "wrong"): _FOR_MARKER,
    ("user-finish", "right"): _for_event("ndrange-kernel"),
    ("user-events", "wrong"): _for_event("marker", call="clWaitForEvents"),
    ("user-events", "right"): _for_event("ndrange-kernel", call="clWaitForEvents"),
    ("several-events", "wrong"): [
        "LWP presumably waits in clWaitForEvents for 1 more event and for",
        "user event {gate}.",
        "End: nobody has set it.",
    ],
    ("several-events", "right"): [
        "LWP presumably waits in clWaitForEvents for 1 more event and for",
        *_for_event("ndrange-kernel", call="clWaitForEvents")[1:],
    ],
    ("user-read", "wrong"): _for_event("read-buffer", call="clEnqueueReadBuffer"),
    ("user-read", "right"): _for_event("read-buffer", call="clEnqueueReadBuffer"),
    ("user-set-later", "wrong"): _FOR_MARKER,
    ("user-set-later", "right"): _FOR_MARKER,
    ("event-cycle", "wrong"): _FOR_MARKER,
    ("named-cycle", "wrong"): _FOR_MARKER,
    ("named-cycle", "right"): _FOR_MARKER,
    ("unflushed", "wrong"): _FOR_MARKER,
    ("unflushed", "right"): _FOR_MARKER,
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
    ("mutex-cycle", "wrong"): _FOR_MARKER
    + [_IN_OTHER + "~" + _MUTEX, "LWP, which presumably waits in clFinish for", *_FOR_MARKER[1:]],
    ("mutex-cycle", "right"): _FOR_MARKER + [_IN_OTHER + "~.", _RETURNING],
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
        lines += [] if line in lines else [line, "End: nobody has set it."]
    return 0, sorted([*(lines or NOTHING), WITHOUT_RECORDER])


# Of the places in a file that the program does not tell.
_PLACES = (
    "runtime_queue_create",
    "wait_for_itself",
    "lock_in_callback",
    "set_event",
    "set_named",
)


# How many lines of a case are of its other queue.  Queues that no thread waits for come by handles.
_OF_OTHER_QUEUE = len(_chain(_OTHER_QUEUE, _OTHER_SPIN, _SLOW))


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
    """The lines of an answer without what differs from run to run: chains by their hops."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    for place in _PLACES:
        text = re.sub(r"(%s at \w+\.c):\d+" % place, r"\1:N", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC", "TIME", text)
    text = re.sub(r"(?m)^\d*  +", "", text)
    # Without the recorder commands have their events, which the program does not always tell.
    text = re.sub(r"\bevent 0x[0-9a-f]+ \(", "event (", text)
    text = re.sub(r"(event \(ndrange-kernel\)\.\nEnd: ).*", r"\1as far as the runtime tells.", text)
    return [line for line in text.splitlines() if "never written to" not in line]
