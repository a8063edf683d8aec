# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public reports of what goes wrong with OpenCL, and the case of situation_cases.py that is like
each; of those that have none, why."""

from __future__ import annotations

from typing import NamedTuple, Tuple


class Thread(NamedTuple):
    """Reports of one mistake."""

    where: str  # the first of them
    what: str
    case: str = ""
    reason: str = ""


THREADS: Tuple[Thread, ...] = (
    Thread(
        "KhronosGroup/OpenCL-Docs#1067", "a queue that is waited for is not flushed", "unflushed"
    ),
    Thread(
        "KhronosGroup/OpenCL-CTS#1661", "a command waits for an unset user event", "user-finish"
    ),
    Thread(
        "CHIP-SPV/chipStar#1090", "a callback that would set an event never runs", "event-cycle"
    ),
    Thread("intel/compute-runtime#658", "the thread that waits would set the event", "user-read"),
    Thread(
        "pocl/pocl#506",
        "a lock of the runtime is held while a callback calls OpenCL",
        reason="owners of mutexes are not followed",
    ),
    Thread("intel/llvm#18424", "it hangs at times, and nobody can say where", "user-events"),
    Thread("pocl/pocl#1990", "is the device slow, or does it hang?", "user-events"),
    Thread("jrprice/Oclgrind#93", "events of two queues wait for each other", "event-cycle"),
    Thread("pocl/pocl PR#2216", "an event that has failed is waited for", "failed"),
    Thread(
        "pocl/pocl#1431",
        "an event is released in its own callback",
        reason="callbacks of events are not recorded",
    ),
    Thread("pocl/pocl#1869", "a user event is released too early", "over-release-event"),
    Thread(
        "KhronosGroup/OpenCL-Docs#187",
        "a callback's data is freed before it runs",
        reason="the recorder does not look at what the data points to",
    ),
    Thread("KhronosGroup/OpenCL-Docs#1443", "host memory is freed below a buffer", "host-freed"),
    Thread("intel/compute-runtime#409", "two buffers have one host memory", "host-shared"),
    Thread("NUCAR-DEV/Hetero-Mark#43", "SVM is freed in flight", "svm-used-by-kernel"),
    Thread("apache/tvm#2737", "two owners free one buffer", "over-release"),
    Thread("hughperkins/distro-cl#14", "events leak", "event"),
    Thread("pocl/pocl#1108", "contexts remain", "event"),
    Thread("fangq/mmc#127", "memory grows with each job", "growth"),
    Thread("ExtremeFLOW/neko#2227", "kernels and programs are never released", "library"),
    Thread(
        "opencv/opencv#20518", "a library releases what it does not own", "over-release-destroyed"
    ),
    Thread(
        "viennacl/viennacl-dev#154",
        "static destructors release when the runtime is gone",
        reason="that a process is in its exit handlers is not told",
    ),
    Thread(
        "intel/compute-runtime#927",
        "the process hangs in the runtime's own destructor",
        reason="that a process is in its exit handlers is not told",
    ),
    Thread("JuliaGPU/OpenCL.jl#279", "a context is collected before what is in it", "growth"),
    Thread(
        "KhronosGroup/OpenCL-ICD-Loader#274",
        "the loader unloads runtimes at exit",
        reason="it is of Windows, and of a loader that is not installed",
    ),
    Thread(
        "inducer/pyopencl#156",
        "the process is forked when OpenCL is in use",
        reason="no finding tells of a fork",
    ),
    Thread("quibble#14", "a leak checker reports the driver's own memory", "library"),
    Thread(
        "KhronosGroup/OpenCL-SDK#154",
        "is there a debugger?",
        reason="a question: README.md answers it",
    ),
)
