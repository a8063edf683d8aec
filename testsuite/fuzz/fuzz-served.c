/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A confined process, taken over by a core, sends any request to the process that serves it. The
 * input is a byte with what is allowed, and lines, each a request: a byte for its kind, and a text,
 * in which '~' stands for a folder. Only allowed files are handed over. A file for a graph receives
 * the text, with newlines for '^'. */
#include "fuzz.h"
#include "process-cost.h"
#include "small-core.h"

#include <host/files/files.h>
#include <ompd-opencl-host.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_QUESTIONS 16
#define PRESENT 65536 /* bytes of all files of the folder, and more */

enum { has_sysroot = 1, has_executable = 2, opens_no_files = 4 };

static char folder[64];
static char paths[4][128]; /* of the core, of a file to write, of the root, of the program */

/* ---- The folder ------------------------------------------------------------------------------ */

static void remove_folder(void)
{
    char command[96];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    if (system(command) != 0)
        perror(folder);
}

/* Write the SIZE BYTES to the file NAME of the folder. */
static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[128];
    int fd;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "%s is not written", path);
    close(fd);
}

static void make_link(const char *name, const char *to)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fuzz_require(symlink(to, path) == 0, "%s is not made", path);
}

static void make_folder(const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fuzz_require(mkdir(path, 0700) == 0, "%s is not made", path);
}

/* A system root with a library and links out of it, beside forbidden files. */
static void fill_folder(void)
{
    static const char *const folders[] = {"root", "root/usr", "root/usr/lib", "root/usr/bin"};
    static uint8_t module[SMALL_CORE_PAGE];
    char fifo[128];

    /* Nothing below /dev may be opened. */
    strcpy(folder, "/tmp/ompd-opencl-fuzz-XXXXXX");
    fuzz_require(mkdtemp(folder) != NULL, "no folder can be made");
    atexit(remove_folder);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        make_folder(folders[i]);
    small_core_put_module(&(struct small_core_subject){.small = NULL}, module);
    write_file("core", module, sizeof(module));
    write_file("secret", module, sizeof(module));
    write_file("root/usr/lib/libmadeup.so.1", module, sizeof(module));
    write_file("root/usr/bin/app", module, sizeof(module));
    write_file("root/usr/bin/app.debug", module, sizeof(module));
    write_file("root/usr/lib/text", "no ELF", 6);
    make_link("root/usr/lib/libmadeup.so", "/usr/lib/libmadeup.so.1");
    make_link("root/usr/lib/out", "../../../secret");
    make_link("root/usr/lib/loop", "loop");
    make_link("root/up", "..");
    snprintf(fifo, sizeof(fifo), "%s/root/usr/lib/fifo", folder);
    fuzz_require(mkfifo(fifo, 0600) == 0, "%s is not made", fifo);
    snprintf(paths[0], sizeof(paths[0]), "%s/core", folder);
    snprintf(paths[1], sizeof(paths[1]), "%s/new", folder);
    snprintf(paths[2], sizeof(paths[2]), "%s/root", folder);
    snprintf(paths[3], sizeof(paths[3]), "%s/root/usr/bin/app", folder);
}

/* The written file is deleted, and nothing else was written. */
static void check_folder(void)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    unlink(paths[1]);
    fuzz_require(entries != NULL, "the folder is gone");
    while ((entry = readdir(entries)) != NULL)
        fuzz_require(entry->d_name[0] == '.' || strcmp(entry->d_name, "root") == 0 ||
                         strcmp(entry->d_name, "core") == 0 || strcmp(entry->d_name, "secret") == 0,
                     "a file %s was written", entry->d_name);
    closedir(entries);
}

/* ---- Questions and answers ------------------------------------------------------------------- */

/* Put TEXT of LENGTH bytes into MESSAGE, with the folder for '~'. */
static void set_text(struct file_message *message, const char *text, size_t length)
{
    size_t size = 0;

    for (size_t i = 0; i < length && size + sizeof(folder) < sizeof(message->text); i++) {
        if (text[i] != '~') {
            message->text[size++] = text[i];
            continue;
        }
        memcpy(message->text + size, folder, strlen(folder));
        size += strlen(folder);
    }
    message->text[size] = '\0';
}

/* Check that HEAD allows handing over the file at DESCRIPTOR. */
static void check_file(int descriptor, uint8_t head)
{
    char link[40];
    char path[256];
    struct stat status;
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof(path) - 1);
    fuzz_require(length > 0 && fstat(descriptor, &status) == 0, "a descriptor of nothing");
    path[length] = '\0';
    fuzz_require(S_ISREG(status.st_mode), "%s is no regular file", path);
    /* Others are new ones, which have no names yet. */
    fuzz_require(strncmp(path, folder, strlen(folder)) == 0 || (head & has_sysroot) == 0 ||
                     strstr(path, "(deleted)") != NULL,
                 "%s is not below the system root", path);
    fuzz_require(strstr(path, "/secret") == NULL || (head & has_sysroot) == 0, "%s is handed over",
                 path);
    if ((head & opens_no_files) != 0)
        fuzz_require(strstr(path, "libmadeup") == NULL, "%s is handed over", path);
}

/* Write TEXT as a graph into the file DESCRIPTOR. */
static void write_graph(int descriptor, const char *text)
{
    for (; *text != '\0'; text++)
        if (write(descriptor, *text == '^' ? "\n" : text, 1) != 1)
            return;
}

/* Check the answer to QUESTION, with the text TEXT, when HEAD says what is allowed. Returns false
 * if no answer will come. */
static bool take_answer(int connection, int32_t question, const char *text, uint8_t head)
{
    static struct file_message answer;
    int descriptor;

    if (!file_message_receive(connection, &answer, &descriptor))
        return false;
    fuzz_require(memchr(answer.text, '\0', sizeof(answer.text)) != NULL, "no end of a text");
    if (descriptor < 0)
        return true;
    check_file(descriptor, head);
    if (question == file_question_sheet)
        write_graph(descriptor, text);
    close(descriptor);
    return true;
}

/* Send the request in LINE, of LENGTH bytes. Returns false if there are no more answers. */
static bool ask(int connection, const char *line, size_t length, uint8_t head)
{
    static struct file_message message;

    if (length == 0)
        return true;
    if ((line[0] & 0x80) != 0) /* no message at all */
        return send(connection, line, length, MSG_NOSIGNAL) >= 0 &&
               take_answer(connection, 0, "", head);
    memset(&message, 0, sizeof(message));
    message.what = line[0] & 0x1f;
    set_text(&message, line + 1, length - 1);
    return file_message_send(connection, &message, -1) &&
           (message.what == file_question_unconfined ||
            take_answer(connection, message.what, message.text, head));
}

/* Send the requests in the SIZE bytes of DATA. */
static void ask_all(int connection, const char *data, size_t size, uint8_t head)
{
    const char *end = data + size;
    unsigned count = 0;

    for (size_t length; data < end && count < MOST_QUESTIONS; data += length + 1, count++) {
        const char *stop = memchr(data, '\n', (size_t)(end - data));

        length = (size_t)((stop == NULL ? end : stop) - data);
        if (!ask(connection, data, length, head))
            return;
    }
}

/* ---- The process that serves ----------------------------------------------------------------- */

struct serving {
    int connection;
    ompd_host_service_t service;
};

static void *serve(void *argument)
{
    struct serving *serving = argument;

    fuzz_require(ompd_host_files_serve(serving->connection, &serving->service) == ompd_host_rc_ok,
                 "not served");
    close(serving->connection);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const names[] = {paths[0], paths[1]};
    struct serving serving = {
        .service = {.struct_size = sizeof(serving.service), .names = names, .name_count = 2}};
    struct process_cost before;
    pthread_t thread;
    int ends[2];

    if (size == 0)
        return 0;
    if (folder[0] == '\0')
        fill_folder();
    serving.service.options = (ompd_host_options_t){
        .struct_size = sizeof(serving.service.options),
        .sysroot = (data[0] & has_sysroot) != 0 ? paths[2] : NULL,
        .executable = (data[0] & has_executable) != 0 ? paths[3] : NULL,
        .opens_no_files = (data[0] & opens_no_files) != 0,
    };
    process_cost_begin(&before);
    fuzz_require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "no sockets");
    serving.connection = ends[1];
    fuzz_require(pthread_create(&thread, NULL, serve, &serving) == 0, "no thread");
    ask_all(ends[0], (const char *)data + 1, size - 1, data[0]);
    close(ends[0]);
    pthread_join(thread, NULL);
    process_cost_check(&before, PRESENT);
    check_folder();
    return 0;
}
