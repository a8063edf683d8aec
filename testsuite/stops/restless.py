# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program `restless` at work, and the comparisons at each of its stops."""

from __future__ import annotations

import os
import random
import subprocess
from typing import Any, Dict, List, Tuple

from relations import contradictions
from stop import Stop

# Entries of each history: all are compared at each stop.
HISTORY = "8"

# Seconds that it runs on for, at most, between two stops.
LONGEST_RUN = 0.02

# Seconds that its end takes, at most: a hang is a failure.  GDB runs this file and has no harness.
LONGEST_END = 600

# The handles and sizes of its buffers that stay.
Lasting = List[Tuple[int, int]]


def read_lasting(line: str) -> Lasting:
    """What it writes when all of its threads are at work."""
    words = (word.split(":") for word in line.split())
    lasting = [(int(handle, 16), int(size)) for handle, size in words]
    assert lasting, "the program has not begun"
    return lasting


def new_seed() -> int:
    """One for random stops, which it prints."""
    seed = random.randrange(1 << 30)
    print("seed %d" % seed, flush=True)
    return seed


class Restless:
    """The program PATH with the seed SEED, as long as its context lasts; it ends well.  With STEPS,
    the library that counts them, it goes on only from one hold to the next."""

    def __init__(self, path: str, seed: int, variables: Dict[str, str], steps: str = "") -> None:
        words, variables = [path, str(seed)], dict(variables, OMPD_OPENCL_HISTORY=HISTORY)
        if steps:
            words.append("steps")
            variables["LD_PRELOAD"] = steps
        self._process = subprocess.Popen(
            words,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )
        self.pid = self._process.pid
        self.lasting: Lasting = []

    def __enter__(self) -> "Restless":
        assert self._process.stdout is not None
        try:
            self.lasting = read_lasting(self._process.stdout.readline())
        except BaseException:
            self._process.kill()
            self._process.communicate()
            raise
        return self

    def hold(self, count: int) -> None:
        """Have it make COUNT steps; it is held then, and nothing in it runs."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("%d\n" % count)
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line == "held\n", "the program is not held: %r" % line

    def __exit__(self, *exception: object) -> None:
        assert self._process.stdin and self._process.stdout
        has_ended = self._process.poll() is not None
        if exception[0] is not None:
            self._process.kill()
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            status = self._process.wait(LONGEST_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        if exception[0] is None:
            assert not has_ended and status == 0, "the program has ended with %d" % status


def compare(
    session: Any,
    pid: int,
    recorder: bool,
    lasting: Lasting,
    folder: str,
    without: Tuple[str, ...] = (),
) -> bool:
    """Compare the lists of this stop of a process, except for those in WITHOUT; returns whether
    there was enough to compare.  Without the recorder presumed values may contradict each other,
    but lists of permanent objects may not: PoCL 6 keeps a reference to each context that no object
    holds, so that everything is presumed there.  An AssertionError names the contradiction.  The
    first stop of a process with one is saved in FOLDER as a snapshot, because later stops have it,
    too."""
    stop = Stop(session, pid, recorder, without)
    if not recorder and stop.lacks_some():
        return False
    found = contradictions(stop) if recorder or not stop.is_marked() else []
    sizes = {row["handle"]: row["size"] for row in stop["memobjs"]}
    found += [
        "the buffer %#x of %d bytes is not listed" % (handle, size)
        for handle, size in lasting
        if sizes.get(handle) != size
    ]
    if found:
        look = os.path.join(folder, "look.%d" % pid)
        if not os.path.exists(look):
            session.run("save", look)
        raise AssertionError("\n".join([*found, "Snapshot saved to %s." % look]))
    return True
