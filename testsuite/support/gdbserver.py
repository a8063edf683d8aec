# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A gdbserver that GDB connects to over TCP.

Through a pipe ("target remote | gdbserver - PROGRAM") GDB makes a system call for each byte, which
takes several times as long.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
from typing import Dict, Iterator, Sequence


@contextlib.contextmanager
def gdbserver(
    words: Sequence[str], variables: Dict[str, str], options: Sequence[str] = ()
) -> Iterator[str]:
    """Start gdbserver on WORDS, a program with its arguments or as OPTIONS say, and return the GDB
    command that connects to it.  It works once."""
    with subprocess.Popen(
        ["gdbserver", "--once", *options, "127.0.0.1:0", *words],
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    ) as process:
        try:
            yield "target remote 127.0.0.1:" + _port(process)
        finally:
            process.kill()


def _port(process: subprocess.Popen[str]) -> str:
    """The port that gdbserver chose."""
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        found = re.match(r"Listening on port (\d+)$", line)
        if found:
            return found.group(1)
    raise AssertionError("gdbserver listens on no port: " + said)
