#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every list of the opencl commands in LLDB has the expected values, live and on a core, with each
reader.  On a core it is that of the command ompd-opencl."""

from __future__ import annotations

import json
import os
import unittest
from typing import Dict, List

from command import run, write_core
from command_comparing import TABLES, plain, rows_of, same_names
from comparing import assert_truth
from harness import Answer, Session, environment, main, program, read_truth, work_folder
from lldb_runner import ask, find_lldb, launch, questions, run_lldb
from runtime_cases import assert_overview, assert_usage

TRUTH = "programs/truth-program"
BY_LLDB = ["opencl set reader lldb", "opencl set search on"]
MISSING = "Not all of the target's modules could be read; runtimes may be missing."
WORDS = (*TABLES, "threads", "waits", "leaks", "check", "memobjs --kind buffer --sort -size")


class TestLists(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        find_lldb()
        cls.variables = environment("icd")

    def _compare(self, folder: str, session: Session, truth_stop: str, stop: str) -> None:
        truth = read_truth(folder, truth_stop)
        assert_truth(truth, session, stop)
        overview = session.answer(stop + ".overview").rows()[0]
        assert_overview(truth, overview)
        assert_usage(truth, overview, session.answer(stop + ".memory").rows()[0])

    def test_live(self) -> None:
        """At two stops of one process, read by the host library, then by LLDB."""
        folder = work_folder("lldb-live")
        commands = launch(folder) + questions("host")
        commands += ["process continue", *questions("destructor"), *BY_LLDB, *questions("lldb")]
        session = run_lldb([program(TRUTH)], [*commands, "kill"], self.variables)
        self._compare(folder, session, "main", "host")
        self._compare(folder, session, "destructor", "destructor")
        self._compare(folder, session, "destructor", "lldb")

    def test_core(self) -> None:
        """A core, whoever reads it."""
        folder = work_folder("lldb-core")
        core = os.path.join(folder, "core")
        write_core(TRUTH, [folder], core, self.variables)
        tables = [ask(words, "opencl " + words) for words in WORDS]
        tables += [ask(words + " --json", "opencl %s --json" % words) for words in TABLES]
        places = "opencl memobjs --columns handle,made-at"
        commands = ["opencl set limit unlimited", *tables, *questions("host")]
        commands += [ask("host places", places), *BY_LLDB, ask("lldb places", places)]
        commands += [*questions("lldb"), "script in_lldb.tell_modules()"]
        session = run_lldb(["-c", core, program(TRUTH)], commands, self.variables)
        self._compare(folder, session, "main", "host")
        # LLDB lists no module whose file is lost, so that it never says that these are all.
        known = {name: without_end(answer) for name, answer in session.answers.items()}
        missing = [name for name in known if known[name] != session.answers[name]]
        self.assertIn("lldb.memobjs", missing)
        self.assertTrue(all(name.startswith("lldb.") for name in missing), missing)
        self._compare(folder, session._replace(answers=known), "main", "lldb")
        self.assertIn("MODULES AND MORE", session.output)
        self.assertIn("libompd-opencl-recorder.so", session.output)
        named = session.answer("lldb places").output
        self.assertEqual(named, session.answer("host places").output + MISSING + "\n")
        self.assertRegex(named, r"\.c:\d+\n")
        self._same_words(session, ["--core", core, "--exe", program(TRUTH)])
        os.unlink(core)

    def _same_words(self, session: Session, target: List[str]) -> None:
        """What the command prints for the core, but for LLDB's numbers of threads."""
        lines = 0
        for words in WORDS:
            expected = words_of(session.answer(words).output)
            own = run(target + words.split(), self.variables).output
            self.assertEqual(words_of(own), expected, words)
            lines += len(expected)
        self.assertGreater(lines, 80)
        for words in TABLES:
            rows = rows_of(run([*target, words, "--json"], self.variables))
            told = session.answer(words + " --json").rows()
            self.assertEqual(same_names(rows), same_names(told), words)


def words_of(text: str) -> List[str]:
    """The lines of TEXT, whose columns are as wide as numbers of threads make them; but for that of
    the threads that are not in OpenCL, which the command has LWPs for."""
    lines = [" ".join(line.split()) for line in plain(text)]
    return [line for line in lines if not line.startswith("Not seen in OpenCL: ")]


def without_end(answer: Answer) -> Answer:
    """An answer without the object that says that modules may be missing, where it has that."""
    if not answer.output.endswith(MISSING + '"}}]'):
        return answer
    return answer._replace(output=json.dumps(answer.rows()[:-1]))


if __name__ == "__main__":
    main()
