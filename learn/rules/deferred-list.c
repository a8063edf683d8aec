/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rules.h.  The first pointer is in the runtime's module.  The nodes are in its heap, and
 * each contains the cl handle of an object. */
#include <learn/rules/rules.h>

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define WORD sizeof(uintptr_t)
#define NODE_HIGHEST 128 /* bytes of a node to search */
#define NODES 16
#define BUFFERS 4 /* one whose callback runs, and the waiting ones */
#define BUFFER_SIZE 4096
#define POLLS 20000
#define INTERVAL 1000000 /* ns */

/* For the callbacks: whether they must wait, and how many have begun and ended. */
static atomic_bool is_held;
static atomic_uint begun;
static atomic_uint ended;

/* A candidate for the node of the first waiting buffer: a block with its handle. */
struct node {
    uintptr_t start;
    int32_t object; /* offset of the handle */
};

struct search {
    const struct icd *icd;
    const cl_mem *buffers; /* BUFFERS of them */
    struct node nodes[NODES];
    unsigned node_count;
    const struct node *node; /* to search for a pointer to */
    struct deferred_list found;
    unsigned count;
};

static void pause_briefly(void)
{
    const struct timespec interval = {.tv_nsec = INTERVAL};

    nanosleep(&interval, NULL);
}

/* Wait until COUNTER reaches COUNT. */
static bool await_callbacks(const atomic_uint *counter, unsigned count)
{
    for (unsigned i = 0; i < POLLS && atomic_load(counter) < count; i++)
        pause_briefly();
    return atomic_load(counter) >= count;
}

/* If the runtime calls it within clReleaseMemObject, nothing can wait for it. */
static void CL_CALLBACK callback_wait(cl_mem buffer, void *user_data)
{
    (void)buffer;
    (void)user_data;
    atomic_fetch_add(&begun, 1);
    for (unsigned i = 0; i < POLLS && gettid() != getpid() && atomic_load(&is_held); i++)
        pause_briefly();
    atomic_fetch_add(&ended, 1);
}

/* Create the buffers, each with a callback.  Returns false on failure. */
static bool make_buffers(const struct builder *builder, cl_mem *buffers)
{
    const cl_icd_dispatch *table = builder->icd->table;

    for (unsigned i = 0; i < BUFFERS; i++) {
        buffers[i] =
            table->clCreateBuffer(builder->contexts[0], CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, NULL);
        if (buffers[i] == NULL ||
            table->clSetMemObjectDestructorCallback(buffers[i], callback_wait, NULL) != CL_SUCCESS)
            return false;
    }
    return true;
}

/* Whether the blocks from NODE on are the nodes of the waiting buffers, with the offsets of
 * LIST. */
static bool is_list(const struct search *search, uintptr_t node, const struct deferred_list *list)
{
    for (unsigned i = 1; i < BUFFERS; i++) {
        struct malloc_block block;
        uint64_t handle;
        uint64_t next;

        if (!guard_heap_find(node, &block) || block.start != node || block.is_freed ||
            block.size < (size_t)list->next + WORD || block.size < (size_t)list->object + WORD ||
            !own_memory_number(node + (uintptr_t)list->object, WORD, &handle) ||
            !own_memory_number(node + (uintptr_t)list->next, WORD, &next) ||
            handle != (uintptr_t)search->buffers[i])
            return false;
        node = (uintptr_t)next;
    }
    return node == 0;
}

/* Record the block at ADDRESS, which contains the handle of the first waiting buffer. */
static void note_node(uintptr_t address, void *argument)
{
    struct search *search = argument;
    struct malloc_block block;

    if (search->node_count < NODES && guard_heap_find(address, &block) && !block.is_freed &&
        address - block.start < NODE_HIGHEST)
        search->nodes[search->node_count++] =
            (struct node){block.start, (int32_t)(address - block.start)};
}

/* Record each list that begins with the node that the word at ADDRESS points to. */
static void note_head(uintptr_t address, void *argument)
{
    struct search *search = argument;
    const struct node *node = search->node;
    struct deferred_list list = {.head = address - search->icd->start, .object = node->object};

    if (address < search->icd->start || address >= search->icd->end)
        return;
    for (list.next = 0; list.next < NODE_HIGHEST; list.next += (int32_t)WORD)
        if (is_list(search, node->start, &list)) {
            search->found = list;
            search->count++;
        }
}

static void search_memory(struct search *search)
{
    own_memory_scan((uintptr_t)search->buffers[1], note_node, search);
    for (unsigned i = 0; i < search->node_count; i++) {
        search->node = &search->nodes[i];
        own_memory_scan(search->node->start, note_head, search);
    }
}

/* Release the first buffer and, while its callback runs, the others; then search for their list. */
static void watch_release(struct search *search)
{
    const cl_icd_dispatch *table = search->icd->table;

    atomic_store(&is_held, true);
    table->clReleaseMemObject(search->buffers[0]);
    if (!await_callbacks(&begun, 1) || atomic_load(&ended) != 0)
        return;
    for (unsigned i = 1; i < BUFFERS; i++)
        table->clReleaseMemObject(search->buffers[i]);
    search_memory(search);
    atomic_store(&is_held, false);
    if (!await_callbacks(&ended, BUFFERS))
        search->count = 0;
}

/* Whether the list is empty now. */
static bool is_over(const struct search *search)
{
    uint64_t head;

    return own_memory_number(search->icd->start + search->found.head, WORD, &head) && head == 0;
}

void deferred_list_learn(struct layout_draft *draft, const struct builder *builder)
{
    cl_mem buffers[BUFFERS];
    struct search search = {.icd = builder->icd, .buffers = buffers};
    const struct layout_rule *taken = &draft->kinds[specimen_buffer].taken;

    if (taken->width == 0 || taken->least == 0 || !population_calls_later() ||
        !make_buffers(builder, buffers))
        return;
    watch_release(&search);
    if (search.count == 1 && is_over(&search))
        draft->deferred_list = search.found;
    else
        protocol_note("the list of deferred destructor callbacks was not found");
}
