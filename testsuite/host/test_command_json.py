#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JSON of every verb of the command and every opencl command of GDB follows
ompd-opencl-json(5), for complete and damaged cores."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from typing import Any, Dict, List

from command import run
import registry_view as registry
from core_editor import CoreEditor
from harness import (
    RECORDER,
    Session,
    ask,
    environment,
    lines_until,
    main,
    program,
    one_arena,
    run_gdb,
    work_folder,
)
from json_page import Page
from kept_handles import standing

MIDDLE = 64  # bytes of a record

LISTS = (
    *("overview", "contexts", "queues", "memobjs", "destructors", "svm", "svm-frees"),
    *("platforms", "devices", "commands", "events", "kernels", "programs", "samplers", "threads"),
)
ONE = {"memobjs": "memobj", "contexts": "context", "queues": "queue", "svm-frees": "svm-free"}
ONE.update(events="event", kernels="kernel", programs="program", samplers="sampler")


class TestJson(unittest.TestCase):
    variables: Dict[str, str] = {}
    folder = ""
    core = ""
    root = 0  # where its registry lies
    session: Session
    page: Page

    @classmethod
    def setUpClass(cls) -> None:
        """Destructor callbacks are running when the core is written.  Call stacks end before they
        come to the C library, whose debug information takes longest to read."""
        cls.page = Page()
        cls.variables = dict(environment("icd"), OMPD_OPENCL_STACK_DEPTH="2")
        cls.folder = work_folder("command-json")
        cls.core = os.path.join(cls.folder, "core")
        commands = ["break truth_stop", "run %s > /dev/null" % cls.folder, "continue"]
        commands += ["print (long) &ompd_opencl_registry", "gcore " + cls.core, "kill"]
        path = program("programs/truth-program")
        output = run_gdb([path], commands, one_arena(cls.variables), name="command-json").output
        cls.root = int(re.findall(r"(?m)^\$1 = (\d+)$", output)[0])
        words = [*LISTS, "memory", *cls.one_of_each()]
        commands = [ask(line, "opencl %s -json" % re.sub("^overview", "", line)) for line in words]
        cls.session = run_gdb([path, cls.core], commands, cls.variables, name="command-json")

    @classmethod
    def tearDownClass(cls) -> None:
        os.unlink(cls.core)

    @classmethod
    def one_of_each(cls) -> List[str]:
        """A question about one object of each kind, and about its callbacks."""
        questions = []
        for verb, one in ONE.items():
            rows = run(["--core", cls.core, verb, "--json"], cls.variables).objects()
            row = max(rows, key=lambda row: len(row.get("destructors", [])))
            handle = row["pointers"][0]["pointer"] if verb == "svm-frees" else row["handle"]
            questions.append("%s %s" % (one, handle))
            if verb in ("contexts", "memobjs"):
                questions.append("destructors %s" % handle)
        return questions

    def _check_contents(self) -> None:
        """What is in an object's bytes, of one that the host can see and of one that it cannot."""
        rows = run(["--core", self.core, "memobjs", "--json"], self.variables).objects()
        seen = next(row["handle"] for row in rows if "host_pointer" in row)
        unseen = next(row["handle"] for row in rows if "host_pointer" not in row)
        for question in ("memobj %s --contents", "memobj %s --contents --as float3 --rows 2"):
            for handle in (seen, unseen):
                self.assertEqual(self.check(question % handle, "--core", self.core), 1)
        for key in self.page.objects["contents"]:
            self.assertIn("contents " + key, self.page.seen)

    def _rows(self, question: str, *target: str) -> List[Dict[str, Any]]:
        return run([*target, *question.split(), "--json"], self.variables).objects()

    def check(self, question: str, *target: str) -> int:
        """One answer of the command; returns how many objects it has."""
        rows = self._rows(question, *target)
        self.page.check_answer(self.page.verbs[question.split()[0]], rows)
        return len(rows)

    def rows_of_run(
        self, end: str, name: str = "programs/leave", runtime: str = "icd"
    ) -> List[Dict[str, Any]]:
        """The report on a run of a program."""
        report = os.path.join(self.folder, "run.json")
        words = ["--output", report, program(name), *end.split()]
        variables = dict(environment(runtime, recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        run(["run", "--json", *words], variables)
        with open(report, encoding="utf-8") as file:
            return run(["--help"], self.variables)._replace(output=file.read()).objects()

    def _check_recorded(self) -> None:
        """What only the recorder knows, of programs that use it."""
        for mode, verb in (("buffer", "command-buffers"), ("semaphore", "semaphores")):
            variables = environment("icd")
            with standing(variables, program("programs/command-buffers"), mode) as kept:
                target = ["--pid", str(kept.pid)]
                (handle,) = {row["handle"] for row in self._rows(verb, *target)[:1]}
                self.assertEqual(self.check("%s %s" % (verb[:-1], handle), *target), 1)
                self.assertGreater(self.check("commands", *target), 0)
        with subprocess.Popen(
            [program("programs/touches")],
            env=environment("pocl"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as touches:
            lines_until(touches, "ready")
            self.assertEqual(self.check("mappings", "--pid", str(touches.pid)), 2)
            self.assertGreater(self.check("commands", "--pid", str(touches.pid)), 9)
            self.assertGreater(self.check("memobjs", "--pid", str(touches.pid)), 1)
            self.assertEqual(self.check("kernels", "--pid", str(touches.pid)), 1)
            touches.communicate("\n")

    def test_command(self) -> None:
        """Every verb, and nearly every key that is documented."""
        self.page.seen.clear()
        for question in (*LISTS, "memory", "runtimes", *self.one_of_each()):
            self.assertGreater(self.check(question, "--core", self.core), 0)
        self._check_contents()
        self._check_recorded()
        with standing(environment("pocl"), program("programs/failed-commands"), "fail") as kept:
            self.assertEqual(self.check("commands", "--pid", str(kept.pid)), 4)
        self.check("layouts")
        self.check("triage " + self.core)
        self.check("triage " + self.core + ".none")
        counted = run(["triage", "--group", "--json", self.core], self.variables).objects()
        self.page.check_answer("core_group", counted[:1])
        self.assertGreater(len(counted), 1)
        self.page.check_answer("wait_node", counted[1:])
        rows = self.rows_of_run("exit")
        self.page.check_answer(self.page.verbs["run"], rows[:1])
        self.page.check_answer("left", rows[1:])
        rows = self.rows_of_run("release")
        self.page.check_answer("finding", rows[1:2])
        self.page.check_answer("left", rows[2:])
        rows = self.rows_of_run("use end fork use refused end exec true", "programs/family")
        self.page.check_answer(self.page.verbs["run"], [row for row in rows if "program" in row])
        rows = self.rows_of_run("retained", "programs/still-there")
        self.page.check_answer("left", [row for row in rows if "left" in row])
        rows = self.rows_of_run("commands", "programs/still-there", "pocl")
        self.page.check_answer("kept", [row for row in rows if "kept" in row])
        look = os.path.join(self.folder, "look")
        self.assertEqual(self.check("save " + look, "--core", self.core), 1)
        self.assertEqual(self.check("report " + look + ".html", "--core", self.core), 1)
        rows = run(["--core", self.core, "graph", "--json"], self.variables).objects()
        edges = [row for row in rows if "from" in row]
        self.assertGreater(len(edges), 0)
        self.page.check_answer("node", rows[: -len(edges)])
        self.page.check_answer("edge", edges)
        # Changes are in testsuite/host/test_command_diff.py.
        self.check("diff " + look, "--core", self.core)
        # Findings are compared with the page in testsuite/gdb/test_check.py.
        self.check("check", "--core", self.core)
        # Hops are in testsuite/gdb/test_waits.py.
        self.check("waits", "--core", self.core)
        # What is gone is in testsuite/gdb/test_gone.py.
        self.check("destroyed", "--core", self.core)
        # Holders are in testsuite/gdb/test_holders.py, leaks in test_leaks.py, the ledger and calls
        # in test_ledger.py, callbacks in test_event_callbacks.py; pictures are in
        # testsuite/host/test_command_objects.py, messages in test_command_messages.py.
        self.check("leaks", "--core", self.core)
        elsewhere = (
            "call",
            "callback",
            "change",
            "error",
            "finding",
            "destroyed",
            "wait_step",
            "reference_site",
            "leak",
            "ledger",
            "message",
            "picture",
        )
        objects = {
            name: keys
            for name, keys in self.page.objects.items()
            if name not in elsewhere and not name.startswith("embree_")
        }
        documented = [(name, key) for name, keys in objects.items() for key in keys]
        self.assertGreater(len(documented), 150)
        seen = [pair for pair in documented if " ".join(pair) in self.page.seen]
        self.assertGreater(len(seen) / len(documented), 0.8, set(documented) - set(seen))

    def test_gdb(self) -> None:
        for question, answer in self.session.answers.items():
            rows = answer.rows()
            self.assertTrue(rows, question)
            self.page.check_answer(self.page.verbs[question.split()[0]], rows)

    def test_groups(self) -> None:
        """A list in groups: each value once, and together they are the list."""
        target = ["--core", self.core, "--json"]
        for verb, key in (("memobjs", "kind"), ("memobjs", "caller"), ("threads", "state")):
            rows = run([*target, verb], self.variables).objects()
            groups = run([*target, verb, "--group", key], self.variables).objects()
            values = [group.pop(key) for group in groups]
            self.assertEqual(sorted(values), sorted({row[key] for row in rows}))
            for value, group in zip(values, groups):
                own = [row for row in rows if row[key] == value]
                self.assertEqual(group["count"], len(own))
                if verb == "memobjs":
                    self.assertEqual(group["bytes"], sum(row["size"] for row in own))
            self.page.check_answer("group", groups)
        table = run(["--core", self.core, "memobjs", "--group", "made-at"], self.variables)
        self.assertRegex(table.output, r"\Acount +bytes +made at\n")

    def test_verbs(self) -> None:
        """What the help of the command lists is what the page has, but for what others answer."""
        part = run(["--help"], self.variables).output.split("Verbs, each")[1].split("\n\n")[0]
        verbs = set(re.findall(r"^  ([\w-]+)  ", part, re.MULTILINE))
        self.assertEqual(set(self.page.verbs), verbs - {"gdb"})

    def test_incomplete(self) -> None:
        """Objects of which parts are missing: the core's memory ends within a record."""
        unreadable = 0
        marked = 0
        for table in (registry.MEMOBJ, registry.CALLBACK, registry.SVM_FREE, registry.THREAD):
            editor = CoreEditor(self.core)
            view = registry.RegistryView(editor, self.root)
            editor.cut(view.record(table, 1) + MIDDLE)
            cut = editor.save(os.path.join(self.folder, "cut"))
            for verb in LISTS:
                answer = run(["--core", cut, verb, "--json"], self.variables)
                unreadable += answer.output.count('"unreadable": ')
                marked += answer.output.count('"unknown": {')
                self.page.check_answer(self.page.verbs[verb], answer.objects())
            self.check("triage " + cut)
        os.unlink(cut)
        self.assertGreater(unreadable, 3)
        self.assertGreater(marked, unreadable)


if __name__ == "__main__":
    main()
