#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl memory: counts of the program's objects, the library's memory, and its limit."""

import os
import subprocess
import unittest
from typing import Any, Dict, List

from harness import Row, Session, ask, environment, gdb_command, main, program, run_gdb, work_folder

COUNT = 5000  # buffers
PER_BUFFER = 2  # destructor callbacks
SIZE = 64  # bytes of each buffer

RUN = ["break truth_stop", "run %d %d" % (COUNT, PER_BUFFER)]
WORDS = [program("programs/many-buffers")]

# What the program holds.
HELD = {
    "contexts": 1,
    "queues": 0,
    "memory-objects": COUNT,
    "programs": 0,
    "kernels": 0,
    "samplers": 0,
    "events": 0,
    "svm-allocations": 0,
    "svm-frees": 0,
    "destructors": COUNT * PER_BUFFER,
}
# What it ever held at once: it tries whether SVM works.
PEAKS = {**HELD, "svm-allocations": 1}


def usage(row: Row) -> Dict[str, Row]:
    """The rows of usage by kind."""
    return {str(part["kind"]): part for part in row["usage"]}


class TestMemory(unittest.TestCase):
    variables: Dict[str, str] = {}
    session: Session

    @classmethod
    def setUpClass(cls) -> None:
        folder = work_folder("memory")
        cls.variables = environment("icd")
        commands = [
            *RUN,
            ask("json", "opencl memory -json"),
            ask("text", "opencl memory"),
            ask("list", "opencl memobjs -json"),
            ask("after", "opencl memory -json"),
            ask("help", "help opencl memory"),
            "gcore %s/core" % folder,
            "kill",
        ]
        cls.session = run_gdb(WORDS, commands, cls.variables, name="memory")
        core = folder + "/core"
        commands = [ask("core", "opencl memory -json")]
        on_core = run_gdb([*WORDS, core], commands, cls.variables, name="memory")
        os.unlink(core)
        cls.session.answers.update(on_core.answers)

    def _row(self, name: str) -> Row:
        rows = self.session.answer(name).rows()
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_usage(self) -> None:
        """What one thread made is known exactly, live and on a core."""
        for name in ("json", "core"):
            shown = usage(self._row(name))
            self.assertEqual({kind: row["live"] for kind, row in shown.items()}, HELD)
            self.assertEqual({kind: row["peak"] for kind, row in shown.items()}, PEAKS)
            self.assertEqual(shown["memory-objects"]["bytes"], COUNT * SIZE)
            self.assertEqual(shown["memory-objects"]["peak_bytes"], COUNT * SIZE)
            self.assertNotIn("bytes", shown["contexts"])
            for row in shown.values():
                self.assertNotIn("presumed", row)
                self.assertNotIn("unknown", row)

    def test_account(self) -> None:
        """The library holds something, has asked for it, and a list takes no more for good."""
        for name in ("json", "after", "core"):
            library = self._row(name)["library"]
            self.assertGreater(library["current"], 0)
            self.assertGreaterEqual(library["peak"], library["current"])
            self.assertGreater(library["calls"], 0)
            self.assertEqual(library["cancelled"], 0)
            self.assertNotIn("limit", library)
            self.assertNotIn("wanted", library)
        before, after = self._row("json")["library"], self._row("after")["library"]
        self.assertGreater(after["calls"], before["calls"])
        self.assertEqual(len(self.session.answer("list").rows()), COUNT)

    def test_text(self) -> None:
        """Kinds that the program never had are left out; bytes have their unit."""
        text = self.session.answer("text").output
        self.assertRegex(
            text, r"(?m)^  memory objects +%d +%d +%d B" % (COUNT, COUNT, COUNT * SIZE)
        )
        self.assertRegex(
            text, r"(?m)^  destructors +%d +%d" % (COUNT * PER_BUFFER, COUNT * PER_BUFFER)
        )
        self.assertNotIn("queues", text)
        self.assertIn("set opencl memory-limit", text)
        current = self._row("json")["library"]["current"]
        self.assertRegex(text, r"(?m)^  held +%d B" % current)

    def test_help(self) -> None:
        text = self.session.answer("help").output
        for word in ("live", "peak", "refused", "memory-limit", "-json"):
            self.assertIn(word, text)


class TestLimit(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")

    def _run(self, commands: List[str]) -> Session:
        return run_gdb(
            WORDS, [*RUN, *commands, "kill"], self.variables, name="limit", all_symbols=True
        )

    def test_existing_session(self) -> None:
        """Too small a limit fails the command with how much it wanted; a larger one mends it."""
        session = self._run(
            [
                ask("held before", "opencl memory -json"),
                "set opencl memory-limit 1K",
                ask("show", "show opencl memory-limit"),
                # What was counted is held already; runtimes were not looked for.
                ask("text", "opencl runtimes"),
                ask("json", "opencl runtimes -json"),
                ask("held", "opencl memory -json"),
                "set opencl memory-limit unlimited",
                ask("after", "opencl memobjs -json"),
                ask("held after", "opencl memory -json"),
            ]
        )
        self.assertIn("1024 B (1 KiB)", session.answer("show").output)
        held = self._library(session, "held")
        for name in ("text", "json"):
            error = str(session.answer(name).error)
            self.assertRegex(error, r"\d+ B .* 1024 B")
            self.assertIn("set opencl memory-limit", error)
            self.assertIn("%d B" % (held["wanted"] - held["current"]), error)
        self.assertEqual(held["limit"], 1024)
        self.assertGreaterEqual(held["cancelled"], 2)
        self.assertGreater(held["wanted"], 1024)
        before = self._library(session, "held before")
        self.assertEqual(held["current"], before["current"])
        self.assertEqual(len(session.answer("after").rows()), COUNT)
        after = self._library(session, "held after")
        self.assertNotIn("limit", after)
        self.assertEqual(after["cancelled"], held["cancelled"])

    def _library(self, session: Session, name: str) -> Any:
        return session.answer(name).rows()[0]["library"]

    def test_new_session(self) -> None:
        """A limit that was set before the first question holds from the first byte."""
        session = self._run(
            [
                "set opencl memory-limit 16",
                ask("small", "opencl memobjs -json"),
                "set opencl memory-limit 64M",
                ask("large", "opencl memobjs -json"),
                ask("held", "opencl memory -json"),
            ]
        )
        self.assertRegex(str(session.answer("small").error), "memory limit.*memory-limit")
        self.assertEqual(len(session.answer("large").rows()), COUNT)
        self.assertEqual(self._library(session, "held")["limit"], 64 << 20)

    def test_every_inferior(self) -> None:
        """The limit is one of each process, set in all sessions at once."""
        commands = [ask("held 1", "opencl memory -json")]
        commands += ["add-inferior -exec " + WORDS[0], "inferior 2", RUN[1]]
        commands += [ask("held 2", "opencl memory -json"), "set opencl memory-limit 1K"]
        for name, inferiors in (("small", "21"), ("large", "12")):
            for inferior in inferiors:
                commands += ["inferior " + inferior]
                commands += [ask("%s %s" % (name, inferior), "opencl memobjs -json")]
            commands += ["set opencl memory-limit unlimited"]
        session = self._run([*commands, "kill", "inferior 1"])
        for inferior in "12":
            self.assertGreater(self._library(session, "held " + inferior)["current"], 1024)
            self.assertIsNotNone(session.answer("small " + inferior).error)
            self.assertEqual(len(session.answer("large " + inferior).rows()), COUNT)

    def test_values(self) -> None:
        """Sizes as GDB writes them.  Invalid ones change nothing."""
        right = {"4096": 4096, "64K": 65536, "1M": 1 << 20, "0x10": 16, "2GiB": 2 << 30}
        commands = [ask("first", "show opencl memory-limit")]
        for text in right:
            commands += ["set opencl memory-limit " + text]
            commands += [ask(text, "show opencl memory-limit")]
        commands += ["set opencl memory-limit 64K"]
        wrong = ("many", "-1", "1.5M", "64K 3", "")
        for text in wrong:
            commands += [ask("set " + text, "set opencl memory-limit " + text)]
            commands += [ask("show " + text, "show opencl memory-limit")]
        for text in ("unlimited", "0"):
            commands += ["set opencl memory-limit 64K", "set opencl memory-limit " + text]
            commands += [ask("no limit " + text, "show opencl memory-limit")]
        commands += [ask("both", "show opencl"), "set opencl bindings mine/*.h"]
        commands += [ask("bindings", "show opencl bindings")]
        session = run_gdb([], commands, self.variables, name="limit", all_symbols=True)
        unlimited = session.answer("first").output
        self.assertIn("as much memory as they need", unlimited)
        for text, size in right.items():
            self.assertIn(" %d B" % size, session.answer(text).output)
        for text in wrong:
            self.assertIsNotNone(session.answer("set " + text).error, text)
            self.assertIn(" 65536 B (64 KiB)", session.answer("show " + text).output)
        for text in ("unlimited", "0"):
            self.assertEqual(session.answer("no limit " + text).output, unlimited)
        self.assertIn(unlimited.strip(), session.answer("both").output)
        bindings = "OpenCL language bindings are the built-in ones"
        self.assertIn(bindings + ".\n", session.answer("both").output)
        self.assertEqual(
            session.answer("bindings").output, bindings + ", and mine/*.h.\n", "bindings"
        )

    def test_exit_status(self) -> None:
        """A command that did not fit ends GDB with status 1, in one sentence."""
        for limit, expected in (("1K", 1), ("unlimited", 0)):
            done = subprocess.run(
                gdb_command(WORDS, [*RUN, "set opencl memory-limit " + limit, "opencl memobjs"]),
                env=dict(self.variables, OMPD_TEST_ANSWERS=""),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                check=False,
            )
            self.assertEqual(done.returncode, expected, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            if expected:
                self.assertRegex(done.stderr.strip().splitlines()[-1], r"memory limit.*\.$")


if __name__ == "__main__":
    main()
