# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variants of building, running and saving one bug, which must stay in one group of cores."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Dict, List, NamedTuple, Tuple

import harness
import seeded_bugs
from harness import BUILD, SOURCE


class Build(NamedTuple):
    """How a program is compiled."""

    compiler: str
    flags: Tuple[str, ...]
    debug: str = "-g"
    stripped: bool = False  # of all names but those of the dynamic linker
    debug_file: bool = False  # these are in a file beside it


def _gcc(*flags: str) -> Build:
    return Build("gcc", flags)


_MUCH = ("-O3", "-finline-limit=10000", "--param=large-function-growth=10000")

BUILDS: Dict[str, Build] = {
    "O0": _gcc("-O0"),
    "Og": _gcc("-Og"),
    "O1": _gcc("-O1"),
    "O2": _gcc("-O2"),
    "O3": _gcc("-O3"),
    "Os": _gcc("-Os"),
    "no-inline": _gcc("-O2", "-fno-inline"),
    "inline": _gcc(*_MUCH),
    "lto": _gcc("-O2", "-flto"),
    "no-pie": _gcc("-O2", "-fno-pie", "-no-pie"),
    "frame-pointer": _gcc("-O2", "-fno-omit-frame-pointer"),
    "sections": _gcc("-O2", "-ffunction-sections", "-Wl,--gc-sections"),
    "dwarf-4": _gcc("-O2", "-gdwarf-4"),
    "lines": Build("gcc", ("-O2",), "-g1"),
    "no-debug": Build("gcc", ("-O2",), "-g0"),
    "debug-file": Build("gcc", ("-O2",), stripped=True, debug_file=True),
    "stripped": Build("gcc", ("-O2",), stripped=True),
    "clang-O0": Build("clang", ("-O0",)),
    "clang-O2": Build("clang", ("-O2",)),
}


class Variant(NamedTuple):
    """How a program is built and run, and how its core is changed."""

    build: str
    runtime: str = "pocl"
    recorder: bool = True
    words: Tuple[str, ...] = ()  # the program that runs it
    variables: Tuple[Tuple[str, str], ...] = ()
    kept: str = ""  # "again" as another tool writes it, "part": cut off


def _threads(count: int) -> Variant:
    """With COUNT threads of PoCL."""
    variables = (("POCL_MAX_PTHREAD_COUNT", str(count)), ("POCL_CPU_MAX_CU_COUNT", str(count)))
    return Variant("O2", variables=variables)


VARIANTS: Dict[str, Variant] = {
    **{name: Variant(name) for name in BUILDS},
    "another address layout": Variant("O2"),
    "no address layout": Variant("O2", words=("setarch", "-R")),
    "1 thread": _threads(1),
    "16 threads": _threads(16),
    "rusticl": Variant("O2", "rusticl"),
    "oclgrind": Variant("O2", "oclgrind"),
    "no recorder": Variant("O2", recorder=False),
    "kept by another tool": Variant("O2", kept="again"),
    "truncated": Variant("O2", kept="part"),
}


def _split(path: str, debug_file: bool) -> None:
    """Take the names out of the program at PATH, into a file beside it or away."""
    debug = path + ".debug"
    if debug_file:
        subprocess.run(["objcopy", "--only-keep-debug", path, debug], check=True)
    subprocess.run(["strip", path], check=True)
    if debug_file:
        subprocess.run(["objcopy", "--add-gnu-debuglink=" + debug, path], check=True)


def build(name: str, program: str, folder: str) -> str:
    """The path of PROGRAM in the build NAME, which FOLDER caches; "" is the build of make."""
    if not name:
        return harness.program("programs/" + program)
    how = BUILDS[name]
    path = os.path.join(folder, name, program)
    if os.path.exists(path):
        return path
    library = os.path.join(BUILD, "testsuite", "programs", ".libs", "libtest-filter.so")
    words = [how.compiler, "-std=gnu11", how.debug, *how.flags, "-pthread", "-D_GNU_SOURCE"]
    words += ['-DFILTER_LIBRARY="%s"' % library]
    words += ["-I" + os.path.join(SOURCE, "include"), "-w"]
    os.makedirs(path + ".tmp", exist_ok=True)
    partial = os.path.join(path + ".tmp", program)
    words += [*seeded_bugs.sources(program), "-o", partial, "-lOpenCL", "-lpthread", "-ldl"]
    subprocess.run(words, check=True)
    if how.stripped:
        _split(partial, how.debug_file)
    # The program last: where it is, all is there.
    for file in sorted(os.listdir(path + ".tmp"), reverse=True):
        os.replace(os.path.join(path + ".tmp", file), os.path.join(os.path.dirname(path), file))
    shutil.rmtree(path + ".tmp")
    return path


def applies(variant: Variant, bug: seeded_bugs.Bug) -> bool:
    """Whether the bug can be had so."""
    return variant.runtime in bug.runtimes


def names_for(bug: seeded_bugs.Bug) -> List[str]:
    """The variants of a bug."""
    return [name for name, variant in VARIANTS.items() if applies(variant, bug)]
