# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run programs without the recorder, ask the command and GDB about them with layouts alone, and
compare the answers with the expected values of the program.
"""

from __future__ import annotations

import contextlib
import glob
import os
import resource
import signal
import subprocess
from typing import Any, Dict, Iterator, List, Sequence, Set, Tuple

from command import INCOMPLETE, OK, run
from doubtful import excess
from fitting import LAYOUT_PATH
from harness import (
    LISTS,
    Row,
    Session,
    ask_lists,
    environment,
    program,
    read_truth,
    run_gdb,
)

PROGRAM = "programs/unprepared"
RELEASED = "programs/released"
FEW_OBJECTS = "programs/few"

# The table of doc/runtimes.md shows, for each runtime, what is known of a program with these words:
# so many buffers, every second one freed.
FEW = ("10", "second")

Truth = Dict[str, Any]
Lists = Dict[str, List[Row]]

# Keys of a table that are compared.  A row must lack each key that the expected values lack.
FIELDS = {
    "contexts": ("devices",),
    "queues": ("context", "device", "properties_value"),
    "memobjs": (
        "kind",
        "context",
        "size",
        "flags_value",
        "parent",
        "origin",
        "host_pointer",
        "width",
        "height",
        "depth",
        "array_size",
        "row_pitch",
        "channel_order",
        "channel_type",
    ),
    "svm": ("context", "size"),
    "svm-frees": ("context", "queue", "function", "user_data"),
}
KEYS = {"svm": "pointer", "svm-frees": "event"}

# Those that the recorder does not record.
LAYOUTS_OWN = (
    "width",
    "height",
    "depth",
    "array_size",
    "row_pitch",
    "channel_order",
    "channel_type",
)

# Further fields of the table of runtimes.
ALSO_TOLD = ("references", "runtime_references", "state", "destructors", "pointers")

# Facts that the layout of a runtime lacks, and that must be marked as unknown.
NOT_KEPT: Dict[str, Set[Tuple[str, str]]] = {
    "oclgrind": {("contexts", "devices"), ("queues", "device")},
    "amd": {("memobjs", "origin")},
    "neo": {("contexts", "devices"), ("svm-frees", "pointers")},
}

# Runtimes that keep in a command which memory objects it holds.
HOLDING = {"pocl", "pocl-7"}


def program_environment(*runtimes: str) -> Dict[str, str]:
    """The environment of a program without the recorder, with these runtimes."""
    variables = environment(runtimes[0], recorder=False)
    del variables["OMPD_OPENCL_LIBRARY"]
    folder = variables["OCL_ICD_VENDORS"]
    if len(runtimes) > 1:
        joined = folder + "-" + "-".join(runtimes[1:])
        os.makedirs(joined, exist_ok=True)
        for runtime in runtimes:
            own = environment(runtime, recorder=False)["OCL_ICD_VENDORS"]
            with open(os.path.join(own, "only.icd"), encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(joined, runtime + ".icd"), "w", encoding="utf-8") as file:
                file.write(text)
        variables["OCL_ICD_VENDORS"] = joined
    return variables


def tool_environment(layouts: str = LAYOUT_PATH) -> Dict[str, str]:
    """The environment of the command and GDB."""
    variables = environment("icd", recorder=False)
    variables["OMPD_OPENCL_LAYOUT_PATH"] = layouts
    return variables


class Process:
    """A program at a stop."""

    def __init__(self, popen: subprocess.Popen[str], folder: str) -> None:
        self._popen = popen
        self.folder = folder
        self.pid = popen.pid

    @staticmethod
    def truth_of(folder: str, stop: str) -> Truth:
        """The expected values that the program wrote before a stop."""
        return read_truth(folder, stop)

    def wait_for(self, stop: str) -> Truth:
        """Wait until the program is at STOP, and return its expected values."""
        self.await_stop(stop)
        return read_truth(self.folder, stop)

    def await_stop(self, stop: str) -> None:
        """Wait until it has come to STOP."""
        assert self._popen.stdout is not None
        line = self._popen.stdout.readline()
        if line != stop + "\n":
            raise AssertionError("the program came to %r, not to %s" % (line, stop))

    def go_on(self) -> None:
        """Let it run to its next stop."""
        assert self._popen.stdin is not None
        self._popen.stdin.write("\n")
        self._popen.stdin.flush()


@contextlib.contextmanager
def started(
    words: Sequence[str], folder: str, variables: Dict[str, str], loader: Sequence[str] = ()
) -> Iterator[Process]:
    """The program unprepared with these words behind its folder, ended at the end.  LOADER, the
    words of a dynamic loader, runs it where one is given."""
    with _run([*loader, program(PROGRAM), folder, *words], folder, variables) as process:
        yield process


@contextlib.contextmanager
def started_released(
    words: Sequence[str], folder: str, variables: Dict[str, str]
) -> Iterator[Process]:
    """The program released with these words, ended at the end.  It writes no expected values,
    because all its objects are destroyed."""
    with _run([program(RELEASED), *words], folder, variables) as process:
        process.await_stop("main")
        yield process


@contextlib.contextmanager
def started_few(words: Sequence[str], folder: str, variables: Dict[str, str]) -> Iterator[Process]:
    """The program few with these words, ended at the end; it writes no truth either."""
    with _run([program(FEW_OBJECTS), *words], folder, variables) as process:
        process.await_stop("main")
        yield process


@contextlib.contextmanager
def _run(words: Sequence[str], folder: str, variables: Dict[str, str]) -> Iterator[Process]:
    with subprocess.Popen(
        words,
        cwd=folder,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ) as popen:
        try:
            yield Process(popen, folder)
        finally:
            popen.kill()


def kernel_core(
    words: Sequence[str], folder: str, variables: Dict[str, str], loader: Sequence[str] = ()
) -> str:
    """The core that the kernel writes of the program at its first stop."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    done = subprocess.run(
        [*loader, program(PROGRAM), folder, *words, "abort"],
        cwd=folder,
        env=variables,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
        check=False,
    )
    if done.returncode != -signal.SIGABRT:
        raise AssertionError("the program ended with %d" % done.returncode)
    cores = [path for path in glob.glob(folder + "/*core*")]
    if len(cores) != 1:
        raise AssertionError("cores: %s" % cores)
    return cores[0]


def debuggers_core(process: Process) -> str:
    """The core that GDB writes of a process."""
    core = os.path.join(process.folder, "gcore.%d" % process.pid)
    # Symbols are of no use for it, and cost more than it does.
    commands = ["set auto-solib-add off", "attach %d" % process.pid, "gcore " + core, "detach"]
    run_gdb([], commands, tool_environment(), plugin=False, name="gcore")
    if not os.path.exists(core):
        raise AssertionError("GDB wrote no core")
    return core


def lacks_lists(runtime: str, table: str) -> bool:
    """Whether facts that the layout of a runtime lacks make the answer of a table incomplete."""
    return (table, "pointers") in NOT_KEPT.get(runtime, set())


def ask_command(target: Sequence[str], variables: Dict[str, str], runtime: str = "") -> Lists:
    """Every list, from the command; RUNTIME says which may be incomplete."""
    result = {}
    for table in LISTS:
        answer = run([*target, table, "--json"], variables)
        rows, is_untold = without_untold(answer.objects())
        is_excused = is_untold or lacks_lists(runtime, table)
        if answer.code != OK and not (answer.code == INCOMPLETE and is_excused):
            raise AssertionError(
                "%s: exit code %d: %s%s" % (table, answer.code, answer.output[-300:], answer.errors)
            )
        if is_untold and answer.code != INCOMPLETE:
            raise AssertionError("%s: exit code %d, but it is not told" % (table, answer.code))
        result[table] = rows
    return result


def is_of_missing(row: Row) -> bool:
    """Whether ROW is not an object but the record of what a list lacks."""
    return "unreadable" in row


def without_untold(rows: List[Row]) -> Tuple[List[Row], bool]:
    """ROWS without the record at their end that the layout does not cover such objects, and whether
    there was one."""
    is_untold = bool(rows) and "does not cover" in rows[-1].get("unknown", {}).get("rows", "")
    return (rows[:-1] if is_untold else rows), is_untold


def ask_gdb(words: Sequence[str], variables: Dict[str, str]) -> Lists:
    """Every list, from the plugin in GDB."""
    return lists_of(run_gdb(words, ask_lists(), variables, name="unprepared"))


def is_of_guards(row: Row) -> bool:
    """Whether ROW is the record that ends a list because a remote process has pages that nobody can
    read, as glibc puts at the stacks of threads since 2.42."""
    return "cannot be read, presumably because it was never" in row.get("unknown", {}).get(
        "rows", ""
    )


def is_of_modules(row: Row) -> bool:
    """Whether ROW is the record that ends a list because files are not at hand that may be
    runtimes."""
    return "modules could be read" in row.get("unknown", {}).get("rows", "")


def lists_of(session: Session, lacks_modules: bool = False) -> Lists:
    """Every list that GDB was asked for in a session, which may LACK MODULES."""
    lists = {}
    for table in LISTS:
        rows = [row for row in session.answer(table).rows() if not is_of_guards(row)]
        if lacks_modules:
            rows = [row for row in rows if not is_of_modules(row)]
        lists[table] = without_untold(rows)[0]
    return lists


class Comparison:
    """Collects every difference, so that a failure shows them all."""

    def __init__(
        self, runtimes: Sequence[str], copied: Sequence[str], source: str = "layout"
    ) -> None:
        self._copied = copied
        self._source = source
        self._excused: Set[str] = set()  # doubts that a live object shares with a freed one
        self._not_kept = [NOT_KEPT.get(runtime, set()) for runtime in runtimes]
        self._tells_held = set(runtimes) <= HOLDING
        self.differences: List[str] = []
        self.compared = 0
        # How often each field was certain, presumed and unknown.
        self.statuses: Dict[Tuple[str, str], Dict[str, int]] = {}

    def same(self, where: str, truth: Any, shown: Any) -> None:
        self.compared += 1
        if truth != shown:
            self.differences.append("%s: truth %r, shown %r" % (where, truth, shown))

    def lists(self, truth: Truth, shown: Lists) -> None:
        """All tables.  Doubtful rows may not be objects of the program."""
        live = {row["handle"] for row in truth["memobjs"]}
        others = [row for row in shown["memobjs"] if row["handle"] not in live]
        self._excused = {row["doubt"] for row in others if row.get("doubt") == "over-counted"}
        for table in LISTS:
            key = KEYS.get(table, "handle")
            expected = {row[key]: row for row in truth[table]}
            found: Dict[str, Row] = {}
            for row in shown[table]:
                if row[key] in found:
                    self.differences.append("%s %s: shown twice" % (table, row[key]))
                found[row[key]] = row
            for handle in sorted(expected.keys() - found.keys()):
                self.differences.append("%s %s: not shown" % (table, expected[handle]))
            surplus = [found[handle] for handle in sorted(found.keys() - expected.keys())]
            copies = truth.get("copies", [])
            strays = [row for row in surplus if row[key] not in copies]
            self.differences += excess(table, strays, len(truth.get("freed", [])))
            for row in surplus:
                if row.get("confidence") != "doubtful":
                    self.differences.append("%s: is not there: %s" % (table, row))
            for handle in sorted(expected.keys() & found.keys()):
                self._row(table, expected[handle], found[handle])

    def _count_statuses(self, table: str, shown: Row) -> None:
        """Count the statuses of each field that applies to the object."""
        unknown = shown.get("unknown", {})
        for key in (*FIELDS[table], *ALSO_TOLD):
            if shown.get(key) is None and key not in unknown:
                continue
            status = "presumed" if key in shown.get("presumed", []) else "certain"
            counts = self.statuses.setdefault((table, key), {})
            status = "unknown" if key in unknown else status
            counts[status] = counts.get(status, 0) + 1

    def _row(self, table: str, truth: Row, shown: Row) -> None:
        where = "%s %s" % (table, shown.get(KEYS.get(table, "handle")))
        self._count_statuses(table, shown)
        for key in FIELDS[table]:
            if self._source == "recorder" and key in LAYOUTS_OWN:
                continue
            is_kept = [
                self._source == "recorder" or (table, key) not in fields
                for fields in self._not_kept
            ]
            is_known = key not in shown.get("unknown", {})
            if all(is_kept) or (any(is_kept) and is_known) or key not in truth:
                self.same(where + " " + key, truth.get(key), shown.get(key))
            else:
                self.same(where + " knows " + key, False, is_known)
        self.same(where + " source", self._source, shown["source"])
        is_excused = truth.get("handle") in self._copied or shown.get("doubt") in self._excused
        if shown["confidence"] == "doubtful" and not is_excused:
            self.differences.append("%s: %s: %s" % (where, shown["confidence"], shown["doubt"]))
        if self._source == "recorder":
            if "references" in shown:
                self.same(where + " references", truth["references"], shown["references"])
                self.same(where + " state", "live", shown["state"])
        elif "runtime_references" in shown:
            self._references(where, table, truth, shown)
        if "destructors" in truth:
            self._destructors(where, truth, shown)
        if table == "svm-frees":
            self._pointers(where, truth, shown)

    def _pointers(self, where: str, truth: Row, shown: Row) -> None:
        """Those that an SVM free frees."""
        are_kept = all(("svm-frees", "pointers") not in fields for fields in self._not_kept)
        if self._source == "layout" and not are_kept:
            self.same(where + " knows pointers", True, "pointers" in shown["unknown"])
            return
        pointers = [row["pointer"] for row in shown["pointers"]]
        self.same(where + " pointers", truth["pointers"], pointers)

    def _references(self, where: str, table: str, truth: Row, shown: Row) -> None:
        """The count of the runtime may be higher than that of the program, because other objects
        hold references.  The rest, without those that were found, is presumed."""
        if self._excused and "references" in shown.get("unknown", {}):
            return
        count = truth["references"]
        self.same(where + " presumed", True, "references" in shown["presumed"])
        if truth.get("is_destroying"):
            count = 0
            self.same(where + " state", "destroying", shown["state"])
            self.same(where + " state presumed", True, "state" in shown["presumed"])
            self.same(where + " references", count, shown["references"])
        elif shown["confidence"] == "doubtful":
            return
        elif table != "memobjs" or (truth.get("is_held") and not self._tells_held):
            self.same(where + " references", True, shown["references"] >= count)
            self.same(where + " state", "live", shown["state"])
        else:
            self.same(where + " references", count, shown["references"])
            self.same(where + " state", "live", shown["state"])
        least = min(shown["references"], count)
        self.same(where + " runtime's", True, shown["runtime_references"] >= least)

    def _destructors(self, where: str, truth: Row, shown: Row) -> None:
        """In call order.  Callbacks of an object that is being destroyed may be elsewhere, and must
        not be reported as absent."""
        if truth.get("is_destroying") and self._source == "layout" and not shown["destructors"]:
            for key in ("destructors", "destructor_count"):
                self.same("%s %s are open" % (where, key), True, key in shown.get("unknown", {}))
            return
        self.same(where + " count", len(truth["destructors"]), shown["destructor_count"])
        told = [(row["function"], row["user_data"]) for row in shown["destructors"]]
        expected = [(row["function"], row["user_data"]) for row in truth["destructors"]]
        self.same(where + " destructors", expected, told)
        if not truth.get("is_destroying"):
            states = {row["state"] for row in shown["destructors"]}
            self.same(where + " states", set(), states - {"registered"})

    def verify(self, least: int) -> None:
        """Fail with the differences, or because too little was compared."""
        if self.differences:
            lines = "\n".join(text[:400] for text in self.differences[:30])
            raise AssertionError(
                "%d of %d differ\n%s" % (len(self.differences), self.compared, lines)
            )
        if self.compared < least:
            raise AssertionError("only %d fields were compared" % self.compared)


def compare(
    truth: Truth,
    shown: Lists,
    *runtimes: str,
    copied: Sequence[str] = (),
    source: str = "layout",
) -> Comparison:
    """Fail with everything in which the lists differ from the truth.  COPIED objects may be in
    doubt, because copies of them are as good."""
    comparison = Comparison(runtimes, copied, source)
    comparison.lists(truth, shown)
    comparison.verify(10 * len(truth["memobjs"]))
    assert_freed_absent(truth, shown)
    return comparison


def assert_freed_absent(truth: Truth, shown: Lists) -> None:
    """No object that was freed is shown, unless another lies in its place or it is in doubt."""
    live = {row["handle"] for row in truth["memobjs"]}
    freed = set(truth["freed"]) - live
    false = [
        row
        for row in shown["memobjs"]
        if row["handle"] in freed and row["confidence"] != "doubtful"
    ]
    if false:
        raise AssertionError("%d freed objects are shown: %s" % (len(false), false[:3]))
