/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include <host/files/files.h>

#include <errno.h>
#include <fcntl.h>
#include <host/base/bound.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Room for "/proc/self/fd/" and a number. */
#define LINK_SIZE 40

/* O_PATH does not really open the file: the writer of a pipe stays blocked, and no device
 * starts. */
#define ONLY_FOUND (O_PATH | O_CLOEXEC)

static void link_of(int descriptor, char *link)
{
    snprintf(link, LINK_SIZE, "/proc/self/fd/%d", descriptor);
}

/* The path of the file at DESCRIPTOR, owned by the caller (free); NULL: unknown. */
static char *path_of(int descriptor)
{
    char link[LINK_SIZE];
    char path[PATH_MAX];
    ssize_t length;

    link_of(descriptor, link);
    length = readlink(link, path, sizeof(path));
    return length <= 0 || length == sizeof(path) ? NULL : strndup(path, (size_t)length);
}

/* Whether PATH is below a file system that the kernel generates. */
static bool path_is_of_kernel(const char *path)
{
    static const char *const folders[] = {"/proc/", "/sys/", "/dev/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

/* The same wherever such a file system is mounted. */
static bool is_of_kernels_system(int descriptor)
{
    struct statfs system;

    return fstatfs(descriptor, &system) != 0 || system.f_type == PROC_SUPER_MAGIC ||
           system.f_type == SYSFS_MAGIC || system.f_type == DEVPTS_SUPER_MAGIC ||
           system.f_type == DEBUGFS_MAGIC || system.f_type == TRACEFS_MAGIC;
}

/* libelf allocates so many times the size of a file that consists of section headers. */
#define LIBELF_FACTOR 4

/* Whether most of the file at DESCRIPTOR is a hole: a reader would pay for its full size. */
static bool is_hollow(int descriptor, const struct stat *status)
{
    off_t hole;

    /* Some file systems do not count blocks; those have no holes. */
    if ((uint64_t)status->st_size <= bound_bytes((uint64_t)status->st_blocks * 512) / LIBELF_FACTOR)
        return false;
    hole = lseek(descriptor, 0, SEEK_HOLE);
    lseek(descriptor, 0, SEEK_SET);
    return hole >= 0 && hole < status->st_size;
}

/* Open the file at FOUND for reading, and close FOUND. */
static int open_found(int found)
{
    struct stat status;
    char link[LINK_SIZE];
    char *path = found >= 0 ? path_of(found) : NULL;
    int descriptor = -1;

    if (path != NULL && fstat(found, &status) == 0 && S_ISREG(status.st_mode) &&
        !path_is_of_kernel(path) && !is_of_kernels_system(found)) {
        link_of(found, link);
        descriptor = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (descriptor >= 0 && is_hollow(descriptor, &status)) {
            close(descriptor);
            descriptor = -1;
        }
    }
    free(path);
    if (found >= 0)
        close(found);
    return descriptor;
}

int file_open(const char *path)
{
    return file_client_is_on() ? file_client_open(file_question_file, path, NULL)
                               : open_found(open(path, ONLY_FOUND));
}

bool file_is_below(int descriptor, const char *root)
{
    char *path = path_of(descriptor);
    char *folder = realpath(root, NULL);
    size_t length = folder != NULL ? strlen(folder) : 0;
    bool is_below = path != NULL && folder != NULL && strncmp(path, folder, length) == 0 &&
                    (length == 1 || path[length] == '/');

    free(path);
    free(folder);
    return is_below;
}

/* For Linux before 5.6, or a filter of system calls without openat2. */
static int find_below(const char *root, const char *path)
{
    char *joined;
    int found;

    if (asprintf(&joined, "%s/%s", root, path) < 0)
        return -1;
    found = open(joined, ONLY_FOUND);
    free(joined);
    if (found >= 0 && !file_is_below(found, root)) {
        close(found);
        return -1;
    }
    return found;
}

/* Open PATH in the system whose ROOT is open at FOLDER. */
static int find_in_root(int folder, const char *root, const char *path)
{
    struct open_how how = {.flags = ONLY_FOUND, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    int found = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));

    if (found < 0 && (errno == ENOSYS || errno == EPERM))
        found = find_below(root, path);
    return found;
}

/* PATH with /lib and the like replaced by the folders in /usr; NULL: not in one of them.  Owned
 * by the caller (free). */
static char *merged_path(const char *path)
{
    static const char *const folders[] = {"/bin/", "/lib/", "/lib32/", "/lib64/", "/sbin/"};
    bool is_of_usr = strncmp(path, "/usr/", 5) == 0;
    const char *rest = is_of_usr ? path + 4 : path;
    char *other;

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (strncmp(rest, folders[i], strlen(folders[i])) == 0)
            return asprintf(&other, "%s%s", is_of_usr ? "" : "/usr", rest) < 0 ? NULL : other;
    }
    return NULL;
}

int file_open_below(const char *root, const char *path, char **found_path)
{
    char *other;
    int folder;
    int found;

    if (file_client_is_on())
        return file_client_open(file_question_below, path, found_path);
    folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    found = find_in_root(folder, root, path);
    other = found < 0 ? merged_path(path) : NULL;
    if (other != NULL)
        found = find_in_root(folder, root, other);
    free(other);
    close(folder);
    found = open_found(found);
    if (found >= 0)
        *found_path = path_of(found);
    return found;
}

int file_open_within(const char *root, const char *path)
{
    int descriptor = file_open(path);

    /* The serving process of a confined one has checked already. */
    if (descriptor < 0 || root == NULL || file_client_is_on() || file_is_below(descriptor, root))
        return descriptor;
    close(descriptor);
    return -1;
}
