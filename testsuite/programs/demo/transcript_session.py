# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inside GDB: gives the commands of a document's transcripts and keeps what GDB answers.

DEMO_ANSWERS names a file with a list of lists of commands; it is overwritten with the transcripts.
DEMO_TARGET is `live`, `core`, `waiting` (another program, with a stop of its own), `arguments` and
those of such a program, `aborts` and those of one that aborts, `leaking` (the demo's program with a
leak, before it releases its context), `growing` (the same, and a look at it before the leak) or
`none`, for no program at all.
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
    """What GDB prints, which goes to PATH meanwhile.  What it gives as a string has no width."""
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
    """What a user sees who types these commands; PATH is a file for what is said."""
    return "".join(f"(gdb) {command}\n{said(command, path)}" for command in commands)


def save_before(folder: str) -> None:
    """Save a look at the program at its first buffer, in the file that transcripts name."""
    gdb.execute(f"cd {folder}", to_string=True)
    if os.path.exists("before"):
        os.unlink("before")
    for command in ("tbreak frame_upload", "run", "opencl save before"):
        gdb.execute(command, to_string=True)
    for command in ("tbreak clReleaseContext", "continue"):
        gdb.execute(command, to_string=True)


def run_to_abort(arguments: str) -> None:
    """Run the program until it aborts."""
    gdb.execute(f"run {arguments}", to_string=True)
    if gdb.selected_thread() is None:
        raise gdb.GdbError("the program has not aborted")


def main() -> None:
    """Bring the target there and type."""
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
        run_to_abort(os.environ["DEMO_TARGET"][len("aborts ") :])
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
