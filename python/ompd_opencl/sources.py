# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sources of objects, as settings name them."""

from __future__ import annotations

from typing import Dict

from .enumerations import Source
from .errors import OpenCLError

AUTOMATIC = "auto"
_UNCHOSEN = 1 << 31  # OMPD_CL_SOURCES_DEFAULT
_ALL = "all"
_RECORDER = "recorder"
_LAYOUTS = "layouts"

# Without the recorder, call stacks show which threads are in OpenCL.
SOURCES: Dict[str, int] = {
    AUTOMATIC: _UNCHOSEN,
    _ALL: 1 << Source.RECORDER | 1 << Source.LAYOUT | 1 << Source.STACK,
    _RECORDER: 1 << Source.RECORDER,
    _LAYOUTS: 1 << Source.LAYOUT | 1 << Source.STACK,
}

_DESCRIBED = {
    AUTOMATIC: "Objects come from the recorder and from layouts; memory is searched where needed.",
    _ALL: "Objects come from the recorder and from layouts; lists search memory.",
    _RECORDER: "Objects come from the recorder alone.",
    _LAYOUTS: "Objects come from layouts alone; lists search memory.",
}


def describe_sources(name: str) -> str:
    """The meaning of the setting value NAME."""
    return _DESCRIBED[name]


def sources_of(name: str) -> int:
    """The argument of ompd_cl_sources_set for the setting value NAME; raises OpenCLError."""
    if name not in SOURCES:
        raise OpenCLError("sources: choose from %s." % ", ".join(SOURCES))
    return SOURCES[name]
