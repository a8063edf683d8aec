# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: stop the program where it frees memory while it releases its objects."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")

# A runtime that tears a compiler down frees more, each time at the cost of a stop.
MOST_FREES = 4000

# Until a function is called, and how the answers of that time are named.
PHASES = (("clReleaseContext", "held"), ("exit", "last"))
BESIDE = " beside"


def _break(function: str) -> Any:
    return gdb.Breakpoint("-qualified " + function, internal=True)


def _continue() -> None:
    gdb.execute("continue", to_string=True)


def ask_at_frees(ask: Callable[[str, str], None], command: str, singly: int) -> None:
    """From the first release on, and anew from the last one on, that of the OpenCL context, ask at
    the first frees, so many SINGLY, then after ever more.  An answer is named by its phase and its
    number there, and BESIDE where another thread than the program's frees."""
    gdb.execute("tbreak -qualified clReleaseEvent", to_string=True)
    gdb.execute("run", to_string=True)
    frees = _break("free")
    for function, phase in PHASES:
        end = _break(function)
        frees.enabled = True
        number = freed = left_out = 0
        while freed < MOST_FREES and end.hit_count == 0:
            frees.ignore_count = left_out
            _continue()
            if end.hit_count == 0:
                beside = "" if gdb.selected_thread().num == 1 else BESIDE
                ask("%s %d%s" % (phase, number, beside), command)
            number += 1
            freed += 1 + left_out
            if number > singly:
                left_out += 1 + left_out // 2
        frees.enabled = False
        if end.hit_count == 0:
            _continue()
        end.delete()
    gdb.execute("kill", to_string=True)
