/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* report: a page with all that is known, to attach to a bug report. See context.h. */
#include <view/report/report.h>

#include <inttypes.h>
#include <string.h>
#include <sys/time.h>
#include <view/verbs/verbs.h>

/* The result of the page, for the answer of the command. */
struct outcome {
    uint64_t size;     /* bytes of the page */
    struct text graph; /* why there is no page */
};

/* ---- Head ------------------------------------------------------------------------------------ */

static void report_name_add(ompd_view_t *view, struct text *text)
{
    const char *program = view->use.program;

    if (program != NULL)
        text_escape(text, text_file_name(program));
    if (view->use.pid != 0)
        text_add(text, "%sprocess %" PRId64, text->length != 0 ? ", " : "", view->use.pid);
}

static const char *report_subject(const ompd_view_t *view)
{
    return view->options.is_of_embree ? "Embree" : "OpenCL";
}

static void write_head(struct view_page *page)
{
    struct text name = {0};

    report_name_add(page->view, &name);
    view_page_put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    view_page_put(page, view_page_policy);
    view_page_put(page, "\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<meta name=\"referrer\" content=\"no-referrer\">\n");
    view_page_add(page, "<title>%s in ", report_subject(page->view));
    view_page_escape(page, text_get(&name));
    view_page_put(page, "</title>\n<style>");
    view_page_put(page, view_page_style);
    view_page_put(page, "</style>\n</head>\n<body>\n"
                        "<a class=\"skip\" href=\"#main\">Skip to the verdicts</a>\n"
                        "<header>\n");
    view_page_add(page, "<p class=\"kind\">%s report</p>\n<h1>", report_subject(page->view));
    view_page_escape(page, name.length != 0 ? name.bytes : "A program");
    view_page_put(page, "</h1>\n");
    text_free(&name);
}

/* Write TITLE and TEXT as an entry of a list of facts, unless TEXT is empty. */
static void write_fact(struct view_page *page, const char *title, const char *text)
{
    struct text escaped = {0};

    if (text == NULL || text[0] == '\0')
        return;
    text_escape(&escaped, text);
    view_page_add(page, "<div><dt>%s</dt><dd>", title);
    view_page_escape(page, escaped.bytes);
    view_page_put(page, "</dd></div>\n");
    text_free(&escaped);
}

/* When the page was written. The state of a core is older. */
static void write_time(struct view_page *page)
{
    struct text text = {0};
    struct timeval now;

    gettimeofday(&now, NULL);
    time_format(&text, (uint64_t)now.tv_sec * 1000);
    text.length -= strlen(".000");
    text.bytes[text.length] = '\0';
    text_put(&text, " UTC");
    write_fact(page, "Report written", text.bytes);
    text_free(&text);
}

static void write_facts(struct view_page *page)
{
    const ompd_view_use_t *use = &page->view->use;

    view_page_put(page, "<dl class=\"facts\">\n");
    write_time(page);
    write_fact(page, "Program", use->program);
    write_fact(page, "Build-id", use->build_id);
    write_fact(page, use->file != NULL ? "Core" : "",
               use->file != NULL ? text_file_name(use->file) : NULL);
    view_page_put(page,
                  "</dl>\n</header>\n"
                  "<nav aria-label=\"Parts of the report\"><a href=\"#verdicts\">Verdicts</a> "
                  "<a href=\"#glance\">At a glance</a> <a href=\"#graph\">Graph</a> "
                  "<a href=\"#lists\">Lists</a> <a href=\"#versions\">Versions</a> "
                  "<a href=\"#marks\">Marks</a></nav>\n"
                  "<noscript><p class=\"note\">The list tables need the page's own script, "
                  "which does not run here. Everything else is shown.</p>"
                  "</noscript>\n<main id=\"main\">\n");
}

/* ---- Output of verbs ------------------------------------------------------------------------- */

/* The result of a verb, as a class and in words. */
struct verdict {
    const char *name;
    const char *words;
};

static struct verdict verdict_of(ompd_view_exit_t code, bool is_incomplete)
{
    if (code == ompd_view_exit_findings)
        return (struct verdict){"findings", "Findings"};
    if (code == ompd_view_exit_ok && !is_incomplete)
        return (struct verdict){"fine", "No findings"};
    if (code == ompd_view_exit_ok || code == ompd_view_exit_incomplete)
        return (struct verdict){"open", "Incomplete"};
    return (struct verdict){"open", "Unknown"};
}

/* Run RUN, and write its output into the page. */
static struct verdict report_verb_run(struct view_page *page, view_run_fn_t *run)
{
    ompd_view_t *view = page->view;
    const ompd_view_line_t line = {.is_json = false};
    bool was_incomplete = view->is_incomplete;
    struct verdict verdict;
    ompd_view_exit_t code;
    struct text why = {0};

    view->is_incomplete = false;
    view_page_put(page, "<div class=\"said\">");
    code = run(view, &line);
    view_flush(view);
    view_page_put(page, "</div>\n");
    verdict = verdict_of(code, view->is_incomplete);
    if (view_page_failure_take(page, &why))
        view_page_note(page, text_get(&why));
    view->is_incomplete |= was_incomplete;
    text_free(&why);
    return verdict;
}

static void report_verdict_write(struct view_page *page, const char *id, const char *title,
                                 view_run_fn_t *run)
{
    struct verdict verdict;

    view_page_add(page,
                  "<section class=\"verdict\" id=\"%s\" aria-labelledby=\"%s-title\">\n"
                  "<h3 id=\"%s-title\">%s</h3>\n",
                  id, id, id, title);
    verdict = report_verb_run(page, run);
    view_page_add(page, "<p class=\"badge %s\">%s</p>\n</section>\n", verdict.name, verdict.words);
}

static void write_verdicts(struct view_page *page)
{
    view_page_put(page, "<section id=\"verdicts\">\n<h2>Verdicts</h2>\n");
    report_verdict_write(page, "check", "Findings", view_check_run);
    if (!page->view->options.is_of_embree)
        report_verdict_write(page, "waits", "Waits", view_waits_run);
    report_verdict_write(page, "leaks", "Leaks", view_leaks_run);
    view_page_put(page, "</section>\n<section id=\"glance\">\n<h2>At a glance</h2>\n");
    report_verb_run(page, page->view->options.is_of_embree ? view_embree_run : view_overview_run);
    view_page_put(page, "</section>\n");
}

/* ---- Graph ----------------------------------------------------------------------------------- */

/* The front end's picture of GRAPH, which the front end owns. NULL if none; WHY receives the
 * reason. */
static const char *report_graph_draw(ompd_view_t *view, const struct view_graph *graph,
                                     size_t *size, struct text *why)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    struct text dot = {0};
    const char *picture = NULL;
    const char *reason = NULL;
    ompd_view_exit_t code = ompd_view_exit_usage;

    view_graph_dot_add(graph, view, &dot);
    if (front_end->draw == NULL)
        reason = "graphs cannot be drawn here";
    else
        code = front_end->draw(front_end->user_ptr, dot.bytes, &picture, &reason);
    view->is_stopped |= code == ompd_view_exit_stopped;
    text_free(&dot);
    if (code == ompd_view_exit_ok) {
        picture = picture != NULL ? view_svg_find(picture, size) : NULL;
        reason = NULL;
    }
    if (code == ompd_view_exit_ok && picture != NULL)
        return picture;
    text_escape(why, reason != NULL ? reason : "the output of dot is not a picture of a graph");
    return NULL;
}

static void write_picture(struct view_page *page, const char *picture, size_t size)
{
    struct text text = {0};

    text_append(&text, picture, size);
    view_page_put(page, "<figure class=\"graph\" tabindex=\"0\" role=\"group\" "
                        "aria-label=\"Graph of objects\">\n");
    view_page_put(page, text.bytes);
    view_page_put(
        page, "\n<figcaption>Arrows lead from an owner to its objects, from a sub-buffer to its "
              "parent, from a kernel to its program, and from a waiter to what it waits for. "
              "A dashed border means presumed, a dotted one doubtful.</figcaption>\n"
              "</figure>\n");
    text_free(&text);
}

/* Write the picture and its text. */
static void write_drawn(struct view_page *page, const struct view_graph *graph,
                        struct outcome *outcome)
{
    size_t size = 0;
    const char *picture = report_graph_draw(page->view, graph, &size, &outcome->graph);

    if (picture == NULL) {
        view_page_put(page, "<p class=\"note\">No graph: ");
        view_page_escape(page, text_get(&outcome->graph));
        view_page_put(page, ".</p>\n");
        return;
    }
    if (graph->is_grouped)
        view_page_add(page,
                      "<p class=\"about\">%" PRIu64 " objects are too many for one graph: objects "
                      "of a kind that were made at one place share a box.</p>\n",
                      graph->objects);
    if (graph->edges_left_out != 0)
        view_page_add(page, "<p class=\"note\">%" PRIu64 " more relations are not shown.</p>\n",
                      graph->edges_left_out);
    write_picture(page, picture, size);
}

static void write_graph(struct view_page *page, struct outcome *outcome)
{
    ompd_view_t *view = page->view;
    struct view_graph graph;
    struct text why = {0};

    view_page_put(page, "<section id=\"graph\">\n<h2>Graph</h2>\n");
    view_graph_make(&graph, view);
    if (view_page_failure_take(page, &why))
        view_page_note(page, text_get(&why));
    if (graph.node_count != 0 && !view->is_stopped)
        write_drawn(page, &graph, outcome);
    else if (!view->is_stopped)
        view_page_put(page, "<p class=\"empty\">There are no objects.</p>\n");
    view_page_put(page, "</section>\n");
    view_graph_free(&graph);
    text_free(&why);
}

/* ---- Versions -------------------------------------------------------------------------------- */

/* Write a runtime: its file, build-id and layout. */
static void write_runtime(struct view_page *page, const struct view_row *runtime)
{
    struct view_value layout = view_row_value(runtime, "layout");
    struct view_value build_id = view_row_value(runtime, "build_id");
    struct text text = {0};

    view_text_read(page->view, view_row_value(runtime, "module"), &text);
    if (view_value_is_known(build_id) && build_id.text[0] != '\0')
        text_add(&text, ", build-id %s", build_id.text);
    if (view_value_is_known(layout))
        text_add(&text, ", layout %s", layout.text);
    else
        text_put(&text, ", no layout");
    write_fact(page, "Runtime", text.bytes);
    text_free(&text);
}

static void write_sources(struct view_page *page, const struct view_row *overview)
{
    struct view_sources sources;
    struct text text = {0};

    if (view_sources_have_recorder(overview))
        text_add(&text, "registry %" PRIu64 ".%" PRIu64,
                 view_row_number(overview, "recorder_major"),
                 view_row_number(overview, "recorder_minor"));
    write_fact(page, "Recorder", text.length != 0 ? text.bytes : "none in the program");
    view_sources_find(&sources, page->view, overview);
    for (size_t i = 0; i < sources.runtimes.count; i++) {
        struct view_row runtime = view_rows_get(&sources.runtimes, i);

        write_runtime(page, &runtime);
    }
    view_sources_free(&sources);
    text_free(&text);
}

static void write_versions(struct view_page *page, const struct view_row *overview)
{
    uint32_t major = 0;
    uint32_t minor = 0;
    struct text text = {0};

    ompd_cl_version_get(&major, &minor);
    text_add(&text, "ompd-opencl %" PRIu32 ".%" PRIu32, major, minor);
    view_page_put(page, "<section id=\"versions\">\n<h2>Versions</h2>\n<dl class=\"facts\">\n");
    write_fact(page, "Library", text.bytes);
    if (!page->view->options.is_of_embree)
        write_sources(page, overview);
    view_page_put(page, "</dl>\n</section>\n");
    text_free(&text);
}

static void write_marks(struct view_page *page)
{
    view_page_put(
        page,
        "<section id=\"marks\">\n<h2>Marks</h2>\n<dl class=\"marks\">\n"
        "<div><dt>" VIEW_PRESUMED "</dt><dd>presumed, not proved; before a row number: the object "
        "itself is presumed</dd></div>\n"
        "<div><dt>" VIEW_DOUBTFUL "</dt><dd>a doubtful object; its details say why</dd></div>\n"
        "<div><dt>" VIEW_UNKNOWN "</dt><dd>unknown; the row's details say why</dd></div>\n"
        "<div><dt>-</dt><dd>not applicable</dd></div>\n</dl>\n"
        "<p class=\"about\">This page has no contents of buffers or SVM allocations."
        "</p>\n</section>\n");
}

/* ---- The verb -------------------------------------------------------------------------------- */

static void write_page(struct view_page *page, const struct view_row *overview,
                       struct outcome *outcome)
{
    ompd_view_t *view = page->view;

    write_head(page);
    write_facts(page);
    write_verdicts(page);
    if (!view->is_stopped)
        write_graph(page, outcome);
    view_page_put(page, "<section id=\"lists\">\n<h2>Lists</h2>\n");
    view_page_lists_write(page);
    view_page_put(page, "</section>\n");
    if (!view->is_stopped)
        write_versions(page, overview);
    write_marks(page);
    view_page_put(page, "</main>\n<script>");
    view_page_put(page, view_page_script);
    view_page_put(page, "</script>\n</body>\n</html>\n");
}

static void report_json_write(ompd_view_t *view, const char *file, const struct outcome *outcome)
{
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_string(&json, "file", file);
    json_number(&json, "bytes", (int64_t)outcome->size);
    json_boolean(&json, "has_graph", outcome->graph.length == 0);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

static void report_sentence_write(ompd_view_t *view, const char *file,
                                  const struct outcome *outcome)
{
    struct text text = {0};

    text_put(&text, "Report written to ");
    text_escape(&text, file);
    text_put(&text, ": ");
    size_format(&text, outcome->size);
    text_put(&text, ", without buffer contents.\n");
    view_write(view, text.bytes);
    text_clear(&text);
    if (outcome->graph.length != 0)
        text_add(&text, "The report has no graph: %s.", outcome->graph.bytes);
    if (text.length != 0)
        view_note_write(view, "", text.bytes);
    text_free(&text);
}

ompd_view_exit_t view_report_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_row overview = {view_kind_get(ompd_cl_kind_overview), (const void *)&info};
    struct outcome outcome = {.size = 0};
    struct view_page *page;

    /* Without a source of objects there is nothing to report. */
    if (!view_embree_only_check(view, ompd_cl_overview_get(view->use.space, &info)))
        return view_result(view);
    page = view_page_begin(view, line->operands[0]);
    if (page == NULL)
        return view_result(view);
    /* Addresses have other names on the page than in the commands before and after it. */
    view_name_cache_forget(view, view->use.space, false);
    write_page(page, &overview, &outcome);
    view_name_cache_forget(view, view->use.space, false);
    view->rows_written = 0;
    if (view_page_end(page, &outcome.size)) {
        if (view->options.is_json)
            report_json_write(view, line->operands[0], &outcome);
        else
            report_sentence_write(view, line->operands[0], &outcome);
    }
    text_free(&outcome.graph);
    return view_result(view);
}
