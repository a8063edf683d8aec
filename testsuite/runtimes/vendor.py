#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtimes of vendors, without their devices.

    vendor.py [NAME...]

NAMEs are those of the list `vendors`, or TestIntel for Intel's of the Python Package Index; without
any all are tested.
"""

from __future__ import annotations

import sys

import intel
import release_cases

if __name__ == "__main__":
    if len(sys.argv) == 1 or any(word.startswith("TestIntel") for word in sys.argv[1:]):
        globals()["TestIntel"] = type("TestIntel", (intel.IntelCase,), {"__module__": "__main__"})
    release_cases.main_of("vendors", release_cases.ReleaseCase, globals())
