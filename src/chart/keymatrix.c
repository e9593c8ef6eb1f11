/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/keymatrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/theme.h"

/* First and last cell that fall on a pixel. */
struct span {
    size_t first, last;
};

/* Columns by time: a pixel shows the window in its middle, and also the windows that lie wholly inside
   it, so that none is passed over. */
static struct span *column_spans(const struct result_keyspace *ks, size_t width)
{
    struct span *spans = malloc(width * sizeof *spans);
    double begin = ks->times_s[0], pixel = (ks->times_s[ks->columns] - begin) / (double)width;
    size_t c = 0, shown = 0; /* windows before |shown| are on some pixel already */
    for (size_t x = 0; spans && x < width; x++) {
        double middle = begin + pixel * ((double)x + 0.5);
        while (c + 1 < ks->columns && ks->times_s[c + 1] <= middle)
            c++;
        if (x + 1 == width)
            c = ks->columns - 1;
        spans[x] = (struct span){shown < c ? shown : c, c};
        shown = c + 1;
    }
    return spans;
}

/* First row of each bucket; buckets + 1 entries. */
static size_t *bucket_starts(const struct result_keyspace *ks)
{
    size_t *starts = malloc(((size_t)ks->buckets + 1) * sizeof *starts), r = 0;
    for (int b = 0; starts && b <= ks->buckets; b++) {
        while (r < ks->rows && ks->row_bucket[r] < b)
            r++;
        starts[b] = r;
    }
    return starts;
}

/* Bands that are high enough give their first pixel to a white line. */
static bool bands_are_separated(const struct result_keyspace *ks, size_t height)
{
    return height >= (size_t)ks->buckets * 7;
}

/* The rows that pixel |y| of a band of |pixels| shows: the one in its middle, or all that fall on it. */
static struct span rows_of_pixel(size_t y, size_t pixels, size_t rows)
{
    if (rows <= pixels) {
        size_t row = (2 * y + 1) * rows / (2 * pixels);
        return (struct span){row, row};
    }
    return (struct span){y * rows / pixels, ((y + 1) * rows + pixels - 1) / pixels - 1};
}

/* Rows by bucket bands of equal height; a band without rows has first > last. */
static struct span *row_spans(const struct result_keyspace *ks, size_t height)
{
    size_t *starts = bucket_starts(ks), buckets = (size_t)ks->buckets;
    struct span *spans = starts ? malloc(height * sizeof *spans) : NULL;
    size_t line = bands_are_separated(ks, height) && buckets > 1 ? 1 : 0;
    for (size_t y = 0; spans && y < height; y++) {
        size_t first = y * buckets / height, after = first + 1;
        if (buckets > height) /* several buckets a pixel */
            after = (y + 1) * buckets / height;
        while (first + 1 < buckets && (first + 1) * height / buckets <= y)
            after = ++first + 1;
        size_t top = first * height / buckets, bottom = after * height / buckets, rows = starts[after] - starts[first];
        if (rows == 0)
            spans[y] = (struct span){1, 0};
        else if (buckets > 1 && height < 6 * buckets) /* too low for its rows: the bucket as a whole */
            spans[y] = (struct span){starts[first], starts[after] - 1};
        else {
            size_t pixels = bottom - top - line, at = y - top < line ? 0 : y - top - line;
            struct span span = rows_of_pixel(at, pixels, rows);
            spans[y] = (struct span){starts[first] + span.first, starts[first] + span.last};
        }
    }
    free(starts);
    return spans;
}

/* Rows from |r| on that hold one and the same key alone. */
static size_t rows_of_key(const struct result_keyspace *ks, size_t r)
{
    size_t len = 1;
    while (ks->edges && ks->edges[r] && r + len < ks->rows && ks->row_bucket[r + len] == ks->row_bucket[r] &&
           ks->edges[r + len] && strcmp(ks->edges[r + len], ks->edges[r]) == 0)
        len++;
    return len;
}

/* A key that fills several rows is one: its writes can't be divided, and so each of its rows shows all of them.
   A copy of the cells, or NULL where no key does (or without memory: |*failed|). */
static double *cells_by_key(const struct result_keyspace *ks, bool *failed)
{
    double *cells = NULL;
    *failed = false;
    for (size_t r = 0, len; r < ks->rows && !*failed; r += len) {
        len = rows_of_key(ks, r);
        if (len == 1)
            continue;
        if (!cells) {
            cells = malloc(ks->rows * ks->columns * sizeof *cells);
            *failed = !cells;
            if (cells)
                memcpy(cells, ks->cells, ks->rows * ks->columns * sizeof *cells);
        }
        for (size_t c = 0; cells && c < ks->columns; c++) {
            double sum = 0;
            for (size_t i = 0; i < len; i++)
                sum += ks->cells[(r + i) * ks->columns + c];
            for (size_t i = 0; i < len; i++)
                cells[(r + i) * ks->columns + c] = sum;
        }
    }
    return cells;
}

double keymatrix_most(const struct result_run *run)
{
    const struct result_keyspace *ks = &run->keyspace;
    bool failed;
    double most = 0, *by_key = cells_by_key(ks, &failed);
    const double *cells = by_key ? by_key : ks->cells;
    for (size_t i = 0; i < ks->rows * ks->columns; i++)
        most = fmax(most, cells[i]);
    free(by_key);
    return run->server_capacity_per_s > 0 ? most / run->server_capacity_per_s : 0;
}

/* Negative: no data. */
static double largest(const struct result_keyspace *ks, struct span rows, struct span columns)
{
    double most = (double)NAN;
    for (size_t r = rows.first; r <= rows.last && rows.first <= rows.last; r++)
        for (size_t c = columns.first; c <= columns.last; c++)
            most = fmax(most, ks->cells[r * ks->columns + c]); /* fmax passes over NaN */
    return isnan(most) ? -1 : most;
}

static uint8_t colour_of(double rate_per_s, double capacity_per_s, int octaves)
{
    if (rate_per_s < 0)
        return COLOUR_NO_DATA;
    return (uint8_t)(COLOUR_CELLS + theme_cell_level(rate_per_s / capacity_per_s, octaves));
}

static void hatch(uint8_t *row, size_t width, size_t y)
{
    for (size_t x = 0; x < width; x++)
        if (row[x] == COLOUR_NO_DATA && (x + y) % 6 != 0)
            row[x] = COLOUR_PAGE;
}

/* White lines between the bands. */
static void separate_bands(const struct result_keyspace *ks, uint8_t *out, size_t width, size_t height)
{
    size_t buckets = (size_t)ks->buckets;
    if (!bands_are_separated(ks, height))
        return;
    for (size_t b = 1; b < buckets; b++)
        memset(out + b * height / buckets * width, COLOUR_MARK, width);
}

uint8_t *keymatrix_pixels(const struct result_run *run, struct keymatrix_size size)
{
    struct result_keyspace shown = run->keyspace;
    const struct result_keyspace *ks = &shown;
    size_t width = size.width, height = size.height;
    uint8_t *out = malloc(width * height);
    struct span *columns = column_spans(ks, width), *rows = row_spans(ks, height);
    bool failed;
    double *by_key = cells_by_key(ks, &failed);
    if (by_key)
        shown.cells = by_key;
    if (!out || !columns || !rows || failed) {
        free(out);
        out = NULL;
    }
    for (size_t y = 0; out && y < height; y++) {
        uint8_t *row = out + y * width;
        if (y > 0 && rows[y].first == rows[y - 1].first && rows[y].last == rows[y - 1].last) {
            memcpy(row, row - width, width);
            continue;
        }
        for (size_t x = 0; x < width; x++) {
            bool same = x > 0 && columns[x].first == columns[x - 1].first && columns[x].last == columns[x - 1].last;
            row[x] = same ? row[x - 1] : colour_of(largest(ks, rows[y], columns[x]), run->server_capacity_per_s,
                                                   size.octaves);
        }
    }
    for (size_t y = 0; out && y < height; y++)
        hatch(out + y * width, width, y);
    if (out)
        separate_bands(ks, out, width, height);
    free(columns);
    free(rows);
    free(by_key);
    return out;
}

int *keymatrix_servers_by_pixel(const struct result_run *run, size_t height)
{
    const struct result_keyspace *ks = &run->keyspace;
    struct span *rows = row_spans(ks, height);
    int *servers = rows ? malloc(height * sizeof *servers) : NULL;
    for (size_t y = 0; servers && y < height; y++) {
        bool any = rows[y].first <= rows[y].last;
        servers[y] = any ? ks->server[rows[y].first * ks->columns + ks->columns - 1] : -1;
    }
    free(rows);
    return servers;
}

uint8_t *keymatrix_server_strip(const struct result_run *run, struct keymatrix_size size)
{
    size_t width = size.width, height = size.height;
    uint8_t *out = malloc(width * height);
    int *servers = keymatrix_servers_by_pixel(run, height);
    const struct result_window *last = run->windows_len ? &run->windows[run->windows_len - 1] : NULL;
    for (size_t y = 0; out && servers && y < height; y++) {
        uint8_t colour = COLOUR_NO_DATA;
        if (last && servers[y] >= 0) {
            double rate = last->server_writes[servers[y]] / (last->end_s - last->begin_s);
            colour = colour_of(rate, run->server_capacity_per_s, size.octaves);
        }
        memset(out + y * width, colour, width);
        hatch(out + y * width, width, y);
        if (y > 0 && servers[y] != servers[y - 1])
            memset(out + y * width, COLOUR_MARK, width);
    }
    free(servers);
    if (!servers) {
        free(out);
        return NULL;
    }
    return out;
}

static size_t common_length(const char *a, const char *b)
{
    size_t len = 0;
    while (a[len] && a[len] == b[len])
        len++;
    return len;
}

double keymatrix_key_y(const struct result_keyspace *ks, const char *key)
{
    size_t low = 0, high = ks->rows; /* rows below |low| begin at or before the key */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (result_key_compare(ks->edges[middle], key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t row = low ? low - 1 : 0;
    /* Between the last row of one bucket and the first of the next: it is the next one's border when
       it resembles that more ("\\x01" stands before "\\x01\\x00..."). */
    if (low && low < ks->rows && ks->row_bucket[low] != ks->row_bucket[row] &&
        common_length(key, ks->edges[low]) > common_length(key, ks->edges[row]))
        return (double)ks->row_bucket[low] / ks->buckets;
    size_t first = row, last = row;
    while (first > 0 && ks->row_bucket[first - 1] == ks->row_bucket[row])
        first--;
    while (last + 1 < ks->rows && ks->row_bucket[last + 1] == ks->row_bucket[row])
        last++;
    bool exact = result_key_compare(ks->edges[row], key) == 0;
    double inside = ((double)(row - first) + (exact || !low ? 0.0 : 0.5)) / (double)(last - first + 1);
    return (ks->row_bucket[row] + inside) / ks->buckets;
}

/* Length of the text of |key|'s first |bytes| bytes. */
static size_t prefix_length(const char *key, int bytes)
{
    size_t len = 0;
    for (int i = 0; i < bytes && key[len]; i++)
        len += key[len] == '\\' && key[len + 1] == 'x' && key[len + 2] && key[len + 3] ? 4 : 1;
    return len;
}

static const char *first_edge(const struct result_keyspace *ks, int bucket)
{
    for (size_t r = 0; r < ks->rows; r++)
        if (ks->row_bucket[r] == bucket)
            return ks->edges[r];
    return NULL;
}

static bool same_prefix(const char *a, const char *b, int bytes)
{
    size_t len = prefix_length(a, bytes);
    return len == prefix_length(b, bytes) && memcmp(a, b, len) == 0;
}

/* Whether the buckets' keys begin with bytes, not with digits in text: the first ones that are told
   apart say so, since 1 is no letter. */
static bool salt_byte(const struct result_keyspace *ks)
{
    const char *second = first_edge(ks, 1);
    return second && second[0] == '\\' && second[1] == 'x';
}

void keymatrix_bucket_label(const struct result_keyspace *ks, int bucket, char out[40])
{
    const char *edge = first_edge(ks, bucket), *before = first_edge(ks, bucket - 1), *after = first_edge(ks, bucket + 1);
    int bytes = 1;
    if (!edge || !edge[0]) { /* the table's first key is open: salt bytes count from 0 */
        strcpy(out, bucket == 0 && after && after[0] == '\\' ? "\\x00" : bucket == 0 ? "first" : "-");
        return;
    }
    while (bytes < 4 && ((before && same_prefix(edge, before, bytes)) || (after && same_prefix(edge, after, bytes))))
        bytes++;
    size_t len = prefix_length(edge, bytes), at = 0;
    if (!salt_byte(ks)) {
        snprintf(out, 40, "%.*s", (int)len, edge);
        return;
    }
    /* salt bytes are numbers: \x20 for all, though HBase writes some of them as letters */
    out[0] = '\0';
    for (size_t i = 0; i < len && at + 4 < 40; i++) {
        if (edge[i] == '\\' && edge[i + 1] == 'x' && i + 3 < len) {
            at += (size_t)snprintf(out + at, 40 - at, "%.4s", edge + i);
            i += 3;
        } else {
            at += (size_t)snprintf(out + at, 40 - at, "\\x%02X", (unsigned char)edge[i]);
        }
    }
}

bool keymatrix_is_upper_daughter(const struct result_run *run, size_t i)
{
    const struct result_region *reg = &run->regions[i];
    if (reg->table != run->keyspace.table || reg->parent < 0 || !reg->start || !run->regions[reg->parent].start)
        return false;
    return strcmp(reg->start, run->regions[reg->parent].start) != 0;
}
