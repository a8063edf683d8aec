# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sentences around the tables."""

from __future__ import annotations

import re
from typing import List, Sequence

from . import fields
from .fields import Field, Row, Value
from .nouns import NOUNS
from .render import Renderer, marked
from .sizes import count_of

_USES_HOST_MEMORY = "CL_MEM_USE_HOST_PTR"


def object_header(row: Row, renderer: Renderer) -> str:
    """ "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>"."""
    parts = [_name(row)]
    if row.kind.number == fields.SVM_FREE:
        parts.extend(_svm_free_parts(row))
    for name in ("size", "flags", "properties"):
        field = row.kind.field(name)
        if field is not None and row[name].is_known and not _is_empty(field, row[name]):
            parts.append(marked(row[name], renderer.text(field, row[name])))
    if row["host_pointer"].is_known:
        address = renderer.address(row.number("host_pointer"))
        parts[-1] += " at " + marked(row["host_pointer"], address)
    if row["parent"].is_known:
        parts.append(marked(row["parent"], "part of %#x" % row.number("parent")))
    if row["references"].is_known:
        references = count_of(row.number("references"), "reference")
        parts.append(marked(row["references"], references))
    state = row["state"]
    if state.is_known and state.value != fields.STATE_LIVE:
        parts.append(marked(state, row.name_of("state")))
    if row["confidence"].value == fields.CONFIDENCE_DOUBTFUL:
        parts.append(row.name_of("confidence"))
    return ", ".join(part for part in parts if part)


def _is_empty(field: Field, value: Value) -> bool:
    """Whether there are no flags, of which a sentence need not speak."""
    return field.type == fields.TYPE_FLAGS and value.value == 0


def _name(row: Row) -> str:
    """What the object is, and its handle."""
    noun = NOUNS[row.kind.number].singular
    if row.kind.number == fields.MEMOBJ and row["kind"].is_known:
        noun = row.name_of("kind")
    if not row["handle"].is_known:
        return noun
    return "%s %#x" % (noun, row.number("handle"))


def _svm_free_parts(row: Row) -> List[str]:
    """ "in queue 0x5555556131c0", "2 pointers", "waits for 1 event"."""
    parts = []
    if row["queue"].is_known:
        parts.append("in queue %#x" % row.number("queue"))
    if row["pointer_count"].is_known:
        parts.append(count_of(row.number("pointer_count"), "pointer"))
    if row.number("wait_count"):
        parts.append("waits for " + count_of(row.number("wait_count"), "event"))
    return parts


def destructor_count(count: int, told: Value) -> str:
    """ "2 destructor callbacks, in call order".  TOLD is how many the row of their object says: it
    may not know of any."""
    if count == 0 and not told.is_known:
        return "destructor callbacks " + told.reason
    if count == 0:
        return marked(told, "no destructor callback")
    text = count_of(count, "destructor callback")
    return text if count == 1 else text + ", in call order"


def after_destructors(row: Row, callbacks: Sequence[Row], renderer: Renderer) -> str:
    """What happens to the object once its callbacks have run; "" when there is nothing to say."""
    memory = _memory_given_back(row, renderer)
    if not callbacks:
        return "When it is freed, %s." % memory if memory else ""
    text = "After them" if len(callbacks) > 1 else "After it"
    if row.kind.number == fields.CONTEXT:
        return text + " the OpenCL context is freed."
    text += " the object is freed"
    return text + (" and %s." % memory if memory else ".")


def _memory_given_back(row: Row, renderer: Renderer) -> str:
    """ "4096 B at 0x5555555580c0 may be used again", for one that uses the program's memory: not
    for a part of another object, which goes on using it."""
    size = row.kind.field("size")
    flags = row.kind.field("flags")
    if size is None or flags is None or not row["parent"].is_absent:
        return ""
    uses_host_memory = _USES_HOST_MEMORY in flags.flag_names(row.number("flags"))
    if not (uses_host_memory and row["host_pointer"].is_known and row["size"].is_known):
        return ""
    text = renderer.text(size, row["size"])
    return "%s at %#x may be used again" % (text, row.number("host_pointer"))


def describe_platform(name: str, version: str) -> str:
    """ "Portable Computing Language 3.1+debian (OpenCL 3.0)".

    A platform's version is "OpenCL X.Y" and what the vendor likes to add (OpenCL 3.0 section 4.1).
    """
    match = re.match(r"(OpenCL \d+\.\d+)\s*(.*)", version)
    if match is None:
        return name or "unnamed platform"
    own = re.search(r"(?:^|[\s(])(\d+\.[^\s,()]+)", match.group(2))
    return "%s%s (%s)" % (name, " " + own.group(1) if own else "", match.group(1))
