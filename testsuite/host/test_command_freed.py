#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`check` reports freed memory if the lists of the C library prove it, and says that it did not
check for another allocator.  It reports a callback that crashed with freed user data, and memory of
a function that has returned, even just below the stack pointer."""

from __future__ import annotations

import json
import os
import re
import unittest
from typing import Dict, List, Tuple

from command import FINDINGS, OK, Answer, run
from harness import BUILD, Row, environment, main, program, some
from kept_handles import Kept, standing
from mistakes import MISTAKES, NO_FINDINGS, NOT_CHECKED, expected, said
from stopped import stopped

# What was freed is kept for a thread, in an arena's lists, or is part of a larger chunk.
FREED = (
    "host-freed-again",
    "host-freed-by-thread",
    "host-freed-fast",
    "host-freed-small",
    "host-freed-arena",
    "host-freed",
    "host-freed-between",
)
UNCHECKED = (
    "freed memory of mimalloc was not checked; run the program with glibc's malloc to check it."
)


class TestFreed(unittest.TestCase):
    def ask(
        self, name: str, how: str, questions: List[List[str]], variables: Dict[str, str]
    ) -> Tuple[Row, List[Answer]]:
        """Have the program wait where the mistake NAME was made, and ask."""
        with stopped([program("programs/mistake"), name, how, "wait"], variables) as process:
            answers = [run([*process.target, *words], variables) for words in questions]
        return json.loads(process.line), answers

    def test_lists(self) -> None:
        """Each way of being free; and what malloc has given out again, but was not written to."""
        variables = environment("icd")
        for name in FREED:
            with self.subTest(name=name):
                truth, (answer,) = self.ask(name, "wrong", [["check"]], variables)
                wanted = expected(MISTAKES[name], truth, True)
                self.assertEqual((said(answer.output), answer.code), (wanted, FINDINGS))
        for name in some(FREED, 3):
            with self.subTest(name=name, how="right"):
                _, (answer,) = self.ask(name, "right", [["check"]], variables)
                self.assertEqual(
                    (answer.output, answer.code), ("%s\n%s\n" % (NO_FINDINGS, NOT_CHECKED), OK)
                )

    def test_other_allocator(self) -> None:
        """The verdict says what was not checked."""
        library = program("programs/.libs/libother-malloc.so")
        variables = dict(environment("icd"), LD_PRELOAD=os.path.join(BUILD, library))
        questions = [["check"], ["check", "--json"]]
        _, (text, rows) = self.ask("host-freed", "wrong", questions, variables)
        lines = ["No findings, but " + UNCHECKED, NOT_CHECKED]
        self.assertEqual((text.output.splitlines(), text.code), (lines, OK))
        self.assertEqual(
            json.loads(rows.output),
            {"schema": 1, "unreadable": 0, "unknown": {"rows": UNCHECKED}},
        )

    def ask_leaks(self, variables: Dict[str, str]) -> Tuple[Kept, List[str], List[Row]]:
        """What `leaks` says of a program that has handles in a block in use and in a freed one."""
        with standing(variables) as kept:
            target = ["--pid", str(kept.pid), "leaks"]
            text, rows = run(target, variables), run([*target, "--json"], variables)
        self.assertEqual((text.code, rows.code), (FINDINGS, FINDINGS), text)
        found = [row for row in rows.objects() if "handle" in row]
        return kept, text.output.splitlines(), found

    def test_leaks(self) -> None:
        """`leaks` names the handles that are only in memory which another allocator may have freed;
        of glibc's it is known which block was."""
        library = program("programs/.libs/libother-malloc.so")
        variables = environment("icd")
        kept, lines, rows = self.ask_leaks(variables)
        self.assertIn("Leaked: 4 memory objects (16 KiB).", lines)
        self.assertNotIn("freed", " ".join(lines))
        found = {row["handle"]: row["holding"] for row in rows}
        self.assertEqual(found, dict.fromkeys(kept.handles["lost"] + kept.handles["freed"], "lost"))
        variables["LD_PRELOAD"] = os.path.join(BUILD, library)
        kept, lines, rows = self.ask_leaks(variables)
        self.assertEqual(lines[0], "Leaked: 3 memory objects (12 KiB).")
        self.assertEqual(lines[-1], "F" + UNCHECKED[1:])
        start = lines.index(
            "Handles found only in memory that may be freed: 2 memory objects (8 KiB)."
        )
        self.assertRegex(lines[start + 1], r"^  2 memory objects \(8 KiB\)( of \d+)? made at$")
        handles = kept.handles["heap"] + kept.handles["freed"]
        places = ", ".join(handle + " in memory at 0x[0-9a-f]+" for handle in handles)
        self.assertRegex(lines[start + 3], "^    %s$" % places)
        for handle in handles:
            (row,) = [row for row in rows if row["handle"] == handle]
            self.assertEqual((row["is_leak"], row["holding"]), (False, "perhaps-freed"))

    def test_running(self) -> None:
        """At a crash in free() or before any call the callback has freed nothing itself."""
        again = (
            "; it was also registered with that user data at register_again at frees.N%s, "
            "and was called"
        )
        for case, name, other in (
            ("twice", "free_it", ""),
            ("late", "go_on_to_free", ""),
            ("reads", "read_it", ""),
            ("other", "", ""),
            ("again", "free_it", again % " by N"),
            ("shared", "free_it", again % " for buffer N"),
            ("reused", "free_it", ""),
            ("counts", "", ""),
        ):
            with self.subTest(case=case):
                answer = run(["run", program("programs/frees"), case], environment("icd"))
                text = re.sub(r"0x[0-9a-f]+|LWP \d+|c:\d+", "N", answer.output + answer.errors)
                found = [line for line in text.splitlines() if re.match(r"\d+  ", line)]
                wanted = (
                    "1  Presumed: callback %s at frees.N of buffer N, which runs in N, was called "
                    "with user data that was freed, N; registered at run_case at frees.N by N%s."
                    % (name, other)
                )
                self.assertEqual(found, [wanted] if name else [], answer)

    def test_red_zone(self) -> None:
        """What was handed to OpenCL is in no function's red zone."""
        for how in ("dead", "live"):
            variables = environment("icd")
            words = [program("programs/red-zone"), how]
            with self.subTest(how=how), stopped(words, variables) as process:
                place = process.line.strip()
                answer = run([*process.target, "check", "--json"], variables)
                wanted = [
                    ("host-memory-on-dead-stack", "certain", place),
                    ("user-data-on-dead-stack", "presumed", place),
                ]
                found = [
                    (row["rule"], row["confidence"], row["address"]) for row in answer.objects()
                ]
                self.assertEqual(found, wanted if how == "dead" else [], answer)


if __name__ == "__main__":
    main()
