#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of memory objects and host memory: reported where they are broken, and only there."""

from __future__ import annotations

import rule_tests
from harness import main
from rule_cases import MEMORY


class TestPocl(rule_tests.RuleTests):
    cases = MEMORY
    runtime = "pocl"


class TestRusticl(rule_tests.RuleTests):
    cases = MEMORY
    runtime = "rusticl"


if __name__ == "__main__":
    main()
