/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/fields.h"

#include <math.h>
#include <string.h>

#include "result/result.h"

#define NUMBER(type, member) {#member, RESULT_NUMBER, false, offsetof(struct type, member)}
#define MAYBE_NUMBER(type, member) {#member, RESULT_NUMBER, true, offsetof(struct type, member)}
#define INTEGER(type, member) {#member, RESULT_INTEGER, false, offsetof(struct type, member)}
#define MAYBE_INTEGER(type, member) {#member, RESULT_INTEGER, true, offsetof(struct type, member)}
#define FLAG(type, member) {#member, RESULT_FLAG, false, offsetof(struct type, member)}
#define TEXT(type, member) {#member, RESULT_TEXT, true, offsetof(struct type, member)}
#define STATIC_TEXT(type, member) {#member, RESULT_STATIC_TEXT, true, offsetof(struct type, member)}
#define FIGURE(type, member) {#member, RESULT_FIGURE, true, offsetof(struct type, member)}
#define END {NULL, RESULT_NUMBER, false, 0}

const struct result_field result_run_fields[] = {
    TEXT(result_run, role),
    TEXT(result_run, detail),
    INTEGER(result_run, buckets),
    NUMBER(result_run, duration_s),
    NUMBER(result_run, window_s),
    NUMBER(result_run, server_capacity_per_s),
    END
};

const struct result_field result_summary_fields[] = {
    NUMBER(result_summary, writes_offered),
    NUMBER(result_summary, writes_done),
    NUMBER(result_summary, writes_rejected),
    NUMBER(result_summary, writes_queued),
    NUMBER(result_summary, writes_buffered),
    NUMBER(result_summary, write_refusals),
    NUMBER(result_summary, connection_losses),
    NUMBER(result_summary, hot_server_ratio),
    NUMBER(result_summary, hot_server_ratio_total),
    NUMBER(result_summary, hot_region_share),
    NUMBER(result_summary, hot_region_ratio),
    NUMBER(result_summary, write_tails),
    NUMBER(result_summary, effective_tails),
    NUMBER(result_summary, tails_per_server_max),
    NUMBER(result_summary, servers_idle),
    NUMBER(result_summary, spread_at_s),
    NUMBER(result_summary, stacked_s),
    NUMBER(result_summary, balancer_looked),
    NUMBER(result_summary, balancer_ran),
    NUMBER(result_summary, balancer_moves),
    NUMBER(result_summary, balancer_moves_redundant),
    NUMBER(result_summary, regions_moved_again),
    NUMBER(result_summary, thrash),
    NUMBER(result_summary, regions_start),
    NUMBER(result_summary, regions_end),
    NUMBER(result_summary, splits),
    NUMBER(result_summary, flushes),
    NUMBER(result_summary, compactions),
    NUMBER(result_summary, moves),
    NUMBER(result_summary, regions_expired),
    NUMBER(result_summary, files_expired),
    NUMBER(result_summary, write_p50_us),
    NUMBER(result_summary, write_p95_us),
    NUMBER(result_summary, write_p99_us),
    NUMBER(result_summary, write_p999_us),
    NUMBER(result_summary, write_mean_us),
    NUMBER(result_summary, write_max_us),
    NUMBER(result_summary, max_write_rate_per_s),
    NUMBER(result_summary, queue_age_max_s),
    MAYBE_NUMBER(result_summary, reads_share),
    NUMBER(result_summary, windows),
    NUMBER(result_summary, windows_joined),
    NUMBER(result_summary, windows_empty),
    END
};

const struct result_field result_server_fields[] = {
    TEXT(result_server, name),
    NUMBER(result_server, writes),
    NUMBER(result_server, share),
    NUMBER(result_server, utilisation),
    NUMBER(result_server, up_s),
    NUMBER(result_server, regions_start),
    NUMBER(result_server, regions_end),
    NUMBER(result_server, tails),
    NUMBER(result_server, flushes),
    NUMBER(result_server, compactions),
    NUMBER(result_server, splits),
    NUMBER(result_server, moves_in),
    NUMBER(result_server, moves_out),
    NUMBER(result_server, refusals),
    NUMBER(result_server, disk_bytes),
    END
};

const struct result_field result_table_fields[] = {
    TEXT(result_table, name),
    INTEGER(result_table, buckets),
    TEXT(result_table, layout),
    TEXT(result_table, salt),
    NUMBER(result_table, writes),
    NUMBER(result_table, regions_start),
    NUMBER(result_table, regions_end),
    NUMBER(result_table, splits),
    NUMBER(result_table, flushes),
    NUMBER(result_table, compactions),
    NUMBER(result_table, store_bytes),
    NUMBER(result_table, memstore_bytes),
    END
};

const struct result_field result_region_fields[] = {
    INTEGER(result_region, id),
    MAYBE_INTEGER(result_region, table),
    TEXT(result_region, start),
    TEXT(result_region, end),
    MAYBE_INTEGER(result_region, bucket),
    NUMBER(result_region, birth_s),
    MAYBE_NUMBER(result_region, death_s),
    MAYBE_INTEGER(result_region, parent),
    MAYBE_INTEGER(result_region, server_start),
    MAYBE_INTEGER(result_region, server_end),
    NUMBER(result_region, writes),
    NUMBER(result_region, requests),
    NUMBER(result_region, store_bytes),
    NUMBER(result_region, store_files),
    NUMBER(result_region, memstore_bytes),
    NUMBER(result_region, flushes),
    NUMBER(result_region, compactions),
    END
};

const struct result_field result_window_fields[] = {
    NUMBER(result_window, begin_s),
    NUMBER(result_window, end_s),
    NUMBER(result_window, offered),
    NUMBER(result_window, done),
    NUMBER(result_window, rejected),
    NUMBER(result_window, queued),
    NUMBER(result_window, refusals),
    NUMBER(result_window, hot_server_ratio),
    NUMBER(result_window, hot_region_share),
    NUMBER(result_window, hot_region_ratio),
    NUMBER(result_window, write_tails),
    NUMBER(result_window, effective_tails),
    NUMBER(result_window, tails_per_server_max),
    NUMBER(result_window, p50_us),
    NUMBER(result_window, p99_us),
    NUMBER(result_window, p999_us),
    NUMBER(result_window, max_us),
    NUMBER(result_window, regions),
    NUMBER(result_window, flushes),
    NUMBER(result_window, compactions),
    NUMBER(result_window, splits),
    NUMBER(result_window, moves),
    NUMBER(result_window, connection_losses),
    NUMBER(result_window, servers),
    NUMBER(result_window, blocked_s),
    FLAG(result_window, joined),
    END
};

const struct result_field result_event_fields[] = {
    INTEGER(result_event, id),
    NUMBER(result_event, at_s),
    STATIC_TEXT(result_event, kind),
    MAYBE_INTEGER(result_event, table),
    MAYBE_INTEGER(result_event, region),
    MAYBE_INTEGER(result_event, server),
    MAYBE_INTEGER(result_event, to_server),
    MAYBE_INTEGER(result_event, daughter_a),
    MAYBE_INTEGER(result_event, daughter_b),
    STATIC_TEXT(result_event, rule),
    MAYBE_NUMBER(result_event, threshold),
    TEXT(result_event, text),
    TEXT(result_event, files),
    END
};

const struct result_field result_query_fields[] = {
    TEXT(result_query, name),
    TEXT(result_query, table),
    TEXT(result_query, kind),
    MAYBE_NUMBER(result_query, scans),
    MAYBE_NUMBER(result_query, rpcs),
    MAYBE_NUMBER(result_query, regions),
    MAYBE_NUMBER(result_query, rows_scanned),
    MAYBE_NUMBER(result_query, rows_returned),
    MAYBE_NUMBER(result_query, bytes),
    MAYBE_NUMBER(result_query, p50_us),
    MAYBE_NUMBER(result_query, p95_us),
    MAYBE_NUMBER(result_query, p99_us),
    MAYBE_NUMBER(result_query, p999_us),
    MAYBE_NUMBER(result_query, sampled),
    MAYBE_NUMBER(result_query, timed),
    MAYBE_NUMBER(result_query, server_share),
    MAYBE_NUMBER(result_query, cache_hit_share),
    MAYBE_NUMBER(result_query, rows_lost_share),
    TEXT(result_query, note),
    MAYBE_NUMBER(result_query, retries),
    MAYBE_NUMBER(result_query, independent_p50_us),
    MAYBE_NUMBER(result_query, independent_p95_us),
    MAYBE_NUMBER(result_query, independent_p99_us),
    MAYBE_NUMBER(result_query, independent_p999_us),
    END
};

const struct result_field result_spread_fields[] = {
    TEXT(result_spread, name),
    NUMBER(result_spread, most),
    MAYBE_NUMBER(result_spread, least),
    TEXT(result_spread, most_at),
    TEXT(result_spread, least_at),
    NUMBER(result_spread, expected),
    NUMBER(result_spread, lo),
    NUMBER(result_spread, hi),
    TEXT(result_spread, verdict),
    END
};

const struct result_field result_candidate_fields[] = {
    INTEGER(result_candidate, n),
    FIGURE(result_candidate, hot_server_ratio),
    FIGURE(result_candidate, max_write_rate_per_s),
    FIGURE(result_candidate, scan_p99_us),
    FIGURE(result_candidate, scan_rpcs),
    FIGURE(result_candidate, regions),
    FIGURE(result_candidate, scans),
    FIGURE(result_candidate, write_tails),
    FIGURE(result_candidate, servers_idle),
    FIGURE(result_candidate, hot_bucket_share),
    FLAG(result_candidate, feasible),
    FLAG(result_candidate, undecided),
    MAYBE_NUMBER(result_candidate, margin),
    MAYBE_NUMBER(result_candidate, replications),
    MAYBE_NUMBER(result_candidate, breaks_at_s),
    MAYBE_NUMBER(result_candidate, confirmed_ratio),
    TEXT(result_candidate, why_not),
    END
};

const struct result_field result_query_cost_fields[] = {
    INTEGER(result_query_cost, n),
    TEXT(result_query_cost, query),
    TEXT(result_query_cost, kind),
    MAYBE_NUMBER(result_query_cost, scans),
    MAYBE_NUMBER(result_query_cost, rpcs),
    MAYBE_NUMBER(result_query_cost, regions),
    MAYBE_NUMBER(result_query_cost, rows_scanned),
    MAYBE_NUMBER(result_query_cost, rows_returned),
    MAYBE_NUMBER(result_query_cost, p50_us),
    MAYBE_NUMBER(result_query_cost, p95_us),
    MAYBE_NUMBER(result_query_cost, p99_us),
    MAYBE_NUMBER(result_query_cost, p999_us),
    MAYBE_NUMBER(result_query_cost, server_share),
    MAYBE_NUMBER(result_query_cost, independent_p50_us),
    MAYBE_NUMBER(result_query_cost, independent_p95_us),
    MAYBE_NUMBER(result_query_cost, independent_p99_us),
    MAYBE_NUMBER(result_query_cost, independent_p999_us),
    END
};

const struct result_field result_plan_fields[] = {
    INTEGER(result_plan, recommended_n),
    TEXT(result_plan, answer),
    TEXT(result_plan, reason),
    TEXT(result_plan, targets),
    MAYBE_INTEGER(result_plan, smaller_n),
    TEXT(result_plan, smaller_why),
    MAYBE_INTEGER(result_plan, larger_n),
    TEXT(result_plan, larger_why),
    MAYBE_INTEGER(result_plan, even_n),
    TEXT(result_plan, even_text),
    TEXT(result_plan, rule_of_thumb),
    TEXT(result_plan, breaks_first),
    MAYBE_NUMBER(result_plan, breaks_at_per_s),
    MAYBE_NUMBER(result_plan, demand_per_s),
    MAYBE_NUMBER(result_plan, headroom),
    MAYBE_NUMBER(result_plan, floor_per_s),
    TEXT(result_plan, create),
    END
};

const struct result_field result_gate_fields[] = {
    TEXT(result_gate, id),
    TEXT(result_gate, level),
    TEXT(result_gate, text),
    TEXT(result_gate, source),
    TEXT(result_gate, hint),
    END
};

const struct result_field result_stage_fields[] = {
    INTEGER(result_stage, n),
    NUMBER(result_stage, at_s),
    NUMBER(result_stage, servers),
    NUMBER(result_stage, rate_per_s),
    NUMBER(result_stage, hot_server_ratio),
    NUMBER(result_stage, max_write_rate_per_s),
    MAYBE_NUMBER(result_stage, headroom), /* below 0 where the stage lacks room */
    FLAG(result_stage, meets),
    END
};

const struct result_field result_variation_fields[] = {
    TEXT(result_variation, name),
    INTEGER(result_variation, recommended_n),
    MAYBE_NUMBER(result_variation, hot_server_ratio),
    MAYBE_NUMBER(result_variation, margin),
    MAYBE_NUMBER(result_variation, headroom),
    TEXT(result_variation, text),
    END
};

const struct result_field result_assumption_fields[] = {
    TEXT(result_assumption, text),
    TEXT(result_assumption, source),
    END
};

const struct result_field result_expectation_fields[] = {
    TEXT(result_expectation, name),
    TEXT(result_expectation, verdict),
    TEXT(result_expectation, metric),
    TEXT(result_expectation, scope),
    TEXT(result_expectation, window),
    TEXT(result_expectation, formula),
    FLAG(result_expectation, at_most),
    NUMBER(result_expectation, bound),
    NUMBER(result_expectation, value),
    NUMBER(result_expectation, begin_s),
    NUMBER(result_expectation, end_s),
    MAYBE_NUMBER(result_expectation, worst),
    MAYBE_NUMBER(result_expectation, worst_at_s),
    TEXT(result_expectation, where),
    MAYBE_NUMBER(result_expectation, since_s),
    TEXT(result_expectation, issue),
    TEXT(result_expectation, text),
    END
};

const struct result_field result_diagnostic_fields[] = {
    TEXT(result_diagnostic, severity),
    TEXT(result_diagnostic, id),
    TEXT(result_diagnostic, text),
    END
};

const struct result_field *result_field_find(const struct result_field *fields, const char *name)
{
    for (const struct result_field *f = fields; f->name; f++)
        if (f->kind == RESULT_NUMBER && strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

double result_field_number(const struct result_field *fields, const char *name, const void *base)
{
    const struct result_field *f = result_field_find(fields, name);
    return f ? *(const double *)(const void *)((const char *)base + f->offset) : (double)NAN;
}

bool result_field_has_value(const struct result_field *field, const void *base)
{
    const char *at = (const char *)base + field->offset;
    switch (field->kind) {
    case RESULT_NUMBER:
        return isfinite(*(const double *)(const void *)at);
    case RESULT_INTEGER:
        return !field->optional || *(const int *)(const void *)at != -1;
    case RESULT_FLAG:
        return true;
    case RESULT_TEXT:
    case RESULT_STATIC_TEXT:
        return *(const char *const *)(const void *)at != NULL;
    case RESULT_FIGURE:
        return isfinite(((const struct result_figure *)(const void *)at)->mean);
    }
    return false;
}
