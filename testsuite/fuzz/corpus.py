#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Corpora of the fuzzer: a file of text in the tree, a folder of inputs for libFuzzer."""

import hashlib
import os
import sys
import textwrap
from typing import List

COLUMNS = 96


def unpack(path: str, folder: str) -> None:
    """Write the inputs of a corpus, each named by what it holds."""
    with open(path, encoding="ascii") as file:
        texts = file.read().split("\n\n")
    for text in texts:
        content = bytes.fromhex(text)
        name = hashlib.sha1(content).hexdigest()
        with open(os.path.join(folder, name), "wb") as output:
            output.write(content)


def pack(folder: str, path: str) -> None:
    """Write a corpus: in hexadecimal, each input ended by an empty line, the shortest first."""
    inputs: List[bytes] = []
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            inputs.append(file.read())
    inputs.sort(key=lambda content: (len(content), content))
    with open(path, "w", encoding="ascii") as output:
        for content in filter(None, inputs):
            output.write("\n".join(textwrap.wrap(content.hex(), COLUMNS)) + "\n\n")
    print(f"{os.path.basename(path)}: {len(inputs)} inputs")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](*sys.argv[2:])
