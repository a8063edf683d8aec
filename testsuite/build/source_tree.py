# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Find the files of the source tree without git, which a release does not have."""

import os
from typing import Iterator, List

SOURCE = os.environ["TOP_SRCDIR"]

ROOMS = (
    ".ci",
    ".devcontainer",
    ".github",
    "command",
    "doc",
    "fleet",
    "gdb-plugin",
    "host",
    "include",
    "layouts",
    "learn",
    "libompd",
    "lldb-plugin",
    "m4",
    "packages",
    "packaging",
    "python",
    "recorder",
    "testsuite",
    "text",
    "view",
)
SUFFIXES = (
    ".1",
    ".5",
    ".7",
    ".am",
    ".ac",
    ".c",
    ".cc",
    ".cl",
    ".h",
    ".in",
    ".ini",
    ".json",
    ".layout",
    ".m4",
    ".map",
    ".md",
    ".py",
    ".pyi",
    ".rs",
    ".sh",
    ".toml",
    ".yaml",
    ".yml",
)
PLAIN_NAMES = (
    "bootstrap",
    "CODEOWNERS",
    "Dockerfile",
    "run",
    "debian-12",
    "debian-13",
    "debian-sid",
    ".flake8",
    "allowed-skips",
    "check-long-only",
    "NEWS",
    ".clang-format",
    ".editorconfig",
)
# Made by the autotools, by Python or by a build inside the source tree.
GENERATED_FOLDERS = ("__pycache__", ".mypy_cache", ".libs", ".deps")
GENERATED_FILES = (
    "Makefile.in",
    "aclocal.m4",
    "config.h",
    "config.h.in",
    "libtool.m4",
    "ompd-opencl-paths.py",
)


def _is_source(name: str) -> bool:
    if name in GENERATED_FILES or (name.startswith("lt") and name.endswith(".m4")):
        return False
    return name.endswith(SUFFIXES) or name in PLAIN_NAMES


def _walk() -> Iterator[str]:
    for name in sorted(os.listdir(SOURCE)):
        if _is_source(name) and os.path.isfile(os.path.join(SOURCE, name)):
            yield name
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(SOURCE, room)):
            kept = set(folders) - set(GENERATED_FOLDERS)
            folders[:] = sorted(name for name in kept if not name.endswith(".tmp"))
            for name in sorted(names):
                if _is_source(name):
                    yield os.path.relpath(os.path.join(folder, name), SOURCE)


def source_files(*suffixes: str) -> List[str]:
    """Paths below the source folder of the files that end so; with no suffix, of all files."""
    return [path for path in _walk() if not suffixes or path.endswith(suffixes)]
