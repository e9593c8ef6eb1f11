/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/json_reader.h"
#include "result/references.h"

static void read_regions(struct reader *rd, const json_t *object, struct result_run *run)
{
    const json_t *array = reader_array(rd, object, "regions");
    for (size_t i = 0; array && i < json_array_size(array) && !rd->error; i++) {
        size_t back = reader_down(rd, "regions", (long)i);
        struct result_region *reg = result_add_region(run);
        if (!reg)
            reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        else
            reader_fields(rd, json_array_get(array, i), result_region_fields, run, reg);
        reader_up(rd, back);
    }
}

static void read_timeline(struct reader *rd, const json_t *object, struct result_run *run)
{
    const json_t *array = reader_array(rd, object, "timeline");
    for (size_t i = 0; array && i < json_array_size(array) && !rd->error; i++) {
        const json_t *item = json_array_get(array, i);
        size_t back = reader_down(rd, "timeline", (long)i);
        struct result_window *win = result_add_window(run);
        if (!win) {
            reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        } else {
            reader_fields(rd, item, result_window_fields, run, win);
            reader_numbers(rd, item, "server_writes", win->server_writes, run->servers_len);
            reader_numbers(rd, item, "server_tails", win->server_tails, run->servers_len);
        }
        reader_up(rd, back);
    }
}

static void read_inputs(struct reader *rd, json_t *inputs, struct result_run *run, struct result_event *ev)
{
    const char *name;
    json_t *value;
    if (!inputs)
        return;
    size_t back = reader_down(rd, "inputs", -1);
    if (!json_is_object(inputs) || json_object_size(inputs) > RESULT_INPUTS)
        reader_fault(rd, RESULT_READ_CONTENT, "an object of at most %d numbers is expected", RESULT_INPUTS);
    json_object_foreach(inputs, name, value) {
        if (rd->error)
            break;
        const char *kept = result_keep_text(run, name);

        if (!kept || result_event_add_input(ev, kept, reader_number(rd, value)) != 0)
            reader_fault(rd, RESULT_READ_MEMORY, "no memory");
    }
    reader_up(rd, back);
}

static void read_events(struct reader *rd, const json_t *object, struct result_run *run)
{
    const json_t *array = reader_array(rd, object, "events");
    for (size_t i = 0; array && i < json_array_size(array) && !rd->error; i++) {
        const json_t *item = json_array_get(array, i);
        size_t back = reader_down(rd, "events", (long)i);
        struct result_event *ev = result_add_event(run);
        if (!ev) {
            reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        } else {
            reader_fields(rd, item, result_event_fields, run, ev);
            read_inputs(rd, json_object_get(item, "inputs"), run, ev);
        }
        reader_up(rd, back);
    }
}

static void read_keyspace_rows(struct reader *rd, const json_t *object, struct result_keyspace *ks)
{
    const json_t *edges = reader_array(rd, object, "edges"), *buckets = reader_array(rd, object, "row_bucket");
    if (!buckets || json_array_size(buckets) != ks->rows) {
        reader_fault(rd, RESULT_READ_CONTENT, "edges, row_bucket, cells and server must have equally many rows");
        return;
    }
    for (size_t r = 0; r < ks->rows && !rd->error; r++) {
        ks->edges[r] = reader_text(rd, json_array_get(edges, r));
        ks->row_bucket[r] = reader_integer(rd, json_array_get(buckets, r));
    }
    reader_matrix(rd, object, &(struct reader_matrix){"cells", ks->rows, ks->columns, ks->cells, NULL});
    reader_matrix(rd, object, &(struct reader_matrix){"server", ks->rows, ks->columns, NULL, ks->server});
}

static void read_keyspace(struct reader *rd, const json_t *object, struct result_keyspace *ks)
{
    const json_t *value = json_object_get(object, "keyspace");
    if (!value)
        return;
    size_t back = reader_down(rd, "keyspace", -1);
    const json_t *edges = reader_array(rd, value, "edges"), *times = reader_array(rd, value, "times");
    if (!edges || !times || json_array_size(times) == 0) {
        reader_fault(rd, RESULT_READ_CONTENT, "edges and times are missing");
    } else if (result_keyspace_alloc(ks, json_array_size(edges), json_array_size(times) - 1) != 0) {
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
    } else {
        const json_t *table = json_object_get(value, "table"), *buckets = json_object_get(value, "buckets");
        if (table)
            ks->table = reader_integer(rd, table);
        if (buckets)
            ks->buckets = reader_integer(rd, buckets);
        reader_numbers(rd, value, "times", ks->times_s, ks->columns + 1);
        read_keyspace_rows(rd, value, ks);
    }
    reader_up(rd, back);
}

static void add_setting(struct reader *rd, struct result *res, const char *section, const char *name,
                        const json_t *value)
{
    struct result_setting *array = realloc(res->scenario, (res->scenario_len + 1) * sizeof *array);
    if (!array) {
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        return;
    }
    res->scenario = array;
    struct result_setting *set = &array[res->scenario_len];
    *set = (struct result_setting){.section = strdup(section), .key = strdup(name)};
    if (json_is_string(value))
        set->text = reader_text(rd, value);
    else
        set->number = reader_number(rd, value);
    res->scenario_len++;
    if (!set->section || !set->key)
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
}

static void read_scenario(struct reader *rd, json_t *scenario, struct result *res)
{
    const char *section, *name;
    json_t *keys, *value;
    size_t back = reader_down(rd, "scenario", -1);
    if (!json_is_object(scenario))
        reader_fault(rd, RESULT_READ_CONTENT, "an object is expected");
    json_object_foreach(scenario, section, keys) {
        if (!json_is_object(keys))
            reader_fault(rd, RESULT_READ_CONTENT, "an object of keys is expected");
        json_object_foreach(keys, name, value) {
            if (!json_is_array(value) && !rd->error)
                add_setting(rd, res, section, name, value);
            for (size_t i = 0; json_is_array(value) && i < json_array_size(value) && !rd->error; i++)
                add_setting(rd, res, section, name, json_array_get(value, i));
        }
    }
    reader_up(rd, back);
}

static void init_query(void *item)
{
    result_query_init(item);
}

static void init_spread(void *item)
{
    ((struct result_spread *)item)->least = NAN;
}

static void init_expectation(void *item)
{
    struct result_expectation *exp = item;
    exp->worst = exp->worst_at_s = exp->since_s = NAN;
}

static void init_candidate(void *item)
{
    result_candidate_init(item);
}

static const struct reader_shape SERVERS = {
    "servers", result_server_fields, sizeof(struct result_server), NULL};
static const struct reader_shape TABLES = {
    "tables", result_table_fields, sizeof(struct result_table), NULL};
static const struct reader_shape QUERIES = {
    "queries", result_query_fields, sizeof(struct result_query), init_query};
static const struct reader_shape SPREADS = {
    "spreads", result_spread_fields, sizeof(struct result_spread), init_spread};
static const struct reader_shape CANDIDATES = {
    "candidates", result_candidate_fields, sizeof(struct result_candidate), init_candidate};
static const struct reader_shape EXPECTATIONS = {
    "expectations", result_expectation_fields, sizeof(struct result_expectation), init_expectation};
static const struct reader_shape DIAGNOSTICS = {
    "diagnostics", result_diagnostic_fields, sizeof(struct result_diagnostic), NULL};

/* What each result has, were it null or empty: without it a reader would make up what isn't there. */
static void check_whole(struct reader *rd, const json_t *object)
{
    static const char *const parts[] = {"summary", "servers", "tables", "regions", "timeline", "events", "queries"};
    static const char *const figures[] = {"writes_offered", "writes_done", "writes_rejected", "writes_queued",
                                          "hot_server_ratio", "write_tails"};
    const json_t *summary = json_object_get(object, "summary");

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!json_object_get(object, parts[i]))
            reader_fault(rd, RESULT_READ_CONTENT, "\"%s\" is missing: this is no whole result", parts[i]);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!json_object_get(summary, figures[i]))
            reader_fault(rd, RESULT_READ_CONTENT, "summary: \"%s\" is missing: this is no whole result", figures[i]);
}

static void read_run(struct reader *rd, const json_t *object, struct result_run *run)
{
    reader_fields(rd, object, result_run_fields, run, run);
    const json_t *summary = json_object_get(object, "summary");
    size_t back = reader_down(rd, "summary", -1);
    if (summary && !rd->error)
        reader_fields(rd, summary, result_summary_fields, run, &run->summary);
    reader_up(rd, back);
    run->servers = reader_list(rd, object, &SERVERS, run, &run->servers_len);
    run->tables = reader_list(rd, object, &TABLES, run, &run->tables_len);
    read_regions(rd, object, run);
    read_timeline(rd, object, run);
    read_events(rd, object, run);
    run->queries = reader_list(rd, object, &QUERIES, run, &run->queries_len);
    if (!rd->error && json_object_get(object, "spreads"))
        run->spreads = reader_list(rd, object, &SPREADS, run, &run->spreads_len);
    if (!rd->error)
        read_keyspace(rd, object, &run->keyspace);
    if (!rd->error)
        result_check_references(rd, run);
}

static void init_variation(void *item)
{
    struct result_variation *var = item;
    var->hot_server_ratio = var->margin = var->headroom = (double)NAN;
}

static void init_query_cost(void *item)
{
    struct result_query_cost *cost = item;
    cost->scans = cost->rpcs = cost->regions = cost->rows_scanned = cost->rows_returned = (double)NAN;
    cost->p50_us = cost->p95_us = cost->p99_us = cost->p999_us = cost->server_share = (double)NAN;
    cost->independent_p50_us = cost->independent_p95_us = cost->independent_p99_us = cost->independent_p999_us = (double)NAN;
}

static const struct reader_shape QUERY_COSTS = {
    "query_costs", result_query_cost_fields, sizeof(struct result_query_cost), init_query_cost};
static const struct reader_shape STAGES = {"stages", result_stage_fields, sizeof(struct result_stage), NULL};
static const struct reader_shape GATES = {"gates", result_gate_fields, sizeof(struct result_gate), NULL};
static const struct reader_shape VARIATIONS = {
    "variations", result_variation_fields, sizeof(struct result_variation), init_variation};
static const struct reader_shape ASSUMPTIONS = {
    "assumptions", result_assumption_fields, sizeof(struct result_assumption), NULL};

static void read_plan(struct reader *rd, const json_t *object, struct result *res)
{
    const json_t *plan = json_object_get(object, "plan");
    if (!plan || json_is_null(plan))
        return;
    size_t back = reader_down(rd, "plan", -1);
    res->plan.present = true;
    reader_fields(rd, plan, result_plan_fields, &res->run, &res->plan);
    res->plan.candidates = reader_list(rd, plan, &CANDIDATES, &res->run, &res->plan.candidates_len);
    if (!rd->error && json_object_get(plan, "query_costs"))
        res->plan.query_costs = reader_list(rd, plan, &QUERY_COSTS, &res->run, &res->plan.query_costs_len);
    res->plan.stages = reader_list(rd, plan, &STAGES, &res->run, &res->plan.stages_len);
    res->plan.gates = reader_list(rd, plan, &GATES, &res->run, &res->plan.gates_len);
    res->plan.variations = reader_list(rd, plan, &VARIATIONS, &res->run, &res->plan.variations_len);
    res->plan.assumptions = reader_list(rd, plan, &ASSUMPTIONS, &res->run, &res->plan.assumptions_len);
    reader_up(rd, back);
}

static void read_comparisons(struct reader *rd, const json_t *object, struct result *res)
{
    const json_t *array = reader_array(rd, object, "comparisons");
    size_t count = array ? json_array_size(array) : 0;
    if (!count || rd->error)
        return;
    res->comparisons = calloc(count, sizeof *res->comparisons);
    if (!res->comparisons) {
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        return;
    }
    res->comparisons_len = count;
    for (size_t i = 0; i < count; i++)
        result_run_init(&res->comparisons[i]);
    for (size_t i = 0; i < count && !rd->error; i++) {
        size_t back = reader_down(rd, "comparisons", (long)i);
        read_run(rd, json_array_get(array, i), &res->comparisons[i]);
        if (!rd->error)
            check_whole(rd, json_array_get(array, i));
        reader_up(rd, back);
    }
}

static char *top_text(struct reader *rd, const json_t *top, const char *name)
{
    const json_t *value = json_object_get(top, name);
    size_t back = reader_down(rd, name, -1);
    char *text = value ? reader_text(rd, value) : NULL;
    reader_up(rd, back);
    return text;
}

static void read_partial(struct reader *rd, const json_t *value, struct result *res)
{
    size_t back = reader_down(rd, "partial", -1);
    if (value && !json_is_boolean(value))
        reader_fault(rd, RESULT_READ_CONTENT, "true or false is expected");
    res->partial = json_is_true(value);
    reader_up(rd, back);
}

static void read_seed(struct reader *rd, const json_t *value, struct result *res)
{
    size_t back = reader_down(rd, "seed", -1);
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        res->seed = (uint64_t)json_integer_value(value);
    } else if (json_is_string(value)) {
        char *end = NULL;
        errno = 0;
        res->seed = strtoull(json_string_value(value), &end, 10);
        if (errno || end == json_string_value(value) || *end)
            reader_fault(rd, RESULT_READ_CONTENT, "a whole number is expected");
    } else if (value) {
        reader_fault(rd, RESULT_READ_CONTENT, "a whole number is expected");
    }
    reader_up(rd, back);
}

static void read_top(struct reader *rd, const json_t *top, struct result *res)
{
    const json_t *schema = json_object_get(top, "schema");
    if (!json_is_string(schema)) {
        reader_fault(rd, RESULT_READ_SCHEMA, "no \"schema\": this is not a result of saltplan");
        return;
    }
    if (strcmp(json_string_value(schema), RESULT_SCHEMA) != 0) {
        reader_fault(rd, RESULT_READ_SCHEMA, "schema is \"%.60s\", this version reads \"%s\"",
                     json_string_value(schema), RESULT_SCHEMA);
        return;
    }
    res->version = top_text(rd, top, "version");
    res->title = top_text(rd, top, "title");
    res->base_name = top_text(rd, top, "base_name");
    read_partial(rd, json_object_get(top, "partial"), res);
    read_seed(rd, json_object_get(top, "seed"), res);
    if (json_object_get(top, "scenario"))
        read_scenario(rd, json_object_get(top, "scenario"), res);
    read_run(rd, top, &res->run);
    read_plan(rd, top, res);
    if (!rd->error && json_object_get(top, "expectations"))
        res->expectations = reader_list(rd, top, &EXPECTATIONS, &res->run, &res->expectations_len);
    read_comparisons(rd, top, res);
    res->diagnostics = reader_list(rd, top, &DIAGNOSTICS, &res->run, &res->diagnostics_len);
    if (!rd->error)
        check_whole(rd, top);
}

/* The whole file in memory (the caller frees it): jansson reads a stream letter by letter. NULL with a
   fault. */
static char *load(struct reader *rd, size_t *len)
{
    FILE *from = fopen(rd->path, "rb");
    char *text = NULL;
    size_t cap = 0;
    *len = 0;
    if (!from) {
        reader_fault(rd, RESULT_READ_FILE, "can't be opened: %s", strerror(errno));
        return NULL;
    }
    for (size_t got = 1; got;) {
        if (*len == cap) {
            char *bigger = realloc(text, cap = cap ? cap * 2 : 1 << 16);
            if (!bigger) {
                reader_fault(rd, RESULT_READ_MEMORY, "no memory");
                break;
            }
            text = bigger;
        }
        got = fread(text + *len, 1, cap - *len, from);
        *len += got;
    }
    if (ferror(from))
        reader_fault(rd, RESULT_READ_FILE, "can't be read: %s", strerror(errno));
    fclose(from);
    if (rd->error) {
        free(text);
        return NULL;
    }
    return text;
}

int result_read_json(const char *path, char *message, size_t cap, struct result *res)
{
    struct reader rd = {.path = path, .message = message, .cap = cap};
    struct result made;
    json_error_t syntax;
    size_t len;
    char *text = load(&rd, &len);
    if (!text)
        return rd.error;
    struct json_matrices matrices;
    if (json_matrices_lift(&matrices, text, &len) != 0)
        reader_fault(&rd, RESULT_READ_MEMORY, "no memory");
    json_t *top = json_loadb(text, len, JSON_REJECT_DUPLICATES, &syntax);
    free(text);
    rd.matrices = &matrices;
    result_init(&made);
    if (!top)
        reader_fault(&rd, RESULT_READ_SYNTAX, "line %d, column %d: %s", syntax.line, syntax.column, syntax.text);
    else
        read_top(&rd, top, &made);
    json_decref(top);
    json_matrices_free(&matrices);
    if (rd.error)
        result_free(&made);
    else
        *res = made;
    return rd.error;
}
