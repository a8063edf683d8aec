# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registers of machines, by the names that debuggers use."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple


class Machine(NamedTuple):
    """The registers of one kind of machine."""

    integers: Tuple[str, ...]  # in DWARF numbering: 0, 1, ...
    stack_pointer: str
    preserved: Tuple[str, ...]  # across calls: a debugger only guesses a caller's other registers
    thread_pointer: str  # glibc's pthread_self; "": not a register


X86_64 = Machine(
    ("rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp")
    + tuple("r%d" % number for number in range(8, 16)),
    "rsp",
    ("rbx", "rbp", "r12", "r13", "r14", "r15"),
    "fs_base",
)
I386 = Machine(
    ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"),
    "esp",
    ("ebx", "ebp", "esi", "edi"),
    "",
)
AARCH64 = Machine(
    tuple("x%d" % number for number in range(31)) + ("sp",),
    "sp",
    tuple("x%d" % number for number in range(19, 30)),
    "tpidr",
)

# Prefixes of debuggers' names for machines; the first match counts.
_NAMES = (
    ("i386:x86-64", X86_64),
    ("x86_64", X86_64),
    ("i386", I386),
    ("i486", I386),
    ("i586", I386),
    ("i686", I386),
    ("aarch64", AARCH64),
)


def machine_of(name: str) -> Optional[Machine]:
    """The machine that a debugger calls NAME; None: unknown."""
    return next((machine for prefix, machine in _NAMES if name.startswith(prefix)), None)
