#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The open runtimes of each release of Debian.

    open.py [NAME...]

NAMEs are those of the list `releases`; without any all are tested.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import release_cases  # noqa: E402

if __name__ == "__main__":
    release_cases.main_of("releases", release_cases.ReleaseCase, globals())
