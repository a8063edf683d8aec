#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make demo`: a real OpenCL program on PoCL, its memory objects and destructor callbacks shown by
GDB, live and again from a core, and the two compared.

usage: demo.py GDB PLUGIN RECORDER PROGRAM FOLDER

FOLDER is where the core file and the like go.  The exit status is 0 when the core gave the very
answers that the live program gave.
"""

import json
import os
import sys
from typing import Any, List, Tuple

from gdb_runner import Demo, demo_from_arguments


def ask(demo: Demo, target: str) -> Any:
    """Show one target; all that it answered, by list."""
    answers = os.path.join(demo.folder, f"answers-{target}.json")
    demo.session("session.py", target, answers)
    with open(answers, encoding="utf-8") as file:
        return json.load(file)


def compare(live: Any, core: Any) -> Tuple[bool, str]:
    """Whether the two sets of answers are equal, and a sentence for a person."""
    empty = [name for name, rows in live.items() if not rows]
    if empty:
        return False, f"The program shows nothing in {', '.join(empty)}."
    for name, rows in live.items():
        if rows != core[name]:
            return False, f"The core answers `opencl {name}` otherwise than the live program did."
    rows = sum(len(rows) for rows in live.values())
    return True, f"Live and core agree in every field of all {rows} rows of {len(live)} lists."


def main(arguments: List[str]) -> int:
    """Show both targets and compare them."""
    if len(arguments) != 5:
        sys.exit(__doc__)
    demo = demo_from_arguments(*arguments)
    live = ask(demo, "live")
    core = ask(demo, "core")
    equal, sentence = compare(live, core)
    print(sentence)
    files = [os.path.relpath(path) for path in (demo.plugin, demo.program, demo.core)]
    print(f"\nTo look around in it, from {os.getcwd()}:\n  gdb -x {' '.join(files)}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
