#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inside each of four destructor callbacks of a buffer, without the recorder: the buffer is being
destroyed, finished callbacks are not pending, and there are no invalid rows.  If a runtime has
removed the callbacks from the buffer, they are "not observed", not "none"; also if it runs them
later and keeps the buffer alive."""

from __future__ import annotations

import shutil
from typing import List, Set

from command import run
from harness import Row, ask, ask_lists, main, run_gdb, some, thorough, work_folder
from unprepared import (
    Lists,
    Truth,
    ask_command,
    compare,
    debuggers_core,
    lists_of,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase

# What an object that may be no more leaves open in the overview.
NOT_PROVED = "  presumed, not proved: memory objects, destructors registered"
NOT_OBSERVED = "destructor callbacks not observed."
STOPS = ("callback1", "callback2", "callback3", "callback4")


def pairs(row: Row) -> List[str]:
    return ["%s %s" % (entry["function"], entry["user_data"]) for entry in row["destructors"]]


def certain(shown: Lists) -> Set[str]:
    """The memory objects that are shown as certain."""
    return {row["handle"] for row in shown["memobjs"] if row["confidence"] == "certain"}


class Destroying(RuntimeCase):
    forgets = True  # the runtime takes a callback from its list before or after it ran
    certain: Set[str] = set()  # before the callbacks

    def test_command(self) -> None:
        folder = work_folder("destroying-" + self.runtime)
        with started(["10", "second", "destroy"], folder, self.variables) as process:
            registered = self._registered(process.wait_for("main"))
            target = ["--pid", str(process.pid)]
            self.certain = certain(ask_command(target, tool_environment()))
            self.assertGreater(len(self.certain), 10)
            for stop in STOPS:
                process.go_on()
                truth = process.wait_for(stop)
                if stop in some(STOPS, 2):
                    self._compare(truth, ask_command(target, tool_environment()), registered)
            core = debuggers_core(process)
            self._compare(truth, ask_command(["--core", core], tool_environment()), registered)
            process.go_on()
            truth = process.wait_for("destroyed")
            compare(truth, ask_command(target, tool_environment()), self.family())
        shutil.rmtree(folder)

    def test_gdb(self) -> None:
        folder = work_folder("destroying-gdb-" + self.runtime)
        with started(["10", "none", "destroy"], folder, self.variables) as process:
            registered = self._registered(process.wait_for("main"))
            process.go_on()
            process.wait_for(STOPS[0])
            process.go_on()
            truth = process.wait_for(STOPS[1])
            pid = str(process.pid)
            verb = ["destructors", truth["memobjs"][-1]["handle"]]
            commands = ask_lists() + [ask("sentence", "opencl " + " ".join(verb))]
            commands.append(ask("overview", "opencl"))
            session = run_gdb(["-p", pid], commands, tool_environment(), name="destroying")
            by_command = run(["--pid", pid, *verb], tool_environment()).output
            overviews = [run(["--pid", pid, "overview"], tool_environment()).output]
            counted = run(["--pid", pid, "overview", "--json"], tool_environment()).objects()[0]
        shown = lists_of(session)
        self._compare(truth, shown, registered)
        sentence = session.answer("sentence").output.splitlines()[0]
        self.assertEqual(sentence, by_command.splitlines()[0])
        for overview in [*overviews, session.answer("overview").output]:
            self.assertIn(NOT_PROVED, overview.splitlines())
        owners = [row for row in shown["memobjs"] if row["confidence"] != "doubtful"]
        listed = sum(len(row.get("destructors") or []) for row in owners + shown["contexts"])
        self._check_sentence(sentence)
        if self.takes_callbacks():
            self.assertEqual(counted["destructors_registered"], listed)
            self.assertIn("destructors_registered", counted["at_least"])
        else:
            self.assertEqual(counted["destructors_registered"], listed - 1)  # one of them runs
        if "at_least" in counted:
            self.assertIn("does not tell the destructor callbacks of 1 ", counted["notes"][0])
        shutil.rmtree(folder)

    def _check_sentence(self, sentence: str) -> None:
        """What is said of the buffer before its callbacks."""
        self.assertIn(", 0 references (presumed), destroying (presumed): ", sentence)
        self.assertEqual(sentence.endswith(": " + NOT_OBSERVED), self.takes_callbacks(), sentence)

    def _registered(self, truth: Truth) -> List[str]:
        """All callbacks of the buffer, in call order, at the stop before they run."""
        result = pairs(truth["memobjs"][-1])
        assert len(set(result)) == 4, result
        return result

    def _compare(self, truth: Truth, shown: Lists, registered: List[str]) -> None:
        """The runtime may keep what has run, which then is not shown as what is to run."""
        row = next(row for row in truth["memobjs"] if row.get("is_destroying"))
        found = [other for other in shown["memobjs"] if other["handle"] == row["handle"]]
        self.assertEqual(len(found), 1, [other["state"] for other in shown["memobjs"]])
        self.assertEqual(found[0]["state"], "destroying")
        if self.takes_callbacks():
            self.assertIsNone(found[0]["destructors"])
            self.assertEqual(found[0]["unknown"]["destructors"], "not observed")
            self.assertEqual(found[0]["unknown"]["destructor_count"], "not observed")
        else:
            self._compare_callbacks(row, found[0], registered)
        # What it still holds, or holds no more, leaves the others as certain as they were.
        self.assertLessEqual(self.certain - {row["handle"]}, certain(shown))
        compare(truth, shown, self.family())

    def _compare_callbacks(self, row: Row, found: Row, registered: List[str]) -> None:
        """Those that are left, the first of which runs."""
        expected = pairs(row)
        if not self.forgets:
            self.assertEqual(pairs(found), registered)
            row["destructors"] = found["destructors"]
        self.assertEqual(pairs(found)[-len(expected) :], expected)
        for entry in found["destructors"]:
            self.assertIsNone(entry["state"], entry)
            self.assertEqual(entry["unknown"]["state"], "not observed")


class TestPocl(Destroying):
    runtime = "pocl"


class TestOclgrind(Destroying):
    runtime = "oclgrind"


@thorough
class TestRusticl(Destroying):
    runtime = "rusticl"
    forgets = False


del Destroying, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
