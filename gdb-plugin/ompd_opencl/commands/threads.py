# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl threads: what the threads that have entered OpenCL do and wait for."""

from __future__ import annotations

from typing import Tuple

from .. import fields
from ..activities import ThreadRenderer
from ..fields import Row
from ..output import write_notes
from ..plugin import Plugin
from ..session import RowList
from .command import Invocation
from .lists import ListCommand, ListDescription, RowPrinter, make_filter


def _place(row: Row) -> Tuple[bool, int]:
    """Threads of the program first, in the order in which they entered OpenCL."""
    is_runtime = row["is_caller"].is_known and not row.number("is_caller")
    return is_runtime, row.number("order")


THREADS = ListDescription(
    fields.THREAD,
    "threads",
    "List the threads that have entered OpenCL, what they wait for and which callbacks they run.",
    place=_place,
)


class ThreadsCommand(ListCommand):
    """The threads, and below each what it is within."""

    def run(self, invocation: Invocation) -> None:
        row_filter = make_filter(invocation, self._filters)
        renderer = invocation.renderer = ThreadRenderer(invocation.view)
        rows = invocation.session.rows(fields.THREAD, row_filter)
        RowPrinter(invocation, THREADS).print(rows)
        if not invocation.arguments.options:
            _write_others(invocation, renderer, rows)


def _write_others(invocation: Invocation, renderer: ThreadRenderer, rows: RowList) -> None:
    """Name the threads that the recorder has not seen, where all that it has are shown."""
    if rows.unreadable or len(renderer.lwps) != rows.total:
        return
    others = invocation.view.threads.others(renderer.lwps)
    if others:
        is_one = len(others) == 1 and "-" not in others[0]
        noun = "thread" if is_one else "threads"
        note = "Not seen in OpenCL: %s %s." % (noun, ", ".join(others))
        write_notes([note], invocation.style)


def install(plugin: Plugin) -> None:
    """Make the command."""
    ThreadsCommand(plugin, THREADS)
