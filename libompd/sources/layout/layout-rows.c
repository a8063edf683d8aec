/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills info structs from objects that a layout shows. */
#include "sources/layout/layout-source.h"

#include <string.h>

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown
#define NONE ompd_cl_status_not_applicable

static void fill_platform(struct layout_fields *view, const struct inventory_item *item,
                          ompd_cl_platform_info_t *info)
{
    layout_value_set(&info->head.handle, view->handle, VALUE);
    text_set(&info->name, ompd_cl_source_layout,
             view->space->layout->runtimes.all[item->runtime].layout->runtime);
    info->name.status = PRESUMED;
}

static void fill_context(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_context_info_t *info)
{
    info->head.id = identifier_of_handle(ompd_cl_kind_context, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_get(view, layout_device_count, &info->devices);
    if (info->devices.status == UNKNOWN)
        layout_count(view, item, layout_devices, &info->devices);
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    layout_count(view, item, layout_destructors, &info->destructor_count);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

static void fill_queue(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_queue_info_t *info)
{
    uint64_t frees;
    ompd_rc_t rc;

    info->head.id = identifier_of_handle(ompd_cl_kind_queue, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_queue, info);
    rc = svm_pending_count(view->space, item, &frees);
    layout_value_read(view->space, &info->svm_frees, rc, frees, &view->rc);
    if (info->svm_frees.status == VALUE && inventory_may_miss(&view->space->layout->inventory)) {
        info->svm_frees.status = ompd_cl_status_at_least;
        if (!inventory_has_all(&view->space->layout->inventory) && view->rc == ompd_rc_ok)
            view->rc = ompd_rc_incomplete;
    }
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row)
{
    struct layout_fields view;
    ompd_cl_value_t status;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    *is_row = kind != ompd_cl_kind_svm_free || layout_svm_free_is_pending(&view, &status);
    if (!*is_row)
        return view.rc;
    layout_row_begin(space, kind, info);
    switch (kind) {
    case ompd_cl_kind_platform:
        fill_platform(&view, item, info);
        break;
    case ompd_cl_kind_context:
        fill_context(&view, item, info);
        break;
    case ompd_cl_kind_queue:
        fill_queue(&view, item, info);
        break;
    case ompd_cl_kind_memobj:
        layout_memobj_fill(&view, item, info);
        break;
    case ompd_cl_kind_svm_free:
        layout_svm_free_fill(&view, item, &status, info);
        break;
    case ompd_cl_kind_event:
        layout_event_fill(&view, item, info);
        break;
    case ompd_cl_kind_kernel:
        layout_kernel_fill(&view, item, info);
        break;
    case ompd_cl_kind_program:
        layout_program_fill(&view, item, info);
        break;
    case ompd_cl_kind_sampler:
        layout_sampler_fill(&view, item, info);
        break;
    }
    kin_row_presume(&space->layout->runtimes.all[item->runtime], kind, info);
    return view.rc;
}

#define BIT(kind) (UINT32_C(1) << layout_##kind)
#define MEMOBJS (BIT(buffer) | BIT(image) | BIT(pipe))

uint32_t layout_row_objects(uint32_t kind)
{
    static const uint32_t kinds[] = {
        [ompd_cl_kind_platform] = BIT(platform),
        [ompd_cl_kind_context] = BIT(context),
        [ompd_cl_kind_queue] = BIT(queue),
        [ompd_cl_kind_memobj] = MEMOBJS,
        [ompd_cl_kind_destructor] = MEMOBJS | BIT(context),
        [ompd_cl_kind_svm] = BIT(context),
        [ompd_cl_kind_svm_free] = BIT(event),
        [ompd_cl_kind_event] = BIT(event),
        [ompd_cl_kind_kernel] = BIT(kernel),
        [ompd_cl_kind_program] = BIT(program),
        [ompd_cl_kind_sampler] = BIT(sampler),
    };

    return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : 0;
}
