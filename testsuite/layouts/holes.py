# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions about cores that the kernel writes of programs with gaps in their memory."""

from __future__ import annotations

import glob
import os
import resource
import shutil
import signal
import subprocess
import unittest
from typing import Any, Dict, List, NamedTuple, Sequence

from command import Answer, run
from command_comparing import same_names
from harness import (
    LISTS,
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
from kernel_core import skip_without_cores
from unprepared import PROGRAM, program_environment, tool_environment

LIBRARY = program("layouts/.libs/libholes.so")

# The counts of the overview that layouts tell, and the plurals of those that its first line has.
COUNTS = (
    "contexts",
    "queues",
    "memory_objects",
    "memory_object_bytes",
    "app_released",
    "svm_allocations",
    "svm_bytes",
    "svm_frees",
    "destructors_registered",
    "programs",
    "kernels",
    "samplers",
    "events",
)

RUNTIME = "pocl"

UNTOUCHED = (
    "B of the program's memory is not in the core, presumably because it was never written to."
)
UNSAVED = "B of the program's memory is not in the core and may contain objects."


def with_holes(variables: Dict[str, str], holes: str) -> Dict[str, str]:
    """The environment of a program with such memory, as holes.c names it."""
    return dict(variables, LD_PRELOAD=LIBRARY, TEST_HOLES=holes) if holes else variables


class Dead(NamedTuple):
    """A program that died, and its core."""

    folder: str
    core: str
    truth: Dict[str, Any]


def die(words: Sequence[str], folder: str, variables: Dict[str, str], saved: str = "") -> Dead:
    """Run a program that aborts, with SAVED as its coredump_filter."""

    def allow_core() -> None:
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        if saved:
            with open("/proc/self/coredump_filter", "w", encoding="utf-8") as file:
                file.write(saved)

    for old in glob.glob(folder + "/*core*"):
        os.unlink(old)
    done = subprocess.run(words, cwd=folder, env=variables, preexec_fn=allow_core, check=False)
    if done.returncode != -signal.SIGABRT:
        raise AssertionError("%s ended with %d" % (words[0], done.returncode))
    cores = glob.glob(folder + "/*core*")
    if len(cores) != 1:
        raise AssertionError("cores: %s" % cores)
    return Dead(folder, cores[0], read_truth(folder, "main"))


def die_unprepared(runtime: str, folder: str, holes: str, saved: str = "") -> Dead:
    """The core of a program without the recorder."""
    words = [program(PROGRAM), folder, "10", "second", "abort"]
    return die(words, folder, with_holes(program_environment(runtime), holes), saved)


def die_recorded(runtime: str, folder: str, holes: str, saved: str = "") -> Dead:
    """Of a program with the recorder."""
    words = [program("programs/truth-program"), folder, "abort-main"]
    return die(words, folder, with_holes(environment(runtime), holes), saved)


class Answers(NamedTuple):
    """What the command and GDB say of a target."""

    lists: Dict[str, Answer]  # JSON
    texts: Dict[str, Answer]
    overview: Answer
    text: Answer
    session: Session  # its answers are named by the table, "overview" and "text"

    def row(self) -> Row:
        """The overview, of the command."""
        return self.overview.objects()[0]


def ask_all(target: Sequence[str], gdb_words: Sequence[str], commands: Sequence[str]) -> Answers:
    """All lists and the overview, from both.  COMMANDS come first in GDB."""
    variables = tool_environment()
    questions = [*commands, *ask_lists(), ask("overview", "opencl -json"), ask("text", "opencl")]
    questions += [ask("destructors", "opencl destructors -json")]
    questions += [ask("text " + table, "opencl " + table) for table in LISTS]
    return Answers(
        {table: run([*target, table, "--json"], variables) for table in LISTS},
        {table: run([*target, table], variables) for table in LISTS},
        run([*target, "overview", "--json"], variables),
        run([*target, "overview"], variables),
        run_gdb(gdb_words, questions, variables, name="holes"),
    )


def ask_core(dead: Dead, name: str, keeps_folder: bool = False) -> Answers:
    """All there is to ask about a core of program NAME."""
    answers = ask_all(["--core", dead.core], [program(name), dead.core], [])
    if not keeps_folder:
        shutil.rmtree(dead.folder)
    return answers


class Expectation(unittest.TestCase):
    """What answers are compared with."""

    def both_alike(self, answers: Answers) -> None:
        """The command and GDB say the same, in JSON and the notes of text."""
        self.assertEqual(
            same_names(answers.overview.objects()),
            same_names(answers.session.answer("overview").rows()),
        )
        for table, answer in answers.lists.items():
            shown = answers.session.answer(table).rows()
            self.assertEqual(same_names(answer.objects()), same_names(shown), table)
            text = answers.session.answer("text " + table).output
            self.assertEqual(notes_of(answers.texts[table].output), notes_of(text), table)
        text = answers.session.answer("text").output
        self.assertEqual(notes_of(answers.text.output), notes_of(text))
        self.assertEqual(counts_of(answers.text.output), counts_of(text))

    def codes(self, answers: Answers, code: int) -> None:
        """The exit code of each answer."""
        all_answers = {**answers.lists, "overview": answers.overview, "overview's": answers.text}
        for name, answer in all_answers.items():
            self.assertEqual(answer.code, code, "%s: %s" % (name, answer.output + answer.errors))

    def facts(self, row: Row) -> None:
        """Every count of an overview is a number and a fact."""
        for count in COUNTS:
            self.assertIsInstance(row[count], int, count)
            self.assertNotIn(count, row.get("at_least", []))
            if count != "events":
                self.assertNotIn(count, row.get("presumed", []))

    def bounds(self, row: Row) -> None:
        """Every count of an overview is a number and a lower bound."""
        for count in COUNTS:
            self.assertIsInstance(row[count], int, count)
            self.assertIn(count, row["at_least"])
            self.assertIn(count, row["presumed"])

    def says(self, answers: Answers, sentence: str, is_in_lists: bool = True) -> None:
        """One line of each answer is SENTENCE behind the number of bytes."""
        texts = [answers.text, *(answers.texts.values() if is_in_lists else [])]
        for text in texts:
            lines = [line for line in text.output.splitlines() if line.endswith(sentence)]
            self.assertEqual(len(lines), 1, text.output)
            self.assertRegex(lines[0], "^ *[1-9][0-9]* " + sentence.replace(".", "[.]"))
        notes = [note for note in answers.row()["notes"] if note.endswith(sentence)]
        self.assertEqual(len(notes), 1)


class CoreCase(Expectation):
    """Cores by the kernel."""

    folder = ""

    def setUp(self) -> None:
        skip_without_cores(self)
        self.folder = work_folder(self.id())


def counts_of(text: str) -> str:
    """The line of an overview that counts."""
    [line] = [line for line in text.splitlines() if line.startswith("OpenCL in process")]
    return line


def notes_of(text: str) -> List[str]:
    """The lines about what is left open."""
    return [line for line in text.splitlines() if "memory is not in" in line or "tell" in line]
