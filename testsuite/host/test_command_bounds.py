#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A core of some kilobytes costs little, whatever its headers claim.  Of the files that it names,
only regular files are opened."""

from __future__ import annotations

import os
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import unittest
from typing import List, NamedTuple, Tuple

from command import BUILT_COMMAND, COMMAND, INCOMPLETE, LOST_READER, OK, UNREADABLE
from crafted_core import (
    PAGE,
    READ_WRITE,
    File,
    Load,
    add_hole,
    auxiliary,
    data_offset,
    loaded,
    mapped,
    module,
    process,
    thread,
    write_core,
)
from harness import THOROUGH, TIME_LIMIT, environment, main, one_arena, work_folder
from unprepared import FEW, debuggers_core, started

MOST_SECONDS = 6.0  # of the processor: three times what is promised, for slow and busy machines
MOST_MEMORY = 256 << 10  # KiB, as wait4(2) has it
MOST_OUTPUT = 1 << 20  # bytes
GIB = 1 << 30
SEED = 4711


class Cost(NamedTuple):
    """What a run of the command took."""

    code: int
    output: bytes
    errors: str


def code_of(status: int) -> int:
    """An exit code; of one that was killed the signal, negative."""
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def run_bounded(words: List[str], folder: str) -> Cost:
    """Run the command within the bounds."""
    output, errors = (os.path.join(folder, name) for name in ("output", "errors"))
    with open(output, "wb") as out, open(errors, "wb") as err:
        child = subprocess.Popen(
            [COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment("icd"),
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = code_of(status)
    seconds = usage.ru_utime + usage.ru_stime
    size = os.path.getsize(output)
    print("%s: %.2f s, %d KiB, %d bytes" % (words, seconds, usage.ru_maxrss, size))
    if size > MOST_OUTPUT:
        raise AssertionError("%s: %d bytes of output" % (words, size))
    # Another command, that shows more of its faults, takes more.
    if COMMAND == BUILT_COMMAND and (seconds > MOST_SECONDS or usage.ru_maxrss > MOST_MEMORY):
        raise AssertionError("%s: %.2f s, %d KiB" % (words, seconds, usage.ru_maxrss))
    with open(output, "rb") as out, open(errors, encoding="utf-8") as err:
        cost = Cost(child.returncode, out.read(), err.read())
    if LOST_READER.encode() in cost.output + cost.errors.encode():
        raise AssertionError("%s: %s" % (words, cost))
    return cost


def doubling_name(count: int) -> bytes:
    """A function's name: each parameter's type is a template of the one before it, twice."""

    def earlier(index: int) -> bytes:
        digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return b"S_" if index == 0 else b"S" + digits[index - 1 : index] + b"_"

    name = b"_Z1f1a1bIS_S_E"
    for index in range(count):
        name += b"S0_I" + 2 * earlier(index + 2) + b"E"
    return name


class TestBounds(unittest.TestCase):
    """Each core is small and claims much."""

    folder = ""
    core = ""

    def setUp(self) -> None:
        self.folder = work_folder("command-bounds")
        self.core = os.path.join(self.folder, "core")

    def ask(self, core: str = "") -> str:
        """All is answered with a sentence, within the bounds; returns the verdict."""
        core = core or self.core
        for words in (["--core", core, "overview"], ["triage", "--json", core], ["triage", core]):
            cost = run_bounded(words, self.folder)
            self.assertIn(cost.code, (UNREADABLE, INCOMPLETE), words)
            self.assertTrue(cost.output + cost.errors.encode(), words)
        return cost.output.decode() + cost.errors

    def test_modules(self) -> None:
        """Modules of a gibibyte each, all of the same pages, which are a hole in the file."""
        count, span = 4, 2 * GIB
        base = 1 << 40
        places = [base + index * span for index in range(count)]
        files = [File(at, at + GIB, 0, "/nonexistent/%x.so" % at) for at in places]
        notes = process(100) + thread(100) + mapped(files)
        offset = data_offset(notes, count)
        loads = [Load(at, offset, GIB) for at in places]
        write_core(self.core, notes, loads, module([(0, GIB)]), hole=GIB - PAGE)
        self.ask()

    def test_unsaved_modules(self) -> None:
        """Modules of a gibibyte each, of which one page is there."""
        count, span = 1000, 2 * GIB
        base = 1 << 40
        places = [base + index * span for index in range(count)]
        files = [File(at, at + GIB, 0, "/nonexistent/%x.so" % at) for at in places]
        notes = process(100) + thread(100) + mapped(files)
        offset = data_offset(notes, count)
        loads = [Load(at, offset + index * PAGE, PAGE) for index, at in enumerate(places)]
        write_core(self.core, notes, loads, module([(0, GIB)]) * count)
        self.ask()

    def test_name(self) -> None:
        """A function whose name, demangled, has 400 MB."""
        name = doubling_name(24).decode()
        source = ".text\n.globl {0}\n.type {0},@function\n{0}: .zero 256\n.size {0},.-{0}\n"
        library = os.path.join(self.folder, "named.so")
        with open(library + ".s", "w", encoding="utf-8") as file:
            file.write(source.format(name))
        subprocess.run(["as", "-o", library + ".o", library + ".s"], check=True)
        link = ["ld", "-shared", "-z", "max-page-size=4096", "-z", "separate-code"]
        subprocess.run([*link, "-o", library, library + ".o"], check=True)
        names = subprocess.run(
            ["nm", library], stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        at = next(int(line.split()[0], 16) for line in names.splitlines() if name in line)
        with open(library, "rb") as binary:
            image = loaded(binary.read())
        os.unlink(library)
        base, stack = 0x7E0000000000, 0x7FFC00000000
        notes = thread(100, base + at + 16, stack) + process(100) + auxiliary(0)
        pages = range(len(image) // PAGE)
        notes += mapped([File(base + n * PAGE, base + (n + 1) * PAGE, n, library) for n in pages])
        offset = data_offset(notes, 2)
        loads = [Load(base, offset, len(image)), Load(stack, offset + len(image), PAGE, READ_WRITE)]
        write_core(self.core, notes, loads, image + bytes(PAGE))
        self.assertIn(name, self.ask())

    def test_notes(self) -> None:
        """Ten thousand headers that name the same notes."""
        notes = b"".join(thread(lwp) for lwp in range(100, 1100)) + process(100)
        write_core(self.core, notes, [], b"", note_headers=10000)
        self.ask()

    def test_sections(self) -> None:
        """Sixteen million sections, of which the first says so, and the others are a hole."""
        notes = thread(100) + process(100)
        offset = data_offset(notes, 1)
        first = struct.pack("<IIQQQQ", 0, 0, 0, 0, 0, GIB // 64).ljust(PAGE, b"\0")
        write_core(self.core, notes, [Load(1 << 40, offset, PAGE)], first, hole=GIB)
        with open(self.core, "r+b") as core:
            core.seek(40)  # e_shoff
            core.write(struct.pack("<Q", offset))
        self.assertIn("more sections than fit in it", self.ask())

    def test_gaps(self) -> None:
        """A thousand modules of 250 segments, and 5,000 files of which nothing else is known."""
        image = module([(0, PAGE)] + [((1 + index) * 2 * PAGE, PAGE) for index in range(250)])
        span = 254 * 2 * PAGE
        places = [0x10000000 + index * span for index in range(1000)]
        top = places[-1] + span
        files = [File(at, at + len(image), 0, "/nonexistent/%x" % at) for at in places]
        files += [
            File(at, at + PAGE, 1, "/nonexistent")
            for at in range(top, top + 10000 * PAGE, 2 * PAGE)
        ]
        notes = thread(100) + process(100) + mapped(files)
        offset = data_offset(notes, len(places))
        loads = [
            Load(at, offset + index * len(image), len(image)) for index, at in enumerate(places)
        ]
        write_core(self.core, notes, loads, image * len(places))
        self.ask()

    def test_packed(self) -> None:
        """What unpacks to more than it should is refused: 64 MiB, and 100 times its size, where 16
        bytes of zeros count as one."""
        text, zeros = b"a" * (1 << 20), bytes(1 << 20)
        for name, pieces in (
            ("text", [(text, 70)]),
            ("zeros", [(zeros, 3000)] if THOROUGH else [(text, 60), (zeros, 160)]),
        ):
            path = os.path.join(self.folder, name + ".zst")
            with open(path, "wb") as file, subprocess.Popen(
                ["zstd", "-q", "-c"], stdin=subprocess.PIPE, stdout=file
            ) as packer:
                assert packer.stdin is not None
                for piece, times in pieces:
                    for _ in range(times):
                        packer.stdin.write(piece)
            self.assertIn("unpacks to more than 100 times its size", self.ask(path))

    def test_unpacking_ends(self) -> None:
        """The tool that unpacks ends with the command."""
        path = os.path.join(self.folder, "random.zst")
        data = random.Random(SEED).getrandbits(8 << 20).to_bytes(1 << 20, "little")
        with open(path, "wb") as file:
            subprocess.run(["zstd", "-q", "-c"], input=data, stdout=file, check=True)
        begun, go_on = self._held_tool("zstd")
        variables = environment("icd")
        variables["PATH"] = "%s:%s" % (self.folder, variables["PATH"])
        with subprocess.Popen(
            [COMMAND, "--core", path, "overview"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=variables,
        ) as command:
            told = os.open(begun, os.O_RDONLY | os.O_NONBLOCK)
            while command.poll() is None and not select.select([told], [], [], 1)[0]:
                pass
            said = os.read(told, 64)
            self.assertTrue(said, "the command ended before it was seen to unpack")
            command.send_signal(signal.SIGKILL)
        with open(go_on, "w", encoding="utf-8") as file:
            file.write("\n")
        self.assertTrue(select.select([told], [], [], TIME_LIMIT)[0], "the tool still runs")
        self.assertEqual(os.read(told, 64), b"")
        os.close(told)

    def _held_tool(self, name: str) -> Tuple[str, str]:
        """Have the folder offer the tool of that NAME: gives a FIFO that it writes a line to
        and has open until it ends, and one that it reads a line from before it begins."""
        begun, go_on = (os.path.join(self.folder, each) for each in ("begun", "go-on"))
        os.mkfifo(begun)
        os.mkfifo(go_on)
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec 9>'%s'\necho >&9\nread -r line <'%s'\n" % (begun, go_on))
            file.write("exec '%s' \"$@\"\n" % shutil.which(name))
        os.chmod(path, 0o755)
        return begun, go_on

    def test_pipe(self) -> None:
        """A pipe that a core names is not opened: who writes to it waits on."""
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        base = 0x10000
        paths = [pipe, "/dev/zero", "/proc/self/mem", "/dev/ptmx", "relative.so"]
        files = [
            File(base * (n + 1), base * (n + 1) + PAGE, 0, path) for n, path in enumerate(paths)
        ]
        notes = thread(100) + process(100) + mapped(files)
        offset = data_offset(notes, len(files))
        loads = [Load(file.start, offset, PAGE) for file in files]
        write_core(self.core, notes, loads, module([(0, PAGE)]))
        writer = subprocess.Popen(["sh", "-c", 'echo kept >"$0"', pipe])
        self.addCleanup(writer.wait)
        self.addCleanup(writer.kill)
        self.ask()
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        ready, _, _ = select.select([reader], [], [], 60)
        self.assertTrue(ready, "nobody writes any more")
        writer.wait()
        self.assertEqual(os.read(reader, 100), b"kept\n")
        os.close(reader)


class TestLayouts(unittest.TestCase):
    def test_what_is_no_file(self) -> None:
        """A pipe or a device among the layouts is refused, and never opened."""
        home = work_folder("command-layout-pipes")
        folder = os.path.join(home, "ompd-opencl", "layouts")
        os.makedirs(folder)
        os.mkfifo(os.path.join(folder, "pipe.layout"))
        os.symlink("/dev/zero", os.path.join(folder, "zero.layout"))
        variables = dict(environment("icd"), XDG_DATA_HOME=home)
        done = subprocess.run(
            [COMMAND, "layouts"], env=variables, capture_output=True, timeout=60, check=False
        )
        said = (done.stdout + done.stderr).decode()
        for name in ("pipe", "zero"):
            self.assertIn(
                "%s/%s.layout cannot be used: cannot read the file: not a regular file"
                % (folder, name),
                said,
            )


class TestHoles(unittest.TestCase):
    """A core of a program, with segments beside it that are a hole of the file."""

    folder = ""
    core = ""
    memobjs = b""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = work_folder("command-holes")
        variables = one_arena(environment("pocl", recorder=False))
        with started(FEW, cls.folder, variables) as process:
            process.await_stop("main")
            cls.core = debuggers_core(process)
        cls.memobjs = run_bounded(["--core", cls.core, "memobjs"], cls.folder).output
        assert cls.memobjs.count(b"buffer") >= 5, cls.memobjs

    def ask(self, count: int, size: int) -> Cost:
        """The list of memory objects where COUNT segments name one hole of SIZE bytes."""
        path = os.path.join(self.folder, "holes.core")
        shutil.copy(self.core, path)
        add_hole(path, [((1 << 44) + index * size, size) for index in range(count)])
        return run_bounded(["--core", path, "memobjs"], self.folder)

    def test_hole(self) -> None:
        """It is memory that holds zeros, and nothing is missing; it is not read."""
        self.assertEqual(self.ask(1, 64 * GIB), Cost(OK, self.memobjs, ""))

    def test_hole_of_many(self) -> None:
        """Of segments that name the same bytes one alone has them; what the others were is not
        known."""
        for count, size in ((100, GIB), (20000, GIB >> 6)):
            cost = self.ask(count, size)
            self.assertEqual(cost.code, INCOMPLETE)
            self.assertTrue(cost.output.startswith(self.memobjs.rstrip()), cost.output)
            self.assertIn(b"not in the core", cost.output)


class TestCut(unittest.TestCase):
    """A core whose file is cut off while it is read."""

    def _run(self, core: str, words: List[str], program: List[str]) -> Tuple[int, str]:
        """Run the command, and cut off CORE when it is open; its exit code, and what it wrote."""
        commands = ["handle SIGBUS SIGSYS nostop noprint pass", "set breakpoint pending on"]
        if "--no-sandbox" not in words:
            commands.append("set follow-fork-mode child")
        commands += [
            "tbreak ompd_host_address_space_create",
            "run",
            "shell truncate -s 8192 " + core,
        ]
        commands += ["continue", 'printf "exit code %d\\n", $_exitcode']
        gdb = [os.environ["GDB"], "-batch", "-nx", "-iex", "set debuginfod enabled off"]
        gdb += ["-iex", "set debug-file-directory"]  # no place in the C library is asked for
        for command in commands:
            gdb += ["-ex", command]
        # Leaks are looked for by a process that traces this one, as GDB does.
        variables = environment("icd")
        variables["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        done = subprocess.run(
            [*gdb, "--args", "sh", "-c", 'exec "$@"', "sh", *program, *words],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        found = re.search(r"^exit code (\d+)$", done.stdout, re.MULTILINE)
        self.assertTrue(found, done.stdout)
        assert found is not None
        return int(found.group(1)), " ".join(done.stdout.split())

    def test_cut(self) -> None:
        """The command says so, and triage goes on with the next."""
        folder = work_folder("command-cut")
        whole, core = (os.path.join(folder, name) for name in ("whole", "core"))
        variables = one_arena(environment("pocl", recorder=False))
        with started(FEW, folder, variables) as process:
            process.await_stop("main")
            os.rename(debuggers_core(process), whole)
        # What reads the core is the child of the program, not of the script that starts that.
        program = os.path.join(os.path.dirname(BUILT_COMMAND), ".libs/ompd-opencl")
        direct = ["env", "LD_LIBRARY_PATH=" + os.path.dirname(program), program]
        cases = [["--core", core, "memobjs", "--no-sandbox"]]
        cases.append(["triage", "--no-sandbox", core, whole])
        if COMMAND == BUILT_COMMAND and os.path.exists(program):
            cases.append(["--core", core, "memobjs"])
        for words in cases:
            shutil.copy(whole, core)
            code, output = self._run(core, words, [COMMAND] if "--no-sandbox" in words else direct)
            self.assertEqual(code, UNREADABLE, output)
            self.assertIn("core was truncated while it was read", output)
            self.assertEqual(output.count("14 memory objects"), words[0] == "triage", output)
            self.assertNotIn("at least 0", output)


if __name__ == "__main__":
    main()
