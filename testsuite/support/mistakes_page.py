#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of doc/mistakes.md; `mistakes_page.py --write` writes it."""

from __future__ import annotations

import os
import sys

import embree_mistakes
import public_threads
import situation_cases
from harness import SOURCE

PAGE = os.path.join(SOURCE, "doc", "mistakes.md")

_HEAD = """\
# Mistakes and the answers to them

Each mistake below has a test program that makes it. The tables name the verb that finds the cause,
and the sentence that it prints. The tests compare these sentences, and check that the correct
version of each program gives no finding. `make -C build mistakes-page` writes this page.

`check`, `waits` and `object` are `opencl check` in GDB, and `ompd-opencl --pid N check` or
`ompd-opencl --core FILE check` in a shell; `object` takes the handle. `run` is
`ompd-opencl run PROGRAM`. The [cookbook](cookbook.md) works through some of them.

## Common mistakes

Those marked *(recorder)* need the recorder. The others are found without it as well, but then
without the place where the objects were created.

| Mistake | Verb | What it prints |
|---|---|---|
"""

_EMBREE = """
## Embree

Mistakes in the use of Embree, which `check` finds without any preparation. Notes are no mistakes.

| Mistake | What `check` prints |
|---|---|
"""

_REPORTS = """
## Public reports

Mistakes that people have reported in public trackers. A row without a verb says why there is no
test program. If a mistake was reported several times, the row names the first report. The test
programs run on PoCL or rusticl; the answers are the same on every runtime.

| Report | What happens | Verb | What it prints |
|---|---|---|---|
"""


def text() -> str:
    """Return the page."""
    rows = "".join(row + "\n" for row in situation_cases.page_rows())
    embree = "".join(row + "\n" for row in embree_mistakes.page_rows())
    reports = "".join(row + "\n" for row in public_threads.page_rows())
    return _HEAD + rows + _EMBREE + embree + _REPORTS + reports


def main() -> None:
    """Write the page."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: mistakes_page.py --write")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text())


if __name__ == "__main__":
    main()
