# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Linux process of an inferior.  GDB attaches to one thread alone if it is given the ID of a
thread.  There is no other way to attach to a process whose main thread has ended."""

from __future__ import annotations

import os
import re

import gdb

from .readers import connection_of


def process_id(inferior: gdb.Inferior) -> int:
    """The ID of the inferior's process, also if GDB is attached to another of its threads."""
    if connection_of(inferior).kind != "native":
        return inferior.pid
    match = re.search(r"^Tgid:\s*(\d+)$", _read("/proc/%d/status" % inferior.pid), re.MULTILINE)
    return int(match.group(1)) if match else inferior.pid


def untraced_threads(inferior: gdb.Inferior) -> str:
    """What to know about threads that GDB has not attached to because it was given the ID of
    another thread; "": it was not."""
    pid = process_id(inferior)
    if pid == inferior.pid:
        return ""
    try:
        lwps = {int(name) for name in os.listdir("/proc/%d/task" % pid)} - {inferior.pid}
    except OSError:
        return ""
    ended = {lwp for lwp in lwps if _has_ended(pid, lwp)}
    sentence = "GDB is attached to thread %d of process %d alone" % (inferior.pid, pid)
    if pid in ended:
        sentence += ", whose main thread (LWP %d) has ended and cannot be read" % pid
    count = len(lwps - ended)
    if count != 0:
        sentence += (
            ".  %d other %s, so data may be missing or inconsistent; `ompd-opencl --pid %d` stops "
            "all" % (count, "threads run" if count > 1 else "thread runs", pid)
        )
    return sentence + "."


def _has_ended(pid: int, lwp: int) -> bool:
    """Whether a thread has ended.  The main thread is then a zombie until the process ends."""
    state = _read("/proc/%d/task/%d/stat" % (pid, lwp)).rpartition(")")[2].split()
    return not state or state[0] in "ZX"


def _read(path: str) -> str:
    """The text of a file in /proc; "" if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
