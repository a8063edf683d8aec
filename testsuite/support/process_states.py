# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The states of a process's threads in /proc."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Dict, List, Set

from harness import TIME_LIMIT


def of_threads(pid: int, name: str) -> Dict[int, str]:
    """The contents of the /proc file NAME of each thread, without threads that end meanwhile."""
    result = {}
    for lwp in os.listdir("/proc/%d/task" % pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open("/proc/%d/task/%s/%s" % (pid, lwp, name), encoding="ascii") as file:
                result[int(lwp)] = file.read()
    return result


def states(pid: int) -> Set[str]:
    """The states of the threads: "S", "T", "t", ..."""
    texts = of_threads(pid, "stat").values()
    return {text.rsplit(")", maxsplit=1)[1].split()[0] for text in texts}


def tracers(pid: int) -> Set[str]:
    """The tracers of the threads; "0" is none."""
    texts = of_threads(pid, "status").values()
    return {text.split("TracerPid:")[1].split()[0] for text in texts}


def come_to(pid: int, state: str) -> None:
    """Wait until every thread is in a state.  A released thread runs for a moment first.  /proc is
    polled, because the kernel notifies only a tracer."""
    limit = time.monotonic() + TIME_LIMIT
    seen = states(pid)
    while seen != {state}:
        assert seen <= {state, "R", "D"}, seen
        assert time.monotonic() < limit, seen
        os.sched_yield()
        seen = states(pid)


def children(pid: int) -> List[int]:
    """The processes that its first thread has made."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return [int(word) for word in file.read().split()]
