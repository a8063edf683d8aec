#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that the transcripts in the documents are what GDB, LLDB and ompd-opencl print.

usage: transcripts.py [--worked | --write]

A transcript is a block of the form

    <!-- transcript: live -->
    ```console
    (gdb) opencl
    ...
    ```

The lines that begin with the prompt are its commands.  The name in the comment says who answers:

    live              GDB, with the demo's program stopped
    core              GDB, with the core of that program
    unprepared        GDB, with the program run without the recorder
    unprepared-core   GDB, with the core of that
    waiting           GDB, with a program whose threads wait
    gone              GDB, with a program that has released its objects
    ledger            GDB, with a program that retains and releases objects
    leaking           GDB, with a program that leaks objects
    growing           GDB, with the same program, after a snapshot before the leak
    none              GDB, without a program
    a name of WORKED  GDB, with a program that makes this mistake
    lldb              LLDB, with the core; the prompt is `(lldb) `
    command           ompd-opencl, beside the core; the prompt is `$ `
    program           ompd-opencl, beside the demo's programs
    hang              ompd-opencl, with a process that hangs, which the document calls 4711
    crash             ompd-opencl, beside the core of a program that crashed
    embree            ompd-opencl, with a process that uses Embree 3, which the document calls 4711

Answers are compared without what differs between runs and machines: addresses, process and thread
numbers, times, builds of the runtime, the debugger's own memory, and blanks.  All transcripts of a
process in one document are of one run, so that a reader can follow a handle from one to the next:
addresses that are equal in the document must be equal in the answers.  With another version of
PoCL than the documents', a layout may tell other facts, and callbacks may run on other threads.

--worked compares the transcripts of mistakes; without it the others are compared.  --write updates
the documents.
"""

import difflib
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from typing import Dict, List, NamedTuple, Tuple

SOURCE = os.environ["TOP_SRCDIR"]
BUILD = os.environ["TOP_BUILDDIR"]
DEMO = os.path.join("testsuite", "programs", "demo")
sys.path.insert(0, os.path.join(SOURCE, DEMO))
from gdb_runner import Demo, demo_from_arguments  # noqa: E402

DOCUMENTS = (
    "README.md",
    "doc/guide-users.md",
    "doc/cookbook.md",
    "doc/reference-users.md",
    "doc/guide-vendors.md",
)
BLOCK = re.compile(r"<!-- transcript: ([a-z-]+) -->\n```console\n(.*?)```\n", re.DOTALL)
COMMAND = os.path.join(BUILD, "ompd-opencl")
LLDB = shutil.which(os.environ.get("LLDB") or "lldb-19") or shutil.which("lldb")
ELSEWHERE = "/srv/app"  # where the documents have the demo's program
ADDRESS = re.compile(r"0x[0-9a-f]+")
RUN_BY_RUN = (
    (re.compile(r"\b(LWP|process|pid)\s+\d+"), r"\1 N"),
    (re.compile(r"\(thread \d+\)"), "(thread N)"),
    (re.compile(r"(Not seen in OpenCL: thread)s? [\d, -]+"), r"\1 N"),
    (re.compile(r"\b(held(?: at most)?)\s+\d+ B.*"), r"\1 N"),
    (re.compile(r"\b(allocations and frees)\s+\d+"), r"\1 N"),
    (re.compile(r'("(?:lwp|running_lwp|pid)": )\d+'), r"\1N"),
    (re.compile(r"(Core of ).*/"), r"\1"),
    (re.compile(r"[\d-]+ [\d:.]+ UTC(, host \S+)?"), "TIME"),
    (re.compile(r"\b(memory saved: ).*"), r"\1N"),
    (re.compile(r"\b[0-9a-f]{40}\b|(?<=build-id )[0-9a-f]{8}"), "BUILD"),
    (re.compile(r"\nStale copies at \d+ places? in .*"), ""),
    (re.compile(r"[-─]{3,}"), "---"),
    (re.compile(r"[ \t]+"), " "),
)
RUNTIME = re.compile(r"Portable Computing Language [^,(\s]+")
VERSION_BY_VERSION = (
    (RUNTIME, "Portable Computing Language"),
    (re.compile(r"\blibpocl\.so[.\d]*"), "libpocl.so"),
    (re.compile(r"(runtime's references) +\d+"), r"\1 N"),
    (re.compile(r"(running \(LWP N, thread) \d+"), r"\1 N"),
)

# Their answers depend on the version of PoCL.
OF_VERSION = ("unprepared", "unprepared-core", "waiting", "gone")

# Their rows come in another order at each run.
UNORDERED = ("unprepared", "unprepared-core", "waiting")

# Mistakes in the cookbook, and the program that makes each.
WORKED = {
    "host-freed": "mistake",
    "user-data-freed": "mistake",
    "user-finish": "waiting",
    "over-release": "mistake",
    "svm-used-by-kernel": "mistake",
    "read-after-release": "mistake",
    "build-error": "mistake",
}

# Mistakes that the command finds, and what makes each.
HANG = ("waiting", "user-finish wrong stay")
CRASH = ("mistake", "over-release-destroyed wrong")
# The program that uses Embree, and its library, without which the transcripts are not compared.
EMBREE = ("embree", "mistake-device-released")
EMBREE_LIBRARY = "/usr/lib/*/libembree3.so.3"
MISTAKES = (*WORKED, "hang", "crash")
EXAMPLE_PID = "4711"  # of the process that hangs, or uses Embree, in the documents
COLUMNS = "110"  # of the command, for `hang` and `crash`
LONGEST_START = 60  # seconds until that process hangs, on however busy a machine

# The core, and what the command reads, are of the live process.
PROCESSES = {"core": "live", "command": "live", "unprepared-core": "unprepared"}
PROMPTS = {
    "lldb": "(lldb) ",
    **dict.fromkeys(("command", "program", "hang", "crash", "embree"), "$ "),
}

# The addresses seen in a document, or in the answers, and the name of each.
Names = Dict[str, str]


class Transcript(NamedTuple):
    """A block of a document."""

    document: str
    target: str
    text: str

    @property
    def process(self) -> Tuple[str, str]:
        """The key that all transcripts of one process in one document share."""
        return self.document, PROCESSES.get(self.target, self.target)

    @property
    def commands(self) -> List[str]:
        """The commands that the user types."""
        prompt = PROMPTS.get(self.target, "(gdb) ")
        lines = self.text.splitlines()
        return [line[len(prompt) :] for line in lines if line.startswith(prompt)]


def read(document: str) -> str:
    """Return the text of a document."""
    with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
        return file.read()


def transcripts() -> List[Transcript]:
    """Return the transcripts of all documents."""
    return [
        Transcript(document, match.group(1), match.group(2))
        for document in DOCUMENTS
        for match in BLOCK.finditer(read(document))
    ]


def targets(demo: Demo) -> Dict[str, Tuple[Demo, str]]:
    """Return the program and the session of each target of GDB; live ones write the cores."""
    folder = os.path.join(demo.folder, "unprepared")
    os.makedirs(folder, exist_ok=True)
    unprepared = demo._replace(recorder="", folder=folder)
    waiting = demo._replace(program=os.path.join(BUILD, "testsuite", "programs", "busy-threads"))
    gone = demo._replace(program=os.path.join(BUILD, "testsuite", "programs", "gone"))
    counted = demo._replace(
        program=os.path.join(BUILD, "testsuite", "programs", "ledger"),
        asked=(("OMPD_OPENCL_LEDGER", "1"), ("OMPD_OPENCL_STACK_DEPTH", "8")),
    )
    worked = {
        case: (
            demo._replace(program=os.path.join(BUILD, "testsuite", "programs", name)),
            f"{'aborts' if name == 'waiting' else 'arguments'} {case} wrong",
        )
        for case, name in WORKED.items()
    }
    leaking = demo._replace(program=os.path.join(BUILD, DEMO, "frames"))
    return {
        **worked,
        "live": (demo, "live"),
        "core": (demo, "core"),
        "unprepared": (unprepared, "live"),
        "unprepared-core": (unprepared, "core"),
        "waiting": (waiting, "waiting"),
        "gone": (gone, "waiting"),
        "ledger": (counted, "waiting"),
        "leaking": (leaking, "leaking"),
        "growing": (leaking, "growing"),
        "none": (demo, "none"),
    }


def said_by_gdb(demo: Demo, target: str, wanted: List[Transcript]) -> List[str]:
    """Run the commands of each transcript in GDB and return the answers."""
    path = os.path.join(demo.folder, f"transcripts-{target.replace(' ', '-')}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([transcript.commands for transcript in wanted], file)
    demo.session("transcript_session.py", target, path)
    with open(path, encoding="utf-8") as file:
        said: List[str] = json.load(file)
    return said


def command_answers(words: List[str], environment: Dict[str, str], folder: str) -> str:
    """Run the command ompd-opencl with WORDS in FOLDER and return its output."""
    return subprocess.run(
        [COMMAND, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def command_words(line: str) -> List[str]:
    """Return the arguments of a command line of a document."""
    words = shlex.split(line)
    if words[0] != os.path.basename(COMMAND):
        raise SystemExit(f"FAIL: no command to be run: {line}")
    return words[1:]


def said_by_command(
    environment: Dict[str, str], folder: str, elsewhere: str, wanted: List[Transcript]
) -> List[str]:
    """Run the commands of each transcript in FOLDER; ELSEWHERE is a path that documents hide."""
    texts = []
    for transcript in wanted:
        text = ""
        for line in transcript.commands:
            said = command_answers(command_words(line), environment, folder)
            text += f"$ {line}\n{said.replace(elsewhere, ELSEWHERE)}"
        texts.append(text)
    return texts


def said_of_process(
    demo: Demo, process: int, environment: Dict[str, str], wanted: List[Transcript]
) -> List[str]:
    """Run the commands of each transcript on a process."""
    pid = str(process)
    texts = []
    for transcript in wanted:
        text = ""
        for line in transcript.commands:
            words = [word.replace(EXAMPLE_PID, pid) for word in command_words(line)]
            said = command_answers(words, environment, demo.folder)
            text += f"$ {line}\n" + re.sub(rf"\b{pid}\b", EXAMPLE_PID, said)
        texts.append(text)
    return texts


def said_of_hang(demo: Demo, wanted: List[Transcript]) -> List[str]:
    """Run the commands of each transcript on a process that hangs."""
    program = os.path.join(BUILD, "testsuite", "programs", HANG[0])
    environment = dict(demo.environment(), COLUMNS=COLUMNS)
    with subprocess.Popen(
        [program, *HANG[1].split()], env=environment, stdout=subprocess.DEVNULL
    ) as process:
        try:
            pid = str(process.pid)
            deadline = time.monotonic() + LONGEST_START
            while "clFinish" not in command_answers(
                ["--pid", pid, "waits"], environment, demo.folder
            ):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"FAIL: {program} does not hang")
                time.sleep(0.2)
            texts = said_of_process(demo, process.pid, environment, wanted)
        finally:
            process.kill()
    return texts


def said_of_embree(demo: Demo, wanted: List[Transcript]) -> List[str]:
    """Run the commands of each transcript on a process that uses Embree."""
    libraries = glob.glob(EMBREE_LIBRARY)
    if not libraries:
        return [transcript.text for transcript in wanted]
    program = os.path.join(BUILD, "testsuite", "programs", EMBREE[0])
    environment = dict(demo._replace(recorder="").environment(), COLUMNS=COLUMNS)
    with subprocess.Popen(
        [program, demo.folder, EMBREE[1], libraries[0]],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()  # where it waits
            texts = said_of_process(demo, process.pid, environment, wanted)
        finally:
            process.kill()
    return texts


def said_of_crash(demo: Demo, wanted: List[Transcript]) -> List[str]:
    """Run the commands of each transcript beside the core of a program that crashes."""
    folder = os.path.join(demo.folder, "crash")
    os.makedirs(folder, exist_ok=True)
    crashing = demo._replace(
        program=os.path.join(BUILD, "testsuite", "programs", CRASH[0]), folder=folder
    )
    answers = os.path.join(folder, "transcripts-crash.json")
    with open(answers, "w", encoding="utf-8") as file:
        json.dump([], file)
    crashing.session("transcript_session.py", f"dies {CRASH[1]}", answers)
    os.replace(crashing.core, os.path.join(folder, "core"))
    environment = dict(demo._replace(recorder="").environment(), COLUMNS=COLUMNS)
    return said_by_command(environment, folder, os.path.dirname(demo.program), wanted)


def said_by_lldb(demo: Demo, wanted: List[Transcript]) -> List[str]:
    """Run the commands of each transcript in LLDB on the core and return the answers."""
    texts = []
    for transcript in wanted:
        assert LLDB is not None
        line = [LLDB, "--batch", "--no-lldbinit", "--no-use-colors"]
        plugin = os.path.join(BUILD, "lldb-plugin", "ompd_opencl_lldb")
        for command in ("command script import " + plugin, *transcript.commands):
            line += ["-o", command]
        said = subprocess.run(
            [*line, "-c", demo.core, demo.program],
            cwd=demo.folder,
            env=demo._replace(recorder="").environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        ).stdout
        texts.append(said[said.index("(lldb) " + transcript.commands[0]) :])
    return texts


def normal(text: str, is_other_version: bool, names: Names) -> List[str]:
    """Return the lines of a transcript without what differs between runs and versions.

    Addresses get numbers in order; NAMES has those seen before.  Continued lines are joined.
    """
    text = re.sub(r"\n {3,}(?=\S)", " ", text)
    # Which of the runtime's heap blocks have a stale handle depends on earlier builds.
    text = re.sub(r"\n  presumably held by a heap block of .*", "", text)
    text = re.sub(r": held at \d+ places?\.", ": held at N places.", text)

    def name(match: "re.Match[str]") -> str:
        return names.setdefault(match.group(), f"0x{len(names)}...")

    text = ADDRESS.sub(name, text)
    for pattern, replacement in RUN_BY_RUN + (VERSION_BY_VERSION if is_other_version else ()):
        text = pattern.sub(replacement, text)
    return [line.rstrip() for line in text.strip().splitlines()]


def difference(
    transcript: Transcript, said: str, is_other_version: bool, names: Tuple[Names, Names]
) -> List[str]:
    """Return how a transcript differs from what was SAID.

    Objects found in memory come in the order of their addresses, and threads in that of their
    numbers.  Both differ between runs, and so does which handle is reused.
    """
    texts = [transcript.text, said]
    if transcript.target in UNORDERED:
        texts = [re.sub(r"(?m)^ *([~!]?)\d+  ", r"\1N  ", text) for text in texts]
    if transcript.target in (*UNORDERED, "gone"):
        texts = [ADDRESS.sub("0x...", text) for text in texts]
    old, new = (normal(text, is_other_version, seen) for text, seen in zip(texts, names))
    if transcript.target in UNORDERED and sorted(old) == sorted(new):
        return []
    return list(difflib.unified_diff(old, new, lineterm=""))


def differences(pairs: List[Tuple[Transcript, str]], is_other_version: bool) -> List[List[str]]:
    """Return the difference of each transcript, in order."""
    names: Dict[Tuple[str, str], Tuple[Names, Names]] = {}
    found = []
    for transcript, said in pairs:
        seen = names.setdefault(transcript.process, ({}, {}))
        found.append(difference(transcript, said, is_other_version, seen))
    return found


def of_other_version(pairs: List[Tuple[Transcript, str]]) -> bool:
    """Whether PoCL has another version than in the documents."""
    named = [RUNTIME.findall(transcript.text) for transcript, _said in pairs]
    found = [RUNTIME.findall(said) for _transcript, said in pairs]
    return set(sum(named, [])) != set(sum(found, []))


def out_of_date(pairs: List[Tuple[Transcript, str]]) -> int:
    """Print each transcript that is out of date, and return how many there are."""
    is_other_version = of_other_version(pairs)
    count = 0
    for (transcript, _said), lines in zip(pairs, differences(pairs, is_other_version)):
        if not lines:
            continue
        if is_other_version and transcript.target in OF_VERSION:
            print("\n".join(lines))
            print("SKIP: PoCL has another version than in the documents")
            continue
        print(f"FAIL: {transcript.document} is out of date; run `make transcripts`")
        print("\n".join(lines))
        count += 1
    return count


def have_layout(demo: Demo) -> None:
    """Learn a layout if none is shipped for this build of PoCL."""
    environment = demo._replace(recorder="").environment()
    asked = [COMMAND, "layouts", "--json"]
    told = subprocess.run(asked, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    rows = [json.loads(line) for line in told.stdout.splitlines()]
    if not any("path" in row and "installed" in row for row in rows):
        subprocess.run([COMMAND, "learn"], env=environment, stdout=subprocess.DEVNULL, check=True)


def rewrite(pairs: List[Tuple[Transcript, str]]) -> None:
    """Update the documents: if one transcript of a process differs, all of that process."""
    found = zip(pairs, differences(pairs, False))
    outdated = {transcript.process for (transcript, _said), lines in found if lines}
    for transcript, said in pairs:
        if transcript.process not in outdated:
            continue
        text = read(transcript.document)
        start = f"<!-- transcript: {transcript.target} -->\n```console\n"
        text = text.replace(start + transcript.text, start + said.rstrip() + "\n", 1)
        with open(os.path.join(SOURCE, transcript.document), "w", encoding="utf-8") as file:
            file.write(text)


def main(arguments: List[str]) -> int:
    """Compare or update the transcripts; return 1 if one is out of date."""
    if arguments not in ([], ["--worked"], ["--write"]):
        sys.exit(__doc__)
    demo = demo_from_arguments(
        os.environ["GDB"],
        os.path.join(BUILD, "gdb-plugin", "ompd-opencl-gdb.py"),
        os.path.join(BUILD, ".libs", "libompd-opencl-recorder.so"),
        os.path.join(BUILD, DEMO, "edges"),
        os.path.join(BUILD, "testsuite", "build", "transcripts.tmp"),
    )
    every = transcripts()
    folders = {"command": demo.folder, "program": os.path.dirname(demo.program)}
    known = {*folders, *targets(demo), "lldb", "hang", "crash", "embree"}
    unknown = {transcript.target for transcript in every} - known
    if unknown:
        sys.exit(f"FAIL: unknown targets of transcripts: {', '.join(unknown)}")
    if not every or any(not transcript.commands for transcript in every):
        sys.exit("FAIL: no transcripts were found, or one has no command")
    if "--write" not in arguments:
        every = [row for row in every if (row.target in MISTAKES) == ("--worked" in arguments)]
    by_lldb = [transcript for transcript in every if transcript.target == "lldb"]
    if by_lldb and LLDB is None:
        print("SKIP: LLDB is not installed")
    pairs: List[Tuple[Transcript, str]] = []
    # The user's own layouts do not count.
    os.environ["XDG_DATA_HOME"] = demo.folder
    os.environ.pop("OMPD_OPENCL_LAYOUT_PATH", None)
    if os.path.exists(COMMAND):  # which needs elfutils
        have_layout(demo)
    for target, (looked_at, session) in targets(demo).items():
        wanted = [transcript for transcript in every if transcript.target == target]
        if wanted or target == "live":  # which writes the core of others
            pairs += zip(wanted, said_by_gdb(looked_at, session, wanted))
    if os.path.exists(COMMAND):
        environment = demo._replace(recorder="").environment()
        for target, folder in folders.items():
            wanted = [transcript for transcript in every if transcript.target == target]
            said = said_by_command(environment, folder, os.path.dirname(demo.program), wanted)
            pairs += zip(wanted, said)
        for target, said_of in (
            ("hang", said_of_hang),
            ("crash", said_of_crash),
            ("embree", said_of_embree),
        ):
            wanted = [transcript for transcript in every if transcript.target == target]
            if wanted:
                pairs += zip(wanted, said_of(demo, wanted))
    if LLDB is not None:
        pairs += zip(by_lldb, said_by_lldb(demo, by_lldb))
    if "--write" in arguments:
        rewrite(pairs)
        return 0
    count = out_of_date(pairs)
    print(f"{len(every)} transcripts, {count} out of date")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
