# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB beside LLVM's plugin: count its requests to GDB for a command.

Each of its callbacks is a function of its module ompd_callbacks, looked up at each call.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from in_gdb import ask

# Modules that exist in GDB alone, the second since LLVM's plugin has been loaded.
gdb: Any = import_module("gdb")
_callbacks: Any = import_module("ompd_callbacks")
_real_lookup = _callbacks._sym_addr
_real_read = _callbacks._read


class _Cost:
    """What has been asked since the last question began."""

    lookups = 0
    reads = 0
    read_bytes = 0


def _lookup(*arguments: Any) -> Any:
    _Cost.lookups += 1
    return _real_lookup(*arguments)


def _read(*arguments: Any) -> Any:
    _Cost.reads += 1
    _Cost.read_bytes += arguments[1]
    return _real_read(*arguments)


_callbacks._sym_addr = _lookup
_callbacks._read = _read


def ask_llvm(name: str, command: str) -> None:
    """Ask as ask() does, and print what it cost."""
    _Cost.lookups = _Cost.reads = _Cost.read_bytes = 0
    start = time.perf_counter()
    ask(name, command)
    seconds = time.perf_counter() - start
    print(
        "cost: %s: %d lookups, %d reads, %d bytes, %.3f s"
        % (name, _Cost.lookups, _Cost.reads, _Cost.read_bytes, seconds)
    )


def select_lwp(lwp: int) -> None:
    """Make the thread with this LWP GDB's current one."""
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == lwp:
            thread.switch()
            return
    raise gdb.GdbError("no thread with LWP %d" % lwp)
