#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl leaks` lists exactly the lost objects, and what they keep alive, live and on cores
of GDB and the kernel.  The correct twin of the program has none."""

from __future__ import annotations

import os
import unittest
from typing import Any, Dict, List, Set

from command import FINDINGS, INCOMPLETE, OK, run
from harness import environment, main, program, run_gdb, work_folder
from kept_handles import Kept, core_in, dead, standing
from kernel_core import skip_without_cores
from unprepared import tool_environment

LOST = program("programs/lost-handles")
KINDS = ("memobj", "event", "kernel")
KEPT_BY = {"memobj": ["context"], "event": ["context", "queue"], "kernel": ["context", "program"]}
UNTOLD = (
    "Only the recorder knows which objects the program has released, and therefore which of them "
    "are leaks; run the program under the recorder.\n"
)


def by_kind(rows: List[Dict[str, Any]]) -> Dict[str, Set[str]]:
    """The handles of ROWS by kind."""
    kinds: Dict[str, Set[str]] = {}
    for row in rows:
        kinds.setdefault(row["kind"], set()).add(row["handle"])
    return kinds


class TestLeaks(unittest.TestCase):
    def check_held(self, target: List[str], handles: Set[str]) -> None:
        """What is not called lost is in memory that may be the program's: PoCL keeps blocks of its
        commands to use them again, and what was in them."""
        for handle in handles:
            answer = run([*target, "holders", handle], tool_environment())
            self.assertIn(": presumably held at ", answer.output)
            self.assertNotIn("  held by ", answer.output)

    def check_rows(self, target: List[str], kept: Kept, is_leak: object) -> int:
        """What is called a leak, as IS_LEAK says, is what the program has lost.  Returns how many
        of the events are."""
        rows = run([*target, "leaks", "--json"], tool_environment()).objects()
        found = by_kind([row for row in rows if row["kind"] != "svm"])
        self.assertEqual(set(found), set(KINDS))
        for kind in KINDS:
            missing = set(kept.handles[kind]) - found[kind]
            self.assertEqual(found[kind] | missing, set(kept.handles[kind]))
            self.assertLess(len(missing), 3 if kind == "event" else 1)
            self.check_held(target, missing)
        for row in rows:
            self.assertEqual((row["is_leak"], row["holding"]), (is_leak, "lost"), row)
            self.assertFalse(row["is_exiting"])
            if row["kind"] not in KINDS or is_leak is not True:
                continue
            if row["kind"] == "event":
                self.assertEqual(row.get("made"), 12 if row["source"] == "recorder" else None)
            for name in KEPT_BY[row["kind"]]:
                if name == "queue" and "kept_queue" not in row:
                    self.check_gone_queue(target, kept)
                else:
                    self.assertEqual([row["kept_" + name]], kept.handles["kept " + name])
        return len(found["event"])

    def check_gone_queue(self, target: List[str], kept: Kept) -> None:
        """In some runtimes the event of a finished command does not keep its queue alive: the queue
        is destroyed."""
        rows = run([*target, "queues", "--json"], tool_environment()).objects()
        self.assertNotIn(kept.handles["kept queue"][0], [row["handle"] for row in rows])

    def check_leaky(self, target: List[str], kept: Kept) -> None:
        """The verdict has the totals first, then each place with what is kept."""
        events = self.check_rows(target, kept, True)
        answer = run([*target, "leaks"], tool_environment())
        self.assertEqual(answer.code, FINDINGS, answer.errors)
        output = " ".join(answer.output.split())
        self.assertRegex(
            output,
            r"^Leaked: 1 memory object \(4 KiB\),.* %d events, 1 kernel\. 1 memory object "
            % events,
        )
        (context,) = kept.handles["kept context"]
        (queue,) = kept.handles["kept queue"]
        self.assertRegex(
            output,
            r"%d events( of 12)? made at #0 lose_events at lost-handles\.c:\d+ (#1 main at \S+ )?"
            r"lost: not found in the program's memory "
            r"they keep OpenCL context %s( and command queue %s)? alive after (its|their) release"
            % (events, context, queue),
        )
        self.assertNotIn("Perhaps", output)
        self.assertRegex(
            output,
            r"1 memory object \(4 KiB\)( of 1)? made.* events( of 12)? made.* kernel( of 1)? made",
        )
        self.assertRegex(
            output, r"The program (presumably )?holds the handles? of \d+ other object"
        )

    def check_clean(self, target: List[str]) -> None:
        answer = run([*target, "leaks"], tool_environment())
        self.assertEqual(answer.code, OK, answer.output + answer.errors)
        self.assertTrue(answer.output.startswith("No leaks.\n"), answer.output)
        rows = run([*target, "leaks", "--json"], tool_environment())
        self.assertEqual((rows.code, rows.output), (OK, ""))

    def check_runtime(self, runtime: str, recorder: bool, mode: str) -> None:
        variables = dict(environment(runtime, recorder), OMPD_OPENCL_STACK_DEPTH="8")
        core = os.path.join(work_folder("leaks-%s-%d" % (runtime, recorder)), "gcore")
        with standing(variables, LOST, mode) as kept:
            commands = ["set auto-solib-add off", "attach %d" % kept.pid, "gcore " + core, "detach"]
            run_gdb([], commands, tool_environment(), plugin=False, name="leaks-gcore")
            for target in (["--pid", str(kept.pid)], ["--core", core]):
                if mode == "clean":
                    self.check_clean(target)
                elif recorder:
                    self.check_leaky(target, kept)
                else:
                    self.check_untold(target, kept)
        os.unlink(core)

    def check_untold(self, target: List[str], kept: Kept) -> None:
        """Without the recorder lost objects are reported, but not as leaks."""
        self.check_rows(target, kept, None)
        events = run([*target, "events", "--json"], tool_environment()).objects()
        self.assertGreater(len(events), 1)
        for row in events:
            # Which of them the program has, and with how many references, nobody knows.
            self.assertEqual((row["state"], row["references"]), (None, None), row)
            self.assertGreater(row["runtime_references"], 0)
        answer = run([*target, "leaks"], tool_environment())
        self.assertEqual(answer.code, INCOMPLETE, answer.output)
        self.assertRegex(
            answer.output,
            r"^Not found in the program's memory: 1 memory object \(4 KiB\), \d+ events, 1 kernel\."
            r"\n(Released, but still alive: [^.]*\.\n(  .*\n)+)?"
            r"The program (presumably )?holds the handles? of ",
        )
        self.assertNotIn("eaked", answer.output)
        self.assertTrue(answer.output.endswith(UNTOLD), answer.output)

    def test_pocl(self) -> None:
        self.check_runtime("pocl", True, "leaky")

    def test_pocl_clean(self) -> None:
        self.check_runtime("pocl", True, "clean")

    def test_pocl_unprepared(self) -> None:
        self.check_runtime("pocl", False, "leaky")

    def test_rusticl(self) -> None:
        self.check_runtime("rusticl", True, "leaky")

    def test_rusticl_clean(self) -> None:
        self.check_runtime("rusticl", True, "clean")

    def test_kernel_core(self) -> None:
        skip_without_cores(self)
        for mode in ("leaky", "clean"):
            folder = work_folder("leaks-kernel-" + mode)
            variables = dict(environment("pocl"), OMPD_OPENCL_STACK_DEPTH="8")
            kept = dead(variables, folder, LOST, mode)
            core = ["--core", core_in(folder)]
            if mode == "leaky":
                self.check_leaky(core, kept)
            else:
                self.check_clean(core)


if __name__ == "__main__":
    main()
