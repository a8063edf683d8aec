# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs inside GDB: compares the memory that GDB gives with that of the host library."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any, Dict

# GDB's own module and the plugin's, which exist in GDB alone.
gdb: Any = import_module("gdb")
plugin_package: Any = import_module("ompd_opencl")
callbacks: Any = import_module("ompd_opencl.callbacks")
readers: Any = import_module("ompd_opencl.readers")
target_module: Any = import_module("ompd_opencl.target")

PAGE = 4096
CHUNK = 256 * PAGE


def _target(choice: str) -> Any:
    library = plugin_package._plugin.sessions.library()
    choices = readers.Readers(library.path)
    choices.choice = choice
    return target_module.InferiorTarget(gdb.selected_inferior(), choices)


def _bytes(target: Any, address: int, size: int) -> Any:
    try:
        return bytes(target.read(address, size))
    except callbacks.UnreadableMemory:
        return None


def compare_memory() -> None:
    """Print how many pages are the same both ways, how many are not, and how many only one has:
    the host library, or GDB, of memory that is there ("lost") or that a core does not have."""
    host, by_gdb = _target("host"), _target("gdb")
    counts: Dict[str, int] = {"same": 0, "different": 0, "only_host": 0, "only_gdb": 0, "lost": 0}
    address = 0
    while True:
        region = by_gdb.region_after(address)
        if region is None or region[0] >= 1 << 63:
            break
        for start in range(region[0], region[1], CHUNK):
            size = min(CHUNK, region[1] - start)
            _compare(host, by_gdb, start, size, counts, "lost" if region[2] else "only_gdb")
        address = region[1]
    counts["reader"] = host.reader_name()
    host.forget()
    print("COMPARED " + json.dumps(counts))


def read_cut(core: str, address: int) -> None:
    """Read from a core, cut it off, and read again; print who read each time."""
    host = _target("auto")
    told = []
    for _ in range(2):
        _bytes(host, address, PAGE)
        told.append(host.reader_name())
        os.truncate(core, PAGE)
        host.memory_map.forget()
    print("READ BY " + " ".join(told))


def _compare(
    host: Any, by_gdb: Any, start: int, size: int, counts: Dict[str, int], by_gdb_alone: str
) -> None:
    one, other = _bytes(host, start, size), _bytes(by_gdb, start, size)
    if one is not None and one == other:
        counts["same"] += size // PAGE
    elif size > PAGE:
        for page in range(start, start + size, PAGE):
            _compare(host, by_gdb, page, min(PAGE, start + size - page), counts, by_gdb_alone)
    elif one is not None and other is not None:
        counts["different"] += 1
    elif one is not None:
        counts["only_host"] += 1
    elif other is not None:
        counts[by_gdb_alone] += 1
