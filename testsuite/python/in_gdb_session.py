# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: follow a script's session from before the program runs to its end.

Each step is printed.  An error is a traceback, which fails the test.
"""

from __future__ import annotations

import signal
from importlib import import_module
from typing import Any, Callable, Type

import ompd_opencl

# GDB's own module and the plugin's, which exist in GDB alone.
gdb: Any = import_module("gdb")
plugin_package: Any = import_module("ompd_opencl_gdb")
callbacks: Any = import_module("ompd_opencl.callbacks")


def refused(kind: Type[Exception], words: str, work: Callable[[], object]) -> None:
    """WORK raises just KIND, whose sentence has WORDS."""
    try:
        work()
    except ompd_opencl.OpenCLError as error:
        assert type(error) is kind and words in str(error), repr(error)
        print("REFUSED %s" % words)
        return
    raise AssertionError("not refused: %s" % words)


def handles(session: Any) -> Any:
    """The handles of all memory objects."""
    return {row.handle for row in session.memobjs()}


def press_control_c(session: Any) -> None:
    """Ctrl-C while the library reads: KeyboardInterrupt, and the next answer is whole."""
    before, looks = handles(session), []
    is_interrupted = callbacks.is_interrupted

    def pressing() -> bool:
        looks.append(True)
        if len(looks) == 3:
            signal.raise_signal(signal.SIGINT)
        return bool(is_interrupted())

    plugin_package._plugin.sessions.mark_stale()
    callbacks.is_interrupted = pressing
    try:
        handles(session)
        raise AssertionError("not interrupted")
    except KeyboardInterrupt:
        print("INTERRUPTED")
    finally:
        callbacks.is_interrupted = is_interrupted
    assert handles(session) == before, "not whole"
    print("WHOLE")


def follow(folder: str) -> None:
    """The whole life of a session."""
    refused(ompd_opencl.OpenCLError, "No process", plugin_package.session)
    gdb.execute("break truth_stop")
    gdb.execute("run %s > /dev/null" % folder)
    session = plugin_package.session()
    first = next(iter(session.memobjs()))
    assert session.memobj(gdb.Value(first.handle)).handle == first.handle
    assert session.memobj(first).to_json() == first.to_json()
    half = iter(session.memobjs())
    next(half)
    gdb.execute("add-inferior")
    gdb.execute("inferior 2")
    refused(ompd_opencl.OpenCLError, "select it with `inferior 1`", session.overview)
    gdb.execute("inferior 1")
    press_control_c(session)
    refused(ompd_opencl.ClosedError, "has ended", first.to_json)
    refused(ompd_opencl.ClosedError, "has ended", lambda: list(half))
    old = next(iter(session.memobjs()))
    gdb.execute("continue")
    assert len(handles(session)) > 30
    gdb.execute("kill")
    refused(ompd_opencl.ClosedError, "no longer exists", session.overview)
    refused(ompd_opencl.ClosedError, "has ended", lambda: list(old.destructors))
    assert old.size is not None
    print("FOLLOWED")
