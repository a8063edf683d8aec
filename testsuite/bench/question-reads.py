#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print what each question reads of a process of eleven buffers, for a tool that maps no memory and
reads at most 4 KiB at once, and the ratio to the same question with a search of memory."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Tuple

from pocl_alone import pocl_alone

BUILD = Path(os.environ.get("TOP_BUILDDIR", ".")).resolve()
PROGRAM = BUILD / "testsuite/programs/many-buffers"
READER = BUILD / "testsuite/layouts/question-reads"
RECORDER = BUILD / ".libs/libompd-opencl-recorder.so"
COUNT = "11"

Costs = Dict[str, Tuple[int, int]]  # reads and bytes, by question


def ask(pid: int, handle: str, words: List[str]) -> Costs:
    """The cost of each question."""
    done = subprocess.run(
        [str(READER), str(pid), handle, *words], stdout=subprocess.PIPE, check=True, text=True
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return {line[0]: (int(line[3]), int(line[4])) for line in lines}


def compare(folder: Path, environment: Dict[str, str], title: str) -> None:
    """Print a line for each question about the program in ENVIRONMENT."""
    handles = folder / "handles"
    with subprocess.Popen(
        [str(PROGRAM), COUNT, "1", str(handles)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "main\n":
            sys.exit("question-reads: the program made no buffers")
        handle = hex(int(handles.read_text(encoding="ascii").split()[0], 16))
        costs = ask(process.pid, handle, [])
        searching = ask(process.pid, handle, ["all"])
        process.kill()
    for name, (reads, size) in costs.items():
        print(
            "%s, %s: %d reads, %.1f kB, %.4f x a search of %d reads"
            % (name, title, reads, size / 1e3, reads / searching[name][0], searching[name][0]),
            flush=True,
        )


def main() -> None:
    """Ask all questions, with and without the recorder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = pocl_alone(folder)
        compare(folder, dict(environment, OPENCL_LAYERS=str(RECORDER)), "recorder")
        compare(folder, environment, "unprepared")


if __name__ == "__main__":
    main()
