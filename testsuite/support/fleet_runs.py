# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the scripts of fleet/ with the built command or with a replacement."""

from __future__ import annotations

import glob
import json
import os
import re
import subprocess
from typing import Any, Dict, List

from harness import BUILD, SOURCE, TIME_LIMIT, Row, environment

FLEET = os.path.join(SOURCE, "fleet")


def variables_with(*folders: str) -> Dict[str, str]:
    """The environment in which scripts find the built command, after the contents of FOLDERS."""
    libraries = os.path.join(BUILD, ".libs")
    variables = environment("icd")
    variables["PATH"] = ":".join([*folders, libraries, variables["PATH"]])
    others = variables.get("LD_LIBRARY_PATH", "").split(":")
    variables["LD_LIBRARY_PATH"] = ":".join(filter(None, [libraries, *others]))
    return variables


def write_program(folder: str, name: str, text: str) -> str:
    """Write a script of the shell that is found as NAME in FOLDER."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def write_list(path: str, cores: List[str]) -> str:
    """Write a list of cores without a final newline."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(cores))
    return path


def guide_block(mark: str) -> str:
    """The block of the guide that has such a mark."""
    with open(os.path.join(SOURCE, "doc", "guide-fleet.md"), encoding="utf-8") as file:
        text = file.read()
    (block,) = re.findall(r"<!-- %s -->\n```\w+\n(.*?)```\n" % mark, text, re.DOTALL)
    return str(block)


def guide_commands(mark: str, cores: str) -> str:
    """The commands of such a block, with paths of installed files replaced by those in the source
    tree."""
    commands = guide_block("run: " + mark)
    for there, here in (("/usr/share/ompd-opencl/fleet", FLEET), ("/var/crash", cores)):
        if there not in commands:
            raise AssertionError("no %s in %s" % (there, commands))
        commands = commands.replace(there, here)
    return commands


def query_names() -> List[str]:
    """The queries of fleet/."""
    paths = glob.glob(os.path.join(glob.escape(FLEET), "*.sql"))
    names = {os.path.basename(path) for path in paths}
    return sorted(names - {name for name in names if name.startswith("schema")})


def schema_commands(engine: str) -> str:
    """The commands to fill a table, from the head of the schema."""
    with open(os.path.join(FLEET, "schema.sql"), encoding="utf-8") as file:
        (commands,) = re.findall(
            r"(?m)^--   (%s cores\.db .*\n(?:--       .*\n)*)" % engine, file.read()
        )
    return str(commands).replace("--       ", "")


def run_script(
    name: str, words: List[str], variables: Dict[str, str], **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run a script of fleet/ to its end."""
    return subprocess.run(
        [os.path.join(FLEET, name), *words],
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=TIME_LIMIT,
        check=False,
        **options,
    )


def result_files(folder: str) -> List[str]:
    """The result files of a folder."""
    return sorted(glob.glob(os.path.join(glob.escape(folder), "*.jsonl")))


def result_rows(folder: str) -> List[Row]:
    """The lines of a folder of results, each of which is whole."""
    rows = []
    for path in result_files(folder):
        with open(path, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    return rows
