#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The open runtimes of each release of Debian.

    open.py [NAME...]

NAMEs are those of the list `releases`; without any all are tested.
"""

from __future__ import annotations


import release_cases

if __name__ == "__main__":
    release_cases.main_of("releases", globals())
