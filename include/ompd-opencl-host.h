/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl-host: the callbacks that an OMPD library needs, implemented for Linux.  They read a
 * live process or a core file, with the help of elfutils.
 *
 * This header is the manual of libompd-opencl-host.  A session:
 *
 *     rc = ompd_host_core_open("core.4711", NULL, &target);
 *     rc = ompd_host_address_space_create(target, 0, &space);
 *     ... ompd_cl_ functions on space ...
 *     ompd_rel_address_space_handle(space);
 *     ompd_host_target_close(target);
 *
 * The terms are those of <ompd-opencl.h>.  Texts belong to the target and are valid until it is
 * closed.  Several threads may use different targets at the same time, but only one thread at a
 * time may use a target.
 *
 * Return codes.  Every function returns one of:
 *   ompd_host_rc_ok              success.
 *   ompd_host_rc_bad_input       an argument is NULL or invalid.
 *   ompd_host_rc_nomem           out of memory.
 *   ompd_host_rc_not_found       no such process, file, thread or symbol; the index is too large.
 *   ompd_host_rc_not_permitted   permission denied.
 *   ompd_host_rc_not_readable    the file is not a core, or is from an unsupported machine.
 *   ompd_host_rc_not_saved       the core does not contain the memory.
 *   ompd_host_rc_unreadable      the memory is not mapped.
 *   ompd_host_rc_error           the system or the file returned invalid data.
 *   ompd_host_rc_cancelled       the caller's `progress` callback returned false.
 * Unless the code is ompd_host_rc_ok, the output parameters are unchanged, and
 * ompd_host_message_get returns the reason in one sentence.
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

/* A process or core that is open for reading. */
typedef struct ompd_host_target_t ompd_host_target_t;

/* Operations that may take long. */
typedef enum ompd_host_work_t {
    ompd_host_work_unpack = 1, /* decompress a core; progress counts bytes of the compressed file */
    ompd_host_work_search = 2  /* search memory for OpenCL objects */
} ompd_host_work_t;

/* Options for opening a target.  Set struct_size to sizeof(ompd_host_options_t).  The defaults
 * are 0 and NULL. */
typedef struct ompd_host_options_t {
    size_t struct_size;
    const char *executable; /* core: the program's file, if it is not at the path that the core
                             * names */
    const char *sysroot;    /* core: root directory for the files that it names, if it is from
                             * another machine; /lib and /usr/lib are one there, as are other
                             * folders of /usr */
    bool leaves_running;    /* process: read it without stopping it; the data may be inconsistent */
    bool asks_debuginfod;   /* fetch missing debug information by debuginfod */
    /* Reports the progress of WORK: DONE of WHOLE bytes, where DONE grows from 0.  Called by
     * ompd_host_core_open (the last call for decompression has DONE == WHOLE) and by an address
     * space that searches memory.  Return true to continue.  False ends the work with
     * ompd_host_rc_cancelled or ompd_rc_incomplete. */
    bool (*progress)(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole);
    void *progress_user_ptr; /* passed to `progress` and `is_interrupted` */
    /* Called by the callbacks of an address space before they read memory or look up symbols.
     * True ends the call with ompd_rc_interrupted.  NULL: calls are never interrupted. */
    bool (*is_interrupted)(void *user_ptr);
    bool opens_no_files; /* core: open none of the files that it names */
    /* An ompd_cl_log_level_t: what ompd_host_address_space_create has the library log, on the
     * standard error output. */
    uint32_t log_level;
} ompd_host_options_t;

/*
 * Open the process PID.  All of its threads are stopped (ptrace) until ompd_host_target_close,
 * unless OPTIONS ask to read it without stopping it.  OPTIONS may be NULL.  *TARGET receives the
 * target, owned by the caller.
 */
ompd_host_rc_t ompd_host_process_open(pid_t pid, const ompd_host_options_t *options,
                                      ompd_host_target_t **target);

/* A thread of a process that the caller traces: its LWP, and the SIZE bytes of registers that
 * ptrace(PTRACE_GETREGSET) returns for NT_PRSTATUS. */
typedef struct ompd_host_traced_thread_t {
    uint32_t lwp;
    const void *registers;
    size_t size;
    uint64_t reserved[4]; /* 0; room to grow */
} ompd_host_traced_thread_t;

/*
 * Open the process PID, which the caller already traces (ptrace) and must keep stopped while the
 * target is open.  This is for tools that wait for a process to end.  THREADS has COUNT threads,
 * whose registers are copied.  All but the first may have ended when the process began to exit.
 * `leaves_running` in OPTIONS is ignored.
 */
ompd_host_rc_t ompd_host_traced_process_open(pid_t pid, const ompd_host_traced_thread_t *threads,
                                             size_t count, const ompd_host_options_t *options,
                                             ompd_host_target_t **target);

/* Open the core file PATH.  The kernel or gcore may have written it.  It may be truncated, or
 * compressed with gzip, xz, zstd or lz4 if the tool that decompresses it is installed. */
ompd_host_rc_t ompd_host_core_open(const char *path, const ompd_host_options_t *options,
                                   ompd_host_target_t **target);

/* Resume the process and free everything that TARGET owns; NULL is ignored.  Release the address
 * spaces of TARGET first. */
void ompd_host_target_close(ompd_host_target_t *target);

/* Return a sentence that explains why the last call on TARGET did not return ompd_host_rc_ok.
 * With NULL, explain why the calling thread's last attempt to open something failed.  Returns ""
 * if nothing failed. */
const char *ompd_host_message_get(const ompd_host_target_t *target);

/* ---- Confinement ------------------------------------------------------------------------------
 */

/*
 * A crafted core might exploit a fault in the code that reads it.  A tool can therefore run two
 * processes.  The first, which the user started, opens the files.  The second reads the core and is
 * confined, so that an exploit gains nothing:
 *
 *     socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
 *     child = fork();
 *     in the child:  close(ends[0]);  rc = ompd_host_confine(ends[1]);
 *                    rc = ompd_host_core_open("core.4711", NULL, &target); ...
 *     in the parent: close(ends[1]);  rc = ompd_host_files_serve(ends[0], &service);
 *                    close(ends[0]);  waitpid(child, &status, 0);
 */

/* Check whether this library can confine processes.  Returns ompd_host_rc_ok, or
 * ompd_host_rc_not_permitted if it was built without libseccomp or with a sanitizer. */
ompd_host_rc_t ompd_host_confinement_check(void);

/*
 * Do the part of ompd_host_confine that child processes inherit; for a process that forks many
 * children.  Reads the layouts of this machine.  Returns ompd_host_rc_ok;
 * ompd_host_rc_not_permitted if this library cannot confine; ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_confinement_prepare(void);

/*
 * Confine the calling process, which must have one thread, permanently.  All file descriptors are
 * closed except standard output, standard error and CONNECTION.  CONNECTION is a SOCK_SEQPACKET
 * socket and not a standard descriptor.  The process can read from none of the standard
 * descriptors.  Only system calls for reading and writing open files, for memory that is not
 * executable, for signals to itself, for the clock and for exiting are allowed; all others fail
 * with EPERM.  So it opens no files, starts no processes or threads, has no network, traces nobody
 * and gains no privileges.
 *
 * From then on, the functions of this library work for cores only.  They request files over
 * CONNECTION.  The process at its other end serves them with ompd_host_files_serve and runs the
 * tools that decompress cores.  The layouts are those that the machine has at the time of this
 * call.
 *
 * Returns ompd_host_rc_ok; ompd_host_rc_bad_input; ompd_host_rc_not_permitted if this library
 * cannot confine or the system does not allow it; ompd_host_rc_nomem.  After a failure, the process
 * opens files itself as before, though other descriptors may be closed.  The serving process is
 * told why.  ompd_host_message_get(NULL) has the reason.
 */
ompd_host_rc_t ompd_host_confine(int connection);

/* What a confined process may access.  Set struct_size to sizeof(ompd_host_service_t). */
typedef struct ompd_host_service_t {
    size_t struct_size;
    pid_t pid; /* of the confined process: its address space is limited in proportion to the size
                * of its files; 0: no limit */
    /* The paths of cores that it may request and of files that it may write
     * (ompd_host_snapshot_save), as the confined process spells them. */
    const char *const *names;
    size_t name_count;
    /* The same options that the confined process uses.  Only executable, sysroot,
     * opens_no_files, asks_debuginfod and the progress of decompression are used. */
    ompd_host_options_t options;
    /* Receives the reason, as a part of a sentence, why the process is not confined.  May be
     * NULL. */
    void (*warn)(void *user_ptr, const char *reason);
    void *user_ptr; /* passed to `warn` */
} ompd_host_service_t;

/*
 * Serve the process at the other end of CONNECTION until it closes CONNECTION or exits.  The
 * service passes on the cores that the process may read, decompressed if necessary.  It passes on
 * the files that a core names and their debug information.  These must be regular ELF files outside
 * /proc, /dev and /sys, and inside the system root if there is one.  With `opens_no_files`, none
 * are passed on.  It also creates the files that the process may write.  The service reads only the
 * first bytes of a file, to see whether it is compressed or ELF.  Returns ompd_host_rc_ok,
 * ompd_host_rc_bad_input or ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_files_serve(int connection, const ompd_host_service_t *service);

/* ---- Target information ---------------------------------------------------------------------- */

/* Unknown texts are NULL and unknown numbers are 0. */
typedef struct ompd_host_target_info_t {
    size_t struct_size;
    const char *file;         /* core: its path; otherwise NULL */
    const char *program;      /* path of the executable */
    const char *command_line; /* as far as it was saved; a core has the first 80 bytes */
    const char *host_name;    /* process: this machine; core: found in the program's environment */
    uint64_t size;            /* core: decompressed bytes that the file has */
    uint64_t whole_size;      /* core: bytes that the file should have; more than `size` if
                               * truncated */
    uint64_t saved_bytes;     /* memory that the core contains */
    uint64_t left_out_bytes;  /* memory that the core lists but does not contain */
    /* Core: counts the reads of memory that the core lists but does not contain.  Valid while
     * the target is open. */
    const uint64_t *unsaved_reads;
    int64_t time; /* core: when the file was written; seconds since 1970 */
    int32_t pid;
    int32_t signal;        /* signal that killed it; 0: none */
    int32_t signal_lwp;    /* thread that received the signal */
    uint32_t pointer_size; /* bytes */
    uint32_t thread_count;
    bool is_core;
    bool is_swapped;  /* its byte order differs from this machine's */
    bool is_running;  /* it is not stopped: the data may be inconsistent */
    bool is_cut;      /* core: its file was truncated after it was opened; see
                       * ompd_host_fault_mend */
    bool is_snapshot; /* core: written by ompd_host_snapshot_save */
    /* Number of places that ompd_host_place_get named without their debug information, because
     * it is too large or too deeply nested. */
    uint64_t short_places;
} ompd_host_target_info_t;

/* Describe TARGET.  Set INFO->struct_size to sizeof(ompd_host_target_info_t). */
ompd_host_rc_t ompd_host_target_get(const ompd_host_target_t *target,
                                    ompd_host_target_info_t *info);

/*
 * For a tool's SIGBUS handler.  The signal is raised if a core's file is truncated while it is
 * read.  If ADDRESS (from siginfo_t) is in TARGET's mapping of its core, the function maps zeros
 * there, so that the handler may return.  From then on, TARGET's memory cannot be read.  The
 * function may be called in a signal handler and sets no message.  Returns ompd_host_rc_ok;
 * ompd_host_rc_not_found if the address is not TARGET's, which may be NULL; ompd_host_rc_nomem.
 */
ompd_host_rc_t ompd_host_fault_mend(ompd_host_target_t *target, const void *address);

/* ---- Address spaces and callbacks ------------------------------------------------------------ */

/*
 * Create an address space of libompd-opencl for TARGET, with all callbacks and the complete
 * optional table.  MEMORY_LIMIT is in bytes; 0: no limit.  The layouts of this machine are added to
 * the address space.  Its memory comes from malloc.  Returns the same codes as
 * ompd_cl_address_space_create; ompd_cl_message_get(NULL) has the message.
 */
ompd_rc_t ompd_host_address_space_create(ompd_host_target_t *target, size_t memory_limit,
                                         ompd_address_space_handle_t **space);

/*
 * Get the callbacks themselves, for another OMPD library or to replace some of them.  They are
 * bound to TARGET through *CONTEXT and are valid until TARGET is closed.
 */
ompd_host_rc_t ompd_host_callbacks_get(ompd_host_target_t *target, ompd_callbacks_t *callbacks,
                                       ompd_cl_extra_t *extra,
                                       ompd_address_space_context_t **context);

/* ---- Snapshots ------------------------------------------------------------------------------- */

/*
 * Save the data that libompd-opencl needs to answer questions about TARGET in PATH.  The file is an
 * ELF core with the threads' registers and stacks, the recorder's registry, the runtimes' objects,
 * and the data that names the modules.  Answers from it are the same as from TARGET.  It does not
 * contain the contents of buffers: no host memory of memory objects, no SVM allocations except for
 * words that are handles, and nothing else that was not read.  PATH must not exist; it appears only
 * when it is complete.  *SIZE receives its size in bytes, unless SIZE is NULL.  Returns
 * ompd_host_rc_ok; ompd_host_rc_not_permitted if PATH exists or cannot be written, or if TARGET is
 * running; ompd_host_rc_not_found if a thread has ended; ompd_host_rc_error; ompd_host_rc_nomem;
 * ompd_host_rc_cancelled if `is_interrupted` returned true.
 */
ompd_host_rc_t ompd_host_snapshot_save(ompd_host_target_t *target, const char *path,
                                       uint64_t *size);

/* ---- Files that a tool writes ------------------------------------------------------------------
 * For a confined process, the serving process creates the files, and only those that the user
 * named.  After a failure, ompd_host_message_get(NULL) has the reason. */

typedef struct ompd_host_new_file_t ompd_host_new_file_t;

/* Create a file that will be called PATH, which must not exist.  The file is not visible before
 * ompd_host_new_file_end, which also frees *FILE.  Returns ompd_host_rc_ok;
 * ompd_host_rc_not_permitted if PATH exists or cannot be written; ompd_host_rc_error;
 * ompd_host_rc_nomem; ompd_host_rc_bad_input. */
ompd_host_rc_t ompd_host_new_file_make(const char *path, ompd_host_new_file_t **file);

/* Append SIZE bytes at BYTES to FILE.  Returns ompd_host_rc_ok or ompd_host_rc_error. */
ompd_host_rc_t ompd_host_new_file_write(ompd_host_new_file_t *file, const void *bytes, size_t size);

/* If IS_WHOLE, give FILE its name; otherwise discard it.  Frees FILE; NULL is ignored.  Returns
 * ompd_host_rc_ok or the codes of ompd_host_new_file_make; after any of these the file does not
 * exist. */
ompd_host_rc_t ompd_host_new_file_end(ompd_host_new_file_t *file, bool is_whole);

/*
 * Draw GRAPH, a DOT text, as SVG with Graphviz's program dot.  GRAPH may have nodes, edges and
 * those attributes that libompd-opencl-view uses, none of which names a file.  dot runs in a
 * process of its own, which the serving process starts if this process is confined.  It is limited
 * to 10 seconds and 1 GiB.  *PICTURE receives the NUL-terminated output, owned by the caller
 * (free).  Returns ompd_host_rc_ok; ompd_host_rc_not_found if dot is missing or failed;
 * ompd_host_rc_bad_input if GRAPH is NULL or contains anything else; ompd_host_rc_nomem.
 * ompd_host_message_get(NULL) has the reason.
 */
ompd_host_rc_t ompd_host_graph_draw(const char *graph, char **picture);

/* ---- Layouts --------------------------------------------------------------------------------- */

/*
 * The layouts of this machine: files *.layout (ompd-opencl-layout(5)) in the folders that the
 * environment variable OMPD_OPENCL_LAYOUT_PATH lists, separated by colons.  Without it: in the
 * user's folder, where `ompd-opencl learn` writes layouts, in /etc/ompd-opencl/layouts, where an
 * administrator may put them for all users, and in the installed folder.
 */
typedef struct ompd_host_layouts_t ompd_host_layouts_t;

/* A layout file.  Texts are valid until the layouts are closed. */
typedef struct ompd_host_layout_t {
    const char *path;
    const char *text;     /* not NUL-terminated; NULL: the file cannot be read */
    size_t size;          /* of the file, in bytes; may exceed the size limit of a layout */
    const char *fault;    /* one sentence that explains why the layout is invalid; NULL: it is
                           * valid */
    uint64_t reserved[4]; /* 0; room to grow */
} ompd_host_layout_t;

/* Read all layouts, at most 1024 files, in the order of precedence.  *LAYOUTS receives them,
 * owned by the caller; it may be empty.  Returns ompd_host_rc_ok, ompd_host_rc_bad_input or
 * ompd_host_rc_nomem. */
ompd_host_rc_t ompd_host_layouts_open(ompd_host_layouts_t **layouts);

/* Free LAYOUTS; NULL is ignored. */
void ompd_host_layouts_close(ompd_host_layouts_t *layouts);

/* Get file number INDEX, counted from 0. */
ompd_host_rc_t ompd_host_layout_get(const ompd_host_layouts_t *layouts, size_t index,
                                    ompd_host_layout_t *layout);

/* Return the user's folder: $XDG_DATA_HOME/ompd-opencl/layouts, by default in ~/.local/share.
 * NULL: it is unknown.  The folder may not exist. */
const char *ompd_host_layouts_folder_get(const ompd_host_layouts_t *layouts);

/*
 * Add all valid layouts to SPACE.  ompd_host_address_space_create does so itself; this is for
 * address spaces that were created otherwise.  Returns ompd_rc_ok, ompd_rc_nomem,
 * ompd_rc_stale_handle or ompd_rc_incompatible_handle, as ompd_cl_layout_add does.
 */
ompd_rc_t ompd_host_layouts_add(ompd_address_space_handle_t *space);

/* ---- Memory ---------------------------------------------------------------------------------- */

/*
 * Read SIZE bytes at ADDRESS, all or none.  Unmodified pages of files that a core does not contain
 * are read from the file, if its build-id matches that of the core.
 */
ompd_host_rc_t ompd_host_memory_read(ompd_host_target_t *target, uint64_t address, size_t size,
                                     void *bytes);

/* Point *BYTES to the SIZE bytes at ADDRESS in the mapped core file, valid until TARGET is
 * closed.  If they are not contiguous in the file, returns ompd_host_rc_not_found; read them
 * instead. */
ompd_host_rc_t ompd_host_memory_map(ompd_host_target_t *target, uint64_t address, size_t size,
                                    const void **bytes);

/* Get the first region of memory that ends above ADDRESS.  For code that a core does not
 * contain, location and protection come from the modules' headers in the core.  GDB's cores mark
 * memory as readable that the program may not read. */
ompd_host_rc_t ompd_host_region_get(ompd_host_target_t *target, uint64_t address,
                                    ompd_cl_region_t *region);

/* ---- Modules, symbols, threads --------------------------------------------------------------- */

typedef struct ompd_host_module_t {
    const char *path; /* in the target; "[vdso]" for the kernel's; a bare name or "" if the core
                       * lost its list of files */
    const char *file; /* the file on this machine; NULL: not found, or only another build of it */
    uint64_t start;   /* addresses [start, end) */
    uint64_t end;
    const uint8_t *build_id; /* NULL: none */
    size_t build_id_size;    /* bytes */
    uint64_t reserved[4];    /* 0; room to grow */
} ompd_host_module_t;

/* Get module number INDEX, counted from 0, in address order.  For a running process, the list is
 * read at the first call about modules or symbols.  For a core that does not list the mapped
 * files, the modules come from the dynamic linker's list in memory.  Their headers must be in
 * the core, or in files on this machine with the same dynamic section.  If the list may be
 * incomplete, the call after the last module returns ompd_host_rc_not_saved. */
ompd_host_rc_t ompd_host_module_get(ompd_host_target_t *target, size_t index,
                                    ompd_host_module_t *module);

/*
 * Find a symbol by name, in the module whose path ends in MODULE_NAME, or in any module if that is
 * NULL.  The program precedes its libraries and global symbols precede local ones; undefined
 * symbols are ignored.  Symbol tables come from files with the target's build-ids, from separate
 * debug files or, if no file is found, from the target's memory.  If a core does not list all
 * modules and the symbol is in none of the known ones, returns ompd_host_rc_not_saved.
 */
ompd_host_rc_t ompd_host_symbol_find(ompd_host_target_t *target, const char *module_name,
                                     const char *name, uint64_t *address);

/* Find a symbol in module number INDEX of ompd_host_module_get only. */
ompd_host_rc_t ompd_host_module_symbol_find(ompd_host_target_t *target, size_t index,
                                            const char *name, uint64_t *address);

/* A source line.  `file` is NULL if unknown. */
typedef struct ompd_host_line_t {
    const char *file; /* as given to the compiler */
    uint32_t line;
} ompd_host_line_t;

/* The location of an address.  Unknown texts are NULL. */
typedef struct ompd_host_place_t {
    const char *symbol;     /* demangled; for inlined code, the innermost function */
    uint64_t symbol_offset; /* of ADDRESS in the symbol; 0 if debug information names the symbol */
    const char *file;       /* source file, as given to the compiler */
    uint32_t line;
    const char *module;     /* path of the module's file in the target */
    uint64_t module_offset; /* offset from the module's lowest mapped address */
    /* Functions that `symbol` is inlined into, innermost first; NULL: none. */
    const char *const *inlined_into;
    size_t inlined_count;
    /* As many as `inlined_into`: the call sites in these functions of the respective inner
     * function; NULL: none. */
    const ompd_host_line_t *inlined_at;
    uint64_t reserved[3]; /* 0; room to grow */
} ompd_host_place_t;

/*
 * Describe the code or data at ADDRESS.  If IS_CALLER, ADDRESS is a return address, and the line is
 * that of the call before it.  At the beginning of a function, the line is that of its definition.
 * For an address outside all modules, all members are unknown.
 */
ompd_host_rc_t ompd_host_place_get(ompd_host_target_t *target, uint64_t address, bool is_caller,
                                   ompd_host_place_t *place);

typedef struct ompd_host_thread_t {
    uint32_t lwp;
    uint64_t pthread;     /* its pthread_t; 0: unknown */
    uint32_t own_lwp;     /* its LWP in the PID namespace of the process; 0: the same */
    uint64_t reserved[3]; /* 0; room to grow */
} ompd_host_thread_t;

/* Get thread number INDEX, counted from 0.  The thread that received the signal comes first. */
ompd_host_rc_t ompd_host_thread_get(ompd_host_target_t *target, size_t index,
                                    ompd_host_thread_t *thread);

/* A frame of a thread's call stack; ompd_host_place_get describes its address. */
typedef struct ompd_host_frame_t {
    uint64_t address;
    bool is_caller; /* true: it is a return address; false: it is that of the next instruction */
    uint64_t frame_address; /* DWARF's CFA; 0: unknown */
    uint64_t reserved[3];   /* 0; room to grow */
} ompd_host_frame_t;

/*
 * Get the call stack of thread LWP, innermost frame first, at most CAPACITY frames.  The first
 * frame is at an instruction.  So are the frame that a signal interrupted and the code that the
 * signal handler returns to; all others are at return addresses.  *COUNT receives the number of
 * frames, which is smaller if the stack cannot be unwound completely.  Returns
 * ompd_host_rc_not_permitted if the process is running.
 */
ompd_host_rc_t ompd_host_stack_get(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                                   ompd_host_frame_t *frames, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
