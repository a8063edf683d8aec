# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short text for sets of numbers."""

from __future__ import annotations

from typing import Iterable, List


def number_runs(numbers: Iterable[int], prefix: str = "") -> List[str]:
    """NUMBERS in order, with consecutive ones joined: "2", "5-9".  PREFIX precedes each."""
    runs: List[List[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ["%s%d%s" % (prefix, run[0], "-%d" % run[-1] if run[1:] else "") for run in runs]
