/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Included before all else where the tree is built for helgrind, which knows locks, but no atomic
 * operations: by this it is told what they order, as the thread sanitizer knows it by itself.  The
 * word itself, which threads use at the same time, is not looked at any more.
 */
#ifndef HELGRIND_ATOMICS_H
#define HELGRIND_ATOMICS_H

#include <stdatomic.h>
#include <valgrind/helgrind.h>

/* Around OPERATION on the word at OBJECT in ORDER: what was before one that releases is before what
 * is after a later one that acquires. */
#define HELGRIND_BEGIN(object, order)                                                              \
    do {                                                                                           \
        VALGRIND_HG_DISABLE_CHECKING((object), sizeof(*(object)));                                 \
        if ((int)(order) != __ATOMIC_RELAXED)                                                      \
            ANNOTATE_HAPPENS_BEFORE(object);                                                       \
    } while (0)
#define HELGRIND_END(object, order)                                                                \
    do {                                                                                           \
        if ((int)(order) != __ATOMIC_RELAXED)                                                      \
            ANNOTATE_HAPPENS_AFTER(object);                                                        \
    } while (0)

#define HELGRIND_READ(object, order, operation)                                                    \
    __extension__({                                                                                \
        VALGRIND_HG_DISABLE_CHECKING((object), sizeof(*(object)));                                 \
        __auto_type helgrind_result = operation;                                                   \
        HELGRIND_END(object, order);                                                               \
        helgrind_result;                                                                           \
    })
#define HELGRIND_WRITE(object, order, operation)                                                   \
    __extension__({                                                                                \
        HELGRIND_BEGIN(object, order);                                                             \
        operation;                                                                                 \
    })
#define HELGRIND_CHANGE(object, order, operation)                                                  \
    __extension__({                                                                                \
        HELGRIND_BEGIN(object, order);                                                             \
        __auto_type helgrind_result = operation;                                                   \
        HELGRIND_END(object, order);                                                               \
        helgrind_result;                                                                           \
    })

/* ---- Those of the compiler, for the recorder ------------------------------------------------- */

#define __atomic_load_n(object, order) HELGRIND_READ(object, order, __atomic_load_n(object, order))
#define __atomic_store_n(object, value, order)                                                     \
    HELGRIND_WRITE(object, order, __atomic_store_n(object, value, order))
#define __atomic_exchange_n(object, value, order)                                                  \
    HELGRIND_CHANGE(object, order, __atomic_exchange_n(object, value, order))
#define __atomic_fetch_add(object, value, order)                                                   \
    HELGRIND_CHANGE(object, order, __atomic_fetch_add(object, value, order))
#define __atomic_fetch_sub(object, value, order)                                                   \
    HELGRIND_CHANGE(object, order, __atomic_fetch_sub(object, value, order))
#define __atomic_add_fetch(object, value, order)                                                   \
    HELGRIND_CHANGE(object, order, __atomic_add_fetch(object, value, order))
#define __atomic_compare_exchange_n(object, expected, value, is_weak, success, failure)            \
    HELGRIND_CHANGE(                                                                               \
        object, success,                                                                           \
        __atomic_compare_exchange_n(object, expected, value, is_weak, success, failure))

/* ---- Those of C, for the libraries ----------------------------------------------------------- */

#undef atomic_load
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_fetch_add
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak
#undef atomic_flag_test_and_set_explicit
#undef atomic_flag_clear_explicit
#define atomic_load(object)                                                                        \
    HELGRIND_READ(object, __ATOMIC_SEQ_CST, atomic_load_explicit(object, memory_order_seq_cst))
#define atomic_store(object, value) atomic_store_explicit(object, value, memory_order_seq_cst)
#define atomic_store_explicit(object, value, order)                                                \
    HELGRIND_WRITE(object, order, __extension__({                                                  \
                       __auto_type helgrind_object = (object);                                     \
                       __typeof__((void)0, *helgrind_object) helgrind_value = (value);             \
                       __atomic_store(helgrind_object, &helgrind_value, (int)(order));             \
                   }))
#define atomic_fetch_add(object, value)                                                            \
    HELGRIND_CHANGE(object, __ATOMIC_SEQ_CST,                                                      \
                    atomic_fetch_add_explicit(object, value, memory_order_seq_cst))
#define atomic_compare_exchange_strong(object, expected, value)                                    \
    HELGRIND_CHANGE(object, __ATOMIC_SEQ_CST,                                                      \
                    atomic_compare_exchange_strong_explicit(                                       \
                        object, expected, value, memory_order_seq_cst, memory_order_seq_cst))
#define atomic_compare_exchange_weak(object, expected, value)                                      \
    HELGRIND_CHANGE(object, __ATOMIC_SEQ_CST,                                                      \
                    atomic_compare_exchange_weak_explicit(                                         \
                        object, expected, value, memory_order_seq_cst, memory_order_seq_cst))
#define atomic_flag_test_and_set_explicit(object, order)                                           \
    HELGRIND_CHANGE(object, order, __atomic_test_and_set(object, (int)(order)))
#define atomic_flag_clear_explicit(object, order)                                                  \
    HELGRIND_WRITE(object, order, __atomic_clear((_Bool *)(object), (int)(order)))

#endif
