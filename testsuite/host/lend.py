#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that `ompd-opencl run` runs and others look at: all answers, several who ask, threads
that come and go, GDB."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
import unittest
from typing import Iterator, List

from command import COMMAND, FINDINGS, NOTHING_FOUND, OK, UNREADABLE, USAGE, run
from command_rows import ask_all
from harness import GDB, TIME_LIMIT, gdb_command, main, program, work_folder
from lending import LendCase
from process_states import tracers

LOOKS = 100  # at a program whose threads come and go
LASTING = 50  # buffers of it that stay
LOOKS_OF_GDB = 3
LOOKS_OF_STRACE = 5  # until one must have got in
WATCHED = 0.3  # seconds, in which a debugger that has begun is looked for many times


class TestLend(LendCase):
    folder = ""  # of debuggers that `run` knows by names like a vendor's
    script = ""  # one of them

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.folder = work_folder("command-lend-path")
        cls.script = os.path.join(cls.folder, "script-gdb")
        with open(cls.script, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nread line\n")
        os.chmod(cls.script, 0o755)
        cls.variables["PATH"] = cls.folder + ":" + cls.variables["PATH"]

    def test_answers(self) -> None:
        """The answers are those of a process that is stopped, and it goes on to its end."""
        with self.population() as (command, target):
            shown = ask_all(target, self.variables)
            self.assertEqual(shown, ask_all([*target, "--no-stop"], self.variables))
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

    def test_borrower_dies(self) -> None:
        """One that is killed while it has borrowed the program lets it go on."""
        with self.population() as (command, target):
            with self.holding(target) as other:
                other.kill()
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(command.returncode, OK)

    def test_two_borrowers(self) -> None:
        """The second waits for the first."""
        with self.population() as (command, target):
            with self.holding(target) as other:
                second = subprocess.Popen(
                    [COMMAND, *target, "memobjs"], env=self.variables, stdout=subprocess.DEVNULL
                )
                with second:
                    self.read_all(other)
                    self.assertEqual(second.wait(TIME_LIMIT), OK)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)
        self.assertEqual(command.returncode, OK)

    def test_threads_come_and_go(self) -> None:
        """Each look is whole, whatever the threads are about to do; so is the last."""
        with self.running(program("programs/short-threads"), str(LASTING)) as (command, target):
            for _ in range(LOOKS):
                answer = run([*target, "memobjs", "--json"], self.variables)
                self.assertEqual((answer.code, answer.errors), (OK, ""))
                sizes = [row["size"] for row in answer.objects()]
                self.assertEqual(sizes[:LASTING], [64] * LASTING)
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" exited with status 0.\n", errors)

    def gdb(self, target: List[str], *commands: str) -> str:
        """What GDB says, for which `run` lets go of the program."""
        words = gdb_command([], commands, plugin=False)[1:]
        answer = run(["gdb", target[1], *words], self.variables)
        self.assertEqual(answer.code, OK, answer)
        return answer.output

    def test_gdb(self) -> None:
        """GDB comes and goes, and the end is told as ever."""
        with self.population() as (command, target):
            for _ in range(3):
                self.has_all_threads(self.gdb(target, "info threads", "detach"), target)
                self.is_traced_again(command, target)
            self.assertEqual(run([*target, "memobjs"], self.variables).code, OK)
            errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

    def test_crash_after_gdb(self) -> None:
        with self.population() as (command, target):
            self.gdb(target, "info threads")
            self.is_traced_again(command, target)
            os.kill(int(target[1]), signal.SIGSEGV)
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, FINDINGS)
        self.assertIn(" died of SIGSEGV.\n", errors)
        self.assertIn("\nAlive when it died: ", errors)

    def test_end_in_gdb(self) -> None:
        """What a program has left is not known that ends while GDB traces it; how it did is."""
        with self.population() as (command, target):
            self.gdb(target, "kill")
            errors = self.errors_of_killed(command)
        self.assertEqual(command.returncode, UNREADABLE)
        self.assertIn(" died of SIGKILL.\n", errors)
        self.assertIn("has left alive is not known: it ended while it was lent.\n", errors)

    def test_gdb_and_threads(self) -> None:
        """Threads that begin and end while GDB comes and goes are traced again."""
        with self.running(program("programs/short-threads"), str(LASTING)) as (command, target):
            for _ in range(5):
                self.gdb(target, "info threads")
                answer = run([*target, "memobjs", "--json"], self.variables)
                self.assertEqual((answer.code, answer.errors), (OK, ""))
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" exited with status 0.\n", errors)
        self.assertNotIn("not known", errors)

    def tell_end(self, command: "subprocess.Popen[str]", target: List[str]) -> None:
        """What became of the program is told as ever."""
        self.is_traced_again(command, target)
        errors = command.communicate("\n\n\n\n", timeout=TIME_LIMIT)[1]
        self.assertEqual(command.returncode, OK)
        self.assertIn(" exited with status 0.\n", errors)
        self.assertIn("\n" + NOTHING_FOUND, errors)

    def test_gdb_alone(self) -> None:
        """GDB by itself gets in, time and again, also by a name that is like a vendor's."""
        other = os.path.join(self.folder, "vendor-gdb")
        shutil.copy(shutil.which(GDB) or GDB, other)
        self.addCleanup(os.unlink, other)
        with self.population() as (command, target):
            for name in [GDB, other] * LOOKS_OF_GDB:
                text = self.gdb_alone(target, "info threads", name=name)
                self.has_all_threads(text, target)
                self.is_traced_again(command, target)
            self.tell_end(command, target)

    def test_gdb_alone_and_threads(self) -> None:
        """Threads that begin and end while GDB comes and goes are traced again."""
        with self.running(program("programs/short-threads"), str(LASTING)) as (command, target):
            for _ in range(5):
                self.assertIn("LWP %s" % target[1], self.gdb_alone(target, "info threads"))
                answer = run([*target, "memobjs", "--json"], self.variables)
                self.assertEqual((answer.code, answer.errors), (OK, ""))
                self.come_to_be_traced_by(target, str(command.pid))
            errors = command.communicate("\n", timeout=TIME_LIMIT)[1]
        self.assertIn(" exited with status 0.\n", errors)
        self.assertNotIn("not known", errors)

    def test_gcore(self) -> None:
        """A script that runs GDB gets in; its core tells what the process does."""
        prefix = os.path.join(work_folder("command-lend"), "gcore")
        with self.population() as (command, target):
            subprocess.run(
                ["gcore", "-o", prefix, target[1]],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TIME_LIMIT,
                check=True,
            )
            core = "%s.%s" % (prefix, target[1])
            self.is_traced_again(command, target)
            self.assertEqual(
                run(["--core", core, "memobjs", "--json"], self.variables).objects(),
                run([*target, "memobjs", "--json"], self.variables).objects(),
            )
            self.tell_end(command, target)
        os.unlink(core)

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_strace(self) -> None:
        """It attaches within milliseconds, and may have to be asked again; so says the guide."""
        trace = os.path.join(work_folder("command-lend"), "strace.txt")
        with self.population() as (command, target):
            for _ in range(LOOKS_OF_STRACE):
                words = ["strace", "-f", "-o", trace, "-p", target[1]]
                with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as strace:
                    assert strace.stderr is not None
                    line = strace.stderr.readline()
                    if "attached" not in line:
                        self.assertIn("Operation not permitted", line)
                    else:
                        strace.send_signal(signal.SIGINT)
                        break
                self.is_traced_again(command, target)
            self.assertIn("attached", line)
            self.tell_end(command, target)

    @contextlib.contextmanager
    def debugger(self, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
        """A debugger that never attaches, and ends with its input; it is a script."""
        with subprocess.Popen([self.script, *words], stdin=subprocess.PIPE) as other:
            yield other
            other.communicate(b"", timeout=TIME_LIMIT)

    def stays_traced_by(self, target: List[str], tracer: int) -> None:
        limit = time.monotonic() + WATCHED
        while time.monotonic() < limit:
            self.assertEqual(tracers(int(target[1])), {str(tracer)})

    def test_command_lines(self) -> None:
        """`run` lets go for a debugger that names the program, and takes it back where that ends
        without having attached; and does neither for others, though a shell names it, too."""
        with self.population() as (command, target):
            pid = target[1]
            for words in (
                ["-p", pid],
                ["-p" + pid],
                ["-p", "1," + pid],
                ["--pid=" + pid],
                ["-ex", "attach " + pid],
            ):
                with self.subTest(words=words):
                    with self.debugger(*words):
                        self.come_to_be_traced_by(target, "0")
                    self.is_traced_again(command, target)
            with subprocess.Popen(["sh", "-c", "read line", pid], stdin=subprocess.PIPE) as shell:
                for words in (
                    ["--help"],
                    [pid + "0"],
                    ["1" + pid],
                    ["-ex", "x/%sx 0" % pid],
                    ["--args", "other", pid],
                ):
                    with self.subTest(words=words), self.debugger(*words):
                        self.stays_traced_by(target, command.pid)
                shell.communicate(b"", timeout=TIME_LIMIT)
            self.tell_end(command, target)

    def test_borrower_while_awaited(self) -> None:
        """A debugger that does not come keeps nobody else from the program."""
        with self.population() as (command, target), self.debugger("-p", target[1]):
            self.come_to_be_traced_by(target, "0")
            self.gdb(target, "info threads")
            self.tell_end(command, target)

    def test_attach_later(self) -> None:
        """A debugger that is told later what to attach to is refused, but while the program is
        lent."""
        script = os.path.join(work_folder("command-lend"), "attach.gdb")
        with self.population() as (command, target):
            with open(script, "w", encoding="ascii") as file:
                file.write("attach %s\ninfo threads\n" % target[1])
            words = gdb_command(["-x", script], [], plugin=False)
            answer = subprocess.run(
                words,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=TIME_LIMIT,
                text=True,
                check=False,
            )
            self.assertIn("is already traced by process %d" % command.pid, answer.stdout)
            lent = run(["lend", target[1], *words], self.variables)
            self.assertEqual(lent.code, OK, lent)
            self.has_all_threads(lent.output, target)
            self.tell_end(command, target)

    def test_lend_to_any(self) -> None:
        """The program is lent until the command and what it has started have ended."""
        with self.population() as (command, target):
            script = "read line <&3 & exit 7"
            read, write = os.pipe()
            with subprocess.Popen(
                [COMMAND, "lend", target[1], "sh", "-c", script.replace("3", str(read))],
                env=self.variables,
                pass_fds=[read],
            ) as other:
                self.assertEqual(other.wait(TIME_LIMIT), 7)
            os.close(read)
            self.assertEqual(tracers(int(target[1])), {"0"})
            os.close(write)
            self.tell_end(command, target)

    def test_nobody_lends(self) -> None:
        """A program that something else traces is refused as before."""
        with self.population() as (command, target):
            answer = run(["--pid", str(command.pid), "memobjs"], self.variables)
            self.assertEqual(answer.code, UNREADABLE)
            for word, code in ((str(command.pid), UNREADABLE), ("1x", USAGE), ("0", USAGE)):
                for words in (["gdb", word], ["lend", word, "true"]):
                    answer = run(words, self.variables)
                    self.assertEqual((answer.code, answer.is_refusal()), (code, True), answer)
            for words, code in ((["lend"], USAGE), (["lend", "/no/such"], UNREADABLE)):
                answer = run([words[0], target[1], *words[1:]], self.variables)
                self.assertEqual((answer.code, answer.is_refusal()), (code, True), answer)
            command.communicate("\n\n\n\n", timeout=TIME_LIMIT)


del LendCase  # it has no tests


if __name__ == "__main__":
    main()
