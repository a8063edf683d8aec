# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The call stacks of an inferior's threads.  GDB unwinds only the selected thread, so each thread
is selected in turn, and the previous selection is restored."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Dict, Iterator, List, Optional

import gdb

from ompd_opencl.machines import machine_of
from ompd_opencl.protocols import Frame, StoppedThread

from .linux_process import process_id

_WORD = (1 << 64) - 1


class Stacks:
    """The call stacks at one stop."""

    def __init__(self, inferior: gdb.Inferior, connection: str) -> None:
        self._inferior = inferior
        self._is_native = connection == "native"
        # For a core without a process ID, GDB reports 1; a remote target may invent one.
        is_of_process = connection == "core" and inferior.pid > 1
        if self._is_native:  # GDB may be attached to one thread, which is not the main one
            is_of_process = process_id(inferior) == inferior.pid
        self._numbers_are_linux = is_of_process
        self._threads: Optional[List[gdb.InferiorThread]] = None

    def forget(self) -> None:
        """Forget the threads, because the target ran."""
        self._threads = None

    def thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Stacks."""
        if self._threads is None:
            self._threads = sorted(self._inferior.threads(), key=lambda thread: thread.ptid[1])
        if index >= len(self._threads):
            return None
        thread = self._threads[index]
        lwp = thread.ptid[1] or thread.ptid[0]
        main_lwp = thread.ptid[0] if self._numbers_are_linux else 0
        return StoppedThread(lwp, _pthread_of(thread), self._own_lwp(lwp), main_lwp)

    def _own_lwp(self, lwp: int) -> int:
        """The thread's id in the PID namespace of its process, if it is a different one; else 0.
        It is read from /proc, for local processes."""
        if not self._is_native:
            return 0
        try:
            with open("/proc/%d/status" % lwp, encoding="utf-8", errors="replace") as status:
                match = re.search(r"^NSpid:\s*\d+(?:\s+\d+)*\s+(\d+)$", status.read(), re.MULTILINE)
        except OSError:
            return 0
        return int(match.group(1)) if match else 0

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Stacks."""
        for thread in self._inferior.threads():
            if lwp in (thread.ptid[1] or thread.ptid[0],):
                return _frames_of(thread, capacity)
        return []


@contextmanager
def _selected(thread: gdb.InferiorThread) -> Iterator[None]:
    """A context in which THREAD is selected.  Raises gdb.error if its registers cannot be read."""
    before = gdb.selected_thread()
    if thread.is_running():
        # GDB evaluates a breakpoint's stop condition in the selected thread.
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
        # On the first read of a core thread's registers, GDB may warn of unknown ones. Hide that
        # warning, which the user did not ask for.
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
        pass  # return the frames unwound so far
    return frames


def _add_frames(frames: List[Frame], innermost: gdb.Frame, capacity: int) -> None:
    """Add the frames from INNERMOST outwards, at most CAPACITY.  Inlined frames come from debug
    information, and are left out."""
    machine = machine_of(innermost.architecture().name())
    names = machine.integers if machine is not None else ()
    numbers = {name: number for number, name in enumerate(names)}
    preserved = {name: numbers[name] for name in (machine.preserved if machine is not None else ())}
    frame: Optional[gdb.Frame] = innermost
    is_caller = False
    while frame is not None and len(frames) < capacity:
        here = frame
        registers = _registers_of(here, preserved if frames else numbers)
        frames.append(Frame(here.pc(), 0, is_caller, registers))
        if capacity == 1 or machine is None:
            return
        is_caller = here.type() != gdb.SIGTRAMP_FRAME
        while frame is not None and frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        frame = frame.older() if frame is not None else None
        if frame is not None:
            address = int(frame.read_register(machine.stack_pointer))
            frames[-1] = frames[-1]._replace(address=address)


def _registers_of(frame: gdb.Frame, numbers: Dict[str, int]) -> Dict[int, int]:
    registers = {}
    for name, number in numbers.items():
        try:
            registers[number] = int(frame.read_register(name)) & _WORD
        except (gdb.error, ValueError):
            pass  # a core may lack it
    return registers


def _pthread_of(thread: gdb.InferiorThread) -> int:
    """The pthread_t of a thread, from the thread pointer register; 0: unknown."""
    try:
        with _selected(thread):
            frame = gdb.newest_frame()
            machine = machine_of(frame.architecture().name())
            if machine is not None and machine.thread_pointer:
                return int(frame.read_register(machine.thread_pointer))
    except (gdb.error, ValueError):
        pass
    return 0
