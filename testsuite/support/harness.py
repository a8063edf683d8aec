# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a real GDB with the plugin on a test program, and return the plugin's answers.

ask() of in_gdb.py runs each command inside GDB and records its output, its error, and whether it
changed the debugger's state.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from vendor_files import icd_file, icd_library

HERE = os.path.dirname(os.path.abspath(__file__))

SOURCE = os.environ.get("TOP_SRCDIR", os.path.dirname(os.path.dirname(HERE)))
BUILD = os.environ.get("TOP_BUILDDIR", os.getcwd())
WORK = os.path.join(BUILD, "testsuite", "gdb", "work")
GDB = os.environ.get("GDB", "gdb")

PLUGIN = os.path.join(SOURCE, "gdb-plugin", "ompd-opencl-gdb.py")
IN_GDB = os.path.join(HERE, "in_gdb.py")
GDB_SCRIPTS = os.path.join(SOURCE, "testsuite", "gdb")  # that run inside GDB
LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl.so.0")
VIEW_LIBRARY = os.path.join(BUILD, ".libs", "libompd-opencl-view.so.0")
RECORDER = os.path.join(BUILD, ".libs", "libompd-opencl-recorder.so")

# The i386 packages, and the build of testsuite/i386/build.sh.
I386_ROOT = os.environ.get("I386_ROOT", "")
I386_BUILD = os.path.join(BUILD, "testsuite", "i386", "build.tmp")

# Whether all is tried, as check-long's part `thorough` does, or only some of it.
THOROUGH = os.environ.get("OMPD_OPENCL_THOROUGH") == "1"

TIME_LIMIT = 600  # seconds; a hang is a failure, a busy machine is not

LISTS = ("contexts", "queues", "memobjs", "svm", "svm-frees")

# The same of objects that not every test program keeps the truth of.
MORE_LISTS = ("commands", "events", "kernels", "programs", "samplers")

Row = Dict[str, Any]
Case = TypeVar("Case")


def some(cases: Iterable[Case], count: int) -> List[Case]:
    """COUNT of the cases, as far from each other as can be; all of them in check-long's part
    `thorough`."""
    every = list(cases)
    if THOROUGH or count >= len(every):
        return every
    return [every[number * len(every) // count] for number in range(count)]


def thorough(test: Any) -> Any:
    """A test case, or one of its tests, that check-long's part `thorough` alone runs."""
    return test if THOROUGH else None


class Skip(unittest.SkipTest):
    """Something that the test needs is not installed; the text is the reason."""


def program(name: str, runtime: str = "") -> str:
    """The path of a test program, "programs/churn", that can use an OpenCL runtime."""
    if runtime == "pocl-i386":
        return os.path.join(I386_BUILD, "testsuite", name)
    check_need("testsuite/" + name)
    return os.path.join(BUILD, "testsuite", name)


def check_need(path: str) -> None:
    """Refuse a file that is not a prerequisite of the test's log, because a single test would not
    build it."""
    needs = os.environ.get("TEST_NEEDS", "").split()
    test = os.path.basename(sys.argv[0])
    if any(os.path.basename(need) == test for need in needs):
        target = re.sub(r"/\.libs/(lib[\w-]+)\.so$", r"/\1.la", path).replace("/.libs/", "/")
        if target not in needs:
            raise AssertionError("the log of %s has no prerequisite %s" % (test, target))


def work_folder(name: str) -> str:
    """A new empty folder of a test's own, whatever others that run beside it call theirs."""
    script = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    path = os.path.join(WORK, script, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def vendor_library(runtime: str) -> str:
    """The library in the .icd file of an OpenCL runtime."""
    if runtime == "icd":
        return program("icd/.libs/libtest-icd.so")
    if runtime == "oclgrind":
        found = sorted(glob.glob("/usr/lib/oclgrind/liboclgrind-rt-icd.so"))
        found += sorted(glob.glob("/usr/lib/*/oclgrind/liboclgrind-rt-icd.so"))
        if not found:
            raise Skip("Oclgrind is not installed")
        return found[0]
    if runtime == "pocl-i386":
        path = icd_file("pocl", I386_ROOT) if I386_ROOT else ""
        if not path:
            raise Skip("the packages of i386 are not unpacked")
        return icd_library(path)
    path = icd_file(runtime)
    if not path:
        names = {"pocl": "PoCL", "mesa": "Mesa's clover", "nvidia": "NVIDIA's runtime"}
        raise Skip("%s is not installed" % names.get(runtime, runtime))
    return icd_library(path)


def environment(runtime: str, recorder: bool = True) -> Dict[str, str]:
    """The environment of a program that uses one OpenCL runtime, under the recorder or not."""
    folder = os.path.join(WORK, "vendors", runtime)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "only.icd")
    partial = "%s.%d" % (path, os.getpid())
    with open(partial, "w", encoding="utf-8") as file:
        file.write(vendor_library(runtime) + "\n")
    os.replace(partial, path)
    result = dict(os.environ)
    for name in [name for name in result if name.startswith("OMPD_OPENCL_")]:
        del result[name]
    result.pop("OPENCL_LAYERS", None)
    result.pop("COLUMNS", None)  # of the terminal of whoever runs the tests
    # Modules for scripts in GDB.  It finds the packages of the plugin itself.
    result["PYTHONPATH"] = "%s:%s" % (HERE, sys.path[0])
    result["OCL_ICD_VENDORS"] = folder
    result["RUSTICL_ENABLE"] = "llvmpipe"
    # The cache is a file of the user's, mapped to be written, which the kernel leaves out of cores.
    result["MESA_SHADER_CACHE_DISABLE"] = "true"
    result["POCL_CACHE_DIR"] = os.path.join(WORK, "pocl-cache")
    result["OMPD_OPENCL_LIBRARY"] = LIBRARY
    result["LC_ALL"] = "C.UTF-8"
    result["XDG_DATA_HOME"] = os.path.join(WORK, "data")  # whoever runs the tests may have layouts
    layer = RECORDER
    if runtime == "pocl-i386":
        folders = [os.path.join(I386_ROOT, name) for name in ("usr/lib", "lib")]
        result["LD_LIBRARY_PATH"] = ":".join(folder + "/i386-linux-gnu" for folder in folders)
        layer = os.path.join(I386_BUILD, ".libs", os.path.basename(RECORDER))
    if recorder:
        if not os.path.exists(layer):
            raise AssertionError("no recorder: %s" % layer)
        result["OPENCL_LAYERS"] = layer
    return result


def one_arena(variables: Dict[str, str]) -> Dict[str, str]:
    """The environment of a program for a core of GDB, if the C library's allocator does not matter.
    It reserves 64 MiB for each thread, which GDB would write as zeros."""
    return dict(variables, MALLOC_ARENA_MAX="1")


def recorder_alone(runtime: str) -> Dict[str, str]:
    """The environment of a program under the recorder without layouts: all facts come from the
    recorder.  With a layout each first command searches all memory, which takes most of the time of
    a session, and only tests of layouts need it."""
    return one_arena(dict(environment(runtime), OMPD_OPENCL_LAYOUT_PATH=""))


class Answer(NamedTuple):
    """The result of one command of the plugin."""

    output: str
    error: Optional[str]
    disturbed: List[str]
    places: Dict[str, List[Any]]  # function, file and line of each "caller", found by GDB alone

    def rows(self) -> List[Row]:
        """The JSON rows; a plugin that printed nothing fails here."""
        if self.error is not None:
            raise AssertionError("no rows but an error: %s" % self.error)
        rows = json.loads(self.output)
        if not isinstance(rows, list):
            raise AssertionError("not an array: %.200s" % self.output)
        return rows


class Session(NamedTuple):
    """A GDB that has ended."""

    status: int
    output: str
    errors: str
    answers: Dict[str, Answer]

    def answer(self, name: str) -> Answer:
        """The answer of the command NAME.  If it never ran, fail with GDB's output."""
        if name not in self.answers:
            raise AssertionError(
                "GDB never came to %r\n%s\n%s" % (name, self.output[-3000:], self.errors[-3000:])
            )
        return self.answers[name]


def ask(name: str, command: str) -> str:
    """The GDB command that asks the plugin."""
    return "python ask(%r, %r)" % (name, command)


def ask_lists(stop: str = "") -> List[str]:
    """The GDB commands that ask for every list; answers are named "memobjs" or "STOP.memobjs"."""
    prefix = stop + "." if stop else ""
    return [ask(prefix + name, "opencl %s -json" % name) for name in (*LISTS, *MORE_LISTS)]


def gdb_command(
    words: Sequence[str],
    commands: Sequence[str],
    plugin: bool = True,
    all_symbols: bool = False,
    c_lines: bool = False,
) -> List[str]:
    """The command line of a GDB in batch mode; WORDS name program and core.

    At each stop, and of a core among WORDS, in_gdb.py has GDB read the symbols of those libraries
    that most questions are about, which halves its work.  With ALL_SYMBOLS it reads those of every
    library, as it is loaded: for breakpoints in libraries and processes beside the first.  With
    C_LINES it has the debug information of the C library, too, a quarter of all that it reads.
    """
    line = [GDB, "-batch", "-nx", "-iex", "set debuginfod enabled off"]
    line += ["-iex", "set auto-load safe-path /", "-iex", "set breakpoint pending on"]
    # No test asks for a C++ name, and there are 70,000 in libLLVM and libclang.
    line += ["-iex", "set demangle-style none"]
    if not c_lines:
        line += ["-iex", "set debug-file-directory"]
    if not all_symbols:
        line += ["-iex", "set auto-solib-add off"]
    line += ["-x", IN_GDB]
    if plugin:
        line += ["-x", PLUGIN]
    for command in commands:
        line += ["-ex", command]
    return line + list(words)


def run_gdb(
    words: Sequence[str],
    commands: Sequence[str],
    variables: Dict[str, str],
    plugin: bool = True,
    name: str = "session",
    all_symbols: bool = False,
    c_lines: bool = False,
) -> Session:
    """Run GDB to its end and collect the answers.  NAME separates concurrent sessions."""
    path = os.path.join(WORK, "%s-%d.answers" % (name, os.getpid()))
    if os.path.exists(path):
        os.unlink(path)
    done = subprocess.run(
        gdb_command(words, commands, plugin, all_symbols, c_lines),
        env=dict(variables, OMPD_TEST_ANSWERS=path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    answers = read_answers(path)
    session = Session(done.returncode, done.stdout, done.stderr, answers)
    check_session(session)
    return session


def read_answers(path: str) -> Dict[str, Answer]:
    """The answers that ask() recorded."""
    answers: Dict[str, Answer] = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                told = json.loads(line)
                answers[told["name"]] = Answer(
                    told["output"], told["error"], told["disturbed"], told["places"]
                )
        os.unlink(path)
    return answers


def check_session(session: Session) -> None:
    """Check every session: no traceback, nothing disturbed, errors of one sentence."""
    for text in (session.output, session.errors):
        for word in ("Traceback", "Error occurred in Python", "internal-error"):
            if word in text:
                raise AssertionError("%s in GDB's output:\n%s" % (word, text[-3000:]))
    for name, answer in session.answers.items():
        if answer.disturbed:
            raise AssertionError("%s disturbed the debugger: %s" % (name, answer.disturbed))
        if answer.error is not None:
            if "\n" in answer.error.strip() or not answer.error.strip():
                raise AssertionError("%s: not one sentence: %r" % (name, answer.error))
        elif not answer.output.strip():
            raise AssertionError("%s printed nothing" % name)


def split_table(lines: Sequence[str]) -> Tuple[str, List[str]]:
    """The text above a table's heading, about all rows, and the lines from the heading on."""
    heading = next(i for i, line in enumerate(lines) if re.match(r" *#  ", line))
    return " ".join(line.strip() for line in lines[:heading]), list(lines[heading:])


def read_truth(folder: str, stop: str) -> Dict[str, Any]:
    """The truth that a program has written before a stop."""
    with open(os.path.join(folder, stop + ".json"), encoding="utf-8") as file:
        truth = json.load(file)
    if not isinstance(truth, dict):
        raise AssertionError("no truth in %s" % folder)
    return truth


def lines_until(process: "subprocess.Popen[str]", stop: str) -> List[str]:
    """The lines that a program prints before the line STOP. It fails if the program ends first."""
    assert process.stdout is not None
    lines = []
    for line in iter(process.stdout.readline, stop + "\n"):
        if not line:
            raise AssertionError(
                "%r ended with status %d before it printed '%s'"
                % (process.args, process.wait(TIME_LIMIT), stop)
            )
        lines.append(line)
    return lines


def main() -> None:
    """Run the tests of the calling file.  The exit status is 77 if something that they need is not
    installed."""
    os.makedirs(WORK, exist_ok=True)
    # A shell that runs the tests in the background has them, and all that they start, ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = unittest.main(exit=False, verbosity=2).result
    except Skip as skip:
        print("SKIP: %s" % skip)
        sys.exit(77)
    for _, reason in result.skipped:
        print("SKIP: %s" % reason)
    # A skipped class counts as skipped, but not as run.
    skipped = sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)
    ran = result.testsRun - skipped
    if not result.wasSuccessful() or (ran == 0 and not result.skipped):
        sys.exit(1)
    sys.exit(0 if ran > 0 else 77)
