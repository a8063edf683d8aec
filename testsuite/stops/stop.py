# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that a session shows of a target at one stop, in lists that can be compared."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple

Row = Dict[str, Any]

# The lists, and what belongs to their rows.
LISTS: Dict[str, Tuple[str, ...]] = {
    "contexts": (),
    "queues": ("commands",),
    "memobjs": ("destructors",),
    "destructors": (),
    "svm": (),
    "svm_frees": ("pointers", "wait_list"),
    "commands": ("wait_list",),
    "events": (),
    "kernels": (),
    "programs": (),
    "samplers": (),
    "threads": ("activities",),
    "usage": (),
    "findings": (),
    "hops": (),
    "destroyed": (),
    "errors": (),
    "callbacks": (),
    "leaks": (),
}

# Those that only the recorder tells of, and those that it tells more of, which a note says.
RECORDED = ("commands", "usage", "destroyed", "errors", "callbacks", "leaks", "wait_list")
PARTLY_RECORDED = ("findings", "hops", "threads")

# Lists of objects, which have a handle, or a pointer, and an order.
OBJECTS = ("contexts", "queues", "memobjs", "svm", "events", "kernels", "programs", "samplers")

# A row that is known in part has fields of these statuses: it was being written at this moment.
MARKS = ("changing", "unreadable", "corrupt", "not_saved")


def handle_of(row: Row) -> int:
    """The cl handle of an object, or the pointer that SVM has instead."""
    return int(row["handle"] if "handle" in row else row["pointer"])


class Stop:
    """The lists of SESSION, on process PID, at this stop, as dictionaries of their fields, except
    for those in WITHOUT.  Unknown values are None.  A row has the names of its marked fields as
    `marked`, and of its presumed fields as `presumed`.  Without the recorder, rows that are
    probably not objects are left out."""

    def __init__(
        self, session: Any, pid: int, recorder: bool, without: Tuple[str, ...] = ()
    ) -> None:
        self.pid = pid
        self.recorder = recorder
        self.overview: Row = _fields(session.overview())
        self.lists: Dict[str, List[Row]] = {}
        self.incomplete: List[str] = []  # what the lists say that they lack
        for name, parts in LISTS.items():
            if name not in without and (recorder or name not in RECORDED):
                self._read(session, name, parts)

    def __getitem__(self, name: str) -> List[Row]:
        return self.lists.get(name, [])

    def objects(self) -> Iterator[Tuple[str, Row]]:
        """Each object, with the name of its list."""
        for name in OBJECTS:
            for row in self[name]:
                yield name, row

    def handles(self, name: str) -> Dict[int, Row]:
        """The objects of a list by their handles."""
        return {handle_of(row): row for row in self[name]}

    def lacks_some(self) -> bool:
        """Whether anything says that part of it is doubtful or missing."""
        return bool(self.incomplete) or any(
            row["marked"] or row.get("doubt") is not None
            for rows in self.lists.values()
            for row in rows
        )

    def is_marked(self) -> bool:
        """The same, or that part of it is presumed."""
        return self.lacks_some() or any(
            row.get("confidence") == "presumed" for rows in self.lists.values() for row in rows
        )

    def _read(self, session: Any, name: str, parts: Tuple[str, ...]) -> None:
        rows = getattr(session, name)()
        found = self.lists[name] = []
        told = [part for part in parts if self.recorder or part not in RECORDED]
        for row in rows:
            fields = _fields(row)
            if not self.recorder and fields.get("confidence") == "doubtful":
                continue
            for part in told:
                others = getattr(row, part)
                fields[part] = [_fields(other) for other in others]
                self._take_what_lacks("%s of %s" % (part, name), others)
            found.append(fields)
        self._take_what_lacks(name, rows)

    def _take_what_lacks(self, name: str, rows: Any) -> None:
        if not self.recorder and name in PARTLY_RECORDED:
            return
        if not rows.is_complete or rows.unreadable or rows.notes:
            self.incomplete.append("%s: %d unreadable, %s" % (name, rows.unreadable, rows.notes))


def _fields(row: Any) -> Row:
    fields: Row = {name: row[name] for name in row.keys()}
    fields["marked"] = [name for name in row.keys() if row.status(name) in MARKS]
    fields["presumed"] = [name for name in row.keys() if row.status(name) == "presumed"]
    return fields
