# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields as text, by their type."""

from __future__ import annotations

from typing import Dict, List, NamedTuple

from . import fields, style
from .fields import Field, Row, Value
from .printable import printable
from .sizes import count_of, describe_bytes
from .symbols import Symbols
from .threads import Threads

_RIGHT = (fields.TYPE_BYTES, fields.TYPE_COUNT, fields.TYPE_NUMBER)
_STYLES = {
    fields.TYPE_HANDLE: style.ADDRESS,
    fields.TYPE_ADDRESS: style.ADDRESS,
    fields.TYPE_FUNCTION: style.FUNCTION,
    fields.TYPE_CALLER: style.FUNCTION,
}

ABSENT = "-"
UNKNOWN = "?"
PRESUMED = "~"


def is_right_justified(field: Field) -> bool:
    """Whether a column of this field is one of numbers."""
    return field.type in _RIGHT


def style_of(field: Field) -> str:
    """The style of a field's values."""
    return _STYLES.get(field.type, "")


class _Reason(NamedTuple):
    title: str
    reason: str


class Renderer:
    """Turns values into text, and keeps account of what it could not show."""

    def __init__(self, symbols: Symbols, threads: Threads) -> None:
        self._symbols = symbols
        self._threads = threads
        self._reasons: Dict[_Reason, int] = {}
        self._presumed: Dict[str, int] = {}

    def cell(self, field: Field, row: Row) -> str:
        """The text of one field of one row in a table."""
        value = row[field.name]
        if value.is_absent:
            return ABSENT
        if not value.is_known:
            reason = _Reason(field.title, self._reason(value))
            self._reasons[reason] = self._reasons.get(reason, 0) + 1
            return UNKNOWN
        text = self.text(field, value)
        if value.status == fields.STATUS_PRESUMED:
            self._presumed[field.title] = self._presumed.get(field.title, 0) + 1
            return text + PRESUMED
        return text

    def below(self, _row: Row) -> List[str]:
        """The lines that a table has below a row."""
        return []

    def _reason(self, value: Value) -> str:
        if value.status == fields.STATUS_CHANGING:
            return "being changed by %s" % self._threads.describe(value.lwp)
        return value.reason

    def text(self, field: Field, value: Value) -> str:
        """The text of a known value."""
        number = value.value
        kind = field.type
        if kind == fields.TYPE_TEXT:
            return printable(value.text)
        if kind == fields.TYPE_ADDRESS:
            return self.address(number)
        if kind == fields.TYPE_FUNCTION:
            return self._symbols.function(number).describe(number) if number else ABSENT
        if kind == fields.TYPE_CALLER:
            return self._symbols.caller(number).describe(number) if number else ABSENT
        if kind == fields.TYPE_LWP:
            return self._threads.describe(number)
        if kind == fields.TYPE_FLAGS:
            return "|".join(field.flag_names(number)) or "none"
        if kind in (fields.TYPE_NAME, fields.TYPE_STATE):
            return field.name_of(number) or "%s %d" % (field.name, number)
        if kind == fields.TYPE_BOOLEAN:
            return "yes" if number else "no"
        if kind == fields.TYPE_HANDLE:
            return hex(number)
        return ("%d %s" % (_signed(number), field.unit)).rstrip()

    def detail(self, field: Field, row: Row) -> str:
        """The text of one field where there is room to say more than in a table."""
        value = row[field.name]
        if not value.is_absent and not value.is_known:
            return "%s (%s)" % (UNKNOWN, self._reason(value))
        text = self.text(field, value)
        if text.startswith(field.title + " "):
            text = text[len(field.title) + 1 :]
        if field.type == fields.TYPE_BYTES:
            text = describe_bytes(value.value)
        if value.status == fields.STATUS_PRESUMED:
            text += " (presumed)"
        return text

    def address(self, number: int) -> str:
        """An address of data, and the variable that it lies in."""
        symbol = self._symbols.data(number) if number else ""
        return "%#x <%s>" % (number, printable(symbol)) if symbol else "%#x" % number

    def stack(self, frames: List[int]) -> List[str]:
        """The lines of a call stack, innermost first."""
        width = len(str(max(len(frames) - 1, 0)))
        lines = []
        for index, frame in enumerate(frames):
            place = self._symbols.caller(frame)
            line = "#%-*d %s" % (width, index, place.describe(frame))
            if place.inlined_into:
                line += ", inlined in " + " in ".join(map(printable, place.inlined_into))
            lines.append(line)
        return lines

    def footnotes(self) -> List[str]:
        """What the marks mean in the cells since the last footnotes."""
        notes = [
            "%s  %s of %s: %s" % (UNKNOWN, key.title, count_of(count, "row"), key.reason)
            for key, count in self._reasons.items()
        ]
        notes.extend(
            "%s  %s of %s: presumed, not proved" % (PRESUMED, title, count_of(count, "row"))
            for title, count in self._presumed.items()
        )
        self._reasons.clear()
        self._presumed.clear()
        return notes


def _signed(number: int) -> int:
    """Signed fields come extended by their sign to 64 bits."""
    return number - (1 << 64) if number >> 63 else number
