/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_reads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct verdict *find(struct verdicts *v, const char *group, const char *quantity)
{
    struct verdict *p;

    for (size_t i = v->count; i-- > 0;)
        if (strcmp(v->item[i].group, group) == 0 && strcmp(v->item[i].quantity, quantity) == 0)
            return &v->item[i];
    if (v->count == v->capacity) {
        const size_t more = v->capacity ? 2 * v->capacity : 64;

        p = realloc(v->item, more * sizeof *p);
        if (!p)
            abort();
        v->item = p;
        v->capacity = more;
    }
    p = &v->item[v->count++];
    memset(p, 0, sizeof *p);
    snprintf(p->group, sizeof p->group, "%s", group);
    snprintf(p->quantity, sizeof p->quantity, "%s", quantity);
    return p;
}

void verdict_number(struct verdicts *v, const char *group, const char *quantity, double real, double ours,
                    const char *where)
{
    struct verdict *p = find(v, group, quantity);

    p->values++;
    p->real += real;
    p->ours += ours;
    if (real < ours || real > ours) {
        if (p->first_off[0] == '\0')
            snprintf(p->first_off, sizeof p->first_off, "%.100s: %.17g, ours %.17g", where, real, ours);
        return;
    }
    p->equal++;
}

void verdict_near(struct verdicts *v, const char *group, const char *quantity, double real, double ours,
                  const char *where)
{
    const bool ok = fabs(ours - real) <= 0.01 * fabs(real);

    verdict_number(v, group, quantity, real, ok ? real : ours, where);
    find(v, group, quantity)->near = true;
    find(v, group, quantity)->ours += ok ? ours - real : 0;
}

void verdict_text(struct verdicts *v, const char *group, const char *quantity, const char *real,
                  const char *ours, const char *where)
{
    struct verdict *p = find(v, group, quantity);

    p->values++;
    p->real++;
    if (strcmp(real, ours) == 0) {
        p->equal++;
        p->ours++;
    } else if (p->first_off[0] == '\0') {
        snprintf(p->first_off, sizeof p->first_off, "%.50s: '%.90s', ours '%.90s'", where, real, ours);
    }
}

unsigned verdicts_print(struct verdicts *v, unsigned *cases)
{
    unsigned failed = 0;

    for (size_t i = 0; i < v->count; i++) {
        const struct verdict *p = &v->item[i];
        const bool ok = p->equal == p->values;

        failed += !ok;
        printf("%s\t%s\t%s\t%.17g\t%.17g\t%.10g\t%s\t%llu of %llu\t%s%s%s\n", v->folder, p->group, p->quantity,
               p->real, p->ours, p->ours - p->real, p->near ? "1 %" : "exact", (unsigned long long)p->equal, (unsigned long long)p->values,
               ok ? "ok" : "FAIL", ok ? "" : ": ", p->first_off);
    }
    *cases += (unsigned)v->count;
    free(v->item);
    v->item = NULL;
    v->count = v->capacity = 0;
    return failed;
}

void verdicts_absent(struct verdicts *v, const char *what)
{
    printf("%s\tABSENT: %s\n", v->folder, what);
    v->absent++;
}

int truth_reads_open(struct verdicts *v, const char *dir, const char *name, struct truth_table *t)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s/%s", dir, v->folder, name);
    if (truth_table_read(path, t) == 0)
        return 0;
    verdicts_absent(v, path);
    return -1;
}

struct one_row {
    struct saltkey_slice key;
    uint64_t event;
};

static int by_key(const void *a, const void *b)
{
    const struct one_row *x = a, *y = b;

    return saltkey_compare(x->key, y->key);
}

int sorted_rows_make(struct sorted_rows *r, uint64_t count, size_t (*make)(void *, uint64_t, uint8_t *),
                     void *context)
{
    struct one_row *rows = malloc((count + 1) * sizeof *rows);
    int rc = -1;

    memset(r, 0, sizeof *r);
    r->bytes = malloc(count * TRUTH_MAX_ROW + 1);
    r->key = malloc((count + 1) * sizeof *r->key);
    r->event = malloc((count + 1) * sizeof *r->event);
    if (!rows || !r->bytes || !r->key || !r->event)
        goto out;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *at = r->bytes + i * TRUTH_MAX_ROW;

        rows[i].key = (struct saltkey_slice){at, make(context, i, at)};
        rows[i].event = i;
    }
    qsort(rows, count, sizeof *rows, by_key);
    for (uint64_t i = 0; i < count; i++) {
        r->key[i] = rows[i].key;
        r->event[i] = rows[i].event;
    }
    r->count = count;
    rc = 0;
out:
    free(rows);
    if (rc)
        sorted_rows_free(r);
    return rc;
}

void sorted_rows_free(struct sorted_rows *r)
{
    free(r->bytes);
    free(r->key);
    free(r->event);
    memset(r, 0, sizeof *r);
}

uint64_t sorted_rows_rank(void *context, struct saltkey_slice key)
{
    const struct sorted_rows *r = context;
    uint64_t low = 0, high = r->count;

    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;

        if (saltkey_compare(r->key[mid], key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct saltkey_slice sorted_rows_key(void *context, uint64_t row, size_t slot)
{
    const struct sorted_rows *r = context;

    (void)slot;
    return r->key[row];
}

size_t truth_unhex(const char *text, uint8_t *bytes, size_t cap)
{
    size_t n = 0;

    if (strcmp(text, "-") == 0)
        return 0;
    for (unsigned value; n < cap && sscanf(text, "%2x", &value) == 1; text += 2)
        bytes[n++] = (uint8_t)value;
    return n;
}

void truth_replies_init(struct truth_replies *r, const char *recorded)
{
    memset(r, 0, sizeof *r);
    r->max = 1;
    for (; *recorded; recorded++)
        r->max += *recorded == ',';
}

void truth_replies_list(void *context, const struct scan_rpc *rpc)
{
    struct truth_replies *r = context;
    char one[32];

    if (rpc->reply->rows == 0 && !rpc->reply->heartbeat)
        return;
    r->count += rpc->reply->rows > 0;
    if (r->listed >= r->max)
        return;
    if (rpc->reply->rows == 0)
        snprintf(one, sizeof one, "h");
    else
        snprintf(one, sizeof one, "%llu", (unsigned long long)rpc->reply->rows);
    r->len += (size_t)snprintf(r->text + r->len, sizeof r->text - r->len, "%s%s", r->len ? "," : "", one);
    r->listed++;
}
