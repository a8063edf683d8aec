#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No finding, and no "perhaps", on programs that make no mistake.

    innocent.py [--write] [NAME...]

Each program is run by `ompd-opencl run`, and once more under the recorder, where it is stopped five
times and `check`, `waits` and `leaks` are asked.  NAMEs are parts of names of programs; without any
all are tried.  --write brings doc/innocent.md up to date.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from typing import Dict, List, NamedTuple, Tuple

from command import COMMAND
from harness import RECORDER, SOURCE, environment
from innocent_programs import Innocent, innocents, libraries, unpack

STOPS = 5
VERBS = ("check", "waits", "leaks")
LONGEST = 60  # seconds that a program may take
LEAST = 60  # programs that nobody here wrote

_ACCUSES = re.compile(
    r"^.*(?:\b(?:Certain|Presumed): |\bMistake\b|\b[Pp]erhaps\b).*$", re.MULTILINE
)
_LEAKED = re.compile(r"^Leaked: .*$", re.MULTILINE)

_UNENDED = "Mistake: it did not end"

# These sentences are true of their programs: a part of each, and the reason.
_GUILTY: Dict[str, Tuple[str, str]] = {}


class Outcome(NamedTuple):
    """What became of one program."""

    innocent: Innocent
    stops: int
    accusations: List[str]
    seconds: float


def _variables(innocent: Innocent) -> Dict[str, str]:
    result = environment("pocl", recorder=False)
    result.pop("PYTHONPATH", None)
    result["LD_LIBRARY_PATH"] = libraries()
    result["OMPD_OPENCL_RECORDER"] = RECORDER
    result.update(innocent.variables)
    return result


def _ask(words: List[str], variables: Dict[str, str], folder: str) -> str:
    """What the command says."""
    try:
        done = subprocess.run(
            [COMMAND, *words],
            env=variables,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=4 * LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "%s: `%s`, after %d s" % (_UNENDED, " ".join(words), 4 * LONGEST)
    return done.stdout.decode(errors="replace")


def _report(innocent: Innocent, variables: Dict[str, str]) -> str:
    """The report of `run`."""
    path = os.path.join(environment("pocl")["POCL_CACHE_DIR"], "innocent.report")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8"):
        pass
    said = _ask(["run", "--output", path, *innocent.words], variables, innocent.folder)
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read() + (said if said.startswith(_UNENDED) else "")


def _start(innocent: Innocent, variables: Dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        innocent.words,
        env=dict(variables, OPENCL_LAYERS=RECORDER),
        cwd=innocent.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGCONT)
    try:
        process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _stop(process: "subprocess.Popen[bytes]", variables: Dict[str, str]) -> List[str]:
    """What is said at a stop, verb by verb; nothing once the program has ended."""
    if process.poll() is not None:
        return []
    process.send_signal(signal.SIGSTOP)
    words = ["--pid", str(process.pid)]
    said = [_ask([*words, verb], variables, "/") for verb in VERBS]
    process.send_signal(signal.SIGCONT)
    return said


def _accusations(innocent: Innocent, said: str, forgets: bool) -> List[str]:
    found = [line.strip() for line in _ACCUSES.findall(said)]
    if not forgets:
        found += _LEAKED.findall(said)
    part = _GUILTY.get(innocent.name, ("\n", ""))[0]
    return [line for line in found if part not in line]


def _seconds(innocent: Innocent, variables: Dict[str, str]) -> float:
    """How long it takes under the recorder, once what it compiles is in its cache."""
    began = time.monotonic()
    _end(_start(innocent, variables))
    return time.monotonic() - began


def judge(innocent: Innocent) -> Outcome:
    """Run a program, and ask about it."""
    began = time.monotonic()
    variables = _variables(innocent)
    report = _report(innocent, variables)
    # What a program leaves when it ends it has lost before; that is no false word.
    forgets = "Left alive: " in report
    accusations = _accusations(innocent, report, True)
    seconds = _seconds(innocent, variables)
    process = _start(innocent, variables)
    stops = 0
    for _ in range(STOPS):
        time.sleep(seconds / (STOPS + 1))
        said = _stop(process, variables)
        stops += said != []
        for answer in said:
            accusations += _accusations(innocent, answer, forgets)
    _end(process)
    return Outcome(innocent, stops, accusations, time.monotonic() - began)


def _write(outcomes: List[Outcome]) -> None:
    """Bring the document up to date."""
    groups: Dict[str, List[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.innocent.group, []).append(outcome)
    lines = [
        "# Correct programs",
        "",
        "`make -C build check-long PART=innocent` runs these programs under the recorder on",
        "PoCL, by `ompd-opencl run`, and asks `check`, `waits` and `leaks` at up to five stops of",
        "each, as many as there is time for:",
        'there is to be no finding and no "perhaps".  All but the twins come from packages of',
        "Debian; the twins are this tree's own programs that do rightly what others do wrong.",
        "",
        "| Programs | How many | Stops | Accused |",
        "|---|---|---|---|",
    ]
    for group, those in groups.items():
        accused = sum(outcome.accusations != [] for outcome in those)
        stops = sum(outcome.stops for outcome in those)
        lines.append("| %s | %d | %d | %d |" % (group, len(those), stops, accused))
    for group, those in groups.items():
        names = ", ".join("`%s`" % outcome.innocent.name for outcome in those)
        lines += ["", "**%s**: %s" % (group, names)]
    if _GUILTY:
        lines += ["", "Of these what is said is true:", ""]
        lines += ["* `%s`: %s" % (name, why) for name, (_, why) in sorted(_GUILTY.items())]
    with open(os.path.join(SOURCE, "doc", "innocent.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main() -> int:
    """Try them all."""
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    unpack()
    outcomes = []
    for innocent in innocents():
        if names and not any(name in innocent.name for name in names):
            continue
        outcome = judge(innocent)
        outcomes.append(outcome)
        verdict = "ACCUSED" if outcome.accusations else "ok"
        words = (innocent.group, innocent.name, outcome.stops, outcome.seconds, verdict)
        print("%-9s %-48s %d stops %5.1f s  %s" % words, flush=True)
        for line in sorted(set(outcome.accusations)):
            print("    %s" % line, flush=True)
    accused = [outcome for outcome in outcomes if outcome.accusations]
    others = sum(not outcome.innocent.is_own for outcome in outcomes)
    stops = sum(outcome.stops for outcome in outcomes)
    print(
        "%d programs, %d of others, %d stops: %d accused"
        % (len(outcomes), others, stops, len(accused))
    )
    if "--write" in sys.argv:
        _write(outcomes)
    if not names and others < LEAST:
        print("FAIL: fewer than %d programs of others" % LEAST)
        return 1
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main())
