/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each pattern from generated matrices of several sizes, with noise as sampling makes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/pattern.h"
#include "result/json.h"

#define RATE 40000.0
#define STEP_S 30.0

struct made {
    size_t buckets, per, columns;     /* per: rows of a bucket */
    double noise;                     /* samples behind a cell's mean; 0 = none */
};

/* Share of the writes of a row in a column, before it is scaled; rows are counted inside a bucket. */
typedef double (*law)(const struct made *how, size_t bucket, size_t row, size_t column);

static const struct made SIZES[] = {
    {1, 256, 240, 0}, {1, 256, 240, 40}, {16, 16, 240, 0}, {16, 16, 240, 40}, {1, 64, 1000, 20}, {4, 8, 60, 100}};

static double rnd(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Poisson by multiplication; means are small. */
static double poisson(double mean, uint64_t *state)
{
    if (mean > 500)
        return mean;                  /* the noise is small */
    double limit = exp(-mean), product = rnd(state), n = 0;
    while (product > limit) {
        product *= rnd(state);
        n++;
    }
    return n;
}

static void make(const struct made *how, law share, struct result_run *run)
{
    size_t rows = how->buckets * how->per;
    uint64_t state = 7;
    result_run_init(run);
    assert_int_equal(result_keyspace_alloc(&run->keyspace, rows, how->columns), 0);
    run->keyspace.buckets = (int)how->buckets;
    for (size_t c = 0; c <= how->columns; c++)
        run->keyspace.times_s[c] = STEP_S * (double)c;
    for (size_t r = 0; r < rows; r++) {
        char edge[32];
        snprintf(edge, sizeof edge, "\\x%02Xkey%05zu", (unsigned)(r / how->per), r % how->per);
        run->keyspace.edges[r] = strdup(edge);
        run->keyspace.row_bucket[r] = (int)(r / how->per);
        for (size_t c = 0; c < how->columns; c++) {
            double mean = share(how, r / how->per, r % how->per, c);
            double value = how->noise > 0 ? poisson(mean * how->noise, &state) / how->noise : mean;
            run->keyspace.cells[r * how->columns + c] = value * RATE;
        }
    }
}

static struct result_pattern find(const struct made *how, law share, struct result_run *run)
{
    struct result_pattern pat;
    make(how, share, run);
    assert_int_equal(result_pattern_find(run, &pat), 0);
    return pat;
}

static double flat(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)how, (void)b, (void)r, (void)c;
    return 1;
}

/* The row that time has reached. */
static double edge(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    return c * how->per / how->columns == r;
}

static double edge_back(const struct made *how, size_t b, size_t r, size_t c)
{
    return edge(how, b, how->per - 1 - r, c);
}

/* Four series in each block, each with its own edge. */
static double four_edges(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    size_t part = how->per / 4;
    return c * part / how->columns == r % part;
}

static double edges_one_loud(const struct made *how, size_t b, size_t r, size_t c)
{
    return edge(how, b, r, c) * (b == 1 ? 9.0 : 1.0);
}

static double hot_rows(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)c;
    size_t at = b * how->per + r, rows = how->buckets * how->per;
    return at >= rows / 2 && at < rows / 2 + rows / 16 ? 12 : 1;
}

static double hot_row(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)c;
    return b == 0 && r == 3 ? 0.3 * (double)(how->buckets * how->per) : 0.7;
}

static double day(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b, (void)r;
    return 1 + 0.8 * sin(6.283185307179586 * 5 * (double)c / (double)how->columns);
}

/* Halves of a block take turns, at one rate. */
static double turns(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    return (c * 10 / how->columns) % 2 == (r < how->per / 2) ? 1.9 : 0.1;
}

static double step_up(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b, (void)r;
    return c >= how->columns / 3 ? 3 : 1;
}

static double step_aside(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    return (c >= how->columns / 2) == (r < how->per / 2) ? 1.9 : 0.1;
}

static double edge_then_faster(const struct made *how, size_t b, size_t r, size_t c)
{
    return edge(how, b, r, c) * (c >= how->columns / 2 ? 2 : 1);
}

static double ramp(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b, (void)r;
    return 0.5 + 1.5 * (double)c / (double)how->columns;
}

/* A salt over an entity that does much: its bucket has three times what the others have. */
static double full_bucket(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)how, (void)r, (void)c;
    return b == 2 ? 2.5 : 1;
}

static void each_kind(void **state)
{
    static const struct {
        law share;
        enum result_pattern_kind salted, single;
        int edges;                    /* of each block */
    } cases[] = {
        {flat, PATTERN_EVEN, PATTERN_EVEN, 0},
        {ramp, PATTERN_EVEN, PATTERN_EVEN, 0},
        {full_bucket, PATTERN_UNEVEN, PATTERN_EVEN, 0},
        {edge, PATTERN_EDGES, PATTERN_SEQUENTIAL, 1},
        {edge_back, PATTERN_EDGES, PATTERN_SEQUENTIAL, 1},
        {hot_rows, PATTERN_HOT_RANGE, PATTERN_HOT_RANGE, 0},
        {hot_row, PATTERN_HOT_KEY, PATTERN_HOT_KEY, 0},
        {day, PATTERN_PERIODIC, PATTERN_PERIODIC, 0},
        {turns, PATTERN_PERIODIC, PATTERN_PERIODIC, 0},
        {step_up, PATTERN_CHANGE, PATTERN_CHANGE, 0},
        {step_aside, PATTERN_CHANGE, PATTERN_CHANGE, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
            struct result_run run;
            struct result_pattern pat;
            if (cases[i].share == hot_rows && SIZES[s].buckets * SIZES[s].per < 64)
                continue;             /* a sixteenth of its rows is a few only */
            pat = find(&SIZES[s], cases[i].share, &run);
            enum result_pattern_kind want = SIZES[s].buckets > 1 ? cases[i].salted : cases[i].single;
            if (pat.kind != want)
                fail_msg("case %zu, size %zu: %s instead of %s", i, s, result_pattern_name(pat.kind),
                         result_pattern_name(want));
            assert_int_equal(pat.edges, cases[i].edges * (int)SIZES[s].buckets);
            result_run_free(&run);
        }
    }
}

static void figures(void **state)
{
    const struct made block = {1, 256, 240, 40}, salted = {16, 16, 240, 0};
    struct result_run run;
    struct result_pattern pat;
    (void)state;
    pat = find(&block, day, &run);
    assert_true(fabs(pat.period_s - 240 * STEP_S / 5) < 2 * 240 * STEP_S / 128);
    result_run_free(&run);
    pat = find(&block, step_up, &run);
    assert_true(fabs(pat.change_s - 80 * STEP_S) <= STEP_S && fabs(pat.factor - 3) < 0.1 && isnan(pat.moved));
    result_run_free(&run);
    pat = find(&block, step_aside, &run);
    assert_true(fabs(pat.change_s - 120 * STEP_S) <= STEP_S && fabs(pat.moved - 0.9) < 0.05 && isnan(pat.factor));
    result_run_free(&run);
    pat = find(&block, hot_row, &run);
    assert_true(fabs(pat.share - 0.3) < 0.01);
    assert_string_equal(pat.key, run.keyspace.edges[3]);
    result_run_free(&run);
    pat = find(&block, four_edges, &run);
    assert_int_equal(pat.kind, PATTERN_EDGES);
    assert_int_equal(pat.edges, 4);
    result_run_free(&run);
    pat = find(&salted, edges_one_loud, &run);
    assert_int_equal(pat.kind, PATTERN_EDGES);
    assert_int_equal(pat.edges, 16);
    assert_true(fabs(pat.share - 9.0 / 24) < 1e-9);
    result_run_free(&run);
    pat = find(&salted, edge_then_faster, &run); /* the place is the trouble, the time is told beside it */
    assert_int_equal(pat.kind, PATTERN_EDGES);
    assert_true(fabs(pat.change_s - 120 * STEP_S) <= STEP_S && fabs(pat.factor - 2) < 0.1);
    result_run_free(&run);
}

/* Quantile rows that begin with the same key are one row of the table. */
static void one_row_of_the_table(void **state)
{
    const struct made how = {1, 100, 60, 0};
    struct result_run run;
    struct result_pattern pat;
    (void)state;
    make(&how, flat, &run);
    for (size_t r = 40; r < 52; r++)
        strcpy(run.keyspace.edges[r], "\\x00counter");
    assert_int_equal(result_pattern_find(&run, &pat), 0);
    assert_int_equal(pat.kind, PATTERN_HOT_KEY);
    assert_true(fabs(pat.share - 0.12) < 1e-9);
    assert_string_equal(pat.key, "\\x00counter");
    result_run_free(&run);
}

/* Its rows are quantiles of the keys and say nothing: the regions do. */
static void wrong_split_points(void **state)
{
    const struct made how = {1, 100, 60, 0};
    struct result_run run;
    struct result_pattern pat;
    (void)state;
    make(&how, flat, &run);
    run.summary.hot_region_share = 1;
    run.summary.hot_region_ratio = 16;
    assert_int_equal(result_pattern_find(&run, &pat), 0);
    assert_int_equal(pat.kind, PATTERN_HOT_RANGE);
    result_run_free(&run);
}

static void nothing(void **state)
{
    const struct made how = {2, 4, 10, 0}, one = {1, 1, 1, 0};
    struct result_run run;
    struct result_pattern pat;
    (void)state;
    result_run_init(&run);
    assert_int_equal(result_pattern_find(&run, &pat), 0);
    assert_int_equal(pat.kind, PATTERN_NONE);
    result_run_free(&run);
    pat = find(&one, flat, &run);
    assert_int_equal(pat.kind, PATTERN_EVEN);
    result_run_free(&run);
    make(&how, flat, &run);
    for (size_t i = 0; i < 80; i++)
        run.keyspace.cells[i] = (double)NAN;
    assert_int_equal(result_pattern_find(&run, &pat), 0);
    assert_int_equal(pat.kind, PATTERN_NONE);
    result_run_free(&run);
}

/* The name stands in result.json with its sentence and the cure. */
static void in_json(void **state)
{
    const struct made how = {1, 64, 60, 0};
    struct result res;
    struct result_run run;
    char *text = NULL;
    size_t len = 0;
    (void)state;
    result_init(&res);
    make(&how, edge, &run);
    result_run_free(&res.run);
    res.run = run;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    assert_int_equal(result_write_json(&res, to), 0);
    fclose(to);
    assert_non_null(strstr(text, "\"name\": \"sequential\""));
    assert_non_null(strstr(text, "\"edges\": 1"));
    assert_non_null(strstr(text, "\"cure\": \"Put a salt in front of the key"));
    free(text);
    result_free(&res);
}

/* What the plan recommends is what the pattern's sentence says, whatever the number of servers. */
static void as_the_plan_says(void **state)
{
    const struct made how = {8, 64, 60, 0};
    struct result_pattern pat;
    struct result res;
    char text[400];
    (void)state;
    result_init(&res);
    result_run_free(&res.run);
    make(&how, edge, &res.run);
    assert_int_equal(result_pattern_find(&res.run, &pat), 0);
    assert_int_equal(pat.kind, PATTERN_EDGES);
    res.run.servers = calloc(12, sizeof *res.run.servers);
    assert_non_null(res.run.servers);
    res.run.servers_len = 12;
    res.run.buckets = 8;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_non_null(strstr(text, "as many buckets as servers"));
    res.plan.present = true;
    res.plan.recommended_n = 8;
    res.plan.even_n = 12;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_string_equal(text, "N = 8 meets the plan's targets, though 8 edges can't occupy 12 servers, N = 12 would be flat.");
    res.run.buckets = 16;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_string_equal(text, "The plan recommends N = 8.");
    pat.kind = PATTERN_SEQUENTIAL;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_string_equal(text, "Put a salt in front of the key: the plan recommends N = 8.");
    res.plan.recommended_n = 0;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_non_null(strstr(text, "no salt"));
    res.plan.recommended_n = -1;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_null(strstr(text, "salt in front"));
    res.plan.answer = strdup("not-decided"); /* interrupted */
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_non_null(strstr(text, "Put a salt in front of the key"));
    res.plan.present = false;
    res.run.duration_s = 100; /* no plan, and one server is far from full */
    res.run.summary.writes_offered = res.run.summary.writes_done = 1e5;
    res.run.summary.max_write_rate_per_s = 20000;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_non_null(strstr(text, "nothing is to be cured at this rate"));
    res.run.summary.max_write_rate_per_s = 1900;
    result_pattern_cure(&res, &res.run, &pat, text, sizeof text);
    assert_non_null(strstr(text, "Put a salt in front of the key"));
    result_free(&res);
}

/* Parameters of the laws below, drawn for each case. */
static struct {
    double phase, periods, swing, at, factor;
    size_t parts, late;
} drawn;

/* What row |r| of |rows| takes in a window while an edge goes over all of them: rows are quantiles, each is written. */
static double passing(const struct made *how, double r, size_t rows, size_t c)
{
    const double columns = (double)how->columns;
    const double from = fmax(r / (double)rows, (double)c / columns), to = fmin((r + 1) / (double)rows, ((double)c + 1) / columns);
    return to > from ? (to - from) * columns * (double)rows : 0;
}

/* Parts of a block are series of their own, each with its edge. */
static double some_edges(const struct made *how, size_t b, size_t r, size_t c)
{
    const size_t part = how->per / drawn.parts;
    (void)b;
    return r < part * drawn.parts ? passing(how, (double)(r % part), part, c) : 0;
}

/* One edge, and what waited longer some rows behind it. */
static double late_edge(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    return 0.9 * passing(how, (double)r, how->per, c) + 0.1 * passing(how, (double)(r + drawn.late), how->per, c);
}

static double part_of_a_day(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b, (void)r;
    return 1 + drawn.swing * sin(6.283185307179586 * (drawn.phase + drawn.periods * (double)c / (double)how->columns));
}

/* Short bursts that come back. */
static double bursts(const struct made *how, size_t b, size_t r, size_t c)
{
    const double at = drawn.phase + drawn.periods * (double)c / (double)how->columns;
    (void)b, (void)r;
    return at - floor(at) < 0.3 ? drawn.factor : 1;
}

static double jump(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b, (void)r;
    return (double)c >= drawn.at * (double)how->columns ? drawn.factor : 1;
}

static double hot_block(const struct made *how, size_t b, size_t r, size_t c)
{
    const size_t at = b * how->per + r, rows = how->buckets * how->per, first = (size_t)(drawn.at * (double)rows);
    (void)c;
    return at >= first && at < first + rows / 20 + 2 ? 12 : 1;
}

static double hot_one(const struct made *how, size_t b, size_t r, size_t c)
{
    const size_t at = b * how->per + r, rows = how->buckets * how->per;
    (void)c;
    return at == (size_t)(drawn.at * (double)rows) ? 0.4 * (double)rows : 0.6;
}

/* Other sizes, noise, phases, parts of periods, edges that trail and that a small sample misses now and then: the name
   is the same. */
static void other_cases(void **state)
{
    static const struct {
        law share;
        enum result_pattern_kind kind;
    } laws[] = {{flat, PATTERN_EVEN}, {some_edges, PATTERN_EDGES}, {late_edge, PATTERN_EDGES}, {part_of_a_day, PATTERN_PERIODIC},
                {bursts, PATTERN_PERIODIC}, {jump, PATTERN_CHANGE}, {hot_block, PATTERN_HOT_RANGE}, {hot_one, PATTERN_HOT_KEY}};
    static const size_t buckets[] = {1, 1, 3, 7, 20, 64}, columns[] = {60, 97, 240, 400, 1000};
    static const double noises[] = {0, 3, 12, 60};
    uint64_t seed = 11;
    (void)state;
    for (int n = 0; n < 240; n++) {
        const size_t l = (size_t)n % 8;
        struct made how = {buckets[(size_t)(rnd(&seed) * 6)], 0, columns[(size_t)(rnd(&seed) * 5)], noises[(size_t)(rnd(&seed) * 4)]};
        how.per = how.buckets == 1 ? 64 + (size_t)(rnd(&seed) * 450) : 512 / how.buckets;
        drawn.phase = rnd(&seed);
        drawn.periods = 2.3 + rnd(&seed) * 6;
        drawn.swing = 0.4 + 0.5 * rnd(&seed);
        drawn.at = 0.2 + 0.6 * rnd(&seed);
        drawn.factor = 1.8 + 3 * rnd(&seed);
        drawn.parts = how.buckets == 1 ? 1 + (size_t)(rnd(&seed) * 5) : 1;
        drawn.late = 2 + (size_t)(rnd(&seed) * (double)(how.per / 128));
        struct result_run run;
        struct result_pattern pat = find(&how, laws[l].share, &run);
        const size_t edges = laws[l].share == some_edges ? how.buckets * drawn.parts : laws[l].share == late_edge ? how.buckets : 0;
        const enum result_pattern_kind want = laws[l].kind == PATTERN_EDGES && edges == 1 ? PATTERN_SEQUENTIAL : laws[l].kind;
        if (pat.kind != want || pat.edges != (int)edges)
            fail_msg("case %d, law %zu, %zu x %zu rows, %zu columns, noise %g: %s, %d edges, instead of %s, %zu", n, l, how.buckets,
                     how.per, how.columns, how.noise, result_pattern_name(pat.kind), pat.edges, result_pattern_name(want), edges);
        if (laws[l].kind == PATTERN_PERIODIC) {
            const double period = STEP_S * (double)how.columns / drawn.periods;
            if (!(fabs(pat.period_s - period) < 0.15 * period + 2 * STEP_S))
                fail_msg("case %d: a period of %g s instead of %g", n, pat.period_s, period);
        }
        result_run_free(&run);
    }
}

/* A thin edge that leaves most rows of a fine matrix out moves all the same. */
static double thin_edge(const struct made *how, size_t b, size_t r, size_t c)
{
    (void)b;
    return c * how->per / how->columns == r ? (double)how->per : 0;
}

static void a_thin_edge(void **state)
{
    const struct made fine = {1, 1024, 240, 0}, coarse = {1, 100, 97, 0};
    struct result_run run;
    (void)state;
    assert_int_equal(find(&fine, thin_edge, &run).kind, PATTERN_SEQUENTIAL);
    result_run_free(&run);
    assert_int_equal(find(&coarse, thin_edge, &run).kind, PATTERN_SEQUENTIAL);
    result_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind), cmocka_unit_test(other_cases), cmocka_unit_test(a_thin_edge), cmocka_unit_test(figures), cmocka_unit_test(one_row_of_the_table),
        cmocka_unit_test(wrong_split_points), cmocka_unit_test(nothing), cmocka_unit_test(in_json),
        cmocka_unit_test(as_the_plan_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
