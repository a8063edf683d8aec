#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Find the files of the source tree that changed, if it is a git checkout."""

import os
import subprocess
from typing import List, Optional, Set

SOURCE = os.environ["TOP_SRCDIR"]


def git_lines(*arguments: str) -> Optional[List[str]]:
    """What a git command prints, or None when it fails: in a release there is no git."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_since(commit: str) -> Optional[Set[str]]:
    """The files that differ from a commit, untracked ones too; None when git cannot say."""
    # A release may be unpacked inside the checkout of another tree.
    if git_lines("rev-parse", "--show-prefix") != [""]:
        return None
    changed = git_lines("diff", "--no-renames", "--name-only", commit, "--")
    untracked = git_lines("ls-files", "--others", "--exclude-standard")
    if changed is None or untracked is None:
        return None
    return set(changed) | set(untracked)
