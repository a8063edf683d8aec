#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of programs that have released their objects still match."""

from __future__ import annotations


from harness import main
from released import ReleasedCase


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
