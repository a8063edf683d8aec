# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all commands share: the sessions and the settings."""

from __future__ import annotations

from typing import List, Optional

from .parameters import Parameters
from .sessions import Sessions


class Plugin:
    """The state of the plugin in this GDB."""

    def __init__(self, candidates: List[str], layouts: List[str]) -> None:
        self.sessions = Sessions(candidates, layouts)
        self.parameters = Parameters(self.sessions)
        self.commands: Optional[object] = None
