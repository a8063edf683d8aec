# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside GDB: stop the program `restless` at random instants or at breakpoints, and compare all
lists at each stop.  Contradictions are printed, and at the end the number of stops."""

from __future__ import annotations

import os
import random
import signal
import threading
from importlib import import_module
from typing import Any, List

from restless import LONGEST_RUN, Lasting, compare, read_lasting

# GDB's own module and the plugin's, which exist in GDB alone.
gdb: Any = import_module("gdb")
plugin_package: Any = import_module("ompd_opencl_gdb")


class Stops:
    """Those of the selected inferior."""

    def __init__(self, recorder: bool, lasting: Lasting, folder: str) -> None:
        self._recorder = recorder
        self._lasting = lasting
        self._folder = folder
        self._session = plugin_package.session()
        self._seen = 0
        self._compared = 0

    def compare(self, where: str) -> None:
        """Compare the lists of this stop, which is at WHERE."""
        self._seen += 1
        pid = gdb.selected_inferior().pid
        try:
            self._compared += compare(
                self._session, pid, self._recorder, self._lasting, self._folder
            )
        except AssertionError as error:
            print("CONTRADICTION at %s: %s" % (where, error))

    def end(self) -> None:
        """Say what was compared."""
        print("COMPARED %d OF %d" % (self._compared, self._seen))


def _run_on(pid: int, seconds: float) -> None:
    """Let the program run on until a signal stops it, so many seconds after that."""
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGINT))
    timer.start()
    gdb.execute("continue", to_string=True)
    timer.join()


def stop_at_random(recorder: bool, lasting: Lasting, folder: str, count: int, seed: int) -> None:
    """Compare at COUNT random instants, the times between which SEED gives."""
    draw = random.Random(seed)
    stops = Stops(recorder, lasting, folder)
    for number in range(count):
        _run_on(gdb.selected_inferior().pid, draw.random() * LONGEST_RUN)
        stops.compare("random stop %d" % number)
    stops.end()


def _break(place: str) -> Any:
    """Stop where PLACE says: a function of the program, or what follows a command of GDB's."""
    before = set(gdb.breakpoints() or ())
    gdb.execute(place, to_string=True)
    made = set(gdb.breakpoints() or ()) - before
    assert len(made) <= 1, place
    for breakpoint_ in made:
        assert not breakpoint_.pending, "there is no place for `%s`" % place
    return None


def stop_at_places(
    recorder: bool, lasting: Lasting, folder: str, places: List[str], count: int
) -> None:
    """Compare COUNT times at each of PLACES, the commands of GDB that make the program stop."""
    stops = Stops(recorder, lasting, folder)
    for place in places:
        _break(place)
        for number in range(count):
            gdb.execute("continue", to_string=True)
            stops.compare("stop %d by `%s`, in %s" % (number, place, gdb.selected_frame().name()))
        gdb.execute("delete", to_string=True)
    stops.end()


def stop_in_children(recorder: bool, lasting: Lasting, folder: str, count: int) -> None:
    """Compare in COUNT children that the program forks, when they end."""
    parent = gdb.selected_inferior().pid
    gdb.execute("set follow-fork-mode child")
    for number in range(count):
        _break("break _exit")
        gdb.execute("continue", to_string=True)
        assert gdb.selected_inferior().pid != parent
        stops = Stops(recorder, lasting, folder)
        stops.compare("the end of child %d" % number)
        stops.end()
        gdb.execute("delete", to_string=True)
        gdb.execute("kill", to_string=True)
        gdb.execute("attach %d" % parent, to_string=True)


def hold(place: str) -> None:
    """Leave the process stopped by a signal where PLACE stops it: a thread is held there.  GDB must
    not detach itself, which would continue the process."""
    _break(place)
    gdb.execute("continue", to_string=True)
    gdb.execute("delete", to_string=True)
    print("HELD in %s" % gdb.selected_frame().name())
    gdb.flush()
    os.kill(gdb.selected_inferior().pid, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGKILL)


def stop_in_exit(recorder: bool, words: str, folder: str) -> None:
    """Run the program with WORDS and compare wherever its exit() comes along: there, where each
    library ends, and last of all."""
    path = os.path.join(folder, "lasting")
    # A GDB that demangles nothing finds no `exit` before the libraries are there.
    gdb.execute("start %s </dev/null >%s" % (words, path), to_string=True)
    _break("break exit")
    gdb.execute("continue", to_string=True)
    with open(path, encoding="utf-8") as file:
        lasting = read_lasting(file.readline())
    stops = Stops(recorder, lasting, folder)
    for place in ("break __cxa_finalize", "break _exit"):
        _break(place)
    while gdb.selected_inferior().pid != 0:
        name = gdb.selected_frame().name()
        stops.compare(name)
        print("STOPPED in %s" % name)
        gdb.execute("continue", to_string=True)
    stops.end()
