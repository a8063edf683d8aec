# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state that all commands share: sessions and settings."""

from __future__ import annotations

from typing import Optional

from ompd_opencl.places import Places

from .parameters import Parameters
from .sessions import Sessions
from .style_settings import StyleSettings


class Plugin:
    """The state of the plugin in this GDB."""

    def __init__(self, places: Places) -> None:
        self.sessions = Sessions(places)
        self.parameters = Parameters(self.sessions)
        self.styles = StyleSettings()
        self.commands: Optional[object] = None
