# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a core of a known bug, evaluate it with triage and GDB, and delete it."""

from __future__ import annotations

import fcntl
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from types import TracebackType
from typing import Dict, List, NamedTuple, Optional, Type

import kernel_core
import seeded_variants
from command import run
from harness import GDB, Row, environment
from seeded_bugs import HANGS, RULES, Bug
from seeded_variants import Variant

LONGEST = 600  # seconds that a program may take to its end, on however busy a machine
WRITES_CORE = ["prlimit", "--core=unlimited:"]
ENDS_WITH_US = ["setpriv", "--pdeathsig", "KILL"]
PART = 0.6  # of a core that is cut off
FRAMES = 5  # of GDB's

# Ends when we do, in whatever way: its standard input does.  A kernel may still write a core there.
REMOVER = 'cat; while test -e "$1"; do rm -rf "$1"; done'


class Folder:
    """A folder for cores, which is removed when this process ends, however that is."""

    def __init__(self, parent: str) -> None:
        os.makedirs(parent, exist_ok=True)
        self._remove_stale(parent)
        self.path = tempfile.mkdtemp(prefix="cores-", dir=parent)
        self._lock = os.open(self.path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._remover = subprocess.Popen(
            ["sh", "-c", REMOVER, "sh", self.path], stdin=subprocess.PIPE, start_new_session=True
        )

    @staticmethod
    def _remove_stale(parent: str) -> None:
        """Remove folders whose process and remover were killed, as after a power failure."""
        for name in os.listdir(parent):
            if not name.startswith("cores-"):
                continue
            folder = os.open(os.path.join(parent, name), os.O_RDONLY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(os.path.join(parent, name))
            except BlockingIOError:
                pass  # another one is at work
            finally:
                os.close(folder)

    def __enter__(self) -> str:
        return self.path

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        assert self._remover.stdin is not None
        self._remover.stdin.close()
        self._remover.wait()
        os.close(self._lock)


# Threads that make cores take turns to write a file.
_LOCK = threading.Lock()
_environment = functools.lru_cache(maxsize=None)(environment)


class NotMade(Exception):
    """The bug does not end so here; the text says how it did."""


class Seed(NamedTuple):
    """A core that is to be."""

    bug: Bug
    variant: Variant
    program: str  # that was built
    folder: str  # where the core comes

    def variables(self) -> Dict[str, str]:
        """The environment."""
        with _LOCK:
            result = _environment(self.variant.runtime, self.variant.recorder)
        return dict(result, **dict(self.variant.variables))

    def line(self) -> List[str]:
        """The command line of the program."""
        return [*ENDS_WITH_US, *self.variant.words, self.program, *self.bug.words]


def kernel_writes() -> bool:
    """Whether the kernel writes a core into the folder of a crashing program."""
    return not kernel_core.pattern().startswith("|") and "/" not in kernel_core.pattern()


def _gdb(commands: List[str], words: List[str], seed: Seed) -> str:
    line = [GDB, "-batch", "-nx", "-iex", "set debuginfod enabled off"]
    for command in commands:
        line += ["-ex", command]
    done = subprocess.run(
        [*ENDS_WITH_US, *line, *words],
        cwd=seed.folder,
        env=seed.variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=LONGEST,
        check=False,
    )
    return done.stdout.decode(errors="replace")


def _die(seed: Seed) -> str:
    """The core of a program that dies."""
    if seed.variant.kept == "again" or not kernel_writes():
        core = os.path.join(seed.folder, "core")
        commands = ["set disable-randomization off", "run", "gcore " + core, "kill"]
        _gdb(commands, ["--args", seed.program, *seed.bug.words], seed)
        if not os.path.exists(core):
            raise NotMade("it did not die")
        return core
    done = subprocess.run(
        [*WRITES_CORE, *seed.line()],
        cwd=seed.folder,
        env=seed.variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=LONGEST,
        check=False,
    )
    if -done.returncode not in seed.bug.signals:
        raise NotMade("it ended with %d" % done.returncode)
    (core,) = os.listdir(seed.folder)
    return os.path.join(seed.folder, core)


def _hang(seed: Seed) -> str:
    """The core of a program that hangs."""
    core = os.path.join(seed.folder, "core")
    with subprocess.Popen(
        seed.line(),
        cwd=seed.folder,
        env=seed.variables(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        limit = threading.Timer(LONGEST, process.kill)
        limit.start()
        try:
            told = process.stdout.readline()
            if not told:
                raise NotMade("it did not hang")
            pid = str(json.loads(told)["lwp"])
            if seed.variant.kept == "again":
                _gdb(["gcore " + core], ["-p", pid], seed)
            else:
                run(["--pid", pid, "save", core], seed.variables())
        finally:
            limit.cancel()
            process.kill()
    if not os.path.exists(core):
        raise NotMade("no core was written")
    return core


def make(seed: Seed) -> str:
    """The path of the core."""
    core = _hang(seed) if HANGS in seed.bug.signals else _die(seed)
    if seed.variant.kept == "part":
        os.truncate(core, int(os.path.getsize(core) * PART))
    return core


def top_frames(seed: Seed, core: str) -> Optional[str]:
    """The functions of GDB's first frames; none where it knows no name."""
    # Names of the compilers' libraries, which are on none of the stacks, take GDB most of its time.
    commands = ["sharedlibrary /lib%s[^/]*$" % name for name in ("[^Lc]", "c[^l]", "OpenCL")]
    words = ["-iex", "set auto-solib-add off", seed.program, core]
    output = _gdb([*commands, "bt %d" % FRAMES], words, seed)
    # It shows the first frame before it is asked, too.
    output = output[output.rfind("\n#0 ") + 1 :]
    names = re.findall(r"(?m)^#\d+ +(?:0x[0-9a-f]+ in )?(<[^>]*>|[^ (]+)", output)
    return " | ".join(names) if any(name != "??" for name in names) else None


def write_rules(folder: str) -> None:
    """Write the rules of a team into FOLDER, which XDG_DATA_HOME names then."""
    path = os.path.join(folder, "ompd-opencl", "signature.rules")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(RULES)


def verdict(seed: Seed, core: str, rules: str = "") -> Row:
    """The verdict of triage, with the rules of a team in a folder or without."""
    variables = seed.variables()
    if rules:
        variables["XDG_DATA_HOME"] = rules
    (row,) = run(["triage", "--json", core], variables).objects()
    return row


def judge(bug: Bug, name: str, variant: Variant, builds: str, folder: str, asks_gdb: bool) -> Row:
    """The result for a bug in a variant called NAME: its keys, or why there is no core.  BUILDS
    caches programs.  FOLDER has the core as long as it is needed, and may have rules of a team."""
    rules = os.path.join(folder, "rules")
    told: Row = {"bug": bug.name(), "truth": bug.truth, "variant": name}
    place = tempfile.mkdtemp(dir=folder)
    try:
        program = seeded_variants.build(variant.build, bug.program, builds)
        seed = Seed(bug, variant, program, place)
        core = make(seed)
        told["size"] = os.path.getsize(core)
        row = verdict(seed, core)
        for key in ("signature", "signature_text", "signature_coarse", "class", "seconds"):
            told[key] = row.get(key)
        if os.path.isdir(rules):
            row = verdict(seed, core, rules)
            told["team_text"], told["team_coarse"] = row["signature_text"], row["signature_coarse"]
        told["top_frames"] = top_frames(seed, core) if asks_gdb else None
    except NotMade as reason:
        told["why"] = str(reason)
    except subprocess.TimeoutExpired:
        told["why"] = "it did not end"
    finally:
        shutil.rmtree(place)
    return told


def end_by_signals() -> None:
    """Let signals that end this process politely act like an interrupt, so that everything is
    cleaned up."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
