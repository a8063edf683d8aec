# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl's GDB plugin: the opencl commands.

It is a front end of libompd-opencl-view; it never resumes the target, switches thread or frame,
writes to the target, or calls into it.
"""

from __future__ import annotations

from typing import List, Optional

_plugin: Optional[object] = None


def install(candidates: List[str], layouts: List[str]) -> None:
    """Make the commands, once.  CANDIDATES are the places where the library may be, LAYOUTS the
    folders of the installed layouts."""
    global _plugin
    if _plugin is not None:
        return
    from .commands import Commands
    from .plugin import Plugin

    plugin = Plugin(candidates, layouts)
    plugin.commands = Commands(plugin)
    plugin.sessions.follow_events()
    _plugin = plugin
