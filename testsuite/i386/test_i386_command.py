#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 64-bit command ompd-opencl prints the expected values of 32-bit programs, and the same as the
GDB plugin: for processes, and for cores of GDB and the kernel."""

from __future__ import annotations

import ctypes
import glob
import itertools
import os
import signal
import subprocess
from typing import Dict, List

import command_comparing as comparing
import test_command_objects as objects
from command import run
from comparing import assert_truth
from harness import BUILD, RECORDER, ask, ask_lists, environment, main, program
from harness import read_truth, run_gdb, work_folder
from kernel_core import allow_core, skip_without_cores
from ompd_opencl import host_structures

RUNTIME = "pocl-i386"
HOST_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-host.so.0")


def host_pthreads(target: List[str]) -> Dict[int, int]:
    """The pthread_t of each LWP, as the host library finds them without the recorder."""
    host = ctypes.CDLL(HOST_LIBRARY)
    opened = ctypes.c_void_p()
    if target[0] == "--pid":
        code = host.ompd_host_process_open(int(target[1]), None, ctypes.byref(opened))
    else:
        code = host.ompd_host_core_open(target[1].encode(), None, ctypes.byref(opened))
    if code != 0:
        raise AssertionError("the host library does not open %s: %d" % (target, code))
    found: Dict[int, int] = {}
    thread = host_structures.Thread()
    for index in itertools.count():
        if host.ompd_host_thread_get(opened, ctypes.c_size_t(index), ctypes.byref(thread)) != 0:
            break
        found[thread.lwp] = thread.pthread
    host.ompd_host_target_close(opened)
    return found


class TestCore(objects.TestCore):
    runtime = RUNTIME


class TestBusyThreads(objects.TestBusyThreads):
    runtime = RUNTIME


class TestProcess(objects.TestProcess):
    runtime = RUNTIME


class TestLists(comparing.Cases):
    """The lists, with the functions, files and lines of callbacks and callers."""

    def setUp(self) -> None:
        self.variables = environment(RUNTIME)
        self.variables["OMPD_OPENCL_STACK_DEPTH"] = "16"
        self.path = program("programs/truth-program", RUNTIME)

    def _compare(self, folder: str, stop: str, gdb_words: List[str]) -> None:
        commands = comparing.plugin_questions(list(comparing.TABLES))
        commands += ask_lists("truth") + [ask("truth.destructors", "opencl destructors -json")]
        session = run_gdb(gdb_words, commands, self.variables, name="i386-lists")
        assert_truth(read_truth(folder, stop), session, "truth")
        self.compare_all(session, list(comparing.TABLES))
        rows = run([*self.target, "threads", "--json"], self.variables).objects()
        self.assertGreater(len(rows), 1)
        pthreads = host_pthreads(self.target)
        for row in rows:
            self.assertEqual(row["pthread"], hex(pthreads[row["lwp"]]))

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        folder = work_folder("i386-kernel-core")
        done = subprocess.run(
            [self.path, folder, "abort-destructor"],
            cwd=folder,
            env=self.variables,
            preexec_fn=allow_core,
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = [core for core in glob.glob(folder + "/*") if "json" not in core]
        self.assertEqual(len(cores), 1, os.listdir(folder))
        self.target = ["--core", cores[0]]
        self._compare(folder, "destructor", [self.path, cores[0]])
        verdict = run(["triage", cores[0]], self.variables).output
        place = "died of SIGABRT in abort < population_stop < destructor_stopping < "
        self.assertIn(place, verdict)
        os.unlink(cores[0])

    def test_other_recorder(self) -> None:
        """A recorder of 64 bits is not loaded, and that is said to be the reason."""
        variables = environment(RUNTIME, recorder=False)
        folder = work_folder("i386-other-recorder")
        core = os.path.join(folder, "core")
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "gcore " + core, "kill"]
        run_gdb([self.path], commands, variables, plugin=False, name="i386-other-recorder")
        variables["OMPD_OPENCL_RECORDER"] = RECORDER
        reason = "the program is 32-bit and the recorder %s is not; "
        reason %= RECORDER
        for words in (
            ["--core", core, "memobjs"],
            ["run", "sh", "-c", "exec %s %s" % (self.path, folder)],
        ):
            self.assertIn(reason, run(words, variables).errors)
        os.unlink(core)

    def test_process(self) -> None:
        folder = work_folder("i386-process")
        with subprocess.Popen(
            [self.path, folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            for stop in ("main", "destructor"):
                self.assertEqual(process.stdout.readline(), stop + "\n")
                self.target = ["--pid", str(process.pid)]
                self._compare(folder, stop, ["-p", str(process.pid)])
                process.stdin.write("\n")
                process.stdin.flush()
            process.communicate("\n\n\n")
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    main()
