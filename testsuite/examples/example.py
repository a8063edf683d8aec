# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the examples of doc/ as a vendor does: with what pkg-config says, and nothing else."""

from __future__ import annotations

import os
import subprocess
from typing import Any, List

from harness import BUILD, SOURCE, TIME_LIMIT


def source(name: str) -> str:
    """The path of the example NAME."""
    return os.path.join(SOURCE, "doc", "examples", name + ".c")


def run(words: List[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end and keep what it says."""
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
        **options,
    )


def succeed(words: List[str]) -> str:
    """The output of a command that must succeed."""
    done = run(words)
    if done.returncode != 0:
        raise AssertionError("%s\n%s%s" % (" ".join(words), done.stdout, done.stderr))
    return done.stdout


def installed() -> str:
    """The prefix below which `make check` has installed what the example needs."""
    for path, _, names in os.walk(os.path.join(BUILD, "testsuite", "installed")):
        if "ompd-opencl.pc" in names:
            return os.path.dirname(os.path.dirname(path))
    raise AssertionError("nothing is installed for tests")


def build(name: str, packages: List[str], compiler: str, folder: str) -> str:
    """The example NAME as a program in FOLDER."""
    prefix = installed()
    os.environ["PKG_CONFIG_PATH"] = os.path.join(prefix, "lib", "pkgconfig")
    command = ["pkg-config", "--define-variable=prefix=" + prefix, "--cflags", "--libs"]
    flags = succeed([*command, *packages]).split()
    path = os.path.join(folder, "%s-%s" % (name, compiler))
    succeed([compiler, "-Wall", "-Wextra", "-Werror", "-g", source(name), *flags, "-o", path])
    return path
