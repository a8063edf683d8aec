#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C during the search for objects, without the recorder: the command ends immediately with one
sentence, and the next time gives the complete answer."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, List, Tuple

from harness import GDB_SCRIPTS, THOROUGH, Session, ask, main, run_gdb, work_folder
from unprepared import started, tool_environment
from unprepared_cases import RuntimeCase

COMMAND = "opencl memobjs -json"
INTERRUPTED = "opencl memobjs was interrupted."
PRESSES = 8 if THOROUGH else 4  # spread over all of a search
BUFFERS = 500
AFTER = 3  # more questions that the library may ask before it gives up


def asked(name: str, at: int) -> List[str]:
    """The commands that ask anew, with Ctrl-C at one look for it, 0 for at none."""
    return [
        "python presser.begin(%d)" % at,
        ask(name, COMMAND),
        "python tell_looks(%r)" % name,
    ]


def looks(session: Session) -> Dict[str, Tuple[int, int]]:
    """How often each command looked for Ctrl-C, and how often while it searched."""
    found = re.findall(r"^LOOKS (\S+) (\d+) (\d+)$", session.output, re.MULTILINE)
    return {name: (int(count), int(searched)) for name, count, searched in found}


class TestPocl(RuntimeCase):
    runtime = "pocl"

    def check_reader(self, reader: str) -> None:
        """With all memory read by READER."""
        folder = work_folder("interrupted-" + reader)
        before = [
            "set opencl reader " + reader,
            "source " + os.path.join(GDB_SCRIPTS, "in_gdb_interrupt.py"),
        ]
        with started([str(BUFFERS), "second"], folder, self.variables) as process:
            process.wait_for("main")
            words = ["-p", str(process.pid)]
            whole = run_gdb(words, before + asked("whole", 0), tool_environment())
            count, searched = looks(whole)["whole"]
            places = sorted({1 + (count - 1) * step // PRESSES for step in range(PRESSES)})
            self.assertEqual(len(places), PRESSES, "there are but %d looks" % count)
            self.assertGreater(searched, places[PRESSES // 2])
            commands = list(before)
            for place in places:
                commands += asked("cut%d" % place, place) + [ask("again%d" % place, COMMAND)]
            session = run_gdb(words, commands, tool_environment())
        expected = whole.answer("whole").rows()
        self.assertGreater(len(expected), BUFFERS // 2)
        for place in places:
            with self.subTest(place=place, of=count):
                cut = session.answer("cut%d" % place)
                self.assertEqual((cut.output, cut.error), ("", INTERRUPTED))
                # While rows are made each read fails that the rest of a batch needs.
                if place <= searched:
                    self.assertLessEqual(looks(session)["cut%d" % place][0], place + AFTER)
                self.assertEqual(session.answer("again%d" % place).rows(), expected)
        shutil.rmtree(folder)

    def test_host_reads(self) -> None:
        self.check_reader("host")

    def test_gdb_reads(self) -> None:
        self.check_reader("gdb")


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
