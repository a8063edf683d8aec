#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that the runtime keeps alive after their release are shown as long as they exist, and as
presumed if that is not certain."""

from __future__ import annotations

import os
import re
import shutil
from typing import Dict, Set

from command import NOTHING_FOUND, OK, run
from harness import ask, environment, main, program, run_gdb, work_folder
from held_objects import CERTAIN, PRESUMED, Held, confidences, held, same, same_pending
from unprepared import program_environment, tool_environment
from unprepared_cases import RuntimeCase

NOT_PROVED = "presumed, not proved: memory objects, app-released, SVM allocations, SVM frees"


class HeldCase(RuntimeCase):
    nothing = ""

    def setUp(self) -> None:
        self.nothing = work_folder("held-no-layouts-" + self.runtime)

    def recorded(self, process: Held) -> Dict[str, str]:
        """As the recorder alone has them."""
        return confidences(process, tool_environment(self.nothing))

    def found(self, process: Held) -> Dict[str, str]:
        """As the recorder and a layout have them."""
        return confidences(process, tool_environment())

    def check_found(self, process: Held, there: Set[str]) -> None:
        """What is THERE is found.  A thread of the runtime may hold objects of a command for some
        time after its end: they are found until it lets them go."""
        for _attempt in range(100):
            found = self.found(process)
            self.assertEqual(set(found.values()), {CERTAIN})
            self.assertLessEqual(there, set(found))
            if set(found) == there:
                return
        self.fail("found %s besides" % sorted(set(found) - there))

    def overview(self, process: Held, variables: Dict[str, str]) -> str:
        """The overview, from the command."""
        return run(["--pid", process.pid, "overview"], variables).output

    def check_overviews(self, process: Held) -> None:
        """At the stop "pending": of the recorder alone and with layouts, the same in GDB."""
        alone = tool_environment(self.nothing)
        both = tool_environment()
        self.assertIn(NOT_PROVED, self.overview(process, alone))
        self.assertNotIn("not proved", self.overview(process, both))
        self.assertIn(
            ", 2 memory objects (8 KiB), 2 SVM allocations (8 KiB)", self.overview(process, both)
        )
        enqueued = " SVM frees are enqueued, 1 of them behind event 0x"
        self.assertIn("3" + enqueued, self.overview(process, alone))
        self.assertIn("2" + enqueued, self.overview(process, both))
        for variables in (alone, both):
            session = run_gdb(["-p", process.pid], ["opencl"], variables, name="held")
            # Verbs are named as they are typed there.
            output = session.output.replace("`opencl ", "`")
            shown = [line.strip() for line in output.splitlines()]
            for line in self.overview(process, variables).splitlines():
                self.assertIn(line.strip(), shown)

    def test_stops(self) -> None:
        with held(environment(self.runtime)) as process:
            there = process.wait_for("loop")
            same(self.recorded(process), there, CERTAIN)
            process.go_on()

            there = process.wait_for("pending")
            same_pending(self.recorded(process), there)
            self.check_found(process, there)
            self.check_overviews(process)
            process.go_on()

            there = process.wait_for("finished")
            same(self.recorded(process), there, CERTAIN)
            process.go_on()

            there = process.wait_for("released")
            same(self.recorded(process), there, PRESUMED)
            self.check_found(process, there)
            process.go_on()

            process.wait_for("end")
            self.assertEqual(self.recorded(process), {})
            alone = tool_environment(self.nothing)
            self.assertIn("0 contexts, 0 queues", self.overview(process, alone))

    def test_frees_without_event(self) -> None:
        """The runtime has an event for each command, and the program got none.  If commands that
        wait for each other hold events, this is presumed."""
        for variables in (environment(self.runtime), program_environment(self.runtime)):
            with held(variables) as process:
                for stop in ("loop", "pending"):
                    process.wait_for(stop)
                    if stop == "loop":
                        process.go_on()
                answer = run(["--pid", process.pid, "svm-frees", "--json"], tool_environment())
                rows = answer.objects()
                self.assertEqual(len(rows), 2, answer.output)
                for row in rows:
                    self.assertNotIn("event", row.get("unknown", {}))
                    if row["source"] == "layout" and self.calls_later():  # PoCL 7
                        self.assertIn("event", row["presumed"])
                    else:
                        self.assertNotIn("event", row)

    def test_being_enqueued(self) -> None:
        """What a command is to free is there before the runtime has the command, as is the command;
        live and of a core of the same stop."""
        folder = work_folder("held-core-" + self.runtime)
        core = os.path.join(folder, "core")
        questions = ["svm -json", "svm-frees -json", "queues -json"]
        commands = ["break svm_free", "run > " + os.path.join(folder, "output")]
        commands += ["break recorder_command_begin", "continue", "frame function svm_free"]
        commands += ['printf "TRUTH %#lx %#lx\\n", pointer, queue']
        commands += [ask(question, "opencl " + question) for question in questions]
        commands += ["gcore " + core, "kill"]
        variables = environment(self.runtime)
        session = run_gdb([program("programs/held")], commands, variables, name="held")
        truth = re.search(r"(?m)^TRUTH (0x\S+) (0x\S+)$", session.output)
        assert truth is not None, session
        for question in questions:
            rows = session.answer(question).rows()
            answer = run(["--core", core, *question.replace(" -", " --").split()], variables)
            self.assertEqual(answer.objects(), rows)
        shutil.rmtree(folder)
        (svm,) = session.answer("svm -json").rows()
        self.assertEqual((svm["pointer"], svm["state"]), (truth[1], "free-enqueued"))
        (free,) = session.answer("svm-frees -json").rows()
        self.assertEqual((free["queue"], free["state"]), (truth[2], "enqueued"))
        self.assertEqual([svm["confidence"], free["confidence"]], [PRESUMED, PRESUMED])
        self.assertEqual([pointer["pointer"] for pointer in free["pointers"]], [truth[1]])
        counts = {row["handle"]: row["svm_frees"] for row in session.answer("queues -json").rows()}
        self.assertEqual(counts.pop(truth[2]), 1)
        self.assertEqual(set(counts.values()), {0})

    def test_run(self) -> None:
        variables = environment(self.runtime, recorder=False)
        answer = run(["run", program("programs/held")], variables)
        self.assertIn("\nend\n", answer.output)
        self.assertIn(NOTHING_FOUND, answer.errors)
        self.assertEqual(answer.code, OK)

    def test_run_of_released(self) -> None:
        """What the program has released is not called left alive.  It is said of what a command
        keeps, which waits, and not of what the runtime may have or not."""
        variables = environment(self.runtime, recorder=False)
        answer = run(["run", program("programs/held"), "leave"], variables)
        self.assertRegex(
            answer.errors,
            r"2 times\nReleased, but still alive: 2 memory objects, 1 command queue\n"
            r"  2 memory objects: commands 2 to 3 of command queue (0x\w+) have not finished and "
            r"use them\n  command queue \1: commands 1 to 5 of command queue \1 are not known to "
            r"have finished and use it\nNo findings",
        )
        self.assertIn(NOTHING_FOUND, answer.errors)
        self.assertEqual(answer.code, OK)


class TestPocl(HeldCase):
    runtime = "pocl"


del HeldCase, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
