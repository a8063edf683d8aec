#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script gets what the commands print: every verb, row and field, of a program with and without
the recorder, live and on a core, in GDB and in Python alone.  The same holds for the examples of
the guide, which print the expected values of the program."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import unittest
from typing import Any, Dict, Iterator, List, Tuple

from command import INCOMPLETE, OK, as_error, run
from harness import (
    SOURCE,
    TIME_LIMIT,
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    read_truth,
    run_gdb,
    work_folder,
)

import ompd_opencl
from described import LISTS, describe, describe_fields
from examples import run_examples
from ompd_opencl import structures as c

HERE = os.path.dirname(os.path.abspath(__file__))
IN_GDB = os.path.join(HERE, "in_gdb_rows.py")
GUIDE = os.path.join(SOURCE, "doc", "guide-scripts.md")

# What JSON says of a value that it does not have, and the library's word for it.
REASONS = {
    "not observed": "unknown",
    "not saved in the core": "not_saved",
    "unreadable": "unreadable",
    "being changed by LWP 77": "changing",
    "corrupt": "corrupt",
}
NO_NAME = (1 << 63) + 77  # as a number of 64 bits with a sign it is negative

# What the guide's examples print of leaks and waits.
LEAK_LINES = r"\A(0x[0-9a-f]+ [a-z-]+ \S+ (True|False|None) .+\n)+\Z"
WAIT_LINES = r"\A(\d+ \d+ \S+ \S+\n)+\Z"

# Lists within a row, and which fields of their rows JSON has there.
DESTRUCTOR_KEYS = ("function", "user_data", "state", "lwp", "running_lwp")
# What JSON adds of a code address, and of a row.
NO_FIELDS: Tuple[str, ...] = ("schema", "unknown", "presumed", "at_least", "notes", "findings")
# What the view has counted.
NO_FIELDS += ("failed_builds", "refused_calls", "failed_commands", "pending_commands")
OF_PLACES = (
    *("symbol", "symbol_offset", "inlined_into", "inlined_at"),
    *("file", "line", "module_offset"),
)


def verb_of(name: str) -> str:
    """The command that lists what Session.NAME does."""
    return name.replace("_", "-")


def lines_of_array(text: str) -> List[str]:
    """The rows of GDB's JSON, each as it stands there."""
    rows = text[1:].rstrip()[:-1].split(",\n ")
    return rows if rows != [""] else []


def json_value(value: Any) -> Any:
    """A value of JSON as a script has it."""
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    if isinstance(value, list):
        return [int(entry["address"], 16) if isinstance(entry, dict) else entry for entry in value]
    return value


class Comparison:
    """Collects every difference."""

    def __init__(self) -> None:
        self.differences: List[str] = []
        self.compared = 0

    def same(self, where: str, expected: Any, found: Any) -> None:
        """FOUND is what it should be."""
        self.compared += 1
        if expected != found:
            self.differences.append("%s: %r is shown, a script has %r" % (where, expected, found))

    def answer(self, name: str, lines: List[str], told: Dict[str, Any]) -> None:
        """The rows of a list: LINES are JSON as the commands print it."""
        rows = {row["json"]: row for row in told["rows"]}
        last = json.loads(lines[-1]) if lines else {}
        is_complete, missing = "unreadable" not in last, [0, []]
        if not is_complete:
            lines = lines[:-1]
            note = last["unknown"]["rows"]
            missing = [last["unreadable"], [note[0].lower() + note[1:]]]
        self.same(name, sorted(lines), sorted(row["json"] for row in told["rows"]))
        self.same(
            name + " is complete", [is_complete, missing], [told["is_complete"], told["missing"]]
        )
        for line in lines:
            if line in rows:
                self.row(name, json.loads(line), rows[line])

    def row(self, name: str, shown: Dict[str, Any], told: Dict[str, Any]) -> None:
        """One row: each field that JSON has, and those that it leaves out."""
        where = "%s %s" % (name, shown.get("handle") or shown.get("pointer") or shown.get("order"))
        parts = told["parts"]
        self.fields(where, shown, told["fields"], parts)
        for part, rows in parts.items():
            expected = shown.get(part)
            if expected is None:
                self.same(where + " " + part, [], rows)
                continue
            self.same("%s %s" % (where, part), len(expected), len(rows))
            for entry, fields in zip(expected, rows):
                if part == "wait_list":
                    self.same(where + " wait_list", json_value(entry), fields["event"][0])
                elif part == "destructors":
                    chosen = {key: fields[key] for key in DESTRUCTOR_KEYS}
                    self.fields("%s %s" % (where, part), entry, chosen, {})
                else:
                    self.fields("%s %s" % (where, part), entry, fields, {})

    def fields(
        self, where: str, shown: Dict[str, Any], fields: Dict[str, Any], parts: Dict[str, Any]
    ) -> None:
        """The fields of one object of JSON."""
        unknown = shown.get("unknown", {})
        of_code = OF_PLACES if "module" in fields else (*OF_PLACES, "module")
        ignored = {*NO_FIELDS, *of_code, *parts, *(name + "_value" for name in fields)}
        self.same(where + " has no other keys", set(), set(shown) - ignored - set(fields))
        for name, (value, status, source) in fields.items():
            place = "%s %s" % (where, name)
            if name not in shown:
                self.same(place, None, value)
                self.same(place + " status", True, status in ("not_applicable", "none"))
                continue
            self.same(place, json_value(shown[name]), value)
            self.same(place + " has a source", value is not None, source is not None)
            if name in unknown:
                self.same(place + " status", REASONS.get(unknown[name]), status)
            elif name in shown.get("at_least", ()):
                self.same(place + " status", "at_least", status)
            elif name in shown.get("presumed", ()):
                self.same(place + " status", "presumed", status)
            else:
                self.same(place + " status", "value", status)


def tell(name: str, folder: str) -> List[str]:
    """The GDB commands that ask the plugin and a script the same; answers are named NAME.VERB."""
    commands = [ask("%s.%s" % (name, verb_of(verb)), question(verb)) for verb in LISTS]
    commands += [ask(name + ".overview", "opencl -json")]
    return [*commands, "python tell(%r, %r)" % (os.path.join(folder, name + ".rows"), GUIDE)]


def question(verb: str) -> str:
    """The plugin's command for a list."""
    return "opencl %s -json" % verb_of(verb)


def told_by_gdb(name: str, folder: str) -> Dict[str, Any]:
    """The output of tell()."""
    with open(os.path.join(folder, name + ".rows"), encoding="utf-8") as file:
        told = json.load(file)
    if not isinstance(told, dict):
        raise AssertionError("nothing was told")
    return told


def made_up(session: ompd_opencl.Session, kind: int, status: int) -> ompd_opencl.Row:
    """A row of which each field has STATUS; with a value, one of which no bit or name is known."""
    info = session.kind(kind)
    data = bytearray(info.size)
    struct.pack_into("=Q", data, 0, info.size)
    has_value = status in (c.Status.VALUE, c.Status.PRESUMED, c.Status.AT_LEAST)
    for field in info.fields.values():
        if field.type == c.Type.TEXT:
            text = b"a \x01 text" if has_value else b""
            values = (status, has_value, 77, 0, len(text), text)
            struct.pack_into("=HHIQQ11s", data, field.offset, *values)
        else:
            value = 0 if field.name == "destructor_count" or not has_value else NO_NAME
            struct.pack_into("=QHHI", data, field.offset, value, status, has_value, 77)
    return ompd_opencl.Row(session, session.space(), info, bytes(data))


class RowsCase(unittest.TestCase):
    """Give `runtime` and `is_recorded`."""

    runtime = ""
    is_recorded = True
    rows_at_least = 0
    of_references = "value"  # the status of the program's references
    folder = ""
    core = ""
    variables: Dict[str, str] = {}
    live: Session
    on_core: Session

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment(cls.runtime, cls.is_recorded)
        cls.variables["OMPD_OPENCL_STACK_DEPTH"] = "4"
        cls.folder = work_folder("rows-%s-%s" % (cls.runtime, cls.is_recorded))
        cls.core = os.path.join(cls.folder, "core")
        path = program("programs/truth-program")
        commands = ["source " + IN_GDB, "break truth_stop", "run %s > /dev/null" % cls.folder]
        commands += ["continue", *tell("live", cls.folder), "gcore " + cls.core, "kill"]
        cls.live = run_gdb([path], commands, cls.variables, name="rows")
        commands = ["source " + IN_GDB, *tell("core", cls.folder)]
        cls.on_core = run_gdb([path, cls.core], commands, cls.variables, name="rows")

    @classmethod
    def tearDownClass(cls) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(cls.core)

    def _compare(self, answers: Dict[str, List[str]], told: Dict[str, Any]) -> None:
        comparison = Comparison()
        self.assertTrue(answers)
        for name, lines in answers.items():
            if name == "overview":
                comparison.same(name, lines, [told[name]["json"]])
                comparison.row(name, json.loads(lines[0]), told[name])
            else:
                comparison.answer(name, lines, told[name])
        self.assertEqual(comparison.differences, [])
        self.assertGreater(comparison.compared, self.rows_at_least * 20)
        self.assertGreater(len(answers["memobjs"]), 30)

    def _examples(self, truth: Dict[str, List[Row]], printed: Dict[str, str]) -> None:
        """What the guide's examples print is what is true."""
        expected = {
            "sizes": [
                "%s %d" % (kind, sum(row["size"] for row in large if row["kind"] == kind))
                for large in [[row for row in truth["memobjs"] if row["size"] >= 4096]]
                for kind in sorted({row["kind"] for row in large})
            ],
            "complete": ["%d queues and no more" % len(truth["queues"])],
            "references": [
                "%s %d %s" % (row["handle"], row["references"], self.of_references)
                for row in truth["memobjs"]
            ],
            "callbacks": [
                "%s %s %s" % (row["handle"], callback["symbol"], callback["user_data"])
                for row in truth["memobjs"]
                if row["kind"].startswith("image")
                for callback in row["destructors"]
            ],
            "freed": [pointer for row in truth["svm-frees"] for pointer in row["pointers"]],
            "failure": ["no such object"],
        }
        for name, lines in expected.items():
            self.assertTrue(lines, name)
            self.assertEqual(sorted(printed[name].splitlines()), sorted(lines), name)
        contexts = {row["handle"] for row in truth["contexts"]}
        self.assertEqual({line.split()[0] for line in printed["holders"].splitlines()}, contexts)
        self.assertRegex(printed["leaks"], LEAK_LINES)
        self.assertRegex(printed["waits"], WAIT_LINES)
        self.assertIn("indings", printed["findings"])
        handles = {json.loads(line)["handle"] for line in printed["json"].splitlines()}
        self.assertEqual(handles, contexts)
        answers = {"leaks", "findings", "holders", "waits"}
        self.assertEqual(set(printed), {*expected, "json", *answers})

    def _in_gdb(self, session: Session, name: str) -> None:
        told = told_by_gdb(name, self.folder)
        self._examples(read_truth(self.folder, "destructor"), told["examples"])
        answers = {}
        for verb in (*LISTS, "overview"):
            answer = session.answer("%s.%s" % (name, verb_of(verb)))
            if answer.error is None:
                answers[verb] = lines_of_array(answer.output)
            else:
                self.assertEqual(answer.error, told[verb]["error"])
                self.assertEqual(told[verb]["kind"], "UnavailableError")
        self._compare(answers, told)

    def _by_command(self, target: List[str]) -> Tuple[Dict[str, List[str]], Dict[str, str]]:
        """The lines that the command prints, or its errors."""
        answers, errors = {}, {}
        for verb in (*LISTS, "overview"):
            answer = run([*target, verb_of(verb), "--json"], self.variables)
            if answer.code in (OK, INCOMPLETE):
                answers[verb] = answer.output.splitlines()
            else:
                self.assertEqual(answer.output, "", answer)
                errors[verb] = answer.errors
        return answers, errors

    def _in_python(
        self, target: List[str], session: ompd_opencl.HostSession, truth: Dict[str, List[Row]]
    ) -> None:
        with open(GUIDE, encoding="utf-8") as file:
            self._examples(truth, run_examples(file.read(), session))
        told = json.loads(json.dumps(describe(session)))
        session.close()
        answers, errors = self._by_command(target)
        for verb, error in errors.items():
            self.assertEqual(error, "ompd-opencl: %s\n" % as_error(told[verb]["error"]))
        self._compare(answers, told)

    def test_live_in_gdb(self) -> None:
        self._in_gdb(self.live, "live")

    def test_core_in_gdb(self) -> None:
        self._in_gdb(self.on_core, "core")

    def test_core_in_python(self) -> None:
        truth = read_truth(self.folder, "destructor")
        self._in_python(["--core", self.core], ompd_opencl.open_core(self.core), truth)

    def test_process_in_python(self) -> None:
        folder = work_folder("rows-process")
        with self._process(folder) as pid:
            session = ompd_opencl.open_process(pid)
            self._in_python(["--pid", str(pid)], session, read_truth(folder, "main"))

    @contextlib.contextmanager
    def _process(self, folder: str) -> Iterator[int]:
        """A program that waits where it has all kinds of objects."""
        with subprocess.Popen(
            [program("programs/truth-program"), folder, "wait"],
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as process:
            assert process.stdout is not None
            try:
                self.assertEqual(process.stdout.readline(), "main\n")
                yield process.pid
                process.communicate("\n\n\n\n", timeout=TIME_LIMIT)
            except BaseException:
                process.kill()
                raise
        self.assertEqual(process.returncode, 0)


class TestRecorded(RowsCase):
    runtime = "icd"
    rows_at_least = 80

    def test_statuses(self) -> None:
        """Rows made up here: every status of every field, and values that have no name."""
        comparison = Comparison()
        with ompd_opencl.open_core(self.core) as session:
            for kind in (c.Kind.MEMOBJ, c.Kind.RUNTIME, c.Kind.USAGE):
                for status in c.Status:
                    row = made_up(session, kind, status)
                    fields = json.loads(json.dumps(describe_fields(row)))
                    told = {"fields": fields, "parts": {"destructors": []}}
                    comparison.row(status.name, json.loads(row.to_json()), told)
        self.assertEqual(comparison.differences, [])
        self.assertGreater(comparison.compared, 500)


class TestUnprepared(RowsCase):
    runtime = "pocl"
    is_recorded = False
    rows_at_least = 80
    of_references = "presumed"


del RowsCase  # is no test by itself


if __name__ == "__main__":
    main()
