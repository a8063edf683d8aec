#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The output of the command ompd-opencl about one object, about threads and in the overview is that
of the GDB plugin, on the same core and on the same stopped process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import unittest
from typing import Any, Dict, List, Optional, Set, Tuple

from command import as_error, is_error, run
from command_comparing import ALIAS, live_stops, own_words, rows_of, same_names
from harness import (
    THOROUGH,
    Row,
    Session,
    ask,
    environment,
    main,
    one_arena,
    program,
    run_gdb,
    some,
    work_folder,
)
from json_page import Page
from png_picture import rows_of as png_rows

OVERVIEW = "overview"
STATES = ("waits", "waits-for-queue", "runs", "builds", "outside", "in-call")
THREADS = ("threads", *("threads -state " + state for state in STATES))

# Have numbers in what is the memory of a buffer: of floats whose bytes are all but the same.
FILL = (
    "import struct; gdb.selected_inferior().write_memory(int(gdb.parse_and_eval("
    "'(long) &host_memory')), struct.pack('64f', *(0.1 * i - 3 for i in range(64))))"
)

# The options that show contents, and the form of GDB's x/ that shows the same.
CONTENTS = "memobj %s -contents"
SHOWN = {
    " -rows 4": "64xb",
    " -as float -rows 3": "12fw",
    " -as float4 -rows 2": "8fw",
    " -as double": "32fg",
    " -as int8 -rows 1": "8dw",
    " -as ulong": "32ug",
    " -as short -rows 2": "16dh",
    " -as uchar2 -rows 2": "16ub",
}

# How many questions there are at the least about the objects of truth-program.
MANY = 60 if THOROUGH else 40

_SINGULAR = {"contexts": "context", "queues": "queue", "memobjs": "memobj"}


def gdb_words(question: str) -> str:
    """A question as GDB's command."""
    return "opencl" if question == OVERVIEW else "opencl " + question


def gdb_questions(questions: List[str]) -> List[str]:
    """The GDB commands that ask both forms of each, and which threads there are."""
    asked = ["set opencl limit unlimited", ask("info threads", "info threads")]
    for question in questions:
        words = gdb_words(question).split()
        asked.append(ask(question, " ".join(words)))
        asked.append(ask(question + " -json", " ".join(words[:2] + ["-json"] + words[2:])))
    return asked


def lwps_of(session: Session) -> Dict[int, int]:
    """The LWP of each of GDB's numbers of threads."""
    text = session.answer("info threads").output
    found = re.findall(r"^[* ] +(\d+) +(?:Thread 0x[0-9a-f]+ \(LWP |LWP )(\d+)", text, re.M)
    return {int(number): int(lwp) for number, lwp in found}


def expand(text: str) -> Set[int]:
    """The numbers in "2, 5-9"."""
    ends = [part.split("-") for part in text.split(", ")]
    return {number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)}


def unseen(line: str) -> Optional[Set[int]]:
    """The threads or LWPs that the last line of the threads names."""
    match = re.match(r"Not seen in OpenCL: (?:threads?|LWPs?) ([\d, -]+)\.$", line)
    return expand(match.group(1)) if match is not None else None


def plain(text: str) -> List[str]:
    """Lines without widths of columns, GDB's numbers of threads and names of commands and options,
    and what same_names() leaves out too."""
    text = re.sub(r" \(thread [0-9.]+\)|, thread [0-9.]+(?=[;)])", "", text)
    text = text.replace("`opencl ", "`").replace("`--rows ", "`-rows ")
    text = re.sub(r"^( +#\d+ +)" + ALIAS, r"\1", text, flags=re.M)
    return [re.sub("  +", "  ", line).strip() for line in text.splitlines()]


def first_of_overview(lines: List[str]) -> int:
    """Where it begins to tell of OpenCL."""
    return [line.startswith("OpenCL in process ") for line in lines].index(True)


def handles(target: List[str], verb: str, variables: Dict[str, str]) -> List[Row]:
    """All objects that a list shows."""
    rows = rows_of(run([*target, verb, "--json"], variables))
    if not rows:
        raise AssertionError("no " + verb)
    return rows


def unlike(rows: List[Row], verb: str) -> List[Row]:
    """The rows of a list but for `some` of those that are much alike."""
    alike: Dict[Tuple[Any, ...], List[Row]] = {}
    for row in rows:
        has = (bool(row.get("destructors")), "host_pointer" in row)
        alike.setdefault((row.get("kind", verb), row.get("state"), *has), []).append(row)
    return [row for each in alike.values() for row in some(each, 2)]


def object_questions(target: List[str], variables: Dict[str, str]) -> List[str]:
    """A question about every object that is unlike the others, and one about the destructor
    callbacks of each that has some, and of one of each kind that has none."""
    questions = []
    for verb, singular in _SINGULAR.items():
        without: Set[str] = set()  # kinds
        for row in unlike(handles(target, verb, variables), verb):
            questions.append("%s %s" % (singular, row["handle"]))
            kind = row.get("kind", verb)
            if verb != "queues" and (row["destructors"] or kind not in without):
                questions.append("destructors %s" % row["handle"])
                without.add(kind)
    for row in handles(target, "svm-frees", variables):
        questions.extend("svm-free %s" % entry["pointer"] for entry in row["pointers"])
        if "event" in row:
            questions.append("svm-free %s" % row["event"])
    return questions


class Cases(unittest.TestCase):
    """How both are compared."""

    variables: Dict[str, str] = {}
    target: List[str] = []  # the words that name it to the command

    def compare(self, session: Session, question: str) -> None:
        """Both forms of one answer."""
        words = self.target + own_words(question)
        own = run(words, self.variables)
        lines = plain(own.output)
        expected = plain(session.answer(question).output)
        # Activities that the recorder had no room for are a part of the answer that is missing.
        code = 4 if " unknown activit" in session.answer(question).output else 0
        self.assertEqual((own.code, own.errors), (code, ""), question)
        if question == OVERVIEW:
            del lines[: first_of_overview(lines)]  # what the target is, which GDB's user knows
        if question == "memory":
            self._compare_library(lines, expected)
        elif question == "threads":
            self._compare_unseen(session, lines, expected)
        else:
            self.assertEqual(lines, expected, question)
        own = run(words + ["--json"], self.variables)
        self.assertEqual((own.code, own.errors), (code, ""), question)
        rows = [json.loads(line) for line in own.output.splitlines()]
        expected_rows = session.answer(question + " -json").rows()
        for row in rows + expected_rows if question == "memory" else []:
            row["library"] = sorted(row["library"])
        self.assertEqual(same_names(rows), same_names(expected_rows), question)

    def _compare_library(self, lines: List[str], expected: List[str]) -> None:
        """The program's part is the same; the library's tells of the command, in the same words."""
        cut = [line.startswith("Library memory for this process") for line in lines].index(True)
        self.assertGreater(cut, 3)
        self.assertEqual(lines[:cut], expected[:cut])
        titles = [line.split("  ")[0] for line in lines[cut + 1 : -1]]
        self.assertEqual(titles, [line.split("  ")[0] for line in expected[cut + 1 : -1]])
        self.assertEqual(lines[-1], "No limit is set; `--memory-limit 64M` sets one.")

    def _compare_unseen(self, session: Session, lines: List[str], expected: List[str]) -> None:
        """The last line names the other threads, if there are any: by their LWPs."""
        others = unseen(expected[-1])
        if others is not None:
            numbers = lwps_of(session)
            self.assertEqual(unseen(lines.pop()), {numbers[other] for other in others})
            expected = expected[:-1]
        self.assertEqual(lines, expected)

    def compare_all(self, session: Session, questions: List[str], at_least: int) -> None:
        """All questions, of which there must be some."""
        self.assertGreaterEqual(len(questions), at_least)
        for question in questions:
            self.compare(session, question)


class TestCore(Cases):
    """The population of every kind, while destructor callbacks run."""

    runtime = "icd"
    session: Session
    questions: List[str] = []
    filled: Row = {}  # a buffer whose bytes are known
    core = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment(cls.runtime)
        # Of those that are made by main alone, the C library has the last call.
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "16" if THOROUGH else "3"
        folder = work_folder("command-objects-" + cls.runtime)
        cls.core = os.path.join(folder, "core")
        cls.target = ["--core", cls.core]
        commands = ["break truth_stop", "run %s > /dev/null" % folder, "continue"]
        commands += ["python %s" % FILL, "gcore " + cls.core, "kill"]
        path = program("programs/truth-program", cls.runtime)
        run_gdb([path], commands, one_arena(cls.variables), plugin=False, name="command-objects")
        cls.questions = object_questions(cls.target, cls.variables)
        commands = gdb_questions([OVERVIEW, "memory", *THREADS, *cls.questions])
        commands += cls.contents_questions()
        cls.session = run_gdb(
            [path, cls.core], commands, cls.variables, name="command-objects", c_lines=True
        )

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    @classmethod
    def contents_questions(cls) -> List[str]:
        """The GDB commands that ask for the contents of the buffer that has host_memory[0], and
        for what GDB itself finds there."""
        rows = handles(cls.target, "memobjs", cls.variables)
        rows = [row for row in rows if row.get("host_pointer") and row["size"] == 8192]
        cls.filled = min(rows, key=lambda row: int(row["host_pointer"], 16))
        commands = gdb_questions([CONTENTS % cls.filled["handle"] + asked for asked in SHOWN])
        for form in SHOWN.values():
            commands.append("echo [%s]\\n" % form)
            commands.append("x/%s %s" % (form, cls.filled["host_pointer"]))
        commands.append("echo [end]\\n")
        return commands

    def test_contents(self) -> None:
        """The contents of a buffer are what GDB finds at its host pointer."""
        for asked, form in SHOWN.items():
            question = CONTENTS % self.filled["handle"] + asked
            self.compare(self.session, question)
            text = self.session.answer(question).output.split("\nContents")[1]
            rows = re.findall(r"(?m)^[0-9a-f]{8}  ([^|\n]*)", text)
            told = self.session.output.split("[%s]\n" % form)[1].split("[")[0]
            found = re.sub(r"(?m)^.*?:", "", told).split()
            shown = re.sub("[(),]", " ", " ".join(rows)).split()
            self.assertGreaterEqual(len(found), 4)
            self.assertEqual(shown, [re.sub("^0x", "", number) for number in found], asked)
            self.assertRegex(text, r"\n\d+ more rows are not shown: ")
            (row,) = self.session.answer(question + " -json").rows()
            self.assertEqual(row["contents"]["address"], self.filled["host_pointer"])

    def test_contents_missing(self) -> None:
        """Of an object of which the host cannot see the bytes a sentence says so."""
        rows = handles(self.target, "memobjs", self.variables)
        row = next(row for row in rows if "host_pointer" not in row)
        own = run([*self.target, "memobj", row["handle"], "--contents"], self.variables)
        self.assertEqual((own.code, own.errors), (4, ""))
        self.assertRegex(own.output, r"\nIts contents cannot be shown: .*\.\n\Z")

    def test_picture_missing(self) -> None:
        """Of an image of which the host cannot see the pixels there is no file."""
        rows = handles(self.target, "memobjs", self.variables)
        row = next(row for row in rows if row["kind"] == "image2d")
        path = os.path.join(os.path.dirname(self.core), "image.png")
        words = [*self.target, "memobj", row["handle"], "--image", path]
        own = run(words, self.variables)
        self.assertEqual((own.code, own.errors, os.path.exists(path)), (4, "", False))
        self.assertRegex(own.output, r"\nNo image was written: .*\.\n\Z")
        (row,) = run([*words, "--json"], self.variables).objects()
        self.assertEqual((row["image"], os.path.exists(path)), (None, False))
        self.assertIn("image", row["unknown"])

    def test_overview(self) -> None:
        self.compare(self.session, OVERVIEW)
        text = run([*self.target, OVERVIEW], self.variables).output
        self.assertRegex(text, r"OpenCL in process \d+: .*\d memory objects \(")
        self.assertRegex(text, r"destructor callbacks? (is|are) running \(LWP \d+\)")

    def test_memory(self) -> None:
        self.compare(self.session, "memory")

    def test_memory_limit(self) -> None:
        """A limit is told in place of how to set one."""
        words = [*self.target, "memory", "--memory-limit", "32M"]
        text = run(words, self.variables).output
        self.assertIn("33554432 B (32 MiB)", text)
        self.assertNotIn("There is no limit", text)

    def test_threads(self) -> None:
        self.compare_all(self.session, list(THREADS), 7)

    def test_objects(self) -> None:
        self.compare_all(self.session, self.questions, MANY)
        asked = {question.split()[0] for question in self.questions}
        self.assertEqual(asked, {"context", "queue", "memobj", "svm-free", "destructors"})

    def test_stacks(self) -> None:
        """Call stacks and callbacks in call order were among what was compared."""
        text = "".join(self.session.answer(question).output for question in self.questions)
        for part in ("  call stack\n", "registration of 2:\n", ", in call order\n"):
            self.assertIn(part, text)
        for part in ("It frees, in this order:\n", "It waits for:\n", "may be reused.\n"):
            self.assertIn(part, text)

    def test_refused(self) -> None:
        """A handle that is none, or of another kind, has exit code 2 and one sentence."""
        queue = handles(self.target, "queues", self.variables)[0]["handle"]
        memobj = handles(self.target, "memobjs", self.variables)[0]["handle"]
        for words, part in (
            (["memobj"], "memobj needs HANDLE"),
            (["memobj", "host"], "'host' is not a handle"),
            (["memobj", "0"], "0 is NULL."),
            (
                ["memobj", "0x10"],
                "There is no memory object 0x10; it was never created, or has been destroyed.",
            ),
            (["memobj", queue], "is a command queue, not a memory object: use `queue`."),
            (["queue", memobj], "is a memory object, not a command queue: use `memobj`."),
            (
                ["destructors", queue],
                "not a memory object, an OpenCL context or a program: use `queue`.",
            ),
            (["destructors", memobj, "--state", "done"], "--state applies to the list of all"),
            (["svm-free", "0x10"], "is neither the event of an SVM-free command nor a pointer"),
            (["overview", memobj], "overview takes no argument"),
            (["threads", "--state", "sleeps"], "unknown name 'sleeps'; choose from outside"),
        ):
            for question in (words, words + ["--json"]):
                own = run(self.target + question, self.variables)
                self.assertEqual((own.code, own.output), (2, ""), words)
                self.assertIn(as_error(part), own.errors)
                self.assertTrue(is_error(own.errors), own.errors)


class TestBusyThreads(Cases):
    """Threads that wait, build and run callbacks, within each other."""

    runtime = "pocl"

    def same_state(self, stop: str) -> None:
        """A command has the state of the SVM free that it is, whose function is running."""
        frees = run(["svm-frees", *self.target, "--json"], self.variables).objects()
        commands = run(["commands", *self.target, "--json"], self.variables).objects()
        states = {row["queue"]: row["state"] for row in commands if row["type"] == "svm-free"}
        told = {row["queue"]: row["state"] for row in frees}
        if stop == "idle":
            self.assertEqual(told, {})
            self.assertNotIn("running", states.values())
        else:
            self.assertEqual(list(told.values()), ["running"])
            self.assertEqual({queue: states[queue] for queue in told}, told)

    def test_cores(self) -> None:
        self.variables = environment(self.runtime)
        folder = work_folder("command-threads-" + self.runtime)
        path = program("programs/busy-threads", self.runtime)
        stops = ("busy", "nested", "idle")
        cores = {stop: os.path.join(folder, "core." + stop) for stop in stops}
        commands = ["break truth_stop", "run %s > /dev/null" % folder]
        for core in cores.values():
            commands += ["gcore " + core, "continue"]
        run_gdb([path], commands, one_arena(self.variables), plugin=False, name="command-threads")
        questions = [OVERVIEW, "memory", *THREADS]
        seen = ""
        for stop, core in cores.items():
            asked = gdb_questions(questions)
            session = run_gdb([path, core], asked, self.variables, name="command-threads")
            self.target = ["--core", core]
            self.compare_all(session, questions, 9)
            seen += "".join(session.answer(question).output for question in questions)
            self.same_state(stop)
            os.unlink(core)
        for part in ("     within cl", " unknown activit", " waits for event", "  runtime\n"):
            self.assertIn(part, seen)
        self.assertIn("more: see `opencl threads`", seen)


class TestPicture(unittest.TestCase):
    """An image of which a layout tells where its pixels are, and what they are."""

    def test_file(self) -> None:
        variables = environment("pocl", recorder=False)
        path = os.path.join(work_folder("command-picture"), "image.png")
        command = [program("programs/few"), "context", "image"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=variables, stdin=pipe, stdout=pipe) as process:
            assert process.stdout is not None
            self.assertEqual(process.stdout.readline(), b"main\n")
            target = ["--pid", str(process.pid)]
            (handle,) = (row["handle"] for row in handles(target, "memobjs", variables))
            words = [*target, "memobj", handle, "--image", path]
            own = run(words, variables)
            if "this build has no libpng" in own.output:
                process.communicate(b"\n")
                self.skipTest("the command is built without libpng")
            self.assertEqual((own.code, own.errors), (0, ""))
            again = run(words, variables)
            (row,) = run([*words[:-1], path + ".2", "--json"], variables).objects()
            process.communicate(b"\n")
        self.assertRegex(own.output, r"\nImage written to .*/image.png: 16 x 8 pixels, \d+ B\.\n\Z")
        self.assertEqual(again.code, 3)
        self.assertRegex(again.errors, "ompd-opencl: '.*/image.png' already exists")
        picture = {"file": path + ".2", "bytes": os.path.getsize(path), "width": 16, "height": 8}
        self.assertEqual(row["image"], picture)
        page = Page()
        page.check_answer(page.verbs["memobj"], [row])
        for path in (path, path + ".2"):
            self.assertEqual(png_rows(path), [self._row(line) for line in range(8)])

    def _row(self, line: int) -> bytes:
        """The pixels of a line as red, green, blue, alpha: in memory blue comes first."""
        memory = bytes((line * 256 + i) * 7 & 255 for i in range(64))
        pixels = (memory[i : i + 4] for i in range(0, 64, 4))
        return b"".join(bytes((red, green, blue, alpha)) for blue, green, red, alpha in pixels)


class TestProcess(Cases):
    runtime = "icd"

    def test_all(self) -> None:
        """A process, first under GDB, then under the command, stopped by it or not."""
        self.variables = environment(self.runtime)
        folder = work_folder("command-objects-live-" + self.runtime)
        path = program("programs/truth-program", self.runtime)
        for pid in live_stops(path, folder, self.variables):
            self.target = ["--pid", str(pid)]
            questions = [OVERVIEW, "memory", "threads"]
            questions += object_questions(self.target, self.variables)
            commands = gdb_questions(questions) + ["detach"]
            name = "command-objects-live"
            session = run_gdb(["-p", str(pid)], commands, self.variables, name=name)
            self.compare_all(session, questions, MANY)
            self.target.append("--no-stop")
            self.compare_all(session, questions[:8], 8)

    def test_no_recorder(self) -> None:
        """Of a process that has not used OpenCL there is nothing to tell."""
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
            target = ["--pid", str(other.pid)]
            for verb in (["overview"], ["threads"], ["memory", "--json"], ["memobj", "0x10"]):
                own = run([*target, *verb], dict(os.environ))
                self.assertEqual((own.code, own.output), (3, ""))
                self.assertTrue(is_error(own.errors), own.errors)
            other.communicate()


if __name__ == "__main__":
    main()
