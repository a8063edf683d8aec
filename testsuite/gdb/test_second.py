#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two of the same: two plugins in one GDB, two runtimes with OMPD in one program, two OMPD
libraries in one debugger, two recorders in one process.  None is mistaken for the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from typing import Any, Dict, List

import llvm_plugin
from comparing import assert_truth
from harness import (
    LIBRARY,
    PLUGIN,
    RECORDER,
    Session,
    ask,
    ask_lists,
    main,
    program,
    read_truth,
    recorder_alone,
    run_gdb,
    work_folder,
)

STOPS = ("busy", "nested", "idle")
LOAD_OURS = ["source " + PLUGIN]
# LLVM's plugin lets go of its handles when Python collects its objects.
COLLECT = "python import gc, ompd; ompd.addr_space.threads.clear(); gc.collect()"
SHOW_INSTANCES = (
    "python print('library:', sorted({line.split()[-1] for line in open('/proc/self/maps')"
    " if 'libompd-opencl.so' in line}))"
)

# How the usage rows of `opencl memory -json` are named among the ICVs.
BYTES = {"memory-objects": "memory-object-bytes", "svm-allocations": "svm-bytes"}


def ask_ours(stop: str) -> List[str]:
    """The GDB commands that ask our plugin what LLVM's is asked."""
    return [
        ask(stop + ".threads", "opencl threads -json"),
        ask(stop + ".memory", "opencl memory -json"),
    ]


def our_states(session: Session, stop: str) -> Dict[int, str]:
    """The states of threads by LWP that our plugin shows, in the names that OMPD's tools get."""
    return {
        row["lwp"]: "opencl_" + str(row["state"] or "unknown").replace("-", "_")
        for row in session.answer(stop + ".threads").rows()
    }


def our_counters(session: Session, stop: str) -> Dict[str, int]:
    """What there is of each kind, by the names of ICVs."""
    counters = {}
    for row in session.answer(stop + ".memory").rows()[0]["usage"]:
        counters["%s-var" % row["kind"]] = row["live"]
        counters["%s-peak-var" % row["kind"]] = row["peak"]
        if row["kind"] in BYTES:
            counters["%s-var" % BYTES[row["kind"]]] = row["bytes"]
            counters["%s-peak-var" % BYTES[row["kind"]]] = row["peak_bytes"]
    return counters


class TestTwoPlugins(unittest.TestCase):
    def setUp(self) -> None:
        llvm_plugin.require()
        self.variables = recorder_alone("pocl")

    def _assert_threads(self, session: Session, stop: str) -> None:
        """Both plugins say the same of the threads."""
        ours = our_states(session, stop)
        theirs = llvm_plugin.known(llvm_plugin.threads(session, stop))
        self.assertEqual(ours, theirs, stop)

    def _assert_states(self, session: Session, stop: str, truth: Dict[str, Any]) -> None:
        """What is shown of the program's threads is what they say themselves."""
        shown = our_states(session, stop)
        entered = llvm_plugin.known(llvm_plugin.states_of(truth))
        self.assertGreater(len(entered), 1)
        self.assertEqual(entered, {lwp: shown.get(lwp) for lwp in entered})

    def _assert_counters(self, session: Session, stop: str) -> None:
        """Both plugins count the same."""
        counters = our_counters(session, stop)
        shown = llvm_plugin.icvs(session, stop)
        self.assertGreater(len(counters), 20)
        self.assertEqual(counters, {name: shown[name].value for name in counters}, stop)

    def _assert_well(self, session: Session) -> None:
        self.assertEqual(session.status, 0, session.errors)
        self.assertTrue(llvm_plugin.is_loaded(session), session.answer("init").output)
        found = [line for line in session.output.splitlines() if line.startswith("library: ")]
        self.assertEqual(found, ["library: %s" % [os.path.realpath(LIBRARY)]])

    def _check_order(self, name: str, load: List[str]) -> None:
        """Both plugins at three stops, in turns; and after LLVM's has let go of its handles."""
        folder = work_folder(name)
        commands = [*load, *llvm_plugin.run_and_init("%s > /dev/null" % folder)]
        commands.append("break truth_stop")
        for number, stop in enumerate(STOPS):
            questions = [ask_ours(stop), llvm_plugin.ask_both(stop)]
            commands.append("continue")
            for several in questions if number % 2 else reversed(questions):
                commands += several
        commands += [COLLECT, *ask_ours("again"), llvm_plugin.ask_icvs("again"), SHOW_INSTANCES]
        words = [program("programs/busy-threads")]
        session = run_gdb(
            words, commands, self.variables, plugin=False, name=name, all_symbols=True
        )
        self._assert_well(session)
        for stop in STOPS:
            self._assert_states(session, stop, read_truth(folder, stop))
            self._assert_threads(session, stop)
            self._assert_counters(session, stop)
        self.assertEqual(our_states(session, STOPS[-1]), our_states(session, "again"))
        self._assert_counters(session, "again")

    def test_ours_first(self) -> None:
        """Our plugin is loaded before LLVM's."""
        self._check_order("second-ours-first", LOAD_OURS + llvm_plugin.load())

    def test_theirs_first(self) -> None:
        """LLVM's plugin is loaded before ours."""
        self._check_order("second-theirs-first", llvm_plugin.load() + LOAD_OURS)

    def test_run_again(self) -> None:
        """The program is run again: LLVM's plugin is not notified, and both continue."""
        folder = work_folder("second-run")
        run = "%s > /dev/null" % folder
        commands = [*LOAD_OURS, *llvm_plugin.load(), *llvm_plugin.run_and_init(run)]
        commands += ["break truth_stop", "continue", *ask_ours("old"), *llvm_plugin.ask_both("old")]
        # LLVM's plugin knows threads by GDB's numbers, which begin anew.
        commands += ["kill", COLLECT, "run " + run, *llvm_plugin.ask_both("new"), *ask_ours("new")]
        words = [program("programs/busy-threads")]
        session = run_gdb(
            words, commands, self.variables, plugin=False, name="second-run", all_symbols=True
        )
        self.assertEqual(session.status, 0, session.errors)
        for stop in ("old", "new"):
            self._assert_threads(session, stop)
            self._assert_counters(session, stop)
        self._assert_states(session, "new", read_truth(folder, "busy"))

    def test_core(self) -> None:
        """On a core of a stop, where LLVM's plugin sees no thread begin."""
        folder = work_folder("second-core")
        core = os.path.join(folder, "core")
        words = [program("programs/busy-threads")]
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "gcore " + core, "kill"]
        run_gdb(words, commands, self.variables, plugin=False, name="second-core")
        commands = [*LOAD_OURS, *llvm_plugin.load(), *ask_ours("before"), llvm_plugin.INIT]
        commands += [*llvm_plugin.ask_both("core"), *ask_ours("core"), SHOW_INSTANCES]
        words.append(core)
        session = run_gdb(
            words, commands, self.variables, plugin=False, name="second-core", all_symbols=True
        )
        os.unlink(core)
        self._assert_well(session)
        self._assert_states(session, "core", read_truth(folder, "busy"))
        self._assert_counters(session, "core")
        self.assertEqual(our_counters(session, "before"), our_counters(session, "core"))


class TestTwoLibraries(unittest.TestCase):
    """The debugger has LLVM's libompd loaded for all to see, with the names of ours.

    LLVM's own plugin does not bear that: its functions have these names too.
    """

    def test_lists(self) -> None:
        """Our plugin shows the truth."""
        llvm_plugin.require()
        other = os.path.join(llvm_plugin.FOLDER, "../../../../lib/libompd.so")
        self.assertTrue(os.path.exists(other), other)
        folder = work_folder("second-library")
        commands = ["python import ctypes; ctypes.CDLL(%r, mode=ctypes.RTLD_GLOBAL)" % other]
        commands += [*LOAD_OURS, "break truth_stop", "run %s > /dev/null" % folder]
        commands += [*ask_lists(), ask("memory", "opencl memory -json"), "kill"]
        words = [program("programs/truth-program")]
        variables = recorder_alone("pocl")
        session = run_gdb(
            words, commands, variables, plugin=False, name="second-library", all_symbols=True
        )
        self.assertEqual(session.status, 0, session.errors)
        assert_truth(read_truth(folder, "main"), session)

    def test_inner_calls(self) -> None:
        """No call inside the library can be bound to another library's function."""
        command = ["readelf", "-rW", LIBRARY]
        text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        self.assertIn("JUMP_SLOT", text)
        self.assertNotIn("ompd_", text)


class TestTwoRuntimes(unittest.TestCase):
    """The program uses another runtime with OMPD, and a thread is of that alone."""

    def setUp(self) -> None:
        llvm_plugin.require()
        self.program = program("loader/.libs/two-runtimes")
        folder = os.path.dirname(self.program)
        self.variables = recorder_alone("pocl")
        self.commands = ["set environment LD_LIBRARY_PATH " + folder, *LOAD_OURS]
        self.commands += llvm_plugin.load()

    def _run(self, name: str, commands: List[str]) -> Session:
        folder = work_folder(name)
        begin = llvm_plugin.run_and_init("%s > /dev/null" % folder)
        commands = [*self.commands, *commands, *begin, "break truth_stop", "continue"]
        commands += [*ask_lists(), ask("main.threads", "opencl threads -json")]
        commands += llvm_plugin.ask_both("main")
        session = run_gdb(
            [self.program], commands, self.variables, plugin=False, name=name, all_symbols=True
        )
        self.assertEqual(session.status, 0, session.errors)
        assert_truth(read_truth(folder, "main"), session)
        self.assertEqual(len(our_states(session, "main")), 1)
        return session

    def test_other_runtime_first(self) -> None:
        """LLVM's plugin searches for the other runtime's library, and reports it."""
        session = self._run("second-runtime", [])
        self.assertFalse(llvm_plugin.is_loaded(session))
        self.assertIn("OMPD library could not be loaded!", session.answer("init").output)

    def test_recorder_first(self) -> None:
        """With the recorder preloaded LLVM's plugin finds ours, and our threads among all."""
        session = self._run("second-preloaded", ["set environment LD_PRELOAD " + RECORDER])
        self.assertTrue(llvm_plugin.is_loaded(session), session.answer("init").output)
        shown = llvm_plugin.icvs(session, "main")
        self.assertEqual(shown["memory-objects-var"].value, len(session.answer("memobjs").rows()))
        text = session.answer("main.llvm-threads").output
        self.assertIn("is an OpenMP thread; state: opencl_outside", text)


class TestTwoRecorders(unittest.TestCase):
    def test_each_first(self) -> None:
        """Two copies of the recorder are layers of one process: one of them records."""
        folder = work_folder("second-recorder")
        copy = os.path.join(folder, os.path.basename(RECORDER))
        shutil.copy(RECORDER, copy)
        for layers in (RECORDER + ":" + copy, copy + ":" + RECORDER):
            with self.subTest(layers=layers):
                variables = dict(recorder_alone("pocl"), OPENCL_LAYERS=layers)
                commands = ["break truth_stop", "run %s > /dev/null" % folder, *ask_lists("main")]
                commands += ["continue", *ask_lists("destructor"), "kill"]
                words = [program("programs/truth-program")]
                session = run_gdb(
                    words, commands, variables, name="second-recorder", all_symbols=True
                )
                for stop in ("main", "destructor"):
                    assert_truth(read_truth(folder, stop), session, stop)


if __name__ == "__main__":
    main()
