# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs inside GDB: stops the program while it releases what it made, where memory is freed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")


class Mark(gdb.Breakpoint):  # type: ignore[misc] # GDB's class has no type
    """Notes that a function was called."""

    is_reached = False

    def stop(self) -> bool:
        self.is_reached = True
        return False


def _is_running() -> bool:
    return bool(gdb.selected_inferior().threads())


def ask_at_frees(ask: Callable[[str, str], None], command: str, singly: int) -> None:
    """From the first release on ask at the first so many SINGLY, then after ever more, until the
    program has ended.  An answer is named by its number, and by whether the last release, that of
    the OpenCL context, has begun."""
    gdb.execute("tbreak clReleaseEvent", to_string=True)
    gdb.execute("run", to_string=True)
    last_release = Mark("clReleaseContext", internal=True)
    frees = gdb.Breakpoint("free", internal=True)
    number = 0
    left_out = 0
    while True:
        frees.ignore_count = left_out
        gdb.execute("continue", to_string=True)
        if not _is_running():
            return
        ask("%d %s" % (number, "last" if last_release.is_reached else "held"), command)
        number += 1
        if number > singly:
            left_out += 1 + left_out // 2
