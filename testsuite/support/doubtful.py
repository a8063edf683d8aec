# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doubtful rows, which may not be objects of the program.  The library marks them, and so may show
some, but not any number."""

from typing import Any, Dict, List, Sequence

# Rows of one list that are not objects of the program, but remains of objects on stacks and in
# heaps.  Mostly there is no such row.  A large number of freed objects may leave more: Oclgrind's
# 30,000 mostly leave one, two in 1 of 30 programs, and rarely four.
MOST_DOUBTFUL = 3
FREED_PER_DOUBTFUL = 10000


def excess(table: str, surplus: Sequence[Dict[str, Any]], freed: int = 0) -> List[str]:
    """Errors in the doubtful rows of SURPLUS, of a list, which are not expected.  The program has
    FREED so many objects."""
    doubtful = [row for row in surplus if row.get("confidence") == "doubtful"]
    if len(doubtful) <= MOST_DOUBTFUL + freed // FREED_PER_DOUBTFUL:
        return []
    return ["%s: %d in doubt are no objects: %s" % (table, len(doubtful), doubtful[0])]
