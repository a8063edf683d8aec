#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""set debug opencl: what the library does is in GDB's log, live and on a core."""

import re
import unittest
from typing import Dict, List

from harness import Session, ask, environment, main, program, run_gdb, work_folder

WORDS = [program("programs/many-buffers")]
RUN = ["break truth_stop", "run 3 2"]
LEVELS = ("refusals", "decisions", "lookups", "reads")
STARTS = {
    "decisions": "recorder: accepted, ",
    "lookups": 'symbol lookup "ompd_opencl_registry"',
    "reads": "read ",
}


def asked() -> List[str]:
    """Ask for the same list at each level."""
    commands = [ask("first", "show debug opencl"), "opencl memobjs"]
    for level in ("off", *LEVELS):
        commands += ["set debug opencl " + level, ask("show " + level, "show debug opencl")]
        commands += ["python gdb.write('begin %s\\n', gdb.STDERR)" % level]
        # What was read at this stop is not read again.
        commands += ["python gdb.execute('set {char}&truth_counts = ((char *)&truth_counts)[0]')"]
        commands += ["opencl memobjs", "opencl memobj 0x10"]
    return [*commands, "set debug opencl off"]


def parts(session: Session) -> Dict[str, str]:
    """What was logged, by level."""
    found = re.split(r"(?m)^begin (\w+)$", session.errors)
    return dict(zip(found[1::2], found[2::2]))


class TestDebug(unittest.TestCase):
    def check(self, session: Session) -> None:
        """Each level has its lines, and no other's."""
        self.assertEqual(session.answer("first").output, "The diagnostic log is off.\n")
        self.assertEqual(
            session.answer("show lookups").output,
            "The diagnostic log reports refusals, decisions, lookups.\n",
        )
        logged = parts(session)
        self.assertNotIn("ompd-opencl: ", logged["off"])
        for at, level in enumerate(LEVELS):
            lines = re.findall(r"(?m)^ompd-opencl: (.*)$", logged[level])
            for name, start in STARTS.items():
                is_there = any(line.startswith(start) for line in lines)
                self.assertEqual(is_there, name in LEVELS[: at + 1], (level, name))
            self.assertTrue(any(line.startswith("unavailable: ") for line in lines), level)
            self.assertIn("no memory object 0x10", logged[level])

    def test_process(self) -> None:
        for reader in ("gdb", "host"):
            with self.subTest(reader=reader):
                commands = ["set opencl reader " + reader, *RUN, *asked(), "kill"]
                variables = environment("icd")
                session = run_gdb(WORDS, commands, variables, name="debug", all_symbols=True)
                self.check(session)

    def test_core(self) -> None:
        core = work_folder("debug") + "/core"
        commands = [*RUN, "gcore " + core, "kill"]
        run_gdb(WORDS, commands, environment("icd"), name="debug")
        commands = [line for line in asked() if "truth_counts" not in line]
        commands = [
            part
            for line in commands
            for part in ([line, "core " + core] if line.startswith("python") else [line])
        ]
        self.check(run_gdb([*WORDS, core], commands, environment("icd"), name="debug"))

    def test_words(self) -> None:
        commands = [
            ask("wrong", "set debug opencl everything"),
            ask("help", "help set debug opencl"),
            ask("show", "show debug opencl"),
        ]
        session = run_gdb([], commands, environment("icd"), name="debug")
        self.assertIn("everything", str(session.answer("wrong").error))
        self.assertIn("GDB's log", session.answer("help").output)
        self.assertIn("is off", session.answer("show").output)


if __name__ == "__main__":
    main()
