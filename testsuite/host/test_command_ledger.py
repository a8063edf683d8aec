#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl ledger` and `calls` about an aborted program, on a core of the kernel.  If the
recorder was not asked to keep them, they say how to ask."""

from __future__ import annotations

import glob
import os
import signal
import subprocess
import unittest
from typing import Dict, Tuple

from command import OK, run
from counted import ASKED, check_calls, check_rows, check_text, of, read
from harness import environment, main, program, work_folder
from kernel_core import allow_core, skip_without_cores

UNREADABLE = 3


class TestLedger(unittest.TestCase):
    def setUp(self) -> None:
        skip_without_cores(self)

    def test_kept(self) -> None:
        variables = dict(environment("pocl"), **ASKED)
        core, path = self._abort(variables)
        truth = read(path)
        for name in ("kept", "gone"):
            told = of(truth, name)
            answer = run(["--core", core, "ledger", told[0]["handle"]], variables)
            self.assertEqual(answer.code, OK, answer.errors)
            check_text(self, told, answer.output)
            self.assertNotIn("not kept", answer.output)
            rows = run(["--core", core, "--json", "ledger", told[0]["handle"]], variables).objects()
            order = rows[-1]["order"]
            check_rows(self, told, [row for row in rows if row["order"] == order])
        rows = run(["--core", core, "--json", "calls"], variables).objects()
        check_calls(self, truth, rows)
        table = run(["--core", core, "calls"], variables).output
        self.assertIn("CL_INVALID_VALUE", table)
        os.unlink(core)

    def test_bounded(self) -> None:
        """Of more entries than are kept it is said how many there were."""
        variables = dict(environment("pocl"), OMPD_OPENCL_LEDGER="events,3")
        core, path = self._abort(variables)
        handle = of(read(path), "kept")[0]["handle"]
        answer = " ".join(run(["--core", core, "ledger", handle], variables).output.split())
        self.assertIn(
            "0 retained, 3 released by the program, as far back as the ledger goes.", answer
        )
        self.assertIn(
            "Earlier entries are lost: the ledger has the last 3 of 7 entries about events; "
            "OMPD_OPENCL_LEDGER sets its size.",
            answer,
        )
        context = run(["--core", core, "--json", "contexts"], variables).objects()[0]["handle"]
        other = run(["--core", core, "ledger", context], variables)
        self.assertEqual(other.code, UNREADABLE)
        self.assertIn("OMPD_OPENCL_LEDGER named other kinds", other.errors)
        os.unlink(core)

    def test_not_asked(self) -> None:
        for recorder, ledger, calls in (
            (True, "OMPD_OPENCL_LEDGER=1", "OMPD_OPENCL_CALLS=256"),
            (False, "only the recorder knows who", "only the recorder knows calls"),
        ):
            variables = environment("pocl", recorder)
            core, path = self._abort(variables)
            handle = of(read(path), "kept")[0]["handle"]
            for words, reason in ((["ledger", handle], ledger), (["calls"], calls)):
                answer = run(["--core", core, *words], variables)
                self.assertEqual((answer.code, answer.output), (UNREADABLE, ""))
                self.assertIn(reason.lower(), answer.errors.lower())
            os.unlink(core)

    def _abort(self, variables: Dict[str, str]) -> Tuple[str, str]:
        """Have the program abort; its core, and the file that it wrote."""
        folder = work_folder("command-ledger")
        path = os.path.join(folder, "truth")
        with open(path, "wb") as file:
            done = subprocess.run(
                [program("programs/ledger"), "abort"],
                cwd=folder,
                env=variables,
                stdout=file,
                preexec_fn=allow_core,
                check=False,
            )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = glob.glob(folder + "/*core*")
        self.assertEqual(len(cores), 1, os.listdir(folder))
        return cores[0], path


if __name__ == "__main__":
    main()
