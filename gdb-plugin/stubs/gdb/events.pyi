# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from typing import Callable

class EventRegistry:
    def connect(self, handler: Callable[..., None]) -> None: ...
    def disconnect(self, handler: Callable[..., None]) -> None: ...

before_prompt: EventRegistry
breakpoint_deleted: EventRegistry
breakpoint_modified: EventRegistry
stop: EventRegistry
cont: EventRegistry
memory_changed: EventRegistry
new_objfile: EventRegistry
clear_objfiles: EventRegistry
exited: EventRegistry
inferior_deleted: EventRegistry
connection_removed: EventRegistry
