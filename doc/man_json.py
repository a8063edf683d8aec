# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of the JSON that the command and the GDB plugin print: what holds fields of the library
from its own table, as list-fields prints it; the rest from here."""

from typing import Dict, List, NamedTuple

from man_fields import Field, read_kinds, type_names_of
from man_roff import FIELDS, JSON, escape, head, see_also

SUMMARY = "the JSON that ompd-opencl and the opencl commands of GDB print"

INTRODUCTION = """\
.SH DESCRIPTION
With \\fB\\-\\-json\\fP the command \\fBompd\\-opencl\\fP (1) prints JSON Lines: each object is a
line of its own. With \\fB\\-json\\fP an \\fBopencl\\fP command of GDB prints the same objects as
one array, an object a line. Neither is ever cut. The text is UTF\\-8; a byte of the target that
is none comes as U+FFFD, and controls are escaped.
.PP
There is no record before the first object. When some of a list could not be read, or there may be
more than was found, an object \\fBunreadable\\fP comes last. When the whole answer is missing,
nothing is printed, or the array
is not ended, and the exit code and the sentence on the standard error output say why.
.SS Version
Each object of an answer has the key \\fBschema\\fP with the number 1. Keys and objects may be
added, and names to those that a key may have, without another number: a reader passes over what
it does not know. What is there keeps its meaning and type as long as the number is the same; a
reader refuses another number.
.SS Groups
With \\fB\\-group\\fP, or \\fB\\-\\-group\\fP, a list prints objects \\fBgroup\\fP in
place of its own: one for each value of the field that was named, which the object has besides as
those of the list do.
.SS Types
.TP
.B hexadecimal
A string: 0x and the digits of a cl handle or an address. Numbers of JSON would lose digits.
.TP
.B function
A hexadecimal of code; when it is not 0x0 the object has, beside it, the keys of the object
\\fBplace\\fP, as far as they are known.
.TP
.B value
A number, whole or not, or one of the strings inf, \\-inf, nan and \\-nan; of a vector an array of
such; null for what could not be read.
.TP
.B number
Whole. Sizes are in bytes, times in milliseconds since the beginning of 1970, UTC.
.TP
.B decimal
A number with three digits behind its point, of seconds.
.SS What is not known
A key that does not apply is absent. One whose value is not known is \\fBnull\\fP, or an array
short of some, and the object has a key \\fBunknown\\fP: an object that has for each such key a
string, the reason. The reasons are \\(lqnot observed\\(rq, \\(lqnot saved in the core\\(rq,
\\(lqunreadable\\(rq, \\(lqcorrupt\\(rq, \\(lqunknown\\(rq and \\(lqbeing changed by LWP\\(rq with
its number, or a sentence. A key whose value is presumed, not proved, is named in the array
\\fBpresumed\\fP, and a count that may be larger, since not all memory could be looked through or no
source tells all of it, also in the array \\fBat_least\\fP. Any object may have \\fBunknown\\fP,
\\fBpresumed\\fP and \\fBat_least\\fP."""


class Key(NamedTuple):
    """One key of an object."""

    name: str
    type: str
    help: str


class Answer(NamedTuple):
    """What some verbs print."""

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
    Answer("events, event", "event"),
    Answer("callbacks", "callback"),
    Answer("kernels, kernel", "kernel"),
    Answer("programs, program", "program"),
    Answer("samplers, sampler", "sampler"),
    Answer(
        "check",
        "finding",
        "What an object has beside its \\fBrule\\fP is what the sentence of that rule names.",
    ),
    Answer(
        "waits",
        "hop",
        "One for each hop; those of a chain have its number, and the last one how it ends.",
    ),
    Answer("errors", "error", "The last ones come first."),
    Answer("gone", "gone", "Those that ended last come first."),
    Answer("calls", "call", "Those that returned last come first."),
    Answer(
        "ledger",
        "ledger",
        "With a handle in the order in which they were written, for each object that had it; else "
        "kind by kind, the last ones first.",
    ),
    Answer(
        "object",
        "gone",
        "Of an object that is there, what its own command gives; of what is gone, one for each "
        "object that had the handle or the memory, the last one first.",
    ),
    Answer("holders", "holder", "One for each place that has the handle."),
    Answer(
        "leaks",
        "leak",
        "One for each object that is a leak, or may be one; and one, which has \\fBkeepers\\fP, "
        "for each that the program has released and that mappings, commands or arguments of "
        "kernels keep.",
    ),
    Answer(
        "graph",
        "node",
        "For each object, or of more than 300 for each kind and place where they were made. Then "
        "an \\fBedge\\fP comes for each pair that has to do with each other.",
    ),
    Answer("report", "page"),
    Answer("save", "look"),
    Answer(
        "diff",
        "comparison",
        "The first line. Then one \\fBchange\\fP comes for each kind of object and calls that made "
        "them, of which there are others than before; the largest growth in bytes, then in number, "
        "comes first.",
    ),
    Answer("threads", "thread"),
    Answer("memory", "memory_use"),
    Answer("runtimes", "runtime"),
    Answer(
        "triage",
        "verdict",
        "One for each core. With \\fB\\-\\-group\\fP a \\fBcore_group\\fP for each kind of end, "
        "the largest first, then a \\fBwait_node\\fP for each function that threads wait in, a "
        "parent before its children. There is no such command in GDB.",
    ),
    Answer(
        "run",
        "end",
        "The first line. Of a program that its own fault has killed a \\fBdeath\\fP follows, with "
        "what \\fBobject\\fP says of the address; of one that another signal has killed what "
        "\\fBwaits\\fP says. Then come, once for all that are alike, each \\fBfinding\\fP of "
        "\\fBcheck\\fP, each \\fBerror\\fP of a call that was refused and of a build that failed, "
        "each \\fBcommand\\fP that has failed or is not known to be over, and each \\fBmemobj\\fP "
        "that is mapped, the first of them with the keys that are said to be of run. Then one "
        "\\fBleft\\fP comes for each kind and call stack of what is left alive, and one "
        "\\fBkept\\fP for each object that the program has released and something keeps. The same "
        "follows of each other process that the program has made and that has used OpenCL, and "
        "of each that called exec, of what it was before. There is no such command in GDB.",
    ),
    Answer(
        "layouts",
        "layout",
        "One for each file, and one for each installed runtime that none fits. There is no such "
        "command in GDB.",
    ),
    Answer("learn", "layout", "One for each runtime; there is no such command in GDB."),
]

# What objects have beside the library's fields.
_DESTRUCTORS = Key(
    "destructors",
    "array of destructor",
    "its destructor callbacks in call order, of each what identifies it and how far it has come",
)
_KEEPERS = Key(
    "keepers",
    "array of keeper",
    "of one that is asked for, and in \\fBleaks\\fP: what keeps it though the program has released "
    "it, or that it is mapped",
)
_TIMES = Key("times", "number", "of run: how often that is so at this place")
ADDED: Dict[str, List[Key]] = {
    "overview": [
        Key("findings", "number", "mistakes that \\fBcheck\\fP tells of"),
        Key("failed_builds", "number", "programs whose last build has failed"),
        Key("refused_calls", "number", "of the last calls, those that the runtime has refused"),
        Key(
            "failed_commands",
            "number",
            "of the commands that are kept, those that ended with an error",
        ),
        Key("pending_commands", "number", "commands that are not known to have ended"),
        Key(
            "notes",
            "array of string",
            "what the counts leave open: memory that could not be looked through, and what no "
            "layout tells",
        ),
    ],
    "context": [_DESTRUCTORS, _KEEPERS],
    "sampler": [_KEEPERS],
    "leak": [_KEEPERS],
    "finding": [Key("finding", "string", "of run: the rule"), _TIMES],
    "error": [
        Key("refused", "string", "of run: the function of OpenCL that the runtime has refused"),
        Key("failed_build", "string", "of run: that function, of a build that has failed"),
        Key("failed_command", "string", "of run: that function, of a command that never ran"),
        _TIMES,
    ],
    "memobj": [
        _DESTRUCTORS,
        _KEEPERS,
        Key("mapped", "string", "of run: what it is, and it was never unmapped"),
        _TIMES,
        Key(
            "contents",
            "contents",
            "what is in its bytes, where that was asked for; null: the host cannot see them",
        ),
        Key(
            "image",
            "picture",
            "the file that it was written to, where that was asked for; null: there is none",
        ),
    ],
    "program": [_DESTRUCTORS, _KEEPERS],
    "queue": [
        Key(
            "commands",
            "array of command",
            "of \\(lqqueue\\(rq alone: its commands; null: not known",
        ),
        _KEEPERS,
    ],
    "command": [
        Key("failed_command", "string", "of run: what it is, and it has failed"),
        Key("pending_command", "string", "of run: what it is, and it is not known to be over"),
        _TIMES,
        Key("wait_list", "array of hexadecimal", "events that it waits for"),
        Key("arguments", "array of argument", "those that its kernel had then; null: not known"),
    ],
    "kernel": [Key("arguments", "array of argument", "as they are now; null: not known"), _KEEPERS],
    "svm_free": [
        Key("pointers", "array of svm_pointer", "what it frees, in that order"),
        Key("wait_list", "array of hexadecimal", "events that it waits for; null: not known"),
    ],
    "layout": [
        Key("path", "string", "its file"),
        Key("installed", "string", "name of the installed runtime that it fits, or should"),
        Key("error", "string", "why there is none"),
        Key("left_out", "array of string", "what was not learned, and why"),
    ],
    "thread": [
        Key("activities", "array of activity", "calls and callbacks it is in, innermost first")
    ],
}

# The objects of the library's table that are within an answer, and those that are made of them.
KINDS = [
    "overview",
    "context",
    "queue",
    "memobj",
    "destructor",
    "svm",
    "svm_free",
    "svm_pointer",
    "platform",
    "device",
    "command",
    "event",
    "kernel",
    "program",
    "sampler",
    "finding",
    "hop",
    "gone",
    "error",
    "holder",
    "leak",
    "ledger",
    "call",
    "callback",
    "argument",
    "thread",
    "activity",
    "usage",
    "memory",
    "runtime",
    "layout",
]
_PID = Key("pid", "number", "process id")
_IS_INCOMPLETE = Key("is_incomplete", "boolean", "whether part of the answer is missing")
# What a comparison counts.
_COUNTS = [
    Key("before", "number", "objects in the first look"),
    Key("bytes_before", "number", "of them, of memory objects and SVM allocations"),
    Key("after", "number", "objects in the second look"),
    Key("bytes_after", "number", "of them"),
    Key("made", "number", "of those in the second look, since the first; null: not one process"),
    Key("bytes_made", "number", "of them"),
    Key("destroyed", "number", "of those in the first look, until the second; likewise"),
    Key("bytes_destroyed", "number", "of them"),
]
OBJECTS: Dict[str, List[Key]] = {
    "memory_use": [
        Key("usage", "array of usage", "what the program holds, by kind of object"),
        Key("library", "memory", "what the library holds of the memory of the command, or of GDB"),
    ],
    "place": [
        Key("symbol", "string", "the function, or what is inlined there"),
        Key("symbol_offset", "number", "bytes behind its start, where no line is known"),
        Key("inlined_into", "array of string", "functions it is inlined into, innermost first"),
        Key(
            "inlined_at",
            "array of line",
            "as many: where each of these has the call of the one before, as far as it is known",
        ),
        Key("file", "string", "source file, where there is debug information"),
        Key("line", "number", "line in it"),
        Key("module", "string", "path of the program or library, where no file is known"),
        Key("module_offset", "hexadecimal", "offset from where the module begins"),
    ],
    "contents": [
        Key("address", "hexadecimal", "of the first byte, in the program's memory"),
        Key("as", "string", "type of OpenCL C that the values have: uchar unless one was named"),
        Key("values", "array of value", "as many as the rows have that were asked for"),
        Key("left_out", "number", "bytes behind these values"),
    ],
    "picture": [
        Key("file", "string", "as given"),
        Key("bytes", "number", "of the file"),
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
            "true: the innermost function there is of a binding of OpenCL, not of the program",
        ),
    ],
    "group": [
        Key("count", "number", "objects of the list that have the value"),
        Key(
            "bytes", "number", "of these objects, where they have a size; those of sub-buffers, too"
        ),
    ],
    "unreadable": [
        Key(
            "unreadable",
            "number",
            "rows that could not be read, not those that may lie where nothing was looked for; "
            "what is missing is below \\(lqrows\\(rq in unknown",
        )
    ],
    "verdict": [
        Key(
            "core",
            "string",
            "path of the core, as given, or as the journal names it; null: it names none",
        ),
        Key("program", "string", "path of the program"),
        Key("build_id", "string", "of the program's file, hexadecimal digits"),
        Key("command_line", "string", "how it was called"),
        Key(
            "host",
            "string",
            "HOSTNAME of its environment; where the journal names the core, of the machine",
        ),
        _PID,
        Key(
            "time",
            "number",
            "of the core file, in seconds since 1970; where the journal names the core, of the end",
        ),
        Key(
            "unit",
            "string",
            "of systemd, that the process was in; this and the five next come with "
            "\\fB\\-\\-journal\\fP alone; null: the journal does not tell, or does not name "
            "the core",
        ),
        Key("user_unit", "string", "of the user's own systemd, within that"),
        Key("boot_id", "string", "of the machine then, hexadecimal digits"),
        Key("uid", "number", "user of the process"),
        Key("package", "string", "that the program is of, where its file names it"),
        Key("package_version", "string", "of that package"),
        Key("is_truncated", "boolean", "whether the end of the file is missing"),
        Key("size", "number", "of the file"),
        Key("whole_size", "number", "that the file should have"),
        Key("saved_bytes", "number", "of the program's memory in the file"),
        Key("left_out_bytes", "number", "of the program's memory not in the file"),
        Key(
            "signal",
            "string",
            "name of the signal that it died of; null, and not in unknown: it lived",
        ),
        Key("signal_lwp", "number", "thread that got it"),
        Key(
            "frames",
            "array of string",
            "functions that this thread was in, innermost first, the "
            "program's without names by where they are",
        ),
        Key("called", "hexadecimal", "address without code that the innermost of them called"),
        Key(
            "signature",
            "string",
            "the same for all deaths, or hangs, at the same places; null: these are not known",
        ),
        Key(
            "signature_version",
            "string",
            "of the rules that the two next are made by: the number of the installed list, and "
            "what is another for each change of a rule; null: there are no rules",
        ),
        Key(
            "signature_text",
            "string",
            "the places in words, \\(lqSIGSEGV | memcpy | upload | load_frame\\(rq",
        ),
        Key(
            "signature_coarse",
            "string",
            "the same without what differs from build to build of the program and of its runtimes",
        ),
        Key(
            "class",
            "string",
            "\\(lqcrash\\(rq, \\(lqabort\\(rq, \\(lqout of memory\\(rq (of a program that aborted "
            "for want of it), \\(lqforked child\\(rq, \\(lqhang\\(rq, \\(lqhang at exit\\(rq or "
            "\\(lqlived\\(rq; null where that cannot be told",
        ),
        Key(
            "findings",
            "array of string",
            "what \\fBcheck\\fP finds for certain, each \\fBrule\\fP once, and how waits end that "
            "will not end by themselves, each \\fBend\\fP of \\fBwaits\\fP once",
        ),
        Key("presumed_findings", "array of string", "likewise, of what is presumed"),
        Key(
            "first_finding",
            "string",
            "the sentence of the first certain finding of \\fBcheck\\fP, or else of the first",
        ),
        Key(
            "module_build_ids", "array of module", "of the program and its libraries that have one"
        ),
        Key(
            "sources",
            "array of string",
            "what tells of the objects: \\(lqrecorder 1.12\\(rq, \\(lqlayout libpocl.so.2.10.0 "
            "(build-id 4a\\&...)\\(rq",
        ),
        Key("overview", "overview", "what the verb of this name prints"),
        Key("waiting_threads", "number", "that wait in OpenCL"),
        Key("running_threads", "number", "that run its callbacks"),
        Key("waits", "array of wait_place", "of a program that lived: where those threads are"),
        Key(
            "error",
            "string",
            "why the core, or OpenCL in it, could not be read; \\(lqThe core is gone.\\(rq: the "
            "journal names it, but its file is no longer there",
        ),
        Key("seconds", "decimal", "that it took to look at the core"),
        _IS_INCOMPLETE,
    ],
    "core_group": [
        Key("cores", "number", "that are in it"),
        Key("program", "string", "name of their program; absent with \\fB\\-\\-any\\-program\\fP"),
        Key("class", "string", "as of \\fBverdict\\fP; presumed where it is so of one of them"),
        Key("signature_version", "string", "as of \\fBverdict\\fP"),
        Key("signature_coarse", "string", "as of \\fBverdict\\fP"),
        Key("example", "string", "path of the first of the cores, as given"),
    ],
    "wait_node": [
        Key("node", "number", "of the function, from 1 on"),
        Key("parent", "number", "node of the function that it has called; absent of the innermost"),
        Key("function", "string", "its name, as in \\fBsignature_text\\fP"),
        Key("cores", "number", "that have threads there"),
        Key("ending", "number", "those of them in which what has called it is not told"),
        Key("example", "string", "path of the first of the cores, as given"),
    ],
    "module": [
        Key("module", "string", "path of its file in the process"),
        Key("build_id", "string", "hexadecimal digits"),
    ],
    "wait_place": [
        Key("state", "string", "as of \\fBthread\\fP"),
        Key("frames", "array of string", "functions, innermost first"),
        Key("threads", "number", "that are there"),
    ],
    "node": [
        Key("node", "number", "of the node, from 1 on"),
        Key("kind", "string", "of its objects"),
        Key("handle", "hexadecimal", "of its object; absent of a group"),
        Key("count", "number", "its objects"),
        Key("bytes", "number", "of them, of memory objects and SVM allocations"),
        Key("caller", "function", "the call that made those of a group"),
    ],
    "edge": [
        Key("from", "number", "of a node"),
        Key("to", "number", "of another, or the same"),
        Key(
            "relation",
            "string",
            "\\(lqhas\\(rq, \\(lqpart of\\(rq, \\(lqof\\(rq (a kernel and its program) or "
            "\\(lqwaits for\\(rq",
        ),
        Key("count", "number", "pairs of objects"),
    ],
    "page": [
        Key("file", "string", "that it was written to, as given"),
        Key("bytes", "number", "of the file"),
        Key("has_graph", "boolean", "whether a picture of the graph is in it"),
    ],
    "look": [
        Key("file", "string", "that it was saved in, as given"),
        Key("bytes", "number", "of the file"),
    ],
    "comparison": [
        Key("first", "string", "path of the first look"),
        Key("second", "string", "path of the second one; \\(lqnow\\(rq of a process"),
        Key("is_one_process", "boolean", "whether both are of one process"),
        Key("changed_places", "number", "objects of \\fBchange\\fP that follow"),
        Key("totals", "array of total", "of each kind that both looks tell of"),
        Key("notes", "array of string", "what the looks are to each other and leave open"),
    ],
    "total": [Key("kind", "string", "of object: memobj, svm, context, ..."), *_COUNTS],
    "change": [
        Key("kind", "string", "as of \\fBtotal\\fP"),
        Key("made_at", "array of string", "the calls that made them, innermost first"),
        *_COUNTS,
    ],
    "end": [
        Key("program", "string", "as given; of others and after exec the first of its words"),
        _PID,
        Key("exit_status", "number", "of one that exited"),
        Key("signal", "string", "name of the signal that it died of"),
        Key("has_died", "boolean", "a signal ended it: what it had is no leak"),
        Key(
            "is_interpreter",
            "boolean",
            "by the name of the program's file: what is alive when it exits is no leak",
        ),
        Key("findings", "number", "mistakes that \\fBcheck\\fP tells of, as often as made"),
        Key(
            "refused",
            "number",
            "calls that the runtime has refused and that correct programs do not make; null: the "
            "recorder keeps none",
        ),
        Key("failed_builds", "number", "calls that build programs and have failed"),
        Key("failed_commands", "number", "commands that have failed, of those that are kept"),
        Key("pending_commands", "number", "commands that are not known to be over"),
        Key("mappings", "number", "mappings of memory objects that were not undone"),
        Key("not_checked", "string", "what no verb looks for"),
        Key("over_releases", "number", "releases of objects with no references left"),
        Key("suppressed", "number", "objects left that \\-\\-suppress or \\-\\-baseline name"),
        Key("loaders_refused", "number", "OpenCL loaders that the recorder could not serve"),
        Key("error", "string", "why what is left is not known"),
        _IS_INCOMPLETE,
        Key("parent_pid", "number", "of a process that the program has made: which made it"),
        Key(
            "is_forked",
            "boolean",
            "a process that has called no exec: what follows is what it has done itself; absent of "
            "others",
        ),
        Key(
            "is_replaced",
            "boolean",
            "it became another program by exec, with the same pid, which has a line of its own; "
            "absent of others",
        ),
        Key("is_running", "boolean", "it has not ended when the program had; absent of others"),
        Key(
            "is_detached",
            "boolean",
            "it was no longer traced, for a debugger: what follows is what it had done by then; "
            "absent of others",
        ),
        Key(
            "other_processes",
            "number",
            "of the program itself: others that have used OpenCL, whose lines follow its own",
        ),
    ],
    "death": [
        Key("died_of", "string", "name of the signal"),
        Key("lwp", "number", "thread that got it"),
        Key("address", "hexadecimal", "that could not be accessed"),
        Key("call", "string", "function of OpenCL that the thread was in"),
        Key("is_in_callback", "boolean", "it was in a callback of OpenCL"),
        Key("calls", "array of death_call", "of the thread, innermost first"),
    ],
    "death_call": [
        Key("address", "hexadecimal", "of the code: behind a call the one it returns to"),
        Key("symbol", "string", "the function"),
        Key("file", "string", "of the source"),
        Key("line", "number", "in it"),
        Key("library", "string", "name of the file that has the code"),
    ],
    "left": [
        Key("left", "string", "kind of object: memobj, svm, context, queue, program, ..."),
        Key("count", "number", "objects"),
        Key("made", "number", "objects that these calls have made, those gone too"),
        Key("is_released", "boolean", "the program has released them, other objects hold them"),
        Key("lost", "number", "of them, whose handles were not found in the program's memory"),
        Key("bytes", "number", "of memory objects and SVM allocations"),
        Key("stack", "array of frame", "what made them, where that is recorded"),
        Key(
            "unreleased",
            "number",
            "references to them that were not released, where they were retained and the ledger "
            "has all entries",
        ),
        Key("retains", "array of retain", "the calls that retained and released them"),
    ],
    "retain": [
        Key("action", "string", "\\(lqretained\\(rq or \\(lqreleased\\(rq"),
        Key("times", "number", "calls from this place that the ledger still has"),
        Key("stack", "array of frame", "the innermost call"),
    ],
    "kept": [
        Key("kept", "string", "kind of an object that the program has released: memobj, ..."),
        Key("handle", "hexadecimal", "of it"),
        Key("is_released", "boolean", "the program has released it"),
        Key("keepers", "array of keeper", "what keeps it"),
    ],
    "keeper": [
        Key(
            "by",
            "string",
            "\\(lqmapping\\(rq, \\(lqcommand\\(rq, \\(lqobject\\(rq, which is made of it, or "
            "\\(lqargument\\(rq, of a kernel",
        ),
        Key("count", "number", "of them"),
        Key("kind", "string", "of the object, or queue: of commands theirs"),
        Key("handle", "hexadecimal", "of that; of several the first"),
        Key("first", "number", "of commands of one queue: number of the first in it"),
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


def _field_keys(field: Field, type_name: str) -> List[Key]:
    """The keys that a field has."""
    keys = [Key(field.name, _TYPES[type_name], field.help)]
    if type_name == "flags":
        keys.append(Key(field.name + "_value", "number", "the same as one number"))
    return keys


def _object_text(name: str, keys: List[Key]) -> List[str]:
    lines = [f".SS {escape(name)}"]
    for key in keys:
        lines += [".TP", f'.BR {escape(key.name)} " ({key.type})"', key.help]
    return lines


def json_text(path: str, header: str, version: str) -> List[str]:
    """The page."""
    type_names = type_names_of(header)
    objects = {
        kind.name: [
            key for field in kind.fields for key in _field_keys(field, type_names[field.type])
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
