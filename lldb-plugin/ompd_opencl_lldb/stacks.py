# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The call stacks of a process's threads."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional

import lldb

from ompd_opencl.expressions import ALL_BITS
from ompd_opencl.machines import Machine, machine_of
from ompd_opencl.protocols import Frame, StoppedThread

# A signal handler returns to these. The caller's frame was interrupted, and called nothing.
_TRAMPOLINES = ("__restore_rt", "__restore", "__kernel_rt_sigreturn", "__kernel_sigreturn")


class Stacks:
    """The call stacks at one stop: see protocols.Stacks."""

    def __init__(self, process: lldb.SBProcess) -> None:
        self._process = process
        self._machine = machine_of(process.GetTarget().GetTriple() or "")
        self._threads: Optional[List[lldb.SBThread]] = None

    def forget(self) -> None:
        """Forget the threads, because the target ran."""
        self._threads = None

    def thread(self, index: int) -> Optional[StoppedThread]:
        """See protocols.Stacks."""
        if self._threads is None:
            self._threads = sorted(
                self._process.threads, key=lambda thread: int(thread.GetThreadID())
            )
        if index >= len(self._threads):
            return None
        thread = self._threads[index]
        return StoppedThread(thread.GetThreadID(), self._pthread_of(thread))

    def _pthread_of(self, thread: lldb.SBThread) -> int:
        """The thread's pthread_t; 0: unknown."""
        if self._machine is None or not self._machine.thread_pointer:
            return 0
        register = self._machine.thread_pointer
        return register_of(thread.GetFrameAtIndex(0), register) or 0

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """See protocols.Stacks."""
        thread = self._process.GetThreadByID(lwp)
        frames: List[Frame] = []
        is_caller = False
        for frame in _frames_of(thread) if thread.IsValid() else ():
            if len(frames) == capacity:
                break
            address = int(frame.GetCFA())
            frames.append(
                Frame(
                    int(frame.GetPC()),
                    0 if address == lldb.LLDB_INVALID_ADDRESS else address,
                    is_caller,
                    _registers_of(frame, self._machine, bool(frames)),
                )
            )
            is_caller = frame.GetSymbol().GetName() not in _TRAMPOLINES
        return frames


def _frames_of(thread: lldb.SBThread) -> Iterator[lldb.SBFrame]:
    """The frames of THREAD, without inlined ones."""
    index = 0
    while True:
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return
        if not frame.IsInlined():
            yield frame
        index += 1


def _registers_of(
    frame: lldb.SBFrame, machine: Optional[Machine], is_outer: bool
) -> Dict[int, int]:
    """The integer registers, by DWARF number."""
    if machine is None:
        return {}
    values = {}
    for number, name in enumerate(machine.integers):
        if is_outer and name not in machine.preserved:
            continue
        value = register_of(frame, name)
        if value is not None:
            values[number] = value
    return values


def register_of(frame: lldb.SBFrame, name: str) -> Optional[int]:
    """The value of a register; None: unknown to LLDB, for example missing from a core."""
    error = lldb.SBError()
    register = frame.FindRegister(name)
    if not register.IsValid():
        return None
    value = register.GetValueAsUnsigned(error)
    return int(value) & ALL_BITS if error.Success() else None
