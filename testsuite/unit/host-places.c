/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host-places.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host-subject.h"

static char folder[64];

static const char *build_folder(void)
{
    const char *build = getenv("TOP_BUILDDIR");

    return build != NULL ? build : ".";
}

void places_folder_create(void)
{
    strcpy(folder, "/tmp/host-places-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    subject_command("cp %s/testsuite/unit/host-places-program %s/program", build_folder(), folder);
    subject_command("cp %s/testsuite/unit/.libs/" PLACES_LIBRARY " %s", build_folder(), folder);
}

void places_folder_remove(void)
{
    subject_command("rm -rf %s", folder);
}

const char *places_folder(void)
{
    return folder;
}

struct places places_start(void)
{
    struct places places = {0};
    char command[256];
    char line[64];

    snprintf(command, sizeof(command), "exec %s/program %s/" PLACES_LIBRARY, folder, folder);
    places.output = popen(command, "r");
    ck_assert_ptr_nonnull(places.output);
    do {
        unsigned long long value;
        char *name = places.names[places.count];

        ck_assert_uint_lt(places.count, PLACES_NAMES);
        ck_assert_ptr_nonnull(fgets(line, sizeof(line), places.output));
        ck_assert_int_eq(sscanf(line, "%31s %llu", name, &value), 2);
        places.values[places.count++] = value;
    } while (strncmp(line, "ready", 5) != 0);
    return places;
}

void places_end(struct places *places)
{
    kill((pid_t)places_value(places, "pid"), SIGKILL);
    pclose(places->output);
}

uint64_t places_value(const struct places *places, const char *name)
{
    for (size_t i = 0; i < places->count; i++) {
        if (strcmp(places->names[i], name) == 0)
            return places->values[i];
    }
    ck_abort_msg("the program says nothing of %s", name);
    return 0;
}

void places_core(const struct places *places)
{
    const char *gdb = getenv("GDB");

    subject_command(
        "%s -batch -nx -readnever -iex 'set debuginfod enabled off' -p %d -ex 'gcore %s/core' "
        ">/dev/null 2>&1",
        gdb != NULL ? gdb : "gdb", (int)places_value(places, "pid"), folder);
}

void places_expect_build_id(const uint8_t *build_id, size_t size, const char *path)
{
    char command[512];
    char wanted[160] = "";
    char found[160] = "";
    FILE *output;

    snprintf(command, sizeof(command), "readelf -n %s | sed -n 's/.*Build ID: //p'", path);
    output = popen(command, "r");
    ck_assert_ptr_nonnull(output);
    ck_assert_msg(fgets(wanted, sizeof(wanted), output) != NULL, "%s", command);
    pclose(output);
    wanted[strcspn(wanted, "\n")] = '\0';
    ck_assert_uint_lt(2 * size, sizeof(found));
    for (size_t i = 0; i < size; i++)
        snprintf(found + 2 * i, 3, "%02x", build_id[i]);
    ck_assert_str_eq(found, wanted);
}

ompd_host_target_t *places_open(const struct places *places, const ompd_host_options_t *options)
{
    ompd_host_target_t *target = NULL;
    ompd_host_rc_t rc =
        ompd_host_process_open((pid_t)places_value(places, "pid"), options, &target);

    ck_assert_msg(rc == ompd_host_rc_ok, "%s", ompd_host_message_get(NULL));
    return target;
}

ompd_host_target_t *places_open_core(const ompd_host_options_t *options)
{
    ompd_host_target_t *target = NULL;
    char path[128];

    snprintf(path, sizeof(path), "%s/core", folder);
    ck_assert_msg(ompd_host_core_open(path, options, &target) == ompd_host_rc_ok, "%s",
                  ompd_host_message_get(NULL));
    return target;
}
