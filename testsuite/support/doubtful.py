# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows in doubt, which need not be objects of the program: the library says so itself, and so it
may show some of them, but not any number."""

from typing import Any, Dict, List, Sequence

# In one list, of those that are no objects of the program: what runtimes leave of objects on stacks
# and in their heaps.  Mostly there is none.
MOST_DOUBTFUL = 3


def excess(table: str, surplus: Sequence[Dict[str, Any]]) -> List[str]:
    """What is wrong with the rows in doubt of SURPLUS, of a list, which are not in the truth."""
    doubtful = [row for row in surplus if row.get("confidence") == "doubtful"]
    if len(doubtful) <= MOST_DOUBTFUL:
        return []
    return ["%s: %d in doubt are no objects: %s" % (table, len(doubtful), doubtful[0])]
