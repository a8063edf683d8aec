# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the public headers.

schema/generate.py has written them from there.
"""

import enum


class ReturnCode(enum.IntEnum):
    """ompd_rc_t"""

    OK = 0
    UNAVAILABLE = 1
    STALE_HANDLE = 2
    BAD_INPUT = 3
    ERROR = 4
    UNSUPPORTED = 5
    NEEDS_STATE_TRACKING = 6
    INCOMPATIBLE = 7
    DEVICE_READ_ERROR = 8
    DEVICE_WRITE_ERROR = 9
    NOMEM = 10
    INCOMPLETE = 11
    CALLBACK_ERROR = 12
    INCOMPATIBLE_HANDLE = 13
    INTERRUPTED = 1000100
    BUSY = 1000101


class Permission(enum.IntEnum):
    """ompd_cl_permission_t"""

    KNOWN = 1
    READ = 2
    WRITE = 4
    EXECUTE = 8
    UNTOUCHED = 16
    ZERO = 32
    SEARCHED = 64
    UNSEARCHED = 128


class LogLevel(enum.IntEnum):
    """ompd_cl_log_level_t"""

    NONE = 0
    REFUSAL = 1
    DECISION = 2
    LOOKUP = 3
    READ = 4


class Status(enum.IntEnum):
    """ompd_cl_status_t"""

    NONE = 0
    VALUE = 1
    PRESUMED = 2
    UNKNOWN = 3
    NOT_APPLICABLE = 4
    NOT_SAVED = 5
    UNREADABLE = 6
    CHANGING = 7
    CORRUPT = 8
    AT_LEAST = 9


class Source(enum.IntEnum):
    """ompd_cl_source_t"""

    NONE = 0
    RECORDER = 1
    LAYOUT = 2
    STACK = 3


class Kind(enum.IntEnum):
    """ompd_cl_kind_t"""

    OVERVIEW = 1
    PLATFORM = 2
    CONTEXT = 3
    QUEUE = 4
    MEMOBJ = 5
    DESTRUCTOR = 6
    SVM = 7
    SVM_FREE = 8
    SVM_POINTER = 9
    WAIT = 10
    THREAD = 11
    ACTIVITY = 12
    USAGE = 13
    LIBRARY_MEMORY = 14
    RUNTIME = 15
    LAYOUT = 16
    DEVICE = 17
    EVENT = 18
    COMMAND = 19
    KERNEL = 20
    PROGRAM = 21
    SAMPLER = 22
    FINDING = 23
    WAIT_STEP = 24
    DESTROYED = 25
    ERROR = 26
    REFERENCE_SITE = 27
    LEAK = 28
    LEDGER = 29
    CALL = 30
    CALLBACK = 31
    ARGUMENT = 32
    EMBREE_DEVICE = 33
    EMBREE_SCENE = 34
    EMBREE_GEOMETRY = 35
    EMBREE_BUFFER = 36
    COMMAND_BUFFER = 37
    BUFFERED_COMMAND = 38
    SEMAPHORE = 39
    ACCESS = 40
    MAPPING = 41
    MESSAGE = 42


class Type(enum.IntEnum):
    """ompd_cl_type_t"""

    HANDLE = 1
    ADDRESS = 2
    FUNCTION = 3
    CALLER = 4
    BYTES = 5
    COUNT = 6
    NUMBER = 7
    LWP = 8
    FLAGS = 9
    NAME = 10
    STATE = 11
    BOOLEAN = 12
    STACK = 13
    TEXT = 14
    TIME = 15
    DURATION = 16


class HostCode(enum.IntEnum):
    """ompd_host_rc_t"""

    OK = 0
    BAD_INPUT = 1
    NOMEM = 2
    NOT_FOUND = 3
    NOT_PERMITTED = 4
    NOT_READABLE = 5
    NOT_SAVED = 6
    UNREADABLE = 7
    ERROR = 8
    CANCELLED = 9


class Exit(enum.IntEnum):
    """ompd_view_exit_t"""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    INCOMPLETE = 4
    STOPPED = 5


class Style(enum.IntEnum):
    """ompd_view_style_t"""

    PLAIN = 0
    HEADING = 1
    ADDRESS = 2
    FUNCTION = 3
    NOTE = 4


class Takes(enum.IntEnum):
    """ompd_view_takes_t"""

    TARGET = 1
    FILTERS = 2
    ONE = 4
    FOREIGN_OPTIONS = 8
    ANY_TARGET = 16
    FILES = 32
    SNAPSHOTS = 64
