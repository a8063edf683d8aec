#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command buffers and semaphores.  PoCL 3.1 has version 0.9.0 of command buffers; the vendor
library of the test suite has version 1.0, whose functions have other parameters, and semaphores."""

from __future__ import annotations

import unittest
from typing import Dict, List

from command import FINDINGS, OK, run
from harness import environment, main, program
from kept_handles import Kept, standing
from unprepared import tool_environment

PROGRAM = program("programs/command-buffers")


def answer(kept: Kept, *words: str, code: int = OK) -> str:
    result = run(["--pid", str(kept.pid), *words], tool_environment())
    assert result.code == code, result
    return result.output


def rows(kept: Kept, *words: str) -> List[Dict[str, object]]:
    result = run(["--pid", str(kept.pid), *words, "--json"], tool_environment())
    assert result.code == OK, result
    return result.objects()


class TestBuffers(unittest.TestCase):
    def check_commands(self, kept: Kept, row: Dict[str, object]) -> None:
        """What the program recorded, whichever parameters the functions have."""
        (source,) = kept.handles["source"]
        (destination,) = kept.handles["destination"]
        recorded = row["recorded_commands"]
        assert isinstance(recorded, list)
        self.assertEqual(
            [
                [command.get(key) for key in ("type", "memobj", "destination", "waits_for")]
                for command in recorded
            ],
            [
                ["copy-buffer", source, destination, None],
                ["fill-buffer", destination, None, "1"],
                ["ndrange-kernel", None, None, "2"],
                ["barrier", None, None, "1, 2"],
            ],
        )
        self.assertEqual([c.get("sync_point") for c in recorded], [1, 2, None, None])
        self.assertEqual([c["number"] for c in recorded], [1, 2, 3, 4])

    def test_buffer(self) -> None:
        for runtime in ("pocl", "icd"):
            with standing(environment(runtime), PROGRAM, "buffer") as kept:
                (buffer,) = kept.handles["buffer"]
                (row,) = rows(kept, "command-buffers")
                told = {key: row[key] for key in ("handle", "phase", "command_count", "executions")}
                self.assertEqual(
                    told,
                    {
                        "handle": buffer,
                        "phase": "executable",
                        "command_count": 4,
                        "executions": 1,
                    },
                )
                self.assertEqual((row["pending"], row["references"]), (1, 1))
                (one,) = rows(kept, "command-buffer", buffer)
                self.check_commands(kept, one)
                used = one["used_by"]
                assert isinstance(used, list)
                self.assertEqual([c["command_buffer"] for c in used], [buffer])
                self.assertIn("1 command buffer\n", answer(kept, "overview"))
                self.assertIn("command buffer %s" % buffer, answer(kept, "object", buffer))

    def test_waits(self) -> None:
        """A wait leads through the command buffer to the event that nobody sets."""
        with standing(environment("pocl"), PROGRAM, "buffer") as kept:
            (gate,) = kept.handles["gate"]
            self.assertRegex(
                answer(kept, "waits"),
                r"command 1 \(command-buffer\) of command queue 0x[0-9a-f]+, enqueued at "
                r"enqueue_buffer at command-buffers\.c:\d+ by LWP %d, which waits for\n"
                r" +user event %s, " % (kept.pid, gate),
            )

    def test_retained(self) -> None:
        """What the program has released lives as long as the command buffer."""
        with standing(environment("pocl"), PROGRAM, "buffer") as kept:
            (buffer,) = kept.handles["buffer"]
            (memory,) = kept.handles["destination"]
            (kernel,) = kept.handles["kernel"]
            (row,) = rows(kept, "memobj", memory)
            self.assertEqual((row["state"], row["children"]), ("app-released", 0))
            leaks = answer(kept, "leaks")
            for name, handle in (("buffer", memory), ("kernel", kernel)):
                self.assertIn(
                    "  %s %s: command buffer %s keeps it alive\n" % (name, handle, buffer), leaks
                )

    def test_released(self) -> None:
        """It outlives its last reference while it is executed."""
        with standing(environment("pocl"), PROGRAM, "released") as kept:
            (row,) = rows(kept, "command-buffers")
            self.assertEqual((row["state"], row["pending"]), ("app-released", 1))
            self.assertEqual(row["presumed"], ["state"])

    def test_dropped(self) -> None:
        """The runtime holds the queue of a command buffer: to enqueue it uses no released queue."""
        for runtime in ("pocl", "icd"):
            with standing(environment(runtime), PROGRAM, "dropped") as kept:
                (row,) = rows(kept, "command-buffers")
                self.assertEqual((row["pending"], row["executions"]), (1, 1))
                self.assertRegex(answer(kept, "check"), r"\ANo findings\.\n")

    def test_over(self) -> None:
        with standing(environment("pocl"), PROGRAM, "over") as kept:
            self.assertEqual(rows(kept, "command-buffers"), [])
            (source,) = kept.handles["source"]
            self.assertEqual([row["handle"] for row in rows(kept, "memobjs")], [source])
            self.assertEqual(rows(kept, "kernels"), [])
            gone = {str(row["kind"]): row["handle"] for row in rows(kept, "destroyed")}
            for kind, name in (
                ("command_buffer", "buffer"),
                ("memobj", "destination"),
                ("kernel", "kernel"),
            ):
                self.assertEqual([gone[kind]], kept.handles[name])

    def test_leaked(self) -> None:
        with standing(environment("pocl"), PROGRAM, "forgotten") as kept:
            self.assertRegex(
                answer(kept, "leaks", code=FINDINGS),
                r"\ALeaked: 1 command buffer\.\n  1 command buffer made at\n"
                r"    #0 make_buffer at command-buffers\.c:\d+",
            )


class TestSemaphores(unittest.TestCase):
    """With the vendor library of the test suite: no installed runtime has semaphores."""

    def test_payload(self) -> None:
        with standing(environment("icd"), PROGRAM, "semaphore") as kept:
            told = {
                row["handle"]: (row["payload"], row["signals"], row["waits"], row["exports"])
                for row in rows(kept, "semaphores")
            }
            expected = {
                "waited": ("unsignaled", 1, 1, 0),
                "signaled": ("signaled", 1, 0, 0),
                # Whoever has the handle may have signaled it.
                "exported": (None, 0, 0, 1),
                "blocked": (None, 0, 1, 0),
            }
            self.assertEqual(told, {kept.handles[name][0]: expected[name] for name in expected})
            self.assertIn(", 4 semaphores\n", answer(kept, "overview"))

    def test_used(self) -> None:
        with standing(environment("icd"), PROGRAM, "semaphore") as kept:
            (blocked,) = kept.handles["blocked"]
            (row,) = rows(kept, "semaphore", blocked)
            used = row["used_by"]
            assert isinstance(used, list)
            self.assertEqual(
                [(c["type"], c["semaphore"], c["state"]) for c in used],
                [("semaphore-wait", blocked, "enqueued")],
            )

    def test_waits(self) -> None:
        """A command waits for a semaphore that nobody signals."""
        with standing(environment("icd"), PROGRAM, "semaphore") as kept:
            (blocked,) = kept.handles["blocked"]
            self.assertRegex(
                answer(kept, "waits"),
                r"command 4 \(semaphore-wait\) of command queue (?s:.*)"
                r"End: no command has been enqueued that signals semaphore %s, and LWP %d is not "
                r"known to be stuck\.\n" % (blocked, kept.pid),
            )

    def test_alternating(self) -> None:
        """A wait needs the signal before it, not the one after it: nothing is stuck."""
        with standing(environment("icd"), PROGRAM, "alternating") as kept:
            (gate,) = kept.handles["gate"]
            told = answer(kept, "waits")
            self.assertRegex(told, r"which waits for\n +user event %s, " % gate)
            self.assertIn("\n   End: it has not been set yet, ", told)
            self.assertRegex(answer(kept, "check"), r"\ANo findings\.\n")


if __name__ == "__main__":
    main()
