# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test programs that break each rule, and the sentence that is expected for them.

As a script it prints them for the manual: a line each, "RULE PROGRAM CASE SENTENCE", with tabs.
"""

from __future__ import annotations

from typing import List, NamedTuple

import embree_mistakes
import mistakes
import rule_cases


class RuleProgram(NamedTuple):
    """A case of a program that breaks a rule."""

    rule: str
    program: str
    case: str
    sentence: str  # with the names of expected values in braces


# Their sentences are in late_calls.py, and have no rule there.
_LATE = (
    RuleProgram(
        "call-in-exit",
        "waiting",
        "in-exit",
        "LWP is in clFinish ({queue}) within exit(), when the runtime may already have shut down",
    ),
    RuleProgram(
        "call-after-fork",
        "waiting",
        "after-fork",
        "LWP is in clFinish ({queue}) in a process that was forked from process PID after that had "
        "used OpenCL; the runtime's threads do not exist here",
    ),
)


def all_programs() -> List[RuleProgram]:
    """All of them; those of rule_cases.py first."""
    programs = [
        RuleProgram(case.rule, "rules", case.case, case.sentence) for case in rule_cases.ALL
    ]
    programs += [
        RuleProgram(one.rule, "mistake", name, one.sentence + one.places)
        for name, one in mistakes.MISTAKES.items()
    ]
    programs += [
        RuleProgram(one.rule, "embree", one.scenario, one.sentence)
        for one in embree_mistakes.MISTAKES
    ]
    return programs + list(_LATE)


if __name__ == "__main__":
    for row in all_programs():
        print("\t".join(row))
