# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GDB as ompd_opencl.protocols.Debugger."""

from __future__ import annotations

import ctypes
import signal
from contextlib import ExitStack, contextmanager
from typing import Iterator, List, Optional

import gdb

from ompd_opencl.colours import paint
from ompd_opencl.open_target import HostNames
from ompd_opencl.protocols import Shown, Symbols, Use, Wording

from . import style
from .expressions import evaluate_handle
from .linux_process import process_id, untraced_threads
from .plugin import Plugin
from .sessions import running_threads

_INTRODUCTION = """Inspect OpenCL objects, waits, leaks and misuse.

Without a verb, `opencl` shows an overview.  Any program can be inspected, by
layouts of the OpenCL runtimes.  ompd-opencl's recorder knows more: to use it,
start the program with OPENCL_LAYERS naming libompd-opencl-recorder.so.  No
command resumes the program or changes anything in it.

"""

WORDING = Wording(
    verb_prefix="opencl ",
    option_prefix="-",
    help_before="help opencl",
    introduction=_INTRODUCTION,
    limit_setting="set opencl limit",
    memory_limit_setting="set opencl memory-limit",
    holder="GDB",
    json_is_array=True,
    takes_expressions=True,
)


class Debugger:
    """GDB, for the commands."""

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._is_interactive = False
        self._is_json = False
        self._shown = Shown()
        self._settings = ExitStack()  # GDB settings, changed for one command
        self._kept: Optional[List[str]] = None  # captured output, not passed to GDB

    @contextmanager
    def command(self, is_interactive: bool) -> Iterator[None]:
        """A context for one command.  IS_INTERACTIVE: a person typed it."""
        self._is_interactive = is_interactive
        with ExitStack() as self._settings:
            yield

    @contextmanager
    def keeping(self) -> Iterator[List[str]]:
        """A context for one command whose output goes to the caller."""
        self._kept = []
        try:
            yield self._kept
        finally:
            self._kept = None

    def begin(self, needs_objects: bool, is_json: bool) -> Use:
        """See protocols.Debugger."""
        self.begin_snapshots(is_json)
        return self._use(needs_objects)

    def _use(self, needs_objects: bool) -> Use:
        view = self._plugin.sessions.view(needs_objects)
        if not self._is_json:
            _warn_of_running(view.inferior)
        return Use(
            view.space.handle,
            view.symbols,
            view.threads,
            process_id(view.inferior),
            ctypes.pointer(view.space.target.unsaved_reads),
            self._shown.row_limit,
            self._shown.has_styles,
            self._plugin.sessions.has_memory_limit,
            program=view.inferior.progspace.filename,
            file=view.target.memory_map.core_path() if view.target.is_core else None,
            build_id=_build_id(view.inferior.progspace),
        )

    def begin_snapshots(self, is_json: bool) -> Shown:
        """See protocols.Debugger."""
        self._is_json = is_json
        # JSON must bypass GDB's pager.  GDB/MI has none, and would announce the change.
        if is_json and gdb.parameter("height"):
            self._settings.enter_context(gdb.with_parameter("pagination", False))
        self._shown = Shown(
            self._plugin.parameters.limit,
            self._is_interactive and not is_json and style.is_wanted(),
        )
        return self._shown

    def begin_here(self) -> Use:
        """See protocols.Debugger.  The host library names the call sites, because those of
        snapshots come from it, and readers of line tables differ."""
        use = self._use(needs_objects=True)
        view = self._plugin.sessions.view(needs_objects=True)
        host = view.target.host_reader()
        symbols: Symbols = view.symbols
        if host is not None:
            symbols = HostNames(host)
        return use._replace(symbols=symbols)

    def save(self, path: str) -> int:
        """See protocols.Debugger."""
        return self._plugin.sessions.save(path)

    def bindings(self) -> str:
        """See protocols.Debugger."""
        return self._plugin.parameters.bindings

    def write(self, text: str, text_style: int) -> None:
        """See protocols.Output.  GDB's pager waits for a key, which may be Ctrl-C."""
        if self._kept is not None:
            self._kept.append(text)
            return
        previous = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        try:
            gdb.write(paint(text, self._plugin.styles.beginning(text_style)))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous)

    def width(self) -> int:
        """See protocols.Output."""
        return int(gdb.parameter("width") or 0)

    def evaluate(self, text: str) -> int:
        """See protocols.Expressions."""
        return evaluate_handle(text)


def _warn_of_running(inferior: gdb.Inferior) -> None:
    """Warn that the answer may be inconsistent if threads of INFERIOR are running.  Not for JSON,
    because GDB adds warnings to the output that a script reads."""
    count = running_threads(inferior)
    if count != 0:
        gdb.write(
            "warning: %d %s running, so data may be missing or inconsistent; `interrupt -a` "
            "stops all.\n" % (count, "threads are" if count > 1 else "thread is"),
            gdb.STDERR,
        )
    sentence = untraced_threads(inferior)
    if sentence:
        gdb.write("warning: %s\n" % sentence, gdb.STDERR)


def _build_id(progspace: gdb.Progspace) -> Optional[str]:
    """The build-id of the program file, or None."""
    for objfile in progspace.objfiles():
        if objfile.filename == progspace.filename:
            return objfile.build_id
    return None
