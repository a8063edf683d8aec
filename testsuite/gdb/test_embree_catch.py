#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embree catch: where GDB stops, what it prints, and what it changes in the program."""

import os
import re
import subprocess
import unittest
from typing import Dict, List, NamedTuple, Optional, Tuple

from embree import embree_environment, embree_started, libraries, library
from embree_debuggers import debugger_environment
from harness import Session, ask, main, program, run_gdb, work_folder

PROGRAM = "programs/embree-accounts"
HIT = re.compile(
    r"^Catchpoint (?P<number>\d+) \(embree monitor\), (?P<whose>.*?)"
    r"(?: is about to (?P<before>allocate|free)| has (?P<after>allocated|freed))"
    r" (?P<bytes>\d+) bytes \(post=(?P<post>true|false)\)(?P<cancelled>, which is cancelled)?"
    r"; sum since the catchpoint was (?P<since>\w+): (?P<sum>-?\d+) bytes"
    r"(?:, (?P<refused>\d+) allocations? cancelled)?"
    r"(?:; Embree holds (?P<bound>at least )?(?P<held>\d+) bytes for the device)?\n"
    r"#0 +(?:0x\w+ in )?(?P<function>\S+) ",
    re.MULTILINE,
)
STEP = re.compile(r"^(\w+): (-?\d+) (\d+) (-?\d+) (\d+)$", re.MULTILINE)
# Device, bytes, and the function that is the monitor.
CALLS = [
    (0, 1000, "count"),
    (0, 50000, "count"),
    (1, 20000, "count"),
    (0, -1000, "count"),
    (0, 300, "count"),  # the program refuses
    (0, 40000, "count"),
    (0, 7000, "count_otherwise"),
    (0, -40000, "count_otherwise"),
    (0, -7000, "count_otherwise"),
    (1, -20000, "count"),
    (0, -50000, "count_otherwise"),
]
REFUSED = 4  # the call that the program refuses
OWN = ("first", "second")  # the program's accounts of the devices
ACCOUNTS = "output first.bytes + second.bytes"  # of the program itself


class Hit(NamedTuple):
    """A stop at a catchpoint."""

    number: int
    whose: str
    bytes: int
    is_post: bool
    is_cancelled: bool
    since: str
    sum: int
    refused: int
    function: str
    held: Optional[int]  # bytes of the device


def hits(session: Session) -> List[Hit]:
    """The stops at catchpoints."""
    found = []
    for match in HIT.finditer(session.output):
        is_free = "free" in (match["before"] or match["after"])
        assert (match["post"] == "true") == (match["before"] is None), match[0]
        found.append(
            Hit(
                int(match["number"]),
                match["whose"],
                int(match["bytes"]) * (-1 if is_free else 1),
                match["post"] == "true",
                match["cancelled"] is not None,
                match["since"],
                int(match["sum"]),
                int(match["refused"] or 0),
                match["function"],
                int(match["held"]) if match["held"] is not None else None,
            )
        )
    return found


def steps(session: Session) -> Dict[str, Tuple[int, ...]]:
    """What the program has printed: bytes and refused allocations of each account."""
    return {each[1]: tuple(map(int, each.groups()[1:])) for each in STEP.finditer(session.output)}


class Case(unittest.TestCase):
    """A library, and how GDB runs the program."""

    library = ""

    def _run(
        self,
        commands: List[str],
        scenario: str = "",
        path: Optional[str] = None,
        layouts: Optional[str] = None,
    ) -> Session:
        variables = debugger_environment()
        if layouts is not None:
            variables["OMPD_OPENCL_LAYOUT_PATH"] = layouts
        return run_gdb(
            [path or program(PROGRAM)],
            ["set width 0", "set args %s %s" % (self.library, scenario), *commands],
            variables,
            name="embree-catch",
            all_symbols=True,
        )

    def _run_build(self, commands: List[str]) -> Session:
        """The scenario of builds, with COMMANDS and a catchpoint that prints the program's sum.  It
        is killed in its last step, because GDB may fail to resume a thread of a program that
        ends."""
        printed = r"printf \"own %ld\\n\", first.bytes + second.bytes\ncontinue"
        number = "lambda each: each.number"
        watch = ["embree catch monitor -min-bytes 300000"]
        watch += ["python max(gdb.breakpoints(), key=%s).commands = '%s'" % (number, printed)]
        end = "break embree-accounts.c:step if name[0] == 'e'"
        return self._run([*commands, *watch, end, "run", "continue", "continue", "kill"], "builds")


class MonitorCase(Case):
    """How it is with each library."""

    name = ""

    def setUp(self) -> None:
        self.library = library(self.name)

    def test_all(self) -> None:
        """Each call: device, bytes, function, and the sum that the program has itself."""
        commands = ["embree catch monitor", "run"]
        for number in range(len(CALLS)):
            commands += [ask("account %d" % number, ACCOUNTS)]
            commands += [ask("own %d" % number, "output %s.bytes" % OWN[CALLS[number][0]])]
            commands += ["continue"]
        session = self._run(commands)
        found = hits(session)
        self.assertEqual(len(found), len(CALLS), session.output)
        names = {CALLS[number][0]: hit.whose for number, hit in enumerate(found)}
        self.assertEqual(len(set(names.values())), 2, names)
        for number, (hit, (device, count, function)) in enumerate(zip(found, CALLS)):
            self.assertEqual((hit.whose, hit.bytes), (names[device], count))
            self.assertRegex(hit.whose, "^Embree device 0x[0-9a-f]{6,}$")
            self.assertEqual((hit.function, hit.is_post, hit.number), (function, count < 0, 1))
            own = int(session.answer("account %d" % number).output)
            self.assertEqual(hit.sum, own + min(count, 0), session.output)
            own = int(session.answer("own %d" % number).output)
            self.assertEqual(hit.held, own if count > 0 else None, session.output)
            self.assertEqual((hit.refused, hit.since), (int(number > REFUSED), "set"))
        self.assertEqual(steps(session)["end"], (0, 1, 0, 0))
        self.assertIn("exited normally", session.output)

    def test_shared(self) -> None:
        """Two devices with one monitor and one account, until one of them is destroyed."""
        commands = ["embree catch monitor", "run", ask("first", "output/x devices[0]")]
        commands += [ask("second", "output/x devices[1]"), *["continue"] * 3, "kill"]
        session = self._run(commands, "shared")
        first, second = (session.answer(name).output for name in ("first", "second"))
        both = "one of the Embree devices %s and %s" % (first, second)
        found = [(hit.whose, hit.bytes, hit.sum) for hit in hits(session)]
        expected = [(both, 30000, 0), (both, -30000, 0)]
        expected += [("Embree device " + second, 60000, 0), ("Embree device " + second, -60000, 0)]
        self.assertEqual(found, expected, session.output)

    def test_late(self) -> None:
        """Monitors that the devices had before the catchpoint was set, or enabled again."""
        commands = ["break embree-accounts.c:step if name[0] == 't'", "run", "delete 1"]
        commands += ["embree catch monitor", *["continue"] * 4]
        commands += ["disable 2", 'break embree-accounts.c:step if $_streq(name, "replaced")']
        commands += ["continue", "enable 2", *["continue"] * 5]
        session = self._run(commands)
        found = [(hit.whose, hit.bytes, hit.sum) for hit in hits(session)]
        names = {CALLS[4][0]: found[0][0], CALLS[9][0]: found[-2][0]}
        expected, total = [], 0
        for number, (device, count, _) in enumerate(CALLS):
            if number < 3:
                continue
            if number == 7:
                total = 0  # it was enabled again
            expected.append((names[device], count, total + min(count, 0)))
            total += count if number != REFUSED else 0
        self.assertEqual(found, expected, session.output)

    def test_cancel(self) -> None:
        """The program's function does not run, Embree fails, and the sums remain equal."""
        commands = [
            "embree catch monitor -cancel -min-bytes 10000",
            "ignore 1 1",
            "run",
            ask("first", ACCOUNTS),
            ask("calls", "output first.calls + second.calls"),
            ask("frames", "backtrace"),
            "continue",
            ask("second", ACCOUNTS),
            "delete 1",
            "embree catch monitor -min-bytes 40000",
            "continue",
            ask("third", ACCOUNTS),
            "continue",
        ]
        session = self._run(commands)
        found = hits(session)
        told = [(hit.bytes, hit.sum, hit.is_cancelled, hit.refused) for hit in found]
        # The second sum began with the second catchpoint.
        self.assertEqual(
            told,
            [(20000, 51000, True, 1), (40000, 50000, True, 3), (-50000, -50000, False, 0)],
            session.output,
        )
        self.assertEqual(session.answer("first").output, "51000")
        self.assertEqual(session.answer("calls").output, "2")
        self.assertEqual(session.answer("second").output, "50000")
        self.assertIn("rtcNewBuffer", session.answer("frames").output)
        self.assertIn(" in new_buffer (", session.answer("frames").output)
        printed = re.findall(r"(?m)^buffer of (\d+): ([01]), error (\d)$", session.output)
        failed = [int(size) for size, is_made, error in printed if (is_made, error) == ("0", "4")]
        self.assertEqual(failed, [20000, 300, 40000], session.output)
        self.assertEqual([made for made in printed if made[1] == "1" and made[2] != "0"], [])
        self.assertEqual(steps(session)["again"], (50000, 1, 0, 0))
        self.assertEqual(steps(session)["end"], (0, 1, 0, 0))
        self.assertIn("exited normally", session.output)

    def test_builds(self) -> None:
        """Calls by several threads: the sums are the program's."""
        session = self._run_build([])
        found = hits(session)
        own = [int(number) for number in re.findall(r"(?m)^own (\d+)$", session.output)]
        self.assertGreater(len(found), 4, session.output)
        self.assertEqual([hit.sum - min(hit.bytes, 0) for hit in found], own, session.output)
        self.assertEqual(found[-1].sum, 0)


class TestOthers(Case):
    """What is alike with all libraries, with one of them."""

    def setUp(self) -> None:
        self.library = next(iter(libraries().values()))

    def test_stripped(self) -> None:
        """A program without symbols stops at the same calls."""
        path = os.path.join(work_folder("stripped"), "program")
        subprocess.run(["strip", "-o", path, program(PROGRAM)], check=True)
        commands = ["embree catch monitor", "run", *["continue"] * len(CALLS)]
        found = hits(self._run(commands, path=path))
        self.assertEqual([hit.bytes for hit in found], [count for _, count, _ in CALLS])
        self.assertEqual(found[-1].sum, 0)

    def test_filters(self) -> None:
        """-min-bytes and -device, a condition, once, and two at one call."""
        commands = [
            "break embree-accounts.c:step",
            "run",
            "embree catch monitor -min-bytes 20K",
            "embree catch monitor -device devices[1]",
            "embree tcatch monitor -dev devices[0] -min 1000",
            "embree catch monitor",
            "condition 5 $embree_bytes < 0 && $embree_post && $embree_device == devices[0]",
            "delete 1",
            "info breakpoints",
            *["continue"] * 4,
            "disable 3 5",
            "continue",
            "disable 2",
            "enable 5",
            *["continue"] * 4,
        ]
        session = self._run(commands)
        words = r"matching embree catch monitor%s -device (0x\w+)$"
        device = re.findall("(?m)" + words % " -min-bytes 1000", session.output)[0]
        other = re.findall("(?m)" + words % "", session.output)[0]
        expected = [  # catchpoint, device, bytes, sum
            (4, device, 1000, 0),
            (2, device, 50000, 1000),
            (3, other, 20000, 0),
            (5, device, -1000, 70000),
            (2, device, 40000, 70000),  # 20000 and 7000 are less than 20K
            (5, device, -40000, -33000),  # it is enabled again before 7000 bytes
            (5, device, -7000, -40000),
            (5, device, -50000, -110000),
        ]
        found = [(hit.number, hit.whose.split()[-1], hit.bytes, hit.sum) for hit in hits(session)]
        self.assertEqual(found, expected, session.output)
        self.assertEqual({hit.since for hit in hits(session)[5:]}, {"enabled"})
        self.assertIn("exited normally", session.output)

    def test_unknown(self) -> None:
        """Without a layout, monitors that were set before the catchpoint are unknown."""
        commands = ["break embree-accounts.c:step if name[0] == 't'", "run", "delete 1"]
        commands += ["embree catch monitor", *["continue"] * 2]
        session = self._run(commands, layouts="")
        words = r"(?m)^Monitors that were set before are not caught: .*\.$"
        self.assertRegex(session.output, words)
        found = [(hit.bytes, hit.sum, hit.held) for hit in hits(session)]
        self.assertEqual(found, [(7000, 0, None), (-40000, -33000, None)], session.output)

    def test_two_inferiors(self) -> None:
        """The second starts while the first is in a monitor; each has a sum of its own."""
        commands = ["set schedule-multiple off", "embree catch monitor -min-bytes 20000", "run"]
        commands += ["add-inferior -exec " + program(PROGRAM), "inferior 2"]
        commands += ["set args " + self.library, "run", "inferior 1", "continue", "inferior 2"]
        session = self._run([*commands, "continue", "kill inferiors 1 2"])
        found = [(hit.bytes, hit.sum) for hit in hits(session)]
        self.assertEqual(found, [(50000, 1000)] * 2 + [(20000, 51000)] * 2, session.output)

    def test_attach(self) -> None:
        """A process that GDB attaches to after the catchpoint was set."""
        with embree_started(work_folder("attach"), "devices", self.library) as process:
            account = process.wait_for("main")["devices"][0]["bytes"]
            commands = ["set width 0", "embree catch monitor", "attach %d" % process.pid]
            commands += [r"shell printf '\n\n' > /proc/%d/fd/0" % process.pid, "continue", "kill"]
            session = run_gdb(
                [program("programs/embree")],
                commands,
                debugger_environment(),
                name="embree-attach",
                all_symbols=True,
            )
        self.assertEqual(len(hits(session)), 1, session.output)
        self.assertGreater(account, 0)
        self.assertEqual(hits(session)[0].sum, hits(session)[0].bytes)
        self.assertRegex(hits(session)[0].function, "^(count_here|embree_count)$")

    def test_two(self) -> None:
        """Each of two catchpoints at a call has a line, and the commands of the first run."""
        commands = ["embree catch monitor -min 50000", "embree catch monitor -min 20000"]
        commands += ["run", "info breakpoints", "kill"]
        session = self._run(commands)
        lines = re.findall(r"(?m)^Catchpoint (\d) .*about to allocate 50000 bytes", session.output)
        self.assertEqual(lines, ["1", "2"], session.output)

    def test_return(self) -> None:
        """A `return` of GDB's user counts as the answer of the program."""
        commands = ["set confirm off", "embree catch monitor", "run", "return (_Bool) 0"]
        session = self._run([*commands, "continue", "kill"])
        told = [(hit.bytes, hit.sum, hit.refused) for hit in hits(session)]
        self.assertEqual(told, [(1000, 0, 0), (50000, 0, 1)], session.output)

    def test_cancelled_build(self) -> None:
        """A build that is cancelled returns its memory and can be repeated."""
        cancel = ["embree tcatch monitor -cancel"]
        cancel += ["condition -force 1 $embree_bytes > 0 && first.bytes >= 720028"]
        session = self._run_build(cancel)
        found = hits(session)
        cancelled = [hit for hit in found if hit.is_cancelled]
        self.assertEqual([(hit.number, hit.sum) for hit in cancelled], [(1, 720028)], found)
        self.assertIn("\nbuilt, error 4\n", session.output)
        self.assertIn("\nbuilt again, error 0\n", session.output)
        self.assertEqual(steps(session)["built"], (720028, 0, 0, 0))
        self.assertGreater(steps(session)["rebuilt"][0], 720028)
        self.assertEqual((found[-1].sum, found[-1].refused), (0, 1), session.output)

    def test_nothing_watched(self) -> None:
        """A deleted catchpoint disturbs nothing, nor does one that is disabled."""
        plain = subprocess.run(
            [program(PROGRAM), self.library],
            env=embree_environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        ).stdout
        commands = ["embree catch monitor", "embree catch monitor -cancel", "disable 2"]
        commands += ["break embree-accounts.c:step", "run", "continue", "continue", "delete"]
        commands += ["break embree-accounts.c:step", "continue"]
        commands += ["maint info breakpoints", "delete", "continue"]
        session = self._run(commands)
        self.assertEqual(len(hits(session)), 1, session.output)
        self.assertNotRegex(session.output, r"(?m)^-\d+ +breakpoint +keep y")
        for line in plain.splitlines():
            self.assertIn(line, session.output)
        self.assertIn("exited normally", session.output)

    def test_refused(self) -> None:
        """What is refused, completion and help."""
        refused = {
            "embree catch": "embree catch needs an event: monitor.",
            "embree catch create": "embree catch: unknown event 'create'; use monitor.",
            "embree catch monitor monitor": "embree catch takes one event; unexpected 'monitor'.",
            "embree catch monitor -min-bytes x": "embree catch: 'x' is not a size; use a number "
            "with an optional K, M or G.",
            "embree tcatch monitor -device": "embree tcatch: -device needs a value.",
            "embree catch monitor -size 3": "embree catch: unknown option '-size'; choose from "
            "-cancel, -device, -min-bytes and -temporary.",
        }
        read_only = "embree catch monitor -cancel"
        commands = [ask(command, command) for command in refused]
        commands += [ask("complete", "complete embree catch monitor -m")]
        commands += [ask("event", "complete embree tcatch m"), ask("help", "help embree catch")]
        commands += ["set may-write-registers off", ask(read_only, read_only)]
        session = self._run(commands)
        for command, words in refused.items():
            self.assertEqual(session.answer(command).error, words)
        self.assertEqual(session.answer("complete").output, "embree catch monitor -min-bytes\n")
        self.assertEqual(session.answer("event").output, "embree tcatch monitor\n")
        self.assertIn("RTC_ERROR_OUT_OF_MEMORY", session.answer("help").output)
        self.assertIn(
            "-cancel writes registers; use `set may-write-registers on` first.",
            session.answer(read_only).error or "",
        )


class TestEmbree3(MonitorCase):
    name = "embree3"


class TestEmbree4(MonitorCase):
    name = "embree4"


class TestEmbreex(MonitorCase):
    name = "embreex"


del MonitorCase  # it is of no library


if __name__ == "__main__":
    main()
