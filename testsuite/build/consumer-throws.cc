// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vendor's callbacks in C++ that throw: the exception comes through the library, which then keeps
// nothing but what the release of the address space gives back.
#include <ompd-opencl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

enum kind { allocating, freeing, asking_sizes, converting, looking_up, reading, monitoring, kinds };

struct thrown {
};

unsigned calls;    // of callbacks, in this round
unsigned throw_at; // the call that throws; 0: none
bool has_thrown[kinds];
long held; // blocks of memory

void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "call %u: %s\n", throw_at, what);
    std::exit(1);
}

void called(kind which)
{
    if (++calls != throw_at)
        return;
    has_thrown[which] = true;
    throw thrown();
}

} // namespace

extern "C" {

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    called(allocating);
    *block = std::malloc(size);
    held++;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *block)
{
    std::free(block);
    held--;
    called(freeing);
    return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *, ompd_device_type_sizes_t *sizes)
{
    called(asking_sizes);
    *sizes = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *, ompd_thread_context_t *,
                                    const char *, ompd_address_t *address, const char *)
{
    called(looking_up);
    address->address = 0x10000;
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *, ompd_thread_context_t *,
                             const ompd_address_t *, ompd_size_t, void *)
{
    called(reading);
    return ompd_rc_error;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *, const void *input, ompd_size_t unit,
                                ompd_size_t count, void *output)
{
    called(converting);
    std::memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

static bool monitor(void *, ssize_t, bool)
{
    called(monitoring);
    return true;
}
}

static ompd_callbacks_t make_callbacks()
{
    ompd_callbacks_t callbacks = {};

    callbacks.alloc_memory = alloc_memory;
    callbacks.free_memory = free_memory;
    callbacks.sizeof_type = sizeof_type;
    callbacks.symbol_addr_lookup = symbol_addr_lookup;
    callbacks.read_memory = read_memory;
    callbacks.device_to_host = device_to_host;
    return callbacks;
}

// Make an address space, which goes to *SPACE while it is there, use it and release it.
static void use(ompd_address_space_handle_t **space)
{
    const ompd_callbacks_t callbacks = make_callbacks();
    ompd_cl_extra_t extra = {};

    extra.struct_size = sizeof(extra);
    extra.monitor = monitor;
    require(ompd_cl_address_space_create(&callbacks, &extra, nullptr, space) == ompd_rc_ok,
            "no address space");
    require(ompd_cl_address_space_refresh(*space) != ompd_rc_ok,
            "memory that cannot be read was read");
    ompd_address_space_handle_t *handle = *space;
    *space = nullptr;
    require(ompd_rel_address_space_handle(handle) == ompd_rc_ok, "not released");
}

// Tells whether the callback number NUMBER has thrown.
static bool throws(unsigned number)
{
    ompd_address_space_handle_t *space = nullptr;
    bool is_thrown = false;

    calls = 0;
    throw_at = number;
    try {
        use(&space);
    } catch (const thrown &) {
        is_thrown = true;
    }
    calls = throw_at; // and no further one
    if (space != nullptr) {
        require(ompd_cl_address_space_refresh(space) == ompd_rc_busy, "not busy");
        require(ompd_rel_address_space_handle(space) == ompd_rc_ok, "not released");
    }
    use(&space);
    require(held == 0, "memory is held");
    return is_thrown;
}

// More than there are address spaces leave while they are made, by the table of all.
static void throw_often()
{
    for (unsigned i = 0; i < 300; i++) {
        ompd_address_space_handle_t *space = nullptr;
        bool is_thrown = false;

        calls = 0;
        throw_at = 1 + i % 6;
        try {
            ompd_process_initialize(nullptr, &space);
        } catch (const thrown &) {
            is_thrown = true;
        }
        require(is_thrown && space == nullptr, "not thrown");
    }
}

int main()
{
    const ompd_callbacks_t callbacks = make_callbacks();
    unsigned number = 1;

    require(ompd_initialize(201811, &callbacks) == ompd_rc_ok, "not initialized");
    throw_often();
    while (throws(number))
        number++;
    for (bool one : has_thrown)
        require(one, "a callback was never called");
    return 0;
}
