#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program gives the same lists whether the recorder was in it or nothing was; with the recorder
and a layout each object is shown once.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, Dict, List, Set, Tuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))
from harness import Row, environment, main, work_folder  # noqa: E402
from unprepared import (  # noqa: E402
    FIELDS,
    LAYOUTS_OWN,
    NOT_KEPT,
    Lists,
    ask_command,
    ask_gdb,
    debuggers_core,
    program_environment,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase  # noqa: E402

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


class BothSources(RuntimeCase):
    def stories(self, lists: Lists, source: str) -> List[str]:
        """Of all rows, sorted; each handle must be there once."""
        result = []
        not_kept = NOT_KEPT.get(self.runtime, set())
        for table, listed in lists.items():
            # What a runtime left of an object on a stack is in doubt, and no object of the program.
            rows = [row for row in listed if row["confidence"] != "doubtful"]
            keys = [row.get("handle", row.get("pointer", row.get("event"))) for row in rows]
            self.assertEqual(len(keys), len(set(keys)), table)
            self.assertEqual({row["source"] for row in rows} - {source}, set(), table)
            result += [table + " " + story(table, row, not_kept) for row in rows]
        return sorted(result)

    def test_same_lists(self) -> None:
        folder = work_folder("both-" + self.runtime)
        nothing = os.path.join(folder, "no-layouts")
        os.mkdir(nothing)
        with started(WORDS, folder, environment(self.runtime)) as process:
            process.wait_for("main")
            target = ["--pid", str(process.pid)]
            recorder = self.stories(ask_command(target, tool_environment(nothing)), "recorder")
            both = self.stories(ask_command(target, tool_environment()), "recorder")
            in_gdb = self.stories(ask_gdb(["-p", target[1]], tool_environment()), "recorder")
            core = debuggers_core(process)
            on_core = self.stories(ask_command(["--core", core], tool_environment()), "recorder")
        with started(WORDS, folder, program_environment(self.runtime)) as process:
            process.wait_for("main")
            target = ["--pid", str(process.pid)]
            layout = self.stories(ask_command(target, tool_environment()), "layout")
            core = debuggers_core(process)
            layout_on_core = self.stories(
                ask_command(["--core", core], tool_environment()), "layout"
            )
        self.maxDiff = 4000
        self.assertGreater(len(recorder), 50)
        self.assertEqual(recorder, both)
        self.assertEqual(recorder, in_gdb)
        self.assertEqual(recorder, on_core)
        self.assertEqual(layout, layout_on_core)
        self.assertEqual(recorder, layout)
        shutil.rmtree(folder)

    def destroying(self, folder: str, variables: Dict[str, str]) -> Row:
        """The object whose first callback runs, in a process with these variables."""
        with started(["10", "second", "destroy"], folder, variables) as process:
            process.wait_for("main")
            process.go_on()
            process.wait_for("callback1")
            rows = ask_command(["--pid", str(process.pid)], tool_environment())["memobjs"]
        return next(row for row in rows if row["state"] == "destroying")

    def test_destroying(self) -> None:
        """What the runtime alone knows of an object is told while that is being destroyed."""
        folder = work_folder("both-destroying-" + self.runtime)
        recorded = self.destroying(folder, environment(self.runtime))
        found = self.destroying(folder, program_environment(self.runtime))
        self.assertEqual((recorded["source"], found["source"]), ("recorder", "layout"))
        for key in ("runtime_references", "map_count", "width"):
            self.assertEqual(recorded.get(key), found.get(key), key)
        shutil.rmtree(folder)


class TestPocl(BothSources):
    runtime = "pocl"


class TestOclgrind(BothSources):
    runtime = "oclgrind"


class TestRusticl(BothSources):
    runtime = "rusticl"


del BothSources, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
