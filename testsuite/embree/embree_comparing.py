# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare lists of Embree's objects with what the program `embree` knows of them."""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, Sequence

from command import OK, Answer, run
from embree import tool_variables
from harness import Row, Session, ask

# The tables of the truth, and the lists that show them.
LISTS = {
    "devices": "embree-devices",
    "scenes": "embree-scenes",
    "geometries": "embree-geometries",
    "buffers": "embree-buffers",
}

INDEX, VERTEX = 0, 1  # RTCBufferType

# Facts that a stop alone cannot prove, because a function of Embree may be about to change them.
PRESUMED = {
    "references",
    "child_references",
    "geometry_references",
    "scene_references",
    "state",
}

Lists = Dict[str, List[Row]]


def numbers(value: Any) -> Any:
    """VALUE with each address as a number."""
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    if isinstance(value, dict):
        return {key: numbers(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [numbers(part) for part in value]
    return value


def ask_command(target: Sequence[str]) -> Dict[str, Answer]:
    """The answers of the command, by tables of the truth."""
    return {
        table: run([*target, verb, "--json"], tool_variables()) for table, verb in LISTS.items()
    }


def complete(answers: Dict[str, Answer]) -> Lists:
    """The rows of answers that must be complete."""
    for table, answer in answers.items():
        if answer.code != OK:
            raise AssertionError(
                "%s: code %d: %.1000s%s" % (table, answer.code, answer.output, answer.errors)
            )
    return {table: answer.objects() for table, answer in answers.items()}


def ask_in_gdb() -> List[str]:
    """The commands of GDB that ask for all lists."""
    return [ask(table, "opencl %s -json" % verb) for table, verb in LISTS.items()]


def shown_in_gdb(session: Session) -> Lists:
    """The lists that GDB has shown."""
    return {table: session.answer(table).rows() for table in LISTS}


def _bound(geometry: Row, kind: int) -> Row:
    """The first binding of a type of buffer to a geometry; {} if there is none."""
    found = [row for row in geometry["bindings"] if row["type"] == kind and row["slot"] == 0]
    return dict(found[0]) if found else {}


def expected_device(row: Row) -> Row:
    """What the row of a device must show."""
    # Embree's own, which it never releases, cannot be told from the program's.
    references = row["references"] + row["leaked_references"]
    expected = {key: row[key] for key in ("handle", "bytes", "shared_bytes", "runtime_references")}
    expected.update({key: row[key] for key in ("monitor", "monitor_data", "error_function")})
    expected.update({key: row[key] for key in ("error_data", "scenes", "geometries", "buffers")})
    expected.update({key: row[key] for key in ("state", "module", "build", "pending_error")})
    expected["references"] = references
    expected["child_references"] = row["runtime_references"] - references
    if row["leaked_references"]:
        expected["state"] = "live"
    return expected


def expected_scene(row: Row) -> Row:
    """What the row of a scene must show."""
    expected = {key: row[key] for key in ("handle", "device", "build", "bytes", "quality")}
    expected.update({key: row[key] for key in ("references", "runtime_references", "state")})
    expected.update({key: row[key] for key in ("progress_function", "progress_data")})
    expected["flags"] = row["flags"]
    expected["geometries"] = len(row["attached"])
    expected["geometry_references"] = len(row["instances"])
    return expected


def expected_geometry(row: Row) -> Row:
    """What the row of a geometry must show; its buffers are compared by their memory."""
    expected = {key: row[key] for key in ("handle", "device", "type", "primitives", "time_steps")}
    expected.update({key: row[key] for key in ("user_data", "instance_of", "is_enabled")})
    expected.update({key: row[key] for key in ("is_committed", "references", "state")})
    expected["runtime_references"] = row["runtime_references"]
    expected["buffers"] = len(row["bindings"])
    expected["scene_references"] = len(row["attached"])
    vertices = _bound(row, VERTEX)
    expected["vertex_buffer"] = vertices.get("pointer")
    expected["index_buffer"] = _bound(row, INDEX).get("pointer")
    expected["vertices"] = vertices.get("count")
    expected["vertex_pointer"] = vertices.get("pointer")
    expected["vertex_stride"] = vertices.get("stride")
    if not row["attached"]:
        expected.update({"scene": None, "number": None})
    return expected


def expected_buffer(row: Row) -> Row:
    """What the row of a buffer must show.  The program has no handle of Embree's own ones."""
    expected = {key: row[key] for key in ("device", "pointer", "bytes", "ownership", "state")}
    expected.update({key: row[key] for key in ("geometries", "references")})
    if row["handle"] is not None:
        expected["handle"] = row["handle"]
        expected["runtime_references"] = row["runtime_references"]
        expected["geometry_references"] = row["runtime_references"] - row["references"]
    return expected


EXPECTED = {
    "devices": expected_device,
    "scenes": expected_scene,
    "geometries": expected_geometry,
    "buffers": expected_buffer,
}


def key_of(table: str, row: Row) -> Hashable:
    """What a row is found by: its handle, or the memory of a buffer."""
    if table == "buffers":
        return (int(row["device"]), int(row["pointer"]))
    return int(row["handle"])


class Comparison:
    """Collects every difference, so that a failure shows them all."""

    def __init__(self) -> None:
        self.differences: List[str] = []
        self.compared = 0

    def lists(self, truth: Dict[str, Any], shown: Lists) -> None:
        """All objects and their facts; values that are marked as uncertain are differences, too,
        except for those that no stop can prove."""
        truth = numbers(truth)
        shown = numbers(shown)
        self._memory = {row["handle"]: row["pointer"] for row in shown["buffers"]}
        for table, rows in shown.items():
            expected = {key_of(table, row): row for row in truth[table]}
            found: Dict[Hashable, Row] = {}
            for row in rows:
                if key_of(table, row) in found:
                    self.differences.append("%s: shown twice: %s" % (table, row))
                found[key_of(table, row)] = row
            for key in expected.keys() - found.keys():
                self.differences.append("%s: not shown: %s" % (table, expected[key]))
            for key in found.keys() - expected.keys():
                self.differences.append("%s: is not there: %s" % (table, found[key]))
            for key in expected.keys() & found.keys():
                where = "%s %x" % (table, found[key]["handle"])
                self._row(where, EXPECTED[table](expected[key]), found[key])
                if table == "geometries" and expected[key]["attached"]:
                    self._place(where, expected[key]["attached"], found[key])

    def _row(self, where: str, expected: Row, found: Row) -> None:
        """One object; only the reasons why facts are not certain are left out."""
        for field in ("unknown", "at_least"):
            if found.get(field):
                self.differences.append("%s: %s %s" % (where, field, found[field]))
        if found.get("doubt"):
            self.differences.append("%s: doubt: %s" % (where, found["doubt"]))
        surplus = set(found.get("presumed", [])) - PRESUMED
        surplus -= {"bytes"} if "flags" in expected else set()
        if surplus:
            self.differences.append("%s: presumed: %s" % (where, sorted(surplus)))
        for key, value in expected.items():
            told = found.get(key)
            if key in ("vertex_buffer", "index_buffer") and told is not None:
                told = self._memory.get(told)
            self.compared += 1
            if told != value:
                self.differences.append("%s %s: truth %r, shown %r" % (where, key, value, told))

    def _place(self, where: str, attached: List[Row], found: Row) -> None:
        """A scene that the geometry is attached to, and its number there."""
        places = [(row["scene"], row["id"]) for row in attached]
        self.compared += 1
        if (found.get("scene"), found.get("number")) not in places:
            self.differences.append("%s: in none of %s: %s" % (where, places, found))


def assert_same(truth: Dict[str, Any], shown: Lists) -> None:
    """Fail with all differences, or if there was nothing to compare."""
    comparison = Comparison()
    comparison.lists(truth, shown)
    if comparison.differences:
        raise AssertionError("\n".join(comparison.differences))
    count = sum(len(truth[table]) for table in LISTS)
    if comparison.compared < count or not truth["devices"]:
        raise AssertionError("nothing was compared")
