# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Embree libraries of this machine, and the program `embree` at its stops.

A library is the installed Embree 3 or 4, or Embree 4.4 of PyPI's package `embreex`, which is
fetched: it has another name, no build-id, and brings its own TBB.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from typing import Dict, Iterator, List, Sequence

from harness import BUILD, HERE, LIBRARY, SOURCE, WORK, Skip, program, run_gdb
from unprepared import Process

PROGRAM = "programs/embree"

# The layouts of the tree, and none that is learned.
LAYOUTS = os.path.join(SOURCE, "layouts")

_WHEEL = "embreex==4.4.0.post1"
# The libraries of a wheel are the same for each Python.
_WHEEL_OPTIONS = (
    "--no-deps --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 "
    "--platform manylinux_2_28_x86_64"
).split()
_FOLDER = os.path.join(BUILD, "packages", "embreex")


def _installed(major: int) -> str:
    """The path of the installed Embree of a major version."""
    found = sorted(glob.glob("/usr/lib/*/libembree%d.so.%d" % (major, major)))
    if not found:
        raise Skip("Embree %d is not installed" % major)
    return os.path.realpath(found[0])


def _wheel_library() -> str:
    """The path of the library of a wheel that is unpacked; "" if it is not there."""
    found = glob.glob(os.path.join(_FOLDER, "embreex.libs", "libembree4*"))
    return found[0] if found else ""


def _fetched() -> str:
    """The path of PyPI's library, which is fetched when it is not there."""
    os.makedirs(os.path.dirname(_FOLDER), exist_ok=True)
    with open(_FOLDER + ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _wheel_library():
            partial = _FOLDER + ".part"
            shutil.rmtree(partial, ignore_errors=True)
            words = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", partial]
            with open(_FOLDER + ".log", "w", encoding="utf-8") as log:
                subprocess.run(
                    [*words, *_WHEEL_OPTIONS, _WHEEL], stdout=log, stderr=log, check=False
                )
            for wheel in glob.glob(partial + "/*.whl"):
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(partial)
                os.replace(partial, _FOLDER)
    if not _wheel_library():
        raise Skip("Embree's package of PyPI cannot be fetched")
    return _wheel_library()


def library(name: str) -> str:
    """The path of a library: "embree3", "embree4" or "embreex"."""
    return _fetched() if name == "embreex" else _installed(int(name[-1]))


def libraries() -> Dict[str, str]:
    """The libraries of this machine by their names, at least one."""
    found = {}
    for name in ("embree3", "embree4", "embreex"):
        with contextlib.suppress(Skip):
            found[name] = library(name)
    if not found:
        raise Skip("no Embree is installed or can be fetched")
    return found


def tool_variables() -> Dict[str, str]:
    """The environment of the command and GDB."""
    result = embree_environment()
    result["PYTHONPATH"] = "%s:%s" % (HERE, sys.path[0])
    result["OMPD_OPENCL_LIBRARY"] = LIBRARY
    result["OMPD_OPENCL_LAYOUT_PATH"] = LAYOUTS
    result["XDG_DATA_HOME"] = os.path.join(WORK, "data")  # whoever runs the tests may have layouts
    result.pop("COLUMNS", None)
    return result


def embree_words(folder: str, scenario: str, *words: str) -> List[str]:
    """The command line of the program `embree`; the last words are libraries."""
    return [program(PROGRAM), folder, scenario, *words]


def embree_environment() -> Dict[str, str]:
    """Its environment, without anything of OpenCL's."""
    result = {name: text for name, text in os.environ.items() if "OPENCL" not in name}
    result["MALLOC_ARENA_MAX"] = "1"  # other arenas would be zeros in a core of GDB
    result["LC_ALL"] = "C.UTF-8"
    return result


@contextlib.contextmanager
def embree_started(
    folder: str, scenario: str, *words: str, executable: str = "", preload: str = ""
) -> Iterator[Process]:
    """The program `embree`, or another EXECUTABLE of it, which is killed in the end.  PRELOAD is a
    library that is loaded first."""
    with subprocess.Popen(
        embree_words(folder, scenario, *words),
        executable=executable or None,
        cwd=folder,
        env=dict(embree_environment(), LD_PRELOAD=preload),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ) as popen:
        try:
            yield Process(popen, folder)
        finally:
            popen.kill()


def embree_core(folder: str, scenario: str, *words: str) -> str:
    """The core that the kernel writes of the program at its first stop."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    subprocess.run(
        embree_words(folder, scenario, "-abort", *words),
        cwd=folder,
        env=embree_environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
        stdout=subprocess.DEVNULL,
        check=False,
    )
    [core] = glob.glob(folder + "/*core*")
    return core


def run_to_end(folder: str, scenario: str, words: Sequence[str]) -> List[str]:
    """Run the program to its end; returns its stops."""
    done = subprocess.run(
        embree_words(folder, scenario, *words),
        cwd=folder,
        env=embree_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        check=True,
    )
    return done.stdout.split()


def gdb_core(process: Process) -> str:
    """The core that GDB writes of a process."""
    core = os.path.join(process.folder, "gcore.%d" % process.pid)
    commands = ["set auto-solib-add off", "attach %d" % process.pid, "gcore " + core, "detach"]
    run_gdb([], commands, tool_variables(), plugin=False, name="gcore")
    if not os.path.exists(core):
        raise AssertionError("GDB wrote no core")
    return core
