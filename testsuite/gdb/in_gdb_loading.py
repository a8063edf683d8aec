# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: stop the program where a library is mapped but not yet relocated.

GDB's `catch load` stops there, too, but after the relocation since glibc 2.43, and glibc of some
releases has no probes.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# GDB's own module, which exists in GDB alone.
gdb: Any = import_module("gdb")


def _is_mapped(library: str) -> bool:
    with open("/proc/%d/maps" % gdb.selected_inferior().pid, encoding="utf-8") as file:
        return any("/" + library in line for line in file)


def run_to_mapping(library: str) -> None:
    """LIBRARY is the beginning of its file's name."""
    gdb.execute("starti", to_string=True)
    probes = gdb.execute("info probes stap rtld reloc_start", to_string=True)
    has_probe = "reloc_start" in probes
    gdb.execute("break -probe-stap rtld:reloc_start" if has_probe else "catch load " + library)
    while not _is_mapped(library):
        gdb.execute("continue", to_string=True)
    gdb.execute("delete")
