#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command reports each mistake of a program on a core of the kernel, with and without the
recorder, on each runtime.  Correct code gets no findings."""

from __future__ import annotations

import glob
import json
import os
import re
import signal
import subprocess
import unittest
from typing import List, Tuple

from command import Answer, run
from fitting import LAYOUT_PATH, fitting_layout
from harness import Row, environment, main, program, read_truth, work_folder
from kernel_core import allow_core, skip_without_cores
from mistakes import MAY_BE_HELD, MISTAKES, NO_FINDINGS, NOT_CHECKED, ONLY_RECORDER
from mistakes import Mistake, expected, said
from runtime_cases import STOPS

FINDINGS = 1
INCOMPLETE = 4
NOT_TOLD = [
    NO_FINDINGS,
    NOT_CHECKED,
    ONLY_RECORDER,
    "The runtime's layout does not show whether programs were built; run the program under the "
    "recorder.",
]


NOT_ALL = "No findings in what could be checked."
UNRECOGNISED = re.compile(
    r"^At least \d+ objects of \S+ were presumably missed by its layout|^Some data that "
    r"findings depend on could not be read; there may be more\.$"
)


def without_orphans(lines: List[str]) -> List[str]:
    """An answer without what it says of sub-buffers whose buffer was destroyed under them: the
    layout does not recognise them, and so not all that is found is certain to be all."""
    lines = [NO_FINDINGS if line == NOT_ALL else line for line in lines]
    return [line for line in lines if not UNRECOGNISED.search(line)]


def noted_build(mistake: Mistake, truth: Row) -> List[str]:
    """The expected lines about a failed build, if no use of the program is proved."""
    places = mistake.places.format(**truth).split("; LWP then called")[0]
    return ["Note: %s%s." % (mistake.sentence.format(**truth), places), NO_FINDINGS, NOT_CHECKED]


class FindingsCase(unittest.TestCase):
    """How it is on a runtime."""

    has_svm = True
    tells_builds = True  # its layout does, and
    tells_uses = True  # which memory objects commands use
    refuses_kernels = True  # it says that a program was not built when a kernel is wanted of it

    def check(self, runtime: str) -> None:
        """All mistakes, with and without the recorder."""
        skip_without_cores(self)
        fitting_layout(runtime)
        for recorder in (True, False):
            for name, mistake in MISTAKES.items():
                if mistake.is_fatal or (mistake.needs_svm and not self.has_svm):
                    continue
                with self.subTest(name=name, recorder=recorder):
                    truth, code, lines = self._ask(runtime, recorder, name, "wrong")
                    if name == "build-error" and not (recorder or self.tells_builds):
                        self.assertEqual((code, lines), (0, NOT_TOLD))
                        continue
                    if name == "host-freed-queued" and not (recorder or self.tells_uses):
                        self.assertEqual((code, lines[0]), (0, MAY_BE_HELD))
                        continue
                    if name == "build-error" and recorder and not self.refuses_kernels:
                        self.assertEqual((code, lines), (0, noted_build(mistake, truth)))
                        continue
                    if name == "over-release-often":
                        lines = without_orphans(lines)
                    self.assertEqual(lines, expected(mistake, truth, recorder))
                    # A build that failed is a note, where no kernel is known to be made of it.
                    is_found = recorder or not (mistake.needs_recorder or name == "build-error")
                    is_short = name == "over-release-often" and not recorder
                    self.assertEqual(code, FINDINGS if is_found else INCOMPLETE * is_short)
            for stop in STOPS:
                with self.subTest(name="population", stop=stop, recorder=recorder):
                    self._check_population(runtime, recorder, stop)
            with self.subTest(name="right", recorder=recorder):
                _, code, lines = self._ask(runtime, recorder, "all", "right")
                verdict = NO_FINDINGS if recorder or self.tells_uses else lines[0]
                self.assertEqual((code, lines[0]), (0, verdict))
                self.assertIn(lines[0], (NO_FINDINGS, MAY_BE_HELD))

    def _ask(self, runtime: str, recorder: bool, name: str, how: str) -> Tuple[Row, int, List[str]]:
        """Have the program abort; then what the command says of its core."""
        folder = work_folder("findings-%s" % runtime)
        words = [program("programs/mistake"), name, how, "abort"]
        output, answer = self._abort(runtime, recorder, folder, words)
        return json.loads(output), answer.code, said(answer.output)

    def _abort(
        self, runtime: str, recorder: bool, folder: str, words: List[str]
    ) -> Tuple[bytes, Answer]:
        variables = dict(environment(runtime, recorder), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)
        done = subprocess.run(
            words,
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            preexec_fn=allow_core,
            check=False,
        )
        self.assertEqual(done.returncode, -signal.SIGABRT)
        cores = [path for path in glob.glob(folder + "/*core*") if not path.endswith(".json")]
        self.assertEqual(len(cores), 1, os.listdir(folder))
        answer = run(["--core", cores[0], "check"], variables)
        os.unlink(cores[0])
        return done.stdout, answer

    def _check_population(self, runtime: str, recorder: bool, stop: str) -> None:
        """Objects of all kinds, used as OpenCL wants it: nothing is to be found, and a build that
        failed, of which no kernel was made, is a note."""
        folder = work_folder("findings-%s" % runtime)
        words = [program("programs/truth-program"), folder, "abort-" + stop]
        answer = self._abort(runtime, recorder, folder, words)[1]
        rows = read_truth(folder, stop)["programs"]
        failed = {row["handle"] for row in rows if row.get("build") == "failed"}
        self.assertEqual(len(failed), 1)
        self.assertEqual(re.findall(r"(?m)^\d+  (?:Certain|Presumed): (.*)$", answer.output), [])
        self.assertIn(NO_FINDINGS, answer.output.splitlines())
        notes = re.findall(
            r"(?m)^Note: the last build of program (0x[0-9a-f]+) failed", answer.output
        )
        self.assertEqual(set(notes), failed if recorder or self.tells_builds else set())


class TestPocl(FindingsCase):
    def test_kernel_core(self) -> None:
        self.check("pocl")


class TestRusticl(FindingsCase):
    has_svm = False
    tells_builds = False
    tells_uses = False

    def test_kernel_core(self) -> None:
        self.check("rusticl")


class TestOclgrind(FindingsCase):
    has_svm = False
    tells_uses = False
    refuses_kernels = False

    def test_kernel_core(self) -> None:
        self.check("oclgrind")


del FindingsCase  # it is of no runtime


if __name__ == "__main__":
    main()
