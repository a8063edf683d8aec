# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops in the bodies of callbacks, where debug information describes the parameters."""

from __future__ import annotations

from typing import Callable, Dict, Optional, Set, Tuple

import gdb

from .hidden_breakpoints import (
    AtAddress,
    Thread,
    quietly,
    remove_disabled,
    selected_thread,
    set_enabled,
)

Decision = Callable[[gdb.Breakpoint], bool]  # whether to stop at a breakpoint


class CallbackBodies:
    """The bodies of callbacks that threads have entered."""

    def __init__(self) -> None:
        self._places: Dict[Tuple[int, int], gdb.Breakpoint] = {}  # by inferior and address
        self._begun: Dict[Thread, Decision] = {}

    def decide(self, address: int, place: gdb.Breakpoint, decision: Decision) -> bool:
        """Take DECISION when the selected thread has come to the body of the callback at ADDRESS.
        The thread is at PLACE, the callback's first instruction.  Returns whether to stop there,
        because the body is unknown."""
        body = _body_of(address) or address
        if body == address:
            return decision(place)
        self._begun[selected_thread()] = decision
        key = (gdb.selected_inferior().num, body)
        if key not in self._places:
            self._places[key] = quietly(lambda: AtAddress(body, self._is_in))
        set_enabled(self._places[key], True)
        return False

    def _is_in(self, _address: int, place: gdb.Breakpoint) -> bool:
        """A thread has come to the body of a callback."""
        decision = self._begun.pop(selected_thread(), None)
        if not self._begun:
            set_enabled(place, False)
        return decision is not None and decision(place)

    def forget(self) -> None:
        """Forget a program that ended or was replaced."""
        self._begun.clear()
        for place in self._places.values():
            set_enabled(place, False)

    def remove(self) -> None:
        """Delete unneeded breakpoints."""
        remove_disabled(self._places)


def _body_of(address: int) -> Optional[int]:
    """The address of the body of the function at ADDRESS; None: unknown."""
    space = gdb.current_progspace()
    symtab = space.find_pc_line(address).symtab
    try:
        block = space.block_for_pc(address)
    except RuntimeError:
        return None
    while block is not None and block.function is None:
        block = block.superblock
    if symtab is None or block is None or block.start != address:
        return None
    places: Set[int] = {line.pc for line in symtab.linetable() if block.start < line.pc < block.end}
    return min(places, default=None)
