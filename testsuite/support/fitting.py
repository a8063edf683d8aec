# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts for the OpenCL runtimes of this machine: the installed ones, or, for other builds,
layouts that are learned first.  """

from __future__ import annotations

import os

from command import run
from harness import SOURCE, WORK, environment
from learning import learn_text

SHIPPED = os.path.join(SOURCE, "layouts")
_LEARNED = os.path.join(WORK, "learned-layouts")

# The value of OMPD_OPENCL_LAYOUT_PATH for tools.
LAYOUT_PATH = SHIPPED + ":" + _LEARNED


def fitting_layout(runtime: str) -> str:
    """The path of the layout of an installed runtime, in a folder of LAYOUT_PATH."""
    variables = environment(runtime, recorder=False)
    variables["OMPD_OPENCL_LAYOUT_PATH"] = LAYOUT_PATH
    answer = run(["layouts", "--json"], variables)
    for row in answer.objects():
        if "path" in row and "installed" in row:
            return str(row["path"])
    os.makedirs(_LEARNED, exist_ok=True)
    path = os.path.join(_LEARNED, runtime + ".layout")
    partial = "%s.%d" % (path, os.getpid())
    with open(partial, "w", encoding="utf-8") as file:
        file.write(learn_text("only", variables))
    os.replace(partial, path)
    return path
