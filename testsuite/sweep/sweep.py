#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make sweep`: every public function under every fault, on a real core of the demo's program and
on the program itself, stopped in a destructor callback.

usage: sweep.py [COMMAND...]

COMMAND runs the sweep; without one it is that of this build. The environment variable
SWEEP_FUNCTIONS names the functions to be swept; without it all are but those that take long. One
case in a few is run unless SWEEP_EVERY says otherwise; SWEEP_EVERY=1, for all, takes minutes.
"""

import os
import subprocess
import sys
import tempfile
from typing import Dict, List, Sequence

from harness import WORK, Skip, environment, program, run_gdb

STOP = "stop_here"
TIME_LIMIT = 1800  # seconds for one target
USUAL_EVERY = "20"  # of how many cases one is run


def make_core(path: str, variables: Dict[str, str]) -> None:
    """Let GDB run the demo's program to its stop and write a core of it."""
    commands = [f"break {STOP}", "run", f"generate-core-file {path}"]
    session = run_gdb([program("programs/demo/edges")], commands, variables, plugin=False)
    if session.status != 0 or not os.path.exists(path):
        sys.exit(f"GDB made no core:\n{session.output}\n{session.errors}")


def sweep(command: List[str], variables: Dict[str, str], functions: Sequence[str] = ()) -> bool:
    """Run the sweep of FUNCTIONS, or of all but slow ones, on both targets; returns whether both
    succeeded."""
    good = True
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        core = os.path.join(folder, "edges.core")
        make_core(core, variables)
        for target in (["core", core], ["live", program("programs/demo/edges"), STOP]):
            for words in [[*target, name] for name in functions] or [target]:
                done = subprocess.run(
                    command + words, env=variables, timeout=TIME_LIMIT, check=False
                )
                good = done.returncode == 0 and good
    return good


def main(arguments: List[str]) -> int:
    """0 when nothing was found, 77 when there is no PoCL."""
    command = arguments or [program("sweep/sweep")]
    try:
        variables = environment("pocl")
    except Skip as skip:
        print(f"SKIP: {skip}")
        return 77
    variables["OMPD_OPENCL_STACK_DEPTH"] = "8"
    variables["OMPD_OPENCL_LEDGER"] = "1"
    variables["OMPD_OPENCL_CALLS"] = "64"
    variables.setdefault("SWEEP_EVERY", USUAL_EVERY)
    functions = os.environ.get("SWEEP_FUNCTIONS", "").split()
    return 0 if sweep(command, variables, functions) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
