/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl-host: all that an OMPD library asks of a tool, ready made for Linux: a live process
 * or a core file, read by elfutils.
 *
 * This header is the manual of libompd-opencl-host.  A session:
 *
 *     rc = ompd_host_core_open("core.4711", NULL, &target);
 *     rc = ompd_host_address_space_create(target, 0, &space);
 *     ... ompd_cl_ functions on space ...
 *     ompd_rel_address_space_handle(space);
 *     ompd_host_target_close(target);
 *
 * Words are those of <ompd-opencl.h>.  Texts belong to the target and are good until it is closed.
 * Distinct targets may be used from different threads at once; one target by one thread at a time.
 *
 * Return codes.  Every function returns one of:
 *   ompd_host_rc_ok              it did what it says.
 *   ompd_host_rc_bad_input       an argument is NULL or makes no sense.
 *   ompd_host_rc_nomem           there is no memory.
 *   ompd_host_rc_not_found       no such process, file, thread, symbol, ...; past the last one.
 *   ompd_host_rc_not_permitted   the process or file may not be read.
 *   ompd_host_rc_not_readable    the file is no core, or of a machine that is not supported.
 *   ompd_host_rc_not_saved       the core does not have the memory.
 *   ompd_host_rc_unreadable      the memory is not there.
 *   ompd_host_rc_error           what the system or the file says makes no sense.
 *   ompd_host_rc_cancelled       the caller's own `progress` has ended it.
 * With any code but ompd_host_rc_ok the out parameters are untouched.  ompd_host_message_get tells
 * the reason in one sentence.
 */
#ifndef OMPD_OPENCL_HOST_H
#define OMPD_OPENCL_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ompd-opencl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Targets --------------------------------------------------------------------------------- */

typedef enum ompd_host_rc_t {
    ompd_host_rc_ok = 0,
    ompd_host_rc_bad_input = 1,
    ompd_host_rc_nomem = 2,
    ompd_host_rc_not_found = 3,
    ompd_host_rc_not_permitted = 4,
    ompd_host_rc_not_readable = 5,
    ompd_host_rc_not_saved = 6,
    ompd_host_rc_unreadable = 7,
    ompd_host_rc_error = 8,
    ompd_host_rc_cancelled = 9
} ompd_host_rc_t;

/* A process or core that is being looked at. */
typedef struct ompd_host_target_t ompd_host_target_t;

/* Work that takes long. */
typedef enum ompd_host_work_t {
    ompd_host_work_unpack = 1, /* of a compressed core; bytes of the file as it is */
    ompd_host_work_search = 2  /* of memory, for OpenCL objects */
} ompd_host_work_t;

/* How a target is to be opened.  Set struct_size to sizeof(ompd_host_options_t); 0 and NULL are the
 * usual. */
typedef struct ompd_host_options_t {
    size_t struct_size;
    const char *executable; /* core: the program's file, when it is not where the core says */
    const char *sysroot;    /* core: the one folder below which the files that it names are looked
                               for, when it is of another machine; /lib and
                               /usr/lib are one there, as are other folders of /usr */
    bool leaves_running;    /* process: read it without stopping it; the picture may be torn */
    bool asks_debuginfod;   /* fetch debug information that is not on this machine */
    /* Told how far WORK is, DONE of WHOLE bytes, DONE growing from 0: by ompd_host_core_open, of
     * unpacking last with DONE being WHOLE, and by an address space that searches through memory.
     * True to go on; false ends the work: ompd_host_rc_cancelled, or ompd_rc_incomplete. */
    bool (*progress)(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole);
    void *progress_user_ptr; /* of `is_interrupted`, too */
    /* Asked by the callbacks of an address space, before memory is read and symbols are looked up:
     * true ends the call that needs them with ompd_rc_interrupted.  NULL: nothing does. */
    bool (*is_interrupted)(void *user_ptr);
    bool opens_no_files; /* core: open none of the files that it names */
    /* An ompd_cl_log_level_t: what ompd_host_address_space_create has the library log, on the
     * standard error output. */
    uint32_t log_level;
} ompd_host_options_t;

/*
 * Open the process PID: stops all of its threads (ptrace) until ompd_host_target_close, which lets
 * them go on, or only reads it when OPTIONS say so.  OPTIONS may be NULL.  *TARGET gets the target,
 * owned by the caller.
 */
ompd_host_rc_t ompd_host_process_open(pid_t pid, const ompd_host_options_t *options,
                                      ompd_host_target_t **target);

/* A thread of a process that the caller traces: its number, and its registers as
 * ptrace(PTRACE_GETREGSET) gives them for NT_PRSTATUS, SIZE bytes. */
typedef struct ompd_host_traced_thread_t {
    uint32_t lwp;
    const void *registers;
    size_t size;
    uint64_t reserved[4]; /* 0; room to grow */
} ompd_host_traced_thread_t;

/*
 * Open the process PID, which the caller traces (ptrace) and keeps from running as long as the
 * target is open, but does not trace again: what a tool finds that waits for a process to end.  Its
 * threads are the COUNT THREADS, whose registers are copied.  All but the first may have ended when
 * the process began to.  Of OPTIONS `leaves_running` is not looked at.
 */
ompd_host_rc_t ompd_host_traced_process_open(pid_t pid, const ompd_host_traced_thread_t *threads,
                                             size_t count, const ompd_host_options_t *options,
                                             ompd_host_target_t **target);

/* Open the core file PATH: of the kernel or of gcore; whole, truncated or compressed (gzip, xz,
 * zstd, lz4 where the tool to unpack it is installed). */
ompd_host_rc_t ompd_host_core_open(const char *path, const ompd_host_options_t *options,
                                   ompd_host_target_t **target);

/* Let a process go on, and give back all that TARGET holds; NULL is ignored.  First release the
 * address spaces that were made of it. */
void ompd_host_target_close(ompd_host_target_t *target);

/* Say why the last call on TARGET did not return ompd_host_rc_ok; with NULL, why the calling
 * thread's last open failed.  Returns one sentence, "" when there is nothing to say. */
const char *ompd_host_message_get(const ompd_host_target_t *target);

/* ---- Confinement ------------------------------------------------------------------------------
 */

/*
 * A process that reads cores need not be able to do anything else.  A tool has two: one that the
 * user has started and that opens files, and one that reads the core and is confined, so that what
 * a crafted core can make of a fault in its reader is not the user's:
 *
 *     socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
 *     child = fork();
 *     in the child:  close(ends[0]);  rc = ompd_host_confine(ends[1]);
 *                    rc = ompd_host_core_open("core.4711", NULL, &target); ...
 *     in the parent: close(ends[1]);  rc = ompd_host_files_serve(ends[0], &service);
 *                    close(ends[0]);  waitpid(child, &status, 0);
 */

/* Ask whether this library can confine.  Returns ompd_host_rc_ok; ompd_host_rc_not_permitted when
 * it was built without libseccomp, or with a sanitizer. */
ompd_host_rc_t ompd_host_confinement_check(void);

/*
 * Do what ompd_host_confine does first, and children inherit: for a process that forks many.  Reads
 * the layouts of this machine.  Returns ompd_host_rc_ok; ompd_host_rc_not_permitted, this library
 * cannot confine; ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_confinement_prepare(void);

/*
 * Confine the calling process, which has one thread, for ever.  It has no descriptors any more but
 * the standard output, the standard error output and CONNECTION (a socket of SOCK_SEQPACKET, not
 * one of the standard descriptors), and reads from none of these.  System calls but those for
 * reading files and writing, memory that is not executable, signals to itself, the clock and
 * its own end fail with EPERM: it opens no file, starts no process and no thread, has no network,
 * traces nobody.  Nor can it get new privileges.
 *
 * From then on the functions of this library, for cores alone, ask for files over CONNECTION, which
 * the process at its other end serves by ompd_host_files_serve: what a core is unpacked by runs
 * there.  The layouts of this machine are those of now.
 *
 * Returns ompd_host_rc_ok; ompd_host_rc_bad_input; ompd_host_rc_not_permitted, this library cannot
 * confine, or the system does not let it; ompd_host_rc_nomem.  With any but the first the process
 * opens files itself as before, though other descriptors may be closed, and who serves it is told
 * why.  ompd_host_message_get(NULL) has the reason.
 */
ompd_host_rc_t ompd_host_confine(int connection);

/* What a confined process may have.  Set struct_size to sizeof(ompd_host_service_t). */
typedef struct ompd_host_service_t {
    size_t struct_size;
    pid_t pid; /* of the process: its address space is limited as its files grow; 0: it is not */
    /* The paths, as it is given them, of cores that it may have opened and files that it may
     * write (ompd_host_look_save). */
    const char *const *names;
    size_t name_count;
    /* As it has them: of these executable, sysroot, opens_no_files, asks_debuginfod and progress
     * of unpacking are looked at. */
    ompd_host_options_t options;
    /* Told why the process is not confined, as a part of a sentence; NULL: nobody is. */
    void (*warn)(void *user_ptr, const char *reason);
    void *user_ptr; /* of `warn` */
} ompd_host_service_t;

/*
 * Serve the process at the other end of CONNECTION until it closes that, by its end at the latest:
 * hand over cores that it may have, compressed ones unpacked; the files that a core names and
 * their debug information, which are regular ELF files, never below /proc, /dev and /sys, with a
 * system root never outside that, and with `opens_no_files` none; and make files that it may write.
 * Nothing in them is looked at but what tells that they are packed, or ELF.  Returns
 * ompd_host_rc_ok, ompd_host_rc_bad_input or ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_files_serve(int connection, const ompd_host_service_t *service);

/* ---- What the target is ---------------------------------------------------------------------- */

/* Texts are NULL and numbers 0 where it is not known. */
typedef struct ompd_host_target_info_t {
    size_t struct_size;
    const char *file;         /* core: its path; else NULL */
    const char *program;      /* path of the executable */
    const char *command_line; /* as far as it was saved: a core has 80 bytes of it */
    const char *host_name;    /* process: this machine; of cores it is found in the environment */
    uint64_t size;            /* core: bytes that are there, unpacked */
    uint64_t whole_size;      /* core: bytes that there should be; more than size: truncated */
    uint64_t saved_bytes;     /* of memory that the core has, */
    uint64_t left_out_bytes;  /* and of memory that it names but does not have */
    /* Core: counts the reads of such memory, by whomever, as they happen; as long as it is open. */
    const uint64_t *unsaved_reads;
    int64_t time; /* core: when the file was written; seconds since 1970 */
    int32_t pid;
    int32_t signal;        /* that killed it, 0 for none */
    int32_t signal_lwp;    /* thread that got it */
    uint32_t pointer_size; /* bytes */
    uint32_t thread_count;
    bool is_core;
    bool is_swapped; /* its byte order is not this machine's */
    bool is_running; /* nothing stops it: the picture may be torn */
    bool is_cut;     /* core: its file was cut off since it was opened: ompd_host_fault_mend */
    bool is_look;    /* core: of ompd_host_look_save */
    /* Places that ompd_host_place_get has named so far without debug information that is there, as
     * it is too large uncompressed, or nested too deeply. */
    uint64_t short_places;
} ompd_host_target_info_t;

/* Describe TARGET.  Set INFO->struct_size to sizeof(ompd_host_target_info_t). */
ompd_host_rc_t ompd_host_target_get(const ompd_host_target_t *target,
                                    ompd_host_target_info_t *info);

/*
 * For a tool's handler of SIGBUS, which it gets when a core's file is cut off while it is read:
 * where ADDRESS, as siginfo_t has it, is in what TARGET has mapped of its core, zeros are put
 * there, so that the handler may return; from then on TARGET's memory cannot be read.  May be
 * called in a signal handler, and sets no message.  Returns ompd_host_rc_ok; ompd_host_rc_not_found
 * when the fault is none of TARGET's, which may be NULL; ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_fault_mend(ompd_host_target_t *target, const void *address);

/* ---- What an OMPD library asks --------------------------------------------------------------- */

/*
 * Make an address space of libompd-opencl for TARGET, with all callbacks and the whole optional
 * table; MEMORY_LIMIT in bytes, 0 for none.  It knows the layouts of this machine.  Its memory
 * comes from malloc.  Returns what ompd_cl_address_space_create does, whose message
 * ompd_cl_message_get(NULL) has.
 */
ompd_rc_t ompd_host_address_space_create(ompd_host_target_t *target, size_t memory_limit,
                                         ompd_address_space_handle_t **space);

/*
 * Give the callbacks themselves, for another OMPD library or to change some: they are bound to
 * TARGET, which *CONTEXT is a name of, and good until it is closed.
 */
ompd_host_rc_t ompd_host_callbacks_get(ompd_host_target_t *target, ompd_callbacks_t *callbacks,
                                       ompd_cl_extra_t *extra,
                                       ompd_address_space_context_t **context);

/* ---- Looks ----------------------------------------------------------------------------------- */

/*
 * Save what libompd-opencl's answers about TARGET depend on in PATH: a core of ELF with the
 * threads' registers and stacks, the recorder's registry, the runtimes' objects, what names the
 * modules; in it the answers are the same.  What is in buffers is not: no host memory of memory
 * objects, no SVM allocation but for words that are handles, nothing else that was not looked at.
 * PATH must not be there yet, and is whole when it is.  *SIZE gets its bytes, unless it is NULL.
 * Returns ompd_host_rc_ok; ompd_host_rc_not_permitted when PATH is there already or may not be
 * written, and when TARGET is running; ompd_host_rc_not_found, a thread has ended;
 * ompd_host_rc_error; ompd_host_rc_nomem; ompd_host_rc_cancelled when `is_interrupted` has said so.
 */
ompd_host_rc_t ompd_host_look_save(ompd_host_target_t *target, const char *path, uint64_t *size);

/* ---- Files that a tool writes ------------------------------------------------------------------
 * A confined process has them made by the one that serves it, which lets it have those alone that
 * the user named.  ompd_host_message_get(NULL) has the reason of what fails. */

typedef struct ompd_host_new_file_t ompd_host_new_file_t;

/* Begin a file that is to be called PATH, which must not be there yet; nobody sees it before it is
 * ended.  *FILE is given back by ompd_host_new_file_end.  Returns ompd_host_rc_ok;
 * ompd_host_rc_not_permitted when PATH is there already or may not be written; ompd_host_rc_error;
 * ompd_host_rc_nomem; ompd_host_rc_bad_input. */
ompd_host_rc_t ompd_host_new_file_make(const char *path, ompd_host_new_file_t **file);

/* Write SIZE BYTES more to FILE.  Returns ompd_host_rc_ok, or ompd_host_rc_error. */
ompd_host_rc_t ompd_host_new_file_write(ompd_host_new_file_t *file, const void *bytes, size_t size);

/* Give FILE its name where IS_WHOLE, else drop what was written; FILE is given back, NULL ignored.
 * Returns ompd_host_rc_ok; with any other code there is no such file: those of
 * ompd_host_new_file_make. */
ompd_host_rc_t ompd_host_new_file_end(ompd_host_new_file_t *file, bool is_whole);

/*
 * Have Graphviz's program dot draw GRAPH, a text of DOT, in SVG.  GRAPH has nodes and edges and of
 * their attributes those that libompd-opencl-view uses: none that names a file.  dot is run as a
 * process, where this one is confined by the one that serves it, and gets 10 seconds and 1 GiB.
 * *PICTURE gets what it wrote, NUL-terminated, which the caller owns (free).
 * Returns ompd_host_rc_ok; ompd_host_rc_not_found, there is no dot, or it has failed;
 * ompd_host_rc_bad_input, GRAPH is NULL or anything else; ompd_host_rc_nomem.
 * ompd_host_message_get(NULL) has the reason.
 */
ompd_host_rc_t ompd_host_graph_draw(const char *graph, char **picture);

/* ---- Layouts --------------------------------------------------------------------------------- */

/*
 * The layouts that are known on this machine: files *.layout (ompd-opencl-layout(5)) in the folders
 * that the environment variable OMPD_OPENCL_LAYOUT_PATH names, separated by colons; without it, in
 * the user's folder, where `ompd-opencl learn` puts them, and in the installed one.
 */
typedef struct ompd_host_layouts_t ompd_host_layouts_t;

/* One file.  Texts are good until the layouts are closed. */
typedef struct ompd_host_layout_t {
    const char *path;
    const char *text;     /* not ended by NUL; NULL: the file cannot be read */
    size_t size;          /* bytes; more than a layout may have where the file does */
    const char *fault;    /* why it is no layout: one sentence; NULL: it is one */
    uint64_t reserved[4]; /* 0; room to grow */
} ompd_host_layout_t;

/* Read all of them, 1024 files at most, those that count before others first.  *LAYOUTS gets them,
 * owned by the caller, though there may be none.  Returns ompd_host_rc_ok, ompd_host_rc_bad_input
 * or ompd_host_rc_nomem. */
ompd_host_rc_t ompd_host_layouts_open(ompd_host_layouts_t **layouts);

/* Give back all that LAYOUTS hold; NULL is ignored. */
void ompd_host_layouts_close(ompd_host_layouts_t *layouts);

/* File number INDEX, from 0. */
ompd_host_rc_t ompd_host_layout_get(const ompd_host_layouts_t *layouts, size_t index,
                                    ompd_host_layout_t *layout);

/* The user's folder: $XDG_DATA_HOME/ompd-opencl/layouts, by default in ~/.local/share; NULL: it is
 * not known.  It need not be there. */
const char *ompd_host_layouts_folder_get(const ompd_host_layouts_t *layouts);

/*
 * Give SPACE all of them but those that are no layouts.  ompd_host_address_space_create does so;
 * this is for address spaces that were made otherwise.  Returns ompd_rc_ok, ompd_rc_nomem,
 * ompd_rc_stale_handle or ompd_rc_incompatible_handle, as ompd_cl_layout_add.
 */
ompd_rc_t ompd_host_layouts_add(ompd_address_space_handle_t *space);

/* ---- Memory ---------------------------------------------------------------------------------- */

/*
 * Read SIZE bytes at ADDRESS, all or none.  Pages that a core leaves out because they are unchanged
 * from a file come from that file, when its build-id is the one of the core.
 */
ompd_host_rc_t ompd_host_memory_read(ompd_host_target_t *target, uint64_t address, size_t size,
                                     void *bytes);

/* Point *BYTES to SIZE bytes at ADDRESS, mapped and good until TARGET is closed, when they lie in
 * one piece of a core; else ompd_host_rc_not_found, and they are to be read. */
ompd_host_rc_t ompd_host_memory_lend(ompd_host_target_t *target, uint64_t address, size_t size,
                                     const void **bytes);

/* The first region of memory that ends above ADDRESS.  Of code that a core leaves out, where it is
 * and what may be done with it is told by the modules' headers in the core.  A core of GDB's calls
 * memory readable that the program may not read. */
ompd_host_rc_t ompd_host_region_get(ompd_host_target_t *target, uint64_t address,
                                    ompd_cl_region_t *region);

/* ---- Modules, symbols, threads --------------------------------------------------------------- */

typedef struct ompd_host_module_t {
    const char *path; /* of the target, "[vdso]": the kernel's; a name, or "", where a core has lost
                       * its list of files */
    const char *file; /* that holds it here; NULL: not found, or only another build of it */
    uint64_t start;   /* addresses [start, end) */
    uint64_t end;
    const uint8_t *build_id; /* NULL: none */
    size_t build_id_size;    /* bytes */
    uint64_t reserved[4];    /* 0; room to grow */
} ompd_host_module_t;

/* Module number INDEX, from 0, in the order of their addresses.  Those of a running process are the
 * ones of the first question about modules or symbols.  Of a core that does not list the files that
 * were mapped they are what the dynamic linker's list in its memory has, their headers being there
 * or in files here with the same dynamic section; past the last that was found, where there may be
 * more: ompd_host_rc_not_saved. */
ompd_host_rc_t ompd_host_module_get(ompd_host_target_t *target, size_t index,
                                    ompd_host_module_t *module);

/*
 * Find a symbol by name, in the module whose path ends in MODULE_NAME or, with NULL, in any: the
 * program's before those of its libraries, global ones before local ones, and none that is only
 * referred to.  Symbol tables are those of the files that have the target's build-ids, of separate
 * files of debug information, or, where no file is found, in the target's memory.  Of a core of
 * which not all modules are known, a symbol that is in none of them: ompd_host_rc_not_saved.
 */
ompd_host_rc_t ompd_host_symbol_find(ompd_host_target_t *target, const char *module_name,
                                     const char *name, uint64_t *address);

/* The same in module number INDEX of ompd_host_module_get alone. */
ompd_host_rc_t ompd_host_module_symbol_find(ompd_host_target_t *target, size_t index,
                                            const char *name, uint64_t *address);

/* A line of source.  `file` is NULL where it is not known. */
typedef struct ompd_host_line_t {
    const char *file; /* as the compiler was given it */
    uint32_t line;
} ompd_host_line_t;

/* What an address is.  Texts are NULL where that is not known. */
typedef struct ompd_host_place_t {
    const char *symbol;     /* demangled; where code is inlined, the innermost function */
    uint64_t symbol_offset; /* of ADDRESS itself; 0 where debug information names the symbol */
    const char *file;       /* of the source, as the compiler was given it */
    uint32_t line;
    const char *module;     /* path of its file, as the target has it */
    uint64_t module_offset; /* from the lowest address at which that is mapped */
    /* Functions that `symbol` is inlined into, innermost first; NULL: none. */
    const char *const *inlined_into;
    size_t inlined_count;
    /* As many as `inlined_into`: where each of these functions has the call of the one before it;
     * NULL: none. */
    const ompd_host_line_t *inlined_at;
    uint64_t reserved[3]; /* 0; room to grow */
} ompd_host_place_t;

/*
 * Describe the code or datum at ADDRESS.  IS_CALLER: it is a return address, and the call before it
 * is meant, with the line of the call.  Where a function begins, the line is that of its
 * definition.  Of an address in no module, nothing is known.
 */
ompd_host_rc_t ompd_host_place_get(ompd_host_target_t *target, uint64_t address, bool is_caller,
                                   ompd_host_place_t *place);

typedef struct ompd_host_thread_t {
    uint32_t lwp;
    uint64_t pthread;     /* its pthread_t, 0 when not known */
    uint32_t own_lwp;     /* as the process itself sees it, in another PID namespace; 0: the same */
    uint64_t reserved[3]; /* 0; room to grow */
} ompd_host_thread_t;

/* Thread number INDEX, from 0; that which got the signal comes first. */
ompd_host_rc_t ompd_host_thread_get(ompd_host_target_t *target, size_t index,
                                    ompd_host_thread_t *thread);

/* A function call of a thread, for ompd_host_place_get. */
typedef struct ompd_host_frame_t {
    uint64_t address;
    bool is_caller; /* it is a return address; false: that of the instruction that is next */
    uint64_t frame_address; /* what DWARF calls the CFA; 0: not known */
    uint64_t reserved[3];   /* 0; room to grow */
} ompd_host_frame_t;

/*
 * The call stack of thread LWP, innermost first: at most CAPACITY frames in FRAMES.  The first is
 * at an instruction, and so is what a signal interrupted and the code that the signal's handler
 * returns to; all others are at return addresses.  *COUNT gets how many were given, fewer where the
 * stack cannot be followed to its end.  ompd_host_rc_not_permitted: the process is running.
 */
ompd_host_rc_t ompd_host_stack_get(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                                   ompd_host_frame_t *frames, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
