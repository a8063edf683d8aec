/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts of this machine: the user's, the site's and the installed ones. */
#include <config.h>

#include <host/files/files.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAYOUTS_LIMIT 1024                /* maximum number of files */
#define LAYOUT_READ_LIMIT (64 * 1024 + 1) /* bytes: one more than a layout may have */
#define LAYOUT_SUFFIX ".layout"
#define FOLDER_NAME "ompd-opencl/layouts"
#define SITE_FOLDER "/etc/" FOLDER_NAME /* an administrator's, for all users; never written */

struct ompd_host_layouts_t {
    ompd_host_layout_t *all; /* by folder, then by name; texts are owned */
    size_t count;
    char *user_folder;                  /* NULL: unknown */
    ompd_address_space_handle_t *space; /* checks layouts while they are read */
};

/* The folder of the user's layouts, owned by the caller; NULL: no variable names it. */
static char *find_user_folder(void)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    char *folder = NULL;

    if (data != NULL && data[0] == '/') {
        if (asprintf(&folder, "%s/%s", data, FOLDER_NAME) < 0)
            return NULL;
    } else if (home != NULL && home[0] == '/' &&
               asprintf(&folder, "%s/.local/share/%s", home, FOLDER_NAME) < 0) {
        return NULL;
    }
    return folder;
}

/* The folder of the installed layouts, owned by the caller.  In a build folder, it is beside the
 * library.  NULL: out of memory. */
static char *find_installed_folder(void)
{
    static const char own;
    char *folder = NULL;
    const char *slash;
    Dl_info library;

    if (dladdr(&own, &library) != 0 && (slash = strrchr(library.dli_fname, '/')) != NULL) {
        if (asprintf(&folder, "%.*s/layouts", (int)(slash - library.dli_fname), library.dli_fname) <
            0)
            return NULL;
        if (access(folder, X_OK) == 0)
            return folder;
        free(folder);
    }
    return strdup(HOST_LAYOUTS);
}

/* Open the file PATH; NULL, with errno, on failure.  Pipes and devices are not opened, as that
 * might block or start them. */
static FILE *layout_file_open(const char *path)
{
    int found = open(path, O_PATH | O_CLOEXEC);
    struct stat status;
    FILE *file = NULL;
    char link[40];
    int error;

    if (found < 0)
        return NULL;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
    if (fstat(found, &status) != 0)
        error = errno;
    else if (!S_ISREG(status.st_mode))
        error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    else
        error = (file = fopen(link, "re")) != NULL ? 0 : errno;
    close(found);
    errno = error;
    return file;
}

/* Read the file PATH, at most LAYOUT_READ_LIMIT bytes; NULL, with errno, on failure. */
static char *layout_file_read(const char *path, size_t *size)
{
    FILE *file = layout_file_open(path);
    char *text;

    if (file == NULL)
        return NULL;
    text = malloc(LAYOUT_READ_LIMIT);
    if (text != NULL)
        *size = fread(text, 1, LAYOUT_READ_LIMIT, file);
    if (text != NULL && ferror(file) != 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* Set the fault of a file that was read, or could not be read because of ERROR. */
static ompd_host_rc_t find_fault(ompd_host_layouts_t *layouts, ompd_host_layout_t *layout,
                                 int error)
{
    char *fault = NULL;
    ompd_host_rc_t rc = ompd_host_rc_ok;

    if (layout->text != NULL)
        rc = layout_check(layouts->space, layout->text, layout->size, &fault);
    else if (asprintf(&fault, "cannot read the file: %s",
                      error == EINVAL ? "not a regular file" : strerror(error)) < 0)
        rc = ompd_host_rc_nomem;
    if (rc == ompd_host_rc_ok)
        layout->fault = fault;
    return rc;
}

static ompd_host_rc_t layout_file_add(ompd_host_layouts_t *layouts, const char *folder,
                                      const char *name)
{
    ompd_host_layout_t *all = array_grow(layouts->all, layouts->count, sizeof(*all));
    ompd_host_layout_t *layout;
    char *path;

    if (all == NULL)
        return ompd_host_rc_nomem;
    layouts->all = all;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ompd_host_rc_nomem;
    layout = &all[layouts->count++];
    *layout = (ompd_host_layout_t){.path = path};
    layout->text = layout_file_read(path, &layout->size);
    return find_fault(layouts, layout, errno);
}

static int is_layout(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    size_t suffix = strlen(LAYOUT_SUFFIX);

    return length > suffix && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - suffix, LAYOUT_SUFFIX) == 0;
}

/* Add the files of FOLDER, which may not exist. */
static ompd_host_rc_t add_folder(ompd_host_layouts_t *layouts, const char *folder)
{
    struct dirent **entries = NULL;
    int count = folder[0] != '\0' ? scandir(folder, &entries, is_layout, alphasort) : -1;
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (int i = 0; i < count; i++) {
        if (rc == ompd_host_rc_ok && layouts->count < LAYOUTS_LIMIT)
            rc = layout_file_add(layouts, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

/* Add the files of the colon-separated folders of PATH. */
static ompd_host_rc_t add_path(ompd_host_layouts_t *layouts, const char *path)
{
    char *folders = strdup(path);
    ompd_host_rc_t rc = ompd_host_rc_ok;
    char *rest = folders;
    char *folder;

    if (folders == NULL)
        return ompd_host_rc_nomem;
    while (rc == ompd_host_rc_ok && (folder = strsep(&rest, ":")) != NULL)
        rc = add_folder(layouts, folder);
    free(folders);
    return rc;
}

static ompd_host_rc_t add_all(ompd_host_layouts_t *layouts)
{
    const char *path = getenv("OMPD_OPENCL_LAYOUT_PATH");
    ompd_host_rc_t rc = ompd_host_rc_ok;
    char *installed;

    layouts->space = layout_check_begin();
    if (layouts->space == NULL)
        return ompd_host_rc_nomem;
    layouts->user_folder = find_user_folder();
    if (path != NULL)
        return add_path(layouts, path);
    installed = find_installed_folder();
    if (installed == NULL)
        return ompd_host_rc_nomem;
    if (layouts->user_folder != NULL)
        rc = add_folder(layouts, layouts->user_folder);
    if (rc == ompd_host_rc_ok)
        rc = add_folder(layouts, SITE_FOLDER);
    if (rc == ompd_host_rc_ok)
        rc = add_folder(layouts, installed);
    free(installed);
    return rc;
}

/* The layouts that were read before the process was confined. */
static ompd_host_layouts_t *kept;

bool layouts_preload(void)
{
    return kept != NULL || ompd_host_layouts_open(&kept) == ompd_host_rc_ok;
}

PUBLIC ompd_host_rc_t ompd_host_layouts_open(ompd_host_layouts_t **layouts)
{
    ompd_host_layouts_t *made;
    ompd_host_rc_t rc;

    if (layouts == NULL) {
        message_of_open("the layouts pointer is NULL");
        return ompd_host_rc_bad_input;
    }
    if (file_client_is_on() && kept != NULL) {
        message_of_open("");
        *layouts = kept;
        return ompd_host_rc_ok;
    }
    made = calloc(1, sizeof(*made));
    rc = made != NULL ? add_all(made) : ompd_host_rc_nomem;
    if (made != NULL && made->space != NULL)
        ompd_rel_address_space_handle(made->space);
    if (rc != ompd_host_rc_ok) {
        message_of_open("out of memory");
        ompd_host_layouts_close(made);
        return rc;
    }
    message_of_open("");
    *layouts = made;
    return ompd_host_rc_ok;
}

PUBLIC void ompd_host_layouts_close(ompd_host_layouts_t *layouts)
{
    if (layouts == NULL || layouts == kept)
        return;
    for (size_t i = 0; i < layouts->count; i++) {
        free((char *)layouts->all[i].path);
        free((char *)layouts->all[i].text);
        free((char *)layouts->all[i].fault);
    }
    free(layouts->all);
    free(layouts->user_folder);
    free(layouts);
}

PUBLIC ompd_host_rc_t ompd_host_layout_get(const ompd_host_layouts_t *layouts, size_t index,
                                           ompd_host_layout_t *layout)
{
    if (layouts == NULL || layout == NULL)
        return ompd_host_rc_bad_input;
    if (index >= layouts->count)
        return ompd_host_rc_not_found;
    *layout = layouts->all[index];
    return ompd_host_rc_ok;
}

PUBLIC const char *ompd_host_layouts_folder_get(const ompd_host_layouts_t *layouts)
{
    return layouts != NULL ? layouts->user_folder : NULL;
}

PUBLIC ompd_rc_t ompd_host_layouts_add(ompd_address_space_handle_t *space)
{
    ompd_host_layouts_t *layouts;
    ompd_rc_t rc = ompd_rc_ok;

    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok)
        return ompd_rc_nomem;
    /* Of two layouts for one build, the library uses the one added last. */
    for (size_t i = layouts->count; i-- > 0 && rc == ompd_rc_ok;) {
        const ompd_host_layout_t *layout = &layouts->all[i];

        if (layout->fault == NULL)
            rc = ompd_cl_layout_add(space, layout->text, layout->size);
    }
    ompd_host_layouts_close(layouts);
    return rc;
}
