# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program `embree` in its scenario `building`, stopped at any moment, when its threads make,
build and release objects: what no list may say then."""

from __future__ import annotations

import os
import struct
from collections import Counter
from typing import Any, Dict, Iterator, List, NamedTuple

from embree_comparing import EXPECTED, LISTS, PRESUMED, Lists, key_of, numbers
from harness import Row

# An object comes or goes, or it is there.
CHANGING, THERE = 1, 2

# The tables of the objects that come and go, in the order of the slots.
SLOTS = ("buffers", "buffers", "geometries", "scenes")
OWNERSHIPS = ("owned", "shared", None, None)

Contradictions = Iterator[str]


class Slot(NamedTuple):
    """An object that comes and goes."""

    phase: int
    handle: int
    bytes: int


class Moment(NamedTuple):
    """What the program has in its file `account`."""

    current: int
    is_quiet: bool
    is_in_commit: bool
    slots: List[Slot]


def read_moment(folder: str) -> Moment:
    """The state of a program that is stopped."""
    with open(os.path.join(folder, "account"), "rb") as file:
        words = struct.unpack("<21q", file.read())
    slots = [Slot(*words[first : first + 3]) for first in range(9, 21, 3)]
    return Moment(words[0], bool(words[7]), bool(words[8]), slots)


def is_certain(row: Row, field: str) -> bool:
    """Whether a field is neither unknown nor marked."""
    marks = (*row.get("presumed", []), *row.get("at_least", []), *row.get("unknown", {}))
    return field not in marks


def of_bytes(moment: Moment, row: Row) -> Contradictions:
    """Embree reports memory before it allocates it and after it has freed it, so that objects never
    have more than was reported."""
    if row.get("bytes") is None:
        return
    if row["bytes"] > moment.current:
        yield "%d bytes of %d: %s" % (row["bytes"], moment.current, row)
    if is_certain(row, "bytes") and row["bytes"] != moment.current:
        yield "certain bytes, but they are %d: %s" % (moment.current, row)
    if moment.is_quiet and not is_certain(row, "bytes"):
        yield "nothing runs, but bytes are not certain: %s" % row


def of_build(moment: Moment, pid: int, row: Row) -> Contradictions:
    """The first thread commits the lasting scene, and nothing else does."""
    if row.get("build") == "building" and is_certain(row, "build"):
        if not moment.is_in_commit:
            yield "it is not being built: %s" % row
        if row.get("builder_lwp") not in (None, pid):
            yield "another thread than %d builds it: %s" % (pid, row)


def of_lasting(truth: Dict[str, Any], moment: Moment, pid: int, shown: Lists) -> Contradictions:
    """What the program never releases is listed, with all that never changes."""
    changing = {*PRESUMED, "build", "quality", "bytes", "runtime_references", "buffers"}
    changing |= {"geometries", "scenes", "shared_bytes", "is_committed", "scene", "number"}
    changing |= {"vertex_buffer", "index_buffer"}
    for table in LISTS:
        found = {key_of(table, row): row for row in shown[table]}
        for expected in truth[table]:
            row = found.get(key_of(table, expected))
            if row is None:
                yield "%s: not listed: %s" % (table, expected)
                continue
            for key, value in EXPECTED[table](expected).items():
                is_size = table == "buffers" and key == "bytes"
                if (key not in changing or is_size) and is_certain(row, key):
                    if row.get(key) != value:
                        yield "%s: %s is %r: %s" % (table, key, value, row)
    for row in shown["devices"]:
        yield from of_bytes(moment, row)
    lasting = {row["handle"] for row in truth["scenes"]}
    for row in shown["scenes"]:
        if row["handle"] in lasting:
            yield from of_build(moment, pid, row)


def of_passing(truth: Dict[str, Any], moment: Moment, shown: Lists) -> Contradictions:
    """What comes and goes is listed while it is there, and no more than that afterwards."""
    changing = Counter(table for table, slot in zip(SLOTS, moment.slots) if slot.phase == CHANGING)
    there = {
        (table, slot.handle): (slot, ownership)
        for table, slot, ownership in zip(SLOTS, moment.slots, OWNERSHIPS)
        if slot.phase == THERE
    }
    for table in LISTS:
        lasting = {key_of(table, row) for row in truth[table]}
        rows = {row["handle"]: row for row in shown[table] if key_of(table, row) not in lasting}
        for (_table, handle), (slot, ownership) in there.items():
            if _table != table:
                continue
            row = rows.pop(handle, None)
            if row is None:
                yield "%s: not listed: %#x" % (table, handle)
            elif table == "buffers" and (row["bytes"], row["ownership"]) != (slot.bytes, ownership):
                yield "%s: it is %s of %s: %s" % (table, ownership, slot, row)
        others = [row for row in rows.values() if row.get("confidence") == "certain"]
        if len(others) > changing[table]:
            yield "%s: %d change: %s" % (table, changing[table], others)


def contradictions(
    truth: Dict[str, Any], moment: Moment, pid: int, lists: Lists, is_complete: bool
) -> List[str]:
    """Everything that is wrong and not marked.  Lists that say that rows are missing may miss
    any."""
    truth, shown = numbers(truth), numbers(lists)
    found = [*of_lasting(truth, moment, pid, shown), *of_passing(truth, moment, shown)]
    return [text for text in found if is_complete or "not listed" not in text]
