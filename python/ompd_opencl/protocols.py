# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a debugger gives, so that this package works in it.

A Target answers the library's questions about memory, symbols and modules; a Debugger gives the
commands names for addresses and threads, values of expressions, and a place for their text.
"""

from __future__ import annotations

import ctypes
from typing import Dict, List, NamedTuple, Optional, Protocol, Sequence, Tuple

from .core_file import Range
from .elf_image import Module


class Memory(Protocol):
    """The memory of a process or a core, and how its program lays out data."""

    def read(self, address: int, size: int) -> memoryview:
        """SIZE bytes of target memory; raises UnreadableMemory."""

    def region_after(self, address: int) -> Optional[Range]:
        """The first region that ends above ADDRESS."""

    def type_sizes(self) -> Tuple[int, int, int, int, int, int]:
        """Bytes of char, short, int, long, long long and a pointer."""

    def is_little_endian(self) -> bool:
        """The target's byte order."""


class Modules(Protocol):
    """The files that are loaded in it, and their symbols."""

    def find_symbol(self, name: str) -> Optional[int]:
        """The address of a symbol, None when there is none."""

    def module(self, index: int) -> Optional[Module]:
        """Module number INDEX; None past the last one; raises UnreadableMemory."""

    def find_module_symbol(self, index: int, name: str) -> Optional[int]:
        """The address of a symbol in module number INDEX alone, None when it has none; raises
        UnreadableMemory."""


class StoppedThread(NamedTuple):
    """A thread of the target, as the debugger knows it."""

    lwp: int
    pthread: int  # 0: not known
    own_lwp: int = 0  # as the process itself has it, in another PID namespace; 0: the same
    main_lwp: int = 0  # of the thread that ran main(), also where it has ended; 0: not known


class Frame(NamedTuple):
    """A call of a thread."""

    pc: int
    address: int  # what DWARF calls the CFA; 0: not known
    is_caller: bool  # the pc is a return address
    # Values by their numbers in DWARF; of outer calls those alone that functions preserve.
    registers: Dict[int, int]


class Stacks(Protocol):
    """The threads of a process or a core, which are stopped."""

    def stopped_thread(self, index: int) -> Optional[StoppedThread]:
        """Thread number INDEX; None past the last one."""

    def innermost_frames(self, lwp: int, capacity: int) -> List[Frame]:
        """The innermost calls of the thread LWP, at most CAPACITY; none when they are not known."""


class Target(Memory, Modules, Stacks, Protocol):
    """What the library's callbacks ask of a debugger."""

    unsaved_reads: ctypes.c_uint64  # reads so far of memory that a core has not saved

    def forget(self) -> None:
        """The target ran or is another one: what is read next is to be read anew."""


class CodePlace(NamedTuple):
    """What is known of a code address; None and 0 for what isn't."""

    symbol: Optional[str]
    offset: int  # bytes behind the symbol's start, where `file` is not known
    file: Optional[str]
    line: int
    module: Optional[str]
    module_offset: Optional[int]
    inlined_into: Tuple[str, ...] = ()  # the functions that `symbol` is inlined into, inmost first
    # File and line where each of these has the call of the one before; (): not known
    inlined_at: Tuple[Tuple[Optional[str], int], ...] = ()


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
        """The debugger's own number of a thread; "" when it has none."""

    def others(self, lwps: Sequence[int]) -> List[str]:
        """The numbers of all threads but those named, as its commands take them: "2", "5-9"."""


class Expressions(Protocol):
    """Values of what a person typed."""

    def evaluate(self, text: str) -> int:
        """The cl handle or address that TEXT gives; raises OpenCLError."""


class Output(Protocol):
    """Where the text of commands goes."""

    def write(self, text: str, style: int) -> None:
        """Write TEXT in a Style of view_structures."""

    def width(self) -> int:
        """The columns that a line of text may have; 0: any."""


class Use(NamedTuple):
    """What one command is about."""

    space: ctypes.c_void_p  # the library's address space
    symbols: Symbols
    threads: Optional[Threads]
    pid: int  # 0: not known
    unsaved_reads: Optional["ctypes._Pointer[ctypes.c_uint64]"]
    row_limit: Optional[int] = None  # the most rows of a table; None: all
    has_styles: bool = False  # text is wanted in pieces of one style
    has_memory_limit: bool = False
    program: Optional[str] = None  # path of the target's; None: not known
    file: Optional[str] = None  # path of a core; None: it is none, or not known
    build_id: Optional[str] = None  # of the program's file, hexadecimal; None: not known


class Shown(NamedTuple):
    """How a command is to show what it says: see Use."""

    row_limit: Optional[int] = None
    has_styles: bool = False


# The environment variable that has what Debugger.bindings tells at first.
BINDINGS_VARIABLE = "OMPD_OPENCL_BINDINGS"


def describe_bindings(patterns: str) -> str:
    """What a debugger says that shows its setting."""
    if not patterns:
        return "OpenCL language bindings are the built-in ones."
    return "OpenCL language bindings are the built-in ones, and %s." % patterns


class Debugger(Output, Expressions, Protocol):
    """What commands ask of a debugger."""

    def begin(self, needs_objects: bool, is_json: bool) -> Use:
        """A command begins.  With NEEDS_OBJECTS, a target of which nothing tells of its objects is
        an error.  Raises OpenCLError."""

    def begin_snapshots(self, is_json: bool) -> Shown:
        """A command begins that is about looks in files."""

    def begin_here(self) -> Use:
        """The same command is about the target from now on.  Raises OpenCLError."""

    def save(self, path: str) -> int:
        """Save a look at the target in the file PATH, which is not there yet; returns its bytes.
        Raises OpenCLError."""

    def bindings(self) -> str:
        """Patterns of what is no code of the program's: see ompd_view_code_is_binding."""


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
