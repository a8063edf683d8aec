# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inside GDB: brings the demo's program to its place for a debugger, or opens its core."""

import os

import gdb

STOP = "stop_here"


def quiet() -> None:
    """Settings under which GDB says no more than it is asked."""
    for setting in ("confirm off", "pagination off", "print thread-events off", "width 0"):
        gdb.execute(f"set {setting}")


def run_to_stop(place: str = STOP, arguments: str = "") -> None:
    """Run the program up to the place it has for a debugger."""
    stop = gdb.Breakpoint(place, internal=True)
    stop.silent = True
    gdb.execute(f"run {arguments}", to_string=True)
    if gdb.selected_thread() is None or gdb.selected_frame().name() != place:
        raise gdb.GdbError(f"the program did not come to {place}")


def write_core() -> None:
    """Keep the program as it is now."""
    gdb.execute(f"generate-core-file {os.environ['DEMO_CORE']}", to_string=True)


def open_core() -> None:
    """Open the core that write_core() wrote."""
    gdb.execute(f"core-file {os.environ['DEMO_CORE']}", to_string=True)
