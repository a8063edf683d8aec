#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl triage --journal` adds the data of systemd-coredump to the verdict of a core,
whatever the journal contains, and has a line for each deleted core."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import unittest
from typing import Any, Dict, List, Tuple

from command import FINDINGS, INCOMPLETE, OK, UNREADABLE, USAGE, Answer, as_error, run
from fleet_runs import write_program
from harness import environment, main, work_folder
from journal import BOOT, HOST, TIME, Fields, core_entry, core_name, export_field
from journal import require_journal, write_journal
from json_page import Page
from test_command_triage import abort_at, require_cores

UNIT = ("COREDUMP_UNIT", "viewer.service")
PACKAGE: Fields = [("COREDUMP_PACKAGE_NAME", "viewer"), ("COREDUMP_PACKAGE_VERSION", "1.2-3")]
LONG = 65536
HOSTILE = "rel/x\x1b[31m\ny"


class TestJournal(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    journal = ""
    stored: List[str] = []  # two cores, of which the second is compressed

    @classmethod
    def setUpClass(cls) -> None:
        require_journal()
        require_cores()
        cls.variables = environment("icd")
        cls.folder = work_folder("command-journal")
        core = abort_at("main", cls.path("dies"), cls.variables)
        cls.stored = [cls.path(core_name(0)), cls.path(core_name(1) + ".zst")]
        answer = run(["--core", core, "save", cls.stored[0]], cls.variables)
        assert answer.code == OK, answer.errors
        os.unlink(core)
        subprocess.run(["zstd", "-q", cls.stored[0], "-o", cls.stored[1]], check=True)
        os.mkfifo(cls.path("pipe"))
        cls.journal = write_journal(cls.path("cores.journal"), cls.entries())

    @classmethod
    def path(cls, *names: str) -> str:
        return os.path.join(cls.folder, *names)

    @classmethod
    def entries(cls) -> List[bytes]:
        """Entries with a core, with a deleted core, and without a core."""
        gone = ("COREDUMP_FILENAME", cls.path(core_name(2)))
        user = ("COREDUMP_USER_UNIT", "app.service")
        told: List[Fields] = [
            [("COREDUMP_FILENAME", cls.stored[0]), UNIT, *PACKAGE],
            [("COREDUMP_FILENAME", cls.stored[1]), ("COREDUMP_UNIT", "user@1000.service"), user],
            [gone, UNIT, ("COREDUMP_EXE", "/srv/app/viewer"), ("COREDUMP_CMDLINE", "viewer -x")],
            [UNIT],
            [("COREDUMP_FILENAME", HOSTILE), ("COREDUMP_UNIT", "u\x1b[31m\n2")],
            [("COREDUMP_FILENAME", "/" + LONG * "x"), ("COREDUMP_UNIT", LONG * "u")],
            [("COREDUMP_FILENAME", cls.path("pipe")), UNIT, ("COREDUMP_UNIT", "other.service")],
            [("COREDUMP_FILENAME", "/gone/twice"), ("COREDUMP_UNIT", b"\xffa\x00\nb")],
            [("COREDUMP_FILENAME", "/gone/twice"), UNIT],
            [("COREDUMP_FILENAME", "/gone/last"), ("COREDUMP_SIGNAL", "x"), ("COREDUMP_PID", "")],
        ]
        entries = [core_entry(number, fields) for number, fields in enumerate(told)]
        entries.append(core_entry(20, [("COREDUMP_FILENAME", "/etc/passwd")], sender="1000"))
        entries.append(core_entry(21, [("COREDUMP_FILENAME", "/other")], message=BOOT))
        unit = ("_SYSTEMD_UNIT", "systemd-coredump@3-77-0.service")
        fields: Fields = [("COREDUMP_FILENAME", "/gone/of/user"), unit]
        return [*entries, core_entry(22, fields, sender="999")]

    def triage(self, *words: str) -> Answer:
        return run(["triage", "--journal=" + self.journal, *words], self.variables)

    def rows(self) -> List[Dict[str, Any]]:
        """Of all that the journal names."""
        answer = self.all_rows()
        self.assertEqual(answer.code, UNREADABLE)
        self.check_errors(answer)
        return answer.objects()

    @classmethod
    @functools.lru_cache(maxsize=None)
    def all_rows(cls) -> Answer:
        return run(["triage", "--journal=" + cls.journal, "--json"], cls.variables)

    def check_errors(self, answer: Answer) -> None:
        """The entry that another user has written is left out, and that is said."""
        sentence = "1 entry of the journal ignored: not written by systemd-coredump"
        self.assertEqual(answer.errors, "ompd-opencl: %s\n" % sentence)

    def test_all(self) -> None:
        """Without cores all that the journal names have a row, each once, the oldest first."""
        rows = self.rows()
        paths = [*self.stored, self.path(core_name(2)), None, HOSTILE, None, self.path("pipe")]
        paths += ["/gone/twice", "/gone/last", "/gone/of/user"]
        self.assertEqual([row["core"] for row in rows], paths)
        Page().check_answer("verdict", rows)
        for number, row in enumerate(rows[:8]):
            self.assertEqual((row["host"], row["boot_id"]), (HOST, BOOT))
            self.assertEqual((row["time"], row["uid"]), (TIME + number, 1000))

    def test_stored(self) -> None:
        """Facts of the core are the same as without the journal; those of the journal are added."""
        first, second = self.rows()[:2]
        alone = run(["triage", "--json", self.stored[0]], self.variables).objects()[0]
        keys = ("signature", "signature_text", "class", "frames", "program", "pid", "findings")
        for row in (first, second):
            for key in keys:
                self.assertEqual(row[key], alone[key])
            self.assertNotIn("error", row)
        self.assertEqual(alone["host"], "triage-host")
        self.assertNotIn("unit", alone)
        told = (first["unit"], first["package"], first["package_version"])
        self.assertEqual(told, ("viewer.service", "viewer", "1.2-3"))
        self.assertNotIn("user_unit", first)
        self.assertEqual(second["unit"], "user@1000.service")
        self.assertEqual(second["user_unit"], "app.service")
        self.assertNotIn("package", second)

    def test_gone(self) -> None:
        """A deleted core has the facts of the journal, and is reported as deleted."""
        row = self.rows()[2]
        self.assertEqual((row["program"], row["command_line"]), ("/srv/app/viewer", "viewer -x"))
        self.assertEqual((row["signal"], row["pid"]), ("SIGSEGV", 102))
        self.assertEqual((row["unit"], row["error"]), ("viewer.service", "The core was deleted."))
        self.assertTrue(row["is_incomplete"])
        self.assertIsNone(row["class"])
        for key in ("signature", "frames", "size"):
            self.assertNotIn(key, row)

    def test_hostile(self) -> None:
        """What is of no use is null with the reason; nothing is opened that is no file."""
        none, relative, long, pipe, twice, last, of_user = self.rows()[3:]
        self.assertEqual(none["error"], "The journal names no core file.")
        self.assertEqual(none["unknown"]["core"], "the journal names no core file")
        self.assertEqual(relative["error"], "The journal does not give the full path of the core.")
        self.assertEqual(relative["unit"], "u\x1b[31m\n2")
        self.assertEqual(long["unknown"]["unit"], "journal field is longer than 4095 bytes")
        self.assertEqual(long["unknown"]["core"], "journal field is longer than 4095 bytes")
        self.assertEqual(pipe["error"], "The journal names something that is not a file.")
        self.assertEqual(pipe["unknown"]["unit"], "journal field has several values")
        self.assertEqual(twice["unknown"]["unit"], "journal field is not UTF-8 text")
        self.assertNotIn("signal", last)
        self.assertNotIn("pid", last)
        self.assertEqual(last["unknown"]["unit"], "not recorded in the journal")
        self.assertEqual(of_user["program"], "viewer")

    def test_text(self) -> None:
        """A line for each, whatever is in it."""
        answer = self.triage()
        self.check_errors(answer)
        lines = answer.output.splitlines()
        self.assertEqual(len(lines), 10)
        self.assertNotIn("\x1b", answer.output)
        where = r"; viewer\.service on farm-3, 2026-11-26 00:12:09 UTC, package viewer 1\.2-3; "
        self.assertRegex(lines[0], r": truth-program died of SIGABRT in .*" + where + "signature ")
        self.assertIn("; app.service on farm-3, ", lines[1])
        gone = "%s: viewer died of SIGSEGV; viewer.service on farm-3, 2026-11-26 00:12:11 UTC; "
        self.assertEqual(lines[2], gone % self.path(core_name(2)) + "the core was deleted")
        self.assertTrue(lines[3].startswith("(no file): viewer died of SIGSEGV; "), lines[3])
        self.assertTrue(lines[4].startswith("rel/x\\x1b[31m\\ny: viewer died of SIGSEGV; u\\x1b"))
        self.assertIn("/gone/last: viewer, cause unknown; unknown unit", lines[8])

    def test_cores(self) -> None:
        """Given cores: by path, by link, by a name that has the boot ID."""
        elsewhere = self.path("elsewhere")
        os.mkdir(elsewhere)
        copy = shutil.copy(self.stored[0], elsewhere)
        link = os.path.join(elsewhere, "link")
        os.symlink(self.stored[0], link)
        other = shutil.copy(self.stored[0], os.path.join(elsewhere, "other"))
        gone = self.path(core_name(2))
        answer = self.triage("--json", self.stored[0], copy, link, other, gone)
        rows = answer.objects()
        units = [row["unit"] for row in rows]
        self.assertEqual(units, 3 * ["viewer.service"] + [None, "viewer.service"])
        self.assertEqual(rows[3]["unknown"]["unit"], "the journal does not name the core")
        self.assertEqual(rows[3]["host"], "triage-host")
        self.assertEqual(rows[4]["error"], "The core was deleted.")
        self.assertEqual(self.triage(self.stored[0]).code, FINDINGS)

    def test_group(self) -> None:
        """Deleted cores count as cores that could not be read."""
        lines = self.triage("--group").output.splitlines()
        self.assertIn("2 cores of truth-program: abort, ", lines[1])
        self.assertIn("8 cores: cause unknown; e.g. ", lines[0])
        self.assertEqual(lines[-1], "8 of 10 cores could not be read completely.")

    def test_folder(self) -> None:
        """The journal may be a folder, and one that names no core is no failure."""
        for name, entries, output in (
            ("one", [core_entry(0, [("COREDUMP_FILENAME", self.stored[0])])], self.stored[0]),
            ("other", [core_entry(0, [], message=BOOT)], "The journal lists no cores "),
        ):
            os.mkdir(self.path(name))
            write_journal(self.path(name, "[a*].journal"), entries)
            for journal in (self.path(name), self.path(name, "[a*].journal")):
                answer = run(["triage", "--journal=" + journal], self.variables)
                self.assertEqual(answer.errors, "")
                self.assertEqual(answer.output.count("\n"), 1)
                self.assertTrue(answer.output.startswith(output), answer.output)
            code = run(["triage", "--json", "--journal=" + journal], self.variables).code
            self.assertEqual(code, FINDINGS if name == "one" else OK)

    def refuse(self, path: str, sentence: str, variables: Dict[str, str]) -> None:
        answer = run(["triage", "--journal=" + path, self.stored[0]], variables)
        self.assertEqual((answer.code, answer.output), (UNREADABLE, ""))
        self.assertTrue(answer.is_refusal(), answer.errors)
        self.assertIn(as_error(sentence), answer.errors)

    def test_refused(self) -> None:
        missing = self.path("a\nb")
        cannot = "Cannot read the journal: "
        self.refuse(missing, cannot + self.path("a\\nb: No such file"), self.variables)
        with open(self.path("bad.journal"), "wb") as file:
            file.write(b"bad")
        self.refuse(self.path("bad.journal"), cannot + "journalctl: Failed", self.variables)
        nowhere = dict(self.variables, PATH=self.path("nowhere"))
        self.refuse(self.journal, cannot + "journalctl (part of systemd) is", nowhere)
        for words, part in (
            (["triage"], "no cores: name CORE..., or use --journal"),
            (["triage", "--journal="], "--journal needs an argument"),
            (["--pid", "1", "threads", "--journal"], "threads has no option --journal"),
        ):
            answer = run(words, self.variables)
            self.assertEqual((answer.code, answer.output), (USAGE, ""))
            self.assertIn(part, answer.errors)

    def told(self, output: bytes, end: str) -> Tuple[Answer, List[Dict[str, Any]]]:
        """The output with a journalctl that prints this and ends so."""
        with open(self.path("output"), "wb") as file:
            file.write(output)
        write_program(self.path("bin"), "journalctl", "cat '%s'; %s" % (self.path("output"), end))
        path = self.path("bin") + ":" + self.variables["PATH"]
        answer = run(["triage", "--json", "--journal"], dict(self.variables, PATH=path))
        return answer, answer.objects()

    def test_cut(self) -> None:
        """Where journalctl fails, or what it says has no end, what was whole is taken."""
        whole = core_entry(0, [("COREDUMP_FILENAME", self.stored[0])])
        for end, reason in (
            ("echo 'Is broken' >&2; exit 1", "journalctl: Is broken."),
            ("kill -9 $$", "journalctl was ended by SIGKILL."),
        ):
            answer, rows = self.told(whole + whole, end)
            self.assertEqual((answer.code, len(rows)), (INCOMPLETE, 1))
            sentence = "ompd-opencl: cannot read the journal: %s\n" % reason.rstrip(".")
            self.assertEqual(answer.errors, sentence)
        endless = b"COREDUMP_UNIT\n" + b"\xff" * 8 + b"x"
        for rest in (b"", b"\n\n", b"COREDUMP_UNIT", endless, 70 * b"N" + b"=1\n", b"A\n\x01"):
            answer, rows = self.told(whole + rest, "exit 0")
            self.assertEqual((answer.code, answer.errors), (FINDINGS, ""))
            self.assertEqual(json.dumps([row["core"] for row in rows]), json.dumps(self.stored[:1]))
        line = core_entry(0, [("COREDUMP_FILENAME", "/a")]) + export_field("_UID", "0")
        answer, rows = self.told(line + b"COREDUMP_FILENAME=/b=c\n\n", "exit 0")
        self.assertEqual([row["core"] for row in rows], ["/a", "/b=c"])


if __name__ == "__main__":
    main()
