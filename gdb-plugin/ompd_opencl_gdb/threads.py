# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads: the LWP in every row, and GDB's own number when it has one."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

import gdb


class Threads:
    """Names of an inferior's threads at one stop."""

    def __init__(self, inferior: gdb.Inferior) -> None:
        self._inferior = inferior
        self._numbers: Optional[Dict[int, str]] = None

    def forget(self) -> None:
        """The target ran: threads may have come and gone."""
        self._numbers = None

    def number(self, lwp: int) -> str:
        """GDB's number of the thread, "2" or with several inferiors "1.2"; "" when it has none."""
        if self._numbers is None:
            prefix = self._prefix()
            self._numbers = {
                thread.ptid[1]: "%s%d" % (prefix, thread.num) for thread in self._inferior.threads()
            }
        return self._numbers.get(lwp, "")

    def others(self, lwps: Sequence[int]) -> List[str]:
        """GDB's numbers of all threads but those named, as its commands take them: "2", "5-9"."""
        named = set(lwps)
        others = sorted(
            thread.num for thread in self._inferior.threads() if thread.ptid[1] not in named
        )
        runs: List[List[int]] = []
        for number in others:
            if runs and runs[-1][-1] + 1 == number:
                runs[-1].append(number)
            else:
                runs.append([number])
        prefix = self._prefix()
        return ["%s%d%s" % (prefix, run[0], "-%d" % run[-1] if run[1:] else "") for run in runs]

    def _prefix(self) -> str:
        """What GDB writes before a thread's number when there are several inferiors."""
        return "%d." % self._inferior.num if len(gdb.inferiors()) > 1 else ""
