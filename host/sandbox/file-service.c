/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The files of a confined process, opened here by the rules of file.c and passed to it.  A core may
 * control its requests, so it gets only: cores that the user named, ELF files that may be read
 * anyway, a file to write where the user named one, and pictures of graphs.
 */
#include <host/sandbox/sandbox.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <host/base/bound.h>
#include <host/core/core.h>
#include <host/files/files.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEBUG_FOLDER "/usr/lib/debug"

/* A file that was passed: requesting it again costs nothing more. */
struct known_file {
    dev_t device;
    ino_t number;
    off_t size;
};

/* For further files, it is unknown whether they were passed before; they count as new. */
#define MOST_KNOWN 4096

/* Maximum number of graphs: each takes memory that no limit of address space counts. */
#define MOST_SHEETS 64

/* The number of opened cores and created files may exceed the number of names by so many, as
 * decompressed cores and new files take disk space. */
#define MORE_THAN_NAMES 16

/* Milliseconds between checks of what a process without requests writes. */
#define WRITTEN_INTERVAL 500
#define UNWATCHED_AT_MOST 4

/* Files that were passed. */
struct handed {
    uint64_t present; /* allocated bytes */
    uint64_t size;    /* size including holes */
};

/* A served process. */
struct service {
    const ompd_host_service_t *given;
    int connection;
    struct rlimit limit; /* original limit of address space */
    struct handed cores; /* named by the user */
    struct handed files; /* named by the cores */
    struct known_file *known;
    size_t known_count;
    struct new_file made;
    int sheet; /* receives a graph; -1: none */
    uint32_t sheets;
    size_t core_count; /* number of opened cores */
    size_t made_count;
    unsigned unwatched; /* consecutive failures to read how much it has written */
};

static void service_warn(const struct service *service, const char *sentence)
{
    if (service->given->warn != NULL)
        service->given->warn(service->given->user_ptr, sentence);
}

/* ---- Permissions ----------------------------------------------------------------------------- */

/* Whether the user named PATH. */
static bool is_named(const struct service *service, const char *path)
{
    for (size_t i = 0; i < service->given->name_count; i++)
        if (strcmp(service->given->names[i], path) == 0)
            return true;
    return false;
}

/* Whether PATH is the program's file that the user named, or beside it or below the system's
 * debug folder, where its debug information may be. */
static bool is_beside_executable(const struct service *service, const char *path)
{
    const char *executable = service->given->options.executable;
    const char *slash = executable != NULL ? strrchr(executable, '/') : NULL;
    size_t debug_folder = strlen(DEBUG_FOLDER);

    if (executable == NULL)
        return false;
    if (strcmp(path, executable) == 0)
        return true;
    if (slash == NULL)
        return false;
    if (strncmp(path, DEBUG_FOLDER, debug_folder) == 0 && executable[0] == '/')
        path += debug_folder;
    return strncmp(path, executable, (size_t)(slash - executable) + 1) == 0 &&
           strstr(path + (slash - executable), "/../") == NULL;
}

/* Whether the file at DESCRIPTOR, opened as PATH, may be passed. */
static bool is_allowed(const struct service *service, const char *path, int descriptor)
{
    const ompd_host_options_t *options = &service->given->options;
    char magic[SELFMAG];

    if (pread(descriptor, magic, sizeof(magic), 0) != sizeof(magic) ||
        memcmp(magic, ELFMAG, SELFMAG) != 0)
        return false;
    if (is_beside_executable(service, path))
        return true;
    return !options->opens_no_files &&
           (options->sysroot == NULL || file_is_below(descriptor, options->sysroot));
}

/* ---- Memory limit ---------------------------------------------------------------------------- */

/* Whether the file of STATUS was passed before.  It is recorded. */
static bool file_is_known(struct service *service, const struct stat *status)
{
    struct known_file *known = service->known;

    for (size_t i = 0; i < service->known_count; i++)
        if (known[i].device == status->st_dev && known[i].number == status->st_ino &&
            known[i].size >= status->st_size)
            return true;
    if (known == NULL)
        known = service->known = calloc(MOST_KNOWN, sizeof(*known));
    if (known == NULL || service->known_count == MOST_KNOWN)
        return true;
    known[service->known_count++] =
        (struct known_file){status->st_dev, status->st_ino, status->st_size};
    return false;
}

/*
 * Raise the process's memory limit by the cost of a file that it is about to get.  The limit is on
 * address space (RLIMIT_AS), where a mapped file counts with its holes.  So it is twice the size,
 * as libelf may map the file again, plus a constant for the process itself and copies of modules.
 * The rest is law 13: a constant and a multiple of what is really there.  Files that are requested
 * again do not count.  As the process may request any ELF file of the machine, files other than
 * cores have a limit of their own.
 */
static void raise_limit(struct service *service, struct handed *handed, int descriptor)
{
    struct rlimit limit = service->limit;
    uint64_t most = BOUND_ADDRESS_SPACE;
    struct stat status;
    uint64_t present;
    uint64_t files;

    if (fstat(descriptor, &status) != 0 || file_is_known(service, &status))
        return;
    present = (uint64_t)status.st_blocks * 512; /* stat(2): units of 512 bytes */
    if (present > (uint64_t)status.st_size)
        present = (uint64_t)status.st_size;
    handed->present += present;
    handed->size += (uint64_t)status.st_size;
    files = bound_address_space(service->files.present, service->files.size);
    most += files < BOUND_FILES ? files : BOUND_FILES;
    most += bound_address_space(service->cores.present, service->cores.size);
    if (most < limit.rlim_cur)
        limit.rlim_cur = (rlim_t)most;
    if (service->given->pid != 0 && prlimit(service->given->pid, RLIMIT_AS, &limit, NULL) != 0 &&
        errno != ESRCH)
        service_warn(service, "cannot limit its memory");
}

/* ---- Output limit ---------------------------------------------------------------------------- */

/* Read how many bytes the process has written, to any file.  Returns false if unknown. */
static bool read_written(const struct service *service, unsigned long long *written)
{
    char path[40];
    char line[128];
    bool is_found = false;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/io", (int)service->given->pid);
    file = fopen(path, "re");
    while (file != NULL && !is_found && fgets(line, sizeof(line), file) != NULL)
        is_found = sscanf(line, "wchar: %llu", written) == 1;
    if (file != NULL)
        fclose(file);
    return is_found;
}

/* Kill the process if it has written more than any answer has. */
static void check_written(struct service *service)
{
    unsigned long long written;

    if (service->given->pid == 0 || service->unwatched == UNWATCHED_AT_MOST)
        return;
    /* This also fails while the process ends. */
    if (!read_written(service, &written)) {
        if (++service->unwatched == UNWATCHED_AT_MOST)
            service_warn(service, "cannot limit its output");
        return;
    }
    service->unwatched = 0;
    if (written <= bound_written(service->cores.present))
        return;
    service_warn(service, "it wrote more than any answer has, and was killed");
    kill(service->given->pid, SIGKILL);
}

/* Wait for a question, and check meanwhile what the process writes. */
static void await_question(struct service *service)
{
    struct pollfd connection = {.fd = service->connection, .events = POLLIN};

    int count;

    while ((count = poll(&connection, 1, WRITTEN_INTERVAL)) == 0 || (count < 0 && errno == EINTR))
        check_written(service);
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* Reopen for reading only: a core was decompressed to this descriptor. */
static int open_again(int descriptor)
{
    char link[40];
    int other;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    other = open(link, O_RDONLY | O_CLOEXEC);
    if (other < 0)
        return descriptor;
    close(descriptor);
    return other;
}

/* Open the core PATH.  Returns its descriptor, or -1, and sets ANSWER. */
static int service_core_open(struct service *service, const char *path, struct file_message *answer)
{
    ompd_host_target_t *target = calloc(1, sizeof(*target));
    int descriptor = -1;

    answer->what = ompd_host_rc_nomem;
    if (target == NULL || (target->path = strdup(path)) == NULL) {
        free(target);
        file_message_set(answer, "out of memory");
        return -1;
    }
    target->core.descriptor = -1;
    target->process.memory = -1;
    target->progress = service->given->options.progress;
    target->progress_user_ptr = service->given->options.progress_user_ptr;
    answer->what = is_named(service, path) &&
                           service->core_count++ < service->given->name_count + MORE_THAN_NAMES
                       ? core_file_open(target)
                       : target_message_set(target, ompd_host_rc_not_permitted,
                                            "cannot open '%s': the file was not named", path);
    file_message_set(answer, target->message);
    if (answer->what == ompd_host_rc_ok) {
        descriptor = open_again(target->core.descriptor);
        target->core.descriptor = -1;
        answer->time = target->core.time;
    }
    ompd_host_target_close(target);
    return descriptor;
}

static int service_file_open(struct service *service, enum file_question question, const char *path,
                             struct file_message *answer)
{
    const ompd_host_options_t *options = &service->given->options;
    char *found = NULL;
    int descriptor = -1;

    if (question == file_question_file)
        descriptor = file_open(path);
    else if (question == file_question_below && options->sysroot != NULL)
        descriptor = file_open_below(options->sysroot, path, &found);
    if (descriptor >= 0 && (!is_allowed(service, path, descriptor) ||
                            !file_message_set(answer, found != NULL ? found : path))) {
        close(descriptor);
        descriptor = -1;
    }
    free(found);
    answer->what = descriptor >= 0 ? 0 : ENOENT;
    return descriptor;
}

static int service_fetch(const struct service *service, enum file_question question,
                         const char *digits, struct file_message *answer)
{
    char *found = NULL;
    int descriptor = -1;

    if (service->given->options.asks_debuginfod &&
        strspn(digits, "0123456789abcdef") == strlen(digits))
        descriptor = debuginfod_open_digits(digits, question == file_question_debuginfo, &found);
    answer->what = descriptor >= 0 ? 0 : ENOENT;
    if (found != NULL)
        file_message_set(answer, found);
    free(found);
    return descriptor;
}

/* Answer a question about a file PATH to be written.  Returns the descriptor for the process,
 * which the service keeps open, or -1. */
static int service_file_write(struct service *service, enum file_question question,
                              const char *path, struct file_message *answer)
{
    answer->what = EPERM;
    if (!is_named(service, path))
        return -1;
    if (question == file_question_exists)
        answer->what = new_file_exists(path) ? EEXIST : 0;
    else if (question == file_question_name && service->made.descriptor >= 0)
        answer->what = new_file_name(path, &service->made);
    if (question != file_question_make ||
        service->made_count++ >= service->given->name_count + MORE_THAN_NAMES)
        return -1;
    new_file_close(&service->made);
    answer->what = new_file_make(path, &service->made);
    return service->made.descriptor;
}

/* Create a file for a graph.  Returns its descriptor, which the service keeps open, or -1. */
static int make_sheet(struct service *service, struct file_message *answer)
{
    if (service->sheet >= 0)
        close(service->sheet);
    service->sheet = -1;
    answer->what = EPERM;
    if (service->sheets++ >= MOST_SHEETS)
        return -1;
    service->sheet = drawing_sheet_make(DRAWING_GRAPH_SIZE);
    answer->what = service->sheet >= 0 ? 0 : errno;
    return service->sheet;
}

/* Draw the graph in the sheet, from a copy that the process cannot change after the check.
 * Returns the descriptor of a file with the picture, or -1, and sets ANSWER. */
static int service_draw(const struct service *service, struct file_message *answer)
{
    const char *why = "invalid graph";
    size_t length = 0;
    char *picture = NULL;
    char *graph = drawing_sheet_read(service->sheet, DRAWING_GRAPH_SIZE);
    int sheet = -1;

    if (graph != NULL && drawing_is_plain(graph))
        why = drawing_make(graph, &picture, &length);
    if (why == NULL) {
        sheet = drawing_sheet_make(length);
        if (sheet < 0 || new_file_write(sheet, picture, length) != 0)
            why = "cannot pass on the picture";
    }
    if (why != NULL && sheet >= 0) {
        close(sheet);
        sheet = -1;
    }
    answer->what = why != NULL ? ENOENT : 0;
    file_message_set(answer, why != NULL ? why : "");
    free(graph);
    free(picture);
    return sheet;
}

/* Answer QUESTION.  Returns false if nobody receives the answer. */
static bool answer_question(struct service *service, const struct file_message *question)
{
    enum file_question asked = (enum file_question)question->what;
    struct file_message answer = {.what = ENOSYS};
    bool is_sent;
    int descriptor = -1;

    switch (asked) {
    case file_question_core:
        descriptor = service_core_open(service, question->text, &answer);
        break;
    case file_question_file:
    case file_question_below:
        descriptor = service_file_open(service, asked, question->text, &answer);
        break;
    case file_question_executable:
    case file_question_debuginfo:
        descriptor = service_fetch(service, asked, question->text, &answer);
        break;
    case file_question_exists:
    case file_question_make:
    case file_question_name:
        descriptor = service_file_write(service, asked, question->text, &answer);
        return file_message_send(service->connection, &answer, descriptor);
    case file_question_sheet:
        descriptor = make_sheet(service, &answer);
        return file_message_send(service->connection, &answer, descriptor);
    case file_question_draw:
        descriptor = service_draw(service, &answer);
        break;
    case file_question_unconfined:
        service_warn(service, question->text);
        return true;
    }
    if (descriptor >= 0)
        raise_limit(service, asked == file_question_core ? &service->cores : &service->files,
                    descriptor);
    is_sent = file_message_send(service->connection, &answer, descriptor);
    if (descriptor >= 0)
        close(descriptor);
    return is_sent;
}

PUBLIC ompd_host_rc_t ompd_host_files_serve(int connection, const ompd_host_service_t *given)
{
    struct service service = {
        .given = given, .connection = connection, .made.descriptor = -1, .sheet = -1};
    struct file_message *question;

    if (given == NULL || given->struct_size < sizeof(*given)) {
        message_of_open("invalid options of the file service");
        return ompd_host_rc_bad_input;
    }
    question = malloc(sizeof(*question));
    if (question == NULL) {
        message_of_open("out of memory");
        return ompd_host_rc_nomem;
    }
    getrlimit(RLIMIT_AS, &service.limit);
    do
        await_question(&service);
    while (file_message_receive(connection, question, NULL) && answer_question(&service, question));
    new_file_close(&service.made);
    if (service.sheet >= 0)
        close(service.sheet);
    free(service.known);
    free(question);
    message_of_open("");
    return ompd_host_rc_ok;
}
