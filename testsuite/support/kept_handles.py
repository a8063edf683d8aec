# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program kept-handles, and where it stores the handles of its buffers."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import subprocess
from typing import Dict, Iterator, List, NamedTuple

from harness import lines_until, program
from kernel_core import allow_core

KEPT = program("programs/kept-handles")

# The sentence about the buffer that the program calls so, and the place in its only row.
SENTENCES = {
    "global": (r"held by the variable `kept_global` of kept-handles$", "module"),
    "member": (r"held by the variable `kept_member(\+8)?` of kept-handles$", "module"),
    "heap": (r"held by a heap block of \d+ B at 0x[0-9a-f]+$", "heap"),
    "tagged": (r"presumably held by the variable `kept_tagged` of kept-handles$", "module"),
    "boxed": (r"presumably held by the variable `kept_boxed` of kept-handles$", "module"),
    "thread": (r"held by a thread-local variable of LWP \d+.* at 0x[0-9a-f]+$", "thread-data"),
    "user-data": (r"held by the user data of a pending callback$", "user-data"),
    "frame": (r"held by frame \d+ of LWP \d+.*\bstand_still\b", "stack"),
}
# Without the recorder it is in a block of the runtime's.
BLOCK_OF_RUNTIME = (r"presumably held by a heap block of \d+ B at 0x[0-9a-f]+$", "heap")
LOST = ("lost", "freed")


class Kept(NamedTuple):
    """A program at its stop."""

    pid: int
    handles: Dict[str, List[str]]  # by their sentences


def _read(lines: List[str]) -> Dict[str, List[str]]:
    handles: Dict[str, List[str]] = {}
    for line in lines:
        place, turned = line.rsplit(maxsplit=1)
        handles.setdefault(place, []).append(hex(int(turned, 16) ^ ((1 << 64) - 1)))
    return handles


@contextlib.contextmanager
def standing(variables: Dict[str, str], *words: str) -> Iterator[Kept]:
    """The program of WORDS, by default kept-handles, stopped."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words or [KEPT], env=variables, stdin=pipe, stdout=pipe, text=True
    ) as popen:
        try:
            lines = lines_until(popen, "ready")
            yield Kept(popen.pid, _read(lines))
        finally:
            popen.kill()


def dead(variables: Dict[str, str], folder: str, *words: str, how: str = "abort") -> Kept:
    """The same program, or kept-handles, ended by a signal or as HOW says, with its core in
    FOLDER."""
    with subprocess.Popen(
        [*(words or [KEPT]), how],
        env=variables,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=allow_core,
    ) as popen:
        output = popen.communicate()[0]
    assert popen.returncode == -signal.SIGABRT
    return Kept(popen.pid, _read(output.splitlines()[:-1]))


def core_in(folder: str) -> str:
    """The core that the kernel has written there."""
    (core,) = glob.glob(os.path.join(folder, "*core*"))
    return core
