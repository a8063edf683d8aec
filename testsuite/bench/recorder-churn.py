#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print what the recorder costs: time as a ratio to no layer, memory per object and callback.

Runs with and without the recorder take turns, so that other load affects both.  Each ratio is the
median of the ratios of neighbouring runs.
"""
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Dict, List

from pocl_alone import pocl_alone

BUILD = Path(os.environ.get("TOP_BUILDDIR", "."))
PROGRAM = BUILD / "testsuite/bench/recorder-churn"
RECORDER = BUILD / ".libs/libompd-opencl-recorder.so"
TURNS = 15
ROUNDS = 200000
BUFFERS = 100000


def run(arguments: List[str], environment: Dict[str, str], extra: Dict[str, str]) -> float:
    answer = subprocess.run(
        [str(PROGRAM.resolve()), *arguments],
        env=dict(environment, **extra),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return float(answer.stdout)


def churn(environment: Dict[str, str], what: str, threads: int, depth: int) -> None:
    arguments = [what, str(threads), str(ROUNDS // threads)]
    layer = {"OPENCL_LAYERS": str(RECORDER.resolve()), "OMPD_OPENCL_STACK_DEPTH": str(depth)}
    without: List[float] = []
    recorded: List[float] = []
    for _ in range(TURNS):
        without.append(run(arguments, environment, {}))
        recorded.append(run(arguments, environment, layer))
    ratio = statistics.median(one / other for one, other in zip(recorded, without))
    threads_text = "1 thread" if threads == 1 else f"{threads} threads"
    depth_text = "" if depth == 1 else f", stack depth {depth}"
    print(
        f"recorder {what}, {threads_text}{depth_text}: {ratio:.2f} x no layer "
        f"({statistics.median(recorded):.0f} ns / {statistics.median(without):.0f} ns)",
        flush=True,
    )


def held_bytes(environment: Dict[str, str], callbacks: int) -> float:
    """Bytes that the recorder adds to the resident set of a program that holds many buffers."""
    arguments = ["hold", str(BUFFERS), str(callbacks)]
    layer = {"OPENCL_LAYERS": str(RECORDER.resolve())}
    return statistics.median(
        run(arguments, environment, layer) - run(arguments, environment, {}) for _ in range(3)
    )


def memory(environment: Dict[str, str]) -> None:
    bare = held_bytes(environment, 0)
    with_callbacks = held_bytes(environment, 2)
    print(f"recorder memory: {bare / BUFFERS:.0f} B per live object")
    print(f"recorder memory: {(with_callbacks - bare) / BUFFERS / 2:.0f} B per callback")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = pocl_alone(Path(folder))
        churn(environment, "churn", 1, 1)
        churn(environment, "churn", 2, 1)
        churn(environment, "churn", 1, 16)
        churn(environment, "enqueue", 1, 1)
        churn(environment, "kernels", 1, 1)
        memory(environment)


if __name__ == "__main__":
    main()
