#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of aarch64 on PoCL, run by QEMU: through its gdbserver, on cores of GDB and of QEMU
itself, opened on this machine by GDB and by the command; by a layout that is learned there, and
under the recorder."""

from __future__ import annotations

import contextlib
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from typing import Any, Dict, Iterator, List

_HERE = os.path.dirname(os.path.abspath(__file__))
_BUILD = os.environ["TOP_BUILDDIR"]
# As cores name programs: without links.
FOLDER = os.path.realpath(
    os.environ.get("AARCH64_ROOT") or os.path.join(_BUILD, "packages", "aarch64")
)
ROOT = os.path.join(FOLDER, "target", "root")
TOOLS = os.path.join(FOLDER, "tools", "root", "usr")
TREE = os.path.join(FOLDER, "build")
RECORDER = os.path.join(TREE, ".libs", "libompd-opencl-recorder.so")
QEMU = os.path.join(FOLDER, "qemu", "root", "usr", "bin", "qemu-aarch64")
WRAPPED_QEMU = os.path.join(FOLDER, "qemu-aarch64")
EMULATE = [WRAPPED_QEMU, "-L", ROOT]
# Whether a file is there QEMU does not look up below ROOT, as PoCL asks of its library of kernels:
# the files below ROOT stand behind those of this machine where QEMU alone sees it.
MOUNT = """
for folder in lib share; do
    mount -t overlay none -o "lowerdir=/usr/$folder:$0/usr/$folder" "/usr/$folder" || exit
done
exec "$@"
"""
WRAPPED_GDB = os.path.join(FOLDER, "gdb")
os.environ["GDB"] = WRAPPED_GDB
# By which PoCL links kernels.
WRAPPED_LINKER = os.path.join(FOLDER, "bin", "ld")
from command import UNREADABLE, run  # noqa: E402
from comparing import assert_truth, compare_lists  # noqa: E402
from harness import WORK, ask_lists, environment, main, read_truth, run_gdb  # noqa: E402
from harness import LISTS, MORE_LISTS, Answer, Row, work_folder  # noqa: E402
from unprepared import tool_environment  # noqa: E402

# What of each table is compared without the recorder; the first names the row.
FIELDS = {
    "memobjs": ("handle", "kind", "size", "flags_value", "context"),
    "svm": ("pointer", "size", "context"),
}
# What is compared with it.
TABLES = [*LISTS, *MORE_LISTS]
TIME_LIMIT = 60  # seconds


def write_script(path: str, *lines: str) -> None:
    """A program that calls another."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(("#!/bin/sh", *lines, "")))
    os.chmod(path, 0o755)


def program(name: str) -> str:
    """A test program that was built for aarch64."""
    return os.path.join(TREE, "testsuite", "programs", name)


def install_below_root() -> None:
    """Put the build below ROOT, too, because --sysroot searches only there."""
    for path in (program("truth-program"), RECORDER):
        os.makedirs(os.path.dirname(ROOT + path), exist_ok=True)
        shutil.copy(path, ROOT + path)


def program_environment(recorder: bool) -> Dict[str, str]:
    """Of a program that QEMU runs, which finds all else below ROOT."""
    variables = environment("icd", recorder=False)
    vendors = os.path.join(WORK, "vendors", "pocl-aarch64")
    os.makedirs(vendors, exist_ok=True)
    shutil.copy(os.path.join(ROOT, "etc", "OpenCL", "vendors", "pocl.icd"), vendors)
    variables["OCL_ICD_VENDORS"] = vendors
    variables["PATH"] = os.path.dirname(WRAPPED_LINKER) + ":" + variables["PATH"]
    variables["POCL_CACHE_DIR"] = os.path.join(WORK, "pocl-aarch64-cache")
    if recorder:
        variables["OPENCL_LAYERS"] = RECORDER
    return variables


def is_listening(path: str) -> bool:
    """Whether someone listens at a socket of this path."""
    with open("/proc/net/unix", encoding="utf-8") as file:
        return any(
            line.split()[3] == "00010000" for line in file if line.rstrip().endswith(" " + path)
        )


def keep_files_in_cores() -> None:
    """Have GDB save what a process mapped of files too.  QEMU does not say which of their pages
    were written to, as GDB asks of read-only ones: the link map hangs on such a page."""
    with open("/proc/self/coredump_filter", "w", encoding="ascii") as file:
        file.write("0x3f")


@contextlib.contextmanager
def waiting(words: List[str], folder: str, variables: Dict[str, str]) -> Iterator[str]:
    """The path of a socket at which QEMU lets GDB into a program, before its first instruction."""
    path = os.path.join(folder, "gdb")
    command = [EMULATE[0], "-g", path, *EMULATE[1:], *words]
    with subprocess.Popen(
        command, env=variables, stdout=subprocess.DEVNULL, preexec_fn=keep_files_in_cores
    ) as popen:
        try:
            limit = time.monotonic() + TIME_LIMIT
            while not is_listening(path):
                if popen.poll() is not None or time.monotonic() > limit:
                    raise AssertionError("QEMU does not wait for GDB")
                os.sched_yield()
            yield path
        finally:
            popen.kill()


def core_of_qemu(words: List[str], folder: str, variables: Dict[str, str]) -> str:
    """The core that QEMU writes of a program that aborts."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    done = subprocess.run(
        [*EMULATE, *words],
        cwd=folder,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
        check=False,
    )
    if done.returncode != -signal.SIGABRT:
        raise AssertionError("the program ended with %d" % done.returncode)
    cores = glob.glob(folder + "/qemu_*.core")
    if len(cores) != 1:
        raise AssertionError("cores: %s" % cores)
    return cores[0]


def gdb_words(name: str) -> List[str]:
    """Settings for GDB before it opens the target: where the files of the target are."""
    return [
        "set sysroot " + ROOT,
        "set solib-search-path " + os.path.join(TREE, ".libs"),
        "file " + program(name),
    ]


def learn(folder: str) -> str:
    """The folder with the layout of the PoCL of aarch64, as this machine's command learns it by
    the probe that QEMU runs."""
    shutil.copy(os.path.join(_BUILD, ".libs", "ompd-opencl"), folder)
    probe = [*EMULATE, os.path.join(TREE, "ompd-opencl-probe")]
    words = " ".join("'%s'" % word for word in probe)
    write_script(os.path.join(folder, "ompd-opencl-probe"), 'exec %s "$@"' % words)
    variables = program_environment(recorder=False)
    variables["LD_LIBRARY_PATH"] = os.path.join(_BUILD, ".libs")
    layouts = os.path.join(folder, "layouts")
    os.makedirs(layouts)
    done = subprocess.run(
        [os.path.join(folder, "ompd-opencl"), "learn", "--time-limit", "600", "--output"]
        + [os.path.join(layouts, "pocl.layout"), "pocl"],
        env=variables,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError("learn: %d" % done.returncode)
    return layouts


class TestUnprepared(unittest.TestCase):
    """A program without the recorder, by the layout."""

    tools: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.tools = tool_environment(learn(work_folder("aarch64-learn")))

    def _compare(self, truth: Dict[str, Any], shown: Dict[str, List[Row]]) -> None:
        """Each object is found, with what it was made as."""
        for table, keys in FIELDS.items():
            rows = {row[keys[0]]: row for row in shown[table]}
            self.assertGreater(len(truth[table]), 1)
            for row in truth[table]:
                found = rows.get(row[keys[0]], {})
                told = {key: found.get(key) for key in keys}
                self.assertEqual(told, {key: row.get(key) for key in keys})

    def test_process_and_gdbs_core(self) -> None:
        folder = work_folder("aarch64-unprepared")
        core = os.path.join(folder, "core")
        variables = program_environment(recorder=False)
        with waiting([program("truth-program"), folder], folder, variables) as socket:
            commands = [*gdb_words("truth-program"), "target remote " + socket]
            commands += ["break truth_stop", "continue", *ask_lists(), "gcore " + core, "kill"]
            session = run_gdb([], commands, self.tools, name="aarch64-unprepared")
        truth = read_truth(folder, "main")
        self._compare(truth, {table: session.answer(table).rows() for table in FIELDS})
        self._compare(truth, lists_of(["--core", core, "--sysroot", ROOT], self.tools))
        shutil.rmtree(folder)

    def test_qemus_core(self) -> None:
        """It does not list the files that were mapped, and has none of their code."""
        folder = work_folder("aarch64-unprepared-abort")
        words = [program("truth-program"), folder, "abort-destructor"]
        core = core_of_qemu(words, folder, program_environment(recorder=False))
        truth = read_truth(folder, "destructor")
        self._compare(truth, lists_of(["--core", core, "--sysroot", ROOT], self.tools))
        commands = [*gdb_words("truth-program"), "core-file " + core, *ask_lists()]
        session = run_gdb([], commands, self.tools, name="aarch64-unprepared-abort")
        self._compare(truth, {table: session.answer(table).rows() for table in FIELDS})
        answer = run(["--core", core, "memobjs"], self.tools)
        self.assertRegex(answer.errors, "the core does not list its modules, and not all were")
        self.assertEqual(answer.code, UNREADABLE)
        shutil.rmtree(folder)


class TestRecorded(unittest.TestCase):
    """Programs under the recorder."""

    tools: Dict[str, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.tools = environment("icd", recorder=False)
        cls.tools["OMPD_OPENCL_LAYOUT_PATH"] = ""

    def test_process_and_gdbs_core(self) -> None:
        folder = work_folder("aarch64-recorded")
        core = os.path.join(folder, "core")
        variables = program_environment(recorder=True)
        with waiting([program("truth-program"), folder], folder, variables) as socket:
            commands = [*gdb_words("truth-program"), "target remote " + socket]
            commands += ["break truth_stop", "continue", *ask_lists("main"), "continue"]
            commands += [*ask_lists("destructor"), "gcore " + core, "kill"]
            session = run_gdb([], commands, self.tools, name="aarch64-recorded")
        for stop in ("main", "destructor"):
            assert_truth(read_truth(folder, stop), session, stop)
        commands = [*gdb_words("truth-program"), "core-file " + core, *ask_lists("destructor")]
        session = run_gdb([], commands, self.tools, name="aarch64-recorded")
        assert_truth(read_truth(folder, "destructor"), session, "destructor")
        shutil.rmtree(folder)

    def test_qemus_core(self) -> None:
        """By the command of this machine, and that of aarch64, which says the same."""
        folder = work_folder("aarch64-recorded-abort")
        words = [program("truth-program"), folder, "abort-destructor"]
        core = core_of_qemu(words, folder, program_environment(recorder=True))
        target = ["--core", core, "--sysroot", ROOT]
        answers = {table: run([*target, table, "--json"], self.tools).output for table in TABLES}
        rows = {table: Answer(rows_of(text), None, [], {}) for table, text in answers.items()}
        truth = read_truth(folder, "destructor")
        comparison = compare_lists(truth, lambda name: rows[name])
        self.assertGreater(comparison.compared, 100)
        # The command does not call functions that callers were found in as GDB does.
        self.assertEqual([text for text in comparison.differences if "caller " not in text], [])
        variables = dict(self.tools, LD_LIBRARY_PATH=os.path.join(TREE, ".libs"))
        for table, text in answers.items():
            other = subprocess.run(
                [*EMULATE, os.path.join(TREE, ".libs", "ompd-opencl"), *target, table, "--json"],
                env=variables,
                stdout=subprocess.PIPE,
                universal_newlines=True,
                check=False,
            )
            self.assertEqual(other.stdout, text)
        shutil.rmtree(folder)


def lists_of(target: List[str], variables: Dict[str, str]) -> Dict[str, List[Row]]:
    """What the command lists of what is compared without the recorder."""
    return {table: run([*target, table, "--json"], variables).objects() for table in FIELDS}


def rows_of(lines: str) -> str:
    """JSON Lines as an array."""
    return "[%s]" % ",".join(lines.splitlines())


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    build = [os.path.join(_HERE, "build.sh"), FOLDER]
    status = subprocess.run(build, stdin=subprocess.DEVNULL, check=False).returncode
    if status != 0:
        sys.exit(status)
    emulator = "exec unshare --map-root-user --mount sh -c '%s' '%s' '%s' " % (MOUNT, ROOT, QEMU)
    write_script(WRAPPED_QEMU, emulator + '"$@"')
    libraries = os.path.join(TOOLS, "lib", "x86_64-linux-gnu")
    call = "LD_LIBRARY_PATH='%s' exec '%s/bin/%s' %s \"$@\""
    write_script(WRAPPED_GDB, call % (libraries, TOOLS, "gdb-multiarch", ""))
    os.makedirs(os.path.dirname(WRAPPED_LINKER), exist_ok=True)
    folders = "--sysroot='%s' -L=/usr/lib/aarch64-linux-gnu -L=/lib/aarch64-linux-gnu" % ROOT
    write_script(WRAPPED_LINKER, call % (libraries, TOOLS, "aarch64-linux-gnu-ld", folders))
    install_below_root()
    main()
