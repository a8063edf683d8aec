# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The protocols that a debugger implements for this package.

A Target provides memory, symbols and modules to the library.  A Debugger provides names of
addresses and threads, values of expressions, and output to the commands.
"""

from __future__ import annotations

import ctypes
import os
from typing import Dict, List, NamedTuple, Optional, Protocol, Sequence, Tuple

from .core_file import Range
from .elf_image import Module


class Memory(Protocol):
    """The memory and data model of a process or core."""

    def read(self, address: int, size: int) -> memoryview:
        """SIZE bytes of target memory; raises UnreadableMemory."""

    def region_after(self, address: int) -> Optional[Range]:
        """The first region that ends above ADDRESS."""

    def type_sizes(self) -> Tuple[int, int, int, int, int, int]:
        """Bytes of char, short, int, long, long long and a pointer."""

    def is_little_endian(self) -> bool:
        """The target's byte order."""


class Modules(Protocol):
    """The loaded modules and their symbols."""

    def find_symbol(self, name: str) -> Optional[int]:
        """The address of a symbol; None: not found."""

    def module(self, index: int) -> Optional[Module]:
        """Module number INDEX; None after the last one; raises UnreadableMemory."""

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of a symbol in module number INDEX; None: not found; raises
        UnreadableMemory."""


class StoppedThread(NamedTuple):
    """A thread of the target, as the debugger knows it."""

    lwp: int
    pthread: int  # 0: unknown
    own_lwp: int = 0  # in the process's own PID namespace; 0: the same
    main_lwp: int = 0  # of the thread that ran main(), even if it has ended; 0: unknown


class Frame(NamedTuple):
    """A frame of a thread."""

    pc: int
    address: int  # DWARF's CFA; 0: unknown
    is_caller: bool  # the pc is a return address
    # Values by DWARF number. Outer frames have only the registers that functions preserve.
    registers: Dict[int, int]


class Stacks(Protocol):
    """The stopped threads of a process or core."""

    def stopped_thread(self, index: int) -> Optional[StoppedThread]:
        """Thread number INDEX; None after the last one."""

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """The innermost frames of the thread LWP, at most CAPACITY; empty if unknown."""


class Target(Memory, Modules, Stacks, Protocol):
    """A target, for the library's callbacks."""

    unsaved_reads: ctypes.c_uint64  # reads so far of memory missing in a core

    def forget(self) -> None:
        """Forget cached data, because the target ran or changed."""


class CodePlace(NamedTuple):
    """The location of a code address; unknown members are None or 0."""

    symbol: Optional[str]
    offset: int  # bytes after the symbol's start, if `file` is unknown
    file: Optional[str]
    line: int
    module: Optional[str]
    module_offset: Optional[int]
    inlined_into: Tuple[str, ...] = ()  # functions around `symbol`, innermost first
    # File and line where each of these calls the previous one; (): unknown
    inlined_at: Tuple[Tuple[Optional[str], int], ...] = ()

    def __str__(self) -> str:
        """As the commands write it: "load at app.c:12, inlined in main at app.c:40", "load+16 in
        libapp.so" or "libapp.so+0x1139"."""
        text = self.symbol or ""
        if text and self.file:
            text += _at(self.file, self.line)
        else:
            text += "+%d" % self.offset if text and self.offset else ""
            module = os.path.basename(self.module or "")
            if text and module:
                text += " in " + module
            elif module and self.module_offset is not None:
                text = "%s+%#x" % (module, self.module_offset)
        for index, function in enumerate(self.inlined_into):
            text += (" in " if index else ", inlined in ") + function
            file, line = self.inlined_at[index] if self.inlined_at else (None, 0)
            text += _at(file, line) if file else ""
        return text or "?"


def _at(file: str, line: int) -> str:
    return " at " + os.path.basename(file) + (":%d" % line if line else "")


class Symbols(Protocol):
    """Names of addresses."""

    def function(self, address: int) -> Optional[CodePlace]:
        """The function that begins at ADDRESS, with the line of its definition."""

    def caller(self, address: int) -> Optional[CodePlace]:
        """The call before the return address ADDRESS, with the line of the call."""

    def data(self, address: int) -> str:
        """The variable that ADDRESS lies in: "host", "host+16", or ""."""


class Threads(Protocol):
    """Names of threads."""

    def number(self, lwp: int) -> str:
        """The debugger's number of a thread; "": none."""

    def others(self, lwps: Sequence[int]) -> List[str]:
        """The numbers of all other threads, as its commands take them: "2", "5-9"."""


class Expressions(Protocol):
    """Values of typed expressions."""

    def evaluate(self, text: str) -> int:
        """Evaluate TEXT to a cl handle or address; raises OpenCLError."""


class Output(Protocol):
    """The output of commands."""

    def write(self, text: str, style: int) -> None:
        """Write TEXT in a Style of view_structures."""

    def width(self) -> int:
        """The width of the output in columns; 0: unlimited."""


class Use(NamedTuple):
    """What a command uses."""

    space: ctypes.c_void_p  # the library's address space
    symbols: Symbols
    threads: Optional[Threads]
    pid: int  # 0: unknown
    unsaved_reads: Optional["ctypes._Pointer[ctypes.c_uint64]"]
    row_limit: Optional[int] = None  # maximum rows of a table; None: all
    has_styles: bool = False  # whether text is split into pieces of one style
    has_memory_limit: bool = False
    program: Optional[str] = None  # path of the target's program; None: unknown
    file: Optional[str] = None  # path of a core; None: not a core, or unknown
    build_id: Optional[str] = None  # of the program's file, hexadecimal; None: unknown


class Shown(NamedTuple):
    """Output options of a command: see Use."""

    row_limit: Optional[int] = None
    has_styles: bool = False


# The environment variable with the initial value of Debugger.bindings.
BINDINGS_VARIABLE = "OMPD_OPENCL_BINDINGS"


def describe_bindings(patterns: str) -> str:
    """The text of the setting `bindings`."""
    if not patterns:
        return "OpenCL language bindings are the built-in ones."
    return "OpenCL language bindings are the built-in ones, and %s." % patterns


class Debugger(Output, Expressions, Protocol):
    """A debugger, for the commands."""

    def begin(self, needs_objects: bool, is_json: bool) -> Use:
        """Begin a command.  With NEEDS_OBJECTS, a target without any source of objects is an error.
        Raises OpenCLError."""

    def begin_snapshots(self, is_json: bool) -> Shown:
        """Begin a command that reads snapshot files."""

    def begin_here(self) -> Use:
        """Make the debugger's target the target of the same command.  Raises OpenCLError."""

    def save(self, path: str) -> int:
        """Save a snapshot of the target to the new file PATH; returns its size.  Raises
        OpenCLError."""

    def bindings(self) -> str:
        """The patterns of bindings: see ompd_view_code_is_binding."""


class Wording(NamedTuple):
    """How commands are written in a debugger: see ompd_view_front_end_t."""

    verb_prefix: str = ""
    option_prefix: str = "-"
    help_before: Optional[str] = None
    introduction: str = ""
    limit_setting: Optional[str] = None
    memory_limit_setting: Optional[str] = None
    holder: Optional[str] = None
    json_is_array: bool = False
    takes_expressions: bool = False
