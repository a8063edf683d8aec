# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of rules: schema/rules.def, and the test programs that break each rule, as
rule_programs.py prints them."""

import re
from typing import Dict, List, NamedTuple

import generate
from man_roff import FIELDS, RULES, escape, head, prose, see_also

SUMMARY = "the rules of OpenCL and Embree that ompd-opencl checks"

INTRODUCTION = (
    "`ompd-opencl check` reports a mistake where a program breaks one of these rules, and a note "
    "where something is allowed but often unintended. A mistake is certain, or presumed if a "
    "layout or a stack is the only evidence. A note does not change the exit code; but "
    "`ompd-opencl run` also counts mappings that were never unmapped, and exits with 1 if there "
    "are any.",
    "`ompd-opencl run` and cores also have the mistakes that the recorder recorded during the "
    "whole life of the program, with both places. A finding is never a guess: where a fact is "
    "missing, nothing is reported.",
    "Each entry has the name of the rule in JSON, what the rule is about, and the clause of the "
    "specification. The sentence of the finding follows. Names in italics stand for objects, "
    "places and values; parts whose facts are unknown are left out. The last line names test "
    "programs of the source tree, `testsuite/programs/PROGRAM CASE wrong`, that break the rule; "
    "with `right` they do the same correctly, and no finding may appear.",
)

# What reports a rule, by its word in schema/rules.def.
NEEDS = {
    "nothing": "",
    "embree": "",
    "recorder": "needs the recorder",
    "thorough": "needs the recorder with OMPD_OPENCL_CHECK=thorough",
}


# Rules of earlier versions, whose numbers are not used again.
NOT_REPORTED = ("host-memory-shared", "sub-buffers-overlap")

SECTIONS = ("MISTAKES IN THE USE OF OPENCL", "NOTES ABOUT THE USE OF OPENCL", "EMBREE")


class Rule(NamedTuple):
    """One rule."""

    level: str
    needs: str
    word: str
    meaning: str
    clause: str
    sentence: str


class Program(NamedTuple):
    """A test program that breaks a rule."""

    rule: str
    program: str
    case: str
    sentence: str


def _read_rules() -> List[Rule]:
    """Read the table, whose first columns are numbers and names for C."""
    return [Rule(*line.arguments[2:]) for line in generate.table("schema/rules.def")]


def _read_programs(path: str) -> List[Program]:
    with open(path, encoding="utf-8") as file:
        return [Program(*line.rstrip("\n").split("\t")) for line in file]


def _section(rule: Rule) -> str:
    """Return the title of the section that the rule is in."""
    if rule.needs == "embree":
        return SECTIONS[2]
    return SECTIONS[0] if rule.level == "mistake" else SECTIONS[1]


def _sentence(text: str) -> str:
    """Render a phrase of schema/rules.def, or the sentence of a test, with names in italics."""
    text = re.sub(r"\{[@&]([^}]*)\}", r"\1 at {place} by {thread}", text)
    text = re.sub(r" <[^>]*>|[][~]", "", text)
    text = re.sub(r"\b(\w+ at )?[\w-]+\.c:(N|\{\w+\})", "{place}", text)
    text = re.sub(r"(on the stack of|by|in|while|^) ?LWP\b", r"\1 {thread}", text).strip()
    text = re.sub(r"\bLWP\b", "{thread}", text).replace("PID", "{process}")
    text = re.sub(r"\d+ B \((about )?[\d.]+ \w+\)|\b\d+ B\b", "{size}", text)
    text = escape(text)
    return re.sub(r"\{(\w+)\}", lambda name: rf"\fI{escape(name[1])}\fP", text)


def _cases(programs: List[Program]) -> str:
    """Render the cases of each program."""
    names = sorted({one.program for one in programs}, key=[one.program for one in programs].index)
    texts = []
    for name in names:
        cases = ", ".join(one.case for one in programs if one.program == name)
        texts.append(f"\\fB{escape(name)}\\fP ({escape(cases)})")
    return ", ".join(texts)


def _entry(rule: Rule, programs: List[Program]) -> List[str]:
    facts = ", ".join(filter(None, (rule.level, NEEDS[rule.needs])))
    lines = [".TP", f'.BR {escape(rule.word)} " ({escape(facts)})"']
    lines.append(escape(rule.meaning[0].upper() + rule.meaning[1:]) + ".")
    if rule.clause:
        name = "Embree" if rule.needs == "embree" else "OpenCL 3.0"
        lines += [".br", f"{name}, {prose(rule.clause, [])}."]
    if rule.word in NOT_REPORTED:
        lines += [".br", "This version does not report it, because both uses may be correct."]
    sentence = rule.sentence or (programs[0].sentence if programs else "")
    if sentence:
        lines += [".br", f"\\(lq{_sentence(sentence)}.\\(rq"]
    if programs:
        lines += [".br", f"Tested by {_cases(programs)}."]
    return lines


def rules_text(path: str, version: str) -> List[str]:
    """Write the page. A test of an unknown rule is an error."""
    rules = _read_rules()
    programs: Dict[str, List[Program]] = {rule.word: [] for rule in rules}
    for program in _read_programs(path):
        if program.rule not in programs:
            raise SystemExit(f"{path}: there is no rule '{program.rule}'")
        programs[program.rule].append(program)
    lines = head([RULES], 7, version, SUMMARY) + [".SH DESCRIPTION"]
    for text in INTRODUCTION:
        lines += [".PP", prose(text, [])]
    for title in SECTIONS:
        lines.append(f".SH {title}")
        for rule in rules:
            if _section(rule) == title:
                lines += _entry(rule, programs[rule.word])
    return lines + see_also(
        "ompd-opencl(1)",
        "ompd-opencl-gdb(7)",
        "ompd-opencl-lldb(7)",
        "ompd-opencl-recorder(7)",
        f"{FIELDS}(7)",
    )
