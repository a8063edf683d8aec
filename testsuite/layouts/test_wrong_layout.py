#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layout that is not of the runtime that it names finds nothing, or nothing that it is sure of;
one that makes no sense is refused.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
from typing import List

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "..", "host"))
sys.path.insert(0, os.path.join(_HERE, "..", "gdb"))
from command import INCOMPLETE, OK, UNREADABLE, run  # noqa: E402
from fitting import SHIPPED  # noqa: E402
from harness import Row, main, work_folder  # noqa: E402
from unprepared import (  # noqa: E402
    Truth,
    debuggers_core,
    is_of_missing,
    program_environment,
    started,
    tool_environment,
)
from unprepared_cases import RuntimeCase  # noqa: E402

SEED = 20261121
MUTATIONS = 20

FILES = {
    "pocl": "pocl-3.1.layout",
    "oclgrind": "oclgrind-21.10.layout",
    "rusticl": "rusticl-22.3.6.layout",
}

# Lines that tell of which module a layout is.
_HEAD = re.compile(r"^(runtime|module|build-id|machine|table) .*$", re.MULTILINE)
_OFFSET = re.compile(r"^( +(?:rule|field \w+|dying|internal)) (-?\d+)", re.MULTILINE)
_NUMBER = re.compile(r"(?<= )-?\d+(?= |$)", re.MULTILINE)


def read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def with_head_of(text: str, head: str) -> str:
    """The layout TEXT as if it were of the module that the layout HEAD is of."""
    lines = {match.group(1): match.group(0) for match in _HEAD.finditer(head)}
    return _HEAD.sub(lambda match: lines[match.group(1)], text)


def shifted(text: str) -> str:
    """All rules and fields eight bytes further on."""
    return _OFFSET.sub(lambda match: "%s %d" % (match.group(1), int(match.group(2)) + 8), text)


class WrongLayout(RuntimeCase):
    folder = ""
    core = ""
    text = ""  # of the right layout
    truth: Truth = {}

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.text = read_text(cls.layout)
        cls.folder = work_folder("wrong-" + cls.runtime)
        words = ["50", "second"]
        with started(words, cls.folder, program_environment(cls.runtime)) as process:
            cls.truth = process.wait_for("main")
            cls.core = debuggers_core(process)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def ask(self, layout: str, verb: str) -> List[Row]:
        """The rows that the core has by this layout alone; none when it is refused."""
        folder = os.path.join(self.folder, "layouts")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "wrong.layout"), "w", encoding="utf-8") as file:
            file.write(layout)
        answer = run(["--core", self.core, verb, "--json"], tool_environment(folder))
        self.assertIn(answer.code, (OK, INCOMPLETE, UNREADABLE), answer.errors)
        if answer.code == UNREADABLE:
            self.assertTrue(answer.is_refusal(), answer.errors)
        return [row for row in answer.objects() if not is_of_missing(row)]

    def check_unsure(self, layout: str) -> List[Row]:
        """Nothing is certain; returns what is not in doubt."""
        result = []
        for verb in ("memobjs", "contexts", "queues"):
            for row in self.ask(layout, verb):
                self.assertNotEqual(row["confidence"], "certain", row)
                if row["confidence"] != "doubtful":
                    result.append(row)
        return result

    def handles(self) -> List[str]:
        """Of all objects that live."""
        verbs = ("memobjs", "contexts", "queues")
        return [row["handle"] for verb in verbs for row in self.truth[verb]]

    def test_right_layout(self) -> None:
        """What is asked here has answers."""
        rows = self.ask(self.text, "memobjs")
        self.assertEqual(len(rows), len(self.truth["memobjs"]))

    def test_other_runtimes_layouts(self) -> None:
        for other, name in FILES.items():
            if other != self.runtime:
                text = read_text(os.path.join(SHIPPED, name))
                rows = self.check_unsure(with_head_of(text, self.text))
                for row in rows:
                    self.assertIn(row["handle"], self.handles(), row)

    def test_shifted(self) -> None:
        text = shifted(self.text)
        self.assertNotEqual(text, self.text)
        self.check_unsure(text)

    def test_other_table(self) -> None:
        """No object is where no dispatch table is."""
        for place in ("0x0", "0x40", "0xffffffff000"):
            wrong = re.sub("^table .*$", "table " + place, self.text, flags=re.MULTILINE)
            self.assertNotEqual(wrong, self.text)
            self.assertEqual(self.ask(wrong, "memobjs"), [])

    def test_mutations(self) -> None:
        """One number is another: the answer ends, and names no freed buffer as certain."""
        draw = random.Random(SEED)
        text = self.text
        places = list(_NUMBER.finditer(text))
        freed = set(self.truth["freed"]) - {row["handle"] for row in self.truth["memobjs"]}
        for match in draw.sample(places, MUTATIONS):
            number = draw.choice((0, 1, -8, 8, 4096, 65535, draw.randrange(-64, 512)))
            wrong = text[: match.start()] + str(number) + text[match.end() :]
            with self.subTest(offset=match.start(), number=number):
                for row in self.ask(wrong, draw.choice(("memobjs", "destructors", "svm-frees"))):
                    if row.get("handle") in freed:
                        self.assertNotEqual(row["confidence"], "certain", row)

    def test_nonsense(self) -> None:
        """Files that are no layouts are passed over."""
        text = self.text
        for nonsense in ("", "\0" * 1000, text[:200], text + text, "x" * 100000):
            self.assertEqual(self.ask(nonsense, "memobjs"), [])
        newer = text.replace("ompd-opencl-layout 1.0", "ompd-opencl-layout 2.0", 1)
        self.assertEqual(self.ask(newer, "memobjs"), [])
        needed = text.replace("\n", "\nrequire what-nobody-knows\n", 1)
        self.assertEqual(self.ask(needed, "memobjs"), [])


class TestPocl(WrongLayout):
    runtime = "pocl"


class TestOclgrind(WrongLayout):
    runtime = "oclgrind"


class TestRusticl(WrongLayout):
    runtime = "rusticl"


del WrongLayout, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
