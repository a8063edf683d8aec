# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sentences of `waits` about the hangs of the program `waiting`."""

from __future__ import annotations

from typing import List, NamedTuple, Sequence, Tuple


class Hang(NamedTuple):
    """One of them, as a mistake and as it should be: exit code, and the lines of its chains."""

    wrong: Tuple[int, List[str]]
    right: Tuple[int, List[str]]
    runtimes: Tuple[str, ...] = ("pocl", "rusticl")


NOBODY = "Mistake: nobody has set it, and nobody is left to set it."
MAY_SET = "End: it has not been set yet, and LWP is not known to be stuck."
TO_RUN = "End: it has not been set yet; pending work may lead to that."
SLOW = "End: nothing is known to block it; it may just be slow."
GATE = "user event {gate}, made at main at waiting.c:{gate_line} by LWP."
OTHER_GATE = "user event {other_gate}, made at main at waiting.c:{other_gate_line} by LWP."
FINISH = "LWP waits in clFinish since TIME for"
EVENTS = "LWP waits in clWaitForEvents since TIME for"
READS = "LWP waits in clEnqueueReadBuffer since TIME for"


def carried(end: str, function: str, thread: str = "") -> str:
    """The END of a chain, where the callback FUNCTION has the handle in its user data; THREAD runs
    it."""
    words = "%s; its handle is in the user data of callback %s of event EVENT" % (
        end[:-1],
        function,
    )
    return words + (", which %s runs." % thread if thread else ".")


def queue_named(name: str) -> str:
    """The queue that the truth has as NAME."""
    return "command queue {%s}, made at runtime_queue_create at runtime.c:N by LWP" % name


def command(
    kind: str,
    queue: str,
    function: str,
    line: str,
    number: str = "1 ",
    file: str = "waiting.c",
) -> str:
    """Number NUMBER of a queue, of KIND, that FUNCTION enqueues."""
    return "command %s(%s) of command queue {%s}, enqueued at %s at %s:{%s} by LWP" % (
        number,
        kind,
        queue,
        function,
        file,
        line,
    )


def chain(*hops: str) -> List[str]:
    """The lines of a chain; the last is how it ends."""
    last = len(hops) - 2
    lines = []
    for place, hop in enumerate(hops[:-1]):
        ends = place == last or hop.endswith((" for", " by", " after"))
        lines.append(hop if ends else hop + ", which waits for")
    if not lines[-1].endswith("."):
        lines[-1] += " at TIME." if lines[-1].startswith("command") else "."
    return lines + [hops[-1]]


SPIN = command("ndrange-kernel spin", "queue", "spin", "line")
OTHER_SPIN = command("ndrange-kernel spin", "other_queue", "spin", "other_line")
QUEUE = queue_named("queue")
OTHER_QUEUE = queue_named("other_queue")


NOT_KNOWN = "End: the next step is unknown: "
EMPTY_LIST = [
    NOT_KNOWN + "its wait list is empty, and only the recorder knows what else it may wait for."
]
LOST_LIST = [NOT_KNOWN + "the events of its wait list are complete or were not found."]
UNSET = "End: it has not been set yet."
GATE_UNSET = ["user event {gate}.", UNSET]
# That it has begun not every runtime's layout tells.
KERNEL = ["event (ndrange-kernel).", "End: as far as the runtime tells."]


def for_event(kind: str, call: str = "clFinish", then: Sequence[str] = GATE_UNSET) -> List[str]:
    """The chain of a thread that presumably waits for an event of a command of KIND, of a queue
    that it finishes or that its call was given, and THEN for the others."""
    lines = ["LWP presumably waits in %s for" % call]
    if call == "clFinish":
        lines.append("command queue {queue}, which waits for")
    if kind == "ndrange-kernel":
        return [*lines, *KERNEL]
    goes_on = not then[0].startswith("End")
    return [*lines, "event (%s)%s" % (kind, ", which waits for" if goes_on else "."), *then]


FOR_MARKER = for_event("marker")
