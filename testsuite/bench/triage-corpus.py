#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print how well the keys of `ompd-opencl triage --json` group the cores of known bugs, compared
with the top five frames of GDB's bt.

Each worker makes, evaluates and deletes one core at a time.  Results stay in build/bench-triage, so
that an interrupted run continues there; another build starts again.  The variables BUGS and
VARIANTS select some by parts of their names, separated by commas.  WORKERS is the number of
workers, and GDB_TOO=no leaves GDB out.  """
from __future__ import annotations

import concurrent.futures
import glob
import hashlib
import json
import os
import sys
import threading
from typing import Dict, List, Optional, Tuple

import b_cubed
import seeded_cores
from harness import BUILD, SOURCE, Row, Skip, vendor_library
from seeded_bugs import BUGS
from seeded_variants import BUILDS, VARIANTS, build, names_for

FOLDER = os.path.join(BUILD, "bench-triage")
LINES = os.path.join(FOLDER, "lines.jsonl")
KEYS = {
    "exact key (signature)": "signature",
    "signature_text": "signature_text",
    "coarse key (signature_coarse)": "signature_coarse",
    "signature_text, team's rules": "team_text",
    "coarse key, team's rules": "team_coarse",
    "five top frames of GDB's bt": "top_frames",
}
WORKERS = int(os.environ.get("WORKERS", os.cpu_count() or 1))
ASKS_GDB = os.environ.get("GDB_TOO") != "no"


def chosen(name: str, variable: str) -> bool:
    """Whether the variable of the environment chooses what has this name."""
    parts = os.environ.get(variable, "")
    return not parts or any(part in name for part in parts.split(","))


def stamp() -> str:
    """What is another when cores could be judged otherwise."""
    told = hashlib.sha256()
    files = glob.glob(os.path.join(BUILD, ".libs", "*.so"))
    files += [os.path.join(BUILD, ".libs", name) for name in ("ompd-opencl", "signature.rules")]
    files += glob.glob(os.path.join(SOURCE, "testsuite", "support", "seeded_*.py"))
    files += glob.glob(os.path.join(SOURCE, "testsuite", "programs", "*.[ch]"))
    for file in sorted(files):
        with open(file, "rb") as stream:
            told.update(stream.read())
    return told.hexdigest() + " " + str(ASKS_GDB)


def read_lines() -> List[Row]:
    """The results of an interrupted run, without an incomplete line."""
    rows: List[Row] = []
    if os.path.exists(LINES):
        with open(LINES, encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    rows.append(json.loads(line))
    if rows and rows[0].get("stamp") == stamp():
        return rows[1:]
    with open(LINES, "w", encoding="utf-8") as file:
        file.write(json.dumps({"stamp": stamp()}) + "\n")
    return []


def is_there(variant: str) -> bool:
    """Whether its runtime is installed."""
    try:
        vendor_library(VARIANTS[variant].runtime)
    except Skip:
        return False
    return True


def cells() -> List[Tuple[str, str]]:
    """The bugs and variants that are asked for; those of one program one after the other."""
    there = {name for name in VARIANTS if chosen(name, "VARIANTS") and is_there(name)}
    return [
        (name, variant)
        for name, bug in BUGS.items()
        if chosen(name, "BUGS")
        for variant in names_for(bug)
        if variant in there
    ]


def build_all(wanted: List[Tuple[str, str]], builds: str) -> None:
    """Build the programs, before any is run."""
    pairs = sorted({(VARIANTS[variant].build, BUGS[name].program) for name, variant in wanted})
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda pair: build(pair[0], pair[1], builds), pairs))


def judge_all(wanted: List[Tuple[str, str]], folder: str) -> List[Row]:
    """The rows of all, some of which are there already."""
    rows = read_lines()
    done = {(row["bug"], row["variant"]) for row in rows}
    lock = threading.Lock()
    builds = os.path.join(FOLDER, "builds")
    build_all(wanted, builds)

    def judge(cell: Tuple[str, str]) -> None:
        row = seeded_cores.judge(
            BUGS[cell[0]], cell[1], VARIANTS[cell[1]], builds, folder, ASKS_GDB
        )
        with lock, open(LINES, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
            rows.append(row)
            if sys.stderr.isatty():
                print("%d of %d" % (len(rows), len(wanted)), end="\r", file=sys.stderr)

    pool = concurrent.futures.ThreadPoolExecutor(WORKERS)
    futures = [pool.submit(judge, cell) for cell in wanted if cell not in done]
    try:
        for future in concurrent.futures.as_completed(futures):
            future.result()
    finally:
        for future in futures:
            future.cancel()
        pool.shutdown()
    # One that ended while it was cut off may have a line twice.
    once = {(row["bug"], row["variant"]): row for row in rows}
    return [once[cell] for cell in wanted]


def items_of(rows: List[Row], key: str) -> List[b_cubed.Item]:
    """The cores, by one of the keys and the name of the program."""
    items = []
    for row in rows:
        value: Optional[str] = row[key]
        if value is not None:
            value = "%s: %s" % (row["bug"].split()[0], value)
        items.append(b_cubed.Item(row["truth"], value, row["variant"]))
    return items


def has_names(row: Row) -> bool:
    """Whether the core was neither cut off nor is of a program whose names are away."""
    variant = VARIANTS[row["variant"]]
    how = BUILDS[variant.build]
    return variant.kept != "part" and (how.debug_file or not how.stripped)


def tell_figures(rows: List[Row]) -> None:
    """Precision, recall and F by each key."""
    named = [row for row in rows if has_names(row)]
    for some, words in ((rows, "all"), (named, "but those stripped or truncated")):
        print("\nOf %d cores, %s:" % (len(some), words))
        print("  %-30s precision recall      F  without" % "")
        for title, key in KEYS.items():
            items = items_of(some, key)
            figures = b_cubed.measure(items)
            without = sum(item.key is None for item in items)
            told = (title, *figures, figures.score(), without)
            if key != "top_frames" or ASKS_GDB:
                print("  %-30s    %.4f %.4f %.4f %8d" % told)


def tell_variants(rows: List[Row]) -> None:
    """Means of each variant's cores, by the exact key and by the coarse one."""
    print("\n%-22s %6s  exact: precision, recall  coarse: precision, recall" % ("variant", "cores"))
    columns = [b_cubed.of_each(items_of(rows, key)) for key in ("signature", "team_coarse")]
    for name in VARIANTS:
        places = [i for i, row in enumerate(rows) if row["variant"] == name]
        if not places:
            continue
        exact, coarse = (b_cubed.mean([column[i] for i in places]) for column in columns)
        print("%-22s %6d   %16.3f  %.3f  %17.3f  %.3f" % (name, len(places), *exact, *coarse))


def tell_faults(rows: List[Row]) -> None:
    """What is merged and what is split."""
    for key in ("signature", "team_coarse"):
        items = items_of(rows, key)
        print("\nMerged by %s:" % key)
        for words, group in b_cubed.merged(items):
            told = ", ".join("%s (%d)" % pair for pair in sorted(group.items()))
            print("  %s\n    %s" % (words, told))
        print("Split by %s:" % key)
        for truth, keys in b_cubed.split(items):
            print("  " + truth)
            for words, names in keys:
                some = sorted(names)[:6] + ["..."] * (len(names) > 6)
                print("    %3d  %s  (%s)" % (len(names), words, ", ".join(some)))


def tell(rows: List[Row]) -> None:
    """All that is to be said."""
    order: Dict[str, int] = {name: place for place, name in enumerate(VARIANTS)}
    rows.sort(key=lambda row: (row["bug"], order[row["variant"]]))
    lost = [row for row in rows if "why" in row]
    rows = [row for row in rows if "why" not in row]
    tell_variants(rows)
    tell_faults(rows)
    print("\nNot made:" if lost else "")
    for row in lost:
        print("  %s, %s: %s" % (row["bug"], row["variant"], row["why"]))
    print(
        "\n%d cores of %d bugs of %d classes in %d variants, %.1f GB, the largest of %.0f MB"
        % (
            len(rows),
            len({row["bug"] for row in rows}),
            len({row["truth"] for row in rows}),
            len({row["variant"] for row in rows}),
            sum(row["size"] for row in rows) / 1e9,
            max(row["size"] for row in rows) / 1e6,
        )
    )
    tell_figures(rows)


def main() -> None:
    seeded_cores.end_by_signals()
    wanted = cells()
    if not wanted:
        sys.exit("triage-corpus: there is no such bug or variant")
    try:
        with seeded_cores.Folder(FOLDER) as folder:
            seeded_cores.write_rules(os.path.join(folder, "rules"))
            rows = judge_all(wanted, folder)
    except KeyboardInterrupt:
        sys.exit(130)
    tell(rows)


if __name__ == "__main__":
    main()
