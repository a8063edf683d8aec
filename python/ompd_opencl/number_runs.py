# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers in few words."""

from __future__ import annotations

from typing import Iterable, List


def number_runs(numbers: Iterable[int], prefix: str = "") -> List[str]:
    """NUMBERS in their order, those that follow one another as one: "2", "5-9"; PREFIX is before
    each."""
    runs: List[List[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ["%s%d%s" % (prefix, run[0], "-%d" % run[-1] if run[1:] else "") for run in runs]
