# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of threads: the LWP, and GDB's number if it has one."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

import gdb

from ompd_opencl.number_runs import number_runs


class Threads:
    """Names of an inferior's threads at one stop."""

    def __init__(self, inferior: gdb.Inferior) -> None:
        self._inferior = inferior
        self._numbers: Optional[Dict[int, str]] = None

    def forget(self) -> None:
        """Forget the threads, because the target ran."""
        self._numbers = None

    def number(self, lwp: int) -> str:
        """GDB's number for the thread, "2", or "1.2" with several inferiors; "": none."""
        if self._numbers is None:
            prefix = self._prefix()
            self._numbers = {
                thread.ptid[1]: "%s%d" % (prefix, thread.num) for thread in self._inferior.threads()
            }
        return self._numbers.get(lwp, "")

    def others(self, lwps: Sequence[int]) -> List[str]:
        """GDB's numbers of all other threads, as its commands take them: "2", "5-9"."""
        named = set(lwps)
        others = (thread.num for thread in self._inferior.threads() if thread.ptid[1] not in named)
        return number_runs(others, self._prefix())

    def _prefix(self) -> str:
        """GDB's prefix of thread numbers with several inferiors."""
        return "%d." % self._inferior.num if len(gdb.inferiors()) > 1 else ""
