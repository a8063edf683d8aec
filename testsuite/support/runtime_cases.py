# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same commands on one OpenCL runtime: live, attached, under gdbserver, on cores."""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import Dict, List

from comparing import assert_truth
from doubtful import excess
from gdbserver import gdbserver
from harness import (
    Row,
    Session,
    ask,
    ask_lists,
    environment,
    program,
    read_truth,
    run_gdb,
    work_folder,
)

STOPS = ("main", "destructor")
LIVE_STOPS = (*STOPS, "finished", "released")


def questions(stop: str) -> List[str]:
    """Everything that is asked at a stop."""
    return [
        *ask_lists(stop),
        ask(stop + ".destructors", "opencl destructors -json"),
        ask(stop + ".overview", "opencl -json"),
        ask(stop + ".text", "opencl"),
        ask(stop + ".memory", "opencl memory -json"),
    ]


class RuntimeCases:
    """Set `runtime` and derive from unittest.TestCase, too."""

    runtime = ""
    program_name = "programs/truth-program"
    folder = ""
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment(cls.runtime)
        cls.folder = work_folder(cls.runtime)

    def _path(self, name: str) -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def _compare(self, folder: str, session: Session, stop: str) -> None:
        truth = read_truth(folder, stop)
        assert_truth(truth, session, stop)
        rows = session.answer(stop + ".overview").rows()
        assert_overview(truth, rows[0])
        assert_usage(truth, rows[0], session.answer(stop + ".memory").rows()[0])

    def test_live_and_gcore(self) -> None:
        """At both stops of one process, and on a core of each that gcore writes."""
        folder = self._path("live")
        commands = ["break truth_stop", "run %s > /dev/null" % folder]
        for stop in LIVE_STOPS:
            commands += questions(stop)
            if stop in STOPS:
                commands.append("gcore %s/core.%s" % (folder, stop))
            commands.append("continue")
        words = [program(self.program_name, self.runtime)]
        session = run_gdb(words, commands, self.variables, name=self.runtime)
        for stop in STOPS:
            self._compare(folder, session, stop)
        assert_truth(read_truth(folder, "finished"), session, "finished")
        assert_gone(session)
        for stop in STOPS:
            core = "%s/core.%s" % (folder, stop)
            on_core = run_gdb(words + [core], questions(stop), self.variables, name=self.runtime)
            os.unlink(core)
            self._compare(folder, on_core, stop)

    def test_attached(self) -> None:
        """A process that GDB did not start, twice."""
        folder = self._path("attached")
        path = program(self.program_name, self.runtime)
        with subprocess.Popen(
            [path, folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            for stop in LIVE_STOPS:
                assert process.stdout.readline() == stop + "\n"
                words = ["-p", str(process.pid)]
                commands = questions(stop) + ["detach"]
                session = run_gdb(words, commands, self.variables, name=self.runtime)
                if stop in STOPS:
                    self._compare(folder, session, stop)
                process.stdin.write("\n")
                process.stdin.flush()
            assert process.wait() == 0

    def test_completion_tracked(self) -> None:
        """With the recorder's switches on, the answers are the same."""
        folder = self._path("tracked")
        variables = dict(self.variables, OMPD_OPENCL_TRACK_COMPLETION="1")
        variables["OMPD_OPENCL_STACK_DEPTH"] = "16"
        commands = ["break truth_stop", "run %s > /dev/null" % folder, *questions("main")]
        commands += ["continue", "continue", *ask_lists("finished"), "kill"]
        words = [program(self.program_name, self.runtime)]
        session = run_gdb(words, commands, variables, name=self.runtime)
        self._compare(folder, session, "main")
        assert_truth(read_truth(folder, "finished"), session, "finished")

    def test_gdbserver(self) -> None:
        """A remote target, with GDB's own files for its libraries."""
        folder = self._path("gdbserver")
        path = program(self.program_name, self.runtime)
        with gdbserver([path, folder], self.variables) as connect:
            commands = ["set sysroot /", connect, "break truth_stop", "continue"]
            commands += [*questions("main"), "kill"]
            session = run_gdb([path], commands, self.variables, name=self.runtime)
        self._compare(folder, session, "main")


def assert_gone(session: Session) -> None:
    """Everything has been released: the remaining objects are kept alive by the runtime alone."""
    tester = unittest.TestCase()
    for table in ("svm", "svm-frees"):
        tester.assertEqual(session.answer("released." + table).rows(), [])
    for table in ("contexts", "queues", "memobjs"):
        shown = session.answer("released." + table).rows()
        tester.assertEqual(excess(table, shown), [])
        for row in shown:
            if row["confidence"] == "doubtful":
                continue
            tester.assertEqual(row["references"], 0, row)
            tester.assertIn(row["state"], ("app-released", "destroying"), row)
            if table == "queues" and row["confidence"] == "presumed":
                tester.assertEqual(row["presumed"], ["state"], row)
    tester.assertLessEqual(len(session.answer("released.memobjs").rows()), 4)
    tester.assertLessEqual(len(session.answer("released.queues").rows()), 1)


def assert_usage(truth: Row, overview: Row, memory: Row) -> None:
    """The counts of the threads are those of the overview, and the peaks are at least as high."""
    tester = unittest.TestCase()
    usage = {row["kind"]: row for row in memory["usage"]}
    expected = {
        kind: overview[kind]
        for kind in ("contexts", "queues", "programs", "kernels", "samplers", "events")
    }
    expected["memory-objects"] = overview["memory_objects"]
    expected["svm-allocations"] = overview["svm_allocations"]
    expected["svm-frees"] = overview["svm_frees"]
    owners = list(truth["memobjs"]) + list(truth["contexts"])
    expected["destructors"] = sum(len(row["destructors"]) for row in owners)
    tester.assertEqual(expected, {kind: row["live"] for kind, row in usage.items()})
    for row in usage.values():
        tester.assertGreaterEqual(row["peak"], row["live"])
        tester.assertGreaterEqual(row.get("peak_bytes", 0), row.get("bytes", 0))
    tester.assertEqual(usage["memory-objects"]["bytes"], overview["memory_object_bytes"])
    tester.assertEqual(usage["svm-allocations"]["bytes"], overview["svm_bytes"])
    # Several threads made them: a bound, which is the peak itself where it is reached now.
    objects = usage["memory-objects"]
    is_bound = "peak" in objects.get("presumed", [])
    tester.assertEqual(objects["peak"] > objects["live"], is_bound, objects)


def assert_overview(truth: Row, row: Row) -> None:
    """The overview counts the rows of the lists."""
    tester = unittest.TestCase()

    def rows(key: str) -> List[Row]:
        return list(truth[key])

    memobjs = rows("memobjs")
    owners = [row for row in memobjs if row["parent"] is None]
    destructors = [d for row in memobjs + rows("contexts") for d in row["destructors"]]
    expected = {
        "pid": truth["pid"],
        "contexts": len(rows("contexts")),
        "queues": len(rows("queues")),
        "memory_objects": len(memobjs),
        "memory_object_bytes": sum(row["size"] for row in owners),
        "app_released": sum(row["state"] == "app-released" for row in memobjs),
        "svm_allocations": len(rows("svm")),
        "svm_bytes": sum(row["size"] for row in rows("svm")),
        "svm_frees": len(rows("svm-frees")),
        "destructors_registered": sum(d["state"] == "registered" for d in destructors),
        "destructors_running": sum(d["state"] == "running" for d in destructors),
        "programs": len(rows("programs")),
        "kernels": len(truth.get("kernels", [])),
        "samplers": len(truth.get("samplers", [])),
        "events": len(rows("events")),
        "over_releases": 0,
        "unknown_handles": 0,
        "not_recorded": 0,
    }
    tester.assertEqual(expected, {key: row.get(key) for key in expected})
