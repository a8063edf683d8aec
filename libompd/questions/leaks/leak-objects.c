/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects of releasable kinds, and their rows as leaks. */
#include "questions/leaks/leaks.h"

#include "answers/answers.h"
#include "sources/embree/embree.h"

#include <stddef.h>

const uint8_t leak_kinds[LEAK_KIND_COUNT] = {
    ompd_cl_kind_memobj,          ompd_cl_kind_svm,           ompd_cl_kind_context,
    ompd_cl_kind_queue,           ompd_cl_kind_event,         ompd_cl_kind_kernel,
    ompd_cl_kind_program,         ompd_cl_kind_sampler,       ompd_cl_kind_command_buffer,
    ompd_cl_kind_semaphore,       ompd_cl_kind_embree_device, ompd_cl_kind_embree_scene,
    ompd_cl_kind_embree_geometry, ompd_cl_kind_embree_buffer,
};

#define NO_MEMBER 0 /* struct_size lies there */

/* The places of the needed fields in rows of a kind. */
struct shape {
    uint16_t state;
    uint16_t references;
    uint16_t size;
    uint16_t memobj_kind;
    uint16_t context;
    uint16_t queue;
    uint16_t parent;
    uint16_t program;
    /* Of Embree's: what rtcGetSceneDevice and rtcGetGeometryUserData return. */
    uint16_t device;
    uint16_t user_data;
};

#define AT(kind, member) offsetof(ompd_cl_##kind##_info_t, member)
#define COUNTED(kind) .state = AT(kind, state), .references = AT(kind, references)

/* As leak_kinds. */
static const struct shape shapes[LEAK_KIND_COUNT] = {
    {COUNTED(memobj), .size = AT(memobj, size), .memobj_kind = AT(memobj, kind),
     .context = AT(memobj, context), .parent = AT(memobj, parent)},
    {.state = AT(svm, state), .size = AT(svm, size)},
    {COUNTED(context)},
    {COUNTED(queue), .context = AT(queue, context)},
    {COUNTED(event), .context = AT(event, context), .queue = AT(event, queue)},
    {COUNTED(kernel), .context = AT(kernel, context), .program = AT(kernel, program)},
    {COUNTED(program), .context = AT(program, context)},
    {COUNTED(sampler), .context = AT(sampler, context)},
    {COUNTED(command_buffer), .context = AT(command_buffer, context),
     .queue = AT(command_buffer, queue)},
    {COUNTED(semaphore), .context = AT(semaphore, context)},
    {COUNTED(embree_device), .size = AT(embree_device, bytes)},
    {COUNTED(embree_scene), .size = AT(embree_scene, bytes), .device = AT(embree_scene, device)},
    {COUNTED(embree_geometry), .user_data = AT(embree_geometry, user_data)},
    {COUNTED(embree_buffer), .size = AT(embree_buffer, bytes)},
};

static ompd_cl_value_t leak_value(const void *row, uint16_t offset)
{
    ompd_cl_value_t none = {.status = ompd_cl_status_not_applicable};

    return offset != NO_MEMBER
               ? *(const ompd_cl_value_t *)(const void *)((const char *)row + offset)
               : none;
}

static bool role_is_known(ompd_cl_value_t value)
{
    return value.status == ompd_cl_status_value || value.status == ompd_cl_status_presumed;
}

bool leak_kind_is_there(struct address_space *space, uint32_t kind)
{
    struct shortfall unused = {0};
    bool is_there;

    if (embree_has_kind(kind))
        return embree_source_is_there(space, &is_there) == ompd_rc_ok && is_there;
    if (kind == ompd_cl_kind_command_buffer || kind == ompd_cl_kind_semaphore)
        return address_space_has_recorder(space) &&
               space->recorder->registry.tables[record_decoder_table(kind)].record_size != 0;
    return sources_have_opencl(space, &unused);
}

enum leak_role leak_role_of(uint32_t index, const void *row, uint64_t *handle)
{
    const struct shape *shape = &shapes[index];
    ompd_cl_value_t state = leak_value(row, shape->state);
    ompd_cl_value_t references = leak_value(row, shape->references);

    *handle = ((const ompd_cl_object_head_t *)row)->handle.value;
    if (*handle == 0 ||
        ((const ompd_cl_object_head_t *)row)->confidence.value == ompd_cl_confidence_doubtful)
        return leak_not;
    if (role_is_known(state) && state.value != ompd_cl_object_state_live)
        return leak_released;
    if (role_is_known(references) && (int64_t)references.value <= 0)
        return leak_not;
    return leak_owned;
}

void leak_links_get(uint32_t index, const void *row, uint64_t links[LEAK_LINKS])
{
    const struct shape *shape = &shapes[index];
    const uint16_t members[LEAK_LINKS] = {shape->context, shape->queue,  shape->parent,
                                          shape->program, shape->device, shape->user_data};

    for (unsigned i = 0; i < LEAK_LINKS; i++) {
        ompd_cl_value_t link = leak_value(row, members[i]);

        links[i] = role_is_known(link) ? link.value : 0;
    }
}

uint64_t leak_stack_of(const void *row)
{
    ompd_cl_value_t stack = ((const ompd_cl_object_head_t *)row)->stack;

    return stack.status == ompd_cl_status_value ? stack.value : 0;
}

void leak_row_begin(uint32_t index, const void *row, ompd_cl_leak_info_t *info)
{
    const struct shape *shape = &shapes[index];
    const ompd_cl_object_head_t *head = row;
    ompd_cl_value_t parent = leak_value(row, shape->parent);

    blank_fill(ompd_cl_kind_leak, info, ompd_cl_source_none, ompd_cl_status_not_applicable);
    plain_value_set(&info->object_kind, leak_kinds[index]);
    info->head.handle = head->handle;
    info->memobj_kind = leak_value(row, shape->memobj_kind);
    /* An object created from another memory object has no memory of its own. */
    if (!role_is_known(parent) || parent.value == 0)
        info->size = leak_value(row, shape->size);
    info->state = leak_value(row, shape->state);
    info->references = leak_value(row, shape->references);
    info->head.order = head->order;
    info->head.lwp = head->lwp;
    info->head.caller = head->caller;
    info->head.stack = head->stack;
    info->head.source = head->source;
    info->head.confidence = head->confidence;
    info->kept_context = leak_value(row, shape->context);
    info->kept_queue = leak_value(row, shape->queue);
    info->kept_parent = parent;
    info->kept_program = leak_value(row, shape->program);
}

uint16_t leak_ownership_of(const ompd_cl_leak_info_t *info)
{
    bool is_counted = info->references.status != ompd_cl_status_not_applicable;

    if (!role_is_known(info->state))
        return ompd_cl_status_unknown;
    /* Embree's own references are known, and subtracted. */
    if (embree_has_kind((uint32_t)info->object_kind.value))
        return role_is_known(info->references) ? ompd_cl_status_presumed : ompd_cl_status_unknown;
    /* The runtime's count includes its own references: for example, commands hold their events. */
    if (info->head.source.value != ompd_cl_source_recorder)
        return is_counted ? ompd_cl_status_unknown : ompd_cl_status_presumed;
    if (info->head.confidence.value != ompd_cl_confidence_certain ||
        info->state.status != ompd_cl_status_value ||
        (is_counted && info->references.status != ompd_cl_status_value))
        return ompd_cl_status_presumed;
    return ompd_cl_status_value;
}
