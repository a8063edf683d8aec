# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registers of threads in the kernel's layout, as in a note NT_PRSTATUS.

LLDB's server traces the process, so registers are read by name.
"""

from __future__ import annotations

import struct
from typing import Tuple

import lldb

from ompd_opencl.errors import OpenCLError

from .stacks import register_of

# struct user_regs_struct of <sys/user.h>; "-" is a register that LLDB does not report.
_X86_64 = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi - rip cs rflags rsp ss fs_base "
    "gs_base ds es fs gs"
)
_I386 = "ebx ecx edx esi edi ebp eax ds es fs gs - eip cs eflags esp ss"
_AARCH64 = " ".join("x%d" % number for number in range(31)) + " sp pc cpsr"
_LAYOUTS: Tuple[Tuple[str, str, str], ...] = (
    ("x86_64", _X86_64, "Q"),
    ("i", _I386, "I"),
    ("aarch64", _AARCH64, "Q"),
)


def read_registers(thread: lldb.SBThread) -> bytes:
    """The registers of THREAD; raises OpenCLError."""
    triple = thread.GetProcess().GetTarget().GetTriple() or ""
    frame = thread.GetFrameAtIndex(0)
    for prefix, names, form in _LAYOUTS:
        if triple.startswith(prefix):
            # Without a system call to restart, its number is -1; 0 works too, as nothing reads it.
            values = [register_of(frame, name) or 0 for name in names.split()]
            return struct.pack("=%d%s" % (len(values), form), *values)
    raise OpenCLError("The registers of a thread of %s are not known." % (triple or "this machine"))
