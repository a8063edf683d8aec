# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printing rows for one command: tables and the notes below them, through GDB's pager."""

from __future__ import annotations

from itertools import islice
from typing import Callable, Iterable, List, Optional, Sequence, Tuple

import gdb

from . import fields
from .fields import Kind, Row
from .render import ABSENT, Renderer, is_right_justified, style_of
from .style import NOTE, Style
from .table import Column, Table, empty_columns

# So many rows are held at once at most; their cells set the widths of the columns.
BLOCK = 1000

# What lines below a row are moved in by.
_BELOW = " " * 5

NumberedRow = Tuple[int, Row]


def write(text: str) -> None:
    """Print a line, or several."""
    gdb.write(text + "\n")


class RowTable:
    """Rows of one kind as a table, if so wished with a number in front that commands take for the
    row."""

    def __init__(
        self,
        kind: Kind,
        renderer: Renderer,
        style: Style,
        also: Sequence[str] = (),
        indent: str = "",
        is_numbered: bool = True,
    ) -> None:
        self._renderer = renderer
        self._is_numbered = is_numbered
        self._style = style
        self._indent = indent
        self._fields = [
            field
            for field in kind.fields
            if (field.in_table or field.name in also) and field.type != fields.TYPE_STACK
        ]
        self._kept: List[int] = []
        self._table: Optional[Table] = None
        self.after_row: Optional[Callable[[], None]] = None

    def write(self, rows: Iterable[NumberedRow]) -> None:
        """Print rows; the heading comes before the first."""
        remaining = iter(rows)
        while True:
            lines: List[List[str]] = []
            below: List[List[str]] = []
            for number, row in islice(remaining, BLOCK):
                lines.append(self._cells(number, row))
                below.append(self._renderer.below(row))
            if not lines:
                return
            table = self._table or self._begin(lines)
            kept = [[cells[index] for index in self._kept] for cells in lines]
            table.fit(kept)
            if self._table is None:
                self._table = table
                write(self._indent + table.heading())
            for cells, more in zip(kept, below):
                write(self._indent + table.line(cells))
                for line in more:
                    write(self._indent + _BELOW + line)
                if self.after_row is not None:
                    self.after_row()

    def _begin(self, lines: Sequence[Sequence[str]]) -> Table:
        """Choose the columns: all, or those that have anything where that is known already."""
        empty = empty_columns(lines, ABSENT) if len(lines) < BLOCK else []
        if not self._is_numbered:
            empty.append(0)
        columns = [Column("#", True, "")]
        columns.extend(
            Column(field.title, is_right_justified(field), style_of(field))
            for field in self._fields
        )
        self._kept = [index for index in range(len(columns)) if index not in empty]
        return Table([columns[index] for index in self._kept], self._style)

    def _cells(self, number: int, row: Row) -> List[str]:
        name = self._renderer.number(number, row)
        return [name] + [self._renderer.cell(field, row) for field in self._fields]


def write_fields(row: Row, renderer: Renderer) -> None:
    """Print one object, a line a field, but for those that are not there; those that were not
    observed share one."""
    shown = [
        field
        for field in row.kind.fields
        if not row[field.name].is_absent and field.type != fields.TYPE_STACK
    ]
    unknown = [field for field in shown if row[field.name].status == fields.STATUS_UNKNOWN]
    shown = [field for field in shown if field not in unknown]
    width = max((len(field.title) for field in shown), default=0)
    for field in shown:
        write("  %-*s  %s" % (width, field.title, renderer.detail(field, row)))
    if unknown:
        reason = renderer.reason(row, row[unknown[0].name])
        write("  %s: %s" % (reason, ", ".join(field.title for field in unknown)))


def write_notes(notes: Iterable[str], style: Style, indent: str = "") -> None:
    """Print what the reader of a table must know besides."""
    for note in notes:
        write(indent + style.paint(note, NOTE))
