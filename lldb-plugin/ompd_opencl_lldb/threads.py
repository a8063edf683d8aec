# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of threads: the LWP, and LLDB's number."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

import lldb

from ompd_opencl.number_runs import number_runs


class Threads:
    """Names of a process's threads at one stop: see protocols.Threads."""

    def __init__(self, process: lldb.SBProcess) -> None:
        self._process = process
        self._numbers: Optional[Dict[int, int]] = None

    def forget(self) -> None:
        """Forget the threads, because the target ran."""
        self._numbers = None

    def _all(self) -> Dict[int, int]:
        if self._numbers is None:
            self._numbers = {
                thread.GetThreadID(): thread.GetIndexID() for thread in self._process.threads
            }
        return self._numbers

    def number(self, lwp: int) -> str:
        """LLDB's number for the thread, "2"; "": none."""
        return str(self._all().get(lwp, ""))

    def others(self, lwps: Sequence[int]) -> List[str]:
        """LLDB's numbers of all other threads: "2", "5-9"."""
        named = set(lwps)
        return number_runs(number for lwp, number in self._all().items() if lwp not in named)
