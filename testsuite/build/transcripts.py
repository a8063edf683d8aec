#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transcripts in the documents are what GDB and the command ompd-opencl print.

usage: transcripts.py [--worked | --write]

A transcript is a block of the form

    <!-- transcript: live -->
    ```console
    (gdb) opencl
    ...
    ```

Lines that begin with `(gdb) ` are commands for GDB.  The name of the transcript is the target:

    live, core                   the demo program, stopped, and its core
    unprepared, unprepared-core  the same without the recorder
    waiting                      a program whose threads wait
    gone                         a program that has released its objects
    ledger                       a program that retains and releases objects
    leaking                      a program that leaks objects
    growing                      the same, with an earlier snapshot
    none                         no program
    the name of a mistake        a program that makes it, as in WORKED

Commands of a transcript called `lldb` begin with `(lldb) ` and run in LLDB, if it is installed,
with the core of the demo program.  Those of `command` begin with `$ ` and run in a shell beside
that core, if ompd-opencl has been built; those of `program` run beside the demo programs.

The output must be the text of the document, except for what differs between runs and machines:
addresses, process and thread numbers, builds of the runtime, the debugger's own memory, blanks.  In
a document, all transcripts of a process are of one run, so that a reader can follow a handle from
one to the next: equal addresses in the document are equal in the output.  If PoCL has another
version than in the documents, its layout may show other facts, and it may run callbacks on other
threads.  With --worked, transcripts of mistakes are compared; without it, all others.  With --write
the documents are updated.  """

import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import Dict, List, NamedTuple, Tuple

SOURCE = os.environ["TOP_SRCDIR"]
BUILD = os.environ["TOP_BUILDDIR"]
DEMO = os.path.join("testsuite", "programs", "demo")
sys.path.insert(0, os.path.join(SOURCE, DEMO))
from gdb_runner import Demo, demo_from_arguments  # noqa: E402

DOCUMENTS = ("README.md", "doc/guide-users.md", "doc/guide-vendors.md")
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

# What the transcripts are of in which more differs, and cannot be compared.
OF_VERSION = ("unprepared", "unprepared-core", "waiting", "gone")

# What the transcripts are of in which rows come in another order at each run.
UNORDERED = ("unprepared", "unprepared-core", "waiting")

# Mistakes that the guide works through, and the program that makes each.
WORKED = {
    "host-freed": "mistake",
    "user-finish": "waiting",
    "over-release": "mistake",
    "svm-used-by-kernel": "mistake",
    "build-error": "mistake",
}

# Transcripts of one process, by what they are of: the core and the command's are of the live one.
PROCESSES = {"core": "live", "command": "live", "unprepared-core": "unprepared"}
PROMPTS = {"command": "$ ", "program": "$ ", "lldb": "(lldb) "}

# What addresses are called that were seen, in a document and in what is answered in its place.
Names = Dict[str, str]


class Transcript(NamedTuple):
    """A block of a document."""

    document: str
    target: str
    text: str

    @property
    def process(self) -> Tuple[str, str]:
        """What is the same in the transcripts of a document that are of one process."""
        return self.document, PROCESSES.get(self.target, self.target)

    @property
    def commands(self) -> List[str]:
        """What the user types."""
        prompt = PROMPTS.get(self.target, "(gdb) ")
        lines = self.text.splitlines()
        return [line[len(prompt) :] for line in lines if line.startswith(prompt)]


def read(document: str) -> str:
    """A document's text."""
    with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
        return file.read()


def transcripts() -> List[Transcript]:
    """All of them."""
    return [
        Transcript(document, match.group(1), match.group(2))
        for document in DOCUMENTS
        for match in BLOCK.finditer(read(document))
    ]


def targets(demo: Demo) -> Dict[str, Tuple[Demo, str]]:
    """What transcripts may be of: what GDB looks at, and how; live ones write the cores."""
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
    """What GDB answers to the commands of each transcript."""
    path = os.path.join(demo.folder, f"transcripts-{target.replace(' ', '-')}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([transcript.commands for transcript in wanted], file)
    demo.session("transcript_session.py", target, path)
    with open(path, encoding="utf-8") as file:
        said: List[str] = json.load(file)
    return said


def said_by_command(demo: Demo, folder: str, wanted: List[Transcript]) -> List[str]:
    """What the command prints, run in FOLDER."""
    environment = demo._replace(recorder="").environment()
    texts = []
    for transcript in wanted:
        text = ""
        for line in transcript.commands:
            words = shlex.split(line)
            if words[0] != os.path.basename(COMMAND):
                raise SystemExit(f"FAIL: no command to be run: {line}")
            done = subprocess.run(
                [COMMAND, *words[1:]],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            said = done.stdout.replace(os.path.dirname(demo.program), ELSEWHERE)
            text += f"$ {line}\n{said}"
        texts.append(text)
    return texts


def said_by_lldb(demo: Demo, wanted: List[Transcript]) -> List[str]:
    """What LLDB answers of the core."""
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
    """A transcript without what differs from run to run, and from version to version.  Addresses
    are numbered as they come, those of NAMES before.  A line that
    goes on in others is one, wherever they begin."""
    text = re.sub(r"\n {3,}(?=\S)", " ", text)
    # Which blocks of the runtime's have what they once were told depends on what was built before.
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
    """Where that is not SAID which a document has.  Objects that were found in memory come in the
    order of their addresses, and threads in that of their numbers, which begin again after the
    system's highest: both are another at each run, as is whose handle was given out again.
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
    """Those of all of them, in their order."""
    names: Dict[Tuple[str, str], Tuple[Names, Names]] = {}
    found = []
    for transcript, said in pairs:
        seen = names.setdefault(transcript.process, ({}, {}))
        found.append(difference(transcript, said, is_other_version, seen))
    return found


def of_other_version(pairs: List[Tuple[Transcript, str]]) -> bool:
    """Whether PoCL is of another version than in the documents."""
    named = [RUNTIME.findall(transcript.text) for transcript, _said in pairs]
    found = [RUNTIME.findall(said) for _transcript, said in pairs]
    return set(sum(named, [])) != set(sum(found, []))


def out_of_date(pairs: List[Tuple[Transcript, str]]) -> int:
    """How many transcripts are; each is printed."""
    is_other_version = of_other_version(pairs)
    count = 0
    for (transcript, _said), lines in zip(pairs, differences(pairs, is_other_version)):
        if not lines:
            continue
        if is_other_version and transcript.target in OF_VERSION:
            print("\n".join(lines))
            print("SKIP: PoCL is of another version than in the documents")
            continue
        print(f"FAIL: {transcript.document} is not what is said; to mend it: make transcripts")
        print("\n".join(lines))
        count += 1
    return count


def have_layout(demo: Demo) -> None:
    """Learn a layout where PoCL is of another build than the one that is shipped."""
    environment = demo._replace(recorder="").environment()
    asked = [COMMAND, "layouts", "--json"]
    told = subprocess.run(asked, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    rows = [json.loads(line) for line in told.stdout.splitlines()]
    if not any("path" in row and "installed" in row for row in rows):
        subprocess.run([COMMAND, "learn"], env=environment, stdout=subprocess.DEVNULL, check=True)


def rewrite(pairs: List[Tuple[Transcript, str]]) -> None:
    """Bring documents up to date: of a process that differs anywhere all transcripts."""
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
    """Compare, or write; 1 when a document is not what GDB says."""
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
    unknown = {transcript.target for transcript in every} - {*folders, *targets(demo), "lldb"}
    if unknown:
        sys.exit(f"FAIL: there are transcripts of no target: {', '.join(unknown)}")
    if not every or any(not transcript.commands for transcript in every):
        sys.exit(
            "FAIL: there is a document without a transcript, or a transcript without a command"
        )
    if "--write" not in arguments:
        every = [row for row in every if (row.target in WORKED) == ("--worked" in arguments)]
    by_lldb = [transcript for transcript in every if transcript.target == "lldb"]
    if by_lldb and LLDB is None:
        print("SKIP: LLDB is not installed")
    pairs: List[Tuple[Transcript, str]] = []
    # Whoever runs this may have layouts of their own.
    os.environ["XDG_DATA_HOME"] = demo.folder
    os.environ.pop("OMPD_OPENCL_LAYOUT_PATH", None)
    if os.path.exists(COMMAND):  # which needs elfutils
        have_layout(demo)
    for target, (looked_at, session) in targets(demo).items():
        wanted = [transcript for transcript in every if transcript.target == target]
        if wanted or target == "live":  # which writes the core of others
            pairs += zip(wanted, said_by_gdb(looked_at, session, wanted))
    if os.path.exists(COMMAND):
        for target, folder in folders.items():
            wanted = [transcript for transcript in every if transcript.target == target]
            pairs += zip(wanted, said_by_command(demo, folder, wanted))
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
