# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public reports of what goes wrong with OpenCL, and the program that does what each tells of; of
those that have none, why."""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import late_calls
from situation_cases import ALL, Situation, summary

COUNT = 28  # that were looked at
LEAST = 20  # that are to have a program of their own


class Thread(NamedTuple):
    """Reports of one mistake."""

    where: str  # the first of them
    what: str
    case: str = ""  # of situation_cases.py, or of late_calls.py
    reason: str = ""  # that there is none


THREADS: Tuple[Thread, ...] = (
    Thread(
        "KhronosGroup/OpenCL-Docs#1067",
        "an event is set by a callback whose queue is not flushed",
        "callback-unflushed",
    ),
    Thread(
        "KhronosGroup/OpenCL-CTS#1661",
        "what waits for a user event stalls the commands behind it",
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
    Thread("pocl/pocl#506", "a lock is held while a callback calls OpenCL", "locked-callback"),
    Thread("intel/llvm#18424", "it hangs at times, and nobody can say where", "worker-ended"),
    Thread("pocl/pocl#1990", "is the device slow, or does it hang?", "slow-device"),
    Thread("jrprice/Oclgrind#93", "events of two queues wait for each other", "across-queues"),
    Thread("pocl/pocl PR#2216", "an event is ended by two threads", "set-twice"),
    Thread("pocl/pocl#1431", "an event is released in its own callback", "own-event"),
    Thread("pocl/pocl#1869", "a user event is released before it is set", "set-after-release"),
    Thread(
        "KhronosGroup/OpenCL-Docs#187",
        "a callback's data is freed before it runs",
        "user-data-freed",
    ),
    Thread("KhronosGroup/OpenCL-Docs#1443", "host memory is freed below a buffer", "host-freed"),
    Thread(
        "intel/compute-runtime#409",
        "two buffers have one host memory",
        reason="it is legal as long as no commands use both at the same time, which is not known",
    ),
    Thread("NUCAR-DEV/Hetero-Mark#43", "SVM is freed while it is mapped", "svm-freed-mapped"),
    Thread("apache/tvm#2737", "two owners free a buffer that a command uses", "two-owners"),
    Thread("hughperkins/distro-cl#14", "some of many events leak", "events"),
    Thread("pocl/pocl#1108", "contexts remain, as programs hold them", "order"),
    Thread("fangq/mmc#127", "memory grows with each job", "growth"),
    Thread("ExtremeFLOW/neko#2227", "a back end releases nothing", "backend"),
    Thread("opencv/opencv#20518", "a library releases what it does not own", "taken-context"),
    Thread(
        "viennacl/viennacl-dev#154",
        "static destructors release when the runtime is gone",
        "static-destructor",
    ),
    Thread(
        "intel/compute-runtime#927",
        "the process hangs at its exit, where a thread is waited for",
        "worker-at-exit",
    ),
    Thread(
        "JuliaGPU/OpenCL.jl#279",
        "a queue is collected before what is used with it",
        "collected-at-exit",
    ),
    Thread(
        "KhronosGroup/OpenCL-ICD-Loader#274",
        "the loader unloads runtimes at exit",
        reason="it is of Windows alone; a loader that unloads them is none that is installed here",
    ),
    Thread(
        "inducer/pyopencl#156", "the process is forked when OpenCL is in use", case="after-fork"
    ),
    Thread("quibble#14", "a leak checker reports the driver's own memory", "sampler"),
    Thread(
        "KhronosGroup/OpenCL-SDK#154",
        "is there a debugger?",
        reason="a question: README.md answers it",
    ),
)


def situation_of(thread: Thread) -> Situation:
    """The case of THREAD, which has one."""
    for situation in ALL:
        if situation.case == thread.case:
            return situation
    for late in late_calls.LATE:
        if late.case == thread.case:
            return Situation(thread.what, "waiting", late.case, "check")
    raise AssertionError("no case: %s" % thread.case)


def guide_rows() -> List[str]:
    """The rows of the table of the users' guide."""
    rows = []
    for thread in THREADS:
        start = "| %s | %s | " % (thread.where, thread.what)
        if thread.reason:
            rows.append(start + "- | %s |" % thread.reason)
        else:
            situation = situation_of(thread)
            rows.append(start + "`%s` | %s |" % (situation.verb, summary(situation)))
    return rows
