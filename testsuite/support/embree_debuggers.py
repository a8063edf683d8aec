# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debuggers on programs that use Embree."""

from __future__ import annotations

import os
import sys
from typing import Dict

from embree import LAYOUTS, embree_environment
from harness import HERE, LIBRARY, WORK


def debugger_environment() -> Dict[str, str]:
    """The environment of a GDB or LLDB with the plugin, and of the program that it runs."""
    result = embree_environment()
    result["PYTHONPATH"] = "%s:%s" % (HERE, sys.path[0])  # the modules of scripts in debuggers
    result["OMPD_OPENCL_LIBRARY"] = LIBRARY
    result["OMPD_OPENCL_LAYOUT_PATH"] = LAYOUTS
    result["XDG_DATA_HOME"] = os.path.join(WORK, "data")  # whoever runs the tests may have layouts
    return result
