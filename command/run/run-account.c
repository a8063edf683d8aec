/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads a process of a run at its end, while its memory is readable. */
#include <command/run/run.h>

#include <sys/wait.h>

bool run_account_open(struct run_account *account, const struct command_trace *trace)
{
    struct command_session *session = account->session;

    session->options.pid = trace->pid;
    session->options.leaves_running = true; /* it is stopped already, and cannot be traced twice */
    session->traced = trace->threads;
    session->traced_count = trace->thread_count;
    session->own_lwps = trace->is_forked ? trace->own_lwps : NULL;
    session->own_count = trace->own_count;
    if (!command_session_open_now(session))
        return false;
    /* The runtime's own objects are not the program's. */
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder);
    return true;
}

/* Find out how the process, whose session is open, uses OpenCL.  Returns false on failure. */
static bool find_usage(struct run_account *account)
{
    struct command_session *session = account->session;
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    account->is_unrecorded = command_recorder_is_missing(session);
    if (account->is_unrecorded)
        return false;
    if (ompd_view_rc_check(session->view, ompd_cl_overview_get(session->space, &info)) !=
        ompd_rc_ok)
        return false;
    if (session->own_lwps == NULL) {
        account->over_releases = info.over_releases.value;
        account->loaders_refused = info.loaders_refused.value;
    }
    account->is_thorough = info.is_thorough.value != 0;
    account->is_interpreter = command_is_interpreter(session->info.program);
    return true;
}

/* Make the session write to memory, which *TEXT and *LENGTH receive.  Returns NULL if out of
 * memory. */
static FILE *begin_writing(struct run_account *account, char **text, size_t *length)
{
    FILE *file = open_memstream(text, length);

    if (file == NULL)
        command_session_fail(account->session, ompd_view_exit_unreadable,
                             "Out of memory while writing the report");
    else
        account->session->output = file;
    return file;
}

static void end_writing(struct run_account *account, FILE *file)
{
    ompd_view_text_flush(account->session->view);
    account->session->output = account->output;
    fclose(file);
}

/* Write how the process died. */
static void write_death(struct run_account *account, const struct command_trace *trace)
{
    FILE *file = begin_writing(account, &account->death, &account->death_length);

    if (file == NULL)
        return;
    command_death_write(account->session, trace);
    end_writing(account, file);
}

/* Write what is left alive.  HAS_DIED: a signal ended the process. */
static void write_leak_report(struct run_account *account, bool has_died)
{
    struct command_session *session = account->session;
    struct command_leak_report *leaks = command_leak_report_find(
        session, has_died || account->is_interpreter, account->suppressions, account->baseline);

    account->suppressed = command_leak_report_suppressed(leaks);
    account->has_left = command_leak_report_exist(leaks);
    command_leak_report_write(leaks);
    command_leak_report_free(leaks);
}

/* Write everything else that was found. */
static void write_facts(struct run_account *account, const struct command_trace *trace)
{
    bool has_died = WIFSIGNALED(trace->status) && !trace->is_replaced;
    FILE *file = begin_writing(account, &account->facts, &account->length);
    struct command_facts *facts;

    if (file == NULL)
        return;
    facts = command_facts_find(account->session, trace);
    command_facts_sum(facts, &account->counts);
    command_facts_write(facts);
    command_facts_free(facts);
    if (!trace->is_detached)
        write_leak_report(account, has_died);
    end_writing(account, file);
}

/* Symbols are available only while the process exists. */
void run_account_find(struct run_account *account, const struct command_trace *trace)
{
    if (WIFSIGNALED(trace->status) && !trace->is_replaced)
        write_death(account, trace);
    if (find_usage(account))
        write_facts(account, trace);
}
