# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the threads of an inferior stand.  GDB tells it of the selected thread alone: each is
selected for that, and what was selected before is selected again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Dict, Iterator, List, Optional, Tuple

import gdb

from ompd_opencl.protocols import Frame, StoppedThread

# The registers for integers of each architecture, in the order in which DWARF numbers them.
_REGISTERS: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    (
        "i386:x86-64",
        ("rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp")
        + tuple("r%d" % number for number in range(8, 16)),
    ),
    ("i386", ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")),
    ("aarch64", tuple("x%d" % number for number in range(31)) + ("sp",)),
)
_STACK_POINTERS = ("rsp", "esp", "sp")
# Of them those that functions preserve: what GDB has of others in outer frames is a guess.
_PRESERVED = {
    "rsp": ("rbx", "rbp", "r12", "r13", "r14", "r15"),
    "esp": ("ebx", "ebp", "esi", "edi"),
    "sp": tuple("x%d" % number for number in range(19, 30)),
}
_WORD = (1 << 64) - 1
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

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Stacks."""
        for thread in self._inferior.threads():
            if lwp in (thread.ptid[1] or thread.ptid[0],):
                return _frames_of(thread, capacity)
        return []


@contextmanager
def _selected(thread: gdb.InferiorThread) -> Iterator[None]:
    """Within it THREAD is selected.  Raises gdb.error where its registers cannot be read."""
    before = gdb.selected_thread()
    if thread.is_running():
        # GDB decides whether to stop at a breakpoint, of the thread that is selected.
        if before is None or before.num != thread.num:
            raise gdb.error("The thread is running.")
        yield
        return
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


def _frames_of(thread: gdb.InferiorThread, capacity: int) -> List[Frame]:
    frames: List[Frame] = []
    try:
        with _selected(thread):
            _add_frames(frames, gdb.newest_frame(), capacity)
    except gdb.error:
        pass  # what was unwound so far is known
    return frames


def _add_frames(frames: List[Frame], innermost: gdb.Frame, capacity: int) -> None:
    """Add the calls from INNERMOST on, at most CAPACITY; that what is inlined has no frame of its
    own is for debug information to tell."""
    pointer, numbers = _registers_for(innermost.architecture().name())
    preserved = {name: numbers[name] for name in _PRESERVED.get(pointer, ())}
    frame: Optional[gdb.Frame] = innermost
    is_caller = False
    while frame is not None and len(frames) < capacity:
        here = frame
        registers = _registers_of(here, preserved if frames else numbers)
        frames.append(Frame(here.pc(), 0, is_caller, registers))
        if capacity == 1 or not pointer:
            return
        is_caller = here.type() != gdb.SIGTRAMP_FRAME
        while frame is not None and frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        frame = frame.older() if frame is not None else None
        if frame is not None:
            address = int(frame.read_register(pointer))
            frames[-1] = frames[-1]._replace(address=address)


def _registers_for(architecture: str) -> Tuple[str, Dict[str, int]]:
    """The stack pointer of ARCHITECTURE, and its registers for integers by their numbers."""
    for prefix, names in _REGISTERS:
        if architecture.startswith(prefix):
            numbers = {name: number for number, name in enumerate(names)}
            return next(name for name in names if name in _STACK_POINTERS), numbers
    return "", {}


def _registers_of(frame: gdb.Frame, numbers: Dict[str, int]) -> Dict[int, int]:
    registers = {}
    for name, number in numbers.items():
        try:
            registers[number] = int(frame.read_register(name)) & _WORD
        except (gdb.error, ValueError):
            pass  # a core may not have it
    return registers


def _pthread_of(thread: gdb.InferiorThread) -> int:
    """Its pthread_t; 0: not known.  By the register that points to it, where GDB knows that."""
    try:
        with _selected(thread):
            frame = gdb.newest_frame()
            pointer, _ = _registers_for(frame.architecture().name())
            if pointer in _THREAD_POINTERS:
                return int(frame.read_register(_THREAD_POINTERS[pointer]))
    except (gdb.error, ValueError):
        pass
    return 0
