# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl memory: what the program holds by kind, and what the library itself holds."""

from __future__ import annotations

from typing import Any, Dict, List

import gdb

from .. import fields
from .. import structures as c
from ..errors import LibraryError
from ..fields import Field, Row
from ..json_rows import SCHEMA, JsonArray, JsonWriter
from ..output import RowTable, write, write_fields, write_notes
from ..plugin import Plugin
from ..render import Renderer
from .command import JSON_OPTION, Invocation, OpenCLCommand, field_help, kind_of
from .lists import add_parts

_SUMMARY = "Show what the program holds by kind of object, and what the opencl commands hold."


class _UsageRenderer(Renderer):
    """Shows counts that are bounds as such."""

    def cell(self, field: Field, row: Row) -> str:
        """See Renderer.cell."""
        value = row[field.name]
        if field.type == fields.TYPE_NAME and value.is_known:
            return row.name_of(field.name).replace("-", " ").replace("svm", "SVM")
        if value.status == fields.STATUS_PRESUMED:
            return "at most " + self.text(field, value)
        return super().cell(field, row)


class MemoryCommand(OpenCLCommand):
    """The program's objects counted, and the account of the library."""

    def __init__(self, plugin: Plugin) -> None:
        lines = [_SUMMARY, "Usage: opencl memory [-json]", "", "Options:"]
        lines.append("  %s  %s" % (JSON_OPTION.usage, JSON_OPTION.help))
        for number, title in (
            (fields.USAGE, "Columns, of the program:"),
            (fields.MEMORY, "Fields, of the opencl commands:"),
        ):
            kind = kind_of(plugin, number)
            if kind is not None:
                shown = [field for field in kind.fields if field.name != "source"]
                lines.extend(["", title, field_help(shown)])
        lines.extend(["", "`set opencl memory-limit` sets how much the opencl commands may hold."])
        super().__init__(plugin, "opencl memory", "\n".join(lines), [JSON_OPTION], False)

    def run(self, invocation: Invocation) -> None:
        if invocation.arguments.has("json"):
            _write_json(invocation)
        else:
            _write_usage(invocation)
            _write_library(invocation)


def _write_usage(invocation: Invocation) -> None:
    """What the program holds."""
    renderer = _UsageRenderer(invocation.view.symbols, invocation.view.threads)
    notes: List[str] = []
    rows: List[Row] = []
    try:
        with invocation.session.rows(fields.USAGE) as usage:
            rows = [row for row in usage if _ever_was(row)]
        if usage.unreadable:
            notes.append(usage.describe_unreadable())
    except LibraryError as error:
        if error.code != c.RC_UNAVAILABLE:
            raise
        notes.append(str(error))
    if not rows and not notes:
        write("The program has made no OpenCL object yet.")
        return
    write("The program holds:")
    kind = invocation.session.kinds[fields.USAGE]
    table = RowTable(kind, renderer, invocation.style, indent="  ", is_numbered=False)
    table.write(enumerate(rows))
    write_notes(notes + renderer.footnotes(), invocation.style, "  ")


def _ever_was(row: Row) -> bool:
    """Whether there is, or may have been, an object of the kind."""
    return any(row.number(name) or not row[name].is_known for name in ("live", "peak"))


def _write_library(invocation: Invocation) -> None:
    """What the library holds of GDB's memory."""
    write("The opencl commands hold, of GDB's own memory and for this process alone:")
    row = invocation.session.memory()
    write_fields(row, invocation.renderer)
    if row["limit"].is_absent:
        note = "There is no limit: `set opencl memory-limit 64M` sets one."
        write_notes([note], invocation.style, "  ")


def _write_json(invocation: Invocation) -> None:
    writer = JsonWriter(invocation.view.symbols, invocation.session.stack)
    result: Dict[str, Any] = {"schema": SCHEMA}
    try:
        add_parts(result, "usage", invocation.session.rows(fields.USAGE), writer.part)
    except LibraryError as error:
        if error.code != c.RC_UNAVAILABLE:
            raise
        result["usage"] = None
        result["unknown"] = {"usage": str(error)}
    result["library"] = writer.part(invocation.session.memory())
    output = JsonArray(gdb.write)
    output.add(result)
    output.end()


def install(plugin: Plugin) -> None:
    """Make the command."""
    MemoryCommand(plugin)
