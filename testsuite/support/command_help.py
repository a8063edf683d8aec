# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verbs and options in the help of the command."""

from __future__ import annotations

import os
import re
from typing import Dict, List

from command import OK, run


def help_of(*verb: str) -> str:
    """The output of --help."""
    answer = run([*verb, "--help"], dict(os.environ))
    if answer.code != OK or answer.errors:
        raise AssertionError(answer)
    return answer.output


def verbs() -> List[str]:
    """All verbs."""
    part = help_of().split("Verbs, each", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    return re.findall(r"^  ([\w-]+)  ", part, re.MULTILINE)


def summaries() -> Dict[str, str]:
    """The sentence of each verb."""
    part = help_of().split("Verbs, each", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    found = re.findall(r"^  ([\w-]+)  (.*(?:\n    .*)*)", part, re.MULTILINE)
    return {verb: re.sub(r"\s+", " ", text).strip() for verb, text in found}


def options(*verb: str) -> List[str]:
    """The options of a verb, or of all."""
    return re.findall(r"^  (--[\w-]+)[ \[]", help_of(*verb), re.MULTILINE)
