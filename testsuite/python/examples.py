# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of guide-scripts.md, to be run in GDB and in Python alone."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any, Dict

_EXAMPLE = re.compile(r"^<!-- example: (\w+) -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_examples(guide: str, session: Any) -> Dict[str, str]:
    """What each example in the text GUIDE prints."""
    printed = {}
    for name, code in _EXAMPLE.findall(guide):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(code, name, "exec"), {"session": session})
        printed[name] = output.getvalue()
    return printed
