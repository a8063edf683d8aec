# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public reports of mistakes in the use of OpenCL, and the program that reproduces each; or why no
program does."""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import late_calls
from situation_cases import ALL, Situation, summary

COUNT = 28  # reports that were read
LEAST = 20  # reports that must have a program


class Thread(NamedTuple):
    """The reports of one mistake."""

    where: str  # the first report
    what: str
    case: str = ""  # in situation_cases.py or late_calls.py
    reason: str = ""  # why no program reproduces it


THREADS: Tuple[Thread, ...] = (
    Thread(
        "KhronosGroup/OpenCL-Docs#1067",
        "a callback would set an event, but its queue is not flushed",
        "callback-unflushed",
    ),
    Thread(
        "KhronosGroup/OpenCL-CTS#1661",
        "a command that waits for a user event stalls the commands behind it",
        "out-of-order",
    ),
    Thread(
        "CHIP-SPV/chipStar#1090",
        "a barrier waits for an event that a callback would set",
        "behind-barrier",
    ),
    Thread(
        "intel/compute-runtime#658",
        "a call waits for an event that the same thread would set",
        "set-behind-map",
    ),
    Thread(
        "pocl/pocl#506", "a callback calls OpenCL and needs a lock that is held", "locked-callback"
    ),
    Thread("intel/llvm#18424", "a program hangs sometimes, for no visible reason", "worker-ended"),
    Thread("pocl/pocl#1990", "is the device slow, or does it hang?", "slow-device"),
    Thread("jrprice/Oclgrind#93", "events of two queues wait for each other", "across-queues"),
    Thread("pocl/pocl PR#2216", "two threads set the status of one event", "set-twice"),
    Thread("pocl/pocl#1431", "an event is released in its own callback", "own-event"),
    Thread("pocl/pocl#1869", "a user event is released before it is set", "set-after-release"),
    Thread(
        "KhronosGroup/OpenCL-Docs#187",
        "a callback's user data is freed before it runs",
        "user-data-freed",
    ),
    Thread(
        "KhronosGroup/OpenCL-Docs#1443", "host memory is freed while a buffer uses it", "host-freed"
    ),
    Thread(
        "intel/compute-runtime#409",
        "two buffers share host memory",
        reason="this is legal unless commands use both at the same time, which is not known",
    ),
    Thread("NUCAR-DEV/Hetero-Mark#43", "SVM is freed while it is mapped", "svm-freed-mapped"),
    Thread("apache/tvm#2737", "two owners release a buffer that a command uses", "two-owners"),
    Thread("hughperkins/distro-cl#14", "some of many events leak", "events"),
    Thread("pocl/pocl#1108", "contexts remain because programs hold them", "order"),
    Thread("fangq/mmc#127", "memory grows with each job", "growth"),
    Thread("ExtremeFLOW/neko#2227", "a back end never releases its objects", "backend"),
    Thread("opencv/opencv#20518", "a library releases what it does not own", "taken-context"),
    Thread(
        "viennacl/viennacl-dev#154",
        "static destructors call OpenCL after the runtime has ended",
        "static-destructor",
    ),
    Thread(
        "intel/compute-runtime#927",
        "the process hangs at its exit, where it waits for a thread",
        "worker-at-exit",
    ),
    Thread(
        "JuliaGPU/OpenCL.jl#279",
        "a garbage collector releases a queue that is still used",
        "collected-at-exit",
    ),
    Thread(
        "KhronosGroup/OpenCL-ICD-Loader#274",
        "the loader unloads runtimes at exit",
        reason="it concerns Windows only; no loader in the tests unloads runtimes",
    ),
    Thread("inducer/pyopencl#156", "the process forks while OpenCL is in use", case="after-fork"),
    Thread("quibble#14", "a leak checker reports the driver's own memory", "sampler"),
    Thread(
        "KhronosGroup/OpenCL-SDK#154",
        "is there a debugger?",
        reason="a question, which README.md answers",
    ),
)


def situation_of(thread: Thread) -> Situation:
    """Return the situation of a report that has a program."""
    for situation in ALL:
        if situation.case == thread.case:
            return situation
    for late in late_calls.LATE:
        if late.case == thread.case:
            return Situation(thread.what, "waiting", late.case, "check")
    raise AssertionError("no case: %s" % thread.case)


def page_rows() -> List[str]:
    """Return the rows of the second table of doc/mistakes.md."""
    rows = []
    for thread in THREADS:
        start = "| %s | %s | " % (thread.where, thread.what)
        if thread.reason:
            rows.append(start + "- | %s |" % thread.reason)
        else:
            situation = situation_of(thread)
            rows.append(start + "`%s` | %s |" % (situation.verb, summary(situation)))
    return rows
