#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formatting and linting of the whole tree, by the tools that CONTRIBUTING.md names."""

import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List

from source_tree import SOURCE, source_files

# What these tools want differs by version: those of Debian 12 judge.
JUDGES = {"clang-format": "14.", "black": "23.", "mypy": "1.0."}


def shell_scripts() -> List[str]:
    """Files that the shell runs."""
    scripts = source_files(".sh")
    for path in source_files():
        with open(os.path.join(SOURCE, path), "rb") as file:
            if file.readline().rstrip() == b"#!/bin/sh":
                scripts.append(path)
    return sorted(set(scripts))


def checks() -> List[List[str]]:
    """The commands, each with the files it looks at."""
    c_files = source_files(".c", ".h")
    python_files = source_files(".py")
    plugins = ("gdb-plugin/", "lldb-plugin/")
    typed = [path for path in python_files if not path.startswith(plugins)]
    for_gdb = [path for path in python_files if path.startswith("gdb-plugin/ompd_opencl_gdb/")]
    for_lldb = [path for path in python_files if path.startswith("lldb-plugin/")]
    return [
        ["clang-format", "--dry-run", "-Werror", *c_files],
        ["black", "--check", "--quiet", "--diff", *python_files],
        ["flake8", *python_files],
        ["mypy", "--strict", "--no-error-summary", *typed],
        ["mypy", "--strict", "--no-error-summary", *for_gdb],
        ["mypy", "--strict", "--no-error-summary", *for_lldb],
        ["shellcheck", *shell_scripts()],
    ]


def judges(tool: str) -> bool:
    """Whether what a tool says counts, in the version that is there."""
    said = subprocess.run([tool, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    version = re.search(r"\d+\.[\d.]+", said)
    return version is not None and version.group(0).startswith(JUDGES.get(tool, ""))


def is_good(command: List[str], environment: Dict[str, str]) -> bool:
    """Run a tool that is there: false when it complains and its word counts."""
    tool = command[0]
    files = [word for word in command[1:] if not word.startswith("-")]
    if not files:
        print(f"FAIL: nothing for {tool} to look at")
        return False
    print(f"{tool}: {len(files)} files", flush=True)
    if subprocess.run(command, cwd=SOURCE, env=environment, check=False).returncode == 0:
        return True
    if judges(tool):
        print(f"FAIL: {tool} complains")
        return False
    print(f"SKIP: {tool} is not version {JUDGES[tool]}x, which judges")
    return True


def main() -> int:
    """Run every check whose tool is there; 1 when one complains, 77 when no tool is there."""
    status = 0
    ran = 0
    environment = dict(
        os.environ,
        MYPY_CACHE_DIR=os.path.join(os.environ["TOP_BUILDDIR"], "testsuite", "build", "mypy-cache"),
    )
    for command in checks():
        if shutil.which(command[0]) is None:
            print(f"SKIP: {command[0]} is not installed")
            continue
        if not is_good(command, environment):
            status = 1
        ran += 1
    return status if ran else 77


if __name__ == "__main__":
    sys.exit(main())
