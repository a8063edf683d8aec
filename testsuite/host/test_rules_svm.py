#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of shared virtual memory: reported where they are broken, and only there."""

from __future__ import annotations

import rule_tests
from harness import main
from rule_cases import SVM


class TestPocl(rule_tests.RuleTests):
    cases = SVM
    runtime = "pocl"


if __name__ == "__main__":
    main()
