# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from typing import Callable, Optional

from . import Objfile, Value

def register_pretty_printer(
    objfile: Optional[Objfile], printer: Callable[[Value], object], replace: bool = ...
) -> None: ...
