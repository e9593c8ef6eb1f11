/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's lines and its Markdown page, from a plan that is made here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/plan.h"
#include "report/report.h"
#include "result/json.h"

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    assert_non_null(p);
    return strcpy(p, s);
}

static void make(struct result *res)
{
    struct result_plan *plan = &res->plan;

    result_init(res);
    res->title = copy("a | b <script>alert(1)</script>\n# `x`");
    res->base_name = copy("made");
    res->version = copy("0");
    plan->present = true;
    plan->recommended_n = 12;
    plan->answer = copy("salt");
    plan->reason = copy("the smallest that does");
    plan->targets = copy("hot_server_ratio <= 1.4");
    plan->smaller_n = 8;
    plan->smaller_why = copy("hot_server_ratio is 1.5");
    plan->larger_n = 24;
    plan->larger_why = copy("costs more");
    plan->create = copy("create 't',\n  {NAME => 'd'}");
    plan->candidates = calloc(1, sizeof *plan->candidates);
    plan->stages = calloc(2, sizeof *plan->stages);
    plan->gates = calloc(3, sizeof *plan->gates);
    plan->variations = calloc(2, sizeof *plan->variations);
    plan->assumptions = calloc(1, sizeof *plan->assumptions);
    assert_true(plan->candidates && plan->stages && plan->gates && plan->variations && plan->assumptions);
    result_candidate_init(plan->candidates);
    plan->candidates->n = 12;
    plan->candidates->feasible = true;
    plan->candidates->replications = 20;
    plan->candidates->margin = 0.25;
    plan->candidates->hot_server_ratio = (struct result_figure){1.0, 0.9, 1.1};
    plan->candidates_len = 1;
    plan->stages[0] = (struct result_stage){12, 0, 12, 40000, 1, 240000, 5, true};
    plan->stages[1] = (struct result_stage){12, 63072000, 16, 40000, 1.33, 240000, 5, false};
    plan->stages_len = 2;
    plan->gates[0] = (struct result_gate){copy("memstore"), copy("ok"), copy("fits"), copy("guide"), NULL};
    plan->gates[1] = (struct result_gate){copy("wal"), copy("warn"), copy("too | much"), copy("source"), copy("less")};
    plan->gates[2] = (struct result_gate){copy("phoenix-7580"), copy("stop"), copy("loses rows"), copy("PHOENIX-7580"), copy("update")};
    plan->gates_len = 3;
    plan->query_costs = calloc(3, sizeof *plan->query_costs);
    assert_non_null(plan->query_costs);
    plan->query_costs[0] = (struct result_query_cost){.n = 12, .query = copy("window"), .kind = copy("range 5m"), .scans = 12,
                                                      .rpcs = 1100, .rows_scanned = 12e6, .rows_returned = 12e6, .p50_us = 2e6,
                                                      .p95_us = 2.2e6, .p99_us = 2.5e6, .p999_us = 3e6, .independent_p99_us = 2.6e6};
    plan->query_costs[1] = (struct result_query_cost){.n = 12, .query = copy("latest"), .kind = copy("newest 100"), .scans = 12,
                                                      .rpcs = 12, .rows_scanned = 1200, .rows_returned = 100, .p50_us = 2000,
                                                      .p95_us = 2500, .p99_us = 3000, .p999_us = 3500, .independent_p99_us = NAN};
    plan->query_costs[2] = (struct result_query_cost){.n = 24, .query = copy("window"), .kind = copy("range 5m"), .scans = 24,
                                                      .rpcs = 600, .rows_scanned = 6e6, .rows_returned = 6e6, .p50_us = 1e6,
                                                      .p95_us = 1.2e6, .p99_us = 1.5e6, .p999_us = 2e6, .independent_p99_us = 1.6e6};
    plan->query_costs_len = 3;
    plan->variations[0] = (struct result_variation){copy("rate x2"), 24, 1.5, -0.07, 1, copy("N = 24")};
    plan->variations[1] = (struct result_variation){copy("rate x0.5"), 12, 1, 0.25, 7, copy("the same answer")};
    plan->variations_len = 2;
    plan->assumptions[0] = (struct result_assumption){copy("a server carries 20000 rows/s"), copy("[server]")};
    plan->assumptions_len = 1;
}

typedef int writer(const struct result *res, FILE *to);

static char *text_of(writer *write, const struct result *res)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    assert_non_null(to);
    assert_int_equal(write(res, to), 0);
    fclose(to);
    return text;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void lines_name_what_is_not_ok(void **state)
{
    struct result res;
    char *text;
    size_t lines = 0;

    (void)state;
    make(&res);
    text = text_of(report_write_text, &res);
    has(text, "not less  N = 8: hot_server_ratio is 1.5\n");
    has(text, "not more  N = 24 costs more\n");
    has(text, "growth    N = 12: 12 servers 1.00x, 16 servers 1.33x (misses)\n");
    has(text, "stop      phoenix-7580: loses rows\n");
    has(text, "warn      wal: too | much\n");
    has(text, "otherwise rate x2: N = 24; 1 of 2 cases give the same N\n");
    assert_null(strstr(text, "memstore"));
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_true(lines <= REPORT_LINES + REPORT_COSTS_LINES);
    has(text, "\n                     window, range 5m              latest, newest 100\n"
              "     N       RPCs       p50       p99        RPCs       p50       p99\n"
              "    12       1100    2.00 s    2.50 s          12   2.00 ms   3.00 ms\n\nnot less");
    free(text);
    result_free(&res);
}

/* Nothing of the scenario's words becomes markup. */
static void page_escapes_what_it_shows(void **state)
{
    struct result res;
    char *text;

    (void)state;
    make(&res);
    text = text_of(report_write_markdown, &res);
    has(text, "# a \\| b &lt;script&gt;alert(1)&lt;/script&gt; \\# \\`x\\`\n");
    assert_null(strstr(text, "<script"));
    has(text, "| 12 | 1.00x (0.900x to 1.10x) |");
    has(text, "| warn | wal | too \\| much | less | source |");
    has(text, "| window, range 5m | 12 | 12 | 1100 | 12.0 M | 12.0 M | 2.00 s | 2.20 s | 2.50 s | 3.00 s | 2.60 s |\n"
              "| window, range 5m | 24 | 24 | 600 | 6.00 M | 6.00 M, too few | 1.00 s |");
    has(text, "| latest, newest 100 | 12 | 12 | 12 | 1200 | 100 | 2.00 ms | 2.50 ms | 3.00 ms | 3.50 ms | - |");
    has(text, "| rate x2 | 24 | 1.50x | -7 % | N = 24 |");
    has(text, "| 12 | 24 | 16 | 40.0 k rows/s | 1.33x | 240 k rows/s | 500 % | misses a target |");
    has(text, "- a server carries 20000 rows/s (\\[server\\])");
    has(text, "    create 't',\n      {NAME => 'd'}\n");
    has(text, "![choosing N](choice.png)");
    has(text, "![latency of queries](latency.png)");
    has(text, "![what would change the answer](tornado.png)");
    free(text);
    result_free(&res);
}

/* All parts of a plan survive result.json. */
static void a_plan_reads_back(void **state)
{
    char path[] = "plan-XXXXXX", message[400];
    struct result res, back;
    char *text, *again;
    int fd = mkstemp(path);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;

    (void)state;
    assert_non_null(to);
    make(&res);
    assert_int_equal(result_write_json(&res, to), 0);
    fclose(to);
    assert_int_equal(result_read_json(path, message, sizeof message, &back), 0);
    remove(path);
    text = text_of(result_write_json, &res);
    again = text_of(result_write_json, &back);
    assert_string_equal(text, again);
    free(text);
    free(again);
    result_free(&back);
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_name_what_is_not_ok),
        cmocka_unit_test(page_escapes_what_it_shows),
        cmocka_unit_test(a_plan_reads_back),
    };

    return cmocka_run_group_tests_name("report/plan", tests, NULL, NULL);
}
