#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtimes of vendors: without their devices, and NVIDIA's where there is one.

    vendor.py [NAME...]

NAMEs are those of the list `vendors`, or TestIntel for Intel's of the Python Package Index, or
TestNvidia and TestNvidiaStops; without any all are tested.
"""

from __future__ import annotations

import sys

import intel
import nvidia
import release_cases

_CASES = {
    "TestIntel": intel.IntelCase,
    "TestNvidia": nvidia.NvidiaCase,
    "TestNvidiaStops": nvidia.NvidiaStopCase,
}

if __name__ == "__main__":
    names = [word.split(".")[0] for word in sys.argv[1:]]
    for name, case in _CASES.items():
        if not names or name in names:
            globals()[name] = type(name, (case,), {"__module__": "__main__"})
    release_cases.main_of("vendors", globals())
