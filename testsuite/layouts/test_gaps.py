#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What no source knows is "not known", never "none" or 0."""

from __future__ import annotations

import os
import re
import shutil
from typing import List, NamedTuple

from command import INCOMPLETE, OK, run
from harness import ask, main, run_gdb, work_folder
from unprepared import started, tool_environment
from unprepared_cases import RuntimeCase


class Lack(NamedTuple):
    """What a layout lacks, and what of the answers is not known then."""

    begins: str  # the lines that begin so go, up to the next object or list
    noun: str
    table: str
    counts: List[str]


LACKS = (
    Lack("  list svm", "SVM allocations", "svm", ["svm_allocations", "svm_bytes"]),
    Lack("object queue", "command queues", "queues", ["queues"]),
    Lack("object event", "SVM-free commands", "svm-frees", ["svm_frees", "events"]),
)


def without(text: str, begins: str) -> str:
    """A layout's TEXT without an object, with its lists, or a list."""
    ends = "object" if begins.startswith("object") else "(?:object|  list|  [a-z-]+ holds)"
    found = re.compile(r"(?ms)^%s\b.*?(?=^%s\b|\Z)" % (re.escape(begins), ends))
    changed, count = found.subn("", text)
    if count != 1:
        raise AssertionError("%s is %d times in the layout" % (begins, count))
    return changed


class TestUntold(RuntimeCase):
    runtime = "pocl"

    def test_untold(self) -> None:
        folder = work_folder("untold")
        with open(self.layout, encoding="utf-8") as file:
            whole = file.read()
        with started(["10", "second"], folder, self.variables) as process:
            truth = process.wait_for("main")
            self.assertEqual(len(truth["svm"]), 3)
            for lack in LACKS:
                layouts = os.path.join(folder, lack.table)
                os.mkdir(layouts)
                with open(os.path.join(layouts, "it.layout"), "w", encoding="utf-8") as file:
                    file.write(without(whole, lack.begins))
                with self.subTest(lack.table):
                    self.check_lack(lack, str(process.pid), layouts)
        shutil.rmtree(folder)

    def check_lack(self, lack: Lack, pid: str, layouts: str) -> None:
        """In JSON and text, by the command and GDB."""
        variables = tool_environment(layouts)
        questions = [lack.table, lack.table + " -json", "", "-json"]
        commands = [ask("q" + question, ("opencl " + question).strip()) for question in questions]
        session = run_gdb(["-p", pid], commands, variables, name="untold")
        target = ["--pid", pid]
        text = run([*target, lack.table], variables)
        lines = run([*target, lack.table, "--json"], variables)
        overview = run([*target, "overview"], variables)
        row = run([*target, "overview", "--json"], variables)
        self.assertEqual({answer.code for answer in (text, lines, overview, row)}, {INCOMPLETE})
        with open(self.layout, encoding="utf-8") as file:
            [module] = re.findall(r"(?m)^module (.+)$", file.read())
        sentence = "The layout of %s does not cover %s; " % (module, lack.noun)
        sentence += "run the program under the recorder."
        self.assertEqual(text.output, sentence + "\n")
        self.assertEqual(session.answer("q" + lack.table).output, sentence + "\n")
        missing = {"schema": 1, "unreadable": 0, "unknown": {"rows": sentence}}
        self.assertEqual(lines.objects(), [missing])
        self.assertEqual(session.answer("q%s -json" % lack.table).rows(), lines.objects())
        [counts] = row.objects()
        self.assertEqual(session.answer("q-json").rows(), [counts])
        for count in lack.counts:
            self.assertIsNone(counts[count])
            self.assertEqual(counts["unknown"][count], "not observed")
        self.assertEqual(counts["contexts"], 2)
        self.assertNotIn("contexts", counts.get("at_least", []))
        self.assertEqual(overview.output, session.answer("q").output)
        [note] = counts["notes"]
        self.assertIn("  %s\n" % note, overview.output)
        self.assertIn("does not cover", note)

    def test_untold_pointers(self) -> None:
        """A layout may have the number of pointers that a command frees, but not the pointers."""
        folder = work_folder("untold-pointers")
        with open(self.layout, encoding="utf-8") as file:
            text, count = re.subn("(?m)^  field svm_pointers .*\n", "", file.read())
        self.assertEqual(count, 1)
        with open(os.path.join(folder, "it.layout"), "w", encoding="utf-8") as file:
            file.write(text)
        variables = tool_environment(folder)
        with started(["10", "second"], folder, self.variables) as process:
            [free] = process.wait_for("main")["svm-frees"]
            target = ["--pid", str(process.pid)]
            lines = run([*target, "svm-frees", "--json"], variables)
            one = run([*target, "svm-free", free["event"]], variables)
            allocations = run([*target, "svm", "--json"], variables)
            commands = [ask("all", "opencl svm-frees -json")]
            commands.append(ask("one", "opencl svm-free " + free["event"]))
            session = run_gdb(["-p", target[1]], commands, variables, name="untold-pointers")
        shutil.rmtree(folder)
        [row] = lines.objects()
        self.assertEqual((lines.code, one.code), (INCOMPLETE, INCOMPLETE))
        self.assertEqual((row["pointer_count"], row["pointers"]), (2, None))
        self.assertEqual(row["unknown"]["pointers"], "not observed")
        self.assertEqual(row["function"], free["function"])
        [in_gdb] = session.answer("all").rows()
        self.assertEqual((in_gdb["pointers"], in_gdb["unknown"]), (None, row["unknown"]))
        sentence = "The pointers that it frees are not known without the recorder.\n"
        self.assertIn(sentence, one.output)
        self.assertIn(sentence, session.answer("one").output)
        # Any allocation may be one of those.
        states = {row["unknown"]["state"] for row in allocations.objects()}
        self.assertEqual((len(allocations.objects()), states), (3, {"not observed"}))

    def test_told(self) -> None:
        """The layout of the runtime has all facts."""
        folder = work_folder("told")
        with started(["10", "second"], folder, self.variables) as process:
            process.wait_for("main")
            target = ["--pid", str(process.pid)]
            answer = run([*target, "overview", "--json"], tool_environment())
        shutil.rmtree(folder)
        self.assertEqual(answer.code, OK)
        self.assertNotIn("notes", answer.objects()[0])


del RuntimeCase  # it is of no runtime


if __name__ == "__main__":
    main()
