#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands that never run because a user event was set to an error before or after they were
enqueued: who set it.  Commands that do run are not reported."""

from __future__ import annotations

import unittest
from typing import Dict, List

from command import OK, run
from harness import environment, main, program
from kept_handles import Kept, standing
from process_states import come_to
from unprepared import tool_environment

FAILED = program("programs/failed-commands")


def output(kept: Kept, *words: str) -> str:
    answer = run(["--pid", str(kept.pid), *words], tool_environment())
    assert answer.code == OK, answer
    return answer.output


class TestFailed(unittest.TestCase):
    def check(self, runtime: str, errors: List[object]) -> None:
        with standing(environment(runtime), FAILED, "fail") as kept:
            (event,) = kept.handles["event"]
            self.assertRegex(
                output(kept, "commands"),
                r"\n4 commands never ran: user event %s, which they wait for, was set to -5 at "
                r"fail at failed-commands\.c:\d+ by LWP %d\.\n\Z" % (event, kept.pid),
            )
            self.assertRegex(
                output(kept, "errors"),
                r"\n4 commands never ran: user event %s, which they wait for, was set to -5 at "
                r"fail at failed-commands\.c:\d+ by LWP %d\.\n\Z" % (event, kept.pid),
            )
            rows = run(["--pid", str(kept.pid), "commands", "--json"], tool_environment()).objects()
            told: List[Dict[str, object]] = [
                {key: row[key] for key in ("state", "failed_event", "failed_status", "failed_lwp")}
                for row in rows
            ]
            self.assertEqual(
                told,
                [
                    {
                        "state": "failed",
                        "failed_event": event,
                        "failed_status": -5,
                        "failed_lwp": kept.pid,
                    }
                ]
                * 4,
            )
            # What the runtime has told of their events, or is not known to have ended.
            self.assertEqual([row.get("error", "none") for row in rows], errors)
            self.assertIn("  4 recent commands failed: see `commands`\n", output(kept, "overview"))

    def test_failed(self) -> None:
        """PoCL 3.1 never ends what is enqueued behind an event that has failed."""
        self.check("pocl", [-1, "none", None, None])

    def test_failed_and_ended(self) -> None:
        self.check("rusticl", [-5, "none", -5, None])

    def test_waits(self) -> None:
        """Commands behind a failed one may never end, and waits reports why."""
        with standing(environment("pocl"), FAILED, "finish") as kept:
            come_to(kept.pid, "S")
            waits = output(kept, "waits")
        self.assertRegex(
            waits,
            r"(?s)waits in clFinish.*command \d \(write-buffer\) of command queue .*"
            r"End: it has failed with -\d, so nothing that waits for it can run\.\n",
        )

    def test_clean(self) -> None:
        for runtime in ("pocl", "rusticl"):
            with standing(environment(runtime), FAILED, "clean") as kept:
                text = output(kept, "commands")
                self.assertNotIn("never ran", text)
                self.assertNotIn("failed", text)


if __name__ == "__main__":
    main()
