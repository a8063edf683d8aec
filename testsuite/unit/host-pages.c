/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reserved memory that a process never touched is reported, and costs nothing, on kernels that can
 * search for pages and on others. */
#include <config.h>

#include "suite.h"

#include <ompd-opencl-host.h>

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <host/process/process.h>

#define PAGE UINT64_C(4096)
#define HOLE (UINT64_C(64) << 10) /* shorter stretches without pages are not reported */

/* A kernel before 6.7: the pages of a process cannot be searched for. */
static void deny_page_search(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTTY),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(steps) / sizeof(steps[0]), .filter = steps};

    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static char *reserve(uint64_t address, uint64_t size)
{
    char *memory =
        mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address != 0 ? MAP_FIXED_NOREPLACE : 0),
             -1, 0);

    return memory != MAP_FAILED ? memory : NULL;
}

/* A child that touches what TOUCH does; it is waited for, and runs on. */
static pid_t start(bool (*touch)(void))
{
    char byte = 0;
    int ends[2];
    pid_t pid;

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!touch() || write(ends[1], &byte, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* ---- All facts known ------------------------------------------------------------------------- */

#define RESERVED (UINT64_C(8) << 30)

static char *memory; /* where a child has it, too */

static bool touch_nothing(void)
{
    return true;
}

/* The three pages were touched by a process that the child shares them with. */
static bool touch_three(void)
{
    memory[HOLE - 1] = memory[RESERVED / 2] = memory[RESERVED - 1] = 1;
    return true;
}

/* Memory that was never touched is reported as zeros, even on an older kernel, and other memory is
 * not. */
START_TEST(never_touched)
{
    bool is_shared = _i / 2 != 0;
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    ompd_host_target_t *target;
    uint64_t zeros = 0;
    unsigned parts = 0;
    uint64_t first;
    pid_t pid;

    memory = reserve(0, RESERVED);
    ck_assert_ptr_nonnull(memory);
    first = (uint64_t)(uintptr_t)memory;
    if (is_shared)
        touch_three();
    pid = start(is_shared ? touch_nothing : touch_three);
    if (_i % 2 == 1)
        deny_page_search();
    ck_assert_int_eq(ompd_host_process_open(pid, NULL, &target), ompd_host_rc_ok);
    for (uint64_t at = first; at < first + RESERVED; at = region.end, parts++) {
        ck_assert_int_eq(ompd_host_region_get(target, at, &region), ompd_host_rc_ok);
        ck_assert_uint_le(region.whole_start, first);
        ck_assert_uint_ge(region.whole_end, first + RESERVED);
        ck_assert_uint_eq(region.permissions & ompd_cl_permission_unsearched, 0);
        if ((region.permissions & ompd_cl_permission_zero) == 0)
            continue;
        zeros += region.end - region.start;
        ck_assert(region.end <= first + RESERVED / 2 || region.start > first + RESERVED / 2);
        ck_assert_uint_ge(region.start, first + HOLE);
        ck_assert_uint_lt(region.end, first + RESERVED);
    }
    ck_assert_uint_eq(parts, 5);
    ck_assert_uint_eq(zeros, RESERVED - HOLE - 2 * PAGE);
    ompd_host_target_close(target);
    end(pid);
}
END_TEST

/* ---- Terabytes on an older kernel ------------------------------------------------------------ */

/* As AddressSanitizer has it of the upper half of memory on x86-64. */
#define SHADOW UINT64_C(0x2008fff7000)
#define SHADOW_SIZE (UINT64_C(0x10007fff8000) - SHADOW)
#define SHADOW_OF(address) ((((uint64_t)(uintptr_t)(address)) >> 3) + UINT64_C(0x7fff8000))
#define FAR_PAGE (SHADOW + (UINT64_C(3) << 40)) /* which is not the shadow of any mapped memory */

static bool touch_shadow(void)
{
    int local;
    volatile char *shadow = (volatile char *)(uintptr_t)SHADOW_OF(&local);

    if (reserve(SHADOW, SHADOW_SIZE) == NULL)
        return false;
    *shadow = 1;
    *(volatile char *)(uintptr_t)SHADOW_OF(&touch_shadow) = 1;
    /* The kernel's own page of zeros does not count as touched. */
    return shadow[(uint64_t)1 << 20] == 0 && *(volatile char *)(uintptr_t)SHADOW_OF(memory) == 0;
}

static bool touch_far(void)
{
    return touch_shadow() && (*(volatile char *)(uintptr_t)FAR_PAGE = 1) == 1;
}

/* The known facts about the shadow of PID, of which WORDS more words may be read. */
static struct page_knowledge ask(pid_t pid, uint64_t words)
{
    struct thread thread = {.lwp = (uint32_t)pid};
    ompd_host_target_t target = {
        .pid = pid, .machine = EM_X86_64, .threads = &thread, .thread_count = 1};
    struct region_list mapped = {0};
    struct page_words known = {.spent = (UINT64_C(1) << 29) - words};
    struct page_words_search search = {
        .words = &known, .mapped = &mapped, .target = &target, .page = PAGE};
    const struct page_knowledge *found;
    struct page_knowledge result = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
    search.file = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(search.file, 0);
    ck_assert_int_eq(memory_regions_read(&target), ompd_host_rc_ok);
    mapped = (struct region_list){.items = target.regions, .count = target.region_count};
    for (size_t i = 0; i < mapped.count; i++) {
        struct region region = mapped.items[i];

        if (region.start > SHADOW || region.end <= SHADOW)
            continue;
        region.start = SHADOW;
        region.end = SHADOW + SHADOW_SIZE;
        ck_assert_int_eq(page_words_find(&search, &region, &found), 1);
        result = *found;
        known.items[0] = (struct page_knowledge){0}; /* it is the caller's */
        break;
    }
    ck_assert_uint_eq(result.range.start, SHADOW);
    page_words_search_end(&search);
    free(known.items);
    page_words_free(target.process.words);
    free(target.regions);
    close(search.file);
    return result;
}

/* All pages of 16 TB are found without going through them, in two seconds of the processor. */
START_TEST(shadow)
{
    pid_t pid;
    struct page_knowledge known;

    memory = reserve(0, RESERVED);
    pid = start(touch_shadow);
    deny_page_search();
    known = ask(pid, UINT64_C(1) << 28);
    ck_assert_uint_eq(known.unknown.count, 0);
    ck_assert_uint_ge(known.present.count, 2);
    ranges_free(&known.present);
    end(pid);
}
END_TEST

/* What a process that runs has touched since is known when what was known is old. */
START_TEST(forgets)
{
    struct thread thread = {.lwp = (uint32_t)getpid()};
    ompd_host_target_t target = {.pid = getpid(), .threads = &thread, .thread_count = 1};
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint64_t middle;
    unsigned asked = 0;

    memory = reserve(0, RESERVED);
    middle = (uint64_t)(uintptr_t)memory + RESERVED / 2;
    deny_page_search();
    ck_assert_int_eq(ompd_host_region_get(&target, middle, &region), ompd_host_rc_ok);
    ck_assert_uint_ne(region.permissions & ompd_cl_permission_zero, 0);
    memory[RESERVED / 2] = 1;
    /* The test's time limit ends it. */
    for (; (region.permissions & ompd_cl_permission_zero) != 0; asked++) {
        target.process.words->good_for -= INT64_C(100000000);
        ck_assert_int_eq(ompd_host_region_get(&target, middle, &region), ompd_host_rc_ok);
    }
    ck_assert_uint_gt(asked, 1);
    page_words_free(target.process.words);
    free(target.regions);
}
END_TEST

/* Otherwise the known facts are reported, and the unknown ones. */
START_TEST(too_much)
{
    uint64_t bytes = 0;
    pid_t pid;
    struct page_knowledge known;

    memory = reserve(0, RESERVED);
    pid = start(touch_far);
    deny_page_search();
    known = ask(pid, UINT64_C(1) << 24);
    ck_assert_uint_ge(known.present.count, 2);
    for (size_t i = 0; i < known.unknown.count; i++)
        bytes += known.unknown.items[i].end - known.unknown.items[i].start;
    /* Half of the words may be read for one region. */
    ck_assert_uint_eq(bytes, SHADOW_SIZE - (PAGE << 23));
    ck_assert_uint_lt(ranges_find(&known.unknown, FAR_PAGE), known.unknown.count);
    ck_assert_uint_le(known.unknown.items[ranges_find(&known.unknown, FAR_PAGE)].start, FAR_PAGE);
    ranges_free(&known.present);
    ranges_free(&known.unknown);
    end(pid);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-pages");
    TCase *tcase = tcase_create("host-pages");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, never_touched, 0, 4);
    tcase_add_test(tcase, forgets);
#ifdef __x86_64__
    tcase_add_test(tcase, shadow);
    tcase_add_test(tcase, too_much);
#endif
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
