/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A hostile tool: tool contexts that are not pointers, memory that is inaccessible once freed, and
 * callbacks that return ompd_rc_ok with garbage. */
#include "request.h"
#include "sweeps.h"

#include <string.h>

enum trick {
    trick_context, /* no pointer */
    trick_heap,    /* guarded, and of another fill */
    trick_sizes,
    trick_to_host,
    trick_no_memory, /* NULL and ompd_rc_ok */
    trick_symbol,
    trick_symbol_code,
    trick_read_code,
    trick_read,
    trick_region,
    trick_map,
    trick_permissions,
    trick_module,
    trick_module_code,
    trick_module_symbol,
    trick_progress,
    trick_count
};

/* What a callback may return except ompd_rc_ok: all codes of OMPD, and some invalid ones. */
static const int codes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 99, -1};
#define CODES (sizeof(codes) / sizeof(codes[0]))

static const struct {
    const char *name;
    unsigned times;
    bool is_from_start; /* else only during the call */
    bool does_no_harm;  /* the answer must be the clean one */
    bool is_believed;   /* its claim may be true: another answer is right */
} tricks[trick_count] = {
    [trick_context] = {"a context that is no pointer", 6, true, true, false},
    [trick_heap] = {"guarded memory", 3, true, true, false},
    [trick_sizes] = {"garbage sizes", 28, true, false, false},
    [trick_to_host] = {"garbage from device_to_host", 3, true, false, false},
    [trick_no_memory] = {"no memory but ompd_rc_ok", 2, false, false, false},
    [trick_symbol] = {"a garbage address of a symbol", 8, false, false, false},
    [trick_symbol_code] = {"a strange code from symbol_addr_lookup", CODES, false, false, false},
    [trick_read_code] = {"a strange code from read_memory", CODES, false, false, false},
    [trick_read] = {"garbage read", 4, false, false, false},
    [trick_region] = {"garbage regions of unreadable memory", 5, false, false, false},
    [trick_map] = {"NULL mapped", 1, false, false, false},
    [trick_permissions] = {"garbage permissions", 3, false, false, true},
    [trick_module] = {"garbage modules without end", 6, false, false, true},
    [trick_module_code] = {"a strange code about modules", CODES, false, false, true},
    [trick_module_symbol] = {"a garbage address of a module's symbol", 8, false, false, true},
    [trick_progress] = {"no patience", 1, false, false, true},
};

static const uint64_t words[] = {
    UINT64_MAX,
    0,
    1,
    UINT64_C(1) << 63,
    UINT64_C(0xa5a5a5a5a5a5a5a5),
    UINT64_MAX - 7,
    INT64_MAX,
    UINT64_C(1) << 32,
};

/* For blocks of 0xa5, 0 and 0xff: their previous contents must not matter. */
static const uint8_t fill_changes[] = {0, SWEEP_FILL, 0xff ^ SWEEP_FILL};

/* The tool that is being used: one at a time in a process. */
static struct {
    const struct sweep_target *real;
    ompd_address_space_context_t *context; /* what the library must hand on */
    ompd_callback_memory_alloc_fn_t alloc_memory;
    enum trick trick;
    unsigned number;
    unsigned variant; /* of the request */
    bool is_on;
    uint64_t strangers; /* calls with another context */
} tool;

static bool plays(enum trick trick)
{
    return tool.is_on && tool.trick == trick;
}

static ompd_address_space_context_t *real_context(ompd_address_space_context_t *context)
{
    tool.strangers += context != tool.context;
    return tool.real->context;
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

static ompd_rc_t allocate(ompd_size_t nbytes, void **ptr)
{
    if (!plays(trick_no_memory))
        return tool.alloc_memory(nbytes, ptr);
    *ptr = NULL;
    return ompd_rc_ok;
}

/* One member or all of them are 0, 1, 3 or 255. */
static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    static const uint8_t garbage[] = {0, 1, 3, 255};
    const size_t members = sizeof(*sizes);
    ompd_rc_t rc = tool.real->callbacks.sizeof_type(real_context(context), sizes);

    if (plays(trick_sizes) && tool.number / 4 < members)
        ((uint8_t *)sizes)[tool.number / 4] = garbage[tool.number % 4];
    else if (plays(trick_sizes))
        memset(sizes, garbage[tool.number % 4], members);
    return rc;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                         const char *name, ompd_address_t *address, const char *file)
{
    if (plays(trick_symbol_code))
        return (ompd_rc_t)codes[tool.number];
    if (plays(trick_symbol)) {
        real_context(context);
        address->segment = words[tool.number];
        address->address = words[tool.number];
        return ompd_rc_ok;
    }
    return tool.real->callbacks.symbol_addr_lookup(real_context(context), thread, name, address,
                                                   file);
}

static ompd_rc_t read_bytes(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *address, ompd_size_t nbytes, void *buffer)
{
    static const uint8_t garbage[] = {0, 0xff, 0xa5, 1};

    if (plays(trick_region))
        return ompd_rc_error;
    if (plays(trick_read_code))
        return (ompd_rc_t)codes[tool.number];
    if (plays(trick_read)) {
        real_context(context);
        memset(buffer, garbage[tool.number], (size_t)nbytes);
        return ompd_rc_ok;
    }
    return tool.real->callbacks.read_memory(real_context(context), thread, address, nbytes, buffer);
}

static ompd_rc_t to_host(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
                         ompd_size_t count, void *output)
{
    static const uint8_t garbage[] = {0, 0xff, 0xa5};

    if (plays(trick_to_host)) {
        real_context(context);
        memset(output, garbage[tool.number], (size_t)(unit * count));
        return ompd_rc_ok;
    }
    return tool.real->callbacks.device_to_host(real_context(context), input, unit, count, output);
}

static ompd_rc_t tell_region(ompd_address_space_context_t *context, ompd_addr_t address,
                             ompd_cl_region_t *region)
{
    const ompd_cl_region_t garbage[] = {
        {0, 0, 0, 1, 0, 0, 0},
        {0, address + 4096, address, 0, 0, 0, 0},
        {0, UINT64_MAX, UINT64_MAX, 77, UINT32_MAX, 1, UINT64_MAX},
        {0, address, address, 1, 0, 0, 0},
        {0, 0, UINT64_MAX, 0, 0, 0, UINT64_MAX},
    };

    static const uint32_t permissions[] = {0, 1, UINT32_MAX};
    ompd_rc_t rc;

    if (plays(trick_region)) {
        real_context(context);
        *region = garbage[tool.number];
        return ompd_rc_ok;
    }
    if (tool.real->extra.memory_region == NULL)
        return ompd_rc_unsupported;
    rc = tool.real->extra.memory_region(real_context(context), address, region);
    if (plays(trick_permissions))
        region->permissions = permissions[tool.number];
    return rc;
}

static ompd_rc_t map_memory(ompd_address_space_context_t *context, ompd_addr_t address,
                            ompd_size_t nbytes, const void **pointer)
{
    if (plays(trick_map)) {
        *pointer = NULL;
        return ompd_rc_ok;
    }
    if (tool.real->extra.map_memory == NULL)
        return ompd_rc_unsupported;
    return tool.real->extra.map_memory(real_context(context), address, nbytes, pointer);
}

static ompd_rc_t tell_module(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_module_t *module)
{
    static const ompd_cl_module_t garbage[] = {
        {0, NULL, NULL, 0, 0, 0},
        {0, "", NULL, UINT64_MAX, 4096, UINT64_MAX},
        {0, "libOpenCL.so.1", (const uint8_t *)"", 0, UINT64_MAX, 0},
        {0, "libpocl.so.2", (const uint8_t *)"", 1, 0, UINT64_MAX},
        {0, "", NULL, 0, UINT64_MAX, UINT64_MAX},
        {0, "/", (const uint8_t *)"1234567890123456789", 20, 1, 2},
    };

    if (plays(trick_module_code))
        return (ompd_rc_t)codes[tool.number];
    if (plays(trick_module)) {
        real_context(context);
        *module = garbage[tool.number];
        return ompd_rc_ok;
    }
    if (tool.real->extra.module == NULL)
        return ompd_rc_unavailable;
    return tool.real->extra.module(real_context(context), index, module);
}

static ompd_rc_t find_in_module(ompd_address_space_context_t *context, ompd_size_t index,
                                const char *name, ompd_addr_t *address)
{
    if (plays(trick_module_code))
        return (ompd_rc_t)codes[tool.number];
    if (plays(trick_module_symbol)) {
        real_context(context);
        *address = words[tool.number];
        return ompd_rc_ok;
    }
    if (tool.real->extra.module_symbol == NULL)
        return ompd_rc_unavailable;
    return tool.real->extra.module_symbol(real_context(context), index, name, address);
}

static bool watch(ompd_address_space_context_t *context, uint64_t done, uint64_t whole)
{
    (void)done;
    (void)whole;
    real_context(context);
    return !plays(trick_progress);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* REAL's tool, but for what the callbacks above do. */
static struct sweep_target make_target(const struct sweep_target *real, enum trick trick,
                                       unsigned number, unsigned variant)
{
    struct sweep_target target = *real;

    memset(&tool, 0, sizeof(tool));
    tool.real = real;
    tool.trick = trick;
    tool.number = number;
    tool.variant = variant;
    target.context = real->context;
    if (trick == trick_context)
        target.context = (ompd_address_space_context_t *)(uintptr_t)words[number];
    tool.context = target.context;
    target.callbacks.sizeof_type = give_sizes;
    target.callbacks.symbol_addr_lookup = look_up;
    target.callbacks.read_memory = read_bytes;
    target.callbacks.device_to_host = to_host;
    /* These are left out rather than handed another's context. */
    target.callbacks.read_string = NULL;
    target.callbacks.host_to_device = NULL;
    target.callbacks.write_memory = NULL;
    target.callbacks.get_thread_context_for_thread_id = NULL;
    target.extra.memory_region = tell_region;
    target.extra.map_memory = map_memory;
    target.extra.module = tell_module;
    target.extra.module_symbol = find_in_module;
    target.extra.progress = watch;
    return target;
}

static void complain(const struct sweep *sweep, const char *what, ompd_rc_t rc)
{
    sweep_complain("%s, %s number %u, variant %u: %s (code %d)", sweep->signature->name,
                   tricks[tool.trick].name, tool.number, tool.variant, what, (int)rc);
}

/* Whether the trick's claim may be true. Without its symbols, a recorder is not among the modules,
 * and layouts show what they find. Searches use memory as it is read, because nothing else shows
 * what it should be. */
static bool is_believed(const struct sweep *sweep)
{
    bool has_layouts = tool.real->layout != NULL;
    bool is_of_recorder = tool.trick == trick_symbol || tool.trick == trick_symbol_code;
    /* The data that is read is the answer, or there is much of it. */
    bool gives_bytes =
        sweep_argument_find(sweep->signature, sweep_address) != sweep->signature->count;
    bool searches = gives_bytes || sweep_signature_searches(sweep->signature, tool.real);

    return tricks[tool.trick].is_believed || (has_layouts && is_of_recorder) ||
           (searches && tool.trick == trick_read);
}

/* Judge the answer to a request while the trick was played. */
static void judge(const struct sweep *sweep, const struct sweep_request *request,
                  const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_answer answer;
    bool is_clean;

    sweep_answer_take(&answer, request);
    is_clean = sweep_answer_equals(&answer, clean);
    sweep_answer_free(&answer);
    if (is_clean)
        return;
    /* Why the refresh failed is another text, rightly. */
    if (sweep_argument_find(sweep->signature, sweep_space_or_null) < sweep->signature->count)
        return;
    if (request->rc == ompd_rc_ok && is_believed(sweep))
        return;
    if (request->rc == ompd_rc_ok) {
        tally->silent++;
        complain(sweep, "another answer with ompd_rc_ok", request->rc);
    } else if (tricks[tool.trick].does_no_harm) {
        tally->wrong++;
        complain(sweep, "not the clean answer", request->rc);
    } else if ((request->rc == ompd_rc_incomplete) == sweep_request_is_untouched(request)) {
        tally->wrong++;
        complain(sweep, "out parameters were touched, or incomplete but not set", request->rc);
    } else if ((unsigned)request->rc > ompd_rc_incompatible_handle) {
        tally->wrong++;
        complain(sweep, "no code of OMPD", request->rc);
    }
}

static void play(const struct sweep *sweep, struct sweep_session *session,
                 const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_request request;

    if (sweep_request_begin(&request, session, sweep->facts, sweep->signature, tool.variant)) {
        if (!tricks[tool.trick].is_from_start) {
            tool.is_on = true;
            ompd_cl_address_space_refresh(session->space);
        }
        sweep_request_send(&request);
        tally->faults++;
        judge(sweep, &request, clean, tally);
        tool.is_on = tool.is_on && tricks[tool.trick].is_from_start;
        sweep_request_undo(&request);
    } else if (tricks[tool.trick].does_no_harm) {
        tally->wrong++;
        complain(sweep, "nothing can be asked", ompd_rc_ok);
    }
    sweep_request_end(&request);
}

/* The trick is over: everything is as if it had not been. */
static void ask_again(const struct sweep *sweep, struct sweep_session *session,
                      const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_answer answer;

    if (session->space == NULL && sweep_session_open(session) != ompd_rc_ok) {
        tally->wrong++;
        complain(sweep, "no address space can be made afterwards", ompd_rc_ok);
        return;
    }
    ompd_cl_address_space_refresh(session->space);
    if (!sweep_answer_get(&answer, session, sweep->facts, sweep->signature, tool.variant) ||
        !sweep_answer_equals(&answer, clean)) {
        tally->wrong++;
        complain(sweep, "the clean call then has another answer", answer.rc);
    }
    sweep_answer_free(&answer);
}

static void run_trick(const struct sweep *sweep, enum trick trick, unsigned number,
                      unsigned variant, const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_target target = make_target(sweep->target, trick, number, variant);
    struct sweep_session session;
    uint64_t leaks;

    sweep_session_begin(&session, &target);
    session.heap.is_guarded = trick == trick_heap;
    session.heap.fill_change = trick == trick_heap ? fill_changes[number] : 0;
    tool.alloc_memory = session.callbacks.alloc_memory;
    session.callbacks.alloc_memory = allocate;
    tool.is_on = tricks[trick].is_from_start || (trick == trick_no_memory && number == 1);
    if (sweep_session_open(&session) == ompd_rc_ok) {
        play(sweep, &session, clean, tally);
    } else {
        tally->faults++;
        if (tricks[trick].does_no_harm) {
            tally->wrong++;
            complain(sweep, "no address space can be made", ompd_rc_ok);
        }
    }
    tool.is_on = false;
    if (trick == trick_sizes || trick == trick_to_host || trick == trick_module_symbol) {
        /* The library caches what it asked the tool once. */
        if (session.space != NULL)
            ompd_rel_address_space_handle(session.space);
        session.space = NULL;
    }
    ask_again(sweep, &session, clean, tally);
    leaks = sweep_session_end(&session);
    if (leaks != 0) {
        tally->leaks++;
        complain(sweep, "memory is left", ompd_rc_ok);
    }
    if (tool.strangers != 0) {
        tally->wrong++;
        complain(sweep, "a callback was given another context", ompd_rc_ok);
    }
}

static bool run_case(void *user, uint64_t number, struct sweep_tally *tally)
{
    const struct sweep *sweep = user;
    const unsigned variants = sweep_request_variants(sweep->signature, sweep->facts);
    const unsigned variant = (unsigned)(number % variants);
    struct sweep_answer clean;
    enum trick trick = 0;

    number /= variants;
    while (trick < trick_count && number >= tricks[trick].times)
        number -= tricks[trick++].times;
    if (trick == trick_count)
        return false;
    if (!sweep_answer_get_apart(&clean, sweep->target, sweep->facts, sweep->signature, variant)) {
        tally->wrong++;
        sweep_complain("%s: the target has nothing to ask about", sweep->signature->name);
        return true;
    }
    run_trick(sweep, trick, (unsigned)number, variant, &clean, tally);
    sweep_answer_free(&clean);
    return true;
}

void sweep_hostile_tool(const struct sweep_target *target, const struct sweep_facts *facts,
                        const struct sweep_signature *signature, struct sweep_tally *tally)
{
    struct sweep sweep = {target, facts, signature};

    sweep_guard_run("hostile tool", SWEEP_CASE_SECONDS, run_case, &sweep, tally);
}
