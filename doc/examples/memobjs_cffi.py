#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the memory objects of a core, with bindings that cffi generates.

usage: memobjs_cffi.py CORE

This shows how to generate bindings for any language from the header.  Python has a package of its
own, ompd_opencl: see guide-scripts.md.
"""

import contextlib
import re
import subprocess
import sys
from typing import Any, Iterator, List

from cffi import FFI

HEADER = "ompd-opencl-host.h"
ROWS = 64


def declarations() -> str:
    """Return the declarations of our headers, without inline functions."""
    flags = ["pkg-config", "--cflags", "ompd-opencl-host"]
    words = subprocess.run(flags, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    compiler = ["cc", "-E", *words, "-include", HEADER, "-x", "c", "/dev/null"]
    text = subprocess.run(compiler, check=True, stdout=subprocess.PIPE, text=True).stdout
    kept: List[str] = []
    is_ours = False
    for line in text.split("\n"):
        marker = re.match(r'# \d+ "(.*)"', line)
        if marker:
            is_ours = "ompd-opencl" in marker.group(1)
        elif is_ours:
            kept.append(line)
    return re.sub(r"static inline .*?\n}", "", "\n".join(kept), flags=re.DOTALL)


class Failure(Exception):
    """A call failed; the text is the library's message."""


class Core:
    """An open core and its address space, which is released before the core is closed."""

    def __init__(self, path: str) -> None:
        self._ffi = ffi = FFI()
        ffi.cdef("typedef int pid_t;" + declarations())
        self._ompd = ffi.dlopen("libompd-opencl.so.0")
        self._host = ffi.dlopen("libompd-opencl-host.so.0")
        target, space = ffi.new("ompd_host_target_t **"), ffi.new("ompd_address_space_handle_t **")
        if self._host.ompd_host_core_open(path.encode(), ffi.NULL, target) != 0:
            raise Failure(ffi.string(self._host.ompd_host_message_get(ffi.NULL)).decode())
        self._target = target[0]
        if self._host.ompd_host_address_space_create(self._target, 0, space) != 0:
            self._host.ompd_host_target_close(self._target)
            raise Failure(self._message(ffi.NULL))
        self._space = space[0]
        self.lost = 0  # rows that could not be read

    def close(self) -> None:
        """Release the address space, and close the core."""
        self._ompd.ompd_rel_address_space_handle(self._space)
        self._host.ompd_host_target_close(self._target)

    def _message(self, space: Any) -> str:
        message = self._ffi.new("const char **")
        self._ompd.ompd_cl_message_get(space, message)
        return str(self._ffi.string(message[0]).decode())

    def memobjs(self) -> Iterator[Any]:
        """Yield the memory objects; each row is valid until the next one."""
        ffi, ompd = self._ffi, self._ompd
        found = ffi.new("ompd_cl_list_t *")
        rows = ffi.new("ompd_cl_memobj_info_t[]", ROWS)
        count, unreadable = ffi.new("ompd_size_t *"), ffi.new("ompd_size_t *")
        kind = ompd.ompd_cl_kind_memobj
        if ompd.ompd_cl_list_open(self._space, kind, ffi.NULL, found) != ompd.ompd_rc_ok:
            raise Failure(self._message(self._space))
        try:
            while True:
                rows[0].head.struct_size = ffi.sizeof("ompd_cl_memobj_info_t")
                code = ompd.ompd_cl_list_next(
                    self._space, found[0], kind, ROWS, rows, count, unreadable
                )
                # An incomplete answer also has rows, with a status in each field.
                if code not in (ompd.ompd_rc_ok, ompd.ompd_rc_incomplete):
                    raise Failure(self._message(self._space))
                self.lost = unreadable[0]  # of the whole list so far
                if count[0] == 0:
                    return
                for index in range(count[0]):
                    yield rows[index]
        finally:
            ompd.ompd_cl_list_close(self._space, found[0])

    def size_text(self, size: Any) -> str:
        """Format a size: a fact, a presumed value, or unknown."""
        if size.status == self._ompd.ompd_cl_status_value:
            return f"{size.value} B"
        if size.status == self._ompd.ompd_cl_status_presumed:
            return f"{size.value} B, presumed"
        return "? B"


def main(arguments: List[str]) -> int:
    """Print the memory objects, and return the exit status."""
    if len(arguments) != 1:
        print("usage: memobjs_cffi.py CORE", file=sys.stderr)
        return 2
    try:
        with contextlib.closing(Core(arguments[0])) as core:
            for row in core.memobjs():
                print(f"{row.head.handle.value:#x} {core.size_text(row.size)}")
    except Failure as failure:
        print(f"memobjs_cffi.py: {failure}", file=sys.stderr)
        return 3
    if core.lost > 0:
        print(f"{core.lost} more could not be read")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
