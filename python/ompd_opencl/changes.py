# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The objects created, destroyed and changed from one stop to the next."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from .errors import OpenCLError
from .printable import printable
from .rows import Row, Rows
from .session import Session

# The compared lists, in the order of the report.
_LISTS: Tuple[Callable[[Session], Rows], ...] = (
    Session.contexts,
    Session.queues,
    Session.memobjs,
    Session.svm,
    Session.svm_frees,
    Session.programs,
    Session.kernels,
    Session.samplers,
    Session.command_buffers,
    Session.semaphores,
    Session.events,
)

# Nobody would read the changes of more objects.
MOST_OBJECTS = 20_000

# The fields whose changes are reported.
_FIELDS = (
    "state",
    "execution",
    "references",
    "destructor_count",
    "children",
    "svm_frees",
    "phase",
    "payload",
)


class _Object(NamedTuple):
    row: Row
    values: Tuple[Any, ...]  # of _FIELDS


class Stop(NamedTuple):
    """The objects of one stop."""

    objects: Dict[Tuple[int, int], _Object]  # by kind and id
    is_complete: bool


def look(session: Session) -> Optional[Stop]:
    """Read the current objects; None: too many.  Raises OpenCLError."""
    objects: Dict[Tuple[int, int], _Object] = {}
    is_complete = True
    for list_of in _LISTS:
        rows = list_of(session)
        for row in rows:
            if len(objects) == MOST_OBJECTS:
                return None
            values = tuple(row[name] if name in row.keys() else None for name in _FIELDS)
            objects[row.kind_of_row(), row.id] = _Object(row, values)
        is_complete = is_complete and rows.is_complete
    return Stop(objects, is_complete)


def changes(before: Stop, now: Stop) -> List[str]:
    """The changes, one line each: "+ " created, "- " destroyed, "~ " changed.  Creation and
    destruction are not reported for incomplete lists."""
    return [*_one_sided("+", now, before), *_one_sided("-", before, now), *_changed(before, now)]


def _one_sided(sign: str, one: Stop, other: Stop) -> Iterator[str]:
    if not other.is_complete:
        return
    for key, found in one.objects.items():
        if key not in other.objects:
            yield "%s %s" % (sign, _words(found.row))


def _changed(before: Stop, now: Stop) -> Iterator[str]:
    for key, found in now.objects.items():
        earlier = before.objects.get(key)
        if earlier is None or earlier.values == found.values:
            continue
        parts = [
            "%s %s, was %s" % (name.replace("_", " "), _value(new), _value(old))
            for name, old, new in zip(_FIELDS, earlier.values, found.values)
            if old != new
        ]
        yield "~ %s: %s" % (_words(found.row, is_brief=True), "; ".join(parts))


def _value(value: Any) -> str:
    return "?" if value is None else printable(str(value))


def _words(row: Row, is_brief: bool = False) -> str:
    """A description of an object."""
    try:
        words = printable(row.describe())
    except OpenCLError:
        return repr(row)[1:-1]
    return words.split(",")[0] if is_brief else words
