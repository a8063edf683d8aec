# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure how well groups agree with known ones: B-cubed precision, recall and F (Bagga and
Baldwin)."""

from __future__ import annotations

from collections import Counter
from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple


class Item(NamedTuple):
    """An item to group.  One without a key is in a group of its own."""

    truth: str
    key: Optional[str]
    name: str = ""


class Figures(NamedTuple):
    """Means over items, or those of one."""

    precision: float
    recall: float

    def score(self) -> float:
        """F, the harmonic mean."""
        whole = self.precision + self.recall
        return 2 * self.precision * self.recall / whole if whole else 0.0


def of_each(items: Sequence[Item]) -> List[Figures]:
    """Those of each item: how many of its group are of its class, and how many of its class are in
    its group."""
    groups = Counter(item.key for item in items)
    truths = Counter(item.truth for item in items)
    both = Counter((item.key, item.truth) for item in items)
    figures = []
    for item in items:
        if item.key is None:
            figures.append(Figures(1.0, 1 / truths[item.truth]))
            continue
        same = both[item.key, item.truth]
        figures.append(Figures(same / groups[item.key], same / truths[item.truth]))
    return figures


def mean(figures: Sequence[Figures]) -> Figures:
    """Of some items."""
    count = max(len(figures), 1)
    precision = sum(each.precision for each in figures) / count
    return Figures(precision, sum(each.recall for each in figures) / count)


def measure(items: Sequence[Item]) -> Figures:
    """Those of all."""
    return mean(of_each(items))


def merged(items: Sequence[Item]) -> List[Tuple[str, Dict[str, int]]]:
    """Keys that items of several classes have, the largest first, with how many of each."""
    groups: Dict[str, Dict[str, int]] = {}
    for item in items:
        if item.key is not None:
            group = groups.setdefault(item.key, {})
            group[item.truth] = group.get(item.truth, 0) + 1
    wrong = [(key, group) for key, group in groups.items() if len(group) > 1]
    return sorted(wrong, key=lambda pair: (-sum(pair[1].values()), pair[0]))


def split(items: Sequence[Item]) -> List[Tuple[str, List[Tuple[str, Set[str]]]]]:
    """Classes in several groups: the keys of each, the largest group first, with its items' names;
    those without a key are under one, "none"."""
    classes: Dict[str, Dict[str, Set[str]]] = {}
    for item in items:
        keys = classes.setdefault(item.truth, {})
        keys.setdefault(item.key if item.key is not None else "none", set()).add(item.name)
    return [
        (truth, sorted(keys.items(), key=lambda pair: (-len(pair[1]), pair[0])))
        for truth, keys in sorted(classes.items())
        if len(keys) > 1
    ]
