# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters and results of functions, by the calling convention of the machine."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

import gdb

_WORD = (1 << 64) - 1


class _Machine(NamedTuple):
    registers: Tuple[str, ...]  # of parameters, in order
    result: str
    word: int  # bytes
    stack: str  # the stack pointer
    pc: str
    link: str = ""  # has the return address; "": the stack has it


_MACHINES = {
    "i386:x86-64": _Machine(("rdi", "rsi", "rdx", "rcx", "r8", "r9"), "rax", 8, "rsp", "rip"),
    "i386": _Machine((), "eax", 4, "esp", "eip"),
    "aarch64": _Machine(tuple("x%d" % number for number in range(8)), "x0", 8, "sp", "pc", "x30"),
}


def _machine_of(frame: gdb.Frame) -> Optional[_Machine]:
    return _MACHINES.get(frame.architecture().name())


def is_known(frame: gdb.Frame) -> bool:
    """Whether the calling convention is known."""
    return _machine_of(frame) is not None


def argument(
    frame: gdb.Frame, parameters: str, index: int, is_first: bool = False
) -> Optional[int]:
    """Parameter number INDEX of the function that FRAME has just entered, as an unsigned number;
    None: unknown.  PARAMETERS are as in api_functions.  IS_FIRST: the first instruction has not yet
    been executed, although debug information may assume that it has."""
    machine = _machine_of(frame)
    if machine is None:
        return None
    bits = {"i": 32, "n": 32, "l": 64}.get(parameters[index], 8 * machine.word)
    try:
        found = None if is_first else _told_by_symbols(frame, index)
        if found is None:
            found = _told_by_rules(frame, machine, parameters, index)
    except (RuntimeError, ValueError):
        return None
    return found & (1 << bits) - 1 if found is not None else None


def _told_by_symbols(frame: gdb.Frame, index: int) -> Optional[int]:
    """The parameter from debug information, because GDB may stop after instructions that move
    it."""
    if frame.function() is None:
        return None
    symbols = [symbol for symbol in frame.block() if symbol.is_argument]
    value = symbols[index].value(frame) if index < len(symbols) else None
    if value is None or value.is_optimized_out:
        return None
    return int(value)


def _told_by_rules(
    frame: gdb.Frame, machine: _Machine, parameters: str, index: int
) -> Optional[int]:
    if index < len(machine.registers):
        return int(frame.read_register(machine.registers[index]))
    caller = frame.older()
    if caller is None:
        return None
    sizes = [max(machine.word, 8 if letter == "l" else 0) for letter in parameters]
    offset = sum(sizes[len(machine.registers) : index])
    return _read(int(caller.read_register("sp")) + offset, sizes[index])


def _read(address: int, size: int) -> int:
    data = gdb.selected_inferior().read_memory(address & _WORD, size)
    return int.from_bytes(bytes(data), "little")


def result(frame: gdb.Frame) -> Optional[int]:
    """The word that a function has just returned to FRAME."""
    machine = _machine_of(frame)
    if machine is None:
        return None
    try:
        return int(frame.read_register(machine.result)) & (1 << 8 * machine.word) - 1
    except (gdb.error, ValueError):
        return None


def signed_word(frame: gdb.Frame, number: int) -> int:
    """The signed number in an unsigned word."""
    machine = _machine_of(frame)
    bits = 8 * machine.word if machine is not None else 64
    return number - (1 << bits) if number >> (bits - 1) else number


class Return(NamedTuple):
    """Where a function returns to."""

    address: int
    stack: int  # the stack pointer after the return


def place_of_return(frame: gdb.Frame) -> Optional[Return]:
    """Where FRAME, at the first instruction of a function, will return to; None: unknown.  This
    needs no unwinder, which may fail for functions without symbols."""
    machine = _machine_of(frame)
    if machine is None:
        return None
    try:
        stack = int(frame.read_register(machine.stack)) & _WORD
        if machine.link:
            return Return(int(frame.read_register(machine.link)) & _WORD, stack)
        return Return(_read(stack, machine.word), stack + machine.word)
    except (RuntimeError, ValueError):
        return None


def leave(frame: gdb.Frame, number: int) -> bool:
    """Have FRAME, at the first instruction of a function, return NUMBER at once.  Returns whether
    the thread is at the return address.  Raises gdb.error if GDB refuses to write registers."""
    machine, place = _machine_of(frame), place_of_return(frame)
    if machine is None or place is None:
        return False
    with gdb.with_parameter("language", "c"):
        for register, value in (
            (machine.result, number),
            (machine.stack, place.stack),
            (machine.pc, place.address),
        ):
            gdb.parse_and_eval("$%s = %d" % (register, value))
    return gdb.newest_frame().pc() == place.address


def status(number: Optional[int]) -> Optional[int]:
    """The cl_int in a word."""
    if number is None:
        return None
    low = number & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def read_status(address: int) -> Optional[int]:
    """The cl_int at ADDRESS."""
    try:
        return status(_read(address, 4))
    except gdb.error:
        return None


def read_words(frame: gdb.Frame, address: int, count: int) -> Tuple[int, ...]:
    """COUNT words at ADDRESS; empty if they cannot be read."""
    machine = _machine_of(frame)
    if machine is None or not count:
        return ()
    try:
        data = bytes(gdb.selected_inferior().read_memory(address, count * machine.word))
    except (gdb.error, OverflowError):
        return ()
    words = range(0, len(data), machine.word)
    return tuple(int.from_bytes(data[at : at + machine.word], "little") for at in words)
