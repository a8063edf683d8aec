#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's own GDB plugin for OMPD loads our library unmodified, and shows correct values.

It finds the library by ompd_dll_locations of the recorder.  It never reports that the target has
run, but at a later stop it must show the values of that stop.
"""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import Any, Dict, List

import llvm_plugin
from harness import Row, Session, main, program, read_truth, recorder_alone, run_gdb, work_folder

BUSY_STOPS = ("busy", "nested", "idle")
COUNT_STOPS = ("main", "destructor", "finished")

# Reads of a thread's state and of all ICVs: LLVM's plugin pays 2.7 microseconds a byte.
MOST_BYTES = 16384


# Functions that LLVM's plugin tests by `ompdtestapi`, and that mean something for OpenCL.
TESTED = (
    "ompd_get_thread_handle",
    "ompd_get_thread_id",
    "ompd_initialize",
    "ompd_get_api_version",
    "ompd_get_version_string",
    "ompd_finalize",
    "ompd_process_initialize",
    "ompd_get_state",
    "ompd_get_display_control_vars",
    "ompd_enumerate_icvs",
    "ompd_get_icv_string_from_scope",
)

# Commands of LLVM's plugin about parallel regions and tasks, and what its frame filter touches.
REFUSED = ("ompd parallel", "ompd bt on", "backtrace", "ompd taskframes", "ompd bt off")


def counts_of(truth: Dict[str, Any]) -> Dict[str, int]:
    """The counters that `ompd icvs` must show, by name."""
    return {
        "contexts-var": len(truth["contexts"]),
        "queues-var": len(truth["queues"]),
        "memory-objects-var": len(truth["memobjs"]),
        "memory-object-bytes-var": sum(
            row["size"] for row in truth["memobjs"] if row["parent"] is None
        ),
        "svm-allocations-var": len(truth["svm"]),
        "svm-bytes-var": sum(row["size"] for row in truth["svm"]),
        "svm-frees-var": len(truth["svm-frees"]),
        "over-releases-var": 0,
        "unknown-handles-var": 0,
        "not-recorded-var": 0,
    }


def at_stops(stops: Any, *more: str) -> List[str]:
    """Stop in truth_stop once for each of STOPS, and ask there; MORE is done at each."""
    commands = ["break truth_stop"]
    for stop in stops:
        commands += ["continue", *llvm_plugin.ask_both(stop)]
        commands += [command.replace("STOP", stop) for command in more]
    return commands


class TestLlvm(unittest.TestCase):
    def setUp(self) -> None:
        llvm_plugin.require()
        self.variables = recorder_alone("pocl")

    def _run(self, name: str, words: List[str], commands: List[str]) -> Session:
        """A GDB with LLVM's plugin and without ours, which must end well."""
        session = run_gdb(
            words,
            llvm_plugin.load() + commands,
            self.variables,
            plugin=False,
            name=name,
            all_symbols=True,
        )
        self.assertEqual(session.status, 0, session.errors)
        self.assertTrue(llvm_plugin.is_loaded(session), session.answer("init").output)
        return session

    def _assert_threads(self, session: Session, folder: str, stop: str) -> None:
        expected = llvm_plugin.states_of(read_truth(folder, stop))
        shown = llvm_plugin.threads(session, stop)
        self.assertGreater(len(expected), 1)
        self.assertEqual(expected, {lwp: shown.get(lwp, "not listed") for lwp in expected}, stop)
        for lwp in shown.keys() - expected.keys():  # the runtime's own
            self.assertIn(shown[lwp], (None, "opencl_outside"))

    def _assert_counts(self, session: Session, folder: str, stop: str) -> None:
        expected = counts_of(read_truth(folder, stop))
        shown = llvm_plugin.icvs(session, stop)
        found = {name: shown[name].value if name in shown else None for name in expected}
        self.assertEqual(expected, found, stop)

    def _assert_counts_after_work(self, session: Session, folder: str) -> None:
        """When all commands are done, objects that they kept alive may or may not be destroyed."""
        truth = read_truth(folder, "finished")
        most = counts_of(truth)
        for table in ("memobjs", "svm"):
            truth[table] = [row for row in truth[table] if not row.get("may_be_gone")]
        least = counts_of(truth)
        shown = llvm_plugin.icvs(session, "finished")
        for name, count in most.items():
            self.assertIn(shown[name].value, range(least[name], count + 1), name)

    def _assert_cheap(self, session: Session, stops: int) -> None:
        costs = llvm_plugin.costs(session)
        self.assertEqual(len(costs), 1 + 2 * stops)
        for name, cost in costs.items():
            self.assertLess(cost.read_bytes, MOST_BYTES, name)
            self.assertGreater(cost.reads, 0, name)
            self.assertLessEqual(cost.lookups, 1, name)

    def test_threads(self) -> None:
        """Live, at three stops: where every thread of the program is, as it says itself."""
        folder = work_folder("llvm-threads")
        commands = llvm_plugin.run_and_init("%s > /dev/null" % folder) + at_stops(BUSY_STOPS)
        session = self._run("llvm-threads", [program("programs/busy-threads")], commands)
        for stop in BUSY_STOPS:
            self._assert_threads(session, folder, stop)
        self._assert_cheap(session, len(BUSY_STOPS))

    def test_counters(self) -> None:
        """Live, at three stops: how many objects there are, as the program counts them."""
        folder = work_folder("llvm-counters")
        commands = llvm_plugin.run_and_init("%s > /dev/null" % folder) + at_stops(COUNT_STOPS)
        session = self._run("llvm-counters", [program("programs/truth-program")], commands)
        for stop in COUNT_STOPS[:2]:
            self._assert_counts(session, folder, stop)
        self._assert_counts_after_work(session, folder)
        values = [llvm_plugin.icvs(session, stop) for stop in COUNT_STOPS]
        self.assertNotEqual(values[0], values[1])
        self.assertNotEqual(values[1], values[2])
        scopes = {name: icv.scope for name, icv in values[0].items()}
        self.assertEqual(scopes, llvm_plugin.documented_icvs())
        self._assert_cheap(session, len(COUNT_STOPS))

    def test_core(self) -> None:
        """On a core: all counters, and of each thread what `ompd icvs` shows of it.

        The plugin learns of threads by a breakpoint.  So on a core `ompd threads` shows those alone
        that `ompd icvs` was asked on before.
        """
        folder = work_folder("llvm-core")
        core = os.path.join(folder, "core")
        words = [program("programs/busy-threads")]
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "gcore " + core, "kill"]
        run_gdb(words, commands, self.variables, plugin=False, name="llvm-core")
        rows = {row["lwp"]: row for row in read_truth(folder, "busy")["threads"]}
        entered = [lwp for lwp, row in rows.items() if row["has_entered"] and not row["has_ended"]]
        commands = [llvm_plugin.INIT, llvm_plugin.ask_threads("first")]
        for lwp in entered:
            commands += ["python select_lwp(%d)" % lwp, llvm_plugin.ask_icvs(str(lwp))]
        session = self._run(
            "llvm-core", [*words, core], [*commands, llvm_plugin.ask_threads("last")]
        )
        os.unlink(core)
        self.assertEqual(set(llvm_plugin.threads(session, "first").values()), {None})
        shown = llvm_plugin.threads(session, "last")
        self.assertEqual(
            {lwp: llvm_plugin.state_of(rows[lwp]) for lwp in entered}, llvm_plugin.known(shown)
        )
        for lwp in entered:
            self._assert_icvs_of_thread(session, rows[lwp])

    def _assert_icvs_of_thread(self, session: Session, truth: Row) -> None:
        """What the ICVs of thread scope say of where a thread is."""
        shown = llvm_plugin.icvs(session, str(truth["lwp"]))
        activities = truth["activities"]
        self.assertEqual(shown["depth-var"], llvm_plugin.Icv("thread", len(activities)))
        handle = shown["handle-var"].value
        if len(activities) > llvm_plugin.DEEPEST:
            self.assertEqual(handle, -1)
        else:
            self.assertEqual(hex(handle), activities[0]["handle"] if activities else "0x0")

    def test_attached(self) -> None:
        """A process that has run for a while: the start of its threads was not seen, but its
        counters count."""
        folder = work_folder("llvm-attached")
        path = program("programs/truth-program")
        with subprocess.Popen(
            [path, folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            self.assertEqual(process.stdout.readline(), "main\n")
            commands = [llvm_plugin.INIT, llvm_plugin.ask_icvs("main"), "detach"]
            session = self._run("llvm-attached", ["-p", str(process.pid)], commands)
            self._assert_counts(session, folder, "main")
            process.kill()

    def test_api(self) -> None:
        """LLVM's own tests of an OMPD library's functions, as far as OpenCL has what they ask."""
        folder = work_folder("llvm-api")
        commands = llvm_plugin.run_and_init("%s > /dev/null" % folder)
        commands += ["break truth_stop", "continue"]
        commands += ["ompdtestapi " + name for name in TESTED]
        commands.append(llvm_plugin.ask_threads("busy"))
        session = self._run("llvm-api", [program("programs/busy-threads")], commands)
        verdicts = llvm_plugin.verdicts(session)
        self.assertEqual({verdict.function for verdict in verdicts}, set(TESTED))
        failed = [verdict for verdict in verdicts if not verdict.is_success]
        self.assertGreaterEqual(len(verdicts) - len(failed), 24)
        for verdict in failed:
            # It wants another code than bad input, which OpenMP leaves to the library.
            self.assertRegex(verdict.test, "for NULL (addr_|thread_)?handle", verdict)
            self.assertTrue(verdict.said.endswith("return code = 3"), verdict)
        self._assert_threads(session, folder, "busy")

    def test_refused(self) -> None:
        """What is about parallel regions and tasks fails in the plugin, and all else goes on."""
        folder = work_folder("llvm-refused")
        commands = llvm_plugin.run_and_init("%s > /dev/null" % folder)
        commands += ["break truth_stop", "continue"]
        commands += ["python ask_llvm(%r, %r)" % (name, name) for name in REFUSED]
        commands += ["python ask_llvm('after', 'backtrace')", llvm_plugin.ask_threads("busy")]
        session = self._run("llvm-refused", [program("programs/busy-threads")], commands)
        self.assertLessEqual(set(REFUSED), set(session.answers))
        self.assertIn("main (", session.answer("after").output)
        self._assert_threads(session, folder, "busy")


if __name__ == "__main__":
    main()
