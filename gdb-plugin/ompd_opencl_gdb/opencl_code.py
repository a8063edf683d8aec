# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The owner of a frame's code: the program, or OpenCL (loader, recorder or runtime)."""

from __future__ import annotations

import os
from enum import Enum
from typing import Dict, Optional

import gdb

_RECORDER = "libompd-opencl-recorder.so"
# Exported by every runtime for loaders, by loaders and runtimes, and by layers.
_FUNCTIONS = ("clIcdGetPlatformIDsKHR", "clGetExtensionFunctionAddress", "clInitLayer")
_LOADER = "libOpenCL.so"


class Owner(Enum):
    """The owner of code."""

    RECORDER = "the recorder"
    LOADER = "the loader"
    RUNTIME = "the runtime"


class OpenCLCode:
    """The OpenCL modules of each program space, cached until modules change."""

    def __init__(self) -> None:
        self._modules: Dict[int, Dict[str, Owner]] = {}

    def follow_events(self) -> None:
        """Follow GDB's events for loaded modules."""
        gdb.events.new_objfile.connect(lambda event: self._modules.clear())
        gdb.events.clear_objfiles.connect(lambda event: self._modules.clear())
        gdb.events.exited.connect(lambda event: self._modules.clear())

    def owner(self, pc: int) -> Optional[Owner]:
        """The owner of the code at PC; None: the program or another library."""
        name = gdb.current_progspace().solib_name(pc)
        if name is None:
            return None  # a loader linked into the program is not distinguishable from it
        return self._current().get(name) or _owner_by_name(name) or self._owner_by_whole(name)

    def is_loaded(self) -> bool:
        """Whether any OpenCL module is loaded."""
        return bool(self._current())

    def has_recorder(self) -> bool:
        """Whether the recorder is loaded."""
        return Owner.RECORDER in self._current().values()

    def _current(self) -> Dict[str, Owner]:
        space = gdb.current_progspace()
        modules = self._modules.get(id(space))
        if modules is None:
            modules = self._modules[id(space)] = _find_modules(space)
        return modules

    def _owner_by_whole(self, name: str) -> Optional[Owner]:
        """The owner of a module that is part of a runtime by its name: libpocl-devices-basic.so is
        part of libpocl.so.2."""
        for whole, owner in self._current().items():
            stem = os.path.basename(whole).split(".so")[0]
            if owner == Owner.RUNTIME and os.path.basename(name).startswith(stem + "-"):
                return owner
        return None

    def caller(self, frame: Optional[gdb.Frame]) -> Optional[gdb.Frame]:
        """FRAME, or its innermost caller outside of OpenCL code."""
        while frame is not None and self.owner(frame.pc()) is not None:
            frame = frame.older()
        return frame


def _owner_by_name(path: str) -> Optional[Owner]:
    name = os.path.basename(path)
    if name.startswith(_RECORDER):
        return Owner.RECORDER
    return Owner.LOADER if name.startswith(_LOADER) else None


def _find_modules(space: gdb.Progspace) -> Dict[str, Owner]:
    modules: Dict[str, Owner] = {}
    for function in _FUNCTIONS:
        try:
            places = gdb.decode_line(function)[1] or ()
        except gdb.error:
            continue  # no module exports it
        for place in places:
            name = space.solib_name(place.pc)
            if name is not None:
                modules[name] = Owner.RUNTIME
    for name in modules:
        modules[name] = _owner_by_name(name) or Owner.RUNTIME
    return modules
