/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/pattern.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Limits between the kinds. A row's presence is the share of the run in which it takes writes; a row
   passed by an edge has a small one. Sampled cells are noisy: no limit lies near what noise makes. */
#define MOVING_PRESENCE 0.6
#define MOVING_ORDER 0.75             /* of neighbouring rows: the later key is also the later time */
#define EDGE_FLOOR 0.01               /* of a window's largest cell: below it is no edge of its own */
#define LATE_PART 0.25                /* of an edge: a neighbour that takes less trails behind it */
#define RARELY 8                      /* a bucket has an edge that is seen in an eighth of the windows */
#define HOT_TIMES 3.0                 /* a range is hot with so many times its fair share */
#define HOT_SHARE 0.25
#define EVEN_BUCKET_TIMES 1.5         /* the fullest bucket's multiple of its fair share, up to which a salt is even */
#define HOT_KEY_SHARE 0.05            /* of a row key that is seen to be a single one */
#define HOT_ROW_SHARE 0.1             /* of one row of the matrix among many */
#define CHANGE_EXPLAINED 0.8          /* of the rates' variance, by two levels */
#define CHANGE_FACTOR 1.5
#define CHANGE_MOVED 0.3
#define PERIOD_LIKENESS 0.5
#define SWING 0.1                     /* standard deviation over mean, of what comes and goes */
#define COARSE_ROWS 32
#define COARSE_COLUMNS 128

/* The matrix summed up. |writes| are rows, not rates. */
struct profile {
    const struct result_keyspace *ks;
    double *row, *column, *rate;      /* writes of each row; of each window; rate of each window */
    double *centre, *presence;        /* of each row: mean time of its writes, presence of 0 to 1 */
    double total, span_s;
};

static double cell(const struct result_keyspace *ks, size_t r, size_t c)
{
    double rate = ks->cells[r * ks->columns + c];
    return rate > 0 ? rate * (ks->times_s[c + 1] - ks->times_s[c]) : 0;
}

static void sum_row(struct profile *pf, size_t r)
{
    const struct result_keyspace *ks = pf->ks;
    double sum = 0, moment = 0, squares = 0;
    for (size_t c = 0; c < ks->columns; c++) {
        double writes = cell(ks, r, c), width = ks->times_s[c + 1] - ks->times_s[c];
        sum += writes;
        moment += writes * (ks->times_s[c] + width / 2);
        squares += width > 0 ? writes * writes / width : 0;
        pf->column[c] += writes;
    }
    pf->row[r] = sum;
    pf->centre[r] = sum > 0 ? moment / sum : (double)NAN;
    pf->presence[r] = squares > 0 ? sum * sum / squares / pf->span_s : 0;
    pf->total += sum;
}

static int profile_make(struct profile *pf, const struct result_keyspace *ks)
{
    *pf = (struct profile){.ks = ks, .span_s = ks->times_s[ks->columns] - ks->times_s[0]};
    pf->row = calloc(3 * ks->rows + 2 * ks->columns, sizeof *pf->row);
    if (!pf->row)
        return -1;
    pf->centre = pf->row + ks->rows;
    pf->presence = pf->centre + ks->rows;
    pf->column = pf->presence + ks->rows;
    pf->rate = pf->column + ks->columns;
    for (size_t r = 0; r < ks->rows; r++)
        sum_row(pf, r);
    for (size_t c = 0; c < ks->columns; c++) {
        double width = ks->times_s[c + 1] - ks->times_s[c];
        pf->rate[c] = width > 0 ? pf->column[c] / width : 0;
    }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The fullest bucket's share of the writes; NaN where the table has no buckets. */
static double fullest_bucket(const struct profile *pf)
{
    double most = (double)NAN, sum = 0;
    for (size_t r = 0; r < pf->ks->rows && pf->ks->buckets > 1; r++) {
        if (r > 0 && pf->ks->row_bucket[r] != pf->ks->row_bucket[r - 1])
            sum = 0;
        sum += pf->row[r] / pf->total;
        most = fmax(most, sum);
    }
    return most;
}

/* Rows first to after, one bucket's, in window |c|. */
struct stretch {
    size_t first, after, c;
    double floor;                     /* writes below it are none */
};

/* Groups of neighbouring rows that take writes; |strongest| becomes the most that one takes. What trails close behind
   an edge and is far weaker is its own late part: writes that waited longer. */
static int groups_in(const struct profile *pf, const struct stretch *st, double *strongest)
{
    const size_t near = 1 + (st->after - st->first) / 128;
    double group = 0, before = 0;     /* writes of this group, and of the one before it */
    size_t gap = 0;                   /* rows without writes since it */
    int groups = 0;
    for (size_t r = st->first; r <= st->after; r++) {
        const double writes = r < st->after ? cell(pf->ks, r, st->c) : 0;
        if (writes > st->floor) {
            group += writes;
            continue;
        }
        if (group > 0) {
            const bool late = groups > 0 && gap <= near && fmin(group, before) < LATE_PART * fmax(group, before);
            before = late ? group + before : group;
            groups += !late;
            *strongest = fmax(*strongest, before);
            group = 0;
            gap = 0;
        }
        gap++;
    }
    return groups;
}

/* Groups of a bucket: the median over the windows in which it has any; 0 where these are few. */
static int edges_of_bucket(const struct profile *pf, struct stretch *st, const double *floors, double *strongest, double *groups)
{
    const size_t columns = pf->ks->columns;
    size_t len = 0, active = 0;
    for (st->c = 0; st->c < columns; st->c++) {
        if (!(pf->column[st->c] > 0))
            continue;
        st->floor = floors[st->c];
        active++;
        groups[len] = groups_in(pf, st, &strongest[st->c]);
        len += groups[len] > 0;
    }
    if (len * RARELY < active)
        return 0;
    qsort(groups, len, sizeof *groups, by_value);
    return len > 0 ? (int)groups[len / 2] : 0;
}

/* The edges of all buckets, and the median over the windows with writes of the strongest one's share. */
static int count_edges(const struct profile *pf, struct result_pattern *pat)
{
    const struct result_keyspace *ks = pf->ks;
    size_t columns = ks->columns, len = 0;
    double *floors = calloc(3 * columns, sizeof *floors), *strongest = floors + columns, *groups = strongest + columns;
    if (!floors)
        return -1;
    for (size_t r = 0; r < ks->rows; r++)
        for (size_t c = 0; c < columns; c++)
            floors[c] = fmax(floors[c], EDGE_FLOOR * cell(ks, r, c));
    pat->edges = 0;
    for (struct stretch st = {0}; st.first < ks->rows; st.first = st.after) {
        for (st.after = st.first + 1; st.after < ks->rows && ks->row_bucket[st.after] == ks->row_bucket[st.first];)
            st.after++;
        pat->edges += edges_of_bucket(pf, &st, floors, strongest, groups);
    }
    for (size_t c = 0; c < columns; c++)
        if (pf->column[c] > 0)
            groups[len++] = strongest[c] / pf->column[c];
    qsort(groups, len, sizeof *groups, by_value);
    /* The strongest of a small sample is stronger than any edge is: not more than its whole bucket. */
    pat->share = fmin(groups[len / 2], fullest_bucket(pf));
    free(floors);
    return 0;
}

/* Edges move when rows are written in passing, one after the other in the order of their keys (or
   against it). */
static bool moves(const struct profile *pf)
{
    const struct result_keyspace *ks = pf->ks;
    double presence = 0;
    size_t up = 0, down = 0, pairs = 0, could = 0, last = ks->rows; /* last: the written row before this one */
    for (size_t r = 0; r < ks->rows; r++) {
        presence += pf->presence[r] * pf->row[r] / pf->total;
        if (!(pf->row[r] > 0))
            continue;
        const bool pair = last < r && ks->row_bucket[r] == ks->row_bucket[last];
        const double later_s = pair ? pf->centre[r] - pf->centre[last] : 0;
        last = r;
        could += pair;
        if (fabs(later_s) < 1e-9 * pf->span_s)
            continue; /* written in the same window: no order is seen */
        pairs++;
        up += later_s > 0;
        down += later_s < 0;
    }
    /* An order is seen where a quarter of the neighbours that could differ do: two halves that take turns have none. */
    could = could < ks->columns ? could : ks->columns;
    return pairs > 0 && 4 * pairs >= could && presence <= MOVING_PRESENCE &&
           (double)(up > down ? up : down) >= MOVING_ORDER * (double)pairs;
}

/* Rows that begin with the same key hold this one key alone. */
static bool find_single_key(const struct profile *pf, struct result_pattern *pat)
{
    const struct result_keyspace *ks = pf->ks;
    double best = 0;
    for (size_t first = 0, next; first < ks->rows; first = next) {
        double sum = pf->row[first];
        for (next = first + 1; next < ks->rows && ks->row_bucket[next] == ks->row_bucket[first] &&
             ks->edges[next] && ks->edges[first] && strcmp(ks->edges[next], ks->edges[first]) == 0; next++)
            sum += pf->row[next];
        if (next - first < 2 || sum / pf->total <= best)
            continue;
        best = sum / pf->total;
        pat->key = ks->edges[first];
    }
    if (best < HOT_KEY_SHARE) {
        pat->key = NULL;
        return false;
    }
    pat->kind = PATTERN_HOT_KEY;
    pat->share = best;
    return true;
}

/* The stretch of rows that takes most above twice its fair share. */
static bool find_stretch(const struct profile *pf, struct result_pattern *pat)
{
    const struct result_keyspace *ks = pf->ks;
    double fair = 1.0 / (double)ks->rows, gain = 0, best = 0;
    size_t first = 0, best_first = 0, best_len = 0;
    for (size_t r = 0; r < ks->rows; r++) {
        if (gain <= 0) {
            gain = 0;
            first = r;
        }
        gain += pf->row[r] / pf->total - 2 * fair;
        if (gain > best) {
            best = gain;
            best_first = first;
            best_len = r - first + 1;
        }
    }
    double share = best + 2 * fair * (double)best_len;
    bool whole_bucket = ks->buckets > 1 && (size_t)ks->buckets >= ks->rows;
    bool single = best_len == 1 && !whole_bucket && share >= HOT_ROW_SHARE;
    if (best_len == 0 || share < HOT_TIMES * fair * (double)best_len || (!single && share < HOT_SHARE))
        return false;
    pat->kind = single ? PATTERN_HOT_KEY : PATTERN_HOT_RANGE;
    pat->share = share;
    pat->key = ks->edges[best_first];
    return true;
}

/* An unsalted table's rows are quantiles of its keys and take equally much whatever the keys are: what
   is narrow shows in its regions. */
static bool find_hot_region(const struct result_run *run, struct result_pattern *pat)
{
    const struct result_summary *sum = &run->summary;
    const struct result_region *hot = NULL;
    if (!(sum->hot_region_share >= HOT_SHARE && sum->hot_region_ratio >= HOT_TIMES))
        return false;
    for (size_t i = 0; i < run->regions_len; i++)
        if (run->regions[i].table == run->keyspace.table && (!hot || run->regions[i].writes > hot->writes))
            hot = &run->regions[i];
    pat->kind = PATTERN_HOT_RANGE;
    pat->share = sum->hot_region_share;
    pat->key = hot ? hot->start : NULL;
    return true;
}

/* Whether the rates jump from one level to another within two windows, rather than climb. */
static void find_rate_change(const struct profile *pf, struct result_pattern *pat)
{
    size_t len = pf->ks->columns, at = 0;
    double sum = 0, squares = 0, before = 0, best = -1;
    for (size_t c = 0; c < len; c++) {
        sum += pf->rate[c];
        squares += pf->rate[c] * pf->rate[c];
    }
    double variance = squares - sum * sum / (double)len;
    for (size_t c = 1; c + 2 <= len; c++) {
        before += pf->rate[c - 1];
        double between = before * before / (double)c + (sum - before) * (sum - before) / (double)(len - c) -
                         sum * sum / (double)len;
        if (c < 2 || between <= best)
            continue;
        best = between;
        at = c;
    }
    if (at == 0 || !(best >= CHANGE_EXPLAINED * variance) || !(variance > 0))
        return;
    double low = 0, high;
    for (size_t c = 0; c < at; c++)
        low += pf->rate[c] / (double)at;
    high = (sum - low * (double)at) / (double)(len - at);
    double jump = (pf->rate[at] + pf->rate[at + 1] - pf->rate[at - 1] - pf->rate[at - 2]) / 2;
    double factor = low > 0 ? high / low : HUGE_VAL;
    if (fmax(factor, 1 / factor) < CHANGE_FACTOR || fabs(jump) < 0.6 * fabs(high - low))
        return;
    pat->change_s = pf->ks->times_s[at];
    pat->factor = factor;
}

/* Half the sum of differences of two distributions over the rows: the share that lies elsewhere. */
static double distance(const double *a, const double *b, size_t len)
{
    double sum_a = 0, sum_b = 0, apart = 0;
    for (size_t i = 0; i < len; i++) {
        sum_a += a[i];
        sum_b += b[i];
    }
    for (size_t i = 0; i < len && sum_a > 0 && sum_b > 0; i++)
        apart += fabs(a[i] / sum_a - b[i] / sum_b) / 2;
    return apart;
}

static void sum_windows(const struct result_keyspace *ks, size_t from, size_t to, double *out)
{
    for (size_t r = 0; r < ks->rows; r++) {
        out[r] = 0;
        for (size_t c = from; c < to; c++)
            out[r] += cell(ks, r, c);
    }
}

/* Whether the writes go to other rows from some window on, and stay put before and after. */
static int find_place_change(const struct profile *pf, struct result_pattern *pat)
{
    const struct result_keyspace *ks = pf->ks;
    size_t columns = ks->columns, rows = ks->rows, margin = columns / 10 > 2 ? columns / 10 : 2, at = 0;
    double *sums = calloc(4 * rows, sizeof *sums), *a = sums, *b = sums + rows, *c1 = sums + 2 * rows, *c2 = sums + 3 * rows;
    double best = 0;
    if (!sums)
        return -1;
    for (size_t c = 0; c + margin <= columns; c++) {
        for (size_t r = 0; r < rows; r++)
            b[r] = pf->row[r] - a[r];
        double apart = c >= margin ? distance(a, b, rows) : 0;
        if (apart > best) {
            best = apart;
            at = c;
        }
        for (size_t r = 0; r < rows; r++)
            a[r] += cell(ks, r, c);
    }
    if (at > 0) {
        sum_windows(ks, 0, at / 2, a);
        sum_windows(ks, at / 2, at, b);
        sum_windows(ks, at, (at + columns) / 2, c1);
        sum_windows(ks, (at + columns) / 2, columns, c2);
    }
    if (best >= CHANGE_MOVED && distance(a, b, rows) < best / 3 && distance(c1, c2, rows) < best / 3) {
        pat->change_s = ks->times_s[at];
        pat->moved = best;
    }
    free(sums);
    return 0;
}

/* The matrix on an even grid of at most COARSE_ROWS x COARSE_COLUMNS, row-major by time. */
struct coarse {
    size_t rows, columns;
    double step_s;                    /* width of a column */
    double cells[COARSE_COLUMNS][COARSE_ROWS];
};

/* Whole windows' widths to a grid column where windows are equal; joined windows are shared out by time. */
static void coarsen(const struct profile *pf, struct coarse *out)
{
    const struct result_keyspace *ks = pf->ks;
    size_t group = (ks->columns + COARSE_COLUMNS - 1) / COARSE_COLUMNS;
    memset(out, 0, sizeof *out);
    out->rows = ks->rows < COARSE_ROWS ? ks->rows : COARSE_ROWS;
    out->columns = ks->columns / group;
    out->step_s = pf->span_s * (double)group / (double)ks->columns;
    for (size_t c = 0; c < ks->columns; c++) {
        double begin = (ks->times_s[c] - ks->times_s[0]) / out->step_s;
        double end = (ks->times_s[c + 1] - ks->times_s[0]) / out->step_s;
        for (size_t x = (size_t)begin; x < out->columns && (double)x < end; x++) {
            double overlap = fmin(end, (double)x + 1) - fmax(begin, (double)x);
            for (size_t r = 0; r < ks->rows; r++)
                out->cells[x][r * out->rows / ks->rows] += cell(ks, r, c) * overlap / (end - begin);
        }
    }
}

/* Correlation of the grid with itself |lag| columns later. With |place| each column counts as what
   its rows take more or less than in the mean; else only its sum. */
static double likeness(const struct coarse *grid, size_t lag, bool place)
{
    double mean[COARSE_ROWS] = {0}, mean_sum = 0, both = 0, one = 0, other = 0, level = 0;
    for (size_t c = 0; c < grid->columns; c++)
        for (size_t r = 0; r < grid->rows; r++)
            mean[r] += grid->cells[c][r] / (double)grid->columns;
    for (size_t r = 0; r < grid->rows; r++) {
        mean_sum += mean[r];
        level += mean[r] * mean[r] * (double)(grid->columns - lag);
    }
    if (!place)
        level = mean_sum * mean_sum * (double)(grid->columns - lag);
    for (size_t c = 0; c + lag < grid->columns; c++) {
        double x = -mean_sum, y = -mean_sum;
        for (size_t r = 0; r < grid->rows; r++) {
            double u = grid->cells[c][r] - mean[r], v = grid->cells[c + lag][r] - mean[r];
            x += grid->cells[c][r];
            y += grid->cells[c + lag][r];
            both += place ? u * v : 0;
            one += place ? u * u : 0;
            other += place ? v * v : 0;
        }
        both += place ? 0 : x * y;
        one += place ? 0 : x * x;
        other += place ? 0 : y * y;
    }
    if (one < SWING * SWING * level || other < SWING * SWING * level) /* next to constant */
        return 0;
    return one > 0 && other > 0 ? both / sqrt(one * other) : 0;
}

/* The first lag at which the grid is like itself again after it was unlike, seen twice at least. */
static size_t find_lag(const struct coarse *grid, bool place)
{
    bool was_unlike = false;
    double value = likeness(grid, 1, place);
    for (size_t lag = 2; 2 * lag <= grid->columns; lag++) {
        double here = value, next = likeness(grid, lag + 1, place);
        value = likeness(grid, lag, place);
        was_unlike = was_unlike || value < 0.1;
        if (was_unlike && value >= PERIOD_LIKENESS && value >= here && value >= next)
            return lag;
    }
    return 0;
}

static int find_period(const struct profile *pf, struct result_pattern *pat)
{
    struct coarse *grid = malloc(sizeof *grid);
    if (!grid)
        return -1;
    coarsen(pf, grid);
    size_t lag = find_lag(grid, false);
    if (lag == 0)
        lag = find_lag(grid, true);
    if (lag > 0)
        pat->period_s = grid->step_s * (double)lag;
    free(grid);
    return 0;
}

/* Rows that would carry the same if each took equally much, as a share of all. */
static double evenness(const struct profile *pf)
{
    double squares = 0;
    for (size_t r = 0; r < pf->ks->rows; r++)
        squares += pf->row[r] / pf->total * (pf->row[r] / pf->total);
    return 1 / squares / (double)pf->ks->rows;
}

static void judge_evenness(const struct profile *pf, struct result_pattern *pat)
{
    const double fullest = fullest_bucket(pf);

    pat->kind = PATTERN_EVEN;
    if (fullest * pf->ks->buckets > EVEN_BUCKET_TIMES) {
        pat->kind = PATTERN_UNEVEN;
        pat->share = fullest;
        pat->times = fullest * pf->ks->buckets;
    } else if (evenness(pf) < 0.5) {
        pat->kind = PATTERN_UNEVEN;
    }
}

static int name_pattern(const struct result_run *run, const struct profile *pf, struct result_pattern *pat)
{
    find_rate_change(pf, pat);
    if (isnan(pat->change_s) && find_period(pf, pat) != 0)
        return -1;
    if (moves(pf)) {
        int rc = count_edges(pf, pat);
        pat->kind = pat->edges > 1 ? PATTERN_EDGES : PATTERN_SEQUENTIAL;
        return rc;
    }
    if (isnan(pat->period_s) && find_place_change(pf, pat) != 0)
        return -1;
    if (!isnan(pat->moved))
        pat->kind = PATTERN_CHANGE;
    else if (find_single_key(pf, pat) || find_stretch(pf, pat) || find_hot_region(run, pat))
        return 0;
    else if (!isnan(pat->change_s))
        pat->kind = PATTERN_CHANGE;
    else if (!isnan(pat->period_s))
        pat->kind = PATTERN_PERIODIC;
    else
        judge_evenness(pf, pat);
    return 0;
}

int result_pattern_find(const struct result_run *run, struct result_pattern *pat)
{
    const struct result_keyspace *ks = &run->keyspace;
    struct result_pattern found = {.share = (double)NAN, .change_s = (double)NAN, .factor = (double)NAN,
                                   .moved = (double)NAN, .times = (double)NAN, .period_s = (double)NAN};
    struct profile pf;
    int rc = 0;
    *pat = found;
    if (ks->rows == 0 || ks->columns == 0 || !(ks->times_s[ks->columns] > ks->times_s[0]))
        return 0;
    if (profile_make(&pf, ks) != 0)
        return -1;
    if (pf.total > 0)
        rc = name_pattern(run, &pf, &found);
    free(pf.row);
    if (rc == 0)
        *pat = found;
    return rc;
}
