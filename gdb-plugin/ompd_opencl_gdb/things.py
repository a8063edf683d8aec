# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of catchpoint events, from any source."""

from __future__ import annotations

from typing import Optional, Tuple

import gdb

from ompd_opencl.errors import OpenCLError
from ompd_opencl.printable import printable
from ompd_opencl.rows import Row

from .catch_options import Thing
from .values import Values

_NOUNS = {
    "memobj": "memory object",
    "queue": "command queue",
    "context": "OpenCL context",
    "svm": "SVM allocation",
}
_SVM = "svm_allocation"


def kind_name(kind: Optional[str]) -> str:
    """The name that catchpoints use for a kind of api_functions."""
    return "svm" if kind == _SVM else kind or ""


def thing_of(values: Values, kind: Optional[str], handle: int, size: Optional[int] = None) -> Thing:
    """The object of a handle.  KIND is one of program_values.KINDS, or None; SIZE is its size if
    known from the call."""
    unknown = Thing("", "", (handle,), size)
    if not handle:
        return unknown
    try:
        row = None
        if not values.reads_slowly():
            row = values.find(kind, handle) if kind is not None else values.find_any(handle)
        if row is not None:
            return _of_row(row, handle, size)
    except (OpenCLError, gdb.error):
        pass  # no source knows it
    if kind is None:
        return unknown
    name = kind_name(kind)
    words = "%s %#x" % (_NOUNS.get(name, name), handle)
    return unknown._replace(kind=name, words=words + (", %d B" % size if size else ""))


def _of_row(row: Row, handle: int, size: Optional[int]) -> Thing:
    name = repr(row)[1:].split()[0]
    has_kind = name == "memobj" and row["kind"] is not None
    known: Optional[int] = row["size"] if "size" in row.keys() else None
    words = printable(row.describe())
    return Thing(
        name,
        row["kind"] if has_kind else "",
        (handle,),
        size if known is None else known,
        words,
    )


def briefly(thing: Thing) -> str:
    """A short description: "buffer 0x5555556027d0, 4096 B"."""
    noun = thing.memobj_kind or _NOUNS.get(thing.kind, thing.kind)
    size = ", %d B" % thing.size if thing.size is not None else ""
    return "%s %#x%s" % (noun, thing.handles[0], size)


def pointers_of(values: Values, queue: int, pointers: Tuple[int, ...]) -> Thing:
    """The pointers of an SVM free in a command queue."""
    things = [thing_of(values, _SVM, pointer) for pointer in pointers]
    sizes = [thing.size for thing in things]
    known = [size for size in sizes if size is not None]
    return Thing(
        "svm",
        "",
        (*pointers, queue),
        max(known) if len(known) == len(sizes) and known else None,
        "%s, in the queue %#x" % ("; ".join(thing.words for thing in things) or "nothing", queue),
    )
