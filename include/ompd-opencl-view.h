/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libompd-opencl-view: the language of commands, on top of libompd-opencl.
 *
 * A front end (a debugger, a shell command) gives a view the address space that a command is about
 * and some services: where text goes, what code at an address is called.  The view has the rest:
 * verbs and their options, completion, help, tables, sentences and JSON, the same in all front
 * ends.
 *
 *     ompd_view_front_end_t front_end = {.struct_size = sizeof(front_end), .write = my_write,
 *                                        .begin = my_begin};
 *     ompd_view_create(&front_end, &view);
 *     code = ompd_view_line_run(view, "memobjs", "-kind buffer");
 *     if (code == ompd_view_exit_usage || code == ompd_view_exit_unreadable)
 *         my_error(ompd_view_message_get(view));
 *
 * All texts are NUL-terminated and UTF-8.  What the target chose is escaped before it is written:
 * no control character of it reaches a terminal.  Unlike libompd-opencl the view uses the heap.
 * One view may be used by one thread at a time; services must not use the view that calls them, but
 * for ompd_view_space_forget.
 *
 * A front end's own verb writes in the same manner as the view's: lines that are broken at words,
 * tables that fit in the width, values that say how sure they are, JSON.
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

/* How a command ended; of the shell command the exit code. */
typedef enum ompd_view_exit_t {
    ompd_view_exit_ok = 0,
    ompd_view_exit_findings = 1,   /* there is something to look into */
    ompd_view_exit_usage = 2,      /* what was asked makes no sense */
    ompd_view_exit_unreadable = 3, /* the target cannot be read, or has no OpenCL */
    ompd_view_exit_incomplete = 4, /* part of the answer is missing */
    ompd_view_exit_stopped = 5     /* the front end said stop */
} ompd_view_exit_t;

/* What a piece of text is, for front ends that show colours. */
typedef enum ompd_view_style_t {
    ompd_view_style_plain = 0,
    ompd_view_style_heading = 1,
    ompd_view_style_address = 2,
    ompd_view_style_function = 3,
    ompd_view_style_note = 4
} ompd_view_style_t;

/* Bits of ompd_view_verb_t.takes. */
typedef enum ompd_view_takes_t {
    ompd_view_takes_target = 1,          /* what it shows is in an address space */
    ompd_view_takes_filters = 2,         /* the options of lists: -kind, -sort, ... */
    ompd_view_takes_one = 4,             /* it shows all of one object: no table */
    ompd_view_takes_foreign_options = 8, /* options behind the first operand are the operand's */
    ompd_view_takes_any_target = 16,     /* also one of which nothing tells of its objects */
    ompd_view_takes_files = 32,          /* its operands are names of files */
    /* Its operands are names of looks, and it has the front end open each by `look`; `begin` need
     * not tell an address space. */
    ompd_view_takes_looks = 64
} ompd_view_takes_t;

typedef struct ompd_view_t ompd_view_t;

/* What was asked, for a front end's own verbs. */
typedef struct ompd_view_line_t {
    const struct ompd_view_verb_t *verb;
    char **operands; /* good until the verb returns */
    size_t operand_count;
    void *user_ptr; /* of the front end */
    bool is_json;
} ompd_view_line_t;

/* A verb.  The view has its own; a front end may add others, which it keeps as long as the view. */
typedef struct ompd_view_verb_t {
    const char *name;    /* "svm-frees" */
    const char *summary; /* one sentence */
    const char *operand; /* as help writes it: "HANDLE", "[HANDLE]", "CORE..."; NULL: none */
    ompd_cl_kind_t kind; /* whose fields help describes and filters are about; 0: none */
    /* Names of fields that are columns besides the usual ones, NULL ends; or NULL. */
    const char *const *also;
    uint32_t takes;       /* bits of ompd_view_takes_t */
    uint32_t own_options; /* the groups of the front end's options that it takes */
    /*
     * Do it, by the functions for a front end's own verbs below.  The command returns what it
     * returns, but for what the view has seen besides: why the command failed, that there is no
     * memory, that part of an answer of the library is missing; this last makes
     * ompd_view_exit_findings no less.
     */
    ompd_view_exit_t (*run)(ompd_view_t *view, const ompd_view_line_t *line);
} ompd_view_verb_t;

/* The group of options that all verbs take which take a target. */
#define OMPD_VIEW_GROUP_TARGET 1u

/* No group: an option that has this bit, too, may be given more than once. */
#define OMPD_VIEW_OPTION_REPEATS 0x80000000u

/* An option of a front end's own; the front end keeps it as long as the view. */
typedef struct ompd_view_option_t {
    const char *name;     /* "min-size", without what stands before it */
    const char *argument; /* what follows it, as help writes it; NULL: nothing; with "[=" before it:
                             it may be left out, and stands behind "=" alone */
    const char *help;     /* one line */
    uint32_t groups;      /* bits: verbs take it that have one of them in own_options */
} ompd_view_option_t;

/* A line of source.  NULL and 0 for what is not known. */
typedef struct ompd_view_line_place_t {
    const char *file; /* path of the source file */
    uint32_t line;
} ompd_view_line_place_t;

/* What is known of an address of code.  NULL and 0 for what is not. */
typedef struct ompd_view_place_t {
    size_t struct_size;     /* in: of this struct */
    const char *symbol;     /* the function, demangled */
    uint64_t symbol_offset; /* bytes behind its start; 0 where `file` says it better */
    const char *file;       /* path of the source file */
    uint32_t line;
    const char *module; /* path of the module's file */
    bool has_module_offset;
    uint64_t module_offset;          /* bytes behind the module's start */
    const char *const *inlined_into; /* functions that `symbol` is inlined into, innermost first */
    size_t inlined_count;
    /* As many as `inlined_into`: where each of these functions has the call of the one before it,
     * as far as that is known; NULL: of none it is. */
    const ompd_view_line_place_t *inlined_at;
} ompd_view_place_t;

/* What one command is about, told by the front end when it begins. */
typedef struct ompd_view_use_t {
    size_t struct_size; /* in: of this struct */
    ompd_address_space_handle_t *space;
    int64_t pid;        /* of the target, 0 when not known */
    uint64_t row_limit; /* rows a table shows at most; UINT64_MAX, which it is before: all */
    bool has_styles;    /* text is given in pieces of one style; else all of it is plain */
    bool is_seen;       /* rows are seen as they come: progress need not be told */
    /* Counts the reads of memory that the target's core has not saved, as they happen; NULL: they
     * are not counted. */
    const uint64_t *unsaved_reads;
    bool has_memory_limit; /* the library may hold so much only, which a setting says */
    /* Of the target, good until it is given back: its program's path, and of a core the path of its
     * file; NULL: not known, or no core. */
    const char *program;
    const char *file;
    const char *build_id; /* of the program's file, hexadecimal; NULL: not known */
} ompd_view_use_t;

/* A value that a front end's own verb shows, in a cell of a table or in JSON, as fields of objects
 * are shown. */
typedef struct ompd_view_value_t {
    size_t struct_size; /* of this struct */
    /* All but flags, name and state: those are given as texts. */
    ompd_cl_type_t type;
    /* ompd_cl_status_value, presumed or at_least; else why it is not known, or that there is none
     * (not_applicable). */
    ompd_cl_status_t status;
    uint64_t number;  /* of types but text and stack; of status changing the LWP */
    const char *text; /* of type text; of what is not known why, or NULL */
    /* Of type stack: return addresses, innermost first.  Of type caller: those of the call, or
     * none, so that its place in the program is described, not in a binding
     * (ompd_view_code_is_binding). */
    const ompd_addr_t *frames;
    size_t frame_count;
} ompd_view_value_t;

/*
 * A front end.  It is copied; what it points to stays as long as the view.  `write` and `begin` are
 * needed; of the others each may be NULL, and the answer is plainer.  Texts that services return
 * are good until the next call of any service.
 */
typedef struct ompd_view_front_end_t {
    size_t struct_size;
    void *user_ptr; /* given to all services */

    /* How commands are written in this front end. */
    const char *verb_prefix;   /* "opencl "; NULL: "" */
    const char *option_prefix; /* "-" or "--"; NULL: "-" */
    const char *usage;         /* before the verb in a line of usage; NULL: verb_prefix */
    const char *help_before;   /* before the verb where help is advised: "help opencl" */
    const char *help_after;    /* behind it: " --help"; NULL: "" */
    const char *version;       /* what an option of that name tells; NULL: there is none */
    const char *introduction;  /* of help of all verbs, lines; NULL: "" */
    const char *conclusion;
    /* The commands that set the limit of rows and of memory, NULL where an option does. */
    const char *limit_setting;        /* "set opencl limit" */
    const char *memory_limit_setting; /* "set opencl memory-limit" */
    const char *holder;               /* who owns the library's memory: "GDB"; NULL: "the tool" */
    bool json_is_array;               /* else one object a line */
    bool takes_expressions;           /* operands are expressions, or numbers of rows */

    /* Verbs and options besides the view's own. */
    const ompd_view_verb_t *verbs;
    size_t verb_count;
    const ompd_view_option_t *options;
    size_t option_count;

    /* Write SIZE bytes at TEXT, not NUL-terminated.  False: write no more, the command ends. */
    bool (*write)(void *user_ptr, ompd_view_style_t style, const char *text, size_t size);

    /* A command begins, which makes sense; for a verb that takes a target fill USE.  What is not
     * ompd_view_exit_ok ends the command, with the sentence *WHY. */
    ompd_view_exit_t (*begin)(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why);

    /* Take an option of the front end's own; WORD is its argument or NULL.  Returns NULL, or a
     * sentence that says what is wrong. */
    const char *(*take_option)(void *user_ptr, const ompd_view_option_t *option, const char *word);

    /* Describe the code at ADDRESS, which if IS_CALLER is a return address; false: not known. */
    bool (*code_place)(void *user_ptr, ompd_addr_t address, bool is_caller,
                       ompd_view_place_t *place);

    /* The variable that ADDRESS lies in: "host", "host+16"; NULL: not known. */
    const char *(*data_symbol)(void *user_ptr, ompd_addr_t address);

    /* The front end's own number of the thread LWP; NULL: it has none. */
    const char *(*thread_number)(void *user_ptr, uint64_t lwp);

    /* The target's threads but for COUNT LWPS, in words: "threads 2, 5-9"; NULL: there are none. */
    const char *(*other_threads)(void *user_ptr, const uint64_t *lwps, size_t count);

    /* Put in *VALUE what EXPRESSION is, as a cl handle or an address.  Returns NULL, or a sentence
     * that says why there is no value.  NULL: expressions are numbers. */
    const char *(*evaluate)(void *user_ptr, const char *expression, uint64_t *value);

    /* A better sentence than MESSAGE on why the library returned RC; NULL: there is none. */
    const char *(*explain)(void *user_ptr, ompd_rc_t rc, const char *message);

    /* Lines on what the target is, each with its newline, for the overview; NULL: none. */
    const char *(*describe_target)(void *user_ptr);

    /* So much of WHAT ("memory objects") is done; WHAT is NULL at the end. */
    void (*progress)(void *user_ptr, const char *what, uint64_t done);

    /* Whether the user wants the command to end: asked now and then. */
    bool (*is_interrupted)(void *user_ptr);

    /* The columns that a line of text may have, asked when a command begins.  0, or NULL: any. */
    uint32_t (*width)(void *user_ptr);

    /* Save a look at the target in the file PATH, which is not there yet, as
     * ompd_host_snapshot_save does: *SIZE gets its bytes.  What is not ompd_view_exit_ok says that
     * nothing was saved, with the sentence *WHY. */
    ompd_view_exit_t (*save)(void *user_ptr, const char *path, uint64_t *size, const char **why);

    /* From now on the command is about the look, or core, in the file PATH; NULL: about what it
     * would be about without, a process say.  Fill USE as `begin` does.  What it was about before
     * is not asked for any more: its address space may be released.  What is not ompd_view_exit_ok
     * ends the command, with the sentence *WHY. */
    ompd_view_exit_t (*look)(void *user_ptr, const char *path, ompd_view_use_t *use,
                             const char **why);

    /* Write a file that is to be called PATH, which is not there yet and stays as it is where it
     * is: begin it, write SIZE bytes more at TEXT, and end it, by which it gets its name where
     * IS_WHOLE and else is gone.  One is open at a time, and whatever happens it is ended.  What is
     * not ompd_view_exit_ok says that there is no such file, with the sentence *WHY.  All three, or
     * none. */
    ompd_view_exit_t (*file_begin)(void *user_ptr, const char *path, const char **why);
    ompd_view_exit_t (*file_write)(void *user_ptr, const char *text, size_t size, const char **why);
    ompd_view_exit_t (*file_end)(void *user_ptr, bool is_whole, const char **why);

    /* Have Graphviz draw GRAPH, a text of DOT, as ompd_host_graph_draw does: *PICTURE gets SVG, and
     * else *WHY the reason, which is no sentence: "dot is not installed".  It should not take
     * longer than some seconds.  NULL: pages have no picture. */
    ompd_view_exit_t (*draw)(void *user_ptr, const char *graph, const char **picture,
                             const char **why);

    /* Source files and modules of bindings beside those that the view knows, asked when a command
     * begins: see ompd_view_code_is_binding.  NULL: there are none. */
    const char *(*bindings)(void *user_ptr);
} ompd_view_front_end_t;

/* Make a view.  Returns ompd_rc_ok; ompd_rc_bad_input when `write` or `begin` is missing or
 * struct_size makes no sense; ompd_rc_nomem.  *VIEW is set only with ompd_rc_ok, and given back by
 * ompd_view_destroy. */
ompd_rc_t ompd_view_create(const ompd_view_front_end_t *front_end, ompd_view_t **view);

/* Give VIEW back; NULL is ignored.  Address spaces stay the front end's. */
void ompd_view_destroy(ompd_view_t *view);

/* Run the command that VERB and the rest of its line ARGUMENTS ("-kind buffer") say.  Blanks within
 * brackets or quotes end no word; all words that are no option are one operand.  In a verb that the
 * same view runs this, and the next two, do nothing, and give ompd_view_exit_usage. */
ompd_view_exit_t ompd_view_line_run(ompd_view_t *view, const char *verb, const char *arguments);

/* Run the command that COUNT WORDS of a shell say, the verb among them. */
ompd_view_exit_t ompd_view_words_run(ompd_view_t *view, size_t count, char *const *words);

/*
 * Write one row as a line of JSON, as the list of its kind does: ROW is an info struct that a
 * function of <ompd-opencl.h> has filled for the address space that `begin` tells, its struct_size
 * set.  `begin` is given the verb that lists such rows, or that of the overview.  What belongs to
 * the object, its destructor callbacks say, is asked of the library.
 */
ompd_view_exit_t ompd_view_row_write(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* The same, but write in words what ROW is, in a line that does not end: "buffer 0x5555556027d0,
 * 4096 B, CL_MEM_READ_WRITE, 1 reference"; of a finding the sentence that `check` has. */
ompd_view_exit_t ompd_view_row_describe(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* Why the last command did not return ompd_view_exit_ok, in a sentence; "" where that is part of
 * what was written.  Like that it is escaped.  Good until the next command. */
const char *ompd_view_message_get(ompd_view_t *view);

/*
 * Whether code of the source file FILE in the module MODULE, of which each may be NULL, belongs to
 * a binding of OpenCL to a language, or to a library of that language, rather than to the program:
 * of CL/opencl.hpp, say.  A place where the program has called OpenCL is that of the innermost
 * function which does not; the list of all calls has those functions, too. A binding is known by
 * patterns, with ":" between them, in which "*" stands for anything: of a path or of what follows a
 * "/" in it.  Those that the front end has tell for the command that runs, or ran last.
 */
bool ompd_view_code_is_binding(ompd_view_t *view, const char *file, const char *module);

/* Verb number INDEX, the view's own first; NULL: there are no more. */
const ompd_view_verb_t *ompd_view_verb_get(ompd_view_t *view, size_t index);

/* What help says of the verb NAME, or with NULL of all; NULL: there is none.  Good until the next
 * call for the view. */
const char *ompd_view_help_get(ompd_view_t *view, const char *name);

/* What may stand in place of the last word of ARGUMENTS, behind the verb NAME: number INDEX of it,
 * or NULL behind the last.  *IS_EXPRESSION: an expression may, which the front end completes. */
const char *ompd_view_completion_get(ompd_view_t *view, const char *name, const char *arguments,
                                     size_t index, bool *is_expression);

/*
 * Write TEXT, which is of STYLE.  A newline ends a line, and one that is wider than what text goes
 * to is broken between words.  Other controls, and what is no UTF-8, are written as C's escapes;
 * what the target chose goes through ompd_view_value_describe first, which escapes its newlines and
 * backslashes, too.
 * Returns ompd_rc_ok; ompd_rc_bad_input for a NULL pointer, an unknown STYLE, in a command that
 * writes JSON, while a table is open, and of all these functions for a view that runs no verb;
 * ompd_rc_busy in a service that the view has called; ompd_rc_interrupted once the front end has
 * said stop; ompd_rc_nomem once there was no memory.  Whatever it is, the verb may go on or return:
 * of the last two the command's exit code and message tell.
 */
ompd_rc_t ompd_view_text_write(ompd_view_t *view, ompd_view_style_t style, const char *text);

/* Give the front end what was written so far, which otherwise is gathered: before long work.
 * Return codes as of ompd_view_text_write. */
ompd_rc_t ompd_view_text_flush(ompd_view_t *view);

/* What VALUE is in words, which may go into a text: "d2 at app.c:9", "4096 B (4 KiB)", "LWP 4711
 * (thread 1)", "? (not saved in the core)", of a stack a line for each frame.  Good until the next
 * call for the view; "" where ompd_view_text_write would fail, and for a VALUE that makes no sense.
 */
const char *ompd_view_value_describe(ompd_view_t *view, const ompd_view_value_t *value);

/* What OVERVIEW, of the address space that the command is about, says in short: "1 context, 2
 * queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB); 1 destructor callback is running
 * (LWP 4711)".  What is behind the semicolon is asked of the library.  Good until the next call for
 * the view; "" where ompd_view_text_write would fail. */
const char *ompd_view_overview_describe(ompd_view_t *view, const ompd_cl_overview_info_t *overview);

/* Write what is still there though the program has released it, with what keeps it, a line for what
 * is alike: "  40 memory objects: commands 1 to 40 of command queue 0x1f are not over and use
 * them"; as JSON an object for each.  Left out is what other objects or mappings alone keep, which
 * are told by themselves.
 * Return codes as of ompd_view_text_write. */
ompd_rc_t ompd_view_keepers_write(ompd_view_t *view);

/*
 * Keep that the command failed, with SENTENCE for ompd_view_message_get; the first failure alone is
 * kept.  CODE is ompd_view_exit_usage, unreadable or incomplete, and what the command returns.
 * Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, for another CODE.
 */
ompd_rc_t ompd_view_command_fail(ompd_view_t *view, ompd_view_exit_t code, const char *sentence);

/* How the command ends, as far as the view knows by now; for a view that runs no verb how the last
 * one did.  Within a verb ompd_view_message_get gives the sentence of a failure as it was kept, not
 * yet escaped. */
ompd_view_exit_t ompd_view_result_get(ompd_view_t *view);

/*
 * Have the view know that a call of <ompd-opencl.h> on the command's address space returned RC.
 * Where that is an answer, RC being ompd_rc_ok or ompd_rc_incomplete, this returns ompd_rc_ok; the
 * command then ends with ompd_view_exit_incomplete where part of one is missing.  Else the command
 * fails with the library's sentence, and this returns RC.  Other return codes as of
 * ompd_view_text_write.
 */
ompd_rc_t ompd_view_rc_check(ompd_view_t *view, ompd_rc_t rc);

/*
 * Have the command be about what USE says, which is copied, rather than what `begin` said: for a
 * verb that opens a target itself.  Before that one's address space is released, and the view goes
 * on, it is told by ompd_view_space_forget.
 * Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, where struct_size makes no
 * sense.
 */
ompd_rc_t ompd_view_use_set(ompd_view_t *view, const ompd_view_use_t *use);

/*
 * Begin a table.  KIND is that of the objects in its rows, whose usual columns it then has; with 0
 * all columns are the verb's own.  There is one table at a time; what the verb leaves open is
 * dropped.
 * Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, for an unknown KIND.
 */
ompd_rc_t ompd_view_table_begin(ompd_view_t *view, ompd_cl_kind_t kind);

/* Add a column under TITLE, which is copied, for values of TYPE: before the first row, 64 columns
 * at most.  Where there is no room those that were added last are left out first. Return codes as
 * of ompd_view_text_write; ompd_rc_bad_input, too, where no table is open, and for a TYPE that is
 * not one of a value in a cell: flags, name, state and stack. */
ompd_rc_t ompd_view_table_column_add(ompd_view_t *view, const char *title, ompd_cl_type_t type);

/*
 * Add a row.  ROW is the info struct of an object of the table's kind, as a function of
 * <ompd-opencl.h> has filled it, or NULL for kind 0.  VALUES are COUNT values of one struct_size,
 * one for each column that was added, of its type.  BELOW is lines to stand below the row, in the
 * manner of ompd_view_text_write, or NULL.  All is copied.  At most 1,000 rows are held before they
 * are written; those behind the limit of rows are not, and a note tells how many.
 * Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, where no table is open, and for
 * a ROW or VALUES that do not go with its columns.
 */
ompd_rc_t ompd_view_table_row_add(ompd_view_t *view, const void *row,
                                  const ompd_view_value_t *values, size_t count, const char *below);

/* End the table: write its last rows, and the notes that explain its marks.  One without rows
 * writes nothing.  Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, where no table
 * is open.
 */
ompd_rc_t ompd_view_table_end(ompd_view_t *view);

/*
 * Begin an object of JSON, or an array: one without a KEY is a line of the answer, which is an
 * object and has its schema; others are part of the one that is open, with KEY where that is an
 * object.  A key is letters of ASCII, digits and underscores.  At most 16 are open.
 * Return codes as of ompd_view_text_write; ompd_rc_bad_input, too, in a command that writes text,
 * where there are too many, and for a KEY that makes no sense there: "schema", "unknown",
 * "presumed" and "at_least" are the view's.
 */
ompd_rc_t ompd_view_json_begin(ompd_view_t *view, const char *key, bool is_array);

/*
 * Add VALUE to the object or, with KEY NULL, the array that is open: a size or count as a number,
 * an address as "0x1f", code in an object with its symbol, file and line beside it, a stack as an
 * array of such; a NULL VALUE as null.  What is not known is null with its reason, what is presumed
 * is said to be; an array has no room for that, and takes no such value.
 * Return codes as of ompd_view_json_begin; ompd_rc_bad_input, too, where nothing is open, and for a
 * VALUE that makes no sense.
 */
ompd_rc_t ompd_view_json_value_add(ompd_view_t *view, const char *key,
                                   const ompd_view_value_t *value);

/* Add all fields of ROW to the object that is open: an info struct of KIND, as of
 * ompd_view_row_write.  Return codes as of ompd_view_json_begin; ompd_rc_bad_input, too, where no
 * object is open, and for a NULL ROW or an unknown KIND. */
ompd_rc_t ompd_view_json_row_add(ompd_view_t *view, ompd_cl_kind_t kind, const void *row);

/* End the object or array that was begun last; a line is written when it is whole.
 * Return codes as of ompd_view_json_begin; ompd_rc_bad_input, too, where nothing is open. */
ompd_rc_t ompd_view_json_end(ompd_view_t *view);

/* The target of SPACE ran or changed: names of its addresses are asked for anew.  IS_GONE: SPACE is
 * about to be released, and the numbers of its lists mean nothing any more. */
void ompd_view_space_forget(ompd_view_t *view, ompd_address_space_handle_t *space, bool is_gone);

#ifdef __cplusplus
}
#endif

#endif
