# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare what the debugger shows with the expected values that the program wrote, field by
field."""

from __future__ import annotations

from typing import Any, Callable, Dict, Hashable, List, Optional

from doubtful import excess
from harness import LISTS, MORE_LISTS, Answer, Row, Session

# cl_mem_flags and cl_svm_mem_flags.
MEMORY_FLAGS = {
    1 << 0: "CL_MEM_READ_WRITE",
    1 << 1: "CL_MEM_WRITE_ONLY",
    1 << 2: "CL_MEM_READ_ONLY",
    1 << 3: "CL_MEM_USE_HOST_PTR",
    1 << 4: "CL_MEM_ALLOC_HOST_PTR",
    1 << 5: "CL_MEM_COPY_HOST_PTR",
    1 << 7: "CL_MEM_HOST_WRITE_ONLY",
    1 << 8: "CL_MEM_HOST_READ_ONLY",
    1 << 9: "CL_MEM_HOST_NO_ACCESS",
    1 << 10: "CL_MEM_SVM_FINE_GRAIN_BUFFER",
}
QUEUE_FLAGS = {
    1 << 0: "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
    1 << 1: "CL_QUEUE_PROFILING_ENABLE",
}

# Facts of the runtime's layout about a recorded object.
OF_RUNTIME = {"runtime_references", "map_count", "width", "height", "depth", "array_size"}
OF_RUNTIME |= {"row_pitch", "channel_order", "channel_type"}

# Keys of the truth that are compared by a rule of their own.
_SPECIAL = (
    "caller",
    "released_caller",
    "destructors",
    "destructor_count",
    "pointers",
    "from_svm_alloc",
    "waits",
    "flags_value",
    "properties_value",
    "function",
    "symbol",
    "sharing_name",
    "execution",
    "has_log",
)

# How far a command has come, in the words of those who know more or less of it than the program.
_EXECUTIONS = {
    "unset": ("unset",),
    "enqueued": ("enqueued", "queued", "submitted"),
    "complete": ("complete", "ended"),
}


def row_key(table: str, row: Row) -> Hashable:
    """The key of a row in its table: the cl handle, or the pointers of an SVM free."""
    if table == "svm-frees":
        return tuple(pointer_of(pointer) for pointer in row["pointers"])
    if table == "commands":
        return (str(row["queue"]), row["number"])
    return str(row["pointer" if table == "svm" else "handle"])


def pointer_of(entry: Any) -> str:
    """The address of an SVM pointer: a string in the expected values, a row in the answer."""
    return str(entry["pointer"]) if isinstance(entry, dict) else str(entry)


def event_of(entry: Any) -> str:
    """The handle of an event that is waited for: a string in the expected values, a row in the
    answer."""
    return str(entry["event"]) if isinstance(entry, dict) else str(entry)


def may_be_over(table: str, row: Row) -> bool:
    """Whether only the runtime keeps the object alive or frees it.  Without a layout, its end is
    not visible."""
    if table == "svm-frees":
        return row.get("function") is None
    has_callbacks = bool(row.get("destructors"))
    is_released = row["state"] == "app-released" and not has_callbacks
    return is_released or row["state"] in ("enqueued", "free-enqueued")


class Comparison:
    """Collects every difference, so that a failure shows them all."""

    def __init__(self) -> None:
        self._places: Dict[str, List[Any]] = {}
        self.differences: List[str] = []
        self.compared = 0

    def places(self, answer: Answer) -> None:
        """Record GDB's descriptions of the callers in an answer."""
        self._places.update(answer.places)

    def same(self, where: str, truth: Any, shown: Any) -> None:
        """TRUTH None means that the key must be absent."""
        self.compared += 1
        if truth != shown:
            self.differences.append("%s: truth %r, shown %r" % (where, truth, shown))

    def table(self, table: str, truth: List[Row], shown: List[Row]) -> None:
        """The same objects, each with the same fields."""
        expected = {row_key(table, row): row for row in truth}
        found: Dict[Hashable, Row] = {}
        for row in shown:
            key = row_key(table, row)
            if key in found:
                self.differences.append("%s %s: shown twice" % (table, key))
            found[key] = row
        for key in expected.keys() - found.keys():
            if expected[key].get("may_be_gone"):
                continue
            self.differences.append("%s %s: not shown: %r" % (table, key, expected[key]))
        surplus = [found[key] for key in found.keys() - expected.keys()]
        self.differences += excess(table, surplus)
        for row in surplus:
            if row.get("confidence") != "doubtful":
                self.differences.append("%s: is not there: %r" % (table, row))
        for key, row in expected.items():
            if row.get("may_be_gone"):
                self._kept(table, row, found.get(key))
            elif key in found:
                self._row("%s %s" % (table, key), table, row, found[key])

    def _kept(self, table: str, truth: Row, shown: Optional[Row]) -> None:
        """An object that only the runtime keeps alive must not seem to belong to the program."""
        if shown is not None:
            where = "%s %s" % (table, row_key(table, truth))
            self.same(where + " references", 0, shown.get("references"))
            if shown.get("state") not in ("app-released", "destroying"):
                self.differences.append("%s state: %r" % (where, shown.get("state")))

    def _row(self, where: str, table: str, truth: Row, shown: Row) -> None:
        unknown = set(shown.get("unknown", {}))
        # Of a runtime without a layout, and of an object that it is destroying.
        # The log of a build that the program has not asked for.
        if unknown - OF_RUNTIME - ({"log"} if truth.get("has_log") is False else set()):
            self.differences.append("%s: unknown %r" % (where, shown["unknown"]))
        for key, value in truth.items():
            if key not in _SPECIAL:
                self.same("%s %s" % (where, key), value, shown.get(key))
        self.same(where + " source", "recorder", shown.get("source"))
        if table != "commands" and not (
            may_be_over(table, truth) and shown.get("confidence") == "presumed"
        ):
            self.same(where + " confidence", "certain", shown.get("confidence"))
        self._flags(where, table, truth, shown)
        self._function(where, truth, shown)
        self._caller(where, truth["caller"], shown)
        if truth.get("released_caller"):
            self._caller(where, truth["released_caller"], shown, "released_caller")
        elif "released_caller" in truth:
            self.same(where + " released_caller", None, shown.get("released_caller"))
        if "destructors" in truth:
            self._destructors(where, truth, shown)
        if truth.get("sharing_name", -1) >= 0:
            self.same(where + " sharing_name", truth["sharing_name"], shown.get("sharing_name"))
        if table == "svm-frees":
            self._command(where, truth, shown)
        elif "waits" in truth:
            self.same(where + " waits", truth["waits"], shown["wait_list"])
        if "execution" in truth:
            known = _EXECUTIONS[truth["execution"]]
            self.same(where + " execution", True, shown.get("execution") in known)
        if "has_log" in truth:
            log = str(shown.get("log") or "")
            self.same(where + " log", truth["has_log"], "error" in log)

    def _flags(self, where: str, table: str, truth: Row, shown: Row) -> None:
        key, names = "flags", MEMORY_FLAGS
        if table == "queues":
            key, names = "properties", QUEUE_FLAGS
        if key + "_value" not in truth:
            return
        value = truth[key + "_value"]
        self.same("%s %s_value" % (where, key), value, shown.get(key + "_value"))
        expected = sorted(name for bit, name in names.items() if value & bit)
        self.same("%s %s" % (where, key), expected, sorted(shown.get(key) or []))

    def _function(self, where: str, truth: Row, shown: Row) -> None:
        if "function" not in truth:
            return
        self.same(where + " function", truth["function"], shown.get("function"))
        if truth["function"] is not None:
            self.same(where + " symbol", truth["symbol"], shown.get("symbol"))

    def _caller(self, where: str, truth: Row, shown: Row, key: str = "caller") -> None:
        """The return address belongs to the line of the program that made the call."""
        place = self._places.get(str(shown.get(key)), [None, None, None])
        for part, word in enumerate(("function", "file", "line")):
            self.same("%s %s %s" % (where, key, word), truth[word], place[part])

    def _destructors(self, where: str, truth: Row, shown: Row) -> None:
        """All callbacks in call order, newest first."""
        rows = shown.get("destructors")
        self.same(where + " destructor_count", truth["destructor_count"], shown["destructor_count"])
        self.same(where + " destructors", len(truth["destructors"]), len(rows or []))
        for number, (expected, row) in enumerate(zip(truth["destructors"], rows or [])):
            here = "%s destructor %d" % (where, number + 1)
            for key in ("function", "symbol", "user_data", "state", "lwp", "running_lwp"):
                self.same("%s %s" % (here, key), expected.get(key), row.get(key))

    def _command(self, where: str, truth: Row, shown: Row) -> None:
        self.same(
            where + " pointers", truth["pointers"], [pointer_of(row) for row in shown["pointers"]]
        )
        known = [int(row["from_svm_alloc"]) for row in shown["pointers"]]
        self.same(where + " from_svm_alloc", truth["from_svm_alloc"], known)
        self.same(where + " waits", truth["waits"], [event_of(row) for row in shown["wait_list"]])

    def order(self, truth: Dict[str, Any], shown: Dict[str, List[Row]]) -> None:
        """`order` rises as the program created the objects of a table.  Objects that the recorder
        has dropped but the runtime keeps have none."""
        for table in shown:
            told = [row for row in shown[table] if row["order"] is not None]
            orders = {row_key(table, row): row["order"] for row in told}
            keys = [row_key(table, row) for row in truth[table]]
            in_order = [orders[key] for key in keys if key in orders]
            self.same(table + " order", sorted(in_order), in_order)

    def all_destructors(self, truth: Dict[str, Any], shown: List[Row]) -> None:
        """All destructor callbacks, each with its object and the line that registered it."""

        def name(handle: str, row: Row) -> str:
            return "%s %s %s" % (handle, row["function"], row["user_data"])

        expected: List[str] = []
        places: Dict[str, Row] = {}
        kept = set()
        for table in ("contexts", "memobjs"):
            for row in truth[table]:
                if row.get("may_be_gone"):
                    kept.add(row["handle"])
                    continue
                for destructor in row["destructors"]:
                    expected.append(name(row["handle"], destructor))
                    places[expected[-1]] = destructor
        shown = [row for row in shown if row["object"] not in kept]
        found = [name(row["object"], row) for row in shown]
        self.same("all destructors", sorted(expected), sorted(found))
        for row in shown:
            destructor = places.get(name(row["object"], row), {})
            if destructor and expected.count(name(row["object"], row)) == 1:
                where = "destructor %s" % name(row["object"], row)
                self.same(where + " state", destructor["state"], row["state"])
                self._caller(where, destructor["caller"], row)


Ask = Callable[[str], Answer]


def compare_lists(truth: Dict[str, Any], ask: Ask) -> Comparison:
    """Compare every list.  ASK returns the answer for the name of a list."""
    comparison = Comparison()
    tables = [*LISTS, *(table for table in MORE_LISTS if table in truth)]
    shown = {table: ask(table).rows() for table in tables}
    for table in tables:
        comparison.places(ask(table))
        comparison.table(table, truth[table], shown[table])
    comparison.order(truth, shown)
    return comparison


def assert_truth(truth: Dict[str, Any], session: Session, stop: Optional[str] = None) -> None:
    """Fail with every difference between the truth and the answers of ask_lists(STOP)."""
    prefix = stop + "." if stop else ""
    comparison = compare_lists(truth, lambda name: session.answer(prefix + name))
    if prefix + "destructors" in session.answers:
        rows = session.answer(prefix + "destructors").rows()
        comparison.places(session.answer(prefix + "destructors"))
        comparison.all_destructors(truth, rows)
    if comparison.differences:
        count = len(comparison.differences)
        raise AssertionError(
            "%d of %d differ\n%s"
            % (count, comparison.compared, "\n".join(comparison.differences[:40]))
        )
    if comparison.compared < 50:
        raise AssertionError("only %d fields were compared" % comparison.compared)
