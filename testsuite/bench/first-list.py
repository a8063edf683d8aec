#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print how long the first list of a stop with 10,000 objects takes in LLDB and GDB: of a process,
with recorder and layouts, read by the host library and by the debugger itself."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict

from pocl_alone import pocl_alone, run_gdb

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
SOURCE = Path(os.environ.get("TOP_SRCDIR", ".")).resolve()
PROGRAM = BUILD / "testsuite/programs/many-buffers"
BUFFERS = 10000
TURNS = 3
LLDB = shutil.which(os.environ.get("LLDB") or "lldb-19") or shutil.which("lldb")

IN_GDB = """
import time
for reader in ("host", "gdb"):
    gdb.execute("set opencl reader " + reader)
    begin = time.monotonic()
    said = gdb.execute("opencl memobjs", to_string=True)
    print("FIRST %s %f %d" % (reader, time.monotonic() - begin, said.count("\\n")))
"""
IN_LLDB = """
import time
import lldb
def ask(command):
    result = lldb.SBCommandReturnObject()
    lldb.debugger.GetCommandInterpreter().HandleCommand(command, result)
    return result.GetOutput() or ""
def __lldb_init_module(debugger, names):
    ask("opencl set search on")
    for reader in ("host", "lldb"):
        ask("opencl set reader " + reader)
        begin = time.monotonic()
        said = ask("opencl memobjs")
        print("FIRST %s %f %d" % (reader, time.monotonic() - begin, said.count("\\n")))
"""


def times(output: str) -> Dict[str, float]:
    """What was printed within a debugger: seconds by who read."""
    found = {}
    for reader, seconds, lines in re.findall(r"FIRST (\w+) (\S+) (\d+)", output):
        if int(lines) < BUFFERS:
            sys.exit("first-list: %s lines were printed" % lines)
        found["host" if reader == "host" else "itself"] = float(seconds)
    if len(found) != 2:
        sys.exit("first-list: a debugger failed:\n%s" % output)
    return found


def in_gdb(folder: Path, environment: Dict[str, str]) -> Dict[str, float]:
    """By GDB."""
    script = folder / "first.py"
    script.write_text(IN_GDB)
    plugin = SOURCE / "gdb-plugin/ompd-opencl-gdb.py"
    arguments = ["-x", str(plugin), "-ex", "set opencl limit unlimited"]
    arguments += ["-ex", "break truth_stop", "-ex", "run", "-x", str(script), "-ex", "kill"]
    return times(run_gdb([*arguments, "--args", str(PROGRAM), str(BUFFERS), "0"], environment))


def in_lldb(folder: Path, environment: Dict[str, str]) -> Dict[str, float]:
    """By LLDB."""
    script = folder / "first_in_lldb.py"
    script.write_text(IN_LLDB)
    commands = ["command script import %s" % (SOURCE / "lldb-plugin/ompd_opencl_lldb")]
    commands += ["opencl set limit unlimited", "breakpoint set --name truth_stop"]
    commands += ["process launch", "command script import %s" % script, "kill"]
    line = [str(LLDB), "--batch", "--no-lldbinit"]
    for command in commands:
        line += ["-o", command]
    done = subprocess.run(
        [*line, "--", str(PROGRAM), str(BUFFERS), "0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return times(done.stdout)


def main() -> None:
    """Both in turns, so that what else the machine does falls on each."""
    if LLDB is None:
        print("first list of a stop: LLDB is not installed")
        return
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        folder = Path(name)
        environment = pocl_alone(folder)
        environment["OMPD_OPENCL_LIBRARY"] = str(BUILD / ".libs/libompd-opencl.so.0")
        environment["OPENCL_LAYERS"] = str(BUILD / ".libs/libompd-opencl-recorder.so")
        pairs = [
            (in_lldb(folder, environment), in_gdb(folder, environment)) for _turn in range(TURNS)
        ]
    for reader in ("host", "itself"):
        lldb, gdb = (statistics.median(pair[place][reader] for pair in pairs) for place in (0, 1))
        who = "the host library" if reader == "host" else "the debugger itself"
        print(
            f"first list of a stop with {BUFFERS} objects in LLDB, read by {who}: "
            f"{lldb / gdb:.2f} x GDB's ({lldb:.2f} s / {gdb:.2f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
