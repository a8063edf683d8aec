#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text for people: headings, columns, destructor tables, the note about the limit, call stacks."""

import re
import unittest
from typing import Any, Callable, Dict, List

from harness import (
    Row,
    Session,
    ask,
    environment,
    main,
    program,
    read_truth,
    run_gdb,
    work_folder,
    split_table,
)

FILTERS: Dict[str, Callable[[Row], Any]] = {
    "-kind pipe": lambda row: row["kind"] == "pipe",
    "-kind image2d": lambda row: row["kind"] == "image2d",
    "-kind sub-buffer -json": lambda row: row["kind"] == "sub-buffer",
    "-state app-released": lambda row: row["state"] == "app-released",
    "-min-size 8K": lambda row: row["size"] >= 8192,
    "-min-size 1M": lambda row: row["size"] >= 1 << 20,
    "-min-size 16384": lambda row: row["size"] >= 16384,
    "-min-size 1K -kind buffer": lambda row: row["kind"] == "buffer" and row["size"] >= 1024,
}


class TestText(unittest.TestCase):
    session: Session
    truth: Dict[str, Any] = {}

    @classmethod
    def setUpClass(cls) -> None:
        folder = work_folder("text")
        variables = environment("icd")
        variables["OMPD_OPENCL_STACK_DEPTH"] = "16"
        commands = ["break truth_stop", "run " + folder]
        commands += [ask(name, "opencl memobjs -json " + name) for name in FILTERS]
        commands += [
            ask("second", "opencl memobjs -json -context population.released_context"),
            "up 2",
            ask("context", "opencl memobjs -json -context population.released_context"),
            ask("stopper", "opencl destructors stopper->handle"),
            ask("memobjs", "opencl memobjs"),
            ask("#9", "opencl destructors #9"),
            ask("9", "opencl destructors 9"),
            ask("memobj", "opencl memobj #9"),
            "set opencl limit 1",
            ask("cut", "opencl destructors #9"),
            ask("cut memobj", "opencl memobj #9"),
            ask("cut json", "opencl destructors -json #9"),
            "set opencl limit unlimited",
            ask("svm-frees", "opencl svm-frees"),
            ask("overview", "opencl"),
            ask("json", "opencl memobjs -json"),
            ask("help", "help opencl memobjs"),
            ask("options", "complete opencl memobjs -k"),
            ask("kinds", "complete opencl memobjs -kind im"),
            "set opencl limit 5",
            ask("limit", "show opencl limit"),
            ask("limited", "opencl memobjs"),
            ask("limited json", "opencl memobjs -json"),
            "set opencl limit unlimited",
            ask("unlimited", "opencl memobjs"),
            "kill",
        ]
        words = [program("programs/truth-program")]
        cls.session = run_gdb(words, commands, variables, name="text")
        cls.truth = read_truth(folder, "main")

    def _lines(self, name: str) -> List[str]:
        answer = self.session.answer(name)
        self.assertIsNone(answer.error)
        return answer.output.splitlines()

    def _rows(self, name: str) -> List[str]:
        """Heading and rows: the lines but for the notes on what is marked as presumed."""
        lines = self._lines(name)
        self.assertTrue(lines[-1].startswith("~  state of 1 row: presumed"), lines[-1])
        self.assertTrue(lines[-2].startswith("~  1 memory object: presumed"), lines[-2])
        self.assertEqual(sum("app-released~" in line for line in lines), 1)
        return lines[:-2]

    def test_filters(self) -> None:
        for name, condition in FILTERS.items():
            with self.subTest(name):
                rows = self.session.answer(name).rows()
                expected = {row["handle"] for row in self.truth["memobjs"] if condition(row)}
                self.assertEqual({row["handle"] for row in rows}, expected)
                self.assertTrue(expected)

    def test_filter_by_context(self) -> None:
        """The expression is looked up where the person stands."""
        self.assertIsNotNone(self.session.answer("second").error)
        rows = self.session.answer("context").rows()
        self.assertEqual([row["size"] for row in rows], [4000])

    def test_list(self) -> None:
        """One heading, one line for each object, columns that stand in line."""
        lines = self._rows("memobjs")
        self.assertEqual(len(lines), 1 + len(self.truth["memobjs"]))
        heading = lines[0]
        titles = re.split(r"  +", heading.strip())
        expected = ["#", "memory object", "kind", "size", "flags", "references", "context"]
        self.assertEqual(titles[: len(expected)], expected)
        for number, line in enumerate(lines[1:]):
            self.assertRegex(line, r"^[ ~] *%d  0x[0-9a-f]+ " % (number + 1))
            self.assertEqual(line[heading.index("kind") - 2 : heading.index("kind")], "  ")
            size_end = heading.index("size") + len("size")
            self.assertRegex(line[:size_end], r" \d+ B$")
            self.assertEqual(line, line.rstrip())

    def test_destructor_table(self) -> None:
        """The design's sample: the object, its callbacks in call order, what comes after."""
        lines = self._lines("#9")
        self.assertEqual(lines, self._lines("9"))
        row = self.truth["memobjs"][8]
        self.assertEqual(
            lines[0],
            "buffer %s, 8192 B, CL_MEM_READ_WRITE|CL_MEM_USE_HOST_PTR at %s <host_memory>, "
            "1 reference: 7 destructor callbacks, in call order"
            % (row["handle"], row["host_pointer"]),
        )
        places = {destructor["caller"]["line"] for destructor in row["destructors"]}
        said = (
            "In all rows below: state registered, registered by LWP %d (thread 1), registered at "
        )
        said += "destructor_register at population-destructors.c:%d."
        self.assertEqual(lines[1].strip(), said % (self.truth["lwp"], places.pop()))
        self.assertFalse(places)
        self.assertRegex(lines[2], r"^  # +callback +user_data$")
        for number, destructor in enumerate(row["destructors"]):
            self.assertRegex(
                lines[3 + number],
                r"^ +%d +%s at population-destructors\.c:\d+ +%s$"
                % (number + 1, destructor["symbol"], destructor["user_data"]),
            )
        last = "After them the object is freed and 8192 B at %s may be reused."
        self.assertEqual(lines[-1], last % row["host_pointer"])

    def test_no_heap_pointer(self) -> None:
        self.assertEqual(self._lines("stopper")[-1], "After them the object is freed.")

    def test_stack(self) -> None:
        """Deeper call stacks, innermost first, in the text and in JSON."""
        text = "\n".join(self._lines("memobj"))
        frames = ["population_buffer_add", "population_buffers_create", "main"]
        for number, function in enumerate(frames):
            self.assertRegex(text, r"#%d +%s at " % (number, function))
        for row in self.session.answer("json").rows():
            names = [frame.get("symbol") for frame in row["stack"]]
            self.assertEqual(row["stack"][0]["address"], row["caller"])
            inner = ("create_objects", "main")
            self.assertTrue(any(name in names for name in inner), names)

    def test_svm_frees(self) -> None:
        said, lines = split_table(self._lines("svm-frees"))
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[3], "~  1 SVM-free command: presumed, not proved")
        self.assertIn("state enqueued", said)
        self.assertRegex(lines[2], r"svm_free_function at population-svm\.c:\d+ +0x70001")

    def test_overview(self) -> None:
        text = "\n".join(self._lines("overview"))
        truth = self.truth
        self.assertRegex(text, r"^OpenCL in process %d: Test ICD" % truth["pid"])
        self.assertIn("%d memory objects" % len(truth["memobjs"]), text)
        self.assertIn("2 SVM frees are enqueued behind event %s" % self._gate(), text)
        self.assertRegex(text, r"sources: recorder 1\.\d")

    def _gate(self) -> str:
        return str(self.truth["svm-frees"][0]["waits"][0])

    def test_limit(self) -> None:
        """A list that is cut says by how much, and how to see the rest; JSON is never cut."""
        count = len(self.truth["memobjs"])
        self.assertIn("5", self._lines("limit")[0])
        said, lines = split_table(self._lines("limited"))
        self.assertEqual(len(lines), 7)
        self.assertRegex(said, r"^In all rows below: kind buffer\b")
        self.assertRegex(lines[-1], r"^%d more rows .*set opencl limit" % (count - 5))
        self.assertEqual(len(self.session.answer("limited json").rows()), count)
        self.assertEqual(len(self._rows("unlimited")), 1 + count)

    def test_limit_of_callbacks(self) -> None:
        """So are the destructor callbacks of one object, and their call stacks."""
        count = len(self.session.answer("cut json").rows())
        self.assertGreater(count, 1)
        note = "  %d more row%s not shown: `set opencl limit %d` or `set opencl limit unlimited` "
        note = note % (count - 1, " is" if count == 2 else "s are", count) + "shows all."
        whole = self._lines("#9")
        lines = self._lines("cut")
        self.assertEqual(lines[0], whole[0])
        self.assertIn(note, lines)
        self.assertIn(note, self._lines("cut memobj"))
        for text, expected in ((whole, count), (lines, 1)):
            self.assertEqual(sum("  registration of " in line for line in text), expected)
        self.assertEqual(lines[-1], whole[-1])

    def test_help_and_completion(self) -> None:
        text = "\n".join(self._lines("help"))
        for option in ("-context", "-kind", "-min-size", "-state", "-json"):
            self.assertIn(option, text)
        self.assertEqual(self._lines("options"), ["opencl memobjs -kind"])
        self.assertIn("opencl memobjs -kind image2d", self._lines("kinds"))


if __name__ == "__main__":
    main()
