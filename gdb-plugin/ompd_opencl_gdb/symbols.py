# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of addresses: functions with file and line, modules, variables."""

from __future__ import annotations

import re
from typing import Callable, Dict, List, Optional, Tuple

import gdb

from ompd_opencl.host_library import HostTarget
from ompd_opencl.protocols import CodePlace

from .memory_map import MemoryMap

# "0x555555558034 <host+4>"
_SYMBOLIC = r"<(.+)>$"
_OFFSET = r"^(.*?)(?:\+(\d+))?$"


class Symbols:
    """Names of addresses at one stop, each looked up once."""

    def __init__(self, memory_map: MemoryMap, host: Callable[[], Optional[HostTarget]]) -> None:
        self._map = memory_map
        self._host = host
        self._functions: Dict[int, CodePlace] = {}
        self._callers: Dict[int, CodePlace] = {}
        self._data: Dict[int, str] = {}

    def forget(self) -> None:
        """Forget the names, because modules may have changed."""
        self._functions.clear()
        self._callers.clear()
        self._data.clear()

    def function(self, address: int) -> CodePlace:
        """The function that begins at ADDRESS, with the line of its definition."""
        place = self._functions.get(address)
        if place is None:
            place = self._functions[address] = self._look_up(address, address)
        return place

    def caller(self, address: int) -> CodePlace:
        """The call before the return address ADDRESS, with the line of the call."""
        place = self._callers.get(address)
        if place is None:
            # The preceding byte belongs to the call, even if the call ends the function.
            place = self._callers[address] = self._look_up(max(address - 1, 0), address)
        return place

    def data(self, address: int) -> str:
        """The variable that ADDRESS lies in: "host", "host+16", or ""."""
        name = self._data.get(address)
        if name is None:
            name = self._data[address] = symbol_at(address)
        return name

    def _look_up(self, pc: int, address: int) -> CodePlace:
        symbol: Optional[str] = None
        offset = 0
        file, line = _find_line(pc)
        functions = _find_functions(pc)
        inlined_into: Tuple[str, ...] = ()
        inlined_at: Tuple[Tuple[Optional[str], int], ...] = ()
        if functions and pc == address:
            # A function's first instruction may belong to another function inlined into it.
            function = functions[-1]
            symbol = function.print_name
            if function.symtab is not None and function.line:
                file, line = function.symtab.filename, function.line
        elif functions:
            symbol = functions[0].print_name
            inlined_into = tuple(function.print_name for function in functions[1:])
            inlined_at = self._lines_of_calls(address, functions[1:])
        else:
            match = re.match(_OFFSET, symbol_at(pc))
            if match and match.group(1):
                symbol = match.group(1)
                offset = int(match.group(2) or 0) + (address - pc)
        module, module_offset = self._module(address, pc)
        return CodePlace(
            symbol, offset, file, line, module, module_offset, inlined_into, inlined_at
        )

    def _lines_of_calls(
        self, address: int, functions: List[gdb.Symbol]
    ) -> Tuple[Tuple[Optional[str], int], ...]:
        """The call locations of inlined FUNCTIONS: GDB gives scripts only the file of each."""
        host = self._host() if functions else None
        place = host.place(address, True) if host is not None else None
        if place is not None and len(place.inlined_at) == len(functions):
            return place.inlined_at
        return tuple(
            (function.symtab.filename if function.symtab is not None else None, 0)
            for function in functions
        )

    def _module(self, address: int, pc: int) -> Tuple[Optional[str], Optional[int]]:
        """The file of the code at PC, and the offset of ADDRESS from its first mapping."""
        mapping = self._map.mapping_at(pc)
        if mapping is not None and mapping.file.startswith("/"):
            return mapping.file, address - self._map.file_start(mapping.file)
        return gdb.current_progspace().solib_name(pc), None


def _find_line(pc: int) -> Tuple[Optional[str], int]:
    place = gdb.current_progspace().find_pc_line(pc)
    if place.symtab is None or not place.line:
        return None, 0
    return place.symtab.filename, place.line


def _find_functions(pc: int) -> List[gdb.Symbol]:
    """The functions at PC: the inlined ones, innermost first, then the function itself."""
    functions: List[gdb.Symbol] = []
    try:
        block = gdb.current_progspace().block_for_pc(pc)
    except RuntimeError:
        return functions
    # The block of a nested function lies in the enclosing function's, whose code is elsewhere.
    while block is not None and block.start <= pc < block.end:
        if block.function is not None:
            functions.append(block.function)
        block = block.superblock
    return functions


def symbol_at(address: int) -> str:
    """GDB's "symbol+offset" for an address, or ""."""
    # Not a `void *`: some languages lack a type with that name.
    pointer = gdb.Value(address).cast(gdb.Value(0).type.pointer())
    match = re.search(_SYMBOLIC, pointer.format_string(symbols=True))
    return match.group(1) if match else ""
