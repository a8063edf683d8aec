/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core's file: open, decompress and map it. */
#include <host/core/core.h>

#include <errno.h>
#include <fcntl.h>
#include <host/files/files.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static ompd_host_rc_t cannot_open(ompd_host_target_t *target, int error)
{
    ompd_host_rc_t rc = ompd_host_rc_error;

    if (error == ENOENT || error == ENOTDIR)
        rc = ompd_host_rc_not_found;
    else if (error == EACCES || error == EPERM)
        rc = ompd_host_rc_not_permitted;
    return target_message_set(target, rc, "cannot open core '%s': %s", target->path,
                              strerror(error));
}

static ompd_host_rc_t core_descriptor_open(ompd_host_target_t *target)
{
    struct stat status;

    /* Do not wait for a pipe of this name. */
    target->core.descriptor = open(target->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (target->core.descriptor < 0 || fstat(target->core.descriptor, &status) != 0)
        return cannot_open(target, errno);
    if (!S_ISREG(status.st_mode))
        return target_message_set(target, ompd_host_rc_not_readable, "'%s' is not a file",
                                  target->path);
    target->core.time = status.st_mtime;
    return ompd_host_rc_ok;
}

ompd_host_rc_t core_file_open(ompd_host_target_t *target)
{
    ompd_host_rc_t rc;

    if (file_client_is_on())
        return file_client_core_open(target);
    rc = core_descriptor_open(target);
    if (rc == ompd_host_rc_ok)
        rc = core_report_unpack(target);
    return rc == ompd_host_rc_ok ? core_unpack(target) : rc;
}

ompd_host_rc_t core_file_map(ompd_host_target_t *target)
{
    struct core *core = &target->core;
    struct stat status;
    void *bytes;

    if (fstat(core->descriptor, &status) != 0)
        return cannot_open(target, errno);
    if (status.st_size == 0)
        return target_message_set(target, ompd_host_rc_not_readable, "'%s' is empty", target->path);
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, core->descriptor, 0);
    if (bytes == MAP_FAILED)
        return target_message_set(target, ompd_host_rc_nomem, "cannot map core '%s': %s",
                                  target->path, strerror(errno));
    core->bytes = bytes;
    core->size = (size_t)status.st_size;
    core->present = (uint64_t)status.st_blocks * 512; /* stat(2): units of 512 bytes */
    if (core->present > core->size)
        core->present = core->size;
    return ompd_host_rc_ok;
}
