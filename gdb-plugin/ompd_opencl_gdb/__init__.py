# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompd-opencl's GDB plugin: the commands `opencl` and `embree`, and ompd_opencl sessions on GDB's
inferiors.

It is a front end of libompd-opencl-view.  It never resumes the target, switches thread or frame,
writes to the target, or calls into it.  It sets breakpoints only for `opencl catch` and
`embree catch`, and writes registers only for `embree catch monitor -cancel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ompd_opencl.session import Session

if TYPE_CHECKING:
    from .plugin import Plugin

_plugin: "Optional[Plugin]" = None


def install() -> None:
    """Create the commands, once."""
    global _plugin
    if _plugin is not None:
        return
    from ompd_opencl.places import find_places

    from . import (
        catch_command,
        frames,
        functions,
        hidden_breakpoints,
        machine_interface,
        monitor_catch_command,
        printers,
        symbol_addresses,
        tui_window,
    )
    from .commands import Commands
    from .opencl_code import OpenCLCode
    from .plugin import Plugin
    from .values import Values

    plugin = Plugin(find_places())
    plugin.commands = commands = Commands(plugin)
    values = Values(plugin.sessions)
    printers.install(values)
    functions.install(values)
    machine_interface.install(commands)
    tui_window.install(values)
    code = OpenCLCode()
    code.follow_events()
    catch_command.install(values, code)
    monitor_catch_command.install(values)
    frames.Frames(values, code)
    plugin.sessions.follow_events()
    symbol_addresses.follow_events()
    hidden_breakpoints.follow_events()
    _plugin = plugin


def session() -> Session:
    """A session on the selected inferior.  It stays valid when the program continues.  Use it only
    while that inferior is selected and stopped.  Raises OpenCLError without a process or core."""
    from .script import InferiorOpened

    install()
    assert _plugin is not None
    return Session(InferiorOpened(_plugin.sessions))
