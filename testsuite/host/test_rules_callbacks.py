#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of callbacks: reported where they are broken, and only there."""

from __future__ import annotations

import rule_tests
from harness import main
from rule_cases import CALLBACKS


class TestPocl(rule_tests.RuleTests):
    cases = CALLBACKS
    runtime = "pocl"


class TestRusticl(rule_tests.RuleTests):
    cases = CALLBACKS
    runtime = "rusticl"


if __name__ == "__main__":
    main()
