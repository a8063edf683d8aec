# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the demo does inside GDB: it runs the program to an interesting moment, asks, and writes a
core; or it asks the same of that core.

DEMO_CORE names the core file, DEMO_ANSWERS the file for the answers in JSON, DEMO_TARGET says which
of the two to do: `live` or `core`.
"""

import json
import os
import shutil
import sys
from typing import Dict

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gdb_target import open_core, quiet, run_to_stop, write_core  # noqa: E402

LISTS = ("contexts", "queues", "memobjs", "destructors", "svm", "svm-frees")


def heading(text: str) -> None:
    """Say what comes next, in bold on a terminal."""
    bold, plain = ("\033[1m", "\033[m") if os.isatty(1) else ("", "")
    print(f"{bold}=== {text}{plain}\n", flush=True)


def ask(command: str) -> None:
    """Show a command and its answer as a GDB user sees them, in the width that there is."""
    print(f"(gdb) {command}", flush=True)
    gdb.execute(command)
    gdb.write("\n")
    sys.stdout.flush()


def say_where() -> None:
    """Describe where the program has stopped."""
    caller = gdb.selected_frame().older()
    assert caller is not None
    place = caller.find_sal()
    assert place.symtab is not None
    file = os.path.basename(place.symtab.filename)
    print(f"\nGDB has stopped it in {caller.name()} at {file}:{place.line}, a destructor callback")
    print("that OpenCL runs because the program has released the image `smooth`.\n")


def answers() -> Dict[str, object]:
    """All answers of the plugin as JSON."""
    return {name: json.loads(gdb.execute(f"opencl {name} -json", to_string=True)) for name in LISTS}


def show_live() -> None:
    """The program while it runs."""
    heading("A program finds the edges in a picture, with OpenCL on this machine's CPU")
    run_to_stop()
    say_where()
    heading("What is there")
    ask("opencl")
    heading("Its memory objects")
    ask("opencl memobjs")
    heading("One of them: the buffer that uses the program's own memory")
    ask("opencl memobj pipeline.picture")
    heading("The destructor stack of the image: one done, one running, one to come")
    ask("opencl destructors pipeline.smooth")
    heading("SVM, and the free that waits until the result has been shown")
    ask("opencl svm")
    ask("opencl svm-frees")
    write_core()


def show_core() -> None:
    """The core that was written of it."""
    name = os.path.basename(os.environ["DEMO_CORE"])
    size = os.path.getsize(os.environ["DEMO_CORE"])
    heading(f"The program is gone; its core file {name} ({size / 1048576:.0f} MiB) tells the same")
    open_core()
    ask("opencl")
    ask("opencl destructors pipeline.smooth")


def main() -> None:
    """Show the target that DEMO_TARGET names, and keep its answers."""
    quiet()
    gdb.execute(f"set width {shutil.get_terminal_size().columns}")
    if os.environ["DEMO_TARGET"] == "live":
        show_live()
    else:
        show_core()
    with open(os.environ["DEMO_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump(answers(), file, indent=1)


try:
    main()
except gdb.error as error:
    print(f"demo: {error}", flush=True)
    gdb.execute("quit 1")
