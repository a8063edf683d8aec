#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl catch: where GDB stops, what it prints, and how its own commands affect catchpoints."""

import os
import re
import subprocess
import unittest
from typing import Dict, List, Tuple

from harness import (
    GDB,
    SOURCE,
    Session,
    ask,
    environment,
    main,
    program,
    recorder_alone,
    run_gdb,
    work_folder,
)

EDGES = "programs/demo/edges"
SMOOTH_SIZE = 640 * 480 * 4 * 4
ROWS_SIZE = 640 * 480 * 4
HIT = re.compile(
    r"^Catchpoint (\d+) \(opencl ([\w-]+)\), (.*)\n#0 +(?:0x\w+ in )?(\w+) ", re.MULTILINE
)
# Catchpoints that the program never comes to, and of each event one that it comes to often.
ALL = [
    "opencl catch create -min-size 1M",
    "opencl tcatch release -kind buffer",
    "opencl catch destructor -kind image",
    "opencl catch svm-free",
    "opencl catch error",
]
HITS = [  # catchpoint, event, function, what is said
    (1, "create", "create_buffers", r"clCreateBuffer has made buffer 0x\w+, %d B" % ROWS_SIZE),
    (1, "create", "create_image", r"clCreateImage has made image2d 0x\w+, %d B" % SMOOTH_SIZE),
    (1, "create", "create_svm", r"clSVMAlloc has made SVM allocation 0x\w+, %d B" % ROWS_SIZE),
    (3, "destructor", "count_release", r"destructor callback of image2d 0x\w+, %d B" % SMOOTH_SIZE),
    (3, "destructor", "smooth_report", r"destructor callback of image2d 0x"),
    (3, "destructor", "budget_return", r"destructor callback of image2d 0x"),
    (4, "svm-free", "frame_free", r"SVM-free callback of SVM allocation 0x\w+, .*; SVM .*, 1024 B"),
    (2, "release", "release_all", r"clReleaseMemObject has released what was buffer 0x"),
]


def hits(session: Session) -> List[Tuple[str, str, str, str]]:
    """The stops at catchpoints: number, event, what is said, and the function of frame 0."""
    return [match.groups() for match in HIT.finditer(session.output)]  # type: ignore[misc]


class TestCatch(unittest.TestCase):
    variables: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = recorder_alone("pocl")

    def _run(self, commands: List[str], name: str = EDGES, recorder: bool = True) -> Session:
        variables = self.variables if recorder else environment("pocl", recorder=False)
        return self._run_with(variables, commands, name)

    def _run_with(
        self, variables: Dict[str, str], commands: List[str], name: str = EDGES
    ) -> Session:
        return run_gdb(
            [program(name)], ["set width 0", *commands], variables, name="catch", all_symbols=True
        )

    def _check_all(self, recorder: bool) -> None:
        session = self._run(
            [*ALL, "info breakpoints", "run >/dev/null", *["continue"] * 9], recorder=recorder
        )
        found = hits(session)
        self.assertEqual(len(found), len(HITS), session.output)
        # SVM is freed by a thread of the runtime's, while the program goes on.
        for number, event, function, words in HITS:
            same = [hit for hit in found if hit[:2] == (str(number), event) and hit[3] == function]
            self.assertEqual(len(same), 1, (function, session.output))
            self.assertRegex(same[0][2], words)
        self.assertIn("exited normally", session.output)
        self.assertRegex(session.output, r"\n2 +catchpoint +del +y .* opencl catch release -kind b")

    def test_recorder(self) -> None:
        """Before the program runs."""
        self._check_all(True)

    def test_alone(self) -> None:
        """Without the recorder."""
        self._check_all(False)

    def _refuses_flags(self) -> bool:
        """Whether the runtime refuses flags that OpenCL does not have: PoCL 6 takes them."""
        printed = subprocess.run(
            [program("programs/observe")],
            env=environment("pocl", recorder=False),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        ).stdout
        answer = re.search(r"^bad flags: ([01])$", printed, re.MULTILINE)
        assert answer is not None, printed
        return answer[1] == "0"

    def _check_errors(self, recorder: bool) -> None:
        """Each failing call is reported once."""
        # A buffer that is made holds it.  Without the recorder, a search would show who does.
        context = r", on OpenCL context 0x\w+" + (", [12] reference.*" if recorder else "")
        expected = ["CL_INVALID_BUFFER_SIZE" + context, "CL_INVALID_HOST_PTR" + context]
        expected += ["CL_INVALID_VALUE" + context] if self._refuses_flags() else []
        expected.append("CL_INVALID_CONTEXT")
        unasked = "the program did not ask for the error code"
        expected.append(("CL_INVALID_BUFFER_SIZE" if recorder else unasked) + context)
        commands = ["opencl catch error -kind memobj", "opencl catch error -object 0", "delete 1"]
        commands += ["opencl catch error", "delete 2", "run > /dev/null"]
        commands += ["continue"] * (len(expected) - 1)
        session = self._run([*commands, "kill"], "programs/observe", recorder)
        found = hits(session)
        self.assertEqual({hit[3] for hit in found}, {"observe_creation"})
        self.assertEqual({hit[0] for hit in found}, {"3"})
        self.assertEqual(len(found), len(expected), session.output)
        for hit, words in zip(found, expected):
            self.assertRegex(hit[2], "^clCreateBuffer has failed: %s$" % words)

    def test_errors(self) -> None:
        self._check_errors(True)

    def test_errors_alone(self) -> None:
        self._check_errors(False)

    def test_commands_of_gdb(self) -> None:
        """disable, enable, ignore, condition, commands, delete."""
        commands = [
            "opencl catch create -kind sub-buffer",
            "opencl catch create -kind kernel",
            "disable 2",
            "condition 1 pipeline.tiles[1] != 0",
            "condition -force 1 pipeline.tiles[1] != 0 && band.size > 1",
            "run > /dev/null",
            ask("second", "output pipeline.tiles[1]"),
            ask("third", "output pipeline.tiles[2]"),
            "condition 1",
            "enable 2",
            "kill",
            "disable 1",
            "ignore 2 1",
            "python second = next(each for each in gdb.breakpoints() if each.number == 2)",
            r"python second.commands = 'silent\nprint name'",
            "run > /dev/null",
            "info breakpoints",
            "delete",
            "continue",
        ]
        session = self._run(commands)
        self.assertNotEqual(session.answer("second").output, "0x0")
        self.assertEqual(session.answer("third").output, "0x0")
        self.assertEqual([hit[0] for hit in hits(session)], ["1"])
        self.assertIn('"blur_columns"', session.output)
        self.assertNotIn('"blur_rows"', session.output)
        self.assertIn("exited normally", session.output)

    def test_nothing_watched(self) -> None:
        """No hidden breakpoint exists unless a catchpoint is enabled."""
        text = "maint info breakpoints\n"
        lines = "%sopencl catch release\n%sdisable 1\n%senable\n%sdelete\n%s" % ((text,) * 5)
        plugin = os.path.join(SOURCE, "gdb-plugin", "ompd-opencl-gdb.py")
        done = subprocess.run(
            [GDB, "-q", "-nx", "-ex", "set confirm off", "-x", plugin, program(EDGES)],
            input=lines,
            env=self.variables,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        )
        answers = done.stdout.split("(gdb) ")[1:-1]
        counts = [
            len(re.findall(r"(?m)^-\d+ .* y .*(?:clRelease|clSVMFree)", answer))
            for answer in answers[:1] + answers[2:3] + answers[4:5] + answers[6:7] + answers[8:]
        ]
        self.assertEqual([counts[0], *counts[2::2]], [0, 0, 0], done.stdout)
        self.assertEqual(counts[1], 8, done.stdout)
        self.assertEqual(counts[3], 8, done.stdout)

    def test_two_inferiors(self) -> None:
        """Each stops, and says what its own objects are; one has the recorder."""
        commands = [
            "set schedule-multiple off",
            "opencl catch create -kind sub-buffer",
            "opencl catch error",
            "run > /dev/null",
            "add-inferior -exec " + program(EDGES),
            "inferior 2",
            "unset environment OPENCL_LAYERS",
            "run > /dev/null",
            "inferior 1",
            "continue",
            ask("here", "output p->picture"),
            "inferior 2",
            ask("there", "output p->picture"),
            "inferior 1",
            ask("again", "output p->picture"),
            "kill inferiors 1 2",
        ]
        session = self._run_with(environment("pocl"), commands)
        words = [hit[2] for hit in hits(session)]
        self.assertEqual(len(words), 3, session.output)
        self.assertEqual(["presumed" in each for each in words], [False, True, False])
        for name in ("here", "there", "again"):
            self.assertIn("<buffer, 307200 B", session.answer(name).output)

    def test_attached_late(self) -> None:
        """Callbacks that were registered before; by its handle, and what else is refused."""
        commands = [
            "break create_svm_allocations",
            "break edges.c:278",
            "run > /dev/null",
            "delete",
            "opencl catch destructor -object p->picture",
            "opencl catch destructor -min-size 100M",
            ask("none", "opencl catch"),
            ask("two", "opencl catch create error"),
            ask("unknown", "opencl catch create -kind cat"),
            ask("size", "opencl catch create -min-size x"),
            ask("value", "opencl catch create -object"),
            ask("complete", "complete opencl catch create -kind sa"),
            ask("events", "complete opencl tcatch s"),
            ask("help", "help opencl catch"),
            "continue",
            "continue",
            "continue",
        ]
        session = self._run(commands)
        self.assertEqual([hit[3] for hit in hits(session)], ["count_release", "pixels_free"])
        refused = {
            "none": "opencl catch needs an event: create, release, error, mistake, destructor, "
            "svm-free.",
            "two": "opencl catch takes one event; unexpected 'error'.",
            "size": "opencl catch: 'x' is not a size; use a number with an optional K, M or G.",
            "value": "opencl catch: -object needs a value.",
        }
        for name, words in refused.items():
            self.assertEqual(session.answer(name).error, words)
        self.assertRegex(
            session.answer("unknown").error or "", r"unknown kind 'cat'; choose from buffer, "
        )
        self.assertEqual(session.answer("complete").output, "opencl catch create -kind sampler\n")
        self.assertIn("opencl tcatch svm-free\n", session.answer("events").output)
        self.assertIn("Without the recorder,", session.answer("help").output)

    def test_nothing_tells(self) -> None:
        """Without recorder and layout a call's own words are known."""
        folder = work_folder("catch-icd")
        commands = ["opencl catch create -kind memobj -min-size 64", "run " + folder]
        commands += [ask("context", "output context"), "opencl catch destructor", "delete 1"]
        session = run_gdb(
            [program("programs/truth-program")],
            ["set width 0", *commands, "continue", "kill"],
            environment("icd", recorder=False),
            name="catch",
            all_symbols=True,
        )
        made, destroyed = hits(session)
        self.assertRegex(made[2], r"^clCreateBuffer has made memory object 0x\w+, 64 B$")
        self.assertRegex(session.answer("context").output, r"^0x\w{6,}$")
        self.assertRegex(destroyed[2], r"^destructor callback of 0x\w+$")
        self.assertEqual(destroyed[3], "destructor_second")
        self.assertIn("before are not caught: No layout matches libtest-icd.so", session.output)

    def test_many_kernels(self) -> None:
        """What a call makes of all kernels of a program; where it gives no number, the first."""
        commands = ["break kernels_create", "run " + work_folder("catch-kernels")]
        commands += ["opencl catch create -kind kernel", *["continue"] * 2, "break kernel_add"]
        commands += ["continue", ask("kernel", "output/x (long) kernel"), "kill"]
        session = self._run(commands, "programs/truth-program", recorder=False)
        single, many = hits(session)
        self.assertRegex(single[2], r"^clCreateKernel has made kernel 0x\w+\b")
        self.assertEqual(many[3], "kernels_create")
        kernel = session.answer("kernel").output
        self.assertRegex(many[2], r"^clCreateKernelsInProgram has made kernel %s\b" % kernel)

    def test_other_threads(self) -> None:
        """A runtime whose layout has the library ask for the stacks of threads."""
        session = run_gdb(
            [program("programs/observe")],
            ["set width 0", "opencl tcatch error", "run > /dev/null", "kill"],
            environment("rusticl", recorder=False),
            name="catch",
            all_symbols=True,
        )
        words = [hit[2] for hit in hits(session)]
        self.assertEqual(len(words), 1, session.output)
        self.assertRegex(words[0], r"^clCreateBuffer has failed: CL_INVALID_BUFFER_SIZE, on Open")

    def test_machine_interface(self) -> None:
        """A front end gets the frame in the program."""
        lines = "opencl catch create -kind queue\n-exec-run\n"
        plugin = os.path.join(SOURCE, "gdb-plugin", "ompd-opencl-gdb.py")
        with subprocess.Popen(
            [GDB, "-q", "-nx", "-i=mi", "-x", plugin, program(EDGES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.variables,
            universal_newlines=True,
        ) as gdb:
            assert gdb.stdin is not None and gdb.stdout is not None
            gdb.stdin.write(lines)
            gdb.stdin.flush()
            text = ""
            for line in gdb.stdout:
                text += line
                if line.startswith("*stopped"):
                    break
            gdb.stdin.write("-gdb-exit\n")
            gdb.stdin.flush()
            text += gdb.stdout.read()
        self.assertRegex(text, r'\*stopped,.*func="create_queue"')
        self.assertIn("clCreateCommandQueueWithProperties has made command queue 0x", text)


if __name__ == "__main__":
    main()
