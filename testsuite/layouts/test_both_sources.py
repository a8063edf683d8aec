#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program has the same lists with and without the recorder.  With the recorder and a layout, each
object is shown once."""

from __future__ import annotations

import itertools
import operator
import os
import shutil
from typing import Any, Dict, List, Sequence, Set, Tuple

from command import INCOMPLETE, OK, run
from doubtful import excess
from fitting import LAYOUT_PATH
from harness import Row, ask, ask_lists, environment, main, run_gdb, thorough, work_folder
from unprepared import (
    FIELDS,
    LAYOUTS_OWN,
    NOT_KEPT,
    Lists,
    ask_command,
    debuggers_core,
    lists_of,
    program_environment,
    started,
    tool_environment,
    without_untold,
)
from unprepared_cases import RuntimeCase

WORDS = ["100", "second"]

# Values that are addresses or differ from run to run: that they are there is compared.
ADDRESSES = ("context", "device", "parent", "host_pointer", "queue", "function", "user_data")


def without_addresses(row: Row, key: str) -> Any:
    value = row.get(key)
    return value is not None if key in ADDRESSES else value


def story(table: str, row: Row, not_kept: Set[Tuple[str, str]]) -> str:
    """What is the same of an object in each run of the program."""
    told: List[Any] = [
        without_addresses(row, key)
        for key in FIELDS[table]
        if key not in LAYOUTS_OWN and (table, key) not in not_kept
    ]
    if table in ("queues", "memobjs"):
        told.append(row["state"])
    for entry in row.get("destructors", []) if table == "memobjs" else []:
        told.append((entry["symbol"], entry["user_data"], entry["state"]))
    return str(told)


# The lists, and each object that has callbacks, with those in call order.
Told = Tuple[Lists, List[Tuple[str, List[str]]]]


class BothSources(RuntimeCase):
    def stories(self, lists: Lists, source: str) -> List[str]:
        """Of all rows, sorted; each handle must be there once."""
        result = []
        not_kept = NOT_KEPT.get(self.runtime, set())
        for table, listed in lists.items():
            # What a runtime left of an object on a stack is in doubt, and no object of the program.
            self.assertEqual(excess(table, listed), [])
            rows = [row for row in listed if row["confidence"] != "doubtful"]
            keys = [row.get("handle", row.get("pointer", row.get("event"))) for row in rows]
            self.assertEqual(len(keys), len(set(keys)), table)
            self.assertEqual({row["source"] for row in rows} - {source}, set(), table)
            result += [table + " " + story(table, row, not_kept) for row in rows]
        return sorted(result)

    def callbacks(self, lists: Lists, listed: List[Row]) -> List[Tuple[str, List[str]]]:
        """Each object that has callbacks, with those in call order, in the order of LISTED, the
        list of all callbacks: object by object, and of each just what the object's own list has."""
        own = {
            row["handle"]: [entry["user_data"] for entry in row["destructors"]]
            for row in lists["memobjs"]
            if row["destructors"]
        }
        shown = [
            (handle, [row["user_data"] for row in rows])
            for handle, rows in itertools.groupby(listed, key=operator.itemgetter("object"))
        ]
        self.assertGreater(len(shown), 10)
        self.assertEqual(len(shown), len(own))
        self.assertEqual(dict(shown), own)
        self.assertGreater(max(map(len, own.values())), 2)
        if all(row["source"] == "layout" for row in listed):
            self.assertEqual(shown, sorted(shown, key=lambda entry: int(entry[0], 16)))
        return shown

    def ask(self, target: Sequence[str], layouts: str = LAYOUT_PATH) -> Told:
        """The answers of the command about TARGET, a process or a core."""
        variables = tool_environment(layouts)
        lists = ask_command(target, variables)
        answer = run([*target, "destructors", "--json"], variables)
        listed, is_untold = without_untold(answer.objects())
        self.assertEqual(answer.code, INCOMPLETE if is_untold else OK)
        return lists, self.callbacks(lists, listed)

    def ask_gdb(self, words: Sequence[str]) -> Told:
        """The same from GDB."""
        commands = [*ask_lists(), ask("destructors", "opencl destructors -json")]
        session = run_gdb(words, commands, tool_environment(), name="both")
        lists = lists_of(session)
        return lists, self.callbacks(lists, session.answer("destructors").rows())

    def test_same_lists(self) -> None:
        folder = work_folder("both-" + self.runtime)
        nothing = os.path.join(folder, "no-layouts")
        os.mkdir(nothing)
        with started(WORDS, folder, environment(self.runtime)) as process:
            process.wait_for("main")
            target = ["--pid", str(process.pid)]
            recorder = self.ask(target, nothing)
            others = [self.ask(target), self.ask_gdb(["-p", target[1]])]
            core = debuggers_core(process)
            others.append(self.ask(["--core", core]))
        with started(WORDS, folder, program_environment(self.runtime)) as process:
            process.wait_for("main")
            layout = self.ask(["--pid", str(process.pid)])
            core = debuggers_core(process)
            layout_on_core = self.ask(["--core", core])
        self.maxDiff = 4000
        stories = self.stories(recorder[0], "recorder")
        self.assertGreater(len(stories), 50)
        for lists, callbacks in others:
            self.assertEqual(stories, self.stories(lists, "recorder"))
            self.assertEqual(recorder[1], callbacks)
        self.assertEqual(stories, self.stories(layout[0], "layout"))
        self.assertEqual(stories, self.stories(layout_on_core[0], "layout"))
        self.assertEqual(layout[1], layout_on_core[1])
        # Objects are at other addresses in each run, and so in another order; their callbacks are
        # not.
        self.assertEqual(
            sorted(callbacks for _handle, callbacks in recorder[1]),
            sorted(callbacks for _handle, callbacks in layout[1]),
        )
        shutil.rmtree(folder)

    def destroying(self, folder: str, variables: Dict[str, str]) -> Row:
        """The object whose first callback runs, in a process with these variables."""
        with started(["10", "second", "destroy"], folder, variables) as process:
            process.wait_for("main")
            process.go_on()
            truth = process.wait_for("callback1")
            rows = ask_command(["--pid", str(process.pid)], tool_environment())["memobjs"]
        handles = [row["handle"] for row in truth["memobjs"] if row.get("is_destroying")]
        [found] = [row for row in rows if row["handle"] in handles]
        return found

    def test_destroying(self) -> None:
        """Facts that only the runtime knows are shown while the object is being destroyed."""
        folder = work_folder("both-destroying-" + self.runtime)
        recorded = self.destroying(folder, environment(self.runtime))
        found = self.destroying(folder, program_environment(self.runtime))
        self.assertEqual((recorded["source"], found["source"]), ("recorder", "layout"))
        self.assertEqual(recorded["state"], "destroying")
        self.assertEqual(found["state"], "destroying")
        for key in ("runtime_references", "map_count", "width"):
            self.assertEqual(recorded.get(key), found.get(key), key)
        shutil.rmtree(folder)


class TestPocl(BothSources):
    runtime = "pocl"


@thorough
class TestOclgrind(BothSources):
    runtime = "oclgrind"


@thorough
class TestRusticl(BothSources):
    runtime = "rusticl"


del BothSources, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
