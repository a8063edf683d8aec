# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have released everything: remains of objects in memory are not mistaken for objects
that a correct layout does not recognise."""

from __future__ import annotations

import shutil
from typing import List

from command import OK, run
from doubtful import excess
from harness import work_folder
from unprepared import debuggers_core, started_released, tool_environment
from unprepared_cases import RuntimeCase

MISFIT = "missed by its layout"

# OpenCL contexts that a runtime may hold when all are released: since rusticl 26 the thread that
# builds keeps one.
MOST_HELD = {"rusticl": 1}


class ReleasedCase(RuntimeCase):
    """Give `runtime` in a class that derives from it."""

    def count_held(self, target: List[str], kept: int) -> int:
        """How many OpenCL contexts are there beside the KEPT: released ones that the runtime still
        holds."""
        answer = run([*target, "contexts", "--json"], tool_environment())
        self.assertEqual(answer.code, OK, answer.output)
        self.assertEqual(excess("contexts", answer.objects()), [])
        sure = [row for row in answer.objects() if row["confidence"] != "doubtful"]
        held = [row for row in sure if row["state"] == "app-released"]
        self.assertEqual(len(sure) - len(held), kept, answer.output)
        self.assertLessEqual(len(held), MOST_HELD.get(self.runtime, 0), answer.output)
        return len(held)

    def look(self, rounds: int, buffers: int, is_kept: bool, with_core: bool) -> None:
        """A process, and its core where it is to have one.  A program whose last round is KEPT has
        an OpenCL context and its objects."""
        folder = work_folder("%s-%s" % (self.id(), self.runtime))
        words = [str(rounds), str(buffers), *(["keep"] if is_kept else [])]
        with started_released(words, folder, self.variables) as process:
            targets = [["--pid", str(process.pid)]]
            if with_core:
                targets.append(["--core", debuggers_core(process)])
            for target in targets:
                kept = 1 if is_kept else 0
                count = kept + self.count_held(target, kept)
                overview = run([*target, "overview"], tool_environment())
                self.assertEqual(overview.code, OK, overview.output)
                contexts = " 1 context, " if count == 1 else " %d contexts, " % count
                self.assertIn(contexts, overview.output)
                self.assertIn(", 0 SVM allocations", overview.output)
                self.assertNotIn(MISFIT, overview.output)
                svm = run([*target, "svm"], tool_environment())
                self.assertEqual((svm.code, svm.output), (OK, "No SVM allocations.\n"))
        shutil.rmtree(folder)
