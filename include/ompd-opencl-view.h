/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libompd-opencl-view: the commands that present what libompd-opencl reads.
 *
 * A front end (a debugger, a shell command) passes a view the address space of a command, and
 * services such as writing text and naming code addresses.  The view does the rest: verbs and their
 * options, completion, help, tables, sentences and JSON.  They are the same in all front ends.
 *
 *     ompd_view_front_end_t front_end = {.struct_size = sizeof(front_end), .write = my_write,
 *                                        .begin = my_begin};
 *     ompd_view_create(&front_end, &view);
 *     code = ompd_view_line_run(view, "memobjs", "-kind buffer");
 *     if (code == ompd_view_exit_usage || code == ompd_view_exit_unreadable)
 *         my_error(ompd_view_message_get(view));
 *
 * All texts are NUL-terminated UTF-8.  Text from the target is escaped before it is written, so
 * that its control characters never reach a terminal.  Unlike libompd-opencl, the view uses the
 * heap. Only one thread at a time may use a view.  A service must not call functions of the view
 * that calls it, except ompd_view_space_forget.
 *
 * A front end can add verbs of its own.  They write as the view's verbs do: lines wrapped between
 * words, tables that fit the width, values marked with their certainty, and JSON.
 *
 *     static ompd_view_exit_t run_hello(ompd_view_t *view, const ompd_view_line_t *line)
 *     {
 *         ompd_view_text_write(view, ompd_view_style_plain, "hello\n");
 *         return ompd_view_exit_ok;
 *     }
 */
#ifndef OMPD_OPENCL_VIEW_H
#define OMPD_OPENCL_VIEW_H

#include <ompd-opencl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a command ended.  The shell command uses it as its exit code. */
typedef enum ompd_view_exit_t {
    ompd_view_exit_ok = 0,
    ompd_view_exit_findings = 1,   /* there are findings */
    ompd_view_exit_usage = 2,      /* the command is invalid */
    ompd_view_exit_unreadable = 3, /* the target cannot be read, or has no OpenCL */
    ompd_view_exit_incomplete = 4, /* part of the answer is missing */
    ompd_view_exit_stopped = 5     /* the front end stopped it */
} ompd_view_exit_t;

/* The style of a piece of text, for front ends that use colours. */
typedef enum ompd_view_style_t {
    ompd_view_style_plain = 0,
    ompd_view_style_heading = 1,
    ompd_view_style_address = 2,
    ompd_view_style_function = 3,
    ompd_view_style_note = 4
} ompd_view_style_t;

/* Bits of ompd_view_verb_t.takes. */
typedef enum ompd_view_takes_t {
    ompd_view_takes_target = 1,          /* it needs an address space */
    ompd_view_takes_filters = 2,         /* it takes the options of lists: -kind, -sort, ... */
    ompd_view_takes_one = 4,             /* it shows all of one object, without a table */
    ompd_view_takes_foreign_options = 8, /* options after the first operand belong to the operand */
    ompd_view_takes_any_target = 16,     /* it also takes a target without recorder and layout */
    ompd_view_takes_files = 32,          /* its operands are file names */
    /* Its operands are file names of snapshots, which it opens by the service `open_snapshot`.
     * `begin` need not set an address space. */
    ompd_view_takes_snapshots = 64
} ompd_view_takes_t;

typedef struct ompd_view_t ompd_view_t;

/* A parsed command, for a front end's own verbs. */
typedef struct ompd_view_line_t {
    const struct ompd_view_verb_t *verb;
    char **operands; /* valid until the verb returns */
    size_t operand_count;
    void *user_ptr; /* of the front end */
    bool is_json;
} ompd_view_line_t;

/* A verb.  A front end may add verbs to those of the view.  It must keep them as long as the view.
 */
typedef struct ompd_view_verb_t {
    const char *name;    /* "svm-frees" */
    const char *summary; /* one sentence */
    const char *operand; /* as help shows it: "HANDLE", "[HANDLE]", "CORE..."; NULL: none */
    ompd_cl_kind_t kind; /* the kind whose fields help describes and filters test; 0: none */
    /* Names of fields for additional columns, ended by NULL; or NULL. */
    const char *const *also;
    uint32_t takes;       /* bits of ompd_view_takes_t */
    uint32_t own_options; /* the groups of the front end's options that it accepts */
    /*
     * Run the verb.  It uses the functions for a front end's own verbs below.  Its return value is
     * that of the command, unless the view has recorded that the command failed, that memory ran
     * out, or that an answer of the library was incomplete.  An incomplete answer does not replace
     * ompd_view_exit_findings.
     */
    ompd_view_exit_t (*run)(ompd_view_t *view, const ompd_view_line_t *line);
} ompd_view_verb_t;

/* The group of options that all verbs with a target accept. */
#define OMPD_VIEW_GROUP_TARGET 1u

/* Not a group: an option with this bit may be given more than once. */
#define OMPD_VIEW_OPTION_REPEATS 0x80000000u

/* A front end's own option.  The front end must keep it as long as the view. */
typedef struct ompd_view_option_t {
    const char *name;     /* "min-size", without a prefix */
    const char *argument; /* its argument, as help shows it; NULL: none; one that begins with "[="
                             is optional, and is given after "=" only */
    const char *help;     /* one line */
    uint32_t groups;      /* bits: a verb accepts it if one of them is in own_options */
} ompd_view_option_t;

/* A line of source.  Unknown members are NULL or 0. */
typedef struct ompd_view_line_place_t {
    const char *file; /* path of the source file */
    uint32_t line;
} ompd_view_line_place_t;

/* The location of a code address.  Unknown members are NULL or 0. */
typedef struct ompd_view_place_t {
    size_t struct_size;     /* in: of this struct */
    const char *symbol;     /* the function, demangled */
    uint64_t symbol_offset; /* bytes after its start; 0 where `file` is more precise */
    const char *file;       /* path of the source file */
    uint32_t line;
    const char *module; /* path of the module's file */
    bool has_module_offset;
    uint64_t module_offset;          /* bytes after the module's start */
    const char *const *inlined_into; /* functions that `symbol` is inlined into, innermost first */
    size_t inlined_count;
    /* `inlined_count` entries: where each function of `inlined_into` calls the one before it. NULL:
     * none is known. */
    const ompd_view_line_place_t *inlined_at;
} ompd_view_place_t;

/* What a command uses.  The front end fills it when the command begins. */
typedef struct ompd_view_use_t {
    size_t struct_size; /* in: of this struct */
    ompd_address_space_handle_t *space;
    int64_t pid;        /* of the target; 0: not known */
    uint64_t row_limit; /* most rows of a table; UINT64_MAX, the initial value: all */
    bool has_styles;    /* pass text in pieces of one style each; else all text is plain */
    bool is_seen;       /* the user sees rows as they are written: do not report progress */
    /* A counter of reads of memory that the target's core did not save, updated as they happen.
     * NULL: they are not counted. */
    const uint64_t *unsaved_reads;
    bool has_memory_limit; /* a setting limits the library's memory */
    /* Path of the target's program, and path of the core file.  NULL: not known, or not a core.
     * Valid until the target is released. */
    const char *program;
    const char *file;
    const char *build_id; /* of the program file, hexadecimal; NULL: not known */
} ompd_view_use_t;

/* A value that a front end's own verb shows in a table or in JSON, as fields of objects are
 * shown. */
typedef struct ompd_view_value_t {
    size_t struct_size; /* of this struct */
    /* Any type but flags, name and state; pass those as text. */
    ompd_cl_type_t type;
    /* ompd_cl_status_value, presumed or at_least; not_applicable; or why the value is unknown. */
    ompd_cl_status_t status;
    uint64_t number;  /* of types but text and stack; with status changing: the LWP */
    const char *text; /* of type text; with an unknown value: the reason, or NULL */
    /* Type stack: return addresses, innermost first.  Type caller: the stack of the call, or none.
     * With a stack the view shows the innermost frame outside bindings
     * (ompd_view_code_is_binding). */
    const ompd_addr_t *frames;
    size_t frame_count;
} ompd_view_value_t;

/*
 * A front end.  The view copies the struct; what it points to must stay valid as long as the view.
 * `write` and `begin` are required.  Every other member may be NULL; answers are then plainer.
 * Texts that services return must stay valid until the next call of any service.
 */
typedef struct ompd_view_front_end_t {
    size_t struct_size;
    void *user_ptr; /* passed to all services */

    /* How users write commands in this front end. */
    const char *verb_prefix;   /* "opencl "; NULL: "" */
    const char *option_prefix; /* "-" or "--"; NULL: "-" */
    const char *usage;         /* before the verb in usage lines; NULL: verb_prefix */
    const char *help_before;   /* before the verb in advice on help: "help opencl" */
    const char *help_after;    /* after it: " --help"; NULL: "" */
    const char *version;       /* text of the option "version"; NULL: no such option */
    const char *introduction;  /* lines before the list of verbs in help; NULL: "" */
    const char *conclusion;    /* lines after it */
    /* The commands that limit rows and memory; NULL: an option does. */
    const char *limit_setting;        /* "set opencl limit" */
    const char *memory_limit_setting; /* "set opencl memory-limit" */
    const char *holder;     /* the owner of the library's memory: "GDB"; NULL: "the tool" */
    bool json_is_array;     /* else one object per line */
    bool takes_expressions; /* operands are expressions or row numbers */

    /* The front end's own verbs and options. */
    const ompd_view_verb_t *verbs;
    size_t verb_count;
    const ompd_view_option_t *options;
    size_t option_count;

    /* Write SIZE bytes at TEXT, not NUL-terminated.  False: stop, and end the command. */
    bool (*write)(void *user_ptr, ompd_view_style_t style, const char *text, size_t size);

    /* A valid command begins.  For a verb that takes a target, fill USE.  Any result but
     * ompd_view_exit_ok ends the command, with the sentence *WHY. */
    ompd_view_exit_t (*begin)(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why);

    /* Accept an option of the front end; WORD is its argument or NULL.  Returns NULL, or a sentence
     * about what is wrong. */
    const char *(*take_option)(void *user_ptr, const ompd_view_option_t *option, const char *word);

    /* Locate the code at ADDRESS, which is a return address if IS_CALLER.  False: not known. */
    bool (*code_place)(void *user_ptr, ompd_addr_t address, bool is_caller,
                       ompd_view_place_t *place);

    /* The variable at ADDRESS: "host", "host+16"; NULL: not known. */
    const char *(*data_symbol)(void *user_ptr, ompd_addr_t address);

    /* The front end's own number for the thread LWP; NULL: none. */
    const char *(*thread_number)(void *user_ptr, uint64_t lwp);

    /* The target's other threads, without the COUNT LWPS: "threads 2, 5-9"; NULL: none. */
    const char *(*other_threads)(void *user_ptr, const uint64_t *lwps, size_t count);

    /* Evaluate EXPRESSION to a cl handle or an address, in *VALUE.  Returns NULL, or a sentence
     * about why there is no value.  Without this service expressions are numbers. */
    const char *(*evaluate)(void *user_ptr, const char *expression, uint64_t *value);

    /* A better sentence than MESSAGE about why the library returned RC; NULL: none. */
    const char *(*explain)(void *user_ptr, ompd_rc_t rc, const char *message);

    /* Lines about the target for the overview, each with its newline; NULL: none. */
    const char *(*describe_target)(void *user_ptr);

    /* Progress: DONE of WHAT ("memory objects") are read.  WHAT is NULL at the end. */
    void (*progress)(void *user_ptr, const char *what, uint64_t done);

    /* Whether the user has interrupted the command.  Called from time to time. */
    bool (*is_interrupted)(void *user_ptr);

    /* The most columns of a line of text, read when a command begins.  0, or NULL: no limit. */
    uint32_t (*width)(void *user_ptr);

    /* Save a snapshot of the target to the new file PATH, and its size in bytes in *SIZE, as the
     * host library does.  Any result but ompd_view_exit_ok means that nothing was saved, with the
     * sentence *WHY. */
    ompd_view_exit_t (*save)(void *user_ptr, const char *path, uint64_t *size, const char **why);

    /* Make the snapshot, or core, in the file PATH the target of the command, and fill USE as
     * `begin` does.  With PATH NULL the target is the default one, for example a process.  The view
     * no longer uses the previous address space, which may be released.  Any result but
     * ompd_view_exit_ok ends the command, with the sentence *WHY. */
    ompd_view_exit_t (*open_snapshot)(void *user_ptr, const char *path, ompd_view_use_t *use,
                                      const char **why);

    /* Write the new file PATH; an existing file is not overwritten.  Begin it, write SIZE bytes at
     * TEXT, and end it.  Only file_end with IS_WHOLE gives the file its name; otherwise the file is
     * removed.  At most one file is open, and the view always ends it.  Any result but
     * ompd_view_exit_ok means that the file does not exist, with the sentence *WHY.  Provide all
     * three services or none. */
    ompd_view_exit_t (*file_begin)(void *user_ptr, const char *path, const char **why);
    ompd_view_exit_t (*file_write)(void *user_ptr, const char *text, size_t size, const char **why);
    ompd_view_exit_t (*file_end)(void *user_ptr, bool is_whole, const char **why);

    /* Draw GRAPH, a text in DOT, with Graphviz, as ompd_host_graph_draw does.  *PICTURE is set to
     * SVG, or *WHY to a reason, which is not a sentence: "dot is not installed".  It should take a
     * few seconds at most.  NULL: reports have no picture. */
    ompd_view_exit_t (*draw)(void *user_ptr, const char *graph, const char **picture,
                             const char **why);

    /* Patterns of further bindings, read when a command begins: see ompd_view_code_is_binding.
     * NULL: none. */
    const char *(*bindings)(void *user_ptr);
} ompd_view_front_end_t;

/* Create a view.  Returns ompd_rc_ok; ompd_rc_bad_input when `write` or `begin` is missing or
 * struct_size is invalid; ompd_rc_nomem.  *VIEW is set only with ompd_rc_ok; destroy it with
 * ompd_view_destroy. */
ompd_rc_t ompd_view_create(const ompd_view_front_end_t *front_end, ompd_view_t **view);

/* Destroy VIEW; NULL is ignored.  Address spaces still belong to the front end. */
void ompd_view_destroy(ompd_view_t *view);

/* Run the command VERB with ARGUMENTS, the rest of its line ("-kind buffer").  Blanks within
 * brackets or quotes do not end a word.  All words that are not options form one operand.  While
 * the view runs a verb, this function and the next two do nothing and return
 * ompd_view_exit_usage. */
ompd_view_exit_t ompd_view_line_run(ompd_view_t *view, const char *verb, const char *arguments);

/* Run the command in COUNT WORDS of a shell, which include the verb. */
ompd_view_exit_t ompd_view_words_run(ompd_view_t *view, size_t count, char *const *words);

/*
 * Write one row as a line of JSON, as the list of its kind does.  ROW is an info struct with its
 * struct_size set, filled by a function of <ompd-opencl.h> for the address space that `begin` sets.
 * `begin` is called with the verb that lists such rows, or with the overview.  Parts of the object,
 * such as destructor callbacks, are read from the library.
 */
ompd_view_exit_t ompd_view_row_write(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* The same in words, without a newline: "buffer 0x5555556027d0, 4096 B, CL_MEM_READ_WRITE,
 * 1 reference".  For a finding, write the sentence that `check` shows. */
ompd_view_exit_t ompd_view_row_describe(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* A sentence about why the last command did not return ompd_view_exit_ok; "" where the output says
 * so.  It is escaped, as the output is.  Valid until the next command. */
const char *ompd_view_message_get(ompd_view_t *view);

/*
 * Whether code in the source file FILE and the module MODULE (each may be NULL) belongs to an
 * OpenCL binding of a language, for example CL/opencl.hpp, or to a library of that language, rather
 * than to the program.  A call is shown at the innermost function outside bindings; call stacks
 * show all functions.  A binding is described by patterns separated by ":", in which "*" matches
 * anything.  A pattern matches a path, or the part of a path after a "/".  The front end's patterns
 * apply to the command that runs or ran last.
 */
bool ompd_view_code_is_binding(ompd_view_t *view, const char *file, const char *module);

/* Verb number INDEX, the view's own first; NULL: no more. */
const ompd_view_verb_t *ompd_view_verb_get(ompd_view_t *view, size_t index);

/* The help of the verb NAME, or of all verbs if NAME is NULL.  NULL: no such verb.  Valid until the
 * next call for the view. */
const char *ompd_view_help_get(ompd_view_t *view, const char *name);

/* Completion number INDEX of the last word of ARGUMENTS, after the verb NAME; NULL after the last.
 * *IS_EXPRESSION: the word may be an expression, which the front end completes. */
const char *ompd_view_completion_get(ompd_view_t *view, const char *name, const char *arguments,
                                     size_t index, bool *is_expression);

/*
 * Write TEXT in STYLE.  A line that is wider than the output is wrapped between words.  Control
 * characters other than newlines, and invalid UTF-8, are written as C escapes.  Pass text from the
 * target through ompd_view_value_describe first, which also escapes newlines and backslashes.
 * Returns ompd_rc_ok; ompd_rc_bad_input for a NULL pointer, for an unknown STYLE, in a command that
 * writes JSON, and while a table is open; ompd_rc_interrupted once the front end has stopped the
 * command; ompd_rc_nomem once memory ran out.  All functions for verbs return ompd_rc_bad_input
 * when the view runs no verb, and ompd_rc_busy in a service that the view has called.  After any of
 * these the verb may continue or return.  The command's exit code and message report the last two.
 */
ompd_rc_t ompd_view_text_write(ompd_view_t *view, ompd_view_style_t style, const char *text);

/* Pass buffered text to the front end, for example before long work.  Return codes as of
 * ompd_view_text_write. */
ompd_rc_t ompd_view_text_flush(ompd_view_t *view);

/* VALUE in words, for use in a text: "d2 at app.c:9", "4096 B (4 KiB)", "LWP 4711 (thread 1)",
 * "? (not saved in the core)"; for a stack, a line for each frame.  Valid until the next call for
 * the view.  "" where ompd_view_text_write would fail, and for an invalid VALUE. */
const char *ompd_view_value_describe(ompd_view_t *view, const ompd_view_value_t *value);

/* OVERVIEW, of the command's address space, in short: "1 context, 2 queues, 3 memory objects (12
 * KiB), 1 SVM allocation (64 KiB); 1 destructor callback is running (LWP 4711)".  The part after
 * the semicolon is read from the library.  Valid until the next call for the view.  "" where
 * ompd_view_text_write would fail. */
const char *ompd_view_overview_describe(ompd_view_t *view, const ompd_cl_overview_info_t *overview);

/* Write the objects that are alive after their release, and what keeps them alive.  Similar objects
 * share a line: "  40 memory objects: commands 1 to 40 of command queue 0x1f have not finished and
 * use them".  In JSON, write one row for each object.  Objects that only other objects or mappings
 * keep alive are left out.
 * Return codes as of ompd_view_text_write. */
ompd_rc_t ompd_view_keepers_write(ompd_view_t *view);

/*
 * Record that the command failed, with SENTENCE for ompd_view_message_get.  Only the first failure
 * is recorded.  The command returns CODE: ompd_view_exit_usage, unreadable or incomplete.
 * Return codes as of ompd_view_text_write; also ompd_rc_bad_input for another CODE.
 */
ompd_rc_t ompd_view_command_fail(ompd_view_t *view, ompd_view_exit_t code, const char *sentence);

/* The result of the command so far.  When the view runs no verb: the result of the last command.
 * Within a verb ompd_view_message_get returns the sentence of a failure unescaped. */
ompd_view_exit_t ompd_view_result_get(ompd_view_t *view);

/*
 * Record RC, the result of a call of <ompd-opencl.h> on the command's address space.
 * Returns ompd_rc_ok for ompd_rc_ok and ompd_rc_incomplete; after the latter the command ends with
 * ompd_view_exit_incomplete.  For any other RC the command fails with the library's message, and
 * this returns RC.  Other return codes as of ompd_view_text_write.
 */
ompd_rc_t ompd_view_rc_check(ompd_view_t *view, ompd_rc_t rc);

/*
 * Replace what `begin` set by a copy of USE, for a verb that opens a target itself.  Before the
 * address space of that target is released, call ompd_view_space_forget.
 * Return codes as of ompd_view_text_write; also ompd_rc_bad_input for an invalid struct_size.
 */
ompd_rc_t ompd_view_use_set(ompd_view_t *view, const ompd_view_use_t *use);

/*
 * Begin a table.  Its rows are objects of KIND, with the usual columns of that kind; with 0 the
 * verb adds all columns.  Only one table can be open.  A table that the verb does not end is
 * dropped. Return codes as of ompd_view_text_write; also ompd_rc_bad_input for an unknown KIND.
 */
ompd_rc_t ompd_view_table_begin(ompd_view_t *view, ompd_cl_kind_t kind);

/* Add a column with a copy of TITLE for values of TYPE.  Add columns before the first row, 64 at
 * most.  In a narrow table the columns added last are dropped first.  Return codes as of
 * ompd_view_text_write; also ompd_rc_bad_input when no table is open, and for the types flags,
 * name, state and stack, which a cell cannot show. */
ompd_rc_t ompd_view_table_column_add(ompd_view_t *view, const char *title, ompd_cl_type_t type);

/*
 * Add a row.  ROW is the info struct of an object of the table's kind, filled by a function of
 * <ompd-opencl.h>; NULL for kind 0.  VALUES are COUNT values with the same struct_size, one for
 * each column added, of its type.  BELOW is lines to write below the row, as ompd_view_text_write
 * does, or NULL.  Everything is copied.  At most 1,000 rows are buffered before they are written.
 * Rows after the row limit are not written, and a note says how many they are. Return codes as of
 * ompd_view_text_write; also ompd_rc_bad_input when no table is open, and for a ROW or VALUES that
 * do not match the columns.
 */
ompd_rc_t ompd_view_table_row_add(ompd_view_t *view, const void *row,
                                  const ompd_view_value_t *values, size_t count, const char *below);

/* End the table: write its last rows, and the legend of its marks.  A table without rows writes
 * nothing.  Return codes as of ompd_view_text_write; also ompd_rc_bad_input when no table is open.
 */
ompd_rc_t ompd_view_table_end(ompd_view_t *view);

/*
 * Begin a JSON object or array.  The outermost one is an object without a KEY; it becomes a line of
 * the output and gets a "schema".  Others are part of the innermost open one, with a KEY if that is
 * an object.  A key consists of ASCII letters, digits and underscores.  At most 16 can be open.
 * Return codes as of ompd_view_text_write; also ompd_rc_bad_input in a command that writes text,
 * when too many are open, and for an invalid KEY.  The keys "schema", "unknown", "presumed" and
 * "at_least" are reserved.
 */
ompd_rc_t ompd_view_json_begin(ompd_view_t *view, const char *key, bool is_array);

/*
 * Add VALUE to the open object, or, with KEY NULL, to the open array.  Sizes and counts become
 * numbers, an address becomes "0x1f", a code address in an object gets its symbol, file and line
 * beside it, and a stack becomes an array of such objects.  A NULL VALUE becomes null.  An unknown
 * value becomes null with its reason, and a presumed value is marked.  An array cannot have unknown
 * or presumed values.
 * Return codes as of ompd_view_json_begin; also ompd_rc_bad_input when nothing is open, and for an
 * invalid VALUE.
 */
ompd_rc_t ompd_view_json_value_add(ompd_view_t *view, const char *key,
                                   const ompd_view_value_t *value);

/* Add all fields of ROW, an info struct of KIND as for ompd_view_row_write, to the open object.
 * Return codes as of ompd_view_json_begin; also ompd_rc_bad_input when no object is open, and for a
 * NULL ROW or an unknown KIND. */
ompd_rc_t ompd_view_json_row_add(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* End the innermost open object or array.  Ending the outermost one writes the line.
 * Return codes as of ompd_view_json_begin; also ompd_rc_bad_input when nothing is open. */
ompd_rc_t ompd_view_json_end(ompd_view_t *view);

/* Drop cached names of addresses, because the target of SPACE ran or changed.  IS_RELEASED: SPACE
 * is about to be released, and the row numbers of its lists become invalid. */
void ompd_view_space_forget(ompd_view_t *view, ompd_address_space_handle_t *space,
                            bool is_released);

#ifdef __cplusplus
}
#endif

#endif
