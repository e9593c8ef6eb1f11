/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.txt. Lines are budgeted: the head, the verdict and what warns (warnings, gates that aren't open,
   expectations that fail, queries that something is said of) always stand, other lists are shortened so that nothing
   else exceeds REPORT_LINES, the table that plan --latency adds not counted; what was left out is in the CSV tables
   and the last shown line says so. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/plan.h"
#include "report/report.h"
#include "result/csv.h"
#include "result/format.h"

#define COLUMNS_MAX 3                 /* scenario, none, twice */
#define LINE_WIDTH 100
#define PLAN_ROWS 10
#define LOST_SAID 5e-4                /* share of the rows */

struct page {
    FILE *to;
    int left;                         /* lines that may still be written, the verdict's not counted */
};

/* A text of the scenario may hold line feeds: one line stays one line. */
static void put_line(FILE *to, char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    fprintf(to, "%s\n", text);
}

__attribute__((format(printf, 2, 0)))
static void put_text(struct page *pg, const char *fmt, va_list args)
{
    char text[2100];
    vsnprintf(text, sizeof text, fmt, args);
    put_line(pg->to, text);
    pg->left--;
}

__attribute__((format(printf, 2, 3)))
static void line(struct page *pg, const char *fmt, ...)
{
    va_list args;
    if (pg->left <= 0)
        return;
    va_start(args, fmt);
    put_text(pg, fmt, args);
    va_end(args);
}

/* One that stands however full the page is. */
__attribute__((format(printf, 2, 3)))
static void warn(struct page *pg, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_text(pg, fmt, args);
    va_end(args);
}

void report_right(FILE *to, const char *text, int width)
{
    int letters = 0;
    for (const char *at = text; *at; at++)
        letters += ((unsigned char)*at & 0xC0) != 0x80;
    fprintf(to, "%*s%s", width > letters ? width - letters : 0, "", text);
}

static void head(struct page *pg, const struct result *res)
{
    const struct result_run *run = &res->run;
    char duration[FORMAT_CAP], window[FORMAT_CAP];
    line(pg, "%s%s", res->title ? res->title : "saltplan", res->partial ? " (interrupted: partial result)" : "");
    if (!(run->duration_s > 0)) { /* a plan that was interrupted before its run */
        line(pg, "%s, seed %llu, saltplan %s", res->base_name ? res->base_name : "-", (unsigned long long)res->seed,
             res->version ? res->version : "-");
        return;
    }
    line(pg, "%s, seed %llu, %s in windows of %s, detail %s, saltplan %s", res->base_name ? res->base_name : "-",
         (unsigned long long)res->seed, format_time(run->duration_s, duration), format_time(run->window_s, window),
         run->detail ? run->detail : "-", res->version ? res->version : "-");
}

static double tails(const struct result_run *run) { return run->summary.write_tails; }
static double hot_ratio(const struct result_run *run) { return run->summary.hot_server_ratio; }
static double idle(const struct result_run *run) { return run->summary.servers_idle; }
static double capacity(const struct result_run *run) { return run->summary.max_write_rate_per_s; }
static double done_share(const struct result_run *run) { return run->summary.writes_done / run->summary.writes_offered; }
static double queued(const struct result_run *run) { return run->summary.writes_queued; }
static double rejected(const struct result_run *run) { return run->summary.writes_rejected; }
static double p99(const struct result_run *run) { return run->summary.write_p99_us; }
static double regions_start(const struct result_run *run) { return run->summary.regions_start; }
static double regions_end(const struct result_run *run) { return run->summary.regions_end; }

const struct report_figure report_figures[] = {
    {"write tails", format_count, tails},
    {"hot server ratio", format_ratio, hot_ratio},
    {"servers without a tail", format_count, idle},
    {"saturates at", format_rate, capacity},
    {"done of offered", format_percent, done_share},
    {"queued at the end, rows", format_count, queued},
    {"rejected, rows", format_count, rejected},
    {"p99 of a write", format_latency, p99},
    {"regions at the start", format_count, regions_start},
    {"regions at the end", format_count, regions_end},
    {NULL, NULL, NULL},
};

bool report_figure_known(const struct result *res, const struct report_figure *fig)
{
    const struct result_run *run;

    for (size_t i = 0; (run = result_run_at(res, i)); i++)
        if (!isnan(fig->value(run)))
            return true;
    return false;
}

static void comparison(struct page *pg, const struct result *res)
{
    const struct result_run *run;
    char text[FORMAT_CAP], name[RESULT_NAME_CAP];
    size_t rows = sizeof report_figures / sizeof *report_figures - 1;
    if (pg->left < (int)rows + 1)
        return;
    fprintf(pg->to, "%-26s", "");
    for (size_t i = 0; i < COLUMNS_MAX && (run = result_run_at(res, i)); i++)
        report_right(pg->to, result_run_name(run, name), 15);
    fputc('\n', pg->to);
    for (size_t r = 0; r < rows; r++) {
        if (!report_figure_known(res, &report_figures[r]))
            continue;
        fprintf(pg->to, "%-26s", report_figures[r].label);
        for (size_t i = 0; i < COLUMNS_MAX && (run = result_run_at(res, i)); i++)
            report_right(pg->to, report_figures[r].format(report_figures[r].value(run), text), 15);
        fputc('\n', pg->to);
    }
    pg->left -= (int)rows + 1;
}

static void writes(struct page *pg, const struct result_run *run)
{
    const struct result_summary *sum = &run->summary;
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP], e[FORMAT_CAP];
    line(pg, "writes    %s offered = %s done + %s rejected + %s queued; %s attempts refused",
         format_count(sum->writes_offered, a), format_count(sum->writes_done, b),
         format_count(sum->writes_rejected, c), format_count(sum->writes_queued, d),
         format_count(sum->write_refusals, e));
    if (isnan(sum->write_p50_us) && run->detail && strcmp(run->detail, "write") != 0) {
        line(pg, "latency   detail %s counts rows, not calls: --detail write knows the latency of writes", run->detail);
        return;
    }
    line(pg, "latency   p50 %s, p95 %s, p99 %s, p99.9 %s, max %s", format_latency(sum->write_p50_us, a),
         format_latency(sum->write_p95_us, b), format_latency(sum->write_p99_us, c),
         format_latency(sum->write_p999_us, d), format_latency(sum->write_max_us, e));
}

static void servers(struct page *pg, const struct result_run *run)
{
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP];
    size_t hot = 0, cold = 0;
    for (size_t i = 0; i < run->servers_len; i++) {
        hot = run->servers[i].writes > run->servers[hot].writes ? i : hot;
        cold = run->servers[i].writes < run->servers[cold].writes ? i : cold;
    }
    if (!run->servers_len)
        return;
    line(pg, "servers   hottest %s: %s of the writes, %s busy; least %s: %s", run->servers[hot].name,
         format_percent(run->servers[hot].share, a), format_percent(run->servers[hot].utilisation, b),
         run->servers[cold].name, format_percent(run->servers[cold].share, c));
}

/* Times of the splits; those that read alike stand once, with their number. */
static void splits(struct page *pg, const struct result_run *run)
{
    char text[LINE_WIDTH + 60] = "", at[FORMAT_CAP] = "", last[FORMAT_CAP] = "";
    size_t len = 0, all = 0, alike = 0;
    bool cut = false;
    for (size_t i = 0; i <= run->events_len; i++) {
        bool end = i == run->events_len;
        if (!end && (!run->events[i].kind || strcmp(run->events[i].kind, "split") != 0))
            continue;
        if (!end)
            format_time(run->events[i].at_s, at);
        if (alike && (end || strcmp(at, last) != 0)) {
            cut = cut || len >= 60;
            if (!cut || end) /* of a long list the last one still stands */
                len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", cut ? " ... " : len ? ", " : " ", last);
            if (alike > 1 && (!cut || end))
                len += (size_t)snprintf(text + len, sizeof text - len, " (%zu)", alike);
            alike = 0;
        }
        if (end)
            break;
        all++;
        alike++;
        strcpy(last, at);
    }
    if (all)
        line(pg, "splits    %zu, at%s", all, text);
    else
        line(pg, "splits    none");
}

/* Nothing is said where no TTL has done anything. */
static void expired(struct page *pg, const struct result_summary *sum)
{
    if (!(sum->regions_expired > 0) && !(sum->files_expired > 0))
        return;
    line(pg, "expired   %.0f of %.0f regions are empty: all they had passed its TTL; %.0f files dropped whole",
         sum->regions_expired, sum->regions_end, sum->files_expired);
}

/* Calls and tail of a query beside another run's: "16 scans, 16 calls, p99 15.2 ms". */
static void query_cost(const struct result_query *query, char *text, size_t size)
{
    char a[FORMAT_CAP], b[FORMAT_CAP], p[FORMAT_CAP];
    size_t len = (size_t)snprintf(text, size, "%s scan%s", format_count(query->scans, a), query->scans > 1 ? "s" : "");

    if (isfinite(query->rpcs) && len < size)
        len += (size_t)snprintf(text + len, size - len, ", %s RPC%s", format_count(query->rpcs, b),
                                query->rpcs > 1 ? "s" : "");
    if (isfinite(query->p99_us) && len < size)
        len += (size_t)snprintf(text + len, size - len, ", p99 %s", format_latency(query->p99_us, p));
    if (isfinite(query->rows_lost_share) && len < size)
        snprintf(text + len, size - len, ", loses %.3g %% of the rows", 100 * query->rows_lost_share);
}

/* How the figures of queries came about, where there is room for it. */
static void how_asked(struct page *pg, const struct result_run *run)
{
    double walked = INFINITY, timed = INFINITY;
    char a[FORMAT_CAP], b[FORMAT_CAP];
    for (size_t i = 0; i < run->queries_len; i++) {
        walked = fmin(walked, isfinite(run->queries[i].sampled) ? run->queries[i].sampled : INFINITY);
        timed = fmin(timed, isfinite(run->queries[i].timed) ? run->queries[i].timed : INFINITY);
    }
    if (isfinite(timed) && timed > 0 && isfinite(walked))
        line(pg, "sampled   each query was timed %s times or more; %s or more went through the real ranges and merge, the rest are "
                 "drawn from these", format_count(timed, a), format_count(walked, b));
}

/* Something must be known of it. */
static bool has_trouble(const struct result_query *query)
{
    return query->note || query->rows_lost_share > LOST_SAID;
}

/* Those that something is said of always; of the others as many as |most| leaves room for. */
static void queries(struct page *pg, const struct result *res, int most)
{
    const struct result_run *none = result_comparison(res, "none");
    char cost[100], beside[120];
    size_t len = res->run.queries_len, trouble = 0, notes = 0, shown = 0;
    for (size_t i = 0; i < len; i++) {
        trouble += has_trouble(&res->run.queries[i]);
        notes += res->run.queries[i].note != NULL;
    }
    size_t room = most > (int)trouble ? (size_t)most - trouble : 0, quiet = len - trouble;
    if (quiet > room)
        quiet = room > 0 ? room - 1 : 0; /* the last line says how many more */
    const bool cut = trouble + quiet < len, own_line = pg->left >= (int)(trouble + quiet + notes + cut); /* else behind the figures */
    for (size_t i = 0; i < len; i++) {
        const struct result_query *query = &res->run.queries[i];
        if (!has_trouble(query) && shown++ >= quiet)
            continue;
        query_cost(query, cost, sizeof cost);
        beside[0] = '\0';
        if (none && i < none->queries_len)
            query_cost(&none->queries[i], beside, sizeof beside);
        const bool behind = query->note && !own_line;
        warn(pg, "query     %s, %s: %s%s%s%s%s%s", query->name, query->kind ? query->kind : "-", cost,
             beside[0] ? " (unsalted: " : "", beside, beside[0] ? ")" : "", behind ? "; " : "", behind ? query->note : "");
        if (query->note && own_line)
            warn(pg, "          %s", query->note);
    }
    if (cut)
        line(pg, "          %zu more in queries.csv", len - trouble - quiet);
    how_asked(pg, &res->run);
}

/* Buckets of millions of rows differ in the fourth digit. */
static const char *format_even(double ratio, char text[FORMAT_CAP])
{
    snprintf(text, FORMAT_CAP, "%.4fx", ratio);
    return text;
}

/* Measured beside what balls in bins would give. */
static void spreads(struct page *pg, const struct result_run *run)
{
    static const struct {
        const char *name, *words;
        const char *(*format)(double value, char text[FORMAT_CAP]);
    } shown[] = {{"bucket", "fullest bucket", format_even}, {"tails_per_server", "most tails on a server", format_count}};
    char text[300] = "", a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP];
    size_t len = 0;
    for (size_t i = 0; i < run->spreads_len; i++)
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
            const struct result_spread *s = &run->spreads[i];
            if (strcmp(s->name, shown[k].name) == 0 && len < sizeof text)
                len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s (at random %s to %s): %s", len ? "; " : "",
                                        shown[k].words, shown[k].format(s->most, a), shown[k].format(s->lo, b),
                                        shown[k].format(s->hi, c), s->verdict);
        }
    if (len)
        line(pg, "chance    %s", text);
}

/* All that fail; the rest is counted. */
static void expectations(struct page *pg, const struct result *res, int most)
{
    size_t passed = 0, left = 0;
    for (size_t i = 0; i < res->expectations_len; i++) {
        const struct result_expectation *exp = &res->expectations[i];
        if (strcmp(exp->verdict, "pass") == 0)
            passed++;
        else if (strcmp(exp->verdict, "fail") == 0)
            warn(pg, "expect    %s: FAILS: %s", exp->name, exp->text);
        else if (most-- > 1)
            line(pg, "expect    %s: %s: %s", exp->name, strcmp(exp->verdict, "known") == 0 ? "known failure" : "PASSES NOW", exp->text);
        else
            left++;
    }
    if (left)
        line(pg, "          %zu more expectations that don't just pass are in result.json", left);
    else if (passed == 1 && res->expectations_len == 1)
        line(pg, "expect    %s: %s", res->expectations[0].name, res->expectations[0].text);
    else if (passed)
        line(pg, "expect    %zu of %zu expectations pass", passed, res->expectations_len);
}

static bool is_note(const struct result_diagnostic *diag)
{
    return strcmp(diag->severity, "note") == 0;
}

/* What warns stands first and always, notes where they have room. */
static void diagnostics(struct page *pg, const struct result *res, int most)
{
    size_t notes = 0, shown = 0;
    for (size_t i = 0; i < res->diagnostics_len; i++) {
        notes += is_note(&res->diagnostics[i]);
        if (is_note(&res->diagnostics[i]))
            continue;
        warn(pg, "%-9s %s", res->diagnostics[i].severity, res->diagnostics[i].text);
        most--;
    }
    const size_t room = most > 0 ? (size_t)most : 0, all = notes <= room ? notes : room > 0 ? room - 1 : 0;
    for (size_t i = 0; i < res->diagnostics_len; i++)
        if (is_note(&res->diagnostics[i]) && shown++ < all)
            line(pg, "note      %s", res->diagnostics[i].text);
    if (all < notes)
        line(pg, "          %zu more note%s in result.json", notes - all, notes - all == 1 ? "" : "s");
}

/* Of a plan's page: lines for the queries of its run. */
static int query_lines(const struct result *res)
{
    return res->run.queries_len < 2 ? (int)res->run.queries_len : 2;
}

/* Lines that stay for what its run says, so that neighbours and gates don't fill the page. */
static int kept_lines(const struct result *res)
{
    return (res->diagnostics_len < 4 ? (int)res->diagnostics_len : 4) + query_lines(res) + (res->expectations_len > 0) +
           (res->run.spreads_len > 0);
}

/* Lines for the notes: a sim's queries keep two. */
static int notes_most(const struct page *pg, const struct result *res)
{
    if (res->plan.present && query_lines(res) > 0)
        return pg->left > query_lines(res) + 1 ? pg->left - query_lines(res) : 1;
    if (res->run.queries_len == 0)
        return pg->left;
    return pg->left > 4 ? 2 : pg->left > 3 ? pg->left - 2 : 1;
}

static const char *bucket_name(int n, char text[FORMAT_CAP])
{
    if (n > 0)
        snprintf(text, FORMAT_CAP, "%d", n);
    else
        strcpy(text, "none");
    return text;
}

/* Rows around the recommended one; the list's two ends always stand. */
static bool row_shown(const struct result_plan *plan, size_t row)
{
    size_t len = plan->candidates_len, chosen = 0;
    if (len <= PLAN_ROWS || row == 0 || row == len - 1)
        return true;
    for (size_t i = 0; i < len; i++)
        if (plan->candidates[i].n == plan->recommended_n)
            chosen = i;
    size_t from = chosen < 4 ? 1 : chosen - 3;
    if (from + PLAN_ROWS - 2 > len - 1)
        from = len - 1 - (PLAN_ROWS - 2);
    return row >= from && row < from + PLAN_ROWS - 2;
}

static void candidates(struct page *pg, const struct result_plan *plan)
{
    char text[FORMAT_CAP], why[2100];
    size_t hidden = 0;
    line(pg, "%6s %10s %15s %7s %7s %7s %8s   %s", "N", "hot ratio", "saturates at", "tails", "idle", "scans",
         "regions", plan->targets ? plan->targets : "");
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *cand = &plan->candidates[i];
        if (!row_shown(plan, i)) {
            hidden++;
            continue;
        }
        if (pg->left-- <= 0)
            return;
        report_right(pg->to, bucket_name(cand->n, text), 6);
        report_right(pg->to, format_ratio(cand->hot_server_ratio.mean, text), 11);
        report_right(pg->to, format_rate(cand->max_write_rate_per_s.mean, text), 16);
        report_right(pg->to, format_count(cand->write_tails.mean, text), 8);
        report_right(pg->to, format_count(cand->servers_idle.mean, text), 8);
        report_right(pg->to, format_count(cand->scans.mean, text), 8);
        report_right(pg->to, format_count(cand->regions.mean, text), 9);
        snprintf(why, sizeof why, "   %s", cand->n == plan->recommended_n ? "recommended" : cand->feasible ? "meets" :
                 cand->why_not ? cand->why_not : "does not meet");
        put_line(pg->to, why);
    }
    if (hidden)
        line(pg, "       %zu more in candidates.csv", hidden);
}

/* What else the servers are asked for, where it may be what holds the writes up: "queries ask for ...; ". */
static const char *reads_beside(const struct result_run *run, char *text, size_t cap)
{
    const struct result_query *most = result_most_asked(run);
    const double share = run->summary.reads_share;
    char a[FORMAT_CAP];
    text[0] = '\0';
    if (share >= RESULT_READS_MATTER)
        snprintf(text, cap, "queries ask for %s of the busiest server%s%.60s; ", format_percent(share, a),
                 most ? ", most of it " : "", most ? most->name : "");
    return text;
}

/* Of a run: how its writes fare. */
static int verdict_of_writes(const struct result *res, char *text, size_t cap)
{
    const struct result_summary *sum = &res->run.summary;
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP], e[FORMAT_CAP], reads[160];
    format_count(sum->write_tails, a);
    format_ratio(sum->hot_server_ratio, b);
    format_rate(sum->writes_done / res->run.duration_s, c);
    format_rate(sum->writes_offered / res->run.duration_s, d);
    const char *plural = sum->write_tails > 1 ? "s" : "";
    if (!(sum->writes_done > 0))
        return snprintf(text, cap, "verdict: nothing to judge: no row was written in this run, %s of %s offered are in the "
                        "clients' buffers; run longer", format_count(sum->writes_buffered, a),
                        format_count(sum->writes_offered, b));
    if (!result_keeps_up(&res->run))
        return snprintf(text, cap, "verdict: does not keep up. %s of %s are done, %s rows queued, %s rejected; %s"
                        "%s write tail%s, the hottest server does %s its share", c, d,
                        format_count(sum->writes_queued, e), sum->writes_rejected > 0 ? "some" : "none",
                        reads_beside(&res->run, reads, sizeof reads), a, plural, b);
    return snprintf(text, cap, "verdict: keeps up with %s on %s write tail%s; the hottest server does %s its "
                    "share and is full at %s", d, a, plural, b, format_rate(sum->max_write_rate_per_s, e));
}

/* What readers with a mistake don't get, behind the verdict on the writes. */
static int verdict_of_readers(const struct result_run *run, char *text, size_t cap)
{
    const struct result_query *worst = NULL;
    size_t more = 0;
    for (size_t i = 0; i < run->queries_len; i++) {
        if (!(run->queries[i].rows_lost_share > LOST_SAID))
            continue;
        more += worst != NULL;
        if (!worst || run->queries[i].rows_lost_share > worst->rows_lost_share)
            worst = &run->queries[i];
    }
    if (!worst)
        return 0;
    return snprintf(text, cap, "; but the reader of query %.60s loses %.3g %% of the rows%s", worst->name ? worst->name : "-",
                    100 * worst->rows_lost_share, more > 1 ? ", and others lose some" : more ? ", and another loses some" : "");
}

int report_verdict(const struct result *res, char *text, size_t cap)
{
    const struct result_plan *plan = &res->plan;
    char a[FORMAT_CAP];
    if (plan->present && plan->recommended_n < 0)
        return snprintf(text, cap, "verdict: %s%s", plan->answer ? "" : "no candidate meets the targets. ",
                        plan->reason ? plan->reason : "");
    if (plan->present && plan->answer && strcmp(plan->answer, "no-salt") == 0 && plan->reason)
        return snprintf(text, cap, "verdict: %s", plan->reason);
    if (plan->present)
        return snprintf(text, cap, "verdict: N = %s: %s", bucket_name(plan->recommended_n, a),
                        plan->reason ? plan->reason : "");
    const int len = verdict_of_writes(res, text, cap);
    const size_t at = len < 0 ? 0 : (size_t)len < cap ? (size_t)len : cap;
    return len + verdict_of_readers(&res->run, at < cap ? text + at : NULL, cap - at);
}

int report_write_text(const struct result *res, FILE *to)
{
    struct page pg = {to, REPORT_LINES - 1};
    char verdict[2200];
    head(&pg, res);
    line(&pg, "%s", "");
    if (res->plan.present)
        candidates(&pg, &res->plan);
    else if (res->run.servers_len)
        comparison(&pg, res);
    line(&pg, "%s", "");
    if (res->plan.present && report_query_costs(&res->plan, row_shown, to) > 0)
        fputc('\n', to);
    if (res->plan.present) {
        pg.left -= report_plan_lines(res, to, pg.left - kept_lines(res));
    } else if (res->run.servers_len) {
        writes(&pg, &res->run);
        servers(&pg, &res->run);
        splits(&pg, &res->run);
        expired(&pg, &res->run.summary);
    }
    spreads(&pg, &res->run);
    expectations(&pg, res, 4);
    diagnostics(&pg, res, notes_most(&pg, res));
    queries(&pg, res, pg.left > 0 ? pg.left : 0);
    report_verdict(res, verdict, sizeof verdict);
    put_line(to, verdict);
    return ferror(to) ? -1 : 0;
}
