/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a program died of a signal: where it was, or what it waited for. */
#include <command/run/run.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>

#define MOST_SHOWN 24 /* frames in text: a recursion may be endless */

/* A signal that the thread's own actions raised. */
struct death {
    struct command_session *session;
    siginfo_t signal;
    uint32_t lwp;
    struct command_call_places calls; /* call stack of the thread, without frames that only pass
                                       * calls on */
    size_t caller;    /* index of the caller of OpenCL or the C library; calls.count: unknown */
    bool has_called;  /* the first frame is an address that is not code */
    bool is_in_call;  /* it is in an OpenCL call, according to the recorder */
    bool is_callback; /* it is in an OpenCL callback */
    const char *call; /* the OpenCL function; NULL: unknown */
};

/* Whether SIGNAL was raised by an action of process PID itself and indicates a mistake.  Other
 * signals come from the user, though a handler may have sent them to its own process again. */
static bool is_own(const siginfo_t *signal, pid_t pid)
{
    switch (signal->si_signo) {
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT:
        return signal->si_code > 0 || signal->si_pid == pid;
    default:
        return false;
    }
}

bool command_signal_is_of_mistake(const siginfo_t *signal)
{
    return signal->si_signo == SIGTRAP && signal->si_code == SI_QUEUE &&
           signal->si_value.sival_int > 0;
}

/* Whether SIGNAL has the address of the failed access. */
static bool has_address(const siginfo_t *signal)
{
    return (signal->si_signo == SIGSEGV || signal->si_signo == SIGBUS) && signal->si_code > 0 &&
           signal->si_code != SI_KERNEL;
}

/* Whether no memory is mapped at the address of SIGNAL, according to the kernel. */
static bool is_unmapped(const siginfo_t *signal)
{
    return signal->si_signo == SIGSEGV && signal->si_code == SEGV_MAPERR;
}

static uint64_t address_of(const siginfo_t *signal)
{
    return (uint64_t)(uintptr_t)signal->si_addr;
}

/* ---- The call stack -------------------------------------------------------------------------- */

static bool is_in(const struct command_call_place *call, const char *library)
{
    return call->library != NULL && strncmp(call->library, library, strlen(library)) == 0;
}

static bool is_of_c_library(const struct command_call_place *call)
{
    return is_in(call, "libc.so.") || is_in(call, "libpthread.so.") || is_in(call, "[vdso]");
}

/* Whether CALL only passes on the program's calls: a frame of the recorder or the OpenCL loader. */
static bool passes_on(const struct command_call_place *call)
{
    return is_in(call, COMMAND_RECORDER) || is_in(call, "libOpenCL.so");
}

/* Whether CALL is in C++ bindings of OpenCL rather than in the program's own code. */
static bool is_wrapper(const struct command_call_place *call)
{
    return call->is_binding ||
           (call->function != NULL && (strstr(call->function, "cl::") == call->function ||
                                       strstr(call->function, " cl::") != NULL));
}

/* Drop frames of no interest: those inside a function of the C library, those that start a
 * thread, and those that only pass calls on. */
static void choose_calls(struct death *death)
{
    struct command_call_places *calls = &death->calls;
    size_t first = 0;
    size_t kept = 0;

    /* At a mistake the recorder called the C library, not the program. */
    while (
        first + 1 < calls->count && is_of_c_library(&calls->all[first]) &&
        (is_of_c_library(&calls->all[first + 1]) || command_signal_is_of_mistake(&death->signal)))
        first++;
    while (calls->count > first + 1 && is_of_c_library(&calls->all[calls->count - 1]))
        calls->count--;
    death->caller = SIZE_MAX;
    for (size_t i = first; i < calls->count; i++) {
        const struct command_call_place *call = &calls->all[i];
        bool is_callers = death->is_in_call ? passes_on(call) : !is_of_c_library(call);

        if (is_callers && death->caller == SIZE_MAX)
            death->caller = kept;
        if (!passes_on(call) && (kept == 0 || !is_wrapper(call)))
            calls->all[kept++] = *call;
    }
    calls->count = kept;
}

/* Find out from the recorder what the thread is doing. */
static void find_call(struct death *death)
{
    struct command_session *session = death->session;
    const ompd_cl_thread_info_t *thread;
    struct command_rows threads;

    command_rows_open_optional(&threads, session, ompd_cl_kind_thread, NULL);
    while ((thread = command_rows_next(&threads)) != NULL) {
        uint64_t state = thread->state.value;

        if (thread->head.handle.value != death->lwp || thread->state.status != ompd_cl_status_value)
            continue;
        death->is_callback = state < 64 && (OMPD_CL_STATES_IN_CALLBACK >> state & 1) != 0;
        death->is_in_call = !death->is_callback && state != ompd_cl_thread_state_outside;
        if (death->is_in_call && thread->call.status == ompd_cl_status_value)
            death->call = command_number_name(ompd_cl_kind_thread, "call", thread->call.value);
    }
    command_rows_close(&threads);
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Add "address 0x10 in memcpy in libc.so.6", or "called address 0x0 in step at app.c:9". */
static void death_place_add(const struct death *death, struct text *text)
{
    const struct command_call_places *calls = &death->calls;

    if (death->has_called) {
        text_add(text, " by calling address 0x%" PRIx64 ", which is not code,",
                 calls->all[0].address);
    } else if (has_address(&death->signal)) {
        text_add(text, " for %saddress 0x%" PRIx64, is_unmapped(&death->signal) ? "unmapped " : "",
                 address_of(&death->signal));
    }
    if (calls->count > death->has_called) {
        text_add(text, " in ");
        command_call_place_describe(&calls->all[death->has_called], text);
    } else if (calls->count == 0) {
        text_add(text, " at an unknown place");
    }
}

/* Add "LWP 4711 got SIGSEGV for unmapped address 0x10 in memcpy in libc.so.6, in
 * clEnqueueReadBuffer, called from load at blur.c:30". */
static void death_sentence_add(const struct death *death, struct text *text)
{
    const struct command_call_places *calls = &death->calls;

    text_add(text, "LWP %" PRIu32, death->lwp);
    if (command_signal_is_of_mistake(&death->signal)) {
        text_put(text, " was stopped at the first mistake");
    } else {
        text_put(text, " got ");
        command_signal_add(text, death->signal.si_signo);
        death_place_add(death, text);
    }
    if (death->is_callback)
        text_add(text, ", in an OpenCL callback");
    if (death->is_in_call)
        text_add(text, ", in %s", death->call != NULL ? death->call : "an OpenCL call");
    if (death->caller < calls->count &&
        (death->caller > death->has_called || command_signal_is_of_mistake(&death->signal))) {
        text_add(text, ", called from ");
        command_call_place_describe(&calls->all[death->caller], text);
    }
    text_add(text, calls->count != 0 ? ":\n" : ".\n");
}

static void death_write_text(const struct death *death)
{
    const struct command_call_places *calls = &death->calls;
    struct text text = {0};

    death_sentence_add(death, &text);
    for (size_t i = 0; i < calls->count && i < MOST_SHOWN; i++) {
        text_add(&text, "    #%-2zu ", i);
        if (i < death->has_called)
            text_put_hexadecimal(&text, calls->all[i].address);
        else
            command_call_place_describe(&calls->all[i], &text);
        text_add(&text, "\n");
    }
    if (calls->count > MOST_SHOWN)
        text_add(&text, "    (more frames follow)\n");
    ompd_view_text_write(death->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

static void death_call_write_json(ompd_view_t *view, const struct command_call_place *call)
{
    ompd_view_json_begin(view, NULL, false);
    command_json_address(view, "address", call->address);
    if (call->function != NULL)
        command_json_text(view, "symbol", call->function);
    if (call->file != NULL) {
        command_json_text(view, "file", call->file);
        command_json_number(view, "line", call->line);
    }
    if (call->library != NULL)
        command_json_text(view, "library", call->library);
    ompd_view_json_end(view);
}

static void death_write_json(const struct death *death)
{
    ompd_view_t *view = death->session->view;
    struct text signal = {0};

    command_signal_add(&signal, death->signal.si_signo);
    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "died_of", signal.bytes);
    command_json_number(view, "lwp", death->lwp);
    if (has_address(&death->signal))
        command_json_address(view, "address", address_of(&death->signal));
    if (death->call != NULL)
        command_json_text(view, "call", death->call);
    command_json_boolean(view, "is_in_callback", death->is_callback);
    ompd_view_json_begin(view, "calls", true);
    for (size_t i = 0; i < death->calls.count; i++)
        death_call_write_json(view, &death->calls.all[i]);
    ompd_view_json_end(view);
    ompd_view_json_end(view);
    text_free(&signal);
}

/* Run the view's verb WORDS, and write its output only if its exit code is CODE. */
static void write_if(struct command_session *session, const char *const *words, size_t count,
                     ompd_view_exit_t code)
{
    FILE *output = session->output;
    char *answer = NULL;
    size_t size = 0;
    bool is_wanted;

    ompd_view_text_flush(session->view);
    session->output = open_memstream(&answer, &size);
    if (session->output == NULL) {
        session->output = output;
        return;
    }
    is_wanted = command_session_run(session, words, count) == code;
    fclose(session->output);
    session->output = output;
    if (is_wanted)
        fwrite(answer, 1, size, output);
    free(answer);
}

/* Write where the thread was that died by its own action, and what is known about the address. */
static void write_crash(struct death *death)
{
    struct command_session *session = death->session;
    char address[32];
    const char *object[] = {"object", address};
    size_t first;

    find_call(death);
    first = command_reraised_signal_find(session, death->lwp, &death->signal);
    command_call_places_of_thread(&death->calls, session, death->lwp, first);
    choose_calls(death);
    death->has_called =
        death->calls.count != 0 && !command_may_be_code(session, death->calls.all[0].address);
    if (session->is_json)
        death_write_json(death);
    else
        death_write_text(death);
    snprintf(address, sizeof(address), "0x%" PRIx64, address_of(&death->signal));
    if (has_address(&death->signal) && address_of(&death->signal) != 0)
        write_if(session, object, 2, ompd_view_exit_ok);
    command_call_places_free(&death->calls);
}

bool command_death_is_own(const struct command_trace *trace)
{
    return trace->signal_lwp != 0 && trace->signal.si_signo == WTERMSIG(trace->status) &&
           is_own(&trace->signal, trace->pid);
}

void command_death_write(struct command_session *session, const struct command_trace *trace)
{
    static const char *const waits[] = {"waits"};
    struct death death = {
        .session = session, .signal = trace->signal, .lwp = (uint32_t)trace->signal_lwp};

    if (command_death_is_own(trace))
        write_crash(&death);
    else
        command_session_run(session, waits, 1);
}
