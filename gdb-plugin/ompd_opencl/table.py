# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of text: aligned columns under headings."""

from __future__ import annotations

from typing import List, NamedTuple, Sequence

from .style import TITLE, Style

_GAP = "  "


class Column(NamedTuple):
    """A column's heading and how its cells are shown."""

    title: str
    is_right_justified: bool
    style: str


class Table:
    """Column widths are set by the first lines; a longer cell later shifts its own line alone."""

    def __init__(self, columns: Sequence[Column], style: Style) -> None:
        self._columns = columns
        self._style = style
        self._widths = [len(column.title) for column in columns]

    def fit(self, lines: Sequence[Sequence[str]]) -> None:
        """Make the columns as wide as LINES need."""
        for cells in lines:
            for index, cell in enumerate(cells):
                self._widths[index] = max(self._widths[index], len(cell))

    def heading(self) -> str:
        """The line of headings."""
        return self._join([column.title for column in self._columns], [TITLE] * len(self._columns))

    def line(self, cells: Sequence[str]) -> str:
        """One line of the table."""
        return self._join(cells, [column.style for column in self._columns])

    def _join(self, cells: Sequence[str], styles: Sequence[str]) -> str:
        parts: List[str] = []
        for column, width, cell, style in zip(self._columns, self._widths, cells, styles):
            padding = " " * (width - len(cell))
            painted = self._style.paint(cell, style)
            parts.append(padding + painted if column.is_right_justified else painted + padding)
        return _GAP.join(parts).rstrip()


def empty_columns(lines: Sequence[Sequence[str]], absent: str) -> List[int]:
    """The columns in which no line has anything."""
    if not lines:
        return []
    return [
        index for index in range(len(lines[0])) if all(cells[index] == absent for cells in lines)
    ]
