# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The opencl commands, a family a file."""

from __future__ import annotations

from ..plugin import Plugin
from . import lists, memory, objects, overview, threads


def install_commands(plugin: Plugin) -> None:
    """Make all commands.  The prefix comes first."""
    overview.install(plugin)
    lists.install(plugin)
    threads.install(plugin)
    memory.install(plugin)
    objects.install(plugin)
