#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No finding, and no "perhaps", on programs that make no mistake.

    innocent.py [--write] [NAME...]

Each program is run by `ompd-opencl run`, and once more under the recorder and without it, where it
is stopped five times and `check`, `waits` and `leaks` are asked.  NAMEs are of programs or groups;
without any all are tried.  --write brings doc/innocent.md up to date.
"""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from typing import Dict, List, NamedTuple, Tuple

from command import COMMAND, INCOMPLETE, OK
from fitting import LAYOUT_PATH, fitting_layout
from harness import BUILD, RECORDER, SOURCE, environment, program, work_folder
from innocent_programs import LEFT_OUT, RUNTIME, Innocent, innocents, libraries, prepare, unpack

STOPS = 5
VERBS = ("check", "waits", "leaks")
LONGEST = 240  # seconds that a program may take, stops included
LEAST = 60  # programs that nobody here wrote

_ACCUSES = re.compile(
    r"^.*(?:\b(?:Certain|Presumed): |\bMistake\b|\b[Pp]erhaps\b).*$", re.MULTILINE
)
_LEAKED = re.compile(r"^Leaked: .*$", re.MULTILINE)
_LEAVES = re.compile(r"^(?:Left alive|Alive when it died|Never unmapped): ", re.MULTILINE)
_REFUSED = re.compile(r"^Refused calls: .*\n(?:  .*\n)*", re.MULTILINE)

# What became of each program when it was tried last, so that all can be tried in pieces.
_OUTCOMES = os.path.join(BUILD, "testsuite", "innocent", "outcomes.json")

# What pauses.c counts and is told: calls, and at which to stop.
_PAUSES = struct.Struct("65Q")


class Outcome(NamedTuple):
    """What became of one program."""

    innocent: Innocent
    stops: int
    accusations: List[str]
    forgets: bool  # it leaves objects when it ends, as `run` says
    refused: bool  # calls of its are refused, as it wants
    partly: int  # answers that say that not all could be looked at
    seconds: float


class Trial:
    """One program, and what is said of it."""

    def __init__(self, innocent: Innocent) -> None:
        self.innocent = innocent
        self.folder = work_folder("innocent-" + RUNTIME)
        self.pauses = os.path.join(self.folder, "pauses")
        self.report = os.path.join(self.folder, "report")
        self.accusations: List[str] = []
        self.forgets = False
        self.refused = False
        self.stops = 0
        self.partly = 0  # answers that say that not all could be looked at

    def _variables(self, recorder: bool, stops: List[int]) -> Dict[str, str]:
        """The environment of a program that stops at these calls."""
        result = environment(RUNTIME, recorder=False)
        result.pop("PYTHONPATH", None)
        result["LD_LIBRARY_PATH"] = libraries()
        result["OMPD_OPENCL_LAYOUT_PATH"] = LAYOUT_PATH
        result["OMPD_OPENCL_RECORDER"] = RECORDER
        layers = [RECORDER] * recorder + [program("innocent/.libs/libinnocent-pauses.so")]
        result["OPENCL_LAYERS"] = ":".join(layers)
        with open(self.pauses, "wb") as file:
            file.write(_PAUSES.pack(0, *stops, *[0] * (64 - len(stops))))
        result["INNOCENT_PAUSES"] = self.pauses
        result.update(self.innocent.variables)
        return result

    def _calls(self) -> int:
        with open(self.pauses, "rb") as file:
            return int(_PAUSES.unpack(file.read())[0])

    def _ask(self, words: List[str], variables: Dict[str, str]) -> Tuple[int, str]:
        """The exit code of the command, and what it says."""
        try:
            done = subprocess.run(
                [COMMAND, *words],
                env=variables,
                cwd=self.innocent.folder,
                stdin=self._input(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.accusations.append("`%s` did not end in %d s" % (" ".join(words), LONGEST))
            return 0, ""
        return done.returncode, done.stdout.decode(errors="replace")

    def _input(self) -> int:
        """The end of a pipe that has some lines, which twins wait for."""
        reading, writing = os.pipe()
        os.write(writing, b"\n" * 4)
        os.close(writing)
        return reading

    def _accuse(self, said: str) -> None:
        found = [line.strip() for line in _ACCUSES.findall(said)]
        if not self.forgets:
            found += _LEAKED.findall(said)
        self.accusations += found

    def run(self) -> None:
        """Have the command run it."""
        variables = self._variables(False, [])
        del variables["OPENCL_LAYERS"]
        code, _ = self._ask(["run", "--output", self.report, *self.innocent.words], variables)
        with open(self.report, encoding="utf-8", errors="replace") as file:
            report = file.read()
        # What a program leaves when it ends it has lost before; that is no false word.
        self.forgets = _LEAVES.search(report) is not None
        self._accuse(re.sub(_LEAKED, "", report))
        refused = _REFUSED.search(report)
        self.refused = refused is not None
        if refused is not None and not self.innocent.refuses:
            self.accusations += refused.group().splitlines()
        has_reason = self.forgets or self.refused or self.innocent.status != 0
        if code != 0 and not has_reason:
            self.accusations.append("`run` returned %d" % code)

    def _start(self, recorder: bool, stops: List[int]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self.innocent.words,
            env=self._variables(recorder, stops),
            cwd=self.innocent.folder,
            stdin=self._input(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _comes_to_stop(self, process: "subprocess.Popen[bytes]") -> bool:
        """Wait until it stops or ends."""
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            was_killed = os.WIFSIGNALED(status)
            process.returncode = -os.WTERMSIG(status) if was_killed else os.WEXITSTATUS(status)
        return os.WIFSTOPPED(status)

    def _go(self, recorder: bool, stops: List[int]) -> None:
        """Run it, and ask at its stops."""
        process = self._start(recorder, stops)
        limit = threading.Timer(LONGEST, process.kill)
        limit.start()
        while self._comes_to_stop(process):
            for verb in VERBS:
                self._ask_of(process.pid, verb)
            self.stops += 1
            process.send_signal(signal.SIGCONT)
        limit.cancel()
        if process.returncode != self.innocent.status:
            said = "it ended with status %d, not %d"
            self.accusations.append(said % (process.returncode, self.innocent.status))

    def _ask_of(self, pid: int, verb: str) -> None:
        """Ask VERB of the process, which stands still."""
        code, said = self._ask(["--pid", str(pid), verb], self._variables_of_command())
        before = len(self.accusations)
        self._accuse(said)
        # That not all could be looked at is no accusation.
        self.partly += code == INCOMPLETE
        is_known = code in (OK, INCOMPLETE) or (verb == "leaks" and self.forgets)
        if len(self.accusations) == before and not is_known:
            self.accusations.append("`%s` returned %d: %s" % (verb, code, said.strip()))

    def _variables_of_command(self) -> Dict[str, str]:
        return dict(environment(RUNTIME, recorder=False), OMPD_OPENCL_LAYOUT_PATH=LAYOUT_PATH)

    def stop(self) -> None:
        """Stop it, as often as it calls OpenCL, but no more than five times each way."""
        self._go(True, [])
        calls = self._calls()
        stops = sorted({max(1, calls * (i + 1) // (STOPS + 1)) for i in range(STOPS)})
        for recorder in (True, False):
            self._go(recorder, stops if calls else [])


def judge(innocent: Innocent) -> Outcome:
    """Run a program, and ask about it."""
    prepare(innocent)
    began = time.monotonic()
    trial = Trial(innocent)
    trial.run()
    trial.stop()
    if trial.stops == 0:
        trial.accusations.append("it never called OpenCL")
    seconds = time.monotonic() - began
    accusations = sorted(set(trial.accusations))
    facts = (trial.forgets, trial.refused, trial.partly)
    return Outcome(innocent, trial.stops, accusations, *facts, seconds)


def _saved() -> Dict[str, Dict[str, int]]:
    """What became of each program when it was tried last."""
    if not os.path.exists(_OUTCOMES):
        return {}
    with open(_OUTCOMES, encoding="utf-8") as file:
        saved: Dict[str, Dict[str, int]] = json.load(file)
    return saved


def _save(outcome: Outcome) -> None:
    saved = _saved()
    saved[outcome.innocent.name] = {
        "programs": 1,
        "stops": outcome.stops,
        "accused": int(outcome.accusations != []),
        "forgets": int(outcome.forgets),
        "refused": int(outcome.refused),
        "partly": outcome.partly,
    }
    os.makedirs(os.path.dirname(_OUTCOMES), exist_ok=True)
    with open(_OUTCOMES, "w", encoding="utf-8") as file:
        json.dump(saved, file, indent=1)


_HEAD = """\
# Correct programs

ompd-opencl must not accuse a correct program. `make -C build check-long PART=innocent` runs the
programs below on PoCL: once with `ompd-opencl run`, once under the recorder and once without it. At
up to five stops of each run, `check`, `waits` and `leaks` must report no finding and no "perhaps".
All programs come from Debian's packages, except the twins. A twin is the correct version of a test
program of this project that makes a mistake.

`make -C build check-innocent INNOCENT='piglit waiting'` runs only some groups or programs.
`make -C build innocent-table` runs all of them and writes this file.

| Group | Programs | Stops | Accused | Leave objects | Have calls refused | Partial answers |
|---|---|---|---|---|---|---|
"""

_TRUE = """
`run` reports objects that a program leaves when it ends, and calls that the runtime refused, which
some tests provoke on purpose. It then returns 1. These reports are true, so they are not counted as
accusations. An answer is partial when something could not be read, for example because a thread was
creating an object at that moment.
"""


def _write(every: List[Innocent]) -> None:
    """Bring the document up to date."""
    saved = _saved()
    groups: Dict[str, List[str]] = {}
    for innocent in every:
        groups.setdefault(innocent.group, []).append(innocent.name)
    text = _HEAD
    for group, names in [*groups.items(), ("all", [one.name for one in every])]:
        keys = ("programs", "stops", "accused", "forgets", "refused", "partly")
        counts = [sum(saved[name][key] for name in names) for key in keys]
        text += "| %s | %s |\n" % (group, " | ".join(map(str, counts)))
    text += _TRUE
    for group, names in groups.items():
        listed = "**%s**: %s" % (group, ", ".join("`%s`" % name for name in names))
        text += "\n%s\n" % "\n".join(textwrap.wrap(listed, 100, break_on_hyphens=False))
    text += "\n## Left out\n\n| Program | Why |\n|---|---|\n"
    text += "".join("| `%s` | %s |\n" % item for item in sorted(LEFT_OUT.items()))
    with open(os.path.join(SOURCE, "doc", "innocent.md"), "w", encoding="utf-8") as file:
        file.write(text)


def main() -> int:
    """Try them all."""
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    unpack()
    fitting_layout(RUNTIME)
    outcomes = []
    for innocent in innocents():
        if names and not any(name in (innocent.group, innocent.name) for name in names):
            continue
        outcome = judge(innocent)
        outcomes.append(outcome)
        if RUNTIME == "pocl":
            _save(outcome)
        verdict = "ACCUSED" if outcome.accusations else "ok"
        verdict += ", leaves objects" * outcome.forgets + ", refused" * outcome.refused
        verdict += ", partly" * (outcome.partly != 0)
        words = (innocent.group, innocent.name, outcome.stops, outcome.seconds, verdict)
        print("%-9s %-48s %2d stops %5.1f s  %s" % words, flush=True)
        for line in outcome.accusations:
            print("    %s" % line, flush=True)
    accused = [outcome for outcome in outcomes if outcome.accusations]
    others = sum(not outcome.innocent.is_own for outcome in outcomes)
    stops = sum(outcome.stops for outcome in outcomes)
    print(
        "%d programs, %d of others, %d stops: %d accused"
        % (len(outcomes), others, stops, len(accused))
    )
    if "--write" in sys.argv:
        _write(list(innocents()))
    if not names and others < LEAST:
        print("FAIL: fewer than %d programs of others" % LEAST)
        return 1
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main())
