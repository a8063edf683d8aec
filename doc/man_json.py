# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of the JSON that the command and the GDB plugin print.  Objects of the library come from
its own field table, as list-fields prints it; the others are described here."""

from typing import Dict, List, NamedTuple

from man_fields import Field, read_kinds, type_names_of
from man_roff import FIELDS, JSON, escape, head, see_also

SUMMARY = "the JSON that ompd-opencl and the opencl commands of GDB print"

INTRODUCTION = """\
.SH DESCRIPTION
With \\fB\\-\\-json\\fP the command \\fBompd\\-opencl\\fP (1) prints JSON Lines: one object a
line. With \\fB\\-json\\fP an \\fBopencl\\fP command of GDB prints the same objects as one array,
one object a line. JSON output is never truncated. The text is UTF\\-8. Bytes of the target that
are not UTF\\-8 become U+FFFD, and control characters are escaped.
.PP
There is no header record. When rows could not be read, or objects may exist that were not found,
the last object is \\fBunreadable\\fP. When there is no answer at all, nothing is printed or the
array is not closed; the exit code and the message on standard error give the reason.
.SS Version
Each object of an answer has the key \\fBschema\\fP with the number 1. The same number allows new
keys, new objects, and new names among the values of a key, so a reader must ignore what it does
not know. Existing keys keep their meaning and type as long as the number is the same. A reader
must refuse another number.
.SS Groups
With \\fB\\-group\\fP, or \\fB\\-\\-group\\fP, a list prints objects \\fBgroup\\fP instead of its
own: one for each value of the field. Each of them also has that field, in the form that objects
of the list have.
.SS Types
.TP
.B hexadecimal
A string: 0x and the digits of a cl handle or an address. A JSON number could lose digits.
.TP
.B function
A hexadecimal code address. When it is not 0x0, the object also has the keys of the object
\\fBplace\\fP, as far as they are known.
.TP
.B value
A number, integer or not, or one of the strings inf, \\-inf, nan and \\-nan. A vector is an array
of these. Values that could not be read are null.
.TP
.B number
An integer. Sizes are in bytes. Times are in milliseconds since 1970\\-01\\-01 00:00 UTC.
.TP
.B decimal
A number of seconds with three decimal places.
.SS Unknown and presumed values
A key that does not apply is absent. A key whose value is not known is \\fBnull\\fP, or an array
that lacks some elements. The object then has a key \\fBunknown\\fP: an object that gives the
reason for each such key. The reasons are \\(lqnot observed\\(rq, \\(lqnot saved in the core\\(rq,
\\(lqunreadable\\(rq, \\(lqcorrupt\\(rq, \\(lqunknown\\(rq and \\(lqbeing changed by LWP\\(rq with
its number, or a sentence.
.PP
The array \\fBpresumed\\fP names the keys whose values are presumed, not proved. The array
\\fBat_least\\fP names the counts among them that may be larger, because not all memory could be
searched or no source has all of it, and the texts of which more is not known. Any object may have
\\fBunknown\\fP, \\fBpresumed\\fP and \\fBat_least\\fP."""


class Key(NamedTuple):
    """One key of an object."""

    name: str
    type: str
    help: str


class Answer(NamedTuple):
    """The object that some verbs print."""

    verbs: str
    object: str
    also: str = ""


ANSWERS = [
    Answer("overview", "overview", "In GDB it is \\fBopencl\\fP alone."),
    Answer("contexts, context", "context"),
    Answer("platforms", "platform"),
    Answer("devices", "device"),
    Answer("queues, queue", "queue"),
    Answer("memobjs, memobj", "memobj"),
    Answer("destructors", "destructor"),
    Answer("svm", "svm"),
    Answer("svm-frees, svm-free", "svm_free"),
    Answer("commands, command", "command"),
    Answer("mappings", "mapping"),
    Answer("events, event", "event"),
    Answer("callbacks", "callback"),
    Answer("kernels, kernel", "kernel"),
    Answer("programs, program", "program"),
    Answer("samplers, sampler", "sampler"),
    Answer("command-buffers, command-buffer", "command_buffer"),
    Answer("semaphores, semaphore", "semaphore"),
    Answer("embree-devices, embree-device", "embree_device"),
    Answer("embree-scenes, embree-scene", "embree_scene"),
    Answer("embree-geometries, embree-geometry", "embree_geometry"),
    Answer("embree-buffers, embree-buffer", "embree_buffer"),
    Answer("embree", "embree_device", "With \\fBreleased\\fP and \\fBbuilding\\fP."),
    Answer(
        "check",
        "finding",
        "Beside its \\fBrule\\fP, an object has the keys that the sentence of that rule names.",
    ),
    Answer(
        "waits",
        "wait_step",
        "One for each step. The steps of a chain share its number, and the last one says how the "
        "chain ends.",
    ),
    Answer("errors", "error", "The latest come first."),
    Answer("messages", "message", "The latest come first."),
    Answer("destroyed", "destroyed", "Those that were destroyed last come first."),
    Answer("calls", "call", "Those that returned last come first."),
    Answer(
        "ledger",
        "ledger",
        "With a handle: the entries of each object that had it, in the order in which they were "
        "written. Without one: kind by kind, the latest first.",
    ),
    Answer(
        "object",
        "destroyed",
        "For an object that exists, the objects of its own command. For destroyed objects, one for "
        "each object that had the handle or the memory, the latest first.",
    ),
    Answer("holders", "reference_site", "One for each place that stores the handle."),
    Answer(
        "leaks",
        "leak",
        "One for each object that is a leak, or may be one. One with the key \\fBkeepers\\fP for "
        "each object that the program has released, and that mappings, commands or kernel "
        "arguments keep alive.",
    ),
    Answer(
        "graph",
        "node",
        "One for each object. Above 300 objects, one for each kind and place of creation. An "
        "\\fBedge\\fP for each related pair of nodes follows.",
    ),
    Answer("report", "page"),
    Answer("save", "snapshot"),
    Answer(
        "diff",
        "comparison",
        "The first line. A \\fBchange\\fP follows for each kind of object and call stack whose "
        "objects changed, sorted by growth in bytes, then in number, the largest first.",
    ),
    Answer("threads", "thread"),
    Answer("memory", "memory_use"),
    Answer("runtimes", "runtime"),
    Answer(
        "triage",
        "verdict",
        "One for each core. With \\fB\\-\\-group\\fP: a \\fBcore_group\\fP for each kind of end, "
        "the largest first, and then a \\fBwait_node\\fP for each function that threads wait in, "
        "parents before children. GDB has no such command.",
    ),
    Answer(
        "run",
        "end",
        "The first line. When the program was killed by its own fault, a \\fBdeath\\fP follows, "
        "and the objects that \\fBobject\\fP prints for the address. When another signal killed "
        "it, the objects of \\fBwaits\\fP follow. Next come each \\fBfinding\\fP of "
        "\\fBcheck\\fP, each \\fBerror\\fP of a refused call or a failed build, each "
        "\\fBcommand\\fP that failed or is not known to be complete, and each mapped "
        "\\fBmemobj\\fP. Identical ones at one place are merged into the first, which has the "
        "keys marked \\(lqrun only\\(rq. Last come one \\fBleft\\fP for each kind and call "
        "stack of objects left alive, and one \\fBkept\\fP for each object that the program has "
        "released and something keeps alive. The same sequence follows for each other process "
        "that the program created and that used OpenCL. A process that called exec has a "
        "sequence for the program before it, too. GDB has no such command.",
    ),
    Answer(
        "layouts",
        "layout",
        "One for each file, and one for each installed runtime without a layout. GDB has no such "
        "command.",
    ),
    Answer("learn", "layout", "One for each runtime. GDB has no such command."),
]

# The keys that objects have in addition to the library's fields.
_DESTRUCTORS = Key(
    "destructors",
    "array of destructor",
    "its destructor callbacks in call order: what identifies each, and its state",
)
_USED_BY = Key(
    "used_by",
    "array of command",
    "one object only: the last commands that execute or use it, newest first",
)
_KEEPERS = Key(
    "keepers",
    "array of keeper",
    "for a single object, and in \\fBleaks\\fP: what keeps it alive though the program has "
    "released it, or its mappings",
)
_TIMES = Key("times", "number", "run only: how many there are at this place")
ADDED: Dict[str, List[Key]] = {
    "overview": [
        Key("findings", "number", "mistakes that \\fBcheck\\fP reports"),
        Key("failed_builds", "number", "programs whose last build failed"),
        Key("embree_devices", "number", "devices of Embree, if there are any"),
        Key("embree_bytes", "number", "memory that these hold, as the bytes of their rows"),
        Key("refused_calls", "number", "calls that the runtime refused, among the last ones"),
        Key(
            "failed_commands",
            "number",
            "commands that ended with an error, among those that the recorder keeps",
        ),
        Key("pending_commands", "number", "commands that are not known to be complete"),
        Key(
            "notes",
            "array of string",
            "limits of the counts: memory that could not be searched, and facts that no layout "
            "has",
        ),
    ],
    "context": [
        _DESTRUCTORS,
        Key(
            "messages",
            "array of message",
            "for a single context: messages of the runtime about it; null: they are unknown",
        ),
        _KEEPERS,
    ],
    "sampler": [_KEEPERS],
    "command_buffer": [
        _KEEPERS,
        Key(
            "recorded_commands",
            "array of buffered_command",
            "command-buffer only: its commands, in order",
        ),
        _USED_BY,
    ],
    "semaphore": [_KEEPERS, _USED_BY],
    "embree_device": [
        Key(
            "released",
            "embree_released",
            "embree only: what the program has released, and other objects hold",
        ),
        Key("building", "array of hexadecimal", "embree only: scenes whose commit is in progress"),
    ],
    "embree_scene": [
        Key(
            "attached_geometries",
            "array of embree_geometry",
            "embree-scene only: its geometries, by their geometry ID",
        )
    ],
    "embree_geometry": [
        Key(
            "bound_buffers",
            "array of embree_buffer",
            "embree-geometry only: the buffers that are bound to it",
        )
    ],
    "leak": [_KEEPERS],
    "finding": [Key("finding", "string", "run only: the rule"), _TIMES],
    "error": [
        Key("refused", "string", "run only: the OpenCL function that was refused"),
        Key("failed_build", "string", "run only: the OpenCL function, of a failed build"),
        Key(
            "failed_command", "string", "run only: the OpenCL function, of a command that never ran"
        ),
        _TIMES,
    ],
    "memobj": [
        _DESTRUCTORS,
        _KEEPERS,
        Key("mapped", "string", "run only: what the object is; it was never unmapped"),
        _TIMES,
        Key(
            "contents",
            "contents",
            "its bytes, with \\-contents; null: the host cannot see them",
        ),
        Key(
            "image",
            "picture",
            "the file that it was written to, with \\-image; null: there is none",
        ),
    ],
    "program": [_DESTRUCTORS, _KEEPERS],
    "queue": [
        Key(
            "commands",
            "array of command",
            "for the verb \\fBqueue\\fP only: its commands; null: not known",
        ),
        _KEEPERS,
    ],
    "command": [
        Key("failed_command", "string", "run only: what the command is; it failed"),
        Key(
            "pending_command",
            "string",
            "run only: what the command is; it is not known to be complete",
        ),
        _TIMES,
        Key("wait_list", "array of hexadecimal", "events that it waits for"),
        Key(
            "arguments",
            "array of argument",
            "arguments of its kernel when it was enqueued; null: not known",
        ),
        Key("accesses", "array of access", "what it touches; null: not known"),
    ],
    "kernel": [
        Key("arguments", "array of argument", "at this stop; null: not known"),
        Key(
            "accesses",
            "array of access",
            "SVM and USM that it uses besides its arguments; null: not known",
        ),
        _KEEPERS,
    ],
    "svm_free": [
        Key("pointers", "array of svm_pointer", "pointers that it frees, in that order"),
        Key("wait_list", "array of hexadecimal", "events that it waits for; null: not known"),
    ],
    "layout": [
        Key("path", "string", "its file"),
        Key("installed", "string", "name of the installed runtime that it is for"),
        Key("error", "string", "why there is no layout"),
        Key("left_out", "array of string", "what was not learned, and the reason"),
    ],
    "thread": [
        Key("activities", "array of activity", "calls and callbacks that it is in, innermost first")
    ],
}

# The objects of the library's table that an answer may have.
KINDS = (
    "overview context queue memobj destructor svm svm_free svm_pointer platform device "
    "command access mapping event kernel program sampler command_buffer buffered_command "
    "semaphore embree_device embree_scene embree_geometry embree_buffer finding wait_step "
    "destroyed error message reference_site leak ledger call callback argument thread "
    "activity usage library_memory runtime layout"
).split()
_PID = Key("pid", "number", "process id")
_IS_INCOMPLETE = Key("is_incomplete", "boolean", "whether part of the answer is missing")
# The counts of a comparison.
_COUNTS = [
    Key("before", "number", "objects in the first snapshot"),
    Key("bytes_before", "number", "bytes of these memory objects and SVM allocations"),
    Key("after", "number", "objects in the second snapshot"),
    Key("bytes_after", "number", "bytes of these"),
    Key("made", "number", "created since the first snapshot; null: not the same process"),
    Key("bytes_made", "number", "bytes of these"),
    Key("destroyed", "number", "destroyed until the second snapshot; null: not the same process"),
    Key("bytes_destroyed", "number", "bytes of these"),
]
OBJECTS: Dict[str, List[Key]] = {
    "memory_use": [
        Key("usage", "array of usage", "what the program uses, by kind of object"),
        Key("library", "library_memory", "memory that the library uses in the command, or in GDB"),
    ],
    "embree_released": [
        Key("scenes", "number", "scenes that instances hold"),
        Key("geometries", "number", "geometries that scenes hold"),
        Key("buffers", "number", "buffers that geometries hold"),
    ],
    "place": [
        Key("symbol", "string", "the function, or the function inlined there"),
        Key("symbol_offset", "number", "offset from its start, where no line is known"),
        Key("inlined_into", "array of string", "functions it is inlined into, innermost first"),
        Key(
            "inlined_at",
            "array of line",
            "for each of these, the line that calls the one before, as far as it is known",
        ),
        Key("file", "string", "source file, where there is debug information"),
        Key("line", "number", "line in it"),
        Key("module", "string", "path of the program or library, where no source file is known"),
        Key("module_offset", "hexadecimal", "offset from the start of the module"),
    ],
    "contents": [
        Key("address", "hexadecimal", "address of the first byte, in the program's memory"),
        Key("as", "string", "OpenCL C type of the values; uchar by default"),
        Key("values", "array of value", "the values of the rows that \\-rows allows"),
        Key("left_out", "number", "bytes that follow these values"),
    ],
    "picture": [
        Key("file", "string", "as given"),
        Key("bytes", "number", "size of the file"),
        Key("width", "number", "in pixels"),
        Key("height", "number", "in pixels"),
    ],
    "line": [
        Key("file", "string", "source file"),
        Key("line", "number", "line in it"),
    ],
    "frame": [
        Key("address", "function", "return address of a call"),
        Key(
            "is_binding",
            "boolean",
            "true: the innermost function there belongs to an OpenCL binding, not to the program",
        ),
    ],
    "group": [
        Key("count", "number", "objects of the list that have the value"),
        Key("bytes", "number", "of these objects, where they have a size; includes sub-buffers"),
    ],
    "unreadable": [
        Key(
            "unreadable",
            "number",
            "rows that could not be read; objects in memory that was not searched do not count; "
            "the key \\(lqrows\\(rq in \\fBunknown\\fP gives the reason",
        )
    ],
    "verdict": [
        Key(
            "core",
            "string",
            "path of the core, as given, or from the journal; null: the journal has none",
        ),
        Key("program", "string", "path of the program"),
        Key("build_id", "string", "build-id of the program's file, hexadecimal digits"),
        Key("command_line", "string", "its command line"),
        Key(
            "host",
            "string",
            "HOSTNAME in its environment; from the journal, the name of the machine",
        ),
        _PID,
        Key(
            "time",
            "number",
            "time of the core file, in seconds since 1970; from the journal, when the process "
            "ended",
        ),
        Key(
            "unit",
            "string",
            "systemd unit of the process; this key and the next five need "
            "\\fB\\-\\-journal\\fP; null: the journal does not have it, or does not name the "
            "core",
        ),
        Key("user_unit", "string", "unit of the user's own systemd, within that"),
        Key("boot_id", "string", "boot of the machine, hexadecimal digits"),
        Key("uid", "number", "user of the process"),
        Key("package", "string", "package of the program, where its file names it"),
        Key("package_version", "string", "version of that package"),
        Key("is_truncated", "boolean", "whether the end of the file is missing"),
        Key("size", "number", "size of the file"),
        Key("whole_size", "number", "size that the whole file would have"),
        Key("saved_bytes", "number", "bytes of the program's memory in the file"),
        Key("left_out_bytes", "number", "bytes of the program's memory not in the file"),
        Key(
            "signal",
            "string",
            "name of the signal that killed it; null, and not in unknown: it was alive",
        ),
        Key("signal_lwp", "number", "thread that received it"),
        Key(
            "frames",
            "array of string",
            "functions that this thread was in, innermost first; functions of the program "
            "without a name by their offset",
        ),
        Key("called", "hexadecimal", "address without code that the innermost function called"),
        Key(
            "signature",
            "string",
            "equal for all crashes, or hangs, at the same places; null: the places are not known",
        ),
        Key(
            "signature_version",
            "string",
            "version of the rules behind the next two keys: the number of the installed rules, "
            "and a value that differs for each change of a rule; null: there are no rules",
        ),
        Key(
            "signature_text",
            "string",
            "the places as text, \\(lqSIGSEGV | memcpy | upload | load_frame\\(rq",
        ),
        Key(
            "signature_coarse",
            "string",
            "the same without parts that differ between builds of the program and its runtimes",
        ),
        Key(
            "class",
            "string",
            "\\(lqcrash\\(rq, \\(lqabort\\(rq, \\(lqout of memory\\(rq (the program aborted "
            "because of it), \\(lqforked child\\(rq, \\(lqhang\\(rq, \\(lqhang at exit\\(rq or "
            "\\(lqlived\\(rq; null: not known",
        ),
        Key(
            "findings",
            "array of string",
            "certain findings of \\fBcheck\\fP, each \\fBrule\\fP once, and ends of waits that "
            "will not end by themselves, each \\fBend\\fP of \\fBwaits\\fP once",
        ),
        Key("presumed_findings", "array of string", "the presumed findings, in the same form"),
        Key(
            "first_finding",
            "string",
            "sentence of the first certain finding of \\fBcheck\\fP, or of the first presumed one",
        ),
        Key("module_build_ids", "array of module", "modules of the program that have a build-id"),
        Key(
            "sources",
            "array of string",
            "sources of the objects: \\(lqrecorder 1.12\\(rq, \\(lqlayout libpocl.so.2.10.0 "
            "(build-id 4a\\&...)\\(rq",
        ),
        Key("overview", "overview", "the object of the verb \\fBoverview\\fP"),
        Key("waiting_threads", "number", "threads that wait in OpenCL"),
        Key("running_threads", "number", "threads that run OpenCL callbacks"),
        Key("waits", "array of wait_place", "of a program that was alive: where those threads are"),
        Key(
            "error",
            "string",
            "why the core, or OpenCL in it, could not be read; \\(lqThe core was deleted.\\(rq: "
            "the journal names the core, but its file no longer exists",
        ),
        Key("seconds", "decimal", "time that the core took"),
        _IS_INCOMPLETE,
    ],
    "core_group": [
        Key("cores", "number", "cores in the group"),
        Key("program", "string", "name of their program; absent with \\fB\\-\\-any\\-program\\fP"),
        Key("class", "string", "as in \\fBverdict\\fP; presumed when it is presumed for one core"),
        Key("signature_version", "string", "as in \\fBverdict\\fP"),
        Key("signature_coarse", "string", "as in \\fBverdict\\fP"),
        Key("example", "string", "path of the first of the cores, as given"),
    ],
    "wait_node": [
        Key("node", "number", "number of the function, from 1"),
        Key("parent", "number", "node of the function that it called; absent for the innermost"),
        Key("function", "string", "its name, as in \\fBsignature_text\\fP"),
        Key("cores", "number", "cores that have threads there"),
        Key("ending", "number", "those of them whose callers are not listed"),
        Key("example", "string", "path of the first of the cores, as given"),
    ],
    "module": [
        Key("module", "string", "path of its file in the process"),
        Key("build_id", "string", "hexadecimal digits"),
    ],
    "wait_place": [
        Key("state", "string", "as in \\fBthread\\fP"),
        Key("frames", "array of string", "functions, innermost first"),
        Key("threads", "number", "threads at that place"),
    ],
    "node": [
        Key("node", "number", "number of the node, from 1"),
        Key("kind", "string", "kind of its objects"),
        Key("handle", "hexadecimal", "handle of its object; absent for a group"),
        Key("count", "number", "number of its objects"),
        Key("bytes", "number", "bytes of its memory objects and SVM allocations"),
        Key("caller", "function", "the call that created the objects of a group"),
    ],
    "edge": [
        Key("from", "number", "number of a node"),
        Key("to", "number", "number of another node, or of the same"),
        Key(
            "relation",
            "string",
            "\\(lqhas\\(rq, \\(lqpart of\\(rq, \\(lqof\\(rq (a kernel and its program) or "
            "\\(lqwaits for\\(rq",
        ),
        Key("count", "number", "pairs of objects"),
    ],
    "page": [
        Key("file", "string", "path of the page, as given"),
        Key("bytes", "number", "size of the file"),
        Key("has_graph", "boolean", "whether it contains a picture of the graph"),
    ],
    "snapshot": [
        Key("file", "string", "path of the snapshot, as given"),
        Key("bytes", "number", "of the file"),
    ],
    "comparison": [
        Key("first", "string", "path of the first snapshot"),
        Key("second", "string", "path of the second one; \\(lqnow\\(rq for a process"),
        Key("is_one_process", "boolean", "whether both show the same process"),
        Key("changed_places", "number", "number of \\fBchange\\fP objects that follow"),
        Key("totals", "array of total", "totals of each kind that both snapshots have"),
        Key("notes", "array of string", "how the snapshots are related, and what they do not show"),
    ],
    "total": [Key("kind", "string", "kind of object: memobj, svm, context, ..."), *_COUNTS],
    "change": [
        Key("kind", "string", "as in \\fBtotal\\fP"),
        Key("made_at", "array of string", "the calls that created them, innermost first"),
        *_COUNTS,
    ],
    "end": [
        Key(
            "program",
            "string",
            "as given; for other processes, and after exec, the first word of the command line",
        ),
        _PID,
        Key("exit_status", "number", "exit status, if it exited"),
        Key("signal", "string", "name of the signal that killed it"),
        Key("has_died", "boolean", "a signal killed it: its remaining objects are not leaks"),
        Key(
            "is_interpreter",
            "boolean",
            "its file name is that of an interpreter: objects alive at its exit are not leaks",
        ),
        Key("findings", "number", "mistakes that \\fBcheck\\fP reports, each as often as made"),
        Key(
            "refused",
            "number",
            "refused calls that correct programs do not make; null: the recorder keeps none",
        ),
        Key("failed_builds", "number", "calls that build programs and failed"),
        Key(
            "failed_commands", "number", "commands that failed, among those that the recorder keeps"
        ),
        Key("pending_commands", "number", "commands that are not known to be complete"),
        Key("mappings", "number", "mappings of memory objects that were never unmapped"),
        Key("is_thorough", "boolean", "whether the recorder ran its slower checks, too"),
        Key("not_checked", "string", "what was not checked"),
        Key("over_releases", "number", "releases of objects with no references left"),
        Key("suppressed", "number", "remaining objects that \\-\\-suppress or \\-\\-baseline name"),
        Key("loaders_refused", "number", "OpenCL loaders that the recorder could not serve"),
        Key("error", "string", "why the remaining objects are not known"),
        _IS_INCOMPLETE,
        Key("parent_pid", "number", "of a process that the program created: its creator"),
        Key(
            "is_forked",
            "boolean",
            "a process that did not call exec: the objects that follow show its own actions only; "
            "absent for others",
        ),
        Key(
            "is_replaced",
            "boolean",
            "it became another program by exec, with the same pid and a line of its own; absent "
            "for others",
        ),
        Key(
            "is_running",
            "boolean",
            "it was still running when the program ended; absent for others",
        ),
        Key(
            "is_detached",
            "boolean",
            "\\fBrun\\fP detached from it for a debugger: the objects that follow show its actions "
            "until then; absent for others",
        ),
        Key(
            "other_processes",
            "number",
            "of the program itself: other processes that used OpenCL, whose lines follow",
        ),
    ],
    "death": [
        Key("died_of", "string", "name of the signal"),
        Key("lwp", "number", "thread that received it"),
        Key("address", "hexadecimal", "address that could not be accessed"),
        Key("call", "string", "OpenCL function that the thread was in"),
        Key("is_in_callback", "boolean", "the thread was in an OpenCL callback"),
        Key("calls", "array of death_call", "calls of the thread, innermost first"),
    ],
    "death_call": [
        Key("address", "hexadecimal", "address of the code; for a call, its return address"),
        Key("symbol", "string", "the function"),
        Key("file", "string", "source file"),
        Key("line", "number", "line in it"),
        Key("library", "string", "name of the file that contains the code"),
    ],
    "left": [
        Key("left", "string", "kind of object: memobj, svm, context, queue, program, ..."),
        Key("count", "number", "number of objects"),
        Key("made", "number", "objects that these calls created, destroyed ones included"),
        Key(
            "is_released",
            "boolean",
            "the program has released them, and other objects keep them alive",
        ),
        Key("lost", "number", "those whose handles were not found in the program's memory"),
        Key("bytes", "number", "bytes of memory objects and SVM allocations"),
        Key("stack", "array of frame", "call stack that created them, where it is recorded"),
        Key(
            "unreleased",
            "number",
            "references that were never released, if the objects were retained and the ledger has "
            "all entries",
        ),
        Key("retains", "array of retain", "the calls that retained and released them"),
    ],
    "retain": [
        Key("action", "string", "\\(lqretained\\(rq or \\(lqreleased\\(rq"),
        Key("times", "number", "calls from this place that are in the ledger"),
        Key("stack", "array of frame", "the innermost call"),
    ],
    "kept": [
        Key("kept", "string", "kind of an object that the program released: memobj, ..."),
        Key("handle", "hexadecimal", "its handle"),
        Key("is_released", "boolean", "the program has released it"),
        Key("keepers", "array of keeper", "what keeps it alive"),
    ],
    "keeper": [
        Key(
            "by",
            "string",
            "\\(lqmapping\\(rq, \\(lqcommand\\(rq, \\(lqobject\\(rq (an object made of it), or "
            "\\(lqargument\\(rq (of a kernel)",
        ),
        Key("count", "number", "how many there are"),
        Key("kind", "string", "kind of that object, or queue: the queue of the commands"),
        Key("handle", "hexadecimal", "its handle; the first of several"),
        Key("first", "number", "for commands of one queue: number of the first in it"),
        Key("last", "number", "number of the last"),
    ],
}

_TYPES = {
    "handle": "hexadecimal",
    "address": "hexadecimal",
    "function": "function",
    "caller": "hexadecimal",
    "bytes": "number",
    "count": "number",
    "number": "number",
    "lwp": "number",
    "flags": "array of string",
    "name": "string",
    "state": "string",
    "boolean": "boolean",
    "stack": "array of frame",
    "time": "number",
    "text": "string",
}


def _field_keys(field: Field, type_name: str, has_places: bool) -> List[Key]:
    """Return the keys of a field.  HAS_PLACES: an object may have several functions."""
    keys = [Key(field.name, _TYPES[type_name], field.help)]
    if type_name == "function" and has_places:
        keys = [
            Key(field.name, "hexadecimal", field.help),
            Key(field.name + "_place", "place", "the code there"),
        ]
    if type_name == "flags":
        keys.append(Key(field.name + "_value", "number", "the same as one number"))
    return keys


def _object_text(name: str, keys: List[Key]) -> List[str]:
    lines = [f".SS {escape(name)}"]
    for key in keys:
        lines += [".TP", f'.BR {escape(key.name)} " ({key.type})"', key.help]
    return lines


def json_text(path: str, header: str, version: str) -> List[str]:
    """Write the page."""
    type_names = type_names_of(header)
    objects = {
        kind.name: [
            key
            for field in kind.fields
            for key in _field_keys(field, type_names[field.type], kind.name.startswith("embree"))
        ]
        + ADDED.get(kind.name, [])
        for kind in read_kinds(path)
        if kind.name in KINDS
    }
    objects.update(OBJECTS)
    lines = head([JSON], 5, version, SUMMARY) + INTRODUCTION.split("\n") + [".SH ANSWERS"]
    for answer in ANSWERS:
        text = f"\\fB{escape(answer.object)}\\fP. {answer.also}".rstrip()
        lines += [".TP", f".B {escape(answer.verbs)}", text]
    lines.append(".SH OBJECTS")
    for name, keys in objects.items():
        lines += _object_text(name, keys)
    return lines + see_also("ompd-opencl(1)", "ompd-opencl-gdb(7)", f"{FIELDS}(7)")
