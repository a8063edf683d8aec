/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Display control variables (OpenMP 6.0 section 41.10). A tool releases them by their vector alone,
 * which may come from any address space. All vectors in use are therefore linked, and a vector is
 * searched for among them, never followed. */
#include "api/api.h"

#include <stdatomic.h>
#include <string.h>

#define VARIABLE_COUNT 6
#define VARIABLE_SIZE 64

/* The vector and the texts of one call, in one block. */
struct display {
    struct display *next;
    struct address_space *space;
    size_t count;
    const char *vector[VARIABLE_COUNT + 1];
    char texts[VARIABLE_COUNT][VARIABLE_SIZE];
};

/* Part of the list of live address spaces (law 8). Held while it is searched; no callback is called
 * meanwhile. */
static atomic_flag displays_lock = ATOMIC_FLAG_INIT;
static struct display *displays;

static void lock_displays(void)
{
    while (atomic_flag_test_and_set_explicit(&displays_lock, memory_order_acquire))
        continue;
}

static void unlock_displays(void)
{
    atomic_flag_clear_explicit(&displays_lock, memory_order_release);
}

static void link_display(struct display *display)
{
    lock_displays();
    display->next = displays;
    displays = display;
    unlock_displays();
}

/* Unlink a display of SPACE, or the one with VECTOR; NULL if there is none. */
static struct display *unlink_display(const struct address_space *space, const char *const *vector)
{
    struct display **link;
    struct display *found;

    lock_displays();
    for (link = &displays; *link != NULL; link = &(*link)->next) {
        if ((*link)->space == space || (*link)->vector == vector)
            break;
    }
    found = *link;
    if (found != NULL)
        *link = found->next;
    unlock_displays();
    return found;
}

static void add_variable(struct display *display, const struct message *line)
{
    char *text = display->texts[display->count];

    memcpy(text, line->text, line->length + 1);
    display->vector[display->count++] = text;
}

static void add_number_variable(struct display *display, const char *name, uint64_t number)
{
    struct message line;

    message_clear(&line);
    message_add(&line, name);
    message_add(&line, "=");
    message_add_decimal(&line, number);
    add_variable(display, &line);
}

static void add_version_variable(struct display *display, const struct registry *registry)
{
    struct message line;

    message_clear(&line);
    message_add(&line, "recorder-version=");
    message_add_decimal(&line, registry->major);
    message_add(&line, ".");
    message_add_decimal(&line, registry->minor);
    add_variable(display, &line);
}

/* The root's members that change while the process runs. */
struct loaders {
    uint64_t count;
    uint64_t refused;
};

static ompd_rc_t read_loaders(struct address_space *space, struct loaders *loaders)
{
    uint64_t root = space->recorder->registry.root;
    ompd_rc_t rc =
        UNCACHED_MEMBER(space, root, ompd_cl_registry_root, loader_count, &loaders->count);

    if (rc != ompd_rc_ok)
        return rc;
    return UNCACHED_MEMBER(space, root, ompd_cl_registry_root, counts.loaders_refused,
                           &loaders->refused);
}

/* Those that the user sets have the names of the environment. */
static void fill_display(struct display *display, const struct registry *registry,
                         const struct loaders *loaders)
{
    display->count = 0;
    add_number_variable(display, "OMPD_OPENCL_STACK_DEPTH", registry->stack_depth);
    add_number_variable(display, "OMPD_OPENCL_TRACK_COMPLETION",
                        (registry->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION) != 0);
    add_version_variable(display, registry);
    add_number_variable(display, "process", registry->pid);
    add_number_variable(display, "loaders", loaders->count);
    add_number_variable(display, "loaders-refused", loaders->refused);
    display->vector[display->count] = NULL;
}

static ompd_rc_t get_display(struct address_space *space, const char *const **control_vars)
{
    struct display *display;
    struct loaders loaders = {0};
    void *allocated;
    ompd_rc_t rc;

    if (control_vars == NULL)
        return address_space_refuse_null(space, "the vector");
    rc = uncached_open(space);
    if (rc == ompd_rc_ok)
        rc = read_loaders(space, &loaders);
    if (rc != ompd_rc_ok)
        return rc;
    rc = memory_allocate(space->target.memory, sizeof(*display), &allocated);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    display = allocated;
    display->space = space;
    fill_display(display, &space->recorder->registry, &loaders);
    link_display(display);
    *control_vars = display->vector;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *handle,
                                               const char *const **control_vars)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(resolved.space, get_display(resolved.space, control_vars));
}

PUBLIC ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)
{
    struct display *display;
    struct memory *memory;

    if (control_vars == NULL || *control_vars == NULL)
        return ompd_rc_bad_input;
    display = unlink_display(NULL, *control_vars);
    if (display == NULL)
        return ompd_rc_bad_input;
    memory = display->space->target.memory;
    if (!call_begin(&memory->call)) {
        link_display(display);
        return ompd_rc_busy;
    }
    memory_free(memory, display);
    call_end(&memory->call);
    return ompd_rc_ok;
}

void display_forget(struct address_space *space)
{
    while (unlink_display(space, NULL) != NULL)
        continue;
}
