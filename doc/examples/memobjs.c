/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A debugger in one file.  It runs PROGRAM.  Each time that a signal such as SIGSTOP stops PROGRAM,
 * it prints the memory objects, each with its destructor callbacks in call order.
 *
 *     cc memobjs.c $(pkg-config --cflags --libs ompd-opencl libdw) -o memobjs
 *     OPENCL_LAYERS=libompd-opencl-recorder.so ./memobjs PROGRAM [ARGUMENT...]
 */
#include <ompd-opencl.h>

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The tool context: a type of the tool's own.  The library never reads it. */
struct _ompd_aspace_cont {
    int memory;         /* /proc/PID/mem */
    Dwfl *dwfl;         /* the program's modules */
    const char *wanted; /* the symbol to look up, and */
    GElf_Addr found;    /* its address; 0: not found */
};

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    *block = malloc(size);
    return *block != NULL ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *block)
{
    free(block);
    return ompd_rc_ok;
}

/* This debugger supports only programs of its own word size and byte order. */
static ompd_rc_t sizeof_type(ompd_address_space_context_t *host, ompd_device_type_sizes_t *sizes)
{
    (void)host;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, sizeof(long), 8, sizeof(void *)};
    return ompd_rc_ok;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *host, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    (void)host;
    memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

/* Read all bytes or fail: the library asks again for fewer where that makes sense. */
static ompd_rc_t read_memory(ompd_address_space_context_t *host, ompd_thread_context_t *thread,
                             const ompd_address_t *at, ompd_size_t size, void *buffer)
{
    (void)thread;
    return pread(host->memory, buffer, size, (off_t)at->address) == (ssize_t)size ? ompd_rc_ok
                                                                                  : ompd_rc_error;
}

static int module_search(Dwfl_Module *module, void **data, const char *path, Dwarf_Addr start,
                         void *argument)
{
    ompd_address_space_context_t *host = argument;
    (void)data, (void)path, (void)start;
    for (int i = dwfl_module_getsymtab(module) - 1; i > 0 && host->found == 0; i--) {
        GElf_Sym symbol;
        const char *name = dwfl_module_getsym(module, i, &symbol, NULL);
        if (name != NULL && symbol.st_shndx != SHN_UNDEF && strcmp(name, host->wanted) == 0)
            host->found = symbol.st_value;
    }
    return host->found == 0 ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static ompd_rc_t symbol_find(ompd_address_space_context_t *host, ompd_thread_context_t *thread,
                             const char *name, ompd_address_t *address, const char *file)
{
    (void)thread, (void)file;
    host->wanted = name, host->found = 0;
    dwfl_getmodules(host->dwfl, module_search, host, 0);
    *address = (ompd_address_t){ompd_segment_none, host->found};
    return host->found != 0 ? ompd_rc_ok : ompd_rc_error;
}

/* Tell whether RC is an answer, complete or not, and print the message unless it is complete. */
static bool is_answer(ompd_address_space_handle_t *space, ompd_rc_t rc)
{
    const char *message = "";

    if (rc != ompd_rc_ok && ompd_cl_message_get(space, &message) == ompd_rc_ok)
        fprintf(stderr, "memobjs: %s\n", message);
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}

static void print_code(Dwfl *dwfl, GElf_Addr at)
{
    Dwfl_Module *in = dwfl_addrmodule(dwfl, at);
    const char *name = dwfl_module_addrname(in, at);
    int line;
    const char *file = dwfl_lineinfo(dwfl_module_getsrc(in, at), NULL, &line, NULL, NULL, NULL);
    printf("%s", name != NULL ? name : "?");
    if (file != NULL)
        printf(" at %s:%d", file, line);
}

/* Print a row by the library's field table, without knowledge of its members. */
static void print_row(Dwfl *dwfl, const char *before, ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const ompd_cl_value_t *value = (const void *)((const char *)row + field->offset);

        if (!field->in_table || value->status == ompd_cl_status_not_applicable)
            continue;
        printf("%s%s: ", before, field->title);
        before = ", ";
        if (value->status != ompd_cl_status_value && value->status != ompd_cl_status_presumed)
            printf("not known");
        else if (field->type == ompd_cl_type_function || field->type == ompd_cl_type_caller)
            print_code(dwfl, value->value - (field->type == ompd_cl_type_caller));
        else if (field->type <= ompd_cl_type_address || field->type == ompd_cl_type_flags)
            printf("0x%llx", (unsigned long long)value->value);
        else if (field->names == NULL)
            printf(field->unit[0] ? "%lld %s" : "%lld%s", (long long)value->value, field->unit);
        for (uint32_t j = 0; field->type != ompd_cl_type_flags && j < field->name_count; j++) {
            const ompd_cl_name_t *name = ompd_cl_field_name_at(field, j);
            printf("%s", name->value == value->value ? name->name : "");
        }
    }
    putchar('\n');
}

static void print_memobjs(Dwfl *dwfl, ompd_address_space_handle_t *space)
{
    ompd_cl_memobj_info_t memobj = {.head.struct_size = sizeof(memobj)};
    ompd_cl_destructor_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t memobjs, own;
    ompd_size_t count;

    if (!is_answer(space, ompd_cl_memobj_list_open(space, NULL, &memobjs)))
        return;
    while (is_answer(space, ompd_cl_memobj_list_next(space, memobjs, 1, &memobj, &count, NULL)) &&
           count != 0) {
        print_row(dwfl, "", ompd_cl_kind_memobj, &memobj);
        const ompd_cl_memobj_id_t id = ompd_cl_memobj_info_id(&memobj);
        if (!is_answer(space, ompd_cl_memobj_destructor_list_open(space, id, &own)))
            continue;
        while (is_answer(space, ompd_cl_destructor_list_next(space, own, 1, &row, &count, NULL)) &&
               count != 0)
            print_row(dwfl, "    ", ompd_cl_kind_destructor, &row);
        ompd_cl_list_close(space, own);
    }
    ompd_cl_list_close(space, memobjs);
}

/* Show one stop.  Others keep the address space and call ompd_cl_address_space_refresh. */
static void process_show(pid_t pid)
{
    static const ompd_callbacks_t callbacks = {.alloc_memory = alloc_memory,
                                               .free_memory = free_memory,
                                               .sizeof_type = sizeof_type,
                                               .symbol_addr_lookup = symbol_find,
                                               .read_memory = read_memory,
                                               .device_to_host = device_to_host};
    static Dwfl_Callbacks finders = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, 0, 0};
    ompd_address_space_context_t host = {.dwfl = dwfl_begin(&finders)};
    ompd_address_space_handle_t *space;
    char path[64];

    printf("process %d is stopped:\n", (int)pid);
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    host.memory = open(path, O_RDONLY);
    dwfl_linux_proc_report(host.dwfl, pid);
    dwfl_report_end(host.dwfl, NULL, NULL);
    if (is_answer(NULL, ompd_cl_address_space_create(&callbacks, NULL, &host, &space))) {
        print_memobjs(host.dwfl, space);
        ompd_rel_address_space_handle(space);
    }
    dwfl_end(host.dwfl);
    close(host.memory);
    kill(pid, SIGCONT);
}

int main(int argc, char **argv)
{
    int status = 0;
    pid_t pid = argc > 1 ? fork() : -1;

    if (pid == 0 && execvp(argv[1], argv + 1) != 0)
        _exit(127);
    while (pid > 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status))
        process_show(pid);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
