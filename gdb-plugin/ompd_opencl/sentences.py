# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sentences around an object's tables."""

from __future__ import annotations

from typing import List, Sequence

from . import fields
from .fields import Row
from .nouns import NOUNS
from .render import Renderer
from .sizes import count_of

_HELD_BY_HOST_POINTER = "CL_MEM_USE_HOST_PTR"


def object_header(row: Row, renderer: Renderer) -> str:
    """ "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>"."""
    parts = [_name(row)]
    for name in ("size", "flags", "properties"):
        field = row.kind.field(name)
        if field is not None and row[name].is_known:
            parts.append(renderer.text(field, row[name]))
    if row["host_pointer"].is_known:
        parts[-1] += " at " + renderer.address(row.number("host_pointer"))
    if row["parent"].is_known:
        parts.append("part of %#x" % row.number("parent"))
    if row["references"].is_known:
        parts.append(count_of(row.number("references"), "reference"))
    state = row["state"]
    if state.is_known and state.value != fields.STATE_LIVE:
        parts.append(row.name_of("state"))
    return ", ".join(part for part in parts if part)


def _name(row: Row) -> str:
    """What the object is, and its handle."""
    noun = NOUNS[row.kind.number].singular
    if row.kind.number == fields.MEMOBJ and row["kind"].is_known:
        noun = row.name_of("kind")
    if not row["handle"].is_known:
        return noun
    return "%s %#x" % (noun, row.number("handle"))


def destructor_count(count: int) -> str:
    """ "2 destructor callbacks, in call order"."""
    if count == 0:
        return "no destructor callback"
    text = count_of(count, "destructor callback")
    return text if count == 1 else text + ", in call order"


def after_destructors(row: Row, callbacks: Sequence[Row], renderer: Renderer) -> str:
    """What happens to the object once its callbacks have run."""
    subject = "After them" if len(callbacks) > 1 else "After it" if callbacks else "At its end"
    if row.kind.number != fields.MEMOBJ:
        return "%s the OpenCL context is gone." % subject
    text = "%s the object is freed" % subject
    uses_host_memory = _HELD_BY_HOST_POINTER in _flag_names(row)
    if uses_host_memory and row["host_pointer"].is_known and row["size"].is_known:
        field = row.kind.field("size")
        assert field is not None
        size = renderer.text(field, row["size"])
        text += " and %s at %#x may be used again" % (size, row.number("host_pointer"))
    return text + "."


def _flag_names(row: Row) -> List[str]:
    field = row.kind.field("flags")
    return field.flag_names(row.number("flags")) if field is not None else []
