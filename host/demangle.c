/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names of C++, by its runtime library (Itanium C++ ABI, 3.4).  That is only there where programs
 * of C++ are, so it is not linked with: where it is not, names stay as they are.
 */
#include <host/demangle.h>

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static char *(*demangle_name)(const char *name, char *buffer, size_t *size, int *status);

static void find_demangler(void)
{
    /* Kept: names may be asked for as long as the tool runs. */
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *function = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;

    memcpy(&demangle_name, &function, sizeof(function));
}

char *demangle(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *copy = NULL;
    int status;

    if (strncmp(name, "_Z", 2) == 0) {
        pthread_once(&once, find_demangler);
        if (demangle_name != NULL)
            copy = demangle_name(name, NULL, NULL, &status);
    }
    return copy != NULL ? copy : strdup(name);
}
