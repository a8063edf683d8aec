# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: write down what a session on the selected inferior shows."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from described import describe
from examples import run_examples

# The plugin's module, which exists in GDB alone.
plugin_package: Any = import_module("ompd_opencl_gdb")


def tell(path: str, guide: str) -> None:
    """Write to PATH the answers of a new session, and the output of the examples of GUIDE."""
    session = plugin_package.session()
    with open(guide, encoding="utf-8") as file:
        printed = run_examples(file.read(), session)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(describe(session), examples=printed), file)
