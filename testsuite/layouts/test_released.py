#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have released what they made: their layouts fit all the same."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))
from harness import main  # noqa: E402
from released import ReleasedCase  # noqa: E402


class Released(ReleasedCase):
    def test_all_released(self) -> None:
        self.look(10, 10, is_kept=False, with_core=False)

    def test_last_kept(self) -> None:
        self.look(10, 10, is_kept=True, with_core=False)


class TestPocl(Released):
    runtime = "pocl"


class TestOclgrind(Released):
    runtime = "oclgrind"


class TestRusticl(Released):
    runtime = "rusticl"


del Released, ReleasedCase  # they are of no runtime


if __name__ == "__main__":
    main()
