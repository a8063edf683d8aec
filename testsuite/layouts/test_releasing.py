#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops during the release of objects, when one is partly destroyed: its layout still matches, and
counts that may include it are not certain."""

from __future__ import annotations

import os
from typing import Dict

from harness import GDB_SCRIPTS, Answer, main, program, run_gdb, thorough
from released import MISFIT
from unprepared import RELEASED, tool_environment
from unprepared_cases import RuntimeCase

SINGLY = 10


class Releasing(RuntimeCase):
    def answers(self, command: str) -> Dict[str, Answer]:
        """What COMMAND says from stop to stop."""
        commands = [
            "source " + os.path.join(GDB_SCRIPTS, "in_gdb_frees.py"),
            "python ask_at_frees(ask, %r, %d)" % (command, SINGLY),
        ]
        words = ["--args", program(RELEASED), "1", "3"]
        variables = dict(tool_environment(), **self.variables)
        return run_gdb(words, commands, variables, name=self.id(), all_symbols=True).answers

    def test_contexts(self) -> None:
        answers = self.answers("opencl contexts -json")
        self.assertGreater(len([name for name in answers if name.startswith("held")]), SINGLY)
        self.assertTrue([name for name in answers if name.startswith("last")])
        for name, answer in answers.items():
            with self.subTest(stop=name):
                self.assertNotIn(MISFIT, answer.output)
                certain = [row for row in answer.rows() if row["confidence"] == "certain"]
                references = {1} if name.startswith("held") else {0}
                if name.startswith("last") and name.endswith("beside"):
                    references = {0, 1}  # a thread of the runtime may be before the program's
                self.assertLessEqual({row["references"] for row in certain}, references)


class TestPocl(Releasing):
    runtime = "pocl"


class TestOclgrind(Releasing):
    runtime = "oclgrind"


@thorough
class TestRusticl(Releasing):
    runtime = "rusticl"


del Releasing, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
