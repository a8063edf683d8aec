#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl run` detaches for good from a process that a debugger is started for, and reports
what the recorder had by then."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
import unittest
from typing import Dict, Iterator, List, Tuple

from command import COMMAND, FINDINGS, OK, UNREADABLE, as_error, run
from harness import RECORDER, TIME_LIMIT, environment, gdb_command, main, program, work_folder
from process_states import children, of_threads, tracers

FAMILY = program("programs/family")
THREADS = program("programs/short-threads")
WATCHED = 0.3  # seconds, in which a debugger that has begun is looked for many times
DETACHED = (
    "ompd-opencl: detached from process %d so that process %d can attach; its later actions are "
    "not reported\n"
)
REFUSED = "Refused calls: 1\n  CL_INVALID_VALUE from clSetMemObjectDestructorCallback at "
UNKNOWN = "What %s left alive is unknown: `run` detached so that process %d could attach."


class TestDetach(unittest.TestCase):
    variables: Dict[str, str] = {}
    script = ""  # a debugger that never attaches, and ends with its input

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd", recorder=False)
        cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER
        folder = work_folder("command-detach")
        cls.script = os.path.join(folder, "script-gdb")
        with open(cls.script, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nread line\n")
        os.chmod(cls.script, 0o755)
        cls.variables["PATH"] = folder + ":" + cls.variables["PATH"]

    @contextlib.contextmanager
    def running(self, *words: str) -> Iterator[Tuple["subprocess.Popen[str]", int]]:
        """The command that runs WORDS, and the process that has written its first line."""
        with subprocess.Popen(
            [COMMAND, "run", *words],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        ) as command:
            assert command.stdout is not None
            try:
                line = command.stdout.readline().strip()
                pid = int(line) if line.isdigit() else children(command.pid)[0]
                self.assertEqual(tracers(pid), {str(command.pid)})
                yield command, pid
            except BaseException:
                command.kill()
                raise

    def gdb(self, words: List[str], *commands: str) -> Tuple[int, str]:
        """The process of a GDB, and what it says."""
        with subprocess.Popen(
            gdb_command(words, commands, plugin=False),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as other:
            return other.pid, other.communicate(timeout=TIME_LIMIT)[0]

    def has_all_threads(self, text: str, pid: int) -> None:
        for lwp in of_threads(pid, "stat"):
            self.assertIn("LWP %d" % lwp, text)

    def end(self, command: "subprocess.Popen[str]", pid: int) -> str:
        """The report about a process that is then sent SIGTERM."""
        os.kill(pid, signal.SIGTERM)
        return command.communicate(timeout=TIME_LIMIT)[1]

    def test_gdb(self) -> None:
        """GDB attaches to all threads, and to a late one afterwards.  The earlier actions of the
        program are reported at the end."""
        script = os.path.join(work_folder("command-detach"), "attach.gdb")
        with self.running(FAMILY, "use", "refused", "wait") as (command, pid):
            with open(script, "w", encoding="ascii") as file:
                file.write("attach %d\ninfo threads\n" % pid)
            text = self.gdb(["-x", script])[1]
            self.assertIn("is already traced by process %d" % command.pid, text)
            self.assertEqual(tracers(pid), {str(command.pid)})
            other, text = self.gdb(["-p", str(pid)], "info threads", "detach")
            self.assertEqual(len(of_threads(pid, "stat")), 2)
            self.has_all_threads(text, pid)
            self.assertIn("[Inferior 1 (process %d) detached]" % pid, text)
            self.has_all_threads(self.gdb(["-x", script])[1], pid)
            self.assertEqual(tracers(pid), {"0"})
            errors = self.end(command, pid)
        self.assertEqual(command.returncode, UNREADABLE)
        self.assertTrue(errors.startswith(DETACHED % (pid, other)), errors)
        end = "%s (process %d) died of SIGTERM.\n" % (FAMILY, pid)
        self.assertIn(end + REFUSED, errors)
        self.assertTrue(
            errors.endswith("ompd-opencl: %s\n" % as_error(UNKNOWN % (FAMILY, other))), errors
        )
        self.assertNotIn("Alive", errors)

    def test_json(self) -> None:
        """Who reads JSON gets the same, in lines of JSON alone."""
        with self.running("--json", FAMILY, "use", "refused", "wait") as (command, pid):
            other = self.gdb(["-p", str(pid)], "print (void)_exit(7)")[0]
            errors = command.communicate(timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, UNREADABLE)
        lines = errors.splitlines()
        first, refused = [json.loads(line) for line in lines if line.startswith("{")]
        self.assertEqual((first["pid"], first["exit_status"], first["is_detached"]), (pid, 7, True))
        self.assertEqual(first["error"], UNKNOWN % (FAMILY, other))
        self.assertNotIn("findings", first)
        self.assertEqual((refused["times"], refused["error"]), (1, "CL_INVALID_VALUE"))

    def test_child(self) -> None:
        """From one of several processes `run` detaches, and goes on with the others."""
        line = "%s use refused wait & wait; exit 5" % FAMILY
        with self.running("sh", "-c", line) as (command, pid):
            other, text = self.gdb(["-p", str(pid)], "info threads")
            self.has_all_threads(text, pid)
            self.assertEqual(tracers(pid), {"0"})
            errors = self.end(command, pid)
        self.assertEqual(command.returncode, FINDINGS)
        self.assertIn(
            "\n%s (process %d) was not followed to its end.\nWhat it left alive is unknown: "
            "`run` detached so that process %d could attach.\n%s" % (FAMILY, pid, other, REFUSED),
            "\n" + errors.replace(DETACHED % (pid, other), ""),
        )
        self.assertRegex(errors, r"\nsh \(process \d+\) exited with status 5\.\n\Z")

    def test_threads(self) -> None:
        """Threads that begin and end meanwhile are let go, too, for the command's own GDB."""
        with self.running(THREADS, "3") as (command, pid):
            words = gdb_command([], ["info threads"], plugin=False)[1:]
            answer = run(["gdb", str(pid), *words], self.variables)
            self.assertIn("LWP %d" % pid, answer.output)
            self.assertEqual(tracers(pid), {"0"})
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" (process %d) exited with status 0.\n" % pid, errors)
        self.assertEqual(command.returncode, UNREADABLE)

    @contextlib.contextmanager
    def debugger(self, *words: str) -> Iterator[None]:
        """One that has begun; it is a script."""
        with subprocess.Popen([self.script, *words], stdin=subprocess.PIPE) as other:
            yield
            other.communicate(b"", timeout=TIME_LIMIT)

    def test_command_lines(self) -> None:
        """`run` detaches for a debugger alone whose command line names the process, and whether
        that attaches or not."""
        with self.running(FAMILY, "use", "end", "wait") as (command, pid):
            others = (
                [str(pid) + "0"],
                ["-ex", "x/%dx 0" % pid],
                ["--args", "other", str(pid)],
            )
            for words in others:
                with self.subTest(words=words), self.debugger(*words):
                    limit = time.monotonic() + WATCHED
                    while time.monotonic() < limit:
                        self.assertEqual(tracers(pid), {str(command.pid)})
            with self.debugger("-ex", "attach %d" % pid):
                limit = time.monotonic() + TIME_LIMIT
                while tracers(pid) != {"0"}:
                    self.assertLess(time.monotonic(), limit)
            self.assertIn("detached from process %d" % pid, self.end(command, pid))

    def test_pid(self) -> None:
        """The command itself reads a process that is traced, if it need not be stopped."""
        with self.running(FAMILY, "use", "buffer", "wait") as (command, pid):
            answer = run(["--pid", str(pid), "memobjs"], self.variables)
            self.assertEqual((answer.code, answer.is_refusal()), (UNREADABLE, True))
            self.assertIn("is already traced by process %d" % command.pid, answer.errors)
            self.assertIn("read it without stopping it", answer.errors)
            answer = run(["--pid", str(pid), "--no-stop", "memobjs"], self.variables)
            self.assertEqual((answer.code, answer.errors), (OK, ""))
            self.assertIn("buffer  64 B", answer.output)
            self.assertIn("died of SIGTERM.\n", self.end(command, pid))


if __name__ == "__main__":
    main()
