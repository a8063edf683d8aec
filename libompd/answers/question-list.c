/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of the rows that answer a question. */
#include "answers/answers.h"
#include "answers/kept.h"

/* Open the sources that QUESTION needs. Returns ompd_rc_ok, or the reason for their absence. */
static ompd_rc_t question_open(struct address_space *space, const struct question *question)
{
    return question->is_of_embree_too ? sources_open_any(space) : sources_open(space);
}

/* Find the rows of this stop for LIST. Returns ompd_rc_ok, or the reason for their absence. */
static ompd_rc_t question_ask(struct address_space *space, const struct list *list,
                              struct kept_rows *kept)
{
    struct shortfall *missing = &kept->missing;
    uint32_t sources = space->sources;
    ompd_rc_t rc = question_open(space, list->question);

    if (rc != ompd_rc_ok || kept_rows_are_good(space, kept, list->handle, list->given != 0))
        return rc;
    kept_rows_begin(kept, list->handle);
    if (list->question->is_of_all)
        space->sources &= ~SOURCES_UNCHOSEN;
    rc = list->question->find(space, kept);
    space->sources = sources;
    if (rc != ompd_rc_ok)
        return rc;
    if (missing->failures != 0 && missing->reason == NULL && shortfall_bytes(missing) == 0)
        missing->reason = list->question->reason;
    kept_rows_end(space, kept);
    return ompd_rc_ok;
}

/* Record what the answer leaves open, as the lists that it is made of do. */
static ompd_rc_t question_note(struct address_space *space, const struct question *question)
{
    notes_clear(space);
    if (question->parts != 0 && space->layout->inventory.stop == space->target.stop)
        notes_record(space, question->parts);
    return question->note != NULL ? question->note(space) : ompd_rc_ok;
}

static ompd_rc_t question_list_fill(struct address_space *space, struct list *list,
                                    struct batch *batch)
{
    struct kept_rows *kept = &space->kept->rows[list->question->number];
    size_t size = kind_find(list->kind)->struct_size;
    ompd_rc_t rc = question_ask(space, list, kept);

    if (rc != ompd_rc_ok)
        return rc;
    rc = question_note(space, list->question);
    if (rc_is_final(rc))
        return rc;
    list->missing = kept->missing;
    shortfall_note(&list->missing, rc == ompd_rc_incomplete);
    while (list->given < kept->count && batch->count < batch->capacity)
        batch_add(list, batch, (const char *)kept->rows + list->given++ * size, ompd_rc_ok);
    return ompd_rc_ok;
}

ompd_rc_t question_list_open(struct address_space *space, const struct question *question,
                             uint64_t subject, ompd_cl_list_t *id)
{
    struct list *list;
    ompd_rc_t rc = question_open(space, question);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    list = list_open(space, question->kind, question_list_fill, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->question = question;
    list->handle = subject;
    return ompd_rc_ok;
}
