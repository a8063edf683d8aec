# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One object: opencl memobj, context, queue, svm-free and destructors."""

from __future__ import annotations

from typing import List, NamedTuple

import gdb

from .. import fields, sentences
from ..errors import OpenCLError
from ..fields import Row
from ..handles import find_row
from ..json_rows import JsonArray, JsonWriter
from ..nouns import NOUNS
from ..output import RowTable, write, write_fields, write_notes
from ..plugin import Plugin
from ..session import RowList
from .command import JSON_OPTION, Invocation, OpenCLCommand, field_help, kind_of
from .lists import ListDescription, RowPrinter, cut_note, filter_options, json_of, list_help
from .lists import make_filter

_EXPRESSION_HELP = (
    "EXPR is any expression of the handle (a variable, an array element, an address), or the\n"
    "number of a row of the last list: #3 or 3."
)


class ObjectDescription(NamedTuple):
    """A command that shows one object."""

    kind: int
    word: str
    summary: str


OBJECTS = (
    ObjectDescription(fields.MEMOBJ, "memobj", "Show one memory object and its callbacks."),
    ObjectDescription(fields.CONTEXT, "context", "Show one OpenCL context and its callbacks."),
    ObjectDescription(fields.QUEUE, "queue", "Show one command queue."),
    ObjectDescription(
        fields.SVM_FREE,
        "svm-free",
        "Show one clEnqueueSVMFree command, by its event or a pointer that it frees.",
    ),
)

# Beside the columns of every table of callbacks; shown once one of them has begun to run.
_WHO_RUNS = ("running_lwp",)

ALL_DESTRUCTORS = ListDescription(
    fields.DESTRUCTOR,
    "destructors",
    "Show destructor callbacks in call order: of one object, or without EXPR object by object.",
    ("object", *_WHO_RUNS),
)


class ObjectCommand(OpenCLCommand):
    """All that is known of one object."""

    def __init__(self, plugin: Plugin, description: ObjectDescription) -> None:
        self._description = description
        name = "opencl " + description.word
        kind = kind_of(plugin, description.kind)
        lines = [
            description.summary,
            "Usage: %s [-json] EXPR" % name,
            "",
            _EXPRESSION_HELP,
            "",
            "Options:",
            "  %s  %s" % (JSON_OPTION.usage, JSON_OPTION.help),
        ]
        if kind is not None:
            lines.extend(["", "Fields:", field_help(kind.fields)])
        super().__init__(plugin, name, "\n".join(lines), [JSON_OPTION], True)

    def run(self, invocation: Invocation) -> None:
        expression = invocation.arguments.expression
        if not expression:
            one = NOUNS[self._description.kind].one()
            raise OpenCLError("%s needs an expression: %s." % (self._name, one))
        row = find_row(
            invocation.session,
            invocation.view.last_list,
            expression,
            [self._description.kind],
        )
        if invocation.arguments.has("json"):
            _write_json(invocation, row)
        else:
            _write_object(invocation, row)


def _write_json(invocation: Invocation, row: Row) -> None:
    """Print a row as a JSON array."""
    writer = JsonWriter(invocation.view.symbols, invocation.session.stack)
    output = JsonArray(gdb.write)
    output.add(json_of(invocation, writer, row))
    output.end()


def _write_object(invocation: Invocation, row: Row) -> None:
    write(sentences.object_header(row, invocation.renderer) + ".")
    write_fields(row, invocation.renderer)
    _write_stack(invocation, row)
    if row.kind.field("destructor_count"):
        _write_destructors(invocation, row, "")
    if row.kind.number == fields.SVM_FREE:
        if not row.is_unrecorded(row["pointer_count"]):
            _write_part(invocation, row, fields.SVM_POINTER, "It frees, in this order:")
        if not row.is_unrecorded(row["wait_count"]):
            _write_part(invocation, row, fields.WAIT, "It waits for:")


def _write_stack(invocation: Invocation, row: Row) -> None:
    """The call stack of the call that made the object, when it is deeper than the caller."""
    stack = row["stack"]
    if not stack.is_known or not stack.value:
        return
    frames = invocation.session.stack(stack.value)
    if len(frames) > 1:
        write("  call stack")
        for line in invocation.renderer.stack(frames):
            write("    " + line)


def _write_part(invocation: Invocation, row: Row, kind: int, title: str) -> None:
    with invocation.session.parts(kind, row) as parts:
        rows = list(parts)
    if kind == fields.SVM_POINTER and parts.is_unknown:
        write("Which pointers it frees is not known without the recorder.")
    if not rows and not parts.unreadable:
        return
    write(title)
    table = RowTable(
        invocation.session.kinds[kind], invocation.renderer, invocation.style, indent="  "
    )
    table.write(enumerate(rows, 1))
    _write_end_notes(invocation, parts)


def _write_end_notes(invocation: Invocation, parts: RowList, cut: int = 0) -> None:
    notes = invocation.renderer.footnotes()
    if parts.unreadable:
        notes.append(parts.describe_unreadable())
    limit = invocation.plugin.parameters.limit
    if cut and limit is not None:
        notes.append(cut_note(cut, limit))
    write_notes(notes, invocation.style, "  ")


def _write_destructors(invocation: Invocation, row: Row, header: str) -> None:
    """The destructor callbacks of an object, and what comes after them."""
    with invocation.session.parts(fields.DESTRUCTOR, row) as parts:
        callbacks = list(parts)
    count = len(callbacks) + parts.unreadable
    title = sentences.destructor_count(count, row["destructor_count"])
    title = "%s: %s" % (header, title) if header else title[:1].upper() + title[1:]
    write(title + ("" if callbacks else "."))
    table = RowTable(
        invocation.session.kinds[fields.DESTRUCTOR],
        invocation.renderer,
        invocation.style,
        _WHO_RUNS,
        "  ",
    )
    shown = callbacks[: invocation.plugin.parameters.limit]
    table.write(enumerate(shown, 1))
    _write_stacks(invocation, shown)
    _write_end_notes(invocation, parts, len(callbacks) - len(shown))
    after = sentences.after_destructors(row, callbacks, invocation.renderer)
    if after:
        write(after)


def _write_stacks(invocation: Invocation, callbacks: List[Row]) -> None:
    """The call stacks of the registrations that have one deeper than the caller."""
    for number, callback in enumerate(callbacks, 1):
        stack = callback["stack"]
        frames = invocation.session.stack(stack.value) if stack.is_known and stack.value else []
        if len(frames) > 1:
            write("  registration of %d:" % number)
            for line in invocation.renderer.stack(frames):
                write("    " + line)


class DestructorsCommand(OpenCLCommand):
    """The destructor callbacks of one object, or of all."""

    def __init__(self, plugin: Plugin) -> None:
        kind = kind_of(plugin, fields.DESTRUCTOR)
        self._filters = filter_options(kind)
        options = self._filters + [JSON_OPTION]
        name = "opencl destructors"
        help_text = list_help(name, ALL_DESTRUCTORS, kind, options).replace(
            "[-json]\n", "[-json] [EXPR]\n\n%s\n" % _EXPRESSION_HELP, 1
        )
        super().__init__(plugin, name, help_text, options, True)

    def run(self, invocation: Invocation) -> None:
        row_filter = make_filter(invocation, self._filters)
        expression = invocation.arguments.expression
        if not expression:
            rows = invocation.session.rows(fields.DESTRUCTOR, row_filter)
            RowPrinter(invocation, ALL_DESTRUCTORS).print(rows)
            return
        if row_filter.states:
            raise OpenCLError(
                "-state is for the list of all destructor callbacks: omit it or EXPR."
            )
        kinds = [fields.MEMOBJ, fields.CONTEXT]
        row = find_row(invocation.session, invocation.view.last_list, expression, kinds)
        if invocation.arguments.has("json"):
            rows = invocation.session.parts(fields.DESTRUCTOR, row)
            printer = RowPrinter(invocation, ALL_DESTRUCTORS)
            printer.counted = row["destructor_count"]
            printer.print(rows)
            return
        header = sentences.object_header(row, invocation.renderer)
        _write_destructors(invocation, row, header)


def install(plugin: Plugin) -> None:
    """Make the commands."""
    for description in OBJECTS:
        ObjectCommand(plugin, description)
    DestructorsCommand(plugin)
