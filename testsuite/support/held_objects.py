# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the program held, which releases objects that the runtime keeps alive, and ask which exist at
its stops."""

from __future__ import annotations

import contextlib
import subprocess
from typing import Dict, Iterator, Sequence, Set

from command import OK, run
from harness import TIME_LIMIT, program

GONE = 6  # at its stop "pending": buffers and an SVM allocation that may be destroyed
CERTAIN = "certain"
PRESUMED = "presumed"


class Held:
    """The program held, at a stop."""

    def __init__(self, variables: Dict[str, str], loader: Sequence[str]) -> None:
        self._popen = subprocess.Popen(
            [*loader, program("programs/held"), "stop"],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )
        self.pid = str(self._popen.pid)

    def wait_for(self, stop: str) -> Set[str]:
        """The handles of the objects that exist then."""
        assert self._popen.stdout is not None
        words = self._popen.stdout.readline().split()
        if words[:1] != [stop]:
            raise AssertionError("the program came to %r, not to %s" % (words, stop))
        return set(words[1:])

    def go_on(self) -> None:
        """Let it run to its next stop."""
        assert self._popen.stdin is not None
        self._popen.stdin.write("\n")
        self._popen.stdin.flush()

    def kill(self) -> None:
        """End it."""
        self._popen.kill()
        self._popen.communicate(timeout=TIME_LIMIT)


@contextlib.contextmanager
def held(variables: Dict[str, str], loader: Sequence[str] = ()) -> Iterator[Held]:
    """The program with VARIABLES, run by LOADER, the words of a dynamic loader, where one is
    given."""
    process = Held(variables, loader)
    try:
        yield process
    finally:
        process.kill()


def confidences(process: Held, variables: Dict[str, str]) -> Dict[str, str]:
    """The confidence of each recorded buffer, queue and SVM allocation, by its handle or pointer,
    from the command with VARIABLES."""
    result = {}
    for verb in ("memobjs", "queues", "svm"):
        answer = run(["--pid", process.pid, verb, "--json"], variables)
        assert answer.code == OK, answer.errors
        for row in answer.objects():
            assert row["source"] == "recorder", row
            result[str(row.get("handle", row.get("pointer")))] = str(row["confidence"])
    return result


def same(shown: Dict[str, str], there: Set[str], confidence: str) -> None:
    """Fail if SHOWN is not THERE, each with that CONFIDENCE."""
    expected = dict.fromkeys(there, confidence)
    if shown != expected:
        raise AssertionError("shown: %s\nthere: %s" % (shown, expected))


def same_pending(shown: Dict[str, str], there: Set[str]) -> None:
    """The same at the stop "pending", where some of SHOWN are destroyed and only the queues are
    certain."""
    queues = {handle for handle, confidence in shown.items() if confidence == CERTAIN}
    if not (there <= set(shown) and len(shown) == len(there) + GONE):
        raise AssertionError("shown: %s\nthere: %s" % (shown, there))
    if not (queues <= there and len(queues) == 3):
        raise AssertionError("certain: %s\nthere: %s" % (queues, there))
