# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of a process shown last: its numbers may be used in place of expressions."""

from __future__ import annotations

from array import array
from typing import Optional, Tuple

from . import fields
from .errors import OpenCLError
from .fields import Row

# Which field of a row is the handle that a number stands for.
_HANDLES = {
    fields.CONTEXT: "handle",
    fields.QUEUE: "handle",
    fields.MEMOBJ: "handle",
    fields.DESTRUCTOR: "object",
    fields.SVM: "pointer",
}


class LastList:
    """The ids and handles of the rows of the last list, by their number, counted from 1."""

    def __init__(self) -> None:
        self._kind = 0
        self._ids = array("Q")
        self._handles = array("Q")

    def begin(self, kind: int) -> None:
        """A new list of rows of KIND, which has some, is about to be shown."""
        self._kind = kind
        self._ids = array("Q")
        self._handles = array("Q")

    def add(self, row: Row) -> int:
        """Remember ROW; returns its number."""
        self._ids.append(row.id)
        self._handles.append(row.number(_HANDLES.get(self._kind, "handle")))
        return len(self._ids)

    def get(self, number: int) -> Tuple[int, int, int]:
        """Kind, id and handle of row NUMBER."""
        if not self._ids:
            raise OpenCLError(
                "There is no #%d: no list of this process was shown yet (try `opencl memobjs`)."
                % number
            )
        if not 1 <= number <= len(self._ids):
            raise OpenCLError(
                "There is no #%d: the last list had #1 to #%d." % (number, len(self._ids))
            )
        return self._kind, self._ids[number - 1], self._handles[number - 1]


def parse_number(text: str) -> Optional[int]:
    """The row number that TEXT is, "#3" or a small plain number; None when it is an expression.

    No cl handle lies below 64 KiB, where no process may map memory.
    """
    digits = text[1:] if text.startswith("#") else text
    if not digits.isdigit() or not digits.isascii():
        if text.startswith("#"):
            raise OpenCLError("%s is no row number: write #1, #2 and so on." % text)
        return None
    number = int(digits)
    if text.startswith("#") or number < 0x10000:
        return number
    return None
