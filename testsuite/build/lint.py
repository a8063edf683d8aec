#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check format and style of the tree with the tools that CONTRIBUTING.md lists.

usage: lint.py [--all]
       lint.py TOOL [FILE...]

Tools that check each file separately get the files that changed in the last commits, because older
files passed in the builds of these commits.  With --all, without git, or if the settings of a tool
changed in these commits, they check every file.  mypy always checks the whole program.

A file that passed in this build folder is not checked again until its text, the tool, its settings
or this script change, unless --all is given.

With TOOL, only this tool runs, on these files or, for shellcheck and mypy, on all: the hooks of
.pre-commit-config.yaml.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List, Optional, Set

from git_changes import changed_since
from source_tree import SOURCE, source_files

# The rules of these tools differ by version: those of Debian 12 count.
JUDGES = {"clang-format": "14.", "black": "23.", "mypy": "1.0."}

TOOLS = ("clang-format", "black", "flake8", "shellcheck", "mypy")

# More commits than one change has that is tested as a whole.
RECENT_COMMITS = 100
SETTINGS = (".clang-format", ".flake8", "pyproject.toml")

# Marks of files that passed, made by marks_of().
PASSED = os.path.join(os.environ["TOP_BUILDDIR"], "testsuite", "build", "lint-passed.json")

OF_ALL_FILES = "shellcheck"  # reads other files than the one that it checks
REMEMBERS = "mypy"  # it caches results itself


def recent_files() -> Optional[Set[str]]:
    """The files that changed in the last commits or since; None stands for all files."""
    changed = changed_since(f"HEAD~{RECENT_COMMITS}")
    if changed is None or changed & set(SETTINGS):
        return None
    return changed


def shell_scripts() -> List[str]:
    """Files that the shell runs."""
    scripts = source_files(".sh")
    for path in source_files():
        with open(os.path.join(SOURCE, path), "rb") as file:
            if file.readline().rstrip() == b"#!/bin/sh":
                scripts.append(path)
    return sorted(set(scripts))


def checks_of_each_file(recent: Optional[Set[str]]) -> List[List[str]]:
    """Commands of tools that judge each file by itself; `recent` limits the files."""

    def chosen(files: List[str]) -> List[str]:
        return files if recent is None else [path for path in files if path in recent]

    python_files = chosen(source_files(".py"))
    commands = [
        ["clang-format", "--dry-run", "-Werror", *chosen(source_files(".c", ".h"))],
        ["black", "--check", "--quiet", "--diff", *python_files],
        ["flake8", *python_files],
        # All files, because it reads an included file only if both are named.
        ["shellcheck", *shell_scripts()],
    ]
    return [command for command in commands if recent is None or files_of(command)]


def checks_of_program() -> List[List[str]]:
    """Commands of mypy, each with the files that can be parts of one program."""
    python_files = source_files(".py")
    plugins = ("gdb-plugin/", "lldb-plugin/")
    typed = [path for path in python_files if not path.startswith(plugins)]
    for_gdb = [path for path in python_files if path.startswith("gdb-plugin/ompd_opencl_gdb/")]
    for_lldb = [path for path in python_files if path.startswith("lldb-plugin/")]
    mypy = ["mypy", "--strict", "--no-error-summary"]
    return [[*mypy, *files] for files in (typed, for_gdb, for_lldb)]


def files_of(command: List[str]) -> List[str]:
    """The files that a command checks."""
    return [word for word in command[1:] if not word.startswith("-")]


def version_of(tool: str) -> str:
    """What a tool says of its version."""
    return subprocess.run([tool, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout


def judges(tool: str) -> bool:
    """Whether what a tool says counts, in the version that is there."""
    version = re.search(r"\d+\.[\d.]+", version_of(tool))
    return version is not None and version.group(0).startswith(JUDGES.get(tool, ""))


def bytes_of(path: str) -> bytes:
    """What is in a file of the tree."""
    with open(os.path.join(SOURCE, path), "rb") as file:
        return file.read()


def marks_of(command: List[str]) -> Dict[str, str]:
    """For each file of a command a mark of all that the tool's judgement of it depends on; none
    where the tool knows better."""
    if command[0] == REMEMBERS:
        return {}
    files = files_of(command)
    options = [word for word in command if word not in files]
    common = hashlib.sha256(json.dumps([version_of(command[0]), options]).encode())
    for path in (*SETTINGS, os.path.relpath(__file__, SOURCE)):
        common.update(hashlib.sha256(bytes_of(path)).digest())
    if command[0] == OF_ALL_FILES:
        for path in files:
            common.update(path.encode() + b"\0" + hashlib.sha256(bytes_of(path)).digest())
    marks = {}
    for path in files:
        mark = common.copy()
        mark.update(path.encode() + b"\0" + bytes_of(path))
        marks[path] = mark.hexdigest()
    return marks


def have_passed() -> Set[str]:
    """The marks of what has."""
    try:
        with open(PASSED, encoding="utf-8") as file:
            return set(json.load(file))
    except (OSError, ValueError):
        return set()


def write_passed(passed: Set[str]) -> None:
    """Write down the marks of what has passed; another run may do so at the same time."""
    with open(f"{PASSED}.{os.getpid()}", "w", encoding="utf-8") as file:
        json.dump(sorted(passed), file)
    os.replace(file.name, PASSED)


def is_good(
    command: List[str], environment: Dict[str, str], passed: Set[str], passing: Set[str]
) -> bool:
    """Run a tool that is there on what has not PASSED: false when it complains and its word
    counts.  The marks of what passes, now or before, are added to PASSING."""
    tool = command[0]
    files = files_of(command)
    if not files:
        print(f"FAIL: nothing for {tool} to look at")
        return False
    marks = marks_of(command)
    rest = [path for path in files if marks.get(path) not in passed]
    print(f"{tool}: {len(rest)} of {len(files)} files", flush=True)
    passing |= passed & set(marks.values())
    if not rest:
        return True
    if tool not in (OF_ALL_FILES, REMEMBERS):
        command = [word for word in command if word not in files or word in rest]
    if subprocess.run(command, cwd=SOURCE, env=environment, check=False).returncode == 0:
        passing |= set(marks.values())
        return True
    if judges(tool):
        print(f"FAIL: {tool} complains")
        return False
    print(f"SKIP: {tool} is not version {JUDGES[tool]}x, which judges")
    return True


def check_by(tool: str, files: Set[str], environment: Dict[str, str]) -> int:
    """Run one tool on some files; 1 when it complains or is not installed."""
    if shutil.which(tool) is None:
        print(f"FAIL: {tool} is not installed")
        return 1
    commands = [
        command
        for command in checks_of_each_file(files) + checks_of_program()
        if command[0] == tool
    ]
    return 0 if all(is_good(command, environment, set(), set()) for command in commands) else 1


def main(arguments: List[str]) -> int:
    """Run every check whose tool is there; 1 when one complains, 77 when no tool is there."""
    environment = dict(
        os.environ,
        MYPY_CACHE_DIR=os.path.join(os.environ["TOP_BUILDDIR"], "testsuite", "build", "mypy-cache"),
    )
    if arguments and arguments[0] in TOOLS:
        return check_by(arguments[0], set(arguments[1:]), environment)
    if arguments not in ([], ["--all"]):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    ran = 0
    recent = None if arguments else recent_files()
    if recent is None:
        print("each file is checked")
    else:
        print(f"the files that changed in the last {RECENT_COMMITS} commits are checked")
    passed = set() if arguments else have_passed()
    passing: Set[str] = set()
    for command in checks_of_each_file(recent) + checks_of_program():
        if shutil.which(command[0]) is None:
            print(f"SKIP: {command[0]} is not installed")
            continue
        if not is_good(command, environment, passed, passing):
            status = 1
        ran += 1
    write_passed(passing)
    return status if ran else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
