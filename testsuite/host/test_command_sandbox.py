#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A confined process reads cores: it gives the same answers as an unconfined one, and ends with the
command.  unit/host-confine.c tests what it cannot do."""

from __future__ import annotations

import ctypes
import errno
import glob
import json
import os
import platform
import re
import resource
import shutil
import signal
import struct
import subprocess
import unittest
from typing import Any, Dict, List, Sequence, Tuple

from command import (
    LOST_READER,
    OK,
    UNREADABLE,
    USAGE,
    Answer,
    run,
    start_held_up,
    write_core,
)
from crafted_core import (
    PAGE,
    READ_WRITE,
    File,
    Load,
    data_offset,
    loaded,
    mapped,
    process,
    thread,
)
from crafted_core import write_core as write_crafted_core
from harness import TIME_LIMIT, environment, main, work_folder

VERBS = (
    ["overview"],
    ["queues"],
    ["memobjs"],
    ["memobjs", "--json"],
    ["destructors"],
    ["svm"],
    ["svm-frees"],
    ["threads"],
    ["check"],
    ["waits"],
    ["holders"],
    ["leaks"],
    ["graph"],
)
HELD_UP = ("memobjs", "--json")  # by a pipe that is smaller than the answer
FEW_VERBS = (["overview"], ["memobjs"], ["threads", "--json"])

# Numbers of system calls: seccomp, prctl, clone.
CALLS = {"x86_64": (317, 157, 56), "aarch64": (277, 167, 220)}
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2


def children(pid: int) -> List[int]:
    """The processes that a process has made."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def status(pid: int) -> Dict[str, str]:
    """What the kernel says of a process."""
    with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def refuse(calls: Sequence[Tuple[int, int]], error: int) -> None:
    """In the program to be: have system calls of these numbers, where the first argument is as
    given or is -1, fail."""

    def instruction(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
        return struct.pack("<HBBI", code, if_so, if_not, value)

    program = b""
    for number, argument in calls:
        program += instruction(0x20, 0)  # the number
        program += instruction(0x15, number, 0, 3 if argument >= 0 else 1)
        if argument >= 0:
            program += instruction(0x20, 16) + instruction(0x15, argument, 0, 1)
        program += instruction(0x06, 0x00050000 | error)
    program += instruction(0x06, 0x7FFF0000)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    prctl = ctypes.CDLL(None).prctl
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(
        PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(header), 0, 0
    ):
        os._exit(99)  # pylint: disable=protected-access


class TestSandbox(unittest.TestCase):
    """A core of a program that has objects of all kinds."""

    variables: Dict[str, str] = {}
    folder = ""
    core = ""
    size = 0  # of what a command writes that is held up

    @classmethod
    def setUpClass(cls) -> None:
        cls.variables = environment("icd")
        if "is confined" not in run(["--version"], cls.variables).output:
            raise unittest.SkipTest("the command is built without libseccomp, or with a sanitizer")
        # Processes are ended here by signals that leave cores.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        cls.folder = work_folder("command-sandbox")
        cls.core = os.path.join(cls.folder, "core")
        write_core("programs/truth-program", [cls.folder], cls.core, cls.variables)
        cls.size = len(run(["--core", cls.core, *HELD_UP], cls.variables).output)

    def compare(self, words: Sequence[str]) -> Answer:
        """The answer is the same with and without confinement."""
        answer = run(words, self.variables)
        other = run([*words, "--no-sandbox"], self.variables)
        self.assertEqual(self.timeless(answer), self.timeless(other), words)
        return answer

    @staticmethod
    def timeless(answer: Answer) -> Answer:
        """Without what is another each time."""
        return answer._replace(output=re.sub(r'"seconds": \d+\.\d{3}', "", answer.output))

    def test_same_answers(self) -> None:
        for verb in VERBS:
            answer = self.compare(["--core", self.core, *verb])
            self.assertNotEqual((answer.code, answer.output), (UNREADABLE, ""), verb)

    def test_same_answers_of_other_cores(self) -> None:
        """Compressed, without its files, of no program at all, and none."""
        packed = self.core + ".gz"
        with open(packed, "wb") as file:
            subprocess.run(["gzip", "-1", "-c", self.core], stdout=file, check=True)
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        crafted = os.path.join(self.folder, "crafted")
        write_crafted_core(crafted, thread(100) + process(100), [], b"")
        cores = [[packed], [self.core, "--sysroot", empty], [self.core, "--no-files"], [crafted]]
        for core in [*cores, [empty], ["/dev/zero"], [os.path.join(empty, "none")]]:
            for verb in FEW_VERBS:
                self.compare(["--core", *core, *verb])
            self.compare(["triage", *core])
            self.compare(["triage", "--json", *core])
        answer = self.compare(["triage", packed, crafted, empty, self.core])
        self.assertEqual(answer.output.count("\n"), 4)

    def test_files_that_are_written(self) -> None:
        """A snapshot is saved, compared, and not overwritten."""
        look, other = (os.path.join(self.folder, name) for name in ("look", "other"))
        answer = run(["--core", self.core, "save", look], self.variables)
        self.assertEqual((answer.code, answer.errors), (OK, ""))
        run(["--core=" + self.core, "save", other, "--no-sandbox"], self.variables)
        with open(look, "rb") as one, open(other, "rb") as two:
            self.assertEqual(one.read(), two.read())
        self.compare(["--core", self.core, "save", look])
        self.compare(["--core", self.core, "save", os.path.join(self.folder, "none", "look")])
        self.compare(["diff", look, other])
        self.compare(["diff", look, "--core", self.core])

    def test_usage(self) -> None:
        answer = run(["--pid", "1", "--no-sandbox", "memobjs"], self.variables)
        self.assertEqual(answer.code, USAGE)
        self.assertIn("--no-sandbox applies to a core, not to a process", answer.errors)

    def end_of(self, command: "subprocess.Popen[bytes]") -> int:
        """How the command ends, when nothing writes any more although this test reads."""
        code = command.wait(TIME_LIMIT)
        assert command.stdout is not None
        self.assertLess(len(command.stdout.read()) + 1, self.size)
        return code

    def start(self, *words: str) -> Tuple["subprocess.Popen[bytes]", int]:
        """Start the command, which cannot write all of its answer; and the process that reads."""
        command = start_held_up(
            words or ["--core", self.core, *HELD_UP], self.variables, stderr=subprocess.PIPE
        )
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        assert command.stdout is not None and command.stderr is not None
        self.addCleanup(command.stdout.close)
        self.addCleanup(command.stderr.close)
        self.assertTrue(os.read(command.stdout.fileno(), 1))
        (reader,) = children(command.pid)
        return command, reader

    def test_reader(self) -> None:
        """It has a filter, a limit and no new privileges; and of descriptors only what it needs."""
        command, reader = self.start()
        of_reader, of_command = status(reader), status(command.pid)
        self.assertEqual((of_reader["Seccomp"], of_command["Seccomp"]), ("2", "0"))
        self.assertEqual((of_reader["NoNewPrivs"], of_command["NoNewPrivs"]), ("1", "0"))
        with open("/proc/%d/limits" % reader, encoding="ascii") as file:
            (limit,) = [line.split()[3] for line in file if line.startswith("Max address space")]
        self.assertLess(int(limit), 100 << 30)
        folder = "/proc/%d/fd/" % reader
        paths = [os.readlink(folder + name) for name in os.listdir(folder)]
        self.assertIn("/dev/null", paths)
        self.assertEqual(sum(path.startswith("socket:") for path in paths), 1)
        self.assertEqual(sum(path.startswith("pipe:") for path in paths), 2)  # for what it writes

    def test_interrupted(self) -> None:
        """A signal to the command alone, or to both as from a terminal, ends both by it."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            # Tests that run in the background, or under nohup, are started with it ignored.
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
            command, reader = self.start()
            command.send_signal(number)
            self.assertEqual(self.end_of(command), -number)
            self.assertFalse(os.path.exists("/proc/%d" % reader))
            command, reader = self.start()
            os.kill(reader, number)
            self.assertEqual(self.end_of(command), -number)

    def test_interrupted_while_it_hangs(self) -> None:
        """A reader that ignores signals is killed, and the command ends by the signal that it got,
        whether it got it alone or both did."""
        for number, is_of_both in ((signal.SIGINT, True), (signal.SIGTERM, False)):
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
            command, reader = self.start()
            os.kill(reader, signal.SIGSTOP)
            command.send_signal(number)
            if is_of_both:
                os.kill(reader, number)
            self.assertEqual(self.end_of(command), -number)

    def test_killed(self) -> None:
        """The reader does not outlive the command, whatever ends that."""
        command, _ = self.start()
        command.kill()
        self.assertEqual(self.end_of(command), -signal.SIGKILL)

    def test_nobody_reads_on(self) -> None:
        """A reader that goes away ends the command as it does any other."""
        command, reader = self.start()
        assert command.stdout is not None
        command.stdout.close()
        self.assertEqual(command.wait(TIME_LIMIT), -signal.SIGPIPE)
        self.assertFalse(os.path.exists("/proc/%d" % reader))

    def lose(self, number: int, *words: str) -> Tuple[int, bytes, bytes]:
        """What the command comes to whose reader is ended by a signal."""
        command, reader = self.start(*words)
        os.kill(reader, number)
        assert command.stdout is not None and command.stderr is not None
        output, errors = command.stdout.read(), command.stderr.read()
        return command.wait(TIME_LIMIT), output, errors

    def test_lost(self) -> None:
        """A crash of the reader is reported, and is not an answer."""
        for number, name in ((signal.SIGSEGV, b"SIGSEGV"), (signal.SIGKILL, b"SIGKILL")):
            code, _, errors = self.lose(number)
            sentence = b"ompd-opencl: the %s %s; the answer is incomplete\n"
            self.assertEqual((code, errors), (UNREADABLE, sentence % (LOST_READER.encode(), name)))

    def test_lost_in_triage(self) -> None:
        """The core's line reports it, and the next core is read."""
        far = os.path.join(self.folder, "./" * 2000)[: 4090 - len("/core")] + "/core"
        far = far.replace("./core", "//core")
        self.assertTrue(os.path.exists(far))
        next_core = os.path.join(self.folder, "next")
        shutil.copy(self.core, next_core)  # the same file would be looked at once
        self.addCleanup(os.unlink, next_core)
        code, output, errors = self.lose(signal.SIGSEGV, "triage", "--json", far, next_core)
        self.assertEqual((code, errors), (UNREADABLE, b""))
        # Behind what the reader wrote of its line, without the byte that was read before.
        rows = output[output.index(b'{"schema"') :].splitlines()
        lost, after = [json.loads(row) for row in rows]
        self.assertEqual(lost["core"], far)
        self.assertEqual(
            lost["error"], "The " + LOST_READER + " SIGSEGV; the answer is incomplete."
        )
        self.assertTrue(lost["is_incomplete"])
        self.assertEqual((after["core"], after["is_incomplete"]), (next_core, False))

    def test_refused(self) -> None:
        """Where the system lets no filter be set, or no process be made, the answer is the same,
        and one sentence says so."""
        if platform.machine() not in CALLS:
            self.skipTest("not of a machine whose system calls are known here")
        seccomp, prctl, clone = CALLS[platform.machine()]
        for calls, error, why in (
            ([(seccomp, -1), (prctl, PR_SET_SECCOMP)], errno.EPERM, "a filter of system calls"),
            ([(clone, -1)], errno.EAGAIN, "cannot create a process: "),
        ):
            for words in (["--core", self.core, "memobjs"], ["triage", self.core, self.core]):
                options: Dict[str, Any] = {"preexec_fn": lambda c=calls, e=error: refuse(c, e)}
                answer = run(words, self.variables, **options)
                other = run([*words, "--no-sandbox"], self.variables)
                self.assertEqual((answer.code, answer.output), (other.code, other.output))
                self.assertRegex(
                    answer.errors,
                    r"\Aompd-opencl: the process that reads the core is not fully confined: "
                    r"[^\n]*%s[^\n]*[^.\n]\n\Z" % why,
                )


# What dwz leaves of a program's debug information: the function's name is in another file, which
# the program's links to by its build-id, 20 bytes of 0x5a.
OWN = """
    .text
    .globl known_by_its_symbol
    .type known_by_its_symbol, @function
known_by_its_symbol: .zero 256
    .size known_by_its_symbol, .-known_by_its_symbol
    .section .debug_abbrev
    .byte 1, 0x11, 1, 0x11, 0x01, 0x12, 0x07, 0, 0 # compile_unit: low_pc, high_pc
    .byte 2, 0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x31 # subprogram: low_pc, high_pc, abstract_origin
    .uleb128 0x1f20 # GNU_ref_alt
    .byte 0, 0, 0
    .section .debug_info
    .long 2f - 1f
1:  .value 4
    .long 0
    .byte 8, 1
    .quad known_by_its_symbol, 256
    .byte 2
    .quad known_by_its_symbol, 256
    .long 12
    .byte 0
2:
    .section .gnu_debugaltlink
    .asciz "shared.debug"
    .fill 20, 1, 0x5a
"""
SHARED = """
    .section .debug_abbrev
    .byte 1, 0x11, 1, 0, 0 # compile_unit
    .byte 2, 0x2e, 0, 0x03, 0x08, 0, 0, 0 # subprogram: name
    .section .debug_info
    .long 2f - 1f
1:  .value 4
    .long 0
    .byte 8, 1
    .byte 2
    .asciz "known_by_dwz"
    .byte 0
2:
"""


SPLIT = """
static inline __attribute__((always_inline)) void inlined(volatile int *counter)
{
    while (*counter < 1000)
        ++*counter;
}
void known_by_its_symbol(void)
{
    volatile int counter = 0;
    inlined(&counter);
    inlined(&counter);
}
"""


class TestDebugFiles(unittest.TestCase):
    """Debug information that elfutils would open by itself."""

    folder = ""

    def setUp(self) -> None:
        self.folder = work_folder("command-debug-files")

    def build(self, name: str, source: str, build_id: str, *compiler: str) -> str:
        """Assemble, or compile, and link a library."""
        path = os.path.join(self.folder, name)
        with open(path + ".s", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run([*(compiler or ["as"]), "-o", path + ".o", path + ".s"], check=True)
        link = ["ld", "-shared", "-z", "max-page-size=4096", "-z", "separate-code"]
        link += ["--compress-debug-sections=zlib"]
        subprocess.run([*link, "--build-id=" + build_id, "-o", path, path + ".o"], check=True)
        return path

    def make_core(self, library: str) -> str:
        """A core of a thread that died in the library's one function, with all of its memory."""
        symbols = subprocess.run(["nm", library], stdout=subprocess.PIPE, text=True, check=True)
        (at,) = [int(line.split()[0], 16) for line in symbols.stdout.splitlines() if " T " in line]
        with open(library, "rb") as file:
            image = loaded(file.read())
        base, stack = 0x7E0000000000, 0x7FFC00000000
        notes = thread(100, base + at + 16, stack) + process(100)
        pages = range(len(image) // PAGE)
        notes += mapped([File(base + n * PAGE, base + (n + 1) * PAGE, n, library) for n in pages])
        offset = data_offset(notes, 2)
        core = os.path.join(self.folder, "core")
        loads = [Load(base, offset, len(image)), Load(stack, offset + len(image), PAGE, READ_WRITE)]
        write_crafted_core(core, notes, loads, image + bytes(PAGE))
        return core

    def verdict(self, core: str, *options: str) -> str:
        """The same with and without confinement."""
        variables = environment("icd")
        answer = run(["triage", core, *options], variables)
        self.assertEqual(answer, run(["triage", "--no-sandbox", core, *options], variables))
        return answer.output

    def test_shared_by_dwz(self) -> None:
        """The name comes from the other file if that has the right build-id.  That file may be a
        pipe without writers."""
        library = self.build("own.so", OWN, "0x" + 20 * "a5")
        core = self.make_core(library)
        self.assertIn(" in known_by_its_symbol", self.verdict(core))
        shared = self.build("shared.debug", SHARED, "0x" + 20 * "5a")
        self.assertIn(" in known_by_dwz", self.verdict(core))
        self.assertIn(" in known_by_its_symbol", self.verdict(core, "--no-files"))
        self.build("shared.debug", SHARED, "0x" + 20 * "5b")
        self.assertIn(" in known_by_its_symbol", self.verdict(core))
        os.unlink(shared)

    def test_too_large(self) -> None:
        """Debug information that is much more than its file is left out, and one line says so, once
        and beside JSON, too."""
        zeros = "    .section .debug_str\n    .zero %d\n"
        line = (
            "ompd-opencl: 1 place is shown without debug information, which is too large or too "
            "deeply nested to read\n"
        )
        for size, errors in ((1 << 18, ""), (1 << 24, line)):
            core = self.make_core(self.build("own.so", OWN + zeros % size, "0x" + 20 * "a5"))
            for words in (["triage"], ["triage", "--json"], ["triage", "--no-sandbox"]):
                answer = run([*words, core], environment("icd"))
                self.assertEqual(answer.errors, errors, answer.output)
                self.assertIn("known_by_its_symbol", answer.output)

    def test_split(self) -> None:
        """Debug information in a .dwo file of its own is of no use, and does no harm."""
        compiler = ["gcc", "-g", "-gsplit-dwarf", "-O1", "-fPIC", "-fno-asynchronous-unwind-tables"]
        compiler += ["-x", "c", "-c"]
        library = self.build("split.so", SPLIT, "0x" + 20 * "a5", *compiler)
        self.assertTrue(glob.glob(os.path.join(self.folder, "*.dwo")))
        self.assertIn(" in known_by_its_symbol", self.verdict(self.make_core(library)))


if __name__ == "__main__":
    main()
