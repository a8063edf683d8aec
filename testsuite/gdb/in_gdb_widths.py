# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: print commands on terminals of many widths.  GDB itself does not wrap text that
it returns as a string."""

from typing import List

import gdb

MARK = "@@@ "


def print_at_widths(widths: List[int], commands: List[str]) -> None:
    """Print what each command prints at each width, 0 for none, behind a line that says so."""
    for width in widths:
        gdb.execute("set width %d" % width)
        for command in commands:
            gdb.write("%s%d %s\n" % (MARK, width, command))
            gdb.execute(command)
    gdb.write(MARK + "\n")
