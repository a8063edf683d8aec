/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A call of a public function with correct arguments, the memory that it writes to, and its answer,
 * which can be compared with that of another session. */
#ifndef SWEEP_REQUEST_H
#define SWEEP_REQUEST_H

#include "session.h"
#include "signatures.h"

/* Rows and frames that are asked for at once, and that there is room for: more than a target of the
 * sweeps has, so that a capacity that is too large does no harm. */
#define SWEEP_CAPACITY 16
#define SWEEP_ROOM 256

/* Memory that an argument points into, with more on both sides than the library may use. */
struct sweep_memory {
    uint8_t *bytes;  /* as the library left them; NULL when the argument is not a pointer */
    uint8_t *before; /* as they must be before each call */
    size_t size;
};

struct sweep_request {
    const struct sweep_signature *signature;
    struct sweep_session *session;
    const struct sweep_facts *facts;
    unsigned variant;
    uint64_t words[SWEEP_ARGUMENT_LIMIT]; /* the passed value */
    struct sweep_memory memory[SWEEP_ARGUMENT_LIMIT];
    ompd_rc_t rc; /* of the call */

    /* An object created for the call and released after it; 0 once the call itself has destroyed
     * it. */
    ompd_address_space_handle_t *device;
    ompd_thread_handle_t *threads[SWEEP_ARGUMENT_LIMIT];
    ompd_cl_list_t list;
    const char *const *variables;
    bool is_initialized;
};

/* In how many ways SIGNATURE is called: at least one.  Scopes, ICVs and kinds of native ids. */
unsigned sweep_request_variants(const struct sweep_signature *signature,
                                const struct sweep_facts *facts);

/* Make a request with the arguments of VARIANT.  SESSION has an address space.  Returns false when
 * the target has no object to ask about, or making one ready failed. */
bool sweep_request_begin(struct sweep_request *request, struct sweep_session *session,
                         const struct sweep_facts *facts, const struct sweep_signature *signature,
                         unsigned variant);

/* Make the call.  It may be made again: out parameters are then as before the first. */
ompd_rc_t sweep_request_send(struct sweep_request *request);

/* Whether the last call left all memory as it was. */
bool sweep_request_is_untouched(const struct sweep_request *request);

/* Whether the last call wrote only where it may: into what an argument points to, and no more
 * rows and frames than the capacity that was passed. */
bool sweep_request_is_within(const struct sweep_request *request);

/* The beginning of what argument number I points to, where it is set for the next calls; NULL when
 * it is not a pointer. */
void *sweep_request_memory(const struct sweep_request *request, unsigned i);
void *sweep_request_memory_before(struct sweep_request *request, unsigned i);

/* Release, close or free the results of the last call. To be called after each sweep_request_send
 * that may have returned ompd_rc_ok. */
void sweep_request_undo(struct sweep_request *request);

/* Free the request and what was made for it. */
void sweep_request_end(struct sweep_request *request);

/* The answer of a call, in a form that is the same in each session. Ids, handles and addresses of
 * the library are reduced to whether they exist, and texts stand for their pointers. */
struct sweep_answer {
    ompd_rc_t rc;
    size_t sizes[SWEEP_ARGUMENT_LIMIT];
    uint8_t *bytes[SWEEP_ARGUMENT_LIMIT];
};

/* Store the answer of the last call; to be called before sweep_request_undo. */
void sweep_answer_take(struct sweep_answer *answer, const struct sweep_request *request);

/* Query SESSION with VARIANT, and release the results. Returns false, with no answer, when there is
 * nothing to query. */
bool sweep_answer_get(struct sweep_answer *answer, struct sweep_session *session,
                      const struct sweep_facts *facts, const struct sweep_signature *signature,
                      unsigned variant);

/* The same in a separate session, which then ends; also false when it leaks. */
bool sweep_answer_get_apart(struct sweep_answer *answer, const struct sweep_target *target,
                            const struct sweep_facts *facts,
                            const struct sweep_signature *signature, unsigned variant);

bool sweep_answer_equals(const struct sweep_answer *a, const struct sweep_answer *b);
void sweep_answer_free(struct sweep_answer *answer);

#endif
