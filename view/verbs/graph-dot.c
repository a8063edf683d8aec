/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h: the graph in DOT, the language of Graphviz, and the verb that writes it. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* Add LINES in quotes. In DOT a backslash begins an escape sequence, and an ampersand a
 * character entity. */
static void add_quoted(struct text *text, const char *lines)
{
    text_put(text, "\"");
    for (; *lines != '\0'; lines++) {
        switch (*lines) {
        case '"':
        case '\\':
            text_add(text, "\\%c", *lines);
            break;
        case '\n':
            text_put(text, "\\n");
            break;
        case '&':
            text_put(text, "&amp;");
            break;
        default:
            text_append(text, lines, 1);
            break;
        }
    }
    text_put(text, "\"");
}

/* Add the call site of the objects of GROUP. */
static void graph_dot_place_add(const struct view_graph_node *group, ompd_view_t *view,
                                struct text *text)
{
    if (group->caller == UINT64_MAX) {
        text_put(text, "made elsewhere");
    } else if (group->caller == 0) {
        text_put(text, "made at\nan unknown place");
    } else {
        text_put(text, "made at\n");
        view_site_describe(view, view_site_get(view, group->caller, 0), text);
    }
}

/* Describe NODE in TEXT, as lines. */
static void add_label(const struct view_graph *graph, const struct view_graph_node *node,
                      ompd_view_t *view, struct text *text)
{
    if (!graph->is_grouped) {
        text_put(text, node->label);
        return;
    }
    count_add(text, node->count, node->kind->noun->singular, node->kind->noun->plural);
    if (view_kind_field(node->kind, view_kind_size(node->kind)) != NULL) {
        text_put(text, node->lacks_bytes ? "\nat least " : "\n");
        size_format(text, node->bytes);
    }
    text_put(text, "\n");
    graph_dot_place_add(node, view, text);
}

static void add_node(const struct view_graph *graph, size_t index, ompd_view_t *view,
                     struct text *text)
{
    const struct view_graph_node *node = &graph->nodes[index];
    struct text label = {0};

    add_label(graph, node, view, &label);
    text_add(text, "  n%zu [class=\"%s\", label=", index + 1, node->kind->name);
    add_quoted(text, label.bytes);
    if (node->doubtful != 0)
        text_put(text, ", style=\"dotted\"");
    else if (node->presumed != 0)
        text_put(text, ", style=\"dashed\"");
    text_put(text, "];\n");
    text_free(&label);
}

static void graph_dot_edge_add(const struct view_graph *graph, size_t index, struct text *text)
{
    const struct view_graph_edge *edge = &graph->edges[index];
    bool is_turned = edge->relation == view_relation_part_of || edge->relation == view_relation_of;
    struct text label = {0};

    /* Parts are drawn after the objects that contain them. */
    text_add(text, "  n%" PRIu32 " -> n%" PRIu32 " [class=\"%s\"",
             (is_turned ? edge->to : edge->from) + 1, (is_turned ? edge->from : edge->to) + 1,
             edge->relation == view_relation_waits ? "waits" : "has");
    if (is_turned)
        text_put(text, ", dir=\"back\"");
    if (edge->relation != view_relation_has)
        text_put(&label, view_relation_name(edge->relation));
    if (edge->count > 1)
        text_add(&label, "%s%" PRIu64, label.length != 0 ? " " : "", edge->count);
    if (label.length != 0) {
        text_put(text, ", label=");
        add_quoted(text, label.bytes);
    }
    text_put(text, "];\n");
    text_free(&label);
}

void view_graph_dot_add(const struct view_graph *graph, ompd_view_t *view, struct text *text)
{
    text_add(text, "digraph \"%s\" {\n", view->options.is_of_embree ? "Embree" : "OpenCL");
    text_put(text, "  rankdir=\"LR\"; nodesep=\"0.15\"; ranksep=\"0.6\";\n"
                   "  node [shape=\"box\", fontname=\"Courier\", fontsize=\"10\", height=\"0.3\", "
                   "margin=\"0.12,0.06\"];\n"
                   "  edge [fontname=\"Courier\", fontsize=\"9\", arrowsize=\"0.6\"];\n");
    for (size_t i = 0; i < graph->node_count; i++)
        add_node(graph, i, view, text);
    for (size_t i = 0; i < graph->edge_count; i++)
        graph_dot_edge_add(graph, i, text);
    text_put(text, "}\n");
}

/* ---- The verb -------------------------------------------------------------------------------- */

static void write_node(const struct view_graph *graph, size_t index, ompd_view_t *view)
{
    const struct view_graph_node *node = &graph->nodes[index];
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_number(&json, "node", (int64_t)index + 1);
    json_string(&json, "kind", node->kind->name);
    if (!graph->is_grouped && node->handle != 0)
        json_hexadecimal(&json, "handle", node->handle);
    json_number(&json, "count", (int64_t)node->count);
    if (node->presumed != 0 || node->doubtful != 0)
        json_presumed(&json, "count");
    if (view_kind_field(node->kind, view_kind_size(node->kind)) != NULL)
        json_number(&json, "bytes", (int64_t)node->bytes);
    if (node->lacks_bytes)
        json_at_least(&json, "bytes");
    if (graph->is_grouped && node->caller != 0 && node->caller != UINT64_MAX) {
        json_hexadecimal(&json, "caller", node->caller);
        view_json_site(view, &json, node->caller);
    }
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

static void write_edge(const struct view_graph_edge *edge, ompd_view_t *view)
{
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_number(&json, "from", (int64_t)edge->from + 1);
    json_number(&json, "to", (int64_t)edge->to + 1);
    json_string(&json, "relation", view_relation_name(edge->relation));
    json_number(&json, "count", (int64_t)edge->count);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

static void graph_dot_json_write(const struct view_graph *graph, ompd_view_t *view)
{
    for (size_t i = 0; i < graph->node_count; i++)
        write_node(graph, i, view);
    for (size_t i = 0; i < graph->edge_count; i++)
        write_edge(&graph->edges[i], view);
}

static void write_dot(const struct view_graph *graph, ompd_view_t *view)
{
    struct text text = {0};

    view_graph_dot_add(graph, view, &text);
    /* Lines of DOT must not be wrapped, however narrow the terminal is. */
    view->width = SIZE_MAX;
    view_write(view, text.bytes);
    text_free(&text);
}

ompd_view_exit_t view_graph_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_graph graph;

    (void)line;
    /* Without a source of objects there is no graph. */
    if (!view_embree_only_check(view, ompd_cl_overview_get(view->use.space, &info)))
        return view_result(view);
    view_graph_make(&graph, view);
    view->is_incomplete |= graph.edges_left_out != 0;
    if (view->failure == ompd_view_exit_ok && view->options.is_json)
        graph_dot_json_write(&graph, view);
    else if (view->failure == ompd_view_exit_ok)
        write_dot(&graph, view);
    view_graph_free(&graph);
    return view_result(view);
}
