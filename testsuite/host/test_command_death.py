#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl run` with programs that die: it reports where, or what they waited for."""

from __future__ import annotations

import glob
import json
import os
import re
import signal
import subprocess
import unittest
from typing import Any, Dict, List, Tuple

from command import BUILT_COMMAND, COMMAND, FINDINGS, UNREADABLE, Answer, run
from hangs import HANGS, expected, said
from harness import RECORDER, TIME_LIMIT, Row, environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores
from mistakes import MISTAKES
from mistakes import expected as expected_of_mistake
from mistakes import said as said_of_mistake

DIE = program("programs/die")
LEAVE = program("programs/leave")
WAITING = program("programs/waiting")
PLACE = r"(?:[\w.]+ at [\w.-]+:\d+|\w+ in [\w.-]+|0x[0-9a-f]+ in [\w.-]+|\w+)"
SHOWN = 24  # calls of a stack


class TestDeath(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("pocl", recorder=False)
        if COMMAND != BUILT_COMMAND:  # the recorder beside it may not be for these programs
            cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER

    def die(self, way: str) -> Tuple[Row, str, List[str]]:
        """What the program says of its death; the sentence of the command, without the LWP; and
        the calls below it."""
        answer = run(["run", DIE, way], self.variables)
        self.assertEqual(answer.code, FINDINGS, answer)
        sentence, calls = self.split(answer)
        return json.loads(answer.output or "{}"), sentence, calls

    def split(self, answer: Answer, first: int = 0) -> Tuple[str, List[str]]:
        """The sentence and the calls of an answer, both of which come before the verdict."""
        lines = answer.errors.splitlines()[first:]
        self.assertRegex(lines[0], r"\ALWP \d+ got .*:\Z")
        calls = [line for line in lines if re.match(r"    (#\d+ +|and more)", line)]
        calls = calls[: lines.index([line for line in lines if " died of " in line][0]) - 1]
        for number, call in enumerate(calls):
            if number < SHOWN:
                self.assertRegex(call, r"\A    #%-2d %s\Z" % (number, PLACE))
        return re.sub(r"\ALWP \d+ got ", "", lines[0]), [call[8:] for call in calls]

    def no_wrappers(self, calls: List[str]) -> None:
        """The calls end at main, and none only passes on what the program calls."""
        self.assertRegex(calls[-1], r"\Amain( at die\.c:\d+)?\Z")
        self.assertFalse(re.findall("recorder|libOpenCL|cl::", "\n".join(calls)))

    def test_call(self) -> None:
        """In OpenCL: the call, and the caller behind a wrapper of C++."""
        truth, sentence, calls = self.die("call")
        place = re.escape(calls[0])
        self.assertRegex(
            sentence,
            r"\ASIGSEGV for unmapped address %s in %s, in clCreateBuffer, "
            r"called from main at die\.c:%d:\Z" % (truth["address"], place, truth["line"]),
        )
        self.no_wrappers(calls)
        self.assertGreater(len(calls), 2)

    def test_callback(self) -> None:
        truth, sentence, calls = self.die("callback")
        place = "write_nowhere at die.c:%d" % truth["line"]
        self.assertEqual(
            sentence,
            "SIGSEGV for unmapped address %s in %s, in an OpenCL callback:"
            % (truth["address"], place),
        )
        self.assertEqual(calls[0], place)
        if "libpocl" not in calls[-1]:  # some runtimes call it in a thread of their own
            self.no_wrappers(calls)

    def test_thread(self) -> None:
        """Of the threads it is the one that died; what started it is not shown."""
        truth, sentence, calls = self.die("thread")
        place = "write_in_thread at die.c:%d" % truth["line"]
        self.assertEqual(
            sentence, "SIGSEGV for unmapped address %s in %s:" % (truth["address"], place)
        )
        self.assertEqual(calls, [place])

    def test_denied(self) -> None:
        """Memory is there, but may not be written."""
        truth, sentence, _ = self.die("denied")
        place = "write_constant at die.c:%d" % truth["line"]
        self.assertEqual(sentence, "SIGSEGV for address %s in %s:" % (truth["address"], place))

    def test_handled(self) -> None:
        """Not the signal that it got first."""
        truth, sentence, calls = self.die("handled")
        place = "die_handled at die.c:%d" % truth["line"]
        self.assertEqual(
            sentence, "SIGSEGV for unmapped address %s in %s:" % (truth["address"], place)
        )
        self.no_wrappers(calls)

    def test_raised_again(self) -> None:
        """A handler lets the signal kill the program: its cause is reported, not how."""
        for way in ("raised-again", "told-again"):
            truth, sentence, calls = self.die(way)
            place = "die_raised_again at die.c:%d" % truth["line"]
            self.assertEqual(
                sentence, "SIGSEGV for unmapped address %s in %s:" % (truth["address"], place)
            )
            self.assertEqual(calls[0], place)
            self.no_wrappers(calls)

    def test_gone(self) -> None:
        """An address of a destroyed object."""
        answer = run(["run", DIE, "gone"], self.variables)
        truth = json.loads(answer.output)
        self.assertEqual(answer.code, FINDINGS)
        self.assertRegex(
            answer.errors,
            r"(?m)^%s was byte 33554432 of the memory of an SVM allocation of 64 MiB, made at "
            r"use_freed at die\.c:\d+ by LWP \d+, freed at use_freed at die\.c:%d by LWP \d+, "
            r"destroyed " % (truth["address"], truth["line"] - 2),
        )
        self.assertNotIn("No findings", answer.errors)

    def test_deep(self) -> None:
        """A stack without end is cut."""
        _, sentence, calls = self.die("deep")
        self.assertRegex(
            sentence, r"\ASIGSEGV for unmapped address 0x[0-9a-f]+ in call_again at die\.c:"
        )
        self.assertEqual(len(calls), SHOWN + 1)

    def test_calls(self) -> None:
        """Calls of what is no code, and of what ends a program."""
        caller = r"call_where_no_code_is at leave\.c:\d+"
        abort = r"abort( at abort\.c:\d+| in libc\.so\.6)"
        for end, sentence, calls in (
            (
                "call",
                "SIGSEGV by calling address 0x0, which is not code, in " + caller,
                ["0x0", caller, r"main at leave\.c:\d+"],
            ),
            (
                "call-data",
                "SIGSEGV by calling address (0x[0-9a-f]+), which is not code, in " + caller,
                ["0x[0-9a-f]+", caller, r"main at leave\.c:\d+"],
            ),
            (
                "abort",
                "SIGABRT in " + abort + r", called from main at leave\.c:\d+",
                [abort, r"main at leave\.c:\d+"],
            ),
        ):
            with self.subTest(end=end):
                answer = run(["run", LEAVE, end], self.variables)
                self.assertEqual(answer.code, FINDINGS)
                lines = answer.errors.splitlines()[1:]
                self.assertRegex(lines[0], r"\ALWP \d+ got %s:\Z" % sentence)
                for number, call in enumerate(calls):
                    self.assertRegex(lines[number + 1], r"\A    #%d  %s\Z" % (number, call))
                self.assertIn(" died of ", lines[len(calls) + 1])

    def test_findings(self) -> None:
        """The mistakes that a crash shows stand behind how the program ended."""
        for words, signal_name in (
            ("host-freed wrong abort", "SIGABRT"),
            ("wrong-handle wrong", "SIGSEGV"),
        ):
            answer = run(["run", program("programs/mistake"), *words.split()], self.variables)
            self.assertEqual(answer.code, FINDINGS)
            mistake = MISTAKES[words.split()[0]]
            lines = expected_of_mistake(mistake, json.loads(answer.output), True)
            head = " died of %s.\nFindings: 1\n" % signal_name
            text = answer.errors.split(head, maxsplit=1)[1]
            text = text[: text.index("Alive when it died: ")]
            self.assertEqual(said_of_mistake(text)[0], lines[0])

    def test_handles(self) -> None:
        """What the call that it dies in was given is of another kind, or was released."""
        for way, words in (
            (
                "other-kind",
                "Certain: LWP N is in clReleaseMemObject with {}, which is an event, not a memory "
                "object; made at release_other_kind at die.c:{} by LWP N.",
            ),
            (
                "released",
                "Certain: buffer {0} was used in clRetainMemObject at retain_released at "
                "die.c:{2} by LWP N, when it had no references left; the last was released at "
                "retain_released at die.c:{1} by LWP N.",
            ),
            (
                "argument",
                "Certain: LWP N is in clEnqueueReadBuffer, whose second argument is {}, which was "
                "never a memory object.",
            ),
            (
                "wait-list",
                "Certain: LWP N is in clEnqueueReadBuffer, whose wait list has {}, which was never "
                "an event.",
            ),
        ):
            with self.subTest(way=way):
                answer = run(["run", DIE, way], self.variables)
                truth = json.loads(answer.output)
                text = re.sub(r"LWP \d+", "LWP N", answer.errors)
                found = [line for line in text.splitlines() if re.match(r"\d+  ", line)]
                line = truth["line"]
                wanted = "1  " + words.format(truth["address"], line, line + 2)
                self.assertEqual(found, [wanted])

    def test_unprepared(self) -> None:
        """Without the recorder the registers at the fault show the arguments of the call."""
        skip_without_cores(self)
        folder = work_folder("death-unprepared")
        done = subprocess.run(
            [program("programs/mistake"), "wrong-handle", "wrong"],
            cwd=folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        (core,) = glob.glob(folder + "/*core*")
        answer = run(["--core", core, "check"], self.variables)
        self.assertEqual(answer.code, FINDINGS, answer)
        self.assertEqual(
            re.sub(r"LWP \d+", "LWP N", answer.output.splitlines()[0]),
            "1  Presumed: LWP N is in clReleaseMemObject with %s, which was never a memory object."
            % json.loads(done.stdout)["object"],
        )
        mistake = answer.output.splitlines()[0][len("1  Presumed: ") : -1]
        grouped = run(["triage", core], self.variables)
        self.assertIn("; 1 mistake, presumably: %s; signature " % mistake, grouped.output, grouped)
        os.unlink(core)

    def test_json(self) -> None:
        report = os.path.join(work_folder("command-death"), "report.json")
        words = ["run", "--json", "--output", report, DIE, "call"]
        answer = run(words, self.variables)
        truth = json.loads(answer.output)
        rows: List[Dict[str, Any]] = []
        with open(report, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual((rows[0]["signal"], rows[0]["has_died"]), ("SIGSEGV", True))
        death = rows[1]
        self.assertEqual((death["died_of"], death["lwp"]), ("SIGSEGV", rows[0]["pid"]))
        self.assertEqual((death["address"], death["call"]), (truth["address"], "clCreateBuffer"))
        self.assertFalse(death["is_in_callback"])
        last = death["calls"][-1]
        self.assertEqual((last["symbol"], last["line"]), ("main", truth["line"]))
        self.assertEqual([row["left"] for row in rows[2:]], ["context"])

    def test_no_opencl(self) -> None:
        """A program that dies before it has called OpenCL."""
        answer = run(["run", "sh", "-c", "kill -SEGV $$"], self.variables)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertRegex(answer.errors, r"\ALWP \d+ got SIGSEGV in \S*kill\b")
        self.assertIn(" died of SIGSEGV.\n", answer.errors)

    def hang(self, name: str, number: int) -> Tuple[List[str], List[str], int]:
        """What the command says of a program that hangs and is ended by a signal, and what it
        should say, each of it before the verdict."""
        with subprocess.Popen(
            [COMMAND, "run", WAITING, name, "wrong", "stay"],
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            start_new_session=True,
        ) as command:
            assert command.stdout is not None
            truth = json.loads(command.stdout.readline())
            if number == signal.SIGINT:
                os.killpg(command.pid, number)
            else:
                os.kill(truth["lwp"], number)
            try:
                errors = command.communicate(timeout=TIME_LIMIT)[1]
            except subprocess.TimeoutExpired:
                os.killpg(command.pid, signal.SIGKILL)
                raise
        text, rest = errors.split(WAITING + " (process ", maxsplit=1)
        self.assertIn(
            " died of %s.\nCommands that may not have completed" % signal.Signals(number).name, rest
        )
        self.assertIn("\nAlive when it died: ", rest)
        return said(text), expected(name, "wrong", truth)[1], command.returncode

    def test_hang(self) -> None:
        """After Ctrl-C, or a signal without a handler, the waits are reported."""
        self.assertIn("pocl", HANGS["user-finish"].runtimes)
        for name, number in (("user-finish", signal.SIGINT), ("event-cycle", signal.SIGKILL)):
            with self.subTest(name=name):
                lines, truth, code = self.hang(name, number)
                self.assertEqual((code, lines), (FINDINGS, truth))


if __name__ == "__main__":
    main()
