# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run programs that write a line and then wait for one."""

from __future__ import annotations

import contextlib
import subprocess
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence


class Stopped(NamedTuple):
    """Such a program."""

    process: "subprocess.Popen[str]"
    line: str  # that it has written

    @property
    def target(self) -> List[str]:
        """It, in the words of the command."""
        return ["--pid", str(self.process.pid)]


@contextlib.contextmanager
def stopped(words: Sequence[str], variables: Dict[str, str], **options: Any) -> Iterator[Stopped]:
    """The program that WORDS start, which is killed in the end unless it has ended."""
    with subprocess.Popen(
        words,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        **options,
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line:
                raise AssertionError("the program did not come to its stop")
            yield Stopped(process, line)
        finally:
            process.kill()
