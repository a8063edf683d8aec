/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * debuginfod's client library is loaded on demand, as libdw loads it, because it brings a complete
 * network client with it.  It is called here and not by libdw, so that a confined process without
 * network can ask another one, which reads no core, to call it.
 */
#include <config.h>

#include <host/files/files.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENT "libdebuginfod.so.1"
#define BUILD_ID_AT_MOST 64 /* bytes */

/* From <elfutils/debuginfod.h>, which may not be installed. */
typedef struct debuginfod_client client_t;
typedef client_t *(*begin_fn_t)(void);
typedef int (*find_fn_t)(client_t *client, const unsigned char *build_id, int size, char **path);
typedef void (*end_fn_t)(client_t *client);

int debuginfod_open_digits(const char *digits, bool is_debuginfo, char **found)
{
    void *library = dlopen(CLIENT, RTLD_LAZY);
    const char *name = is_debuginfo ? "debuginfod_find_debuginfo" : "debuginfod_find_executable";
    begin_fn_t begin = library != NULL ? (begin_fn_t)dlsym(library, "debuginfod_begin") : NULL;
    find_fn_t find = library != NULL ? (find_fn_t)dlsym(library, name) : NULL;
    end_fn_t end = library != NULL ? (end_fn_t)dlsym(library, "debuginfod_end") : NULL;
    client_t *client = begin != NULL && find != NULL && end != NULL ? begin() : NULL;
    int descriptor = -1;

    /* A size of 0 means that the build-id is a text.  The library stays loaded, as it has
     * threads. */
    if (client != NULL) {
        descriptor = find(client, (const unsigned char *)digits, 0, found);
        end(client);
    }
    return descriptor >= 0 ? descriptor : -1;
}

int debuginfod_open(const unsigned char *bytes, size_t size, bool is_debuginfo, char **found)
{
    char digits[2 * BUILD_ID_AT_MOST + 1];

    if (size == 0 || size > BUILD_ID_AT_MOST)
        return -1;
    for (size_t i = 0; i < size; i++)
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    if (file_client_is_on())
        return file_client_open(is_debuginfo ? file_question_debuginfo : file_question_executable,
                                digits, found);
    return debuginfod_open_digits(digits, is_debuginfo, found);
}
