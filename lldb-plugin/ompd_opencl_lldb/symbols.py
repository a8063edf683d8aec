# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of addresses: functions with file and line, modules, variables."""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Tuple

import lldb

from ompd_opencl.host_library import HostTarget
from ompd_opencl.open_target import HostNames
from ompd_opencl.protocols import CodePlace


class Symbols:
    """Names of addresses at one stop, cached: see protocols.Symbols.  They come from the host
    library if it reads, as in the command; LLDB names the rest."""

    def __init__(self, process: lldb.SBProcess, host: Callable[[], Optional[HostTarget]]) -> None:
        self._target = process.GetTarget()
        self._host = host
        self._places: Dict[Tuple[int, bool], Optional[CodePlace]] = {}
        self._data: Dict[int, str] = {}

    def forget(self) -> None:
        """Forget the names, because modules may have changed."""
        self._places.clear()
        self._data.clear()

    def function(self, address: int) -> Optional[CodePlace]:
        """See protocols.Symbols."""
        return self._place(address, False)

    def caller(self, address: int) -> Optional[CodePlace]:
        """See protocols.Symbols."""
        return self._place(address, True)

    def data(self, address: int) -> str:
        """See protocols.Symbols."""
        name = self._data.get(address)
        if name is None:
            host = self._host()
            name = HostNames(host).data(address) if host is not None else ""
            self._data[address] = name = name or self._named_by_lldb(address)
        return name

    def _place(self, address: int, is_caller: bool) -> Optional[CodePlace]:
        key = (address, is_caller)
        if key not in self._places:
            host = self._host()
            place = host.place(address, is_caller) if host is not None else None
            if place is None or place.symbol is None:
                other = self._look_up(address, is_caller)
                place = other if place is None or other.symbol is not None else place
            self._places[key] = place
        return self._places[key]

    def _context(self, address: int) -> lldb.SBSymbolContext:
        return self._target.ResolveSymbolContextForAddress(
            self._target.ResolveLoadAddress(address), lldb.eSymbolContextEverything
        )

    def _look_up(self, address: int, is_caller: bool) -> CodePlace:
        # The preceding byte belongs to the call, even if the call ends the function.
        pc = max(address - 1, 0) if is_caller else address
        context = self._context(pc)
        module, offset = self._module(context.GetModule(), address)
        function, line = context.GetFunction(), context.GetLineEntry()
        inlined: List[str] = []
        calls: List[Tuple[Optional[str], int]] = []
        if function.IsValid():
            symbol, behind = function.GetDisplayName(), 0
            if is_caller:
                inlined, calls = _inlined(context.GetBlock())
            else:
                # A function's first instruction may belong to another function inlined into it.
                line = function.GetStartAddress().GetLineEntry()
        else:
            symbol, behind = self._symbol(context.GetSymbol(), pc)
            behind += address - pc if symbol is not None else 0
        names = [*inlined, symbol] if symbol is not None else []
        return CodePlace(
            names[0] if names else None,
            behind,
            line.GetFileSpec().fullpath if line.IsValid() and line.GetLine() else None,
            line.GetLine() if line.IsValid() else 0,
            module,
            offset,
            tuple(names[1:]),
            tuple(calls),
        )

    def _symbol(self, symbol: lldb.SBSymbol, address: int) -> Tuple[Optional[str], int]:
        """The symbol at ADDRESS, and the offset; None: none."""
        if not symbol.IsValid():
            return None, 0
        start = symbol.GetStartAddress().GetLoadAddress(self._target)
        end = symbol.GetEndAddress().GetLoadAddress(self._target)
        if not start <= address < max(int(end), int(start) + 1):
            return None, 0
        return symbol.GetDisplayName(), address - int(start)

    def _named_by_lldb(self, address: int) -> str:
        name, offset = self._symbol(self._context(address).GetSymbol(), address)
        if name is None:
            return ""
        return name if offset == 0 else "%s+%d" % (name, offset)

    def _module(self, module: lldb.SBModule, address: int) -> Tuple[Optional[str], Optional[int]]:
        """The path of MODULE, and the offset of ADDRESS from its first page."""
        if not module.IsValid():
            return None, None
        start = module.GetObjectFileHeaderAddress().GetLoadAddress(self._target)
        offset = None if start == lldb.LLDB_INVALID_ADDRESS else address - int(start)
        return module.GetFileSpec().fullpath, offset


def _inlined(block: lldb.SBBlock) -> Tuple[List[str], List[Tuple[Optional[str], int]]]:
    """The inlined functions at BLOCK, innermost first, with their call locations."""
    names = []
    calls: List[Tuple[Optional[str], int]] = []
    block = block.GetContainingInlinedBlock()
    while block.IsValid():
        names.append(block.GetInlinedName())
        calls.append((block.GetInlinedCallSiteFile().fullpath, block.GetInlinedCallSiteLine()))
        block = block.GetParent().GetContainingInlinedBlock()
    return names, calls
