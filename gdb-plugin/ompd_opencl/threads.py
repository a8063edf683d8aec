# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads: the LWP in every row, and GDB's own number when it has one."""

from __future__ import annotations

from typing import Dict, Optional

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
            prefix = "%d." % self._inferior.num if len(gdb.inferiors()) > 1 else ""
            self._numbers = {
                thread.ptid[1]: "%s%d" % (prefix, thread.num) for thread in self._inferior.threads()
            }
        return self._numbers.get(lwp, "")

    def describe(self, lwp: int) -> str:
        """ "LWP 4711 (thread 1)", or without the number for a thread that is gone."""
        number = self.number(lwp)
        return "LWP %d (thread %s)" % (lwp, number) if number else "LWP %d" % lwp

    def describe_inline(self, lwp: int) -> str:
        """ "LWP 4711, thread 1", for use within brackets."""
        number = self.number(lwp)
        return "LWP %d, thread %s" % (lwp, number) if number else "LWP %d" % lwp
