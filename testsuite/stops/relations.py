# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relations between the lists of one stop of the program `restless`, wherever it is.

Each function returns a sentence for each contradiction.  Unknown values contradict nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, Callable, Dict, Iterator, List, Optional

from stop import OBJECTS, Row, Stop, handle_of

Contradictions = Iterator[str]

GRAIN = 64  # bytes that the size of a buffer is a multiple of
READ_ONLY, READ_WRITE = "CL_MEM_READ_ONLY", "CL_MEM_READ_WRITE"

OVER = ("complete", "failed", "ended")
MAKING = 2  # objects that a call makes or ends at most: a kernel that is enqueued has its event

# The list of each kind of object.
LIST_OF = {
    "context": "contexts",
    "queue": "queues",
    "memobj": "memobjs",
    "svm": "svm",
    "event": "events",
    "kernel": "kernels",
    "program": "programs",
    "sampler": "samplers",
}

# The lists of objects that an OpenCL context is kept alive by.
IN_CONTEXT = ("queues", "memobjs", "svm", "svm_frees", "events", "kernels", "programs", "samplers")


def differs(what: str, told: Any, expected: Any) -> Contradictions:
    """A sentence where both are known and not the same."""
    if told is not None and expected is not None and told != expected:
        yield "%s: %r, not %r" % (what, told, expected)


def active(stop: Stop) -> int:
    """The threads that may make or end objects: those in a call, and those of a runtime, where
    callbacks end and with them their objects."""
    return sum(row["state"] != "outside" or not row["is_caller"] for row in stop["threads"])


def counts(stop: Stop, what: str, told: Optional[int], count: int) -> Contradictions:
    """The recorder counts before or after it shows what a thread makes or ends, so that a count may
    be another by one for each that may."""
    if told is not None and abs(told - count) > (active(stop) if stop.recorder else 0):
        yield from differs(what, told, count)


def name_of(name: str, row: Row) -> str:
    """How an object is named in a sentence."""
    return "%s %#x" % (name, handle_of(row))


def recorded(stop: Stop, name: str) -> List[Row]:
    """The rows of a list without those that only a layout has beside the recorder: objects that a
    call is still creating."""
    return [row for row in stop[name] if not stop.recorder or row["source"] == "recorder"]


def undoubted(stop: Stop, name: str) -> List[Row]:
    """The rows of a list without those that are probably no objects."""
    return [row for row in stop[name] if row.get("confidence") != "doubtful"]


# ---- Objects -------------------------------------------------------------------------------------


def handles_are_unique(stop: Stop) -> Contradictions:
    """No two rows of a list are of one object."""
    for name in OBJECTS:
        for handle, count in Counter(handle_of(row) for row in stop[name]).items():
            yield from differs("rows of %s %#x" % (name, handle), count, 1)


def orders_are_unique(stop: Stop) -> Contradictions:
    """No two objects were made at the same time, none after the last."""
    orders = Counter(row["order"] for _name, row in stop.objects() if row["order"] is not None)
    for order, count in orders.items():
        yield from differs("objects of order %d" % order, count, 1)
    last = stop.overview["last_order"]
    if orders and last is not None and max(orders) > last:
        yield "an object of order %d after the last, %d" % (max(orders), last)


def contexts_are_there(stop: Stop) -> Contradictions:
    """Whatever is in an OpenCL context, that is listed."""
    contexts = stop.handles("contexts")
    for name in IN_CONTEXT:
        for row in stop[name]:
            if row["context"] is not None and row["context"] not in contexts:
                yield "a row of %s is in the context %#x, which is not listed: %s" % (
                    name,
                    row["context"],
                    row,
                )


def others_are_there(stop: Stop) -> Contradictions:
    """So are parents, programs and queues, and they are in the same context.  The end of a
    sub-buffer may destroy its parent first."""
    for name, field, others in (
        ("memobjs", "parent", "memobjs"),
        ("kernels", "program", "programs"),
        ("svm_frees", "queue", "queues"),
        ("events", "queue", "queues"),
    ):
        found = stop.handles(others)
        for row in stop[name]:
            if row[field] is None:
                continue
            other = found.get(row[field])
            if other is None:
                if field == "parent" and row["references"] == 0:
                    continue
                yield "%s of %s is not listed: %s" % (field, name, row)
            else:
                what = "context of a row of %s and of its %s" % (name, field)
                yield from differs(what, row["context"], other["context"])


def references_fit_states(stop: Stop) -> Contradictions:
    """The program has references on what is live, and on nothing else."""
    for name, row in stop.objects():
        if name != "svm" and row["references"] is not None and row["state"] is not None:
            is_live = row["state"] == "live"
            yield from differs(name_of(name, row) + " is live", is_live, row["references"] > 0)


def children_are_counted(stop: Stop) -> Contradictions:
    """Objects made of a memory object or a program."""
    parents = Counter(row["parent"] for row in recorded(stop, "memobjs"))
    programs = Counter(row["program"] for row in recorded(stop, "kernels"))
    for name, counted in (("memobjs", parents), ("programs", programs)):
        for row in stop[name]:
            what = "children of %s" % name_of(name, row)
            yield from counts(stop, what, row["children"], counted[handle_of(row)])


def buffers_are_what_they_are(stop: Stop) -> Contradictions:
    """The size of a buffer implies its flags and the user data of its callbacks."""
    for row in stop["memobjs"]:
        size = row["size"]
        if row["kind"] != "buffer" or size is None:
            continue
        name = name_of("buffer", row)
        expected = READ_ONLY if size // GRAIN % 2 == 0 else READ_WRITE
        yield from differs("flags of %s of %d bytes" % (name, size), row["flags"], (expected,))
        for callback in row["destructors"]:
            yield from differs("user data of a callback of " + name, callback["user_data"], size)


def only_in_runtime(rows: List[Row]) -> List[Row]:
    """Those that the program has released and the runtime still has."""
    held = ("app-released", "destroying")
    return [row for row in rows if row["source"] != "recorder" and row["state"] in held]


def confidence_is_certain(stop: Stop) -> Contradictions:
    """The recorder doubts nothing.  What else is not in doubt, a thread is making or ending, or the
    runtime holds it still."""
    if not stop.recorder:
        return
    others = []
    for name, row in stop.objects():
        if row["source"] != "recorder":
            if row["confidence"] != "doubtful" and not only_in_runtime([row]):
                others.append(row)
        elif row["state"] == "live":
            yield from differs(name_of(name, row), row["confidence"], "certain")
    if len(others) > MAKING * active(stop):
        yield "only layouts tell of %s" % others


def lists_are_complete(stop: Stop) -> Contradictions:
    """A live process with the recorder lacks nothing, but for what is in an OpenCL context that is
    being made or destroyed, mistakes about callbacks whose object just ends, callbacks of what only
    the runtime has any more, and what waits for a command whose event the runtime is changing."""
    is_changing = any(
        row["source"] != "recorder" or row["state"] != "live" for row in stop["contexts"]
    ) or any("Context" in (row["call"] or "") for row in stop["threads"])
    is_ending = any(row["object"] is None for row in stop["destructors"])
    in_runtime = only_in_runtime(stop["memobjs"])
    borne = ["destructors of memobjs: "] if in_runtime else []
    if is_ending:
        borne.append("findings: ")
    if any("state" in row["presumed"] for row in stop["commands"]):
        borne += ["findings: ", "hops: "]
    if any(row["destructor_count"] is None for row in in_runtime):
        borne += ["destructors: ", "findings: ", "leaks: "]
    if stop.recorder and not is_changing:
        for sentence in stop.incomplete:
            if not sentence.startswith(tuple(borne)):
                yield sentence


# ---- Counts --------------------------------------------------------------------------------------


def overview_counts_lists(stop: Stop) -> Contradictions:
    """The overview has as many as the lists."""
    for field, name in (
        ("contexts", "contexts"),
        ("queues", "queues"),
        ("memory_objects", "memobjs"),
        ("svm_allocations", "svm"),
        ("programs", "programs"),
        ("kernels", "kernels"),
        ("samplers", "samplers"),
        ("threads", "threads"),
    ):
        yield from differs("overview's " + field, stop.overview[field], len(undoubted(stop, name)))


def overview_counts_states(stop: Stop) -> Contradictions:
    """So it is with those in a state."""
    pending = sum(row["state"] in ("enqueued", "running") for row in stop["svm_frees"])
    yield from differs("overview's svm_frees", stop.overview["svm_frees"], pending)
    released = sum(row["state"] == "app-released" for row in stop["memobjs"])
    yield from differs("overview's app_released", stop.overview["app_released"], released)
    for state in ("registered", "running"):
        count = sum(row["state"] == state for row in stop["destructors"])
        field = "destructors_" + state
        yield from counts(stop, "overview's " + field, stop.overview[field], count)


def overview_counts_bytes(stop: Stop) -> Contradictions:
    """Bytes of memory objects that have storage of their own, and of SVM."""
    sizes = [row["size"] for row in undoubted(stop, "memobjs") if row["parent"] is None]
    if None not in sizes:
        what = "overview's memory_object_bytes"
        yield from differs(what, stop.overview["memory_object_bytes"], sum(sizes))
    sizes = [row["size"] for row in undoubted(stop, "svm")]
    if None not in sizes:
        yield from differs("overview's svm_bytes", stop.overview["svm_bytes"], sum(sizes))


def overview_tells_no_mistake(stop: Stop) -> Contradictions:
    """The program makes none."""
    for field in ("over_releases", "unknown_handles", "not_recorded"):
        if stop.overview[field]:
            yield "overview's %s: %d" % (field, stop.overview[field])


def usage_counts_lists(stop: Stop) -> Contradictions:
    """So it is with the counts of each kind, which are not above their peaks."""
    for row in stop["usage"]:
        name = {"memory-objects": "memobjs", "svm-allocations": "svm"}.get(row["kind"], row["kind"])
        if name in OBJECTS and name != "events":
            yield from counts(stop, "usage's " + name, row["live"], len(recorded(stop, name)))
        for live, peak in (("live", "peak"), ("bytes", "peak_bytes")):
            if row[live] is not None and row[peak] is not None and row[live] > row[peak]:
                yield "%s: %d %s, at most %d" % (row["kind"], row[live], live, row[peak])


# ---- Callbacks -----------------------------------------------------------------------------------


def destructors_are_of_objects(stop: Stop) -> Contradictions:
    """The list of all callbacks has those of each object, in their order, and no other."""
    expected = [callback for row in stop["memobjs"] for callback in row["destructors"]]
    memobjs = stop.handles("memobjs")
    told = [row for row in stop["destructors"] if row["object"] in memobjs]
    yield from differs("destructors of memory objects", len(told), len(expected))
    if sorted(map(str, told)) != sorted(map(str, expected)):
        yield "the destructors of all memory objects are others than those of each"
    for row in stop["memobjs"]:
        what = "destructors of " + name_of("memobj", row)
        yield from differs(what, row["destructor_count"], len(row["destructors"]))


def destructors_run_in_turn(stop: Stop) -> Contradictions:
    """The last registered runs first, one at a time, of an object that is being destroyed."""
    ranks = {"done": 0, "running": 1, "registered": 2}
    for row in stop["memobjs"]:
        states = [callback["state"] for callback in row["destructors"]]
        if None in states:
            continue
        name = name_of("memobj", row)
        if [ranks[state] for state in states] != sorted(ranks[state] for state in states):
            yield "callbacks of %s run in the order %s" % (name, states)
        if states.count("running") > 1:
            yield "callbacks of %s run together: %s" % (name, states)
        if "running" in states or "done" in states:
            yield from differs(name, row["state"], "destroying")


def callbacks_have_threads(stop: Stop) -> Contradictions:
    """Each callback that a thread is in runs there.  One may run that its thread is not in yet, or
    no more."""
    running = Counter(
        (row["running_lwp"], row["function"], row["user_data"])
        for name in ("destructors", "svm_frees", "callbacks")
        for row in stop[name]
        if row["state"] == "running" and row["running_lwp"]
    )
    inside = Counter(
        (thread["lwp"], activity["function"], activity["user_data"])
        for thread in stop["threads"]
        for activity in thread["activities"]
        if (activity["state"] or "").startswith("runs-")
    )
    if stop.recorder and inside - running:
        yield "callbacks that run are %s, those that threads are in %s" % (running, inside)


def event_callbacks_are_of_events(stop: Stop) -> Contradictions:
    """Pending callbacks belong to existing objects."""
    for row in stop["callbacks"]:
        if row["kind"] == "event" and row["handle"] not in stop.handles("events"):
            yield "a callback is of an event that is not listed: %s" % row


# ---- Shared virtual memory -----------------------------------------------------------------------


def svm_frees_are_counted(stop: Stop) -> Contradictions:
    """Each queue has its commands that are not complete."""
    pending = Counter(
        row["queue"] for row in stop["svm_frees"] if row["state"] in ("enqueued", "running")
    )
    for row in stop["queues"]:
        what = "svm_frees of " + name_of("queue", row)
        yield from differs(what, row["svm_frees"], pending[row["handle"]])


def svm_frees_have_pointers(stop: Stop) -> Contradictions:
    """As many pointers as it says."""
    for row in stop["svm_frees"]:
        yield from differs("pointers of an SVM free", row["pointer_count"], len(row["pointers"]))
        yield from differs("waits of an SVM free", row["wait_count"], len(row.get("wait_list", ())))


def svm_frees_have_allocations(stop: Stop) -> Contradictions:
    """Allocations that a pending command frees are listed, as to be freed unless its thread is
    still enqueueing it, because the command is recorded first."""
    allocations = stop.handles("svm")
    enqueueing = {
        row["lwp"] for row in stop["threads"] if (row["call"] or "").startswith("clEnqueueSVMFree")
    }
    for row in stop["svm_frees"]:
        for pointer in row["pointers"] if row["state"] == "enqueued" else []:
            found = allocations.get(pointer["pointer"])
            if stop.recorder and found is None:
                yield "SVM that is to be freed is not listed: %s" % row
            elif found is not None and row["lwp"] not in enqueueing:
                yield from differs("SVM to be freed", found["state"], "free-enqueued")


def svm_states_have_commands(stop: Stop) -> Contradictions:
    """A free of what is to be freed is listed."""
    pending = {
        pointer["pointer"]
        for row in stop["svm_frees"]
        if row["state"] in ("enqueued", "running")
        for pointer in row["pointers"]
    }
    for row in stop["svm"]:
        if row["state"] == "free-enqueued" and row["pointer"] not in pending:
            yield "no command frees %s" % name_of("SVM", row)


# ---- Commands and events -------------------------------------------------------------------------


def commands_are_of_queues(stop: Stop) -> Contradictions:
    """Each queue has its own commands of the list of all."""
    by_queue: Dict[Optional[int], List[Row]] = {}
    for row in stop["commands"]:
        by_queue.setdefault(row["queue"], []).append(row)
    for queue in stop["queues"] if stop.recorder else []:
        name = "numbers of the commands of " + name_of("queue", queue)
        numbers = _numbers(queue["commands"])
        yield from differs(name, numbers, _numbers(by_queue.get(queue["handle"], [])))
        if len(numbers) > len(set(numbers)):
            yield "%s: %s" % (name, numbers)


def _numbers(commands: List[Row]) -> List[int]:
    """Those of COMMANDS, of which one that is being enqueued has none."""
    return sorted(row["number"] for row in commands if row["number"] is not None)


def commands_have_events(stop: Stop) -> Contradictions:
    """An event and its command agree."""
    commands = {(row["queue"], row["number"]): row for row in stop["commands"]}
    for event in stop["events"]:
        command = commands.get((event["queue"], event["number"]))
        if event["number"] is None or command is None:
            continue
        name = name_of("event", event)
        yield from differs("event of the command of " + name, command["event"], event["handle"])
        yield from differs("type of the command of " + name, command["type"], event["type"])
        yield from differs(name + " is over", event["execution"] in OVER, command["state"] in OVER)


def commands_wait_for_events(stop: Stop) -> Contradictions:
    """As many as they say."""
    for row in stop["commands"]:
        yield from differs("waits of a command", row["wait_count"], len(row["wait_list"]))


# ---- Threads -------------------------------------------------------------------------------------


def threads_exist(stop: Stop) -> Contradictions:
    """Each thread is one of the process, and does what it does innermost."""
    existing = {int(name) for name in os.listdir("/proc/%d/task" % stop.pid)}
    for row in stop["threads"]:
        if row["lwp"] not in existing:
            yield "there is no thread %s" % row["lwp"]
        innermost = row["activities"][0] if row["activities"] else None
        if stop.recorder:
            yield from differs("activities of a thread", row["depth"], len(row["activities"]))
        if innermost is not None:
            for field in ("state", "call", "handle", "since"):
                what = "%s of thread %s and of its activity" % (field, row["lwp"])
                yield from differs(what, row[field], innermost[field])


# What calls that make and end nothing are given, where that is told.
_GIVEN = {"clEnqueue": "queues", "clFinish": "queues", "clWaitForEvents": "events"}


def threads_are_given_objects(stop: Stop) -> Contradictions:
    """Arguments of calls that stacks show exist, and are of the expected kind."""
    for row in stop["threads"]:
        for activity in row["activities"] if not stop.recorder else ():
            call, handle = activity["call"] or "", activity["handle"]
            for name, kind in _GIVEN.items():
                if call.startswith(name) and handle and handle not in stop.handles(kind):
                    yield "thread %s gave %#x to %s" % (row["lwp"], handle, call)


def waits_are_no_mistakes(stop: Stop) -> Contradictions:
    """Chains are whole, begin with what waits, and end in no mistake.  Without the recorder a user
    event that is not set is all that is known of one."""
    steps = Counter(row["chain"] for row in stop["hops"])
    first = ("thread", "queue") if stop.recorder else ("thread", "queue", "event")
    for row in stop["hops"]:
        if row["step"] > steps[row["chain"]]:
            yield "a chain has no step before %s" % row
        if row["step"] == 1 and row["kind"] not in first:
            yield "a chain begins with %s" % row
        if row["is_mistake"] and row["end"] not in ("user-event", "unflushed"):
            yield "a chain ends in a mistake: %s" % row


# ---- What joins the facts ------------------------------------------------------------------------


def findings_are_none(stop: Stop) -> Contradictions:
    """The program makes no mistake.  It registers a callback again with the same user data, which
    is none."""
    for row in stop["findings"]:
        if row["rule"] != "callback-registered-twice":
            yield "a finding: %s" % row


def gone_are_not_there(stop: Stop) -> Contradictions:
    """A destroyed object was created before the present owner of its handle, and ended before that
    was created."""
    there = {name: stop.handles(name) for name in OBJECTS}
    for row in stop["destroyed"]:
        other = there[LIST_OF[row["kind"]]].get(row["handle"])
        if other is None or other["order"] is None or row["order"] is None:
            continue
        if other["order"] <= row["order"]:
            yield "%s is there and gone: %s" % (name_of(row["kind"], other), row)


def errors_are_the_expected(stop: Stop) -> Contradictions:
    """The runtime refuses buffers of no bytes, and nothing else."""
    for row in stop["errors"]:
        yield from differs("call refused", row["call"], "clCreateBuffer")
        yield from differs("error", row["error"], "CL_INVALID_BUFFER_SIZE")


def leaks_are_objects(stop: Stop) -> Contradictions:
    """Leaked objects exist, with the same references."""
    there = {name: stop.handles(name) for name in OBJECTS}
    for row in stop["leaks"]:
        found = there[LIST_OF[row["kind"]]].get(row["handle"])
        if found is None:
            yield "a leak is not listed: %s" % row
        elif row["kind"] != "svm":
            yield from differs("references of a leak", row["references"], found["references"])
            yield from differs("state of a leak", row["state"], found["state"])


RELATIONS: List[Callable[[Stop], Contradictions]] = [
    handles_are_unique,
    orders_are_unique,
    contexts_are_there,
    others_are_there,
    references_fit_states,
    children_are_counted,
    buffers_are_what_they_are,
    confidence_is_certain,
    lists_are_complete,
    overview_counts_lists,
    overview_counts_states,
    overview_counts_bytes,
    overview_tells_no_mistake,
    usage_counts_lists,
    destructors_are_of_objects,
    destructors_run_in_turn,
    callbacks_have_threads,
    event_callbacks_are_of_events,
    svm_frees_are_counted,
    svm_frees_have_pointers,
    svm_frees_have_allocations,
    svm_states_have_commands,
    commands_are_of_queues,
    commands_have_events,
    commands_wait_for_events,
    threads_exist,
    threads_are_given_objects,
    waits_are_no_mistakes,
    findings_are_none,
    gone_are_not_there,
    errors_are_the_expected,
    leaks_are_objects,
]


def contradictions(stop: Stop) -> List[str]:
    """All of them at this stop."""
    return [
        "%s: %s" % (relation.__name__, sentence)
        for relation in RELATIONS
        for sentence in relation(stop)
    ]
