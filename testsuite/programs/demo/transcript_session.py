# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inside GDB: runs the commands of a document's transcripts and writes GDB's answers.

DEMO_ANSWERS names a file with a list of lists of commands, which is replaced by the transcripts.
DEMO_TARGET says on which program they run:

    live             the demo's program, stopped; a core of it is written
    core             that core
    waiting          a program that stops at truth_stop
    arguments WORDS  the same, run with these arguments
    aborts WORDS     a program that aborts, run with these arguments
    dies WORDS       a program that a signal ends; a core of it is written
    leaking          the demo's program with a leak, before it releases its context
    growing          the same, with a snapshot before the leak
    none             no program
"""

import json
import os
import sys
from typing import List

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gdb_target import open_core, quiet, run_to_stop, write_core  # noqa: E402


WIDTH = 80  # columns of the documents


def said(command: str, path: str) -> str:
    """Return what GDB prints, through the file PATH: to_string=True would ignore the width."""
    for setting in (f"file {path}", "overwrite on", "redirect on", "enabled on"):
        gdb.execute(f"set logging {setting}")
    try:
        gdb.execute(command)
    except gdb.error as error:
        gdb.write(f"{error}\n")
    finally:
        gdb.execute("set logging enabled off")
    with open(path, encoding="utf-8") as file:
        return file.read()


def transcript(commands: List[str], path: str) -> str:
    """Return what a user sees who types these commands."""
    return "".join(f"(gdb) {command}\n{said(command, path)}" for command in commands)


def save_before(folder: str) -> None:
    """Save a snapshot of the program at its first buffer, in the file that transcripts name."""
    gdb.execute(f"cd {folder}", to_string=True)
    if os.path.exists("before"):
        os.unlink("before")
    for command in ("tbreak frame_upload", "run", "opencl save before"):
        gdb.execute(command, to_string=True)
    for command in ("tbreak clReleaseContext", "continue"):
        gdb.execute(command, to_string=True)


def run_to_signal(arguments: str) -> None:
    """Run the program until a signal stops it."""
    gdb.execute(f"run {arguments}", to_string=True)
    if gdb.selected_thread() is None:
        raise gdb.GdbError("no signal stopped the program")


def main() -> None:
    """Start the target and run the commands."""
    quiet()
    path = os.environ["DEMO_ANSWERS"]
    if os.environ["DEMO_TARGET"] == "live":
        run_to_stop()
        write_core()
    elif os.environ["DEMO_TARGET"] == "core":
        open_core()
    elif os.environ["DEMO_TARGET"] == "waiting":
        run_to_stop("truth_stop", f"{os.path.dirname(path)} shallow")
    elif os.environ["DEMO_TARGET"].startswith("arguments "):
        run_to_stop("truth_stop", os.environ["DEMO_TARGET"][len("arguments ") :])
    elif os.environ["DEMO_TARGET"].startswith("aborts "):
        run_to_signal(os.environ["DEMO_TARGET"][len("aborts ") :])
    elif os.environ["DEMO_TARGET"].startswith("dies "):
        run_to_signal(os.environ["DEMO_TARGET"][len("dies ") :])
        write_core()
    elif os.environ["DEMO_TARGET"] == "leaking":
        run_to_stop("clReleaseContext")
    elif os.environ["DEMO_TARGET"] == "growing":
        save_before(os.path.dirname(path))
    with open(path, encoding="utf-8") as file:
        blocks = json.load(file)
    gdb.execute(f"set width {WIDTH}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([transcript(commands, path + ".said") for commands in blocks], file)


try:
    main()
except gdb.error as error:
    print(f"transcripts: {error}", flush=True)
    gdb.execute("quit 1")
