#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the libraries' binary interfaces with the baseline in testsuite/abi.

usage: abi.py [--write]

Nothing in the baseline may be removed or changed, and NEWS must name every addition.  With --write,
the baseline is renewed.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from typing import List

BUILD = os.environ["TOP_BUILDDIR"]
SOURCE = os.environ["TOP_SRCDIR"]
BASELINES = os.path.join(SOURCE, "testsuite", "abi")
HEADERS = os.path.join(SOURCE, "include")
LIBRARIES = ("libompd-opencl", "libompd-opencl-host", "libompd-opencl-view")

# Another release describes the same interface in other words.
JUDGE = "2.2"
QUIET = ["--no-show-locs", "--drop-private-types"]


def library(name: str) -> str:
    """A library's file; that of the host is built only where elfutils is."""
    return os.path.join(BUILD, ".libs", name + ".so")


def baseline(name: str) -> str:
    """What its interface was when the baseline was written."""
    return os.path.join(BASELINES, name + ".abi")


def write() -> None:
    """Renew the baseline, without what is of this machine alone."""
    for name in LIBRARIES:
        command = ["abidw", *QUIET, "--no-comp-dir-path", "--no-corpus-path"]
        command += ["--exported-interfaces-only", "--headers-dir", HEADERS, library(name)]
        with open(baseline(name), "w", encoding="utf-8") as file:
            subprocess.run(command, check=True, stdout=file)


def differences(name: str, *options: str) -> str:
    """What abidiff says between the baseline and the library that was built; "" for nothing."""
    command = ["abidiff", "--no-show-locs", *options]
    done = subprocess.run(
        [*command, baseline(name), library(name)], check=False, stdout=subprocess.PIPE, text=True
    )
    # Bits 0 and 1: it could not compare.  Bits 2 and 3: there are changes.
    if done.returncode & 3:
        raise AssertionError(f"abidiff failed with {done.returncode}")
    return done.stdout if done.returncode else ""


def skip_reason() -> str:
    """Why the comparison cannot be made here; "" when it can."""
    if shutil.which("abidiff") is None:
        return "abidiff is not installed"
    version = subprocess.run(
        ["abidiff", "--version"], check=True, stdout=subprocess.PIPE, text=True
    )
    if not re.search(rf"\b{re.escape(JUDGE)}\b", version.stdout):
        return f"abidiff is not version {JUDGE}, which judges"
    if os.uname().machine != "x86_64":
        return "the baseline is of x86-64"
    return ""


class AbiTest(unittest.TestCase):
    """Each library that was built."""

    def built(self) -> List[str]:
        """The built libraries."""
        found = [name for name in LIBRARIES if os.path.exists(library(name))]
        self.assertGreaterEqual(len(found), 2)
        return found

    def test_baseline_is_of_the_interface(self) -> None:
        """It has functions and types, so that there is something to compare."""
        for name in LIBRARIES:
            with open(baseline(name), encoding="utf-8") as file:
                text = file.read()
            self.assertGreater(len(re.findall("<elf-symbol ", text)), 8, name)
            self.assertGreater(len(re.findall("<class-decl ", text)), 3, name)

    def test_nothing_is_removed_or_changed(self) -> None:
        """Functions, their types, enumerators and the structs that they take."""
        for name in self.built():
            self.assertEqual(differences(name, "--no-added-syms"), "", name)

    def test_additions_are_news(self) -> None:
        """A function that was added since is named in NEWS."""
        with open(os.path.join(SOURCE, "NEWS"), encoding="utf-8") as file:
            news = file.read()
        for name in self.built():
            added = re.findall(r"(?m)^  \[A\] .*?\b(ompd_\w+)(?:\(|@@)", differences(name))
            missing = [function for function in added if function not in news]
            self.assertEqual(missing, [], f"{name}: NEWS does not say that these were added")


def main() -> None:
    """Compare, or renew."""
    if sys.argv[1:] == ["--write"]:
        write()
        return
    reason = skip_reason()
    if reason:
        print(f"SKIP: {reason}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], "-v"])


if __name__ == "__main__":
    main()
