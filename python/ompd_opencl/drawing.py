# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawing graphs with Graphviz, as ompd_host_graph_draw of the host library."""

from __future__ import annotations

import os
import resource
import subprocess

from .errors import OpenCLError

_SECONDS = 10
_MEMORY = 1 << 30  # bytes


def _limit() -> None:
    """Set the resource limits of dot, in its process."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def draw(graph: bytes) -> bytes:
    """Draw GRAPH, a DOT text, as SVG; raises OpenCLError with a reason that is not a sentence."""
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"],
            input=graph,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Servers of pages set this variable: dot then opens no file named in a graph.
            env={"PATH": os.environ.get("PATH", os.defpath), "SERVER_NAME": "ompd-opencl"},
            preexec_fn=_limit,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise OpenCLError("Graphviz (the program dot) is not installed") from None
    except subprocess.TimeoutExpired:
        raise OpenCLError("dot timed out") from None
    except (OSError, subprocess.SubprocessError):
        raise OpenCLError("cannot create a process for dot") from None
    if done.returncode != 0:
        raise OpenCLError("dot failed" if done.returncode > 0 else "dot timed out")
    return done.stdout
