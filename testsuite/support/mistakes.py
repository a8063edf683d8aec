# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mistakes that the program `mistake` makes, and the sentence that `check` prints for each."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple

from harness import Row

OF_HOST_MEMORY = (
    "OpenCL 3.0, clCreateBuffer, CL_MEM_USE_HOST_PTR: the memory is in use as long as the object "
    "exists."
)
OF_CALLBACKS = "OpenCL 3.0, clSetMemObjectDestructorCallback: "
OF_EVENTS = "OpenCL 3.0, clSetEventCallback: "
OF_RELEASES = "OpenCL 3.0, clReleaseMemObject and similar: "
OF_BLOCKING = (
    "OpenCL 3.0, clSetMemObjectDestructorCallback and similar: blocking OpenCL calls are "
    "undefined in a callback."
)


class Mistake(NamedTuple):
    """A mistake.  Names in braces are expected values of the program, and LWP is its thread."""

    rule: str
    sentence: str  # known without the recorder, or at all if only the recorder knows
    places: str  # further facts of the recorder
    clause: str
    is_certain: bool = True  # with the recorder
    needs_recorder: bool = False
    needs_svm: bool = False
    is_fatal: bool = False  # of some programs, whose fate depends on the runtime
    by_stacks: str = ""  # presumed without the recorder, e.g. from the stacks of threads


def _of_host(words: str, size: str) -> str:
    return "buffer {object} uses host memory %s, %s at {address}" % (words, size)


_MADE = "; made at buffer_over at mistake.c:N by LWP"
_PAGE = "4096 B (4 KiB)"
_FREED = Mistake("host-memory-freed", _of_host("that was freed", _PAGE), _MADE, OF_HOST_MEMORY)


def _of_freed(size: str) -> Mistake:
    """Of host memory of SIZE."""
    places = _MADE.replace("mistake.c", "mistake-freed.c")
    return _FREED._replace(sentence=_of_host("that was freed", size), places=places)


def _of_release(noun: str, function: str) -> Mistake:
    """Of an object that FUNCTION releases twice."""
    return Mistake(
        "over-release",
        noun + " {object} was released at %s at mistake.c:{line} by LWP, when it had no references "
        "left; the last was released at %s at mistake.c:{other_line} by LWP" % (function, function),
        "",
        OF_RELEASES + "an object is not valid after its last release.",
        needs_recorder=True,
        is_fatal=noun != "buffer",
    )


def _of_user_data(
    function: str, noun: str, words: str, place: str, rule: str = "user-data-freed"
) -> Mistake:
    """Of the callback FUNCTION of an object."""
    return Mistake(
        rule,
        "callback %s at mistake-user-data.c:N of %s {object} will be called with user data %s; "
        "%s at mistake-user-data.c:{line} by LWP" % (function, noun, words, place),
        "",
        OF_CALLBACKS.replace(":", " and similar:") + "user_data is passed to the callback.",
        is_certain=False,
        needs_recorder=True,
    )


def _of_reported(noun: str, words: str, last: str) -> Mistake:
    """Of an object that LAST gave back before WORDS happened to it."""
    return Mistake(
        "used-after-release" if "used" in words else "over-release",
        "%s {object} was %s at mistake-reported.c:{line} by LWP, when it had no references left; "
        "the last was released at %s at mistake-reported.c:{other_line} by LWP"
        % (noun, words, last),
        "",
        OF_RELEASES + "an object is not valid after its last release.",
        needs_recorder=True,
        is_fatal=True,
    )


_UNSEEN = ": it was released where the recorder could not see it"
_UNSEEN_BUFFER = "make_buffer at mistake-unseen.c:N"


def _of_unseen(words: str, maker: str = _UNSEEN_BUFFER, is_certain: bool = False) -> Mistake:
    """Differences between the runtime and the recorder."""
    rule = "callbacks-differ" if "callback" in words else "released-unseen"
    return Mistake(
        "another-object" if "different object" in words else rule,
        "%s; made at %s by LWP" % (words, maker),
        "",
        OF_CALLBACKS + "the callback is called when the object is deleted."
        if rule == "callbacks-differ"
        else OF_RELEASES + "an object is deleted when its references are released.",
        is_certain=is_certain,
        needs_recorder=True,
    )


MISTAKES: Dict[str, Mistake] = {
    "host-freed": _FREED,
    "host-freed-small": _FREED._replace(sentence=_of_host("that was freed", "256 B")),
    "host-freed-fast": _of_freed("64 B"),
    "host-freed-by-thread": _of_freed("256 B"),
    "host-freed-again": _of_freed("200 B"),
    "host-freed-queued": Mistake(
        "host-memory-freed",
        "buffer {object}, which the program has released but a command of kernel {other} will "
        "still use, uses host memory that was freed, %s at {address}; made at buffer_over at "
        "mistake-freed.c:N by LWP, enqueued at host_freed_queued at mistake-freed.c:{other_line} "
        "by LWP" % _PAGE,
        "",
        OF_HOST_MEMORY,
        by_stacks="buffer {object}, which only commands and other objects keep alive, uses host "
        "memory that was freed, %s at {address}" % _PAGE,
    ),
    "host-freed-between": _FREED,
    "host-freed-arena": _FREED,
    "host-unmapped": Mistake(
        "host-memory-unmapped",
        _of_host("that is not mapped", "262144 B (256 KiB)"),
        _MADE,
        OF_HOST_MEMORY,
        is_certain=False,  # a core may lack mapped memory
    ),
    "host-on-stack": Mistake(
        "host-memory-on-dead-stack",
        _of_host("of a function that has returned", _PAGE) + ", on the stack of LWP",
        _MADE,
        OF_HOST_MEMORY,
    ),
    "callback-code": Mistake(
        "callback-without-code",
        "the destructor callback of buffer {object} is {address}, where there is no code",
        "; registered at callback_code at mistake.c:{line} by LWP",
        OF_CALLBACKS + "the callback is called when the object is deleted.",
    ),
    "callback-unloaded": Mistake(
        "callback-without-code",
        "the destructor callback of buffer {object} is {address}, where there is no code",
        "; registered at callback_unloaded at mistake.c:{line} by LWP",
        OF_CALLBACKS + "the callback is called when the object is deleted.",
    ),
    "callback-waits": Mistake(
        "callback-waits",
        "callback wait_in_callback at mistake.c:N of buffer {object} called clFinish, which waits "
        "for command queue {other}",
        "; called at wait_in_callback at mistake.c:N by LWP, the callback was registered at "
        "callback_waits at mistake.c:{line} by LWP",
        OF_BLOCKING,
        by_stacks="callback wait_in_callback at mistake.c:N~ of buffer {object} called clFinish, "
        "which waits for command queue {other}, in LWP",
    ),
    "event-callback-code": Mistake(
        "callback-without-code",
        "the callback of event {object} is {address}, where there is no code; registered at "
        "event_callback_code at mistake.c:{line} by LWP",
        "",
        OF_EVENTS + "the callback is called when the command reaches that status.",
        needs_recorder=True,
    ),
    "event-callback-waits": Mistake(
        "callback-waits",
        "callback wait_in_event_callback at mistake.c:N of event {object} called clFinish, which "
        "waits for command queue {other}",
        "; called at wait_in_callback at mistake.c:N by LWP, the callback was registered at "
        "event_callback_waits at mistake.c:{line} by LWP",
        OF_EVENTS + "blocking OpenCL calls are undefined in a callback.",
        by_stacks="callback wait_in_event_callback at mistake.c:N~ of event {object} called "
        "clFinish, which waits for command queue {other}, in LWP",
    ),
    "user-data-freed": _of_user_data(
        "destroyed", "buffer", "that was freed, {address}", "registered at user_data_freed"
    ),
    "user-data-freed-svm": _of_user_data(
        "free_nothing",
        "command queue",
        "that was freed, {address}",
        "enqueued at user_data_freed_svm",
    )._replace(needs_svm=True),
    "user-data-on-stack": _of_user_data(
        "told_of",
        "event",
        "of a function that has returned, {address} on the stack of LWP",
        "registered at register_local",
        rule="user-data-on-dead-stack",
    ),
    "user-data-freed-arena": _of_user_data(
        "destroyed", "buffer", "that was freed, {address}", "registered at user_data_freed"
    ),
    "user-data-freed-large": _of_user_data(
        "destroyed",
        "buffer",
        "that is not mapped, {address}",
        "registered at register_destructor",
        rule="user-data-unmapped",
    ),
    "user-data-unmapped": _of_user_data(
        "destroyed",
        "buffer",
        "that is not mapped, {address}",
        "registered at register_destructor",
        rule="user-data-unmapped",
    ),
    "user-data-of-ended-thread": _of_user_data(
        "told_of",
        "event",
        "of a thread that has ended, {address} on the stack of LWP",
        "registered at register_in_thread",
        rule="user-data-of-ended-thread",
    ),
    "over-release": _of_release("buffer", "over_release"),
    "over-release-often": _of_release("buffer", "over_release_often")._replace(places=" (3 times)"),
    "over-release-destroyed": _of_release("memory object", "over_release_destroyed"),
    "wrong-handle": Mistake(
        "wrong-handle",
        "LWP is in clReleaseMemObject with {object}, which was never a memory object",
        "",
        "OpenCL 3.0, a handle must be one that OpenCL has returned.",
        needs_recorder=True,
        is_fatal=True,
    ),
    "over-release-event": _of_release("event", "over_release_event"),
    "two-owners": _of_reported("memory object", "released at second_owner", "first_owner"),
    "taken-context": _of_reported("OpenCL context", "released at taken_context", "close_library"),
    "set-after-release": _of_reported(
        "event", "used in clSetUserEventStatus at set_in_thread", "set_after_release"
    ),
    "read-after-release": _of_reported(
        "buffer", "used in clEnqueueReadBuffer at read_after_release", "read_after_release"
    ),
    "collected-queue": _of_reported(
        "command queue", "used in clFlush at collected_queue", "collected_queue"
    ),
    "set-twice": Mistake(
        "user-event-set-twice",
        "user event {object} was set at set_twice at mistake-reported.c:{line} by LWP, although it "
        "had already been set at fail_in_thread at mistake-reported.c:N by LWP to "
        "CL_OUT_OF_RESOURCES",
        "",
        "OpenCL 3.0, clSetUserEventStatus: the status of an event may be set once only.",
        needs_recorder=True,
    ),
    "released-unseen": _of_unseen(
        "buffer {object}, of which the program holds 1 reference, was destroyed" + _UNSEEN
    ),
    "released-unseen-once": _of_unseen(
        "buffer {object}, of which the program holds 2 references, has 1 in the runtime" + _UNSEEN
    ),
    "released-unseen-event": _of_unseen(
        "event {object}, of which the program holds 9 references, has N in the runtime" + _UNSEEN,
        "released_unseen_event at mistake-unseen.c:{line}",
    ),
    "released-unseen-reused": _of_unseen(
        "buffer {object} was destroyed and its handle reused, although the program "
        "had not released it" + _UNSEEN,
        is_certain=True,
    ),
    "another-unseen": _of_unseen(
        "buffer {object}, recorded with 4096 B (4 KiB), is a different object in the runtime, of "
        "8192 B (8 KiB)" + _UNSEEN
    ),
    "callback-unseen": _of_unseen(
        "buffer {object} has 1 destructor callback of the program, and 2 in the runtime"
    ),
    "build-error": Mistake(
        "build-failed",
        "the last build of program {object} failed",
        ": CL_BUILD_PROGRAM_FAILURE; built at build_error at mistake.c:{line} by LWP; the program "
        "was made at build_error at mistake.c:{other_line} by LWP; LWP then called clCreateKernel "
        "with it",
        "OpenCL 3.0, clCreateKernel: the program must have been built.",
    ),
    "svm-freed-twice": Mistake(
        "svm-freed-twice",
        "SVM pointer {address} is freed twice by enqueued commands",
        "; enqueued at svm_freed_twice at mistake.c:{line} by LWP, the other at svm_freed_twice at "
        "mistake.c:{other_line} by LWP",
        "OpenCL 3.0, clEnqueueSVMFree: each pointer must be an SVM allocation.",
        needs_svm=True,
    ),
    "svm-used": Mistake(
        "svm-freed-in-use",
        "buffer {object} uses SVM allocation {other}, which is freed before a command that uses "
        "the object; the command was enqueued at svm_used at mistake.c:{line} by LWP, the free at "
        "svm_used at mistake.c:{other_line} by LWP",
        "",
        "OpenCL 3.0, clSVMFree: nothing may use the allocation afterwards.",
        needs_recorder=True,
        needs_svm=True,
    ),
    "svm-freed-mapped": Mistake(
        "svm-freed-while-mapped",
        "SVM allocation {object} was freed while it was mapped; freed at svm_freed_mapped at "
        "mistake.c:{line} by LWP, mapped at svm_freed_mapped at mistake.c:{other_line} by LWP",
        "",
        "OpenCL 3.0, clSVMFree: nothing may use the allocation afterwards.",
        needs_recorder=True,
        needs_svm=True,
    ),
    "svm-used-by-kernel": Mistake(
        "svm-freed-in-use",
        "an unfinished command of kernel {object} uses SVM allocation {address}, which was "
        "freed; enqueued at svm_used_by_kernel at mistake.c:{other_line} by LWP, freed at "
        "svm_used_by_kernel at mistake.c:{line} by LWP",
        "",
        "OpenCL 3.0, clSVMFree: nothing may use the allocation afterwards.",
        needs_recorder=True,
        needs_svm=True,
    ),
}

# Unproved facts of a layout.
OF_LAYOUT = ("callback-without-code", "svm-freed-twice")

ONLY_RECORDER = (
    "Not checked without the recorder: over-releases, uses after release, events set twice, SVM "
    "allocations in use, callbacks of events and builds, callbacks that release their own object "
    "or get freed user data, and forks; run the program under the recorder."
)
NO_FINDINGS = "No findings."
MAY_BE_HELD = (
    "No findings, but freed memory may still be used by released memory objects that a kernel "
    "retains; run the program under the recorder to check it."
)
NOT_CHECKED = (
    "Not checked: what kernels access (use Oclgrind), races between commands, whether "
    "commands of released events failed (set OMPD_OPENCL_CHECK=thorough)."
)


def _plain(text: str) -> str:
    """TEXT without differences between runs and without parts that other tests check."""
    text = re.sub(r"LWP \d+( \(thread [\d.]+\))?", "LWP", text)
    text = re.sub(r" <[^>]*>", "", text)
    text = re.sub(r"(event 0x[0-9a-f]+, of which .* has) \d+ in", r"\1 N in", text)
    return re.sub(
        r"\b(buffer_over|svm_of|wait_in_callback|wait_in_event_callback|destroyed|told_of|"
        r"free_nothing|make_buffer|fail_in_thread) at (mistake[a-z-]*)\.c:\d+",
        r"\1 at \2.c:N",
        text,
    )


def expected(mistake: Mistake, truth: Row, recorder: bool) -> List[str]:
    """The lines that `check` says."""
    if mistake.by_stacks and not recorder:
        sentence = mistake.by_stacks.format(**truth)
        return ["1  Presumed: %s." % sentence, "   " + mistake.clause, ONLY_RECORDER]
    if mistake.needs_recorder and not recorder:
        return [NO_FINDINGS, NOT_CHECKED, ONLY_RECORDER]
    is_of_layout = not recorder and mistake.rule in OF_LAYOUT
    if mistake.rule == "build-failed" and not recorder:
        # Whether a kernel was made of it is not known.
        note = "Note: %s." % mistake.sentence.format(**truth)
        return [note, NO_FINDINGS, NOT_CHECKED, ONLY_RECORDER]
    is_certain = mistake.is_certain and not is_of_layout
    sentence = mistake.sentence.format(**truth)
    if recorder:
        sentence += mistake.places.format(**truth)
    lines = ["1  %s: %s." % ("Certain" if is_certain else "Presumed", sentence)]
    lines.append("   " + mistake.clause)
    return lines if recorder else lines + [ONLY_RECORDER]


def said(text: str) -> List[str]:
    """The lines of the answer TEXT, as expected() has them."""
    lines = [line for line in text.splitlines() if "never written to" not in line]
    # Its text is the compiler's; in the case of a build it names the undeclared identifier.
    others = re.compile(r"   The compiler: .*'radius'|   (First made|Made) on \d{4}-\d\d-\d\d ")
    return [_plain(line) for line in lines if not others.match(line)]
