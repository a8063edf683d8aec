# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields as text, by their type."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Tuple

from . import fields, style
from .fields import Field, Row, Value
from .nouns import NOUNS
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
DOUBTFUL = "!"

# In which order the marks are explained.
_MARKS = (UNKNOWN, DOUBTFUL, PRESUMED)

NOT_PROVED = "presumed, not proved"
UNRECORDED = "not known without the recorder"


# What speaks against an object, by the names of ompd_cl_doubt_t.
_DOUBTS = {
    "same-number": "another object has the number that no two share",
    "over-counted": "more objects were found than the OpenCL context has references for",
    "twin": "another object owns the same memory",
    "context": "the OpenCL context is doubtful",
    "kind": "may be an object of another kind",
    "place": "does not lie where its runtime puts objects of its kind",
    "references": "has more references than a program takes, and nothing that was found holds it",
    "callback": "no code is where its destructor callback was",
}


def is_right_justified(field: Field) -> bool:
    """Whether a column of this field is one of numbers."""
    return field.type in _RIGHT


def style_of(field: Field) -> str:
    """The style of a field's values."""
    return _STYLES.get(field.type, "")


def marked(value: Value, text: str) -> str:
    """TEXT of a value, which says so where that is not proved."""
    return text + " (presumed)" if value.is_presumed else text


class _Note(NamedTuple):
    """What a mark stands for; `title` is that of a field, or what rows are themselves."""

    mark: str
    title: str
    reason: str
    is_of_rows: bool


class Renderer:
    """Turns values into text, and keeps account of what it could not show."""

    def __init__(self, symbols: Symbols, threads: Threads) -> None:
        self._symbols = symbols
        self._threads = threads
        self._notes: Dict[_Note, int] = {}

    def cell(self, field: Field, row: Row) -> str:
        """The text of one field of one row in a table."""
        value = row[field.name]
        if value.is_absent:
            return ABSENT
        if not value.is_known:
            return self._mark(_Note(UNKNOWN, field.title, self.reason(row, value), False))
        text = value.bound + self.text(field, value)
        if value.is_presumed:
            return text + self._mark(_Note(PRESUMED, field.title, NOT_PROVED, False))
        return text

    def number(self, number: int, row: Row) -> str:
        """The number of a row in a table, with a mark when it is not sure that the object is there.

        The mark comes first, so that numbers stand below each other, and handles stay clean.
        """
        confidence = row["confidence"]
        noun = NOUNS[row.kind.number].singular if row.kind.number in NOUNS else ""
        if confidence.value == fields.CONFIDENCE_DOUBTFUL:
            reason = "doubtful: " + self.doubt(row)
            return "%s%d" % (self._mark(_Note(DOUBTFUL, noun, reason, True)), number)
        if confidence.value == fields.CONFIDENCE_PRESUMED:
            return "%s%d" % (self._mark(_Note(PRESUMED, noun, NOT_PROVED, True)), number)
        return str(number)

    def doubt(self, row: Row) -> str:
        """What speaks against an object."""
        name = row.name_of("doubt")
        return _DOUBTS.get(name, name)

    def _mark(self, note: _Note) -> str:
        self._notes[note] = self._notes.get(note, 0) + 1
        return note.mark

    def below(self, _row: Row) -> List[str]:
        """The lines that a table has below a row."""
        return []

    def reason(self, row: Row, value: Value) -> str:
        """Why a value of a row is not known."""
        if value.status == fields.STATUS_CHANGING:
            return "being changed by %s" % self._threads.describe(value.lwp)
        return UNRECORDED if row.is_unrecorded(value) else value.reason

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
            return "%s (%s)" % (UNKNOWN, self.reason(row, value))
        text = self.doubt(row) if field.name == "doubt" else self.text(field, value)
        if text.startswith(field.title + " "):
            text = text[len(field.title) + 1 :]
        if field.type == fields.TYPE_BYTES:
            text = describe_bytes(value.value)
        return marked(value, value.bound + text)

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
            "%s  %s: %s" % (mark, subject, reason)
            for mark in _MARKS
            for subject, reason in self._subjects(mark)
        ]
        self._notes.clear()
        return notes

    def _subjects(self, mark: str) -> List[Tuple[str, str]]:
        """What MARK is about, fields of as many rows for the same reason in one, and why."""
        found: List[Tuple[str, str]] = []
        titles: Dict[Tuple[str, int], List[str]] = {}
        for note, count in self._notes.items():
            if note.mark != mark:
                continue
            if note.is_of_rows:
                found.append((count_of(count, note.title), note.reason))
            else:
                titles.setdefault((note.reason, count), []).append(note.title)
        for (reason, count), named in titles.items():
            found.append(("%s of %s" % (", ".join(named), count_of(count, "row")), reason))
        return found


def _signed(number: int) -> int:
    """Signed fields come extended by their sign to 64 bits."""
    return number - (1 << 64) if number >> 63 else number
