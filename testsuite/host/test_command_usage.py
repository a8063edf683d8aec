#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command accepts, and how it refuses wrong usage: with exit code 2 and a sentence."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from typing import Dict, List

from command import OK, UNREADABLE, USAGE, as_error, run, write_core
from harness import RECORDER, Session, ask, environment, main, program, run_gdb
from harness import split_table, work_folder

# What is wrong, and the sentence that says so; CORE is a core.
REFUSED = (
    ("--core CORE memobjs --limit 1 --limit 2", "--limit is given more than once."),
    ("--core CORE memobjs --limit=", "--limit needs an argument."),
    ("--core CORE memobjs --limit -1", "--limit: '-1' is not a number of rows."),
    ("--core CORE memobjs --limit 0x5", "--limit: '0x5' is not a number of rows."),
    ("--core CORE memobjs --min-size 1.5K", "--min-size: '1.5K' is not a size; "),
    ("--core CORE memobjs --memory-limit 0", "--memory-limit: '0' is not a size; "),
    ("--core CORE memobjs --kind pipe,", "--kind: unknown name ''; choose from buffer, "),
    ("--core CORE memobjs --context 0", "0 is NULL."),
    ("--core CORE memobjs --json=1", "--json takes no argument."),
    ("--core CORE memobjs --m 5", "--m is ambiguous: --memory-limit or --min-size."),
    ("--core CORE --json -xy", "Unknown option -x: "),
    ("--core CORE --no-stop memobjs", "--no-stop applies to a process, not to a core"),
    ("--core CORE --every 5s memobjs", "--every applies to a process, not to a core"),
    (
        "--pid 1 --every 5 memobjs",
        "--every: '5' is not a time; use Nms, Ns, Nm or Nh, at most one day",
    ),
    ("--pid 1 --every 0s memobjs", "--every: '0s' is not a time; "),
    ("--pid 1 --every 25h memobjs", "--every: '25h' is not a time; "),
    ("--pid 1 --exe CORE memobjs", "--exe applies to a core, not to a process"),
    ("--pid 1 --sysroot / memobjs", "--sysroot applies to a core, not to a process"),
    ("--pid 1 --no-files memobjs", "--no-files applies to a core, not to a process"),
    ("--core CORE memobj 0x10000000000000000", "'0x10000000000000000' is not a handle; "),
    ("--core CORE memobj 0xffffffffffffffff", "There is no memory object 0xffffffffffffffff; "),
    ("--core CORE memobj 010", "There is no memory object 010 (0xa); "),
    ("--core CORE queue main", "'main' is not a handle; "),
    ("--core CORE queue EMPTY", "Empty argument: "),
    ("--core= memobjs", "--core needs an argument."),
    ("triage EMPTY", "Empty argument: "),
    ("EMPTY", "Empty argument: "),
)

# The verbs that show one object, and where there are some.
ONE = {"memobj": "memobjs", "context": "contexts", "queue": "queues", "svm-free": "svm-frees"}


class TestUsage(unittest.TestCase):
    variables: Dict[str, str] = {}
    target: List[str] = []
    core = ""
    owner = ""  # of the most destructor callbacks
    callbacks = 0
    session: Session

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        folder = work_folder("command-usage")
        cls.core = os.path.join(folder, "core")
        cls.target = ["--core", cls.core]
        write_core("programs/truth-program", [folder], cls.core, cls.variables)
        rows = run([*cls.target, "memobjs", "--json"], cls.variables).objects()
        owner = max(rows, key=lambda row: len(row["destructors"]))
        cls.owner, cls.callbacks = owner["handle"], len(owner["destructors"])
        commands = [ask(verb, "help opencl " + verb) for verb in ONE]
        commands += [ask("twice", "opencl memobjs -kind pipe -kind buffer")]
        commands += [ask("empty", "opencl memobjs -kind pipe,")]
        words = [program("programs/truth-program"), cls.core]
        cls.session = run_gdb(words, commands, cls.variables, name="command-usage")

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    def test_words_of_threads(self) -> None:
        """A column that says `runtime` is explained by that word, not by a number."""
        lines = run(["threads", "--help"], self.variables).output.splitlines()
        explained = [line.split(None, 1)[1] for line in lines if line.split()[:1] == ["owner"]]
        self.assertEqual(len(explained), 1)
        self.assertIn("runtime", explained[0])
        self.assertIsNone(re.search("[0-9]", explained[0]))

    def test_refused(self) -> None:
        for line, part in REFUSED:
            with self.subTest(line):
                line = line.replace("CORE", self.core)
                words = ["" if word == "EMPTY" else word for word in line.split()]
                answer = run(words, self.variables)
                self.assertEqual((answer.code, answer.output), (USAGE, ""))
                self.assertIn(as_error(part), answer.errors)
                self.assertTrue(answer.is_refusal(), answer.errors)

    def test_refused_by_gdb(self) -> None:
        """The plugin refuses likewise."""
        self.assertEqual(self.session.answer("twice").error, "-kind is given more than once.")
        self.assertIn("-kind: unknown name ''; ", str(self.session.answer("empty").error))

    def test_no_recorder(self) -> None:
        """What is to be done is said of a process, of a core, and of a program that is run."""
        variables = dict(self.variables, OMPD_OPENCL_RECORDER=RECORDER)
        no_layouts = dict(variables, OMPD_OPENCL_LAYOUT_PATH="")
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
            words = ["--pid", str(other.pid), "overview"]
            nothing, answer = run(words, variables), run(words, no_layouts)
            other.communicate()
        self.assertEqual((nothing.code, nothing.output), (UNREADABLE, ""))
        self.assertIn("no OpenCL recorder and no OpenCL runtime", nothing.errors)
        self.assertEqual((answer.code, answer.output), (UNREADABLE, ""))
        told = re.match(
            r"ompd-opencl: no OpenCL recorder in process (\d+): start the program with "
            r"OPENCL_LAYERS=(.*) in its environment; its first OpenCL call loads the recorder\n",
            answer.errors,
        )
        assert told is not None, answer.errors
        self.assertEqual(told.group(1), str(other.pid))
        self.assertEqual(told.group(2), RECORDER)
        answer = run(["run", "true"], variables)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertIn("\nompd-opencl: the recorder was not loaded: ", answer.errors)

    def test_harmless(self) -> None:
        """What is said twice is said; a program's own arguments may be anything."""
        once = run([*self.target, "queues", "--json"], self.variables)
        self.assertEqual(run(["--json", *self.target, "queues", "--json"], self.variables), once)
        ended = run(["run", "/bin/echo", "", "--json", "x"], self.variables)
        self.assertEqual(ended.output, " --json x\n")

    def test_fields(self) -> None:
        """The help of what shows one object has all that it shows, in GDB's words."""
        for verb in ONE:
            text = run([verb, "--help"], self.variables).output
            own = text.split("\nFields:\n")[1].splitlines()
            told = self.session.answer(verb).output.split("\nFields:\n")[1].splitlines()
            self.assertGreater(len(own), 10)
            self.assertEqual(own, told)
        text = run([*self.target, "memobj", self.owner], self.variables).output
        titles = re.findall(r"^  ([A-Za-z][\w ]*?)  ", text, re.MULTILINE)
        self.assertGreater(len(titles), 8)
        for title in titles:
            self.assertIn("\n  %s  " % title, run(["memobj", "--help"], self.variables).output)

    def test_columns(self) -> None:
        """The help of the list of destructor callbacks has whose they are."""
        text = run(["destructors", "--help"], self.variables).output
        lines = run([*self.target, "destructors"], self.variables).output.splitlines()
        said, lines = split_table(lines)
        titles = re.split("  +", lines[0].strip())[1:]
        titles += [title for title in ("state", "registered by") if "%s " % title in said]
        self.assertGreater(len(titles), 3)
        for title in titles:
            self.assertIn("\n  %s  " % title, text)

    def test_limit(self) -> None:
        """The destructor callbacks of one object, cut, and the sentence that says so."""
        self.assertGreater(self.callbacks, 2)
        words = [*self.target, "destructors", self.owner]
        whole = run(words, self.variables)
        cut = run([*words, "--limit", "1"], self.variables)
        self.assertEqual((whole.code, cut.code), (OK, OK))
        rest = self.callbacks - 1
        self.assertEqual(len(re.findall("^ +[0-9]+  ", cut.output, re.MULTILINE)), 1)
        note = "%d more rows are not shown: `--limit %d`" % (rest, self.callbacks)
        self.assertIn(note, cut.output)
        limited = run([*words, "--limit", str(self.callbacks)], self.variables)
        self.assertEqual(limited, whole)


if __name__ == "__main__":
    main()
