/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "watch.h"

#include <check.h>

static bool is_refused(const struct watch *watch)
{
    uint64_t number = watch->grants + watch->refusals + 1;

    if (watch->refuses != NULL)
        return watch->refuses();
    return watch->refuse_at != 0 &&
           (number == watch->refuse_at || (watch->refuses_for_ever && number > watch->refuse_at));
}

bool watch_monitor(void *user_ptr, ssize_t bytes, bool post)
{
    struct watch *watch = user_ptr;

    ck_assert_int_ne(bytes, 0);
    ck_assert_int_eq(post, bytes < 0);
    if (bytes < 0) {
        watch->frees++;
    } else if (is_refused(watch)) {
        watch->refusals++;
        watch->refused = bytes;
        return false;
    } else {
        watch->grants++;
    }
    watch->sum += bytes;
    ck_assert_int_ge(watch->sum, 0);
    if (watch->sum > watch->most)
        watch->most = watch->sum;
    return true;
}

ompd_cl_extra_t watch_extra(struct watch *watch)
{
    ompd_cl_extra_t extra = fake_extra;

    extra.monitor = watch_monitor;
    extra.monitor_user_ptr = watch;
    return extra;
}

void watch_refuse(struct watch *watch, uint64_t count)
{
    watch->refuse_at = count == 0 ? 0 : watch->grants + watch->refusals + count;
}

ompd_rc_t watch_open(struct watch *watch, ompd_address_space_handle_t **space)
{
    ompd_cl_extra_t extra = watch_extra(watch);

    return ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)fake_current, space);
}

ompd_cl_library_memory_info_t watch_account(ompd_address_space_handle_t *space)
{
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};

    ck_assert_int_eq(ompd_cl_library_memory_get(space, &info), ompd_rc_ok);
    return info;
}

void watch_check(const struct watch *watch, ompd_address_space_handle_t *space)
{
    ompd_cl_library_memory_info_t info = watch_account(space);

    ck_assert_int_eq((int64_t)info.current.value, watch->sum);
    ck_assert_uint_eq(info.current.value, fake_current->live_bytes);
    ck_assert_uint_eq(info.cancelled.value, watch->refusals);
}
