#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why released objects still exist, and mappings that were never undone: in `leaks` and in the
answer about one object.  A program that undoes all of them is not reported."""

from __future__ import annotations

import re
import unittest

from command import FINDINGS, OK, run
from harness import RECORDER, environment, main, program
from kept_handles import Kept, standing
from unprepared import tool_environment

STILL_THERE = program("programs/still-there")


def leaks(kept: Kept) -> str:
    answer = run(["--pid", str(kept.pid), "leaks"], tool_environment())
    assert answer.code == OK, answer
    return answer.output


def memobj(kept: Kept, handle: str) -> str:
    return run(["--pid", str(kept.pid), "memobj", handle], tool_environment()).output


class TestKeepers(unittest.TestCase):
    def check_maps(self, recorder: bool) -> None:
        with standing(environment("pocl", recorder), STILL_THERE, "maps") as kept:
            (live,), (released,) = kept.handles["live"], kept.handles["released"]
            answer = leaks(kept)
            self.assertIn(
                "\nReleased, but still alive: 1 memory object.\n"
                "  buffer %s: 3 mappings of it were never unmapped\n"
                "Mapped more than once: 1 memory object.\n"
                "  buffer %s: 3 mappings of it were never unmapped\n" % (released, live),
                "\n" + answer,
            )
            if recorder:
                self.assertTrue(
                    answer.startswith(
                        "No leaks, but memory objects were mapped and never unmapped.\n"
                    ),
                    answer,
                )
            self.assertIn(
                "\nStill alive after its release: 3 mappings of it were never " "unmapped.\n",
                memobj(kept, released),
            )
            self.assertIn(
                "\nMapped more than once: 3 mappings of it were never unmapped.\n",
                memobj(kept, live),
            )

    def test_maps(self) -> None:
        self.check_maps(True)

    def test_maps_unprepared(self) -> None:
        self.check_maps(False)

    def test_commands(self) -> None:
        with standing(environment("pocl"), STILL_THERE, "commands") as kept:
            (row,) = run(["--pid", str(kept.pid), "queues", "--json"], tool_environment()).objects()
            queue = row["handle"]
            self.assertIn(
                "Released, but still alive: 5 memory objects.\n"
                "  5 memory objects: commands 1 to 5 of command queue %s have not finished and use "
                "them\n" % queue,
                leaks(kept),
            )
            self.assertIn(
                "\nStill alive after its release: command 2 of command queue %s "
                "has not finished and uses it.\n" % queue,
                memobj(kept, kept.handles["released"][1]),
            )

            (event,) = run(
                ["--pid", str(kept.pid), "events", "--json"], tool_environment()
            ).objects()
            pending = "5 commands are pending behind user event %s" % event["handle"]
            overview = run(["--pid", str(kept.pid), "overview"], tool_environment()).output
            self.assertIn("\n  %s: see `waits`\n" % pending, overview)
            memory = run(["--pid", str(kept.pid), "memory"], tool_environment()).output
            self.assertIn("\nIn command queue %s %s.\n" % (queue, pending), memory)
            graph = run(["--pid", str(kept.pid), "graph"], tool_environment()).output
            self.assertIn('label="command queue\\n%s\\n%s"' % (queue, pending), graph)
            self.assertIn(
                'app-released\\ncommand 2 of command queue %s has not finished and uses it"'
                % queue,
                graph,
            )

    def test_commands_unprepared(self) -> None:
        """Which commands use them only the recorder knows."""
        with standing(environment("pocl", False), STILL_THERE, "commands") as kept:
            self.assertIn(
                "Released, but still alive: 5 memory objects.\n"
                "  5 memory objects: presumably unfinished commands use them\n",
                leaks(kept),
            )

    def test_children(self) -> None:
        with standing(environment("pocl"), STILL_THERE, "children") as kept:
            (parent,), (child,) = kept.handles["released"], kept.handles["child"]
            self.assertIn(
                "Released, but still alive: 1 memory object.\n"
                "  buffer %s: memory object %s keeps it alive\n" % (parent, child),
                leaks(kept),
            )

    def test_argument(self) -> None:
        """A runtime whose kernels keep their arguments, of which the recorder has all."""
        with standing(environment("rusticl"), STILL_THERE, "argument") as kept:
            (released,), (kernel,) = kept.handles["released"], kept.handles["kernel"]
            self.assertIn(
                "Released, but still alive: 1 memory object.\n"
                "  buffer %s: it is argument 20 of kernel %s\n" % (released, kernel),
                leaks(kept),
            )

    def test_retained(self) -> None:
        """Where the recorder keeps a ledger, leaks name the calls that retained."""
        variables = dict(environment("pocl"), OMPD_OPENCL_LEDGER="1")
        with standing(variables, STILL_THERE, "retained") as kept:
            answer = run(["--pid", str(kept.pid), "leaks"], tool_environment())
        self.assertEqual(answer.code, FINDINGS, answer.errors)
        self.assertRegex(
            answer.output,
            r"    lost: not found in the program's memory\n"
            r"They were also retained:\n"
            r"  retained 3 times at lose_retained at still-there\.c:\d+.*\n"
            r"  released 3 times at lose_retained at still-there\.c:\d+.*\n"
            r"1 of the 4 references was never released\.\n"
            r"The program holds ",
        )

    def told(self, mode: str) -> str:
        """The report about a run of the program, with all handles replaced by one."""
        variables = dict(environment("pocl", recorder=False), OMPD_OPENCL_RECORDER=RECORDER)
        answer = run(["run", STILL_THERE, mode], variables)
        self.assertEqual(answer.code, FINDINGS)
        text = answer.errors.split("\n", 1)[1]
        text = re.sub(r"0x\w+", "H", re.sub(r"still-there\.c:\d+", "still-there.c:N", text))
        return text + "\n"

    def test_run(self) -> None:
        """At the end of a run it is said once what keeps what is released, and who retained what is
        left; of a program that undoes all nothing."""
        kept = "\nReleased, but still alive: %s\n  %s\n\n"
        self.assertTrue(
            self.told("commands").endswith(
                kept
                % (
                    "5 memory objects",
                    "5 memory objects: commands 1 to 5 of command queue H have not finished and "
                    "use them",
                )
            )
        )
        # What mappings alone keep is told of the mappings.
        maps = self.told("maps")
        self.assertIn("Never unmapped: 6 mappings\n  3 mappings of buffer H, ", maps)
        self.assertNotIn("still alive:", maps)
        at = "at lose_retained at still-there.c:N"
        self.assertIn(
            "\n    retained 3 times %s\n    released 3 times %s\n    1 of the 4 references was "
            "never released\n" % (at, at),
            self.told("retained"),
        )
        self.assertNotRegex(self.told("clean"), r"still alive|retained|eleased")

    def test_json(self) -> None:
        """The same about one object, and about a leak that is not one."""
        with standing(environment("pocl"), STILL_THERE, "commands") as kept:
            target = ["--pid", str(kept.pid), "--json"]
            second = kept.handles["released"][1]
            (queue,) = run([*target, "queues"], tool_environment()).objects()
            (row,) = run([*target, "memobj", second], tool_environment()).objects()
            leaks = run([*target, "leaks"], tool_environment()).objects()
        command = {"by": "command", "count": 1, "kind": "queue", "handle": queue["handle"]}
        self.assertEqual(row["keepers"], [dict(command, first=2, last=2)])
        self.assertEqual({leak["is_leak"] for leak in leaks}, {False})
        self.assertEqual(
            [leak["keepers"] for leak in leaks if leak["handle"] == second], [row["keepers"]]
        )
        self.assertEqual(len(leaks), 5)

    def test_clean(self) -> None:
        for recorder in (True, False):
            variables = dict(environment("pocl", recorder), OMPD_OPENCL_LEDGER="1")
            with standing(variables, STILL_THERE, "clean") as kept:
                answer = leaks(kept)
                self.assertNotIn("till there", answer)
                self.assertNotIn("apped", answer)
                self.assertNotIn("eaked", answer)
                memory = run(["--pid", str(kept.pid), "memory"], tool_environment()).output
                self.assertNotIn("pending", memory)
                self.assertNotIn("etained", answer)


if __name__ == "__main__":
    main()
