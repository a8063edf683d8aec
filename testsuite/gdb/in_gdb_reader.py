# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: compare the memory that GDB reads with that of the host library."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any, Dict, List, Optional

# GDB's own module and the plugin's, which exist in GDB alone.
gdb: Any = import_module("gdb")
plugin_package: Any = import_module("ompd_opencl_gdb")
errors: Any = import_module("ompd_opencl.errors")
readers: Any = import_module("ompd_opencl_gdb.readers")
target_module: Any = import_module("ompd_opencl_gdb.target")

PAGE = 4096
CHUNK = 256 * PAGE
ZERO = 32  # ompd_cl_permission_zero: of holes in a core's file only the host library tells


def _target(choice: str) -> Any:
    choices = readers.Readers(plugin_package._plugin.sessions.library())
    choices.choice = choice
    return target_module.InferiorTarget(gdb.selected_inferior(), choices)


def _bytes(target: Any, address: int, size: int) -> Any:
    try:
        return bytes(target.read(address, size))
    except errors.UnreadableMemory:
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


def _permissions(target: Any, regions: List[Any], address: int) -> Optional[int]:
    """What TARGET says of ADDRESS, with the last of REGIONS at hand; None: there is no region."""
    if not regions or not regions[-1].start <= address < regions[-1].end:
        region = target.region_after(address)
        if region is None or region.start > address:
            return None
        regions.append(region)
    permissions: int = regions[-1].permissions
    return permissions & ~ZERO


def compare_regions() -> None:
    """Print how many pages that either reader takes for code are the same in both, and how many are
    not; and the same for other pages that both know.  Nothing if there is no process."""
    if gdb.selected_inferior().pid == 0:
        return
    host, by_gdb = _target("host"), _target("gdb")
    counts = {"code": 0, "different_code": 0, "same": 0, "different": 0}
    address = 0
    one: List[Any] = []
    other: List[Any] = []
    while True:
        starts = [target.region_after(address) for target in (host, by_gdb)]
        found = [region for region in starts if region is not None]
        if not found:
            break
        start = max(address, min(region.start for region in found))
        end = min(region.end for region in found)
        for page in range(start, end, PAGE):
            pair = (_permissions(host, one, page), _permissions(by_gdb, other, page))
            is_code = any(permissions is not None and permissions & 8 for permissions in pair)
            if is_code:
                counts["code" if pair[0] == pair[1] else "different_code"] += 1
            elif all(pair):
                counts["same" if pair[0] == pair[1] else "different"] += 1
        address = end
    host.forget()
    print("REGIONS " + json.dumps(counts))


def _symbol(target: Any, index: int, name: str) -> Any:
    try:
        return target.find_module_symbol(index, name)
    except errors.UnreadableMemory:
        return "not saved"


def compare_modules(names: List[str]) -> None:
    """Print the modules that both readers list, those that only one does, and where each has
    NAMES."""
    if gdb.selected_inferior().pid == 0:
        return
    told = []
    for choice in ("host", "gdb"):
        target = _target(choice)
        modules: List[Any] = []
        while target.module(len(modules)) is not None:
            index = len(modules)
            module = target.module(index)
            symbols = {name: _symbol(target, index, name) for name in names}
            modules.append([module.name, module.build_id.hex(), module.start, module.end, symbols])
        told.append(modules)
        target.forget()
    both = [module for module in told[0] if module in told[1]]
    alone = [[module for module in modules if module not in both] for modules in told]
    print("MODULES " + json.dumps({"both": both, "host": alone[0], "gdb": alone[1]}))


def show_code(file: str) -> None:
    """Print whether the host library has the code of FILE."""
    target, index = _target("host"), 0
    while target.module(index).name != file:
        index += 1
    region = target.region_after(target.module(index).start)
    while not region.is_executable():
        region = target.region_after(region.end)
    print("CODE %s" % region.is_saved)
    target.forget()
