# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Known bugs, whose cores show how well triage groups: the program of each, how it ends, and its
class, for which a person would file one report."""

from __future__ import annotations

import os
import signal
from typing import Dict, List, NamedTuple, Tuple

from harness import SOURCE

HANGS = 0
POCL = ("pocl",)
ALL = ("pocl", "rusticl", "oclgrind", "icd")
THREADED = ("pocl", "rusticl")  # where commands wait


class Bug(NamedTuple):
    """One of them."""

    program: str
    words: Tuple[str, ...]
    signals: Tuple[int, ...]  # that it may die of; HANGS
    truth: str  # its class
    runtimes: Tuple[str, ...] = ALL

    def name(self) -> str:
        """A unique name."""
        return "%s %s" % (self.program, self.words[0])


# The sources of each program.
_RUNTIME = ("truth.c", "runtime.c")
_THREADS = (*_RUNTIME, "thread-truth.c")
SOURCES: Dict[str, Tuple[str, ...]] = {
    "die": (*_RUNTIME, "die.c"),
    "leave": (*_RUNTIME, "leave.c"),
    "mistake": (
        *_THREADS,
        "mistake.c",
        "mistake-unseen.c",
        "mistake-user-data.c",
        "mistake-reported.c",
    ),
    "waiting": (*_THREADS, "waiting.c", "waiting-reported.c"),
}


def sources(program: str) -> List[str]:
    """Where they are."""
    return [os.path.join(SOURCE, "testsuite", "programs", name) for name in SOURCES[program]]


def _deaths() -> List[Bug]:
    """Those that die where the fault is."""
    crash, abort = (signal.SIGSEGV,), (signal.SIGABRT,)
    bugs = [
        Bug("leave", ("segv",), crash, "leave segv"),
        Bug("leave", ("abort",), abort, "leave abort"),
        # One call of a pointer that is no function's.
        Bug("leave", ("call",), crash, "leave call"),
        Bug("leave", ("call-data",), crash, "leave call"),
        Bug("leave", ("no-memory",), abort, "leave no-memory"),
    ]
    for way in ("call", "callback", "thread", "deep", "handled", "raised-again"):
        bugs.append(Bug("die", (way,), crash, "die " + way))
    bugs.append(Bug("die", ("gone",), crash, "die gone", POCL))
    return bugs


# Other ways to the same mistake: the same lines are at fault.
_ONE_TRUTH = {
    "host-freed-small": "host-freed",
    "host-freed-arena": "host-freed",
    "user-data-freed-arena": "user-data-freed",
}

_MISTAKES = (
    "host-freed host-freed-small host-freed-arena host-freed-between host-unmapped host-on-stack "
    "callback-code over-release over-release-event build-error two-owners "
    "taken-context set-twice user-data-freed user-data-freed-arena user-data-on-stack"
).split()
_MISTAKES_IN_THREADS = "callback-waits collected-queue".split()


def _mistakes() -> List[Bug]:
    """Those that a check finds: each ends in a function of its own, behind one that all have, as a
    program's own handler of errors."""
    bugs = []
    for names, runtimes in ((_MISTAKES, ALL), (_MISTAKES_IN_THREADS, THREADED)):
        for name in names:
            words = (name, "wrong", "abort")
            truth = "mistake " + _ONE_TRUTH.get(name, name)
            bugs.append(Bug("mistake", words, (signal.SIGABRT,), truth, runtimes))
    # Its last release is of a destroyed object, which may crash the runtime.
    words = ("over-release-destroyed", "wrong", "abort")
    ends = (signal.SIGABRT, signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS)
    bugs.append(Bug("mistake", words, ends, "mistake over-release-destroyed"))
    return bugs


_WAITS = (
    "user-finish user-events user-read user-set-later event-cycle named-cycle mutex-cycle "
    "released-event in-exit beside-exit static-destructor collected-at-exit"
).split()
_WAITS_IN_POCL = "callback-cycle behind-barrier set-behind-map worker-ended".split()


def _hangs() -> List[Bug]:
    """Bugs that wait for something that never comes."""
    bugs = []
    for names, runtimes in ((_WAITS, THREADED), (_WAITS_IN_POCL, POCL)):
        for name in names:
            words = (name, "wrong", "stay")
            bugs.append(Bug("waiting", words, (HANGS,), "waiting " + name, runtimes))
    return bugs


# Rules of a team with these programs: which functions only report an error, and which one wraps an
# OpenCL call.
RULES = """
skip mistake_halt
skip mistake_stop
skip raise_again
prefix finish
"""

BUGS: Dict[str, Bug] = {bug.name(): bug for bug in (*_deaths(), *_mistakes(), *_hangs())}
