# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the threads of an inferior stand.  GDB tells it of the selected thread alone: each is
selected for that, and what was selected before is selected again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Dict, Iterator, List, Optional

import gdb

from ompd_opencl.protocols import Frame, StoppedThread

# The stack pointer of each architecture, and its number in DWARF.
_STACK_POINTERS = (("i386:x86-64", "rsp", 7), ("i386", "esp", 4), ("aarch64", "sp", 31))
# Of x86, what glibc has as pthread_self: where the thread's own data begins.
_THREAD_POINTERS = {"rsp": "fs_base", "sp": "tpidr"}


class Stacks:
    """Those of one stop."""

    def __init__(self, inferior: gdb.Inferior) -> None:
        self._inferior = inferior
        self._threads: Optional[List[gdb.InferiorThread]] = None

    def forget(self) -> None:
        """The target ran: threads may have come and gone."""
        self._threads = None

    def thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Stacks."""
        if self._threads is None:
            self._threads = sorted(self._inferior.threads(), key=lambda thread: thread.ptid[1])
        if index >= len(self._threads):
            return None
        thread = self._threads[index]
        return StoppedThread(thread.ptid[1] or thread.ptid[0], _pthread_of(thread))

    def innermost_frame(self, lwp: int) -> Optional[Frame]:
        """See protocols.Stacks."""
        for thread in self._inferior.threads():
            if lwp in (thread.ptid[1] or thread.ptid[0],):
                return _frame_of(thread)
        return None


@contextmanager
def _selected(thread: gdb.InferiorThread) -> Iterator[None]:
    """Within it THREAD is selected."""
    before = gdb.selected_thread()
    try:
        frame: Optional[gdb.Frame] = gdb.selected_frame()
    except gdb.error:
        frame = None
    try:
        thread.switch()
        # Of a core GDB may warn of registers that it does not know, when it first reads those of a
        # thread: nobody has asked for these.
        gdb.execute("output $pc", to_string=True)
        yield
    finally:
        if before is not None and before.is_valid():
            before.switch()
        if frame is not None and frame.is_valid():
            frame.select()


def _frame_of(thread: gdb.InferiorThread) -> Optional[Frame]:
    try:
        with _selected(thread):
            frame = gdb.newest_frame()
            return Frame(frame.pc(), _registers_of(frame))
    except gdb.error:
        return None


def _registers_of(frame: gdb.Frame) -> Dict[int, int]:
    """The stack pointer."""
    architecture = frame.architecture().name()
    for prefix, name, number in _STACK_POINTERS:
        if architecture.startswith(prefix):
            return {number: int(frame.read_register(name))}
    return {}


def _pthread_of(thread: gdb.InferiorThread) -> int:
    """Its pthread_t; 0: not known.  By the register that points to it, where GDB knows that."""
    try:
        with _selected(thread):
            frame = gdb.newest_frame()
            for prefix, name, _ in _STACK_POINTERS:
                if frame.architecture().name().startswith(prefix) and name in _THREAD_POINTERS:
                    return int(frame.read_register(_THREAD_POINTERS[name]))
    except (gdb.error, ValueError):
        pass
    return 0
