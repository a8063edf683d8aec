# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the command ompd-opencl as scripts do: words in; exit code, lines and rows out."""

from __future__ import annotations

import atexit
import fcntl
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, NamedTuple, Sequence

from harness import BUILD, TIME_LIMIT, Row, one_arena, program, run_gdb

BUILT_COMMAND = os.path.join(BUILD, "ompd-opencl")

# Another one may be named, that shows more of its faults.
COMMAND = os.environ.get("COMMAND", BUILT_COMMAND)

# The built one is a script of libtool, which sets LD_LIBRARY_PATH and runs the program.  It takes
# four times as long as the answers to most questions.
_LIBRARIES = os.path.join(BUILD, ".libs")
_PROGRAM = os.path.join(_LIBRARIES, "ompd-opencl")

SMALL_PIPE = 4096  # bytes
_SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ of Linux; fcntl has it since Python 3.10

# Exit codes, as the manual has them.
OK = 0
FINDINGS = 1
USAGE = 2
UNREADABLE = 3
INCOMPLETE = 4
ALIVE = 5

# The last lines of `run` without findings.
NOT_CHECKED = (
    "Not checked: freed host memory (use check while it runs), what kernels access (use Oclgrind), "
    "races between commands, whether commands of released events failed "
    "(set OMPD_OPENCL_CHECK=thorough).\n"
)
NOTHING_FOUND = "No findings, no refused calls, and no OpenCL objects left alive.\n" + NOT_CHECKED
NOTHING_ELSE_FOUND = NOTHING_FOUND.replace(" no OpenCL ", " no other OpenCL ")

# The verbs that list objects, whose rows are named by these keys.
KEYS = {
    "contexts": ("handle",),
    "queues": ("handle",),
    "memobjs": ("handle",),
    "svm": ("pointer",),
    "svm-frees": ("order",),
    "threads": ("lwp", "pthread"),
}

# A sentence that says that a list is not all there is.
_MISSING = re.compile(
    r"^(\d[\d,]*|[Ss]ome) more rows? could not be read|and may contain objects\.$|"
    r"^Not all of the target's modules could be read; |"
    r"^The layout of .* does not cover ",
    re.MULTILINE,
)


# The beginning of the message about a crash of the process that reads cores.
LOST_READER = "process that read the core was ended by"


def as_error(sentence: str) -> str:
    """SENTENCE, or a part of it, in the style of shell errors: in lower case, and without the
    period of a single sentence."""
    if re.match(r"[A-Z][a-z]*([ ,:.]|$)", sentence):
        sentence = sentence[0].lower() + sentence[1:]
    return sentence if ". " in sentence else re.sub(r"\.$", "", sentence)


def is_error(text: str) -> bool:
    """Whether TEXT is one error of the command, in the style of shells."""
    found = re.match(r"\Aompd-opencl: ([^\n]+)\n\Z", text)
    return found is not None and as_error(found.group(1)) == found.group(1)


class Answer(NamedTuple):
    """The result of the command."""

    code: int
    output: str
    errors: str

    def objects(self) -> List[Row]:
        """The objects of JSON Lines, whatever the exit code: each line is one, with its schema."""
        rows = []
        for line in self.output.splitlines():
            row = json.loads(line)
            if not isinstance(row, dict) or row.get("schema") != 1:
                raise AssertionError("no row of schema 1: %.200s" % line)
            rows.append(row)
        return rows

    def is_refusal(self) -> bool:
        """Whether it is a sentence and no rows."""
        return self.output == "" and is_error(self.errors)

    def says_missing(self) -> bool:
        """Whether a table says that rows are missing."""
        return bool(_MISSING.search(self.output))


@functools.lru_cache(maxsize=None)
def _open_folder() -> str:
    """A folder with the program and its libraries that every user may enter, as the build folder
    need not be."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    for path in [_PROGRAM, *glob.glob(os.path.join(_LIBRARIES, "*.so.?"))]:
        shutil.copy(path, folder)
    return folder


def run(words: Sequence[str], variables: Dict[str, str], **options: Any) -> Answer:
    """Run the command to its end.  A command that is killed, even by a crash, fails here, and so
    does one whose process that reads a core is killed."""
    answer = run_with_losses(words, variables, **options)
    if LOST_READER in answer.output + answer.errors:
        raise AssertionError("%s: %s%s" % (words, answer.output[-1000:], answer.errors))
    return answer


def run_with_losses(words: Sequence[str], variables: Dict[str, str], **options: Any) -> Answer:
    """Run the command to its end.  It may report that the process that reads a core was killed."""
    command = COMMAND
    if COMMAND == BUILT_COMMAND and os.path.exists(_PROGRAM):
        folder = _open_folder() if "user" in options else _LIBRARIES
        command = os.path.join(folder, "ompd-opencl")
        folders = [folder, *variables.get("LD_LIBRARY_PATH", "").split(":")]
        variables = dict(variables, LD_LIBRARY_PATH=":".join(filter(None, folders)))
    done = subprocess.run(
        [command, *words],
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
        **options,
    )
    if done.returncode not in (OK, FINDINGS, USAGE, UNREADABLE, INCOMPLETE, ALIVE):
        raise AssertionError("%s ended with %d: %s" % (words, done.returncode, done.stderr))
    return Answer(done.returncode, done.stdout, done.stderr)


def start_held_up(
    words: Sequence[str], variables: Dict[str, str], buffer_size: int = SMALL_PIPE, **options: Any
) -> "subprocess.Popen[bytes]":
    """Start the command with so small a pipe, which has its size before anything is in it, that the
    command waits for us to read its answer."""
    ours, its = os.pipe()
    fcntl.fcntl(its, _SET_PIPE_SIZE, SMALL_PIPE)
    command = subprocess.Popen([COMMAND, *words], env=variables, stdout=its, **options)
    os.close(its)
    command.stdout = os.fdopen(ours, "rb", buffer_size)
    return command


def write_core(name: str, words: Sequence[str], core: str, variables: Dict[str, str]) -> None:
    """Have GDB write the core CORE of the test program NAME at its first truth_stop."""
    commands = ["break truth_stop", "run %s > /dev/null" % " ".join(words), "gcore " + core, "kill"]
    run_gdb([program(name)], commands, one_arena(variables), plugin=False, name="core")
    if not os.path.exists(core):
        raise AssertionError("GDB wrote no core of " + name)
