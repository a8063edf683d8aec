#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layout for another runtime than it claims finds nothing, or nothing certain.  An invalid one is
refused."""

from __future__ import annotations

import glob
import os
import random
import re
import shutil
from typing import Dict, List

from command import INCOMPLETE, OK, UNREADABLE, as_error, run
from fitting import SHIPPED
from harness import THOROUGH, Row, ask, main, run_gdb, thorough, work_folder
from unprepared import (
    Truth,
    debuggers_core,
    is_of_missing,
    program_environment,
    started,
    started_few,
    tool_environment,
)
from unprepared_cases import RuntimeCase, with_jemalloc

SEED = 20261121
MUTATIONS = 20 if THOROUGH else 6

FILES = {
    "pocl": "pocl-3.1.layout",
    "oclgrind": "oclgrind-21.10.layout",
    "rusticl": "rusticl-22.3.6.layout",
}

# All that can be told apart from what other runtimes have: hardly a rule of AMD's says more than
# that there is a count of references.
OTHERS = sorted(
    os.path.basename(path)
    for path in glob.glob(os.path.join(SHIPPED, "*.layout"))
    # The wrapper's is Oclgrind's, and Embree is no OpenCL runtime.
    if not re.search("/amd-|-wrapper[.]|/embree-", path)
)

_MISFIT = (
    r"At least (\d+) objects? of \S+ (?:was|were) presumably missed by its layout \(.*\), "
    r"which may be incomplete; run `ompd-opencl learn` where the runtime is installed, or run the "
    r"program under the recorder\."
)

# Lines that tell of which module a layout is.
_HEAD = re.compile(r"^(runtime|module|build-id|machine|table) .*$", re.MULTILINE)
_OFFSET = re.compile(r"^( +(?:rule|field \w+|dying|internal)) (-?\d+)", re.MULTILINE)
_RULE = re.compile(r"^(  rule -?\d+ \d) .*$", re.MULTILINE)
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


def misruled(text: str, kind: str) -> str:
    """No object of KIND keeps the first of its rules."""
    before, heading, rest = text.partition("object %s\n" % kind)
    return before + heading + _RULE.sub(r"\1 77 77", rest, count=1)


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

    def force(self, layout: str) -> Dict[str, str]:
        """The environment of a tool that has this layout alone."""
        folder = os.path.join(self.folder, "layouts")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "wrong.layout"), "w", encoding="utf-8") as file:
            file.write(layout)
        return tool_environment(folder)

    def ask(self, layout: str, verb: str) -> List[Row]:
        """The rows that the core has by this layout alone; none when it is refused."""
        answer = run(["--core", self.core, verb, "--json"], self.force(layout))
        self.assertIn(answer.code, (OK, INCOMPLETE, UNREADABLE), answer.errors)
        if answer.code == UNREADABLE:
            self.assertTrue(answer.is_refusal(), answer.errors)
        return [row for row in answer.objects() if not is_of_missing(row)]

    def check_used(self, layout: str) -> None:
        """The layout is taken for the runtime's: without that nothing that it says is tested."""
        self.assertTrue([row for row in self.ask(layout, "runtimes") if row.get("layout")])

    def check_unsure(self, layout: str) -> List[Row]:
        """Nothing is certain; returns what is not in doubt."""
        result = []
        for verb in ("memobjs", "contexts", "queues"):
            for row in self.ask(layout, verb):
                self.assertNotEqual(row["confidence"], "certain", row)
                if row["confidence"] != "doubtful":
                    result.append(row)
        return result

    def check_misfit(self, layout: str, least: int) -> None:
        """The answer says that LEAST objects or more are not recognised, and no count is a fact."""
        variables = self.force(layout)
        overview = run(["--core", self.core, "overview"], variables)
        self.assertEqual(overview.code, INCOMPLETE, overview.errors)
        match = re.search(_MISFIT, overview.output)
        assert match is not None, overview.output
        self.assertGreaterEqual(int(match.group(1)), least)
        for noun in ("context", "queue", "memory object"):
            self.assertRegex(overview.output, r"(at least \d+|\?) %ss?\b" % noun)
        memobjs = run(["--core", self.core, "memobjs"], variables)
        self.assertEqual(memobjs.code, INCOMPLETE)
        self.assertEqual(memobjs.output.splitlines()[-1], match.group(0))

    def check_single(self, layout: str) -> None:
        """An object that is not found may be one of those, in GDB too."""
        variables = self.force(layout)
        unknown = run(["--core", self.core, "memobj", "0x1000"], variables)
        self.assertEqual(unknown.code, INCOMPLETE)
        sentence = "No such object was found, but the layout of its runtime may have missed it."
        self.assertEqual(unknown.errors, "ompd-opencl: %s\n" % as_error(sentence))
        questions = [ask("overview", "opencl"), ask("memobj", "opencl memobj 0x1000")]
        session = run_gdb(["-c", self.core], questions, variables)
        self.assertRegex(session.answer("overview").output, _MISFIT)
        self.assertEqual(session.answer("memobj").error, sentence)

    def handles(self) -> List[str]:
        """Of all objects that live."""
        verbs = ("memobjs", "contexts", "queues")
        return [row["handle"] for verb in verbs for row in self.truth[verb]]

    def test_right_layout(self) -> None:
        """What is asked here has answers; what Mesa has left on the stack of one is doubtful."""
        rows = self.ask(self.text, "memobjs")
        found = [row["handle"] for row in rows if row["confidence"] != "doubtful"]
        self.assertCountEqual(found, [row["handle"] for row in self.truth["memobjs"]])

    def test_other_runtimes_layouts(self) -> None:
        compared = 0
        for other, name in FILES.items():
            if other != self.runtime:
                text = with_head_of(read_text(os.path.join(SHIPPED, name)), self.text)
                self.check_used(text)
                for row in self.check_unsure(text):
                    self.assertIn(row["handle"], self.handles(), row)
                compared += 1
        self.assertGreater(compared, 0)

    def test_shifted(self) -> None:
        text = shifted(self.text)
        self.assertNotEqual(text, self.text)
        self.check_used(text)
        self.check_unsure(text)

    def test_not_recognised(self) -> None:
        """Where the table is right but the objects are others', they are not said to be none."""
        objects = len(self.handles())
        self.check_misfit(shifted(self.text), objects // 2)
        self.check_misfit(misruled(self.text, "context"), objects // 2)
        self.check_misfit(misruled(self.text, "buffer"), 20)
        self.check_misfit(misruled(self.text, "queue"), 2)
        self.check_single(shifted(self.text))

    def test_other_builds(self) -> None:
        """So with layouts of other runtimes, and of other builds of this one, unless they recognise
        all that there is."""
        for name in OTHERS:
            text = read_text(os.path.join(SHIPPED, name))
            if build_of(text) == build_of(self.text):
                continue
            with self.subTest(layout=name):
                wrong = with_head_of(text, self.text)
                overview = run(["--core", self.core, "overview"], self.force(wrong))
                if re.search(_MISFIT, overview.output) is not None:
                    self.assertEqual(overview.code, INCOMPLETE)
                    continue
                for verb in ("memobjs", "contexts", "queues"):
                    shown = {row["handle"] for row in self.ask(wrong, verb)}
                    self.assertLessEqual({row["handle"] for row in self.truth[verb]}, shown)

    def test_few(self) -> None:
        """A queue alone is missed by its OpenCL context; under another allocator, of which nothing
        is known, so are several."""
        self.look_at_few(["context", "queue"], {}, ["context", "queue"])
        self.look_at_few(["context", *["buffer"] * 9, "queue"], with_jemalloc(), ["buffer"])

    def look_at_few(self, words: List[str], variables: Dict[str, str], kinds: List[str]) -> None:
        """A process that has made the objects of these words: by the right layout, and by those
        that are wrong about one of KINDS."""
        variables = dict(program_environment(self.runtime), **variables)
        with started_few(words, self.folder, variables) as process:
            target = ["--pid", str(process.pid)]
            right = run([*target, "overview"], self.force(self.text))
            self.assertNotRegex(right.output, _MISFIT)
            self.assertIn("1 context, ", right.output)
            for kind in kinds:
                wrong = self.force(misruled(self.text, kind))
                overview = run([*target, "overview"], wrong)
                self.assertEqual(overview.code, INCOMPLETE, overview.output)
                self.assertRegex(overview.output, _MISFIT)

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
        shown = 0
        freed = set(self.truth["freed"]) - {row["handle"] for row in self.truth["memobjs"]}
        for match in draw.sample(places, MUTATIONS):
            number = draw.choice((0, 1, -8, 8, 4096, 65535, draw.randrange(-64, 512)))
            wrong = text[: match.start()] + str(number) + text[match.end() :]
            with self.subTest(offset=match.start(), number=number):
                for row in self.ask(wrong, draw.choice(("memobjs", "destructors", "svm-frees"))):
                    shown += 1
                    if row.get("handle") in freed:
                        self.assertNotEqual(row["confidence"], "certain", row)
        self.assertGreater(shown, MUTATIONS)

    def test_nonsense(self) -> None:
        """Files that are no layouts are passed over."""
        text = self.text
        for nonsense in ("", "\0" * 1000, text[:200], text + text, "x" * 100000):
            self.assertEqual(self.ask(nonsense, "memobjs"), [])
        newer = text.replace("ompd-opencl-layout 1.0", "ompd-opencl-layout 2.0", 1)
        self.assertEqual(self.ask(newer, "memobjs"), [])
        needed = text.replace("\n", "\nrequire what-nobody-knows\n", 1)
        self.assertEqual(self.ask(needed, "memobjs"), [])


def build_of(layout: str) -> str:
    """The build-id of the module that it is of."""
    [build] = re.findall("^build-id (.*)$", layout, re.MULTILINE)
    return str(build)


class TestPocl(WrongLayout):
    runtime = "pocl"


class TestOclgrind(WrongLayout):
    runtime = "oclgrind"
    # A file that is no layout, and a table that is nowhere, are the same to every runtime.
    test_nonsense = thorough(WrongLayout.test_nonsense)
    test_other_table = thorough(WrongLayout.test_other_table)


class TestRusticl(WrongLayout):
    runtime = "rusticl"
    test_few = thorough(WrongLayout.test_few)
    test_nonsense = thorough(WrongLayout.test_nonsense)
    test_other_table = thorough(WrongLayout.test_other_table)


del WrongLayout, RuntimeCase  # they are of no runtime


if __name__ == "__main__":
    main()
