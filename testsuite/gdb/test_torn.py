#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stop during an update shows the old record, the new one, or marks it.

The program churn records which OpenCL call each of its threads is in.  From that follows how the
records of a memory object and of the thread may look at each stop.
"""

from __future__ import annotations

import json
import os
import re
import unittest
from typing import Any, Dict, List, Optional, Set, Tuple

from comparing import OF_RUNTIME, Comparison
from harness import (
    GDB_SCRIPTS,
    WORK,
    Row,
    ask_lists,
    main,
    program,
    read_truth,
    recorder_alone,
    run_gdb,
    thorough,
    work_folder,
)

CREATE, REGISTER_FIRST, REGISTER_SECOND, RETAIN, RELEASE, RELEASE_LAST = range(1, 7)

READ_ONLY = 1 << 2
WRITE_ONLY = 1 << 1

# References, state, and the states of the callbacks, newest first; None: there is no record.
Shape = Optional[Tuple[int, str, Tuple[str, ...]]]

ONE = "registered"
BEFORE_RELEASE: Shape = (1, "live", (ONE, ONE))
SHAPES: Dict[int, Set[Shape]] = {
    CREATE: {None, (1, "live", ())},
    REGISTER_FIRST: {(1, "live", ()), (1, "live", (ONE,))},
    REGISTER_SECOND: {(1, "live", (ONE,)), BEFORE_RELEASE},
    RETAIN: {BEFORE_RELEASE, (2, "live", (ONE, ONE))},
    RELEASE: {(2, "live", (ONE, ONE)), BEFORE_RELEASE},
    RELEASE_LAST: {
        BEFORE_RELEASE,
        (0, "app-released", (ONE, ONE)),
        (0, "destroying", (ONE, ONE)),
        (0, "destroying", ("running", ONE)),
        (0, "destroying", ("done", ONE)),
        (0, "destroying", ("done", "running")),
        (0, "destroying", ("done", "done")),
        None,
    },
}

RELEASE_CALL = "clReleaseMemObject"
CALLS = {
    CREATE: "clCreateBuffer",
    REGISTER_FIRST: "clSetMemObjectDestructorCallback",
    REGISTER_SECOND: "clSetMemObjectDestructorCallback",
    RETAIN: "clRetainMemObject",
    RELEASE: RELEASE_CALL,
    RELEASE_LAST: RELEASE_CALL,
}

# What a thread is in, innermost first: calls, and the program's functions that are called back.
Doing = Tuple[str, ...]

CALLBACKS: Set[Doing] = {("churn_first", RELEASE_CALL), ("churn_second", RELEASE_CALL)}


class Checker:
    """Checks observations; remembers which shapes have been seen in which call."""

    def __init__(self, lasting: List[Row], threads: int) -> None:
        self._lasting = {row["handle"]: row for row in lasting}
        self._threads = threads
        self.seen: Set[Tuple[int, Shape]] = set()
        self.seen_doing: Set[Tuple[int, Doing]] = set()
        self.marked = 0
        self.faults: List[str] = []

    def check(self, seen: Dict[str, Any]) -> None:
        """One stop."""
        rows = {row["handle"]: row for row in seen["rows"]}
        if len(rows) != len(seen["rows"]):
            self.faults.append("%s: a row is there twice" % seen["where"])
        lasting = [row for handle, row in rows.items() if handle in self._lasting]
        comparison = Comparison()
        truth = [self._lasting[row["handle"]] for row in lasting]
        comparison.table("memobjs", truth, lasting)
        self.faults.extend(
            "%s: %s" % (seen["where"], text)
            for text in comparison.differences
            if "caller " not in text
        )
        if len(lasting) != len(self._lasting):
            self.faults.append("%s: only %d rows that stay" % (seen["where"], len(lasting)))
        passing = [row for handle, row in rows.items() if handle not in self._lasting]
        for thread in range(self._threads):
            own = [row for row in passing if self._thread_of(row) == thread]
            passing = [row for row in passing if row not in own]
            self._check_thread(seen, thread, own)
        for row in passing:
            self.faults.append("%s: nobody's row %r" % (seen["where"], row))
        lwps = [row["lwp"] for row in seen["threads"]]
        if len(set(lwps)) != len(lwps):
            self.faults.append("%s: a thread is there twice: %r" % (seen["where"], lwps))
        for row in seen["threads"]:
            if row["lwp"] in seen["lwp"]:
                self._check_doing(seen, seen["lwp"].index(row["lwp"]), row)

    def _thread_of(self, row: Row) -> int:
        size = row.get("size")
        return (size - 65536) // 4096 if isinstance(size, int) else -1

    def _check_thread(self, seen: Dict[str, Any], thread: int, rows: List[Row]) -> None:
        iteration, call = divmod(seen["progress"][thread], 256)
        where = "%s, thread %d, iteration %d, call %d" % (seen["where"], thread, iteration, call)
        if len(rows) > 1:
            self.faults.append("%s: %d rows" % (where, len(rows)))
        if call == 0:
            if rows:
                self.faults.append("%s: a row of a thread that makes none: %r" % (where, rows))
            return
        if not rows:
            self._shape(where, call, None, None)
            return
        row = rows[0]
        unknown = dict(row.get("unknown") or {})
        for destructor in row.get("destructors") or []:
            unknown.update(destructor.get("unknown") or {})
        for key in OF_RUNTIME:
            unknown.pop(key, None)
        for key, reason in unknown.items():
            if not re.search(r"being changed by .*%d" % seen["lwp"][thread], reason):
                self.faults.append("%s: %s is unknown: %s" % (where, key, reason))
        self._fields(where, seen, thread, iteration, row)
        if unknown:
            self.marked += 1
            return
        states = tuple(str(d["state"]) for d in row["destructors"])
        self._shape(where, call, (row["references"], row["state"], states), row)

    def _check_doing(self, seen: Dict[str, Any], thread: int, row: Row) -> None:
        """What a thread is in is what it says itself, or nothing before and after its call."""
        call = seen["progress"][thread] % 256
        activities = row["activities"]
        # The record of a callback does not say yet that it runs, or no more.
        edge = activities and activities[0]["state"] == "runs-destructor"
        if edge and activities[0]["function"] is None and call == RELEASE_LAST:
            activities = activities[1:]
        doing = tuple(str(one.get("symbol", one.get("call"))) for one in activities)
        self.seen_doing.add((call, doing))
        where = "%s, thread %d, call %d" % (seen["where"], thread, call)
        may_be: Set[Doing] = {()}
        if call:
            may_be.add((CALLS[call],))
        if call == RELEASE_LAST:
            may_be |= CALLBACKS
        if doing not in may_be or row["depth"] != len(row["activities"]) or "unknown" in row:
            self.faults.append("%s: %r" % (where, row))
        handle = seen["context"] if call == CREATE else seen["handle"][thread]
        if any(one.get("handle") != handle or "unknown" in one for one in activities):
            self.faults.append("%s: not on %s: %r" % (where, handle, row["activities"]))

    def _shape(self, where: str, call: int, shape: Shape, row: Optional[Row]) -> None:
        self.seen.add((call, shape))
        if shape not in SHAPES[call]:
            self.faults.append("%s: %r in %r" % (where, shape, row))

    def _fields(
        self, where: str, seen: Dict[str, Any], thread: int, iteration: int, row: Row
    ) -> None:
        """What does not change while the record is there."""
        expected: Dict[str, Any] = {
            "kind": "buffer",
            "size": 65536 + 4096 * thread + 64 * (iteration % 64),
            "flags_value": READ_ONLY if iteration % 2 == 0 else WRITE_ONLY,
            "context": seen["context"],
            "lwp": seen["lwp"][thread],
            "children": 0,
            "source": "recorder",
        }
        for key, value in expected.items():
            if key in (row.get("unknown") or {}) or (
                key == "flags_value" and "flags" in (row.get("unknown") or {})
            ):
                continue
            if row.get(key) != value:
                self.faults.append("%s: %s %r, not %r" % (where, key, row.get(key), value))
        destructors = row.get("destructors") or []
        names = ["churn_first", "churn_second"][: len(destructors)]
        for number, destructor in enumerate(reversed(destructors)):
            user_data = hex(thread << 28 | iteration << 1 | number)
            if destructor.get("user_data") not in (user_data, None):
                self.faults.append("%s: user data of %r, not %s" % (where, destructor, user_data))
            if destructor.get("symbol") not in (names[number], None):
                self.faults.append("%s: symbol of %r" % (where, destructor))


class TestTorn(unittest.TestCase):
    def _observe(
        self, name: str, threads: int, iterations: int, commands: List[str]
    ) -> Tuple[Checker, int]:
        """Run churn under COMMANDS, then to its end; check all observations."""
        folder = work_folder(name)
        variables = recorder_alone("icd")
        variables["LD_BIND_NOW"] = "1"
        path = os.path.join(WORK, "%s-%d.answers.torn" % (name, os.getpid()))
        if os.path.exists(path):
            os.unlink(path)
        session = run_gdb(
            [program("programs/churn")],
            [
                "source " + os.path.join(GDB_SCRIPTS, "in_gdb_torn.py"),
                "set print thread-events off",
                "set pagination off",
                "break truth_stop",
                "run %s %d %d" % (folder, threads, iterations),
                *commands,
                "delete",
                "break truth_stop",
                "continue",
                *ask_lists(),
                "kill",
            ],
            variables,
            name=name,
        )
        truth = read_truth(folder, "end")
        at_end = Comparison()
        at_end.places(session.answer("memobjs"))
        at_end.table("memobjs", truth["memobjs"], session.answer("memobjs").rows())
        self.assertEqual(at_end.differences, [])
        checker = Checker(truth["memobjs"], threads)
        count = 0
        with open(path, encoding="utf-8") as file:
            for line in file:
                checker.check(json.loads(line))
                count += 1
        os.unlink(path)
        self.assertEqual(checker.faults[:20], [], "%d faults" % len(checker.faults))
        return checker, count

    def _step(self, anew: bool) -> None:
        commands = [
            "break iterate",
            "ignore $bpnum 1",
            "continue",
            "set scheduler-locking on",
            "break ompd_cl_bp_destructor_begin",
            "break ompd_cl_bp_destructor_end",
            'python step_through("libompd-opencl-recorder", %r)' % anew,
            "set scheduler-locking off",
        ]
        checker, count = self._observe("torn-steps", 1, 3, commands)
        self.assertGreater(count, 10)
        for call, shapes in SHAPES.items():
            # The object is seen as it is before and after each call.
            seen = {shape for seen_call, shape in checker.seen if seen_call == call}
            self.assertGreaterEqual(len(seen), 2, (call, seen))
            if call == RELEASE_LAST:
                self.assertIn((0, "destroying", ("running", ONE)), seen)
                self.assertIn((0, "destroying", ("done", "running")), seen)
                self.assertIn(None, seen)
            self.assertLessEqual(seen, shapes)
            doing = {
                seen_doing for seen_call, seen_doing in checker.seen_doing if seen_call == call
            }
            expected = {(), (CALLS[call],)} | (CALLBACKS if call == RELEASE_LAST else set())
            self.assertEqual(doing, expected, call)

    def test_every_instruction(self) -> None:
        """One thread, stopped at each instruction of the recorder in an object's whole life."""
        self._step(anew=False)

    @thorough
    def test_every_instruction_anew(self) -> None:
        """The same, as a core at each instruction would show it."""
        self._step(anew=True)

    def test_threads(self) -> None:
        """Four threads, stopped where one of them is in a breakpoint function of the recorder."""
        commands = []
        for number, function in enumerate(
            ("object_created", "destructor_begin", "destructor_end", "object_released")
        ):
            # The lasting buffers are made first, by all threads.
            commands.append("break ompd_cl_bp_%s" % function)
            commands.append("ignore $bpnum %d" % (400 + 37 * number))
        commands += [
            "python stop_often(4, 60, True)",
        ]
        _, count = self._observe("torn-threads", 4, 3000, commands)
        self.assertGreater(count, 30)


if __name__ == "__main__":
    main()
