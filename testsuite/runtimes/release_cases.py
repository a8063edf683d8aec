# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions to the runtime of a Debian release, with 10 and 10,000 buffers, live and on cores of
GDB and the kernel: without the recorder by a layout, and with the recorder."""

from __future__ import annotations

import os
import shutil
import sys
import unittest
from typing import Dict, List, Sequence

from command import run
from harness import main, program, work_folder
from held_objects import CERTAIN, PRESUMED, confidences, held, same, same_pending
from learning import parse
from releases import Installed, Runtime, all_runtimes, install
from table import check_row, make_row
from kernel_core import skip_without_cores
from unprepared import (
    FEW,
    PROGRAM,
    Comparison,
    Lists,
    Process,
    Truth,
    ask_command,
    ask_gdb,
    compare,
    debuggers_core,
    kernel_core,
    started,
    tool_environment,
)

MANY = ("10000", "second")
CALLBACKS = ("callback1", "callback2", "callback3", "callback4")

# Runtimes that count the references of the program alone.
UNCOUNTED = {"neo"}

# Runtimes that leave callbacks in the list once they have run.
KEEPING = {"amd", "neo", "rusticl"}


class ReleaseCase(unittest.TestCase):
    """One runtime of one release."""

    runtime: Runtime
    installed: Installed
    tools: Dict[str, str] = {}
    layout = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.installed = install(cls.runtime)
        cls.layout = cls.installed.layout()
        cls.tools = tool_environment(os.path.dirname(cls.layout))
        with open(cls.layout, encoding="utf-8") as file:
            head = parse(file.read()).head
        shipped = cls.installed.shipped_layout()
        how = os.path.basename(shipped) if shipped else "learned"
        print("%s: %s, %s, %s" % (cls.runtime.name, head["runtime"], head["build-id"], how))

    def folder(self, what: str) -> str:
        path = work_folder("%s-%s" % (self.runtime.name, what))
        self.installed.prepare(path)
        return path

    def environment(self, recorder: bool) -> Dict[str, str]:
        """That of a program that uses the runtime."""
        return self.installed.environment(recorder)

    def compare_target(self, truth: Truth, pid_or_core: str, source: str) -> Comparison:
        """A process or a core by the command and by GDB; gives what the command showed."""
        family = self.runtime.family
        is_core = not pid_or_core.isdigit()
        words = ["--core" if is_core else "--pid", pid_or_core]
        shown = ask_command(words, self.tools, family if source == "layout" else "")
        told = compare(truth, shown, family, source=source)
        self.check_counts(truth, words)
        started_as = [*self.installed.loader, program(PROGRAM)][0]
        words = [started_as, "-c", pid_or_core] if is_core else ["-p", pid_or_core]
        compare(truth, ask_gdb(words, self.tools), family, source=source)
        return told

    def check_counts(self, truth: Truth, words: List[str]) -> None:
        """Objects that no table shows are counted."""
        [row] = run([*words, "overview", "--json"], self.tools).objects()
        kinds = ("programs", "kernels", "samplers")
        self.assertEqual([truth[kind] for kind in kinds], [row[kind] for kind in kinds], row)
        self.assertGreaterEqual(row["events"], truth["events"], row)

    def compare_all(self, words: Sequence[str], recorder: bool) -> Comparison:
        """A live process, and both kinds of core of the same program; gives what the live one
        showed."""
        source = "recorder" if recorder else "layout"
        variables = self.environment(recorder)
        loader = self.installed.loader
        folder = self.folder("%s-%s" % (source, words[0]))
        with started(words, folder, variables, loader) as process:
            truth = process.wait_for("main")
            live = self.compare_target(truth, str(process.pid), source)
            core = debuggers_core(process)
        self.compare_target(truth, core, source)
        shutil.rmtree(folder)
        skip_without_cores(self)
        folder = self.folder("%s-%s-kernel" % (source, words[0]))
        core = kernel_core(words, folder, variables, loader)
        self.compare_target(Process.truth_of(folder, "main"), core, source)
        shutil.rmtree(folder)
        return live

    def check_table(self, comparison: Comparison, source: str) -> None:
        """What the document says is so."""
        row = make_row(self.layout, self.runtime.release, source, comparison.statuses)
        check_row(row)

    def test_few(self) -> None:
        self.check_table(self.compare_all(FEW, recorder=False), "layout")

    def test_few_recorded(self) -> None:
        self.check_table(self.compare_all(FEW, recorder=True), "recorder")

    def test_many(self) -> None:
        self.compare_all(MANY, recorder=False)

    def test_many_recorded(self) -> None:
        self.compare_all(MANY, recorder=True)

    def test_destroying(self) -> None:
        """In each destructor callback, facts about the object are right or unknown."""
        family = self.runtime.family
        with open(self.layout, encoding="utf-8") as file:
            lines = parse(file.read()).objects["buffer"]
        takes = any(line.startswith("taken ") for line in lines)
        folder = self.folder("destroying")
        variables, loader = self.environment(recorder=False), self.installed.loader
        with started(["10", "second", "destroy"], folder, variables, loader) as process:
            process.wait_for("main")
            for stop in CALLBACKS:
                process.go_on()
                truth = process.wait_for(stop)
                shown = ask_command(["--pid", str(process.pid)], self.tools, family)
                if family in KEEPING and not takes:
                    self._accept_kept(truth, shown)
                compare(truth, shown, family)
        shutil.rmtree(folder)

    def _accept_kept(self, truth: Truth, shown: Lists) -> None:
        """Finished callbacks may be shown before the remaining ones, but not as pending."""
        row = next(row for row in truth["memobjs"] if row.get("is_destroying"))
        found = next(each for each in shown["memobjs"] if each["handle"] == row["handle"])
        told = found["destructors"]
        left = [(each["function"], each["user_data"]) for each in row["destructors"]]
        self.assertGreaterEqual(len(told), len(left))
        last = [(each["function"], each["user_data"]) for each in told[len(told) - len(left) :]]
        self.assertEqual(last, left)
        self.assertEqual({each["unknown"].get("state") for each in told}, {"not observed"})
        row["destructors"] = told

    def test_learned_is_shipped(self) -> None:
        """What is shipped is what is learned."""
        shipped = self.installed.shipped_layout()
        if not shipped:
            self.skipTest("%s is of a build that no layout is shipped for" % self.runtime.name)
        with open(shipped, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.installed.learn())


class UncountedCase(ReleaseCase):
    """A runtime that counts the references of the program alone."""

    def test_held(self) -> None:
        """What the program has released is there as long as commands use it, as the recorder alone
        has it."""
        tools = tool_environment(work_folder(self.runtime.name + "-no-layouts"))
        with held(self.environment(recorder=True), self.installed.loader) as process:
            for stop in ("loop", "pending", "finished", "released", "end"):
                there = process.wait_for(stop)
                shown = confidences(process, tools)
                if stop == "pending":
                    same_pending(shown, there)
                else:
                    same(shown, there, PRESUMED if stop == "released" else CERTAIN)
                if stop != "end":
                    process.go_on()


class RecordedCase(ReleaseCase):
    """A runtime without a layout: nothing is shown without the recorder."""

    test_few = None  # type: ignore[assignment]
    test_many = None  # type: ignore[assignment]
    test_destroying = None  # type: ignore[assignment]
    test_learned_is_shipped = None  # type: ignore[assignment]

    @classmethod
    def name_in_table(cls, name: str, build: str) -> None:
        """Let the table call it so, because no layout has its name."""
        cls.tools = tool_environment(work_folder(cls.runtime.name + "-no-layouts"))
        cls.layout = os.path.join(work_folder(cls.runtime.name + "-head"), "head")
        with open(cls.layout, "w", encoding="utf-8") as file:
            file.write("runtime %s\nbuild-id %s\n" % (name, build))


def main_of(file: str, module: Dict[str, object]) -> None:
    """Run the tests of each runtime of the list FILE, or of those that the command line names."""
    runtimes = all_runtimes(file)
    names = [word for word in sys.argv[1:] if word in {each.name for each in runtimes}]
    sys.argv[1:] = [word for word in sys.argv[1:] if word not in names]
    for each in runtimes:
        if not names or each.name in names:
            case = UncountedCase if each.family in UNCOUNTED else ReleaseCase
            name = "Test" + each.name.replace("-", "_")
            module[name] = type(name, (case,), {"runtime": each, "__module__": "__main__"})
    main()
