# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that break one rule each, with a correct twin, and the sentence that reports it.

The program `rules` has a function for each case.  Names in braces are expected values that it
prints, and LWP is its thread.
"""

from __future__ import annotations

import re
from typing import List, NamedTuple, Tuple

POCL = ("pocl",)
BOTH = ("pocl", "rusticl")


class RuleCase(NamedTuple):
    """A program that breaks a rule."""

    case: str  # the argument of the program
    rule: str  # its name in JSON
    sentence: str  # that `check` prints, without the period
    runtimes: Tuple[str, ...] = BOTH  # which have what the case needs
    level: str = "Certain"  # or "Presumed", or "Note"
    alone: str = ""  # the sentence without the recorder; empty if there is none
    alone_level: str = "Presumed"
    lasts: bool = True  # it is also reported when its objects are destroyed and the program ends
    aborts: Tuple[str, ...] = ()  # the runtimes that end the program because of it
    is_left: bool = False  # `run` also counts it among what is left, and exits with 1
    is_thorough: bool = False  # only reported with OMPD_OPENCL_CHECK=thorough
    more: Tuple[str, ...] = ()  # further sentences, if it breaks the rule more than once


_RELEASED = (
    "%s {object} was used in %s at %s at rules-handles.c:{line} by LWP, when it had no references "
    "left; the last was released at %s at rules-handles.c:{other_line} by LWP"
)

_REGISTERED = "the callback was registered at %s at rules-callbacks.c:{other_line} by LWP"
_USED = (
    "memory object {object} was used in %s by its own destructor callback; called at %s at "
    "rules-callbacks.c:{line} by LWP, " + _REGISTERED % "destroy_with"
)


def _called(function: str, words: str, how: str = "memory object", where: str = "") -> str:
    """Of a callback FUNCTION that has called WORDS."""
    return (
        "callback {0} at rules-callbacks.c:N of {1} {{object}} called {2}; called at {0} at "
        "rules-callbacks.c:{{line}} by LWP, ".format(function, how, words)
        + _REGISTERED % (where or "destroy_with")
    )


_RELEASED_OWN = (
    "callback release_own at rules-callbacks.c:N of %s {object} called clReleaseMemObject on it; "
    "called at release_own at rules-callbacks.c:{line} by LWP, " + _REGISTERED % "callback_released"
)

CALLBACKS: Tuple[RuleCase, ...] = (
    RuleCase(
        "no-code",
        "callback-without-code",
        "the destructor callback of buffer {object} is {address}, where there is no code; "
        "registered at no_code at rules-callbacks.c:{line} by LWP",
        alone="the destructor callback of buffer {object} is {address}, where there is no code",
        lasts=False,
    ),
    RuleCase(
        "callback-queries",
        "callback-uses-its-object",
        _USED % ("clGetMemObjectInfo", "query"),
    ),
    RuleCase(
        "callback-sets-argument",
        "callback-uses-its-object",
        _USED % ("clSetKernelArg", "set_argument"),
    ),
    RuleCase(
        "callback-released",
        "callback-releases-its-object",
        _RELEASED_OWN % "buffer",
        runtimes=POCL,
        alone="callback release_own at rules-callbacks.c:N~ of buffer {object} called "
        "clReleaseMemObject on it, in LWP",
        aborts=POCL,
    ),
    RuleCase(
        "callback-released",
        "callback-releases-its-object",
        _RELEASED_OWN % "memory object",
        runtimes=("rusticl",),
    ),
    RuleCase(
        "callback-waited",
        "callback-waits",
        _called("finish", "clFinish, which waits for command queue {other}"),
    ),
    RuleCase(
        "callback-read",
        "callback-waits",
        _called("read_other", "clEnqueueReadBuffer, which waits for command queue {other}"),
    ),
    RuleCase(
        "callback-unflushed",
        "callback-unflushed",
        "callback enqueue at rules-callbacks.c:N enqueued a command in command queue {other} and "
        "has returned, and the queue is not flushed; enqueued at enqueue at "
        "rules-callbacks.c:{line} by LWP",
        level="Note",
        lasts=False,
    ),
    RuleCase(
        "callback-built",
        "callback-waits",
        _called("build", "clBuildProgram, which waits for program {other}"),
    ),
    RuleCase(
        "event-callback-waited",
        "callback-waits",
        _called(
            "wait_for_event",
            "clWaitForEvents, which waits for event {other}",
            "event",
            "event_callback_waited",
        ),
    ),
    RuleCase(
        "callback-created-queue",
        "callback-creates",
        _called("create_queue", "clCreateCommandQueue"),
    ),
    RuleCase(
        "callback-created-context",
        "callback-creates",
        _called("create_context", "clCreateContext"),
    ),
    RuleCase(
        "callback-registered-twice",
        "callback-registered-twice",
        "callback count_destroyed at rules-callbacks.c:N was registered twice on memory object "
        "{object} with the same user data, {address}; registered at callback_registered_twice at "
        "rules-callbacks.c:{line} by LWP, before at callback_registered_twice at "
        "rules-callbacks.c:{other_line} by LWP",
        level="Note",
    ),
)


def _released(case: str, what: str, call: str, released: str = "") -> RuleCase:
    """WHAT is used in CALL after its last release in the function RELEASED."""
    function = case.replace("-", "_")
    return RuleCase(
        case, "used-after-release", _RELEASED % (what, call, function, released or function)
    )


HANDLES: Tuple[RuleCase, ...] = (
    _released("flush-released", "command queue", "clFlush"),
    _released("query-released", "buffer", "clGetMemObjectInfo", "hold"),
    _released("retain-released", "buffer", "clRetainMemObject", "hold"),
    _released("register-released", "buffer", "clSetMemObjectDestructorCallback", "hold"),
    _released("divide-released", "buffer", "clCreateSubBuffer", "hold"),
    _released("read-released", "buffer", "clEnqueueReadBuffer", "hold"),
    _released("migrate-released", "buffer", "clEnqueueMigrateMemObjects", "hold"),
    _released("create-from-released", "program", "clCreateKernel"),
    _released("create-in-released", "OpenCL context", "clCreateBuffer"),
    _released("await-released", "event", "clEnqueueMarkerWithWaitList"),
    _released("handle-from-query", "OpenCL context", "clGetContextInfo"),
    RuleCase(
        "other-kind",
        "handle-of-another-kind",
        "clSetMemObjectDestructorCallback was given command queue {object}, which is not of the "
        "kind that the function takes; called at other_kind at rules-handles.c:{line} by LWP, "
        "made at "
        "runtime_queue_create at runtime.c:N by LWP",
        runtimes=POCL,
    ),
    RuleCase(
        "argument-of-other",
        "object-of-other-context",
        "clEnqueueNDRangeKernel was given buffer {object}, which does not belong to the OpenCL "
        "context of kernel {other}; called at argument_of_other at rules-handles.c:{line} by "
        "LWP, made "
        "at argument_of_other at rules-handles.c:{other_line} by LWP",
    ),
    RuleCase(
        "own-event",
        "event-in-own-wait-list",
        "the event argument of clEnqueueMarkerWithWaitList points into its own event wait list; "
        "called at own_event at rules-handles.c:{line} by LWP",
        aborts=POCL,
    ),
)

KERNELS: Tuple[RuleCase, ...] = (
    RuleCase(
        "event-set-twice",
        "user-event-set-twice",
        "user event {object} was set at event_set_twice at rules-kernels.c:{line} by LWP, although "
        "it had already been set at event_set_twice at rules-kernels.c:{other_line} by LWP",
    ),
    RuleCase(
        "callback-unreached",
        "event-callback-never-called",
        "callback unreached at rules-kernels.c:{size} of event {object} will never be called: the "
        "program released the event at callback_unreached at rules-kernels.c:{line} by LWP "
        "without setting its status; registered at callback_unreached at "
        "rules-kernels.c:{other_line} by "
        "LWP",
        level="Note",
    ),
    RuleCase(
        "failed-unseen",
        "failed-event-unseen",
        "event {object} was released at failed_unseen at rules-kernels.c:{line} by LWP before "
        "the program read its status: its command never ran, because the program had set "
        "event {other} to -30; enqueued at write_behind at "
        "rules-kernels.c:{other_line} by LWP",
        level="Note",
    ),
    RuleCase(
        "failed-eventless",
        "failed-event-unseen",
        "a command that has no event never ran, because the program had set event {other} to "
        "-30 at failed_eventless at rules-kernels.c:{line} by LWP; enqueued at "
        "write_behind at rules-kernels.c:{other_line} by LWP",
        level="Note",
    ),
    RuleCase(
        "argument-size",
        "argument-of-wrong-size",
        "argument 1 of kernel {object} was set with 12 B, which is not the size of its type; set "
        "at argument_size at rules-kernels.c:{line} by LWP",
        runtimes=POCL,  # the others refuse it
    ),
    RuleCase(
        "kernel-shared",
        "kernel-shared-by-threads",
        "argument 1 of kernel {object} was set by a thread for its own command, and another thread "
        "replaced it before that command was enqueued; enqueued at enqueue at "
        "rules-kernels.c:{line} by "
        "LWP, replaced at set_value at rules-kernels.c:{other_line} by LWP",
        level="Note",
    ),
)

MEMORY: Tuple[RuleCase, ...] = (
    RuleCase(
        "host-freed",
        "host-memory-freed",
        "buffer {object} uses host memory that was freed, 4096 B (4 KiB) at {address}; made at "
        "host_freed at rules-memory.c:{line} by LWP",
        alone="buffer {object} uses host memory that was freed, 4096 B (4 KiB) at {address}",
        alone_level="Certain",
        lasts=False,
    ),
)

_AT_SVM = "at %s at rules-svm.c:{line} by LWP"
_OTHER_SVM = "at %s at rules-svm.c:{other_line} by LWP"


def _foreign(case: str, call: str) -> RuleCase:
    """A pointer that is no allocation is freed."""
    return RuleCase(
        case,
        "svm-free-of-other-memory",
        f"{call} was given {{address}}, which is not an SVM allocation; called "
        + _AT_SVM % case.replace("-", "_"),
        runtimes=POCL,
    )


def _again(case: str, call: str, before: str) -> RuleCase:
    """An allocation is freed again; BEFORE is the function that freed it first."""
    function = case.replace("-", "_")
    return RuleCase(
        case,
        "svm-freed-again",
        f"SVM pointer {{address}} was freed again in {call}; called {_AT_SVM % function}{before}",
        runtimes=POCL,
    )


def _of_other(case: str, call: str, made: str) -> RuleCase:
    """SVM of another OpenCL context is used."""
    function = case.replace("-", "_")
    return RuleCase(
        case,
        "svm-of-other-context",
        f"{call} was given SVM allocation {{object}}, which belongs to OpenCL context {{other}}; "
        f"called {_AT_SVM % function}, allocated at {made} by LWP",
        runtimes=POCL,
    )


def _in_use(case: str, calls: Tuple[str, ...], function: str, where: str) -> RuleCase:
    """SVM is freed in WHERE while commands that FUNCTION has enqueued by CALLS use it."""
    sentences = [
        f"an unfinished {call} of command queue {{object}} uses SVM allocation {{other}}, which "
        f"was freed; enqueued {_AT_SVM % function}, freed {_OTHER_SVM % where}"
        for call in calls
    ]
    return RuleCase(
        case,
        "svm-freed-in-use",
        sentences[0],
        runtimes=POCL,
        lasts=False,
        more=tuple(sentences[1:]),
    )


def _behind(case: str, user: str, function: str) -> RuleCase:
    """SVM is used behind the command that frees it."""
    return RuleCase(
        case,
        "svm-freed-in-use",
        f"an unfinished {user} uses SVM pointer {{address}}, which an earlier command of its "
        f"queue frees; enqueued {_AT_SVM % function}, the free {_OTHER_SVM % 'free_before'}",
        runtimes=POCL,
        lasts=False,
    )


_TRANSFER = (
    "an unfinished clEnqueueWriteBuffer of buffer {object} uses host memory %s at %s at "
    "rules-memory.c:{line} by LWP"
)

MEMORY += (
    RuleCase(
        "never-unmapped",
        "map-never-unmapped",
        "buffer {object} was released with a mapping at {address} that was never unmapped; "
        "released "
        "at never_unmapped at rules-memory.c:{line} by LWP, mapped at map at "
        "rules-memory.c:{other_line} by LWP",
        level="Note",
        is_left=True,
    ),
    RuleCase(
        "unmapped-twice",
        "unmap-without-mapping",
        "buffer {object} was unmapped at {address}, where it is not mapped; called at "
        "unmapped_twice at rules-memory.c:{line} by LWP, unmapped before at unmapped_twice at "
        "rules-memory.c:{other_line} by LWP",
    ),
    RuleCase(
        "host-too-small",
        "host-memory-too-small",
        "buffer {object} needs {size} B (about 2 KiB) more than the heap block of its host "
        "memory, which ends at {address}; called at host_too_small at rules-memory.c:{line} by LWP",
        alone="buffer {object} needs {size} B (about 2 KiB) more than the heap block of its host "
        "memory, which ends at {address}",
        alone_level="Certain",
        lasts=False,
    ),
    RuleCase(
        "transfer-too-small",
        "host-memory-too-small",
        "an unfinished clEnqueueWriteBuffer of buffer {object} needs {size} B (about 2 KiB) more "
        "than the heap block of its host memory, which ends at {address}; called at "
        "transfer_too_small at rules-memory.c:{line} by LWP",
        lasts=False,
    ),
    RuleCase(
        "transfer-freed",
        "transfer-memory-freed",
        _TRANSFER % ("that was freed, 4096 B (4 KiB) at {address}; enqueued", "transfer_freed"),
        lasts=False,
    ),
    RuleCase(
        "transfer-unmapped",
        "transfer-memory-unmapped",
        _TRANSFER
        % ("that is not mapped, 4096 B (4 KiB) at {address}; enqueued", "transfer_unmapped"),
        level="Presumed",
        lasts=False,
    ),
    RuleCase(
        "transfer-on-stack",
        "transfer-memory-on-dead-stack",
        _TRANSFER
        % (
            "of a function that has returned, 4096 B (4 KiB) at {address} on the stack of LWP; "
            "enqueued",
            "write_from_frame",
        ),
        lasts=False,
    ),
)


def _beside(case: str, freed: str) -> RuleCase:
    """A kernel uses SVM that its execution information names, which the function FREED frees."""
    return RuleCase(
        case,
        "svm-freed-in-use",
        "an unfinished command of kernel {object} uses SVM allocation {other}, which was freed; "
        f"enqueued {_AT_SVM % 'run_beside'}, freed {_OTHER_SVM % freed}",
        runtimes=POCL,
        lasts=False,
    )


SVM: Tuple[RuleCase, ...] = (
    RuleCase(
        "svm-mapped",
        "svm-freed-while-mapped",
        "SVM allocation {object} was freed while it was mapped; freed at svm_mapped at "
        "rules-svm.c:{line} by LWP, mapped at svm_mapped at rules-svm.c:{other_line} by LWP",
        runtimes=POCL,
    ),
    _in_use("svm-copied", ("clEnqueueSVMMemcpy",), "copy_later", "free_in_use"),
    _in_use("svm-filled", ("clEnqueueSVMMemFill",), "fill_later", "free_in_use"),
    _in_use(
        "svm-map-pending", ("clEnqueueSVMMap", "clEnqueueSVMUnmap"), "map_later", "free_in_use"
    ),
    _in_use("svm-migrated", ("clEnqueueSVMMigrateMem",), "migrate_later", "free_in_use"),
    _in_use("svm-copied-again", ("clEnqueueSVMMemcpy",), "svm_copied_again", "svm_copied_again"),
    _behind("svm-copied-behind", "clEnqueueSVMMemcpy of command queue {object}", "copy_later"),
    _behind("svm-run-behind", "command of kernel {object}", "run_later"),
    _beside("svm-run-beside", "free_in_use"),
    _beside("svm-run-replaced", "svm_run_replaced"),
    _foreign("svm-free-heap", "clSVMFree"),
    _foreign("svm-free-heap-later", "clEnqueueSVMFree"),
    _foreign("svm-free-heap-by-function", "clEnqueueSVMFree"),
    RuleCase(
        "svm-free-inner",
        "svm-free-of-other-memory",
        "clSVMFree was given {address}, which is not an SVM allocation; it is 64 B after the start "
        "of SVM allocation {object}; called at svm_free_inner at rules-svm.c:{line} by LWP, "
        "allocated at rules_make_svm at rules.c:N by LWP",
        runtimes=POCL,
    ),
    _of_other("svm-free-in-other", "clSVMFree", "rules_make_svm at rules.c:N"),
    _of_other("svm-free-in-other-later", "clEnqueueSVMFree", "rules_make_svm at rules.c:N"),
    _of_other(
        "svm-argument-of-other",
        "clEnqueueNDRangeKernel",
        "svm_argument_of_other at rules-svm.c:{other_line}",
    ),
    _again("svm-free-again", "clSVMFree", ", freed before " + _OTHER_SVM % "svm_free_again"),
    _again(
        "svm-free-now-again", "clSVMFree", ", freed before " + _OTHER_SVM % "svm_free_now_again"
    ),
    _again(
        "svm-free-later-again",
        "clEnqueueSVMFree",
        ", freed before " + _OTHER_SVM % "svm_free_later_again",
    ),
    _again("svm-free-by-function", "clSVMFree", ", freed before " + _OTHER_SVM % "free_svm"),
    RuleCase(
        "svm-free-listed-twice",
        "svm-freed-twice",
        "SVM pointer {address} is freed twice by enqueued commands; enqueued at "
        "svm_free_listed_twice at rules-svm.c:{line} by LWP",
        runtimes=POCL,
        alone="SVM pointer {address} is freed twice by enqueued commands",
    ),
)

ALL = CALLBACKS + HANDLES + KERNELS + MEMORY + SVM


class Finding(NamedTuple):
    """A finding as `check` and `run` print it."""

    level: str
    sentence: str
    clause: str


# Files of the program that many cases share, whose lines no case knows.
_SHARED_FILES = r"\b(runtime|mistake-scene|rules)\.c:\d+"
# The line of a callback's function.
_FUNCTION = r"\b(callback \w+ at rules-\w+\.c):\d+"
_TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( UTC)?"


def plain(text: str) -> str:
    """TEXT without differences between runs."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    text = re.sub(r" <[^>]*>", "", text)
    text = re.sub(_SHARED_FILES, r"\1.c:N", text)
    text = re.sub(_FUNCTION, r"\1:N", text)
    # Whether it is known which kind of memory object was destroyed depends on how it was used.
    text = re.sub(r"\bmemory object (0x)", r"buffer \1", text)
    return re.sub(_TIME, "TIME", text)


def findings_of(text: str) -> List[Finding]:
    """The findings in the answer TEXT."""
    found = []
    lines = text.splitlines() + [""]
    for line, next_line in zip(lines, lines[1:]):
        match = re.match(r"(?:\d+  (Certain|Presumed)|(Note)): (.*)\.$", plain(line))
        if match is not None:
            clause = next_line.strip() if next_line.startswith("   ") else ""
            found.append(Finding(match.group(1) or match.group(2), match.group(3), clause))
    return found
