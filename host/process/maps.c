/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/process/process.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool maps_line_read(char *line, struct maps_line *read)
{
    int at = 0;
    int count;

    *read = (struct maps_line){0};
    line[strcspn(line, "\n")] = '\0';
    count = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 " %n",
                   &read->start, &read->end, read->mode, &read->offset, &read->inode, &at);
    /* If a part is missing, %n is not reached and AT stays 0. */
    read->path = at != 0 ? line + at : line + strlen(line);
    return count >= 3;
}

/* Call TAKE for each line of MAPS, until it returns false.  Returns false then. */
static bool maps_lines_visit(FILE *maps, bool (*take)(void *context, char *line), void *context)
{
    bool is_done = true;
    char *line = NULL;
    size_t capacity = 0;

    while (is_done && getline(&line, &capacity, maps) >= 0)
        is_done = take(context, line);
    free(line);
    return is_done;
}

static ompd_host_rc_t open_maps(ompd_host_target_t *target, FILE **maps)
{
    char path[64];

    /* Use a live thread: the file of the process is empty after its first thread has ended. */
    snprintf(path, sizeof(path), "/proc/%d/task/%u/maps", (int)target->pid, target->threads[0].lwp);
    *maps = fopen(path, "re");
    if (*maps == NULL)
        return target_message_set(
            target, errno == EACCES ? ompd_host_rc_not_permitted : ompd_host_rc_not_found,
            "cannot read '%s': %s", path, strerror(errno));
    return ompd_host_rc_ok;
}

ompd_host_rc_t maps_no_memory(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_nomem, "out of memory");
}

ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context)
{
    FILE *maps;
    ompd_host_rc_t rc = open_maps(target, &maps);
    bool is_done;

    if (rc != ompd_host_rc_ok)
        return rc;
    is_done = maps_lines_visit(maps, take, context);
    fclose(maps);
    return is_done ? ompd_host_rc_ok : maps_no_memory(target);
}

/* Add the region of LINE to a list. */
static bool add_region(void *context, char *line)
{
    struct maps_line read;
    struct region region;

    if (!maps_line_read(line, &read))
        return true;
    region = (struct region){
        .start = read.start,
        .end = read.end,
        .has_permissions = true,
        .is_readable = read.mode[0] == 'r',
        .is_writable = read.mode[1] == 'w',
        .is_executable = read.mode[2] == 'x',
        .is_private = read.mode[3] == 'p' && read.inode == 0,
    };
    return region_add(context, &region);
}

bool maps_regions_read(FILE *maps, struct region_list *list)
{
    if (!maps_lines_visit(maps, add_region, list))
        return false;
    region_sort(list);
    return true;
}

ompd_host_rc_t maps_regions_list(ompd_host_target_t *target, struct region_list *list)
{
    FILE *maps;
    ompd_host_rc_t rc = open_maps(target, &maps);
    bool is_done;

    if (rc != ompd_host_rc_ok)
        return rc;
    is_done = maps_regions_read(maps, list);
    fclose(maps);
    return is_done ? ompd_host_rc_ok : maps_no_memory(target);
}
