# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lists: opencl contexts, queues, memobjs, svm, svm-frees, and all destructor callbacks."""

from __future__ import annotations

from itertools import chain
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import gdb

from .. import fields
from ..fields import Kind, Row, Value
from ..handles import find_row
from ..json_rows import SCHEMA, JsonArray, JsonWriter
from ..nouns import NOUNS
from ..options import Option, parse_min_size, parse_names
from ..output import BLOCK, NumberedRow, RowTable, write, write_notes
from ..plugin import Plugin
from ..session import RowFilter, RowList
from ..sizes import count_of
from .command import JSON_OPTION, Invocation, OpenCLCommand, field_help, kind_of


def _order(row: Row) -> int:
    """Objects come in the order in which they were made."""
    return row.number("order")


class ListDescription(NamedTuple):
    """A list command."""

    kind: int
    word: str
    summary: str
    also: Sequence[str] = ()  # columns beside those that every table of the kind has
    place: Callable[[Row], Any] = _order  # what rows are sorted by


LISTS = (
    ListDescription(fields.CONTEXT, "contexts", "List OpenCL contexts."),
    ListDescription(fields.QUEUE, "queues", "List command queues."),
    ListDescription(
        fields.MEMOBJ, "memobjs", "List memory objects: buffers, sub-buffers, images and pipes."
    ),
    ListDescription(fields.SVM, "svm", "List allocations of shared virtual memory (SVM)."),
    ListDescription(fields.SVM_FREE, "svm-frees", "List clEnqueueSVMFree commands."),
)

RUNTIMES = ListDescription(
    fields.RUNTIME,
    "runtimes",
    "List the OpenCL runtimes in the program, and whether a layout tells of their objects.",
    ("table", "found_by"),
)


def filter_options(kind: Optional[Kind]) -> List[Option]:
    """The filters that rows of this kind have fields for."""
    options: List[Option] = []
    if kind is None:
        return options
    if kind.field("context"):
        options.append(Option("context", "EXPR", "only those of this OpenCL context"))
    named = kind.field("kind")
    if named:
        options.append(
            Option("kind", "NAME", "only these kinds: " + _names(named.names), named.names)
        )
    if kind.field("size"):
        options.append(Option("min-size", "SIZE", "only those of at least N[K|M|G] bytes"))
    state = kind.field("state")
    if state:
        options.append(
            Option(
                "state", "NAME", "only those in these states: " + _names(state.names), state.names
            )
        )
    return options


def _names(names: Sequence[Tuple[int, str]]) -> str:
    return ", ".join(name for _value, name in names)


def make_filter(invocation: Invocation, options: Sequence[Option]) -> RowFilter:
    """The conditions that the user set."""
    arguments = invocation.arguments
    bits = {"kind": 0, "state": 0}
    for option in options:
        if option.name in bits and arguments.has(option.name):
            bits[option.name] = parse_names(option, arguments.options[option.name])
    context = arguments.options.get("context")
    min_size = arguments.options.get("min-size")
    return RowFilter(
        _context_handle(invocation, context) if context else 0,
        bits["kind"],
        bits["state"],
        parse_min_size(min_size) if min_size else 0,
    )


def _context_handle(invocation: Invocation, text: str) -> int:
    """The cl handle of the OpenCL context that the user named."""
    last_list = invocation.view.last_list
    return find_row(invocation.session, last_list, text, [fields.CONTEXT]).number("handle")


class RowPrinter:
    """Prints a list of rows, as a table or as JSON."""

    def __init__(self, invocation: Invocation, description: ListDescription) -> None:
        self._invocation = invocation
        self._description = description
        self._kind = invocation.session.kinds[description.kind]
        # How many rows there are, where an object says so, which may not know of any.
        self.counted: Optional[Value] = None

    def print(self, rows: RowList) -> None:
        """Print all rows, or as many as the limit allows."""
        with rows:
            if self._invocation.arguments.has("json"):
                self._print_json(rows)
            else:
                self._print_table(rows)

    def _print_json(self, rows: RowList) -> None:
        writer = JsonWriter(self._invocation.view.symbols, self._invocation.session.stack)
        output = JsonArray(gdb.write)
        first, following = self._begin(rows, BLOCK)
        try:
            for row in chain(first, following, rows):
                output.add(json_of(self._invocation, writer, row))
                self._invocation.count_row()
        except BaseException:
            output.break_off()
            raise
        missing = rows.describe_missing() if rows.unreadable or rows.is_short else ""
        if self.counted is not None and not self.counted.is_known and not rows.total:
            missing = missing or self.counted.reason
        if missing:
            unknown = {"rows": missing}
            output.add({"schema": SCHEMA, "unreadable": rows.unreadable, "unknown": unknown})
        output.end()

    def _print_table(self, rows: RowList) -> None:
        limit = self._invocation.plugin.parameters.limit
        first, following = self._begin(rows, BLOCK if limit is None else limit)
        if first:
            self._invocation.view.last_list.begin(self._description.kind)
        table = RowTable(
            self._kind,
            self._invocation.renderer,
            self._invocation.style,
            self._description.also,
        )
        table.after_row = self._invocation.count_row
        if limit is None:
            table.write(self._numbered(chain(first, following, rows)))
        else:
            table.write(self._numbered(iter(first)))
        notes = self._invocation.renderer.footnotes()
        if limit is not None and following:
            notes.append(cut_note(len(following) + rows.count_rest(), limit))
        if rows.unreadable:
            notes.append(rows.describe_unreadable())
        if not first and not notes and not rows.is_short:
            write(self._nothing(" were found" if rows.gaps else ""))
        notes.extend(rows.gaps)
        write_notes(notes, self._invocation.style)

    def _begin(self, rows: RowList, count: int) -> Tuple[List[Row], List[Row]]:
        """The first COUNT rows, and the one after them.  When there is none they are all, and come
        in their place, which the library doesn't promise."""
        first = rows.take(count)
        following = rows.take(1)
        if not following and self._kind.field("order"):
            first.sort(key=self._description.place)
        return first, following

    def _numbered(self, rows: Iterator[Row]) -> Iterator[NumberedRow]:
        last_list = self._invocation.view.last_list
        for row in rows:
            yield last_list.add(row), row

    def _nothing(self, found: str) -> str:
        plural = NOUNS[self._description.kind].plural
        is_filtered = set(self._invocation.arguments.options) - {"json"}
        return "No %s%s%s." % (plural, " like that" if is_filtered else "", found)


def cut_note(more: int, limit: int) -> str:
    """Says that MORE rows are not shown, and how to see them."""
    return "%s not shown: `set opencl limit %d` or `set opencl limit unlimited` shows all." % (
        count_of(more, "more row is", "more rows are"),
        limit + more,
    )


def json_of(invocation: Invocation, writer: JsonWriter, row: Row) -> Dict[str, Any]:
    """A row with what belongs to it."""
    session = invocation.session
    result = writer.row(row)
    if row.kind.field("destructor_count"):
        if not row["destructor_count"].is_known:
            _add_unknown(result, "destructors", row["destructor_count"])
        elif row.number("destructor_count"):
            callbacks = session.parts(fields.DESTRUCTOR, row)
            add_parts(result, "destructors", callbacks, writer.destructor)
        else:
            result["destructors"] = []
            if row["destructor_count"].is_presumed:
                result["presumed"].append("destructors")
    if row.kind.number == fields.THREAD:
        if row["depth"].is_known and not row.number("depth"):
            result["activities"] = []
        else:
            activities = session.parts(fields.ACTIVITY, row)
            add_parts(result, "activities", activities, writer.part)
            if activities.unreadable:
                lost = count_of(activities.unreadable, "inner one is", "inner ones are")
                result["unknown"]["activities"] = lost + " not known"
    if row.kind.number == fields.SVM_FREE:
        for key, count, kind, write_part in (
            ("pointers", "pointer_count", fields.SVM_POINTER, writer.part),
            ("wait_list", "wait_count", fields.WAIT, writer.event),
        ):
            if row.is_unrecorded(row[count]):
                _add_unknown(result, key, row[count])
            else:
                add_parts(result, key, session.parts(kind, row), write_part)
    return result


def _add_unknown(result: Dict[str, Any], key: str, count: Value) -> None:
    """A list of which is not known how many elements it has."""
    result[key] = None
    result.setdefault("unknown", {})[key] = count.reason


def add_parts(
    result: Dict[str, Any], key: str, parts: RowList, convert: Callable[[Row], Any]
) -> None:
    """A list inside a row; null, or short of some and marked, where some could not be read or none
    is told."""
    with parts:
        values = [convert(part) for part in parts]
    result[key] = values or (None if parts.unreadable or parts.is_unknown else [])
    if parts.unreadable:
        result.setdefault("unknown", {})[key] = parts.describe_unreadable()
    if parts.is_unknown:
        result.setdefault("unknown", {})[key] = fields.NOT_OBSERVED


class ListCommand(OpenCLCommand):
    """A list of all objects of a kind."""

    def __init__(self, plugin: Plugin, description: ListDescription) -> None:
        kind = kind_of(plugin, description.kind)
        self._description = description
        self._filters = filter_options(kind)
        name = "opencl " + description.word
        options = self._filters + [JSON_OPTION]
        super().__init__(plugin, name, list_help(name, description, kind, options), options, False)

    def run(self, invocation: Invocation) -> None:
        row_filter = make_filter(invocation, self._filters)
        rows = invocation.session.rows(self._description.kind, row_filter)
        RowPrinter(invocation, self._description).print(rows)


class RuntimesCommand(ListCommand):
    """The OpenCL runtimes, where neither a layout nor the recorder tells of objects too."""

    needs_objects = False


def list_help(
    name: str, description: ListDescription, kind: Optional[Kind], options: Sequence[Option]
) -> str:
    """What "help" prints for a list."""
    usage = " ".join("[%s]" % option.usage for option in options)
    width = max(len(option.usage) for option in options)
    lines = [description.summary, "Usage: %s %s" % (name, usage), "", "Options:"]
    lines.extend("  %-*s  %s" % (width, option.usage, option.help) for option in options)
    if kind is not None:
        columns = [field for field in kind.fields if field.in_table]
        lines.extend(["", "Columns:", field_help(columns)])
    lines.append("")
    if description.kind != fields.RUNTIME:  # no command shows one of them
        lines.append("Other commands take a number of the # column in place of an expression.")
    lines.append("`set opencl limit` sets how many rows a list shows at most.")
    return "\n".join(lines)


def install(plugin: Plugin) -> None:
    """Make the list commands."""
    for description in LISTS:
        ListCommand(plugin, description)
    RuntimesCommand(plugin, RUNTIMES)
