#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompd-opencl run` with programs that start others or replace themselves: each is reported
separately."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import unittest
from typing import Dict, Tuple

from command import COMMAND, FINDINGS, NOTHING_FOUND, OK, UNREADABLE, USAGE, Answer, run
from harness import RECORDER, environment, main, program

FAMILY = program("programs/family")
NONE_OWN = NOTHING_FOUND.replace("OpenCL objects", "OpenCL objects of its own")
AT_EXEC = NOTHING_FOUND.replace("freed host memory (use check while it runs), ", "")
REFUSED = (
    "Refused calls: 1\n  CL_INVALID_VALUE from clSetMemObjectDestructorCallback at have_refused at "
    "family.c:N: pfn_notify is NULL\n"
)
LEFT = "Left alive: 1 memory object (64 B)\n"
EXITED = "family (P%d) exited with status 0.\n"
FORKED = "family (P%d, forked from P%d) exited with status 0.\n"


def normal(text: str) -> str:
    """TEXT with processes as P1, P2 in the order of their numbers, and without what may differ."""
    text = text.replace(FAMILY, "family")
    pids = sorted({int(pid) for pid in re.findall(r"process (\d+)", text)})
    for number, pid in enumerate(pids):
        text = re.sub(r"(process|--pid) %d\b" % pid, "P%d" % (number + 1), text)
    text = re.sub(r"family\.c:\d+", "family.c:N", text)
    # Where the handle of what is left may be found depends on what the compiler leaves.
    return re.sub(r"\n(    |  1 memory object|  1 OpenCL context)[^\n]*", "", text)


class TestChildren(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd", recorder=False)
        cls.variables["OMPD_OPENCL_RECORDER"] = RECORDER

    def told(self, *words: str) -> Tuple[int, str]:
        """What is told of a run of family with WORDS, in short."""
        answer = run(["run", FAMILY, *words], self.variables)
        return answer.code, normal(answer.errors)

    def shell(self, *lines: str, words: Tuple[str, ...] = ()) -> Answer:
        """The answer about a shell that runs family with the words of each of LINES."""
        script = "; ".join("%s %s" % (shlex.quote(FAMILY), line) for line in lines)
        return run(["run", *words, "sh", "-c", script], self.variables)

    def test_shell(self) -> None:
        """Programs that a shell runs, one of which is right."""
        answer = self.shell("use made end", "use buffer refused end")
        self.assertEqual(
            (answer.code, normal(answer.errors)),
            (
                FINDINGS,
                (EXITED % 2) + NOTHING_FOUND + "\n" + (EXITED % 3) + REFUSED + LEFT + "Released, "
                "but held by other objects: 1 OpenCL context\n\nsh (P1) exited with status 0.\n",
            ),
        )
        answer = self.shell("use made end", "use end", "end; exit 6")
        self.assertEqual(
            (answer.code, normal(answer.errors)),
            (
                OK,
                (EXITED % 2) + NOTHING_FOUND + "\n" + (EXITED % 3) + NOTHING_FOUND + "\n"
                "sh (P1) exited with status 6.\n",
            ),
        )

    def test_json(self) -> None:
        """Each process has the lines that one has, behind those of the program itself."""
        answer = self.shell("use fork refused end", words=("--json",))
        rows = [json.loads(line) for line in answer.errors.splitlines()]
        first, forked, refused, parent, left = rows
        self.assertEqual((answer.code, refused["times"], left["left"]), (FINDINGS, 1, "context"))
        self.assertEqual([first["program"], first["other_processes"]], ["sh", 2])
        self.assertEqual((forked["program"], parent["program"]), (FAMILY, FAMILY))
        self.assertEqual((forked["is_forked"], forked["parent_pid"]), (True, parent["pid"]))
        self.assertEqual(parent["parent_pid"], first["pid"])
        self.assertEqual((forked["refused"], parent["refused"]), (1, 0))
        self.assertNotIn("findings", first)
        self.assertNotIn("parent_pid", first)
        self.assertNotIn("is_forked", parent)

    def test_forked(self) -> None:
        """What a child has of its parent is not its own, and it may have used OpenCL before or
        not."""
        self.assertEqual(self.told("use", "end", "fork"), (OK, (EXITED % 1) + NOTHING_FOUND))
        self.assertEqual(
            self.told("use", "end", "fork", "use", "made", "end"),
            (OK, (FORKED % (2, 1)) + NONE_OWN + "\n" + (EXITED % 1) + NOTHING_FOUND),
        )
        self.assertEqual(
            self.told("use", "refused", "end", "fork", "use", "buffer", "refused", "end"),
            (
                FINDINGS,
                (FORKED % (2, 1)) + REFUSED + LEFT + "Released, but held by other objects: 1 "
                "OpenCL context\n\n" + (EXITED % 1) + REFUSED + "No OpenCL objects were left "
                "alive.\n",
            ),
        )
        self.assertEqual(
            self.told("fork", "use", "refused", "end"),
            (
                FINDINGS,
                (FORKED % (2, 1)) + REFUSED + "No OpenCL objects of its own were left "
                "alive.\n\n" + (EXITED % 1),
            ),
        )

    def test_mapped(self) -> None:
        """What a parent has mapped is told of the parent, whether the runtime has deleted it, as
        rusticl does, or not."""
        for runtime in ("pocl", "rusticl"):
            variables = environment(runtime, recorder=False)
            variables["OMPD_OPENCL_RECORDER"] = RECORDER
            answer = run(["run", FAMILY, "use", "mapped", "fork", "made"], variables)
            child, parent = normal(answer.errors).split("\n\n", maxsplit=1)
            self.assertEqual(child + "\n", (FORKED % (2, 1)) + NONE_OWN)
            self.assertRegex(
                parent,
                r"\nNever unmapped: 1 mapping\n  1 mapping of buffer 0x\w+, which was made at "
                r"make_buffer at family\.c:N, mapped at leave_mapped at family\.c:N\n",
            )

    def test_shared_memory(self) -> None:
        """A child that has its parent's memory is not told of; a program that it runs is."""
        self.assertEqual(self.told("use", "vfork", "end"), (OK, (EXITED % 1) + NOTHING_FOUND))
        self.assertEqual(
            self.told("spawn", FAMILY, "use", "refused", "end"),
            (
                FINDINGS,
                (EXITED % 2) + REFUSED + "No OpenCL objects were left alive.\n\n" + (EXITED % 1),
            ),
        )

    def test_exec(self) -> None:
        """What a program did before it became another is told, from whatever thread it did."""
        became = "family (P1) was replaced by another program (exec).\n"
        for how in ("exec", "other"):
            self.assertEqual(
                self.told("use", "refused", "end", how, FAMILY, "use", "end"),
                (
                    FINDINGS,
                    became
                    + REFUSED
                    + "No OpenCL objects were left alive.\n\n"
                    + (EXITED % 1)
                    + NOTHING_FOUND,
                ),
            )
        self.assertEqual(
            self.told("use", "end", "exec", "true"),
            (OK, became + AT_EXEC + "\ntrue (P1) exited with status 0.\n"),
        )
        # Without a thread that it ends exec leaves nothing to look at.
        code, text = self.told("exec", "true")
        self.assertEqual(code, UNREADABLE)
        self.assertIn("the program made no OpenCL call after exec, or its", text)
        # One that is not there is not become.
        self.assertEqual(
            self.told("use", "exec", "/no/such"),
            (FINDINGS, (EXITED % 1) + "Left alive: 1 OpenCL " "context\n"),
        )

    def test_killed(self) -> None:
        """A program may kill its children, which must not die by themselves."""
        code, text = self.told("killed", "use", "ready", "wait")
        self.assertEqual(code, OK)
        self.assertIn("family (P2, forked from P1) died of SIGTERM.\nAlive when it died: ", text)
        self.assertTrue(text.endswith("\n\nfamily (P1) exited with status 3.\n"), text)
        code, text = self.told("fork", "use", "abort")
        self.assertEqual(code, FINDINGS)
        self.assertIn("family (P2, forked from P1) died of SIGABRT.\n", text)

    def test_left_behind(self) -> None:
        """Of a process that outlives the program it is said that it does, and not waited for."""
        goes_on = "family (P2, forked from P1) is still running.\n"
        now = "To see what it holds now, run: ompd-opencl P2\n"
        for words, told in (
            (["leave", "use"], goes_on + now + "\n" + (EXITED % 1)),
            (["use", "end", "leave"], goes_on + "\n" + (EXITED % 1) + NOTHING_FOUND),
        ):
            answer = run(["run", FAMILY, *words, "ready", "wait"], self.variables)
            left = re.search(r"process (\d+), forked", answer.errors)
            assert left is not None, answer.errors
            os.kill(int(left.group(1)), signal.SIGKILL)
            self.assertEqual((answer.code, normal(answer.errors)), (OK, told))

    def test_alone(self) -> None:
        """Nothing is told of processes that are not to be followed."""
        for how, code in (("ignore", UNREADABLE), ("follow", FINDINGS)):
            answer = self.shell("use refused end; true", words=("--children", how))
            self.assertEqual((answer.code, REFUSED in normal(answer.errors)), (code, code == 1))
        answer = run(["run", "--children", "some", "true"], self.variables)
        self.assertEqual((answer.code, answer.is_refusal()), (USAGE, True))

    def test_others_trace(self) -> None:
        """A child can be looked at, and programs that trace others do so."""
        run_again = "%s run %s use refused end" % (shlex.quote(COMMAND), shlex.quote(FAMILY))
        answer = run(["run", "sh", "-c", run_again + "; true"], self.variables)
        self.assertEqual(answer.code, UNREADABLE)
        self.assertTrue(normal(answer.errors).startswith((EXITED % 2) + REFUSED), answer.errors)


if __name__ == "__main__":
    main()
