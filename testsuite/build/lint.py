#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formatting and linting of the whole tree, by the tools that CONTRIBUTING.md names."""

import os
import shutil
import subprocess
import sys
from typing import List

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from source_tree import SOURCE, source_files  # noqa: E402


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
    typed = [path for path in python_files if not path.startswith("gdb-plugin/")]
    plugin = [path for path in python_files if path.startswith("gdb-plugin/ompd_opencl/")]
    return [
        ["clang-format", "--dry-run", "-Werror", *c_files],
        ["black", "--check", "--quiet", "--diff", *python_files],
        ["flake8", *python_files],
        ["mypy", "--strict", "--no-error-summary", *typed],
        ["mypy", "--strict", "--no-error-summary", *plugin],
        ["shellcheck", *shell_scripts()],
    ]


def main() -> int:
    """Run every check whose tool is there; 1 when one complains, 77 when no tool is there."""
    status = 0
    ran = 0
    environment = dict(
        os.environ,
        MYPY_CACHE_DIR=os.path.join(os.environ["TOP_BUILDDIR"], "testsuite", "build", "mypy-cache"),
    )
    for command in checks():
        tool = command[0]
        if shutil.which(tool) is None:
            print(f"SKIP: {tool} is not installed")
            continue
        files = [word for word in command[1:] if not word.startswith("-")]
        if not files:
            print(f"FAIL: nothing for {tool} to look at")
            status = 1
            continue
        print(f"{tool}: {len(files)} files", flush=True)
        if subprocess.run(command, cwd=SOURCE, env=environment, check=False).returncode != 0:
            print(f"FAIL: {tool} complains")
            status = 1
        ran += 1
    return status if ran else 77


if __name__ == "__main__":
    sys.exit(main())
