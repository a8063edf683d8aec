# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state shared by all commands and debuggers of this LLDB."""

from __future__ import annotations

import threading
from typing import Dict, Optional, Tuple

import lldb

from ompd_opencl.address_space import AddressSpace
from ompd_opencl.errors import ClosedError
from ompd_opencl.failures import is_interrupt, sentence_of
from ompd_opencl.front_end import FrontEnd
from ompd_opencl.library import ask_for_interrupts
from ompd_opencl.places import find_places
from ompd_opencl.program_values import Names
from ompd_opencl.protocols import Use
from ompd_opencl.rows import Row
from ompd_opencl.session import Session
from ompd_opencl.terminal_text import fit

from . import commands, summaries
from .debugger import WORDING, Command, Debugger
from .sessions import Sessions, identity
from .settings import Settings


class Plugin:
    """The state of the plugin."""

    def __init__(self) -> None:
        self.settings = Settings(self._setting_changed)
        self.sessions = Sessions(find_places(), self.settings)
        self._debugger = Debugger(self.sessions, self.settings)
        self._front_end = FrontEnd(self.sessions.library, self._debugger, WORDING)
        self.sessions.watch(self._front_end.forget)
        # Only one thread may use a session at a time, but editors call LLDB from several.
        self._lock = threading.Lock()
        self._running: Optional[lldb.SBDebugger] = None
        self._names = Names()
        self._values: Dict[int, Session] = {}  # by process identity
        ask_for_interrupts(self._is_interrupted)

    def install(self, debugger: lldb.SBDebugger) -> None:
        """Create the commands in a debugger."""
        end = self._front_end
        names = list(end.verbs())
        verbs = [commands.Verb(name, end.summary(name), end.help(name)) for name in names]
        words = {
            word: commands.Verb(commands.EMBREE, end.summary(name), end.help(name), word)
            for word, name in end.sub_verbs(commands.EMBREE)
        }
        summary, text = end.summary(commands.EMBREE), end.help(commands.EMBREE)
        words["overview"] = commands.Verb(commands.EMBREE, summary, text)
        commands.add(debugger, verbs, words)
        summaries.add(debugger)

    def run(self, verb: str, line: str, command: Command) -> None:
        """Run a command, and turn any failure into one sentence."""
        with self._lock:
            self._debugger.command = command
            self._running = command.debugger
            try:
                self._run(verb, line, command)
                command.result.SetStatus(lldb.eReturnStatusSuccessFinishResult)
            except (KeyboardInterrupt, Exception) as failure:
                sentence = self._sentence(verb, failure)
                command.result.SetError(fit(sentence, self._debugger.width(), "error: "))
            finally:
                self._running = None

    def _run(self, verb: str, line: str, command: Command) -> None:
        if verb == commands.Set.name:
            self.settings.set(line)
        elif verb == commands.Show.name:
            command.result.write(self.settings.shown(line))
        else:
            self._front_end.run(verb, line)

    def _sentence(self, verb: str, failure: BaseException) -> str:
        if not is_interrupt(failure):
            return sentence_of(verb, failure)
        # The library has treated refused reads as unreadable memory.
        self.sessions.drop_all()
        return self._front_end.message() or "opencl %s was interrupted." % verb

    def _is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed.  An LLDB thread receives SIGINT; LLDB 16 and later report
        it."""
        running = self._running
        return running is not None and (
            hasattr(running, "InterruptRequested") and bool(running.InterruptRequested())
        )

    def _setting_changed(self, name: str) -> None:
        if name != "limit":
            self.sessions.drop_all()

    def session(self, process: lldb.SBProcess) -> Session:
        """A session on PROCESS; raises OpenCLError."""
        return Session(ProcessOpened(self.sessions, process))

    def find(self, process: lldb.SBProcess, kind: str, handle: int) -> Optional[Row]:
        """The object of a handle; None if reading it would take too long: another thread is using
        the session, or memory comes over a connection.  Raises OpenCLError."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            view = self.sessions.view(process, needs_objects=True)
            if view.search is not None:
                return None
            session = self._values.get(identity(process))
            if session is None:
                self._values.clear()
                session = self._values[identity(process)] = self.session(process)
            row: Row = getattr(session, kind)(handle)
            row.describe()  # while the lock is held
            return row
        finally:
            self._lock.release()

    def names(self, kind: int, field: str) -> Dict[int, str]:
        """OpenCL's names for the values or bits of a field; raises OpenCLError."""
        return self._names.of(self.sessions.library, kind, field)


class ProcessOpened:
    """A process as ompd_opencl.session.Opened."""

    def __init__(self, sessions: Sessions, process: lldb.SBProcess) -> None:
        self.library = sessions.library
        self._sessions = sessions
        self._process = process
        self._identity = identity(process)
        sessions.view(process, needs_objects=False)

    def use(self, needs_objects: bool) -> Use:
        """See session.Opened."""
        if not self._process.IsValid() or identity(self._process) != self._identity:
            raise ClosedError("The process or core of this session no longer exists.")
        return self._sessions.view(self._process, needs_objects).use

    def space(self) -> AddressSpace:
        """See session.Opened."""
        self.use(needs_objects=False)
        return self._sessions.view(self._process, needs_objects=False).space

    def save(self, path: str) -> int:
        """See session.Opened."""
        view = self._sessions.view(self._process, needs_objects=False)
        return view.save(self._sessions.readers, path)

    def close(self) -> None:
        """See session.Opened.  The address space stays, for the commands."""


_made: Tuple[Plugin, ...] = ()


def plugin() -> Plugin:
    """The plugin; raises OpenCLError without a library."""
    global _made
    if not _made:
        _made = (Plugin(),)
    return _made[0]
