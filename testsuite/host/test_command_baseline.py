#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `ompd-opencl run` ignores: places of --suppress, and baselines."""

from __future__ import annotations

import json
import os
import unittest
from typing import Any, Dict, List, Tuple

from command import (
    BUILT_COMMAND,
    COMMAND,
    FINDINGS,
    NOTHING_ELSE_FOUND,
    OK,
    UNREADABLE,
    USAGE,
    Answer,
    run,
)
from harness import RECORDER, SOURCE, environment, main, program, work_folder

LEAVE = program("programs/leave")
CONTEXT = "Left alive: 1 OpenCL context\n"
BUFFERS = "Left alive: 3 memory objects (8.1 KiB)\n"

# What `leave events` leaves, as a baseline names it.
EVENTS = """
context
    main at leave.c

event
    leave_events at leave.c
    main at leave.c

memobj
    make_buffer at leave.c
    main at leave.c

program
    leave_events at leave.c
    main at leave.c
"""

# What is wrong with a baseline: its line, and the sentence behind it.
DAMAGED: Tuple[Tuple[bytes, int, str], ...] = (
    (b"membj\n    main\n", 1, "unknown object kind"),
    (b"# note\n\n    main\n", 3, "no object kind precedes this call"),
    (b"memobj\ncontext\n    main\n", 2, "the previous entry names no call"),
    (b"context\n    main\nmemobj\n", 4, "the previous entry names no call"),
    (
        b"memobj, at most x\n    main\n",
        1,
        "expected nothing or ', at most N' after the object kind",
    ),
    (b"memobj 24\n    main\n", 1, "unknown object kind"),
    (b"memobj\n    ma\0in\n", 2, "the line contains a NUL byte"),
    (b"memobj\n    " + 70000 * b"m", 2, "the line is too long"),
)


_OF_BINDING = ("= clCreateBuffer(", "= bound_inline(")


def line_of(words: str, name: str = "leave.c") -> int:
    """The line of a program's source that has WORDS."""
    with open(os.path.join(SOURCE, "testsuite", "programs", name), encoding="utf-8") as file:
        return [words in line for line in file].index(True) + 1


class TestSuppressions(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd", recorder=False)
        if COMMAND != BUILT_COMMAND:  # the recorder beside it may not be for these programs
            cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER
        cls.folder = work_folder("command-baseline")

    def leave(self, *options: str, end: str = "exit") -> Answer:
        """Run leave with options of the command; its own errors are cut off."""
        answer = run(["run", *options, LEAVE, end], self.variables)
        self.assertTrue(answer.errors.startswith("errors\n"), answer)
        return answer._replace(errors=answer.errors.split("\n", maxsplit=2)[2])

    def rows(self, *options: str, end: str = "exit") -> List[Dict[str, Any]]:
        """The same as JSON."""
        report = os.path.join(self.folder, "report.json")
        run(["run", "--json", "--output", report, *options, LEAVE, end], self.variables)
        with open(report, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def write(self, text: bytes) -> str:
        """A baseline."""
        path = os.path.join(self.folder, "baseline")
        with open(path, "wb") as file:
            file.write(text)
        return path

    def test_places(self) -> None:
        """Functions and files are those of all calls, a library is the one that calls OpenCL."""
        line = self.rows()[1]["stack"][0]["line"]
        for place, suppressed in (
            ("make_buffer", 3),
            ("make_*", 3),
            ("leave.c:%d" % line, 3),
            ("leave.c", 4),
            ("main", 4),
            ("leave", 4),
        ):
            with self.subTest(place=place):
                answer = self.leave("--suppress", place)
                self.assertEqual(answer.code, FINDINGS if suppressed == 3 else OK)
                rest = CONTEXT if suppressed == 3 else NOTHING_ELSE_FOUND
                self.assertTrue(
                    answer.errors.startswith("%d suppressed.\n%s" % (suppressed, rest)), answer
                )
                self.assertNotIn("memory object", answer.errors)
        others = ("make_buffe", "ake_buffer", "leave.c:%d" % (line + 1), "eave.c", "libOpenCL.so")
        for place in (*others, "libc"):
            with self.subTest(place=place):
                answer = self.leave("--suppress", place)
                self.assertEqual(answer.code, FINDINGS)
                unused = "0 suppressed.\nSuppression %s matched nothing.\n" % place
                self.assertTrue(answer.errors.startswith(unused + BUFFERS), answer)

    def test_bindings(self) -> None:
        """What a binding makes is made where the program calls that, inlined or not; and the
        user knows more bindings."""
        call, inline = (line_of("bound_call(context"), line_of("bound_inline(context"))
        main_line = line_of("        leave_bound();")
        outer = "leave_bound at leave.c:%d"
        answer = self.leave(end="bound")
        for shown in (
            "  2 memory objects (8 KiB) of 2 made at\n    #0 %s\n" % (outer % call),
            "  1 memory object (256 B) of 1 made at\n    #0 %s\n" % (outer % inline),
        ):
            self.assertIn(shown + "    #1 main at leave.c:%d\n" % main_line, answer.errors)
        refused = outer % line_of("bound_call(context, 0)")
        told = "CL_INVALID_BUFFER_SIZE from clCreateBuffer at %s: size is 0\n" % refused
        self.assertIn(told, answer.errors)
        self.assertNotIn("opencl.hpp", answer.errors)
        stacks = [row["stack"] for row in self.rows(end="bound")[1:]]
        frames = [stack for stack in stacks if stack[0]["symbol"] == "bound_inline"]
        self.assertEqual(frames[0][0]["inlined_into"], ["bound_call"])
        self.assertTrue(frames[0][0]["is_binding"])
        self.assertNotIn("is_binding", frames[0][1])
        path = os.path.join(self.folder, "bound")
        self.leave("--write-baseline", path, end="bound")
        with open(path, encoding="utf-8") as file:
            self.assertIn("memobj\n    leave_bound at leave.c\n    main at leave.c\n", file.read())
        baseline = self.write(
            b"memobj\n    leave_bound\nmemobj\n    bound_inline\n    bound_call\n"
        )
        self.assertIn("3 suppressed.\n", self.leave("--baseline", baseline, end="bound").errors)
        self.variables = dict(self.variables, OMPD_OPENCL_BINDINGS="none:programs/lea*.c")
        shown = "    #0 bound_inline at opencl.hpp:%d, inlined in bound_call at opencl.hpp:%d\n"
        lines = tuple(line_of(words, "bindings/CL/opencl.hpp") for words in _OF_BINDING)
        self.assertIn(shown % lines, self.leave(end="bound").errors)

    def test_repeated(self) -> None:
        answer = self.leave("--suppress", "leave_events", "--suppress=make_buffer", end="events")
        self.assertEqual(answer.code, FINDINGS)
        self.assertTrue(answer.errors.startswith("7 suppressed.\n" + CONTEXT), answer)
        rows = self.rows("--suppress", "leave_events", "--suppress", "make_buffer", end="events")
        self.assertEqual(rows[0]["suppressed"], 7)
        self.assertEqual([row["left"] for row in rows[1:]], ["context"])
        self.assertEqual(self.rows()[0]["suppressed"], 0)

    def test_held(self) -> None:
        """What the program has released goes with what holds it, and is suppressed."""
        answer = run(
            ["run", "--suppress", "frame_upload", program("programs/demo/frames")], self.variables
        )
        self.assertEqual(answer.code, OK)
        self.assertIn("\n24 suppressed.\nReleased, but held by other objects: 1 ", answer.errors)
        self.assertTrue(answer.errors.endswith(NOTHING_ELSE_FOUND), answer)

    def test_release(self) -> None:
        """A mistake is reported whatever is suppressed."""
        self.assertEqual(self.leave("--suppress", "main", end="release").code, FINDINGS)

    def test_written(self) -> None:
        """A baseline names places, is the same each time, and suppresses what it names."""
        texts = []
        for name in ("first", "second"):
            path = os.path.join(self.folder, name)
            answer = self.leave("--write-baseline", path, end="events")
            self.assertEqual(answer.code, OK)
            self.assertIn(BUFFERS, answer.errors)
            self.assertTrue(answer.errors.endswith("Baseline written to %s.\n" % path))
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(texts[0], texts[1])
        entries = "".join(line for line in texts[0].splitlines(True) if line[0] != "#")
        self.assertEqual(entries, EVENTS)
        answer = self.leave("--baseline", path, end="events")
        self.assertEqual((answer.code, answer.errors), (OK, "8 suppressed.\n" + NOTHING_ELSE_FOUND))
        answer = self.leave("--baseline", path)
        unused = "2 entries of %s matched nothing.\n" % path
        self.assertEqual(answer.errors, "4 suppressed.\n" + unused + NOTHING_ELSE_FOUND)
        answer = self.leave("--baseline", path, end="pair")
        self.assertEqual(answer.code, FINDINGS)
        self.assertIn("4 suppressed.\n" + unused, answer.errors)
        self.assertIn("Left alive: 2 memory objects (2 KiB)\n", answer.errors)

    def test_written_but_suppressed(self) -> None:
        """What --suppress names is not in the baseline, what another baseline does is."""
        path = os.path.join(self.folder, "new")
        old = self.write(b"context\n main\n")
        words = ["--baseline", old, "--suppress", "make_buffer", "--write-baseline", path]
        self.assertEqual(self.leave(*words).code, OK)
        with open(path, encoding="utf-8") as file:
            entries = [line for line in file if line[0] not in "#\n"]
        self.assertEqual(entries, ["context\n", "    main at leave.c\n"])

    def test_edited(self) -> None:
        """Outer calls may be cut off, a function may stand alone, and numbers bound it."""
        for text, suppressed in (
            (b"memobj\n\tmake_buffer\r\n", 3),
            (b"# note\nmemobj\n    # note\n    make_buffer at leave.c\n    main\n", 3),
            (b"memobj, at most 3\n    make_buffer\n", 3),
            (b"memobj, at most 2\n    make_buffer\n", 0),
            (b"memobj\n    main\n", 0),
            (b"context\n    make_buffer\n", 0),
            (b"memobj\n    make_buffer at other.c\n", 0),
            (b"", 0),
        ):
            with self.subTest(text=text):
                answer = self.leave("--baseline", self.write(text))
                self.assertEqual(answer.code, FINDINGS)
                self.assertTrue(answer.errors.startswith("%d suppressed.\n" % suppressed), answer)
                self.assertEqual(BUFFERS in answer.errors, suppressed == 0)
                self.assertIn(CONTEXT, answer.errors)

    def test_damaged(self) -> None:
        """A baseline that makes no sense is refused before the program is run."""
        for text, line, reason in DAMAGED:
            with self.subTest(text=text[:40]):
                path = self.write(text)
                answer = run(["run", "--baseline", path, LEAVE, "exit"], self.variables)
                self.assertEqual((answer.code, answer.is_refusal()), (USAGE, True), answer)
                sentence = "ompd-opencl: %s, line %d: %s" % (path, line, reason)
                self.assertTrue(answer.errors.startswith(sentence), answer)
        for path, reason in (("/no/such", "No such file"), (self.folder, "Is a directory")):
            answer = run(["run", "--baseline", path, LEAVE, "exit"], self.variables)
            self.assertEqual((answer.code, answer.is_refusal()), (USAGE, True), answer)
            self.assertIn("ompd-opencl: cannot read %s: %s" % (path, reason), answer.errors)

    def test_not_written(self) -> None:
        """A program that dies leaves no baseline, and a folder cannot be one."""
        path = os.path.join(self.folder, "of-abort")
        answer = self.leave("--write-baseline", path, end="abort")
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn("ompd-opencl: %s was not written: " % path, answer.errors)
        self.assertFalse(os.path.exists(path))
        answer = self.leave("--write-baseline", self.folder)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn("ompd-opencl: cannot write %s: " % self.folder, answer.errors)
        self.assertIn(BUFFERS, answer.errors)


if __name__ == "__main__":
    main()
