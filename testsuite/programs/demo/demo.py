#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make demo`: a real OpenCL program on PoCL, its memory objects and destructor callbacks shown by
GDB, live and again from a core, and the two compared.

usage: demo.py GDB PLUGIN RECORDER PROGRAM FOLDER

FOLDER is where the core file and the like go.  The exit status is 0 when the core gave the very
answers that the live program gave.
"""

import glob
import json
import os
import subprocess
import sys
from typing import Any, Dict, List, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
POCL_PATTERNS = ("/etc/OpenCL/vendors/pocl.icd", "/usr/share/OpenCL/vendors/pocl.icd")
TIME_LIMIT = 60  # seconds for each of the two GDB sessions


def environment(recorder: str, folder: str) -> Dict[str, str]:
    """The environment of the program: PoCL is its only OpenCL, and the recorder watches."""
    names = [name for pattern in POCL_PATTERNS for name in glob.glob(pattern)]
    if not names:
        sys.exit(
            "demo: PoCL is not installed (no pocl.icd); on Debian: apt-get install pocl-opencl-icd"
        )
    vendors = os.path.join(folder, "vendors")
    os.makedirs(vendors, exist_ok=True)
    with open(names[0], encoding="utf-8") as source:
        library = source.read()
    with open(os.path.join(vendors, "pocl.icd"), "w", encoding="utf-8") as copy:
        copy.write(library)
    changed = dict(os.environ)
    changed.update(
        OPENCL_LAYERS=recorder,
        OCL_ICD_VENDORS=vendors,
        POCL_CACHE_DIR=os.path.join(folder, "pocl-cache"),
    )
    return changed


def session(target: str, gdb: str, plugin: str, program: str, env: Dict[str, str]) -> Any:
    """Run one GDB session, on the live program or on its core; the answers it kept."""
    answers = os.path.join(os.path.dirname(env["DEMO_CORE"]), f"answers-{target}.json")
    command = [gdb, "-batch", "-nx", "-q"]
    for setting in (
        "debuginfod enabled off",
        "disable-randomization off",
        "print thread-events off",
    ):
        command += ["-iex", f"set {setting}"]
    command += ["-x", plugin, program, "-x", os.path.join(HERE, "session.py")]
    result = subprocess.run(
        command,
        env=dict(env, DEMO_TARGET=target, DEMO_ANSWERS=answers),
        stdin=subprocess.DEVNULL,
        timeout=TIME_LIMIT,
        check=False,
    )
    if result.returncode != 0:
        sys.exit(f"demo: GDB ended with status {result.returncode}")
    with open(answers, encoding="utf-8") as file:
        return json.load(file)


def compare(live: Any, core: Any) -> Tuple[bool, str]:
    """Whether the two sets of answers are equal, and a sentence for a person."""
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in live.items())
    empty = [name for name, rows in live.items() if not rows]
    if empty:
        return False, f"There is nothing in {', '.join(empty)}."
    for name, rows in live.items():
        if rows != core[name]:
            return False, f"The core answers `opencl {name}` otherwise than the live program did."
    return True, f"Live and core agree in every field of every row: {counts}."


def main(arguments: List[str]) -> int:
    """Run both sessions and compare them."""
    if len(arguments) != 5:
        sys.exit(__doc__)
    gdb = arguments[0]
    plugin, recorder, program, folder = [os.path.abspath(path) for path in arguments[1:]]
    os.makedirs(folder, exist_ok=True)
    core = os.path.join(folder, "edges.core")
    env = dict(environment(recorder, folder), DEMO_CORE=core)
    live_answers = session("live", gdb, plugin, program, env)
    core_answers = session("core", gdb, plugin, program, env)
    equal, sentence = compare(live_answers, core_answers)
    print(sentence)
    print(
        f"\nTry it: gdb -x {os.path.relpath(plugin)} {os.path.relpath(program)} "
        f"{os.path.relpath(core)}"
    )
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
