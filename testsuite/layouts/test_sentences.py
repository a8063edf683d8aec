#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sentences about single objects without the recorder: the same in GDB and in the command, and
nothing presumed is stated as a fact."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, List

from command import INCOMPLETE, OK, run
from harness import ask, main, run_gdb, work_folder
from unprepared import Truth, started, started_few, tool_environment
from unprepared_cases import RuntimeCase


def questions(truth: Truth) -> Dict[str, List[str]]:
    """Verbs and handles, by what they are about."""
    [part] = [row for row in truth["memobjs"] if row["kind"] == "sub-buffer"]
    return {
        "whole": ["memobj", part["parent"]],
        "part": ["destructors", part["handle"]],
        "queue": ["queue", truth["queues"][0]["handle"]],
        "context": ["context", truth["contexts"][0]["handle"]],
    }


class TestPocl(RuntimeCase):
    runtime = "pocl"

    def test_sentences(self) -> None:
        folder = work_folder("sentences")
        with started(["10", "second"], folder, self.variables) as process:
            asked = questions(process.wait_for("main"))
            pid = str(process.pid)
            commands = [ask(name, "opencl " + " ".join(words)) for name, words in asked.items()]
            session = run_gdb(["-p", pid], commands, tool_environment(), name="sentences")
            for name, words in asked.items():
                by_command = run(["--pid", pid, *words], tool_environment())
                self.assertEqual(by_command.code, OK, by_command.errors)
                self.assertEqual(session.answer(name).output, by_command.output)
        shutil.rmtree(folder)
        lines = {name: session.answer(name).output.splitlines() for name in asked}
        for name in asked:
            self.assertIn(", 1 reference (presumed)", lines[name][0])
            self.assertNotIn("none", lines[name][0])
        self.assertRegex(lines["whole"][-1], "^When it is freed, 8192 B at .* may be reused.$")
        # The memory of a sub-buffer is that of the whole one, which goes on using it.
        self.assertEqual(lines["part"][-1], "After them the object is freed.")

    def test_untold(self) -> None:
        """A layout without callbacks: for an object they are one more unknown field, and a list of
        them alone is incomplete."""
        folder = work_folder("sentences-untold")
        with open(self.layout, encoding="utf-8") as file:
            text = re.sub(r"  list destructors.*\n(    .*\n)+|  taken.*\n", "", file.read())
        text = re.sub("^taken.*\n", "", text, flags=re.MULTILINE)
        with open(os.path.join(folder, "pocl.layout"), "w", encoding="utf-8") as file:
            file.write(text)
        variables = tool_environment(folder)
        with started_few(["context", "buffer"], folder, self.variables) as process:
            target = ["--pid", str(process.pid)]
            [row] = run([*target, "memobjs", "--json"], variables).objects()
            for verb, code in (("memobj", OK), ("destructors", INCOMPLETE)):
                question = [*target, verb, row["handle"]]
                answers = [run(question, variables), run([*question, "--json"], variables)]
                self.assertEqual([answer.code for answer in answers], [code, code], answers)
                for answer in answers:
                    self.assertIn("not observed", answer.output)
        shutil.rmtree(folder)


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
