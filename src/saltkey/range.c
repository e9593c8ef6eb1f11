/* SPDX-License-Identifier: Apache-2.0 */
/* Scan ranges: from a question to one interval of the natural key, and from there to one
   [start, stop) for each bucket. An empty stop means the end of the table. */
#include "internal.h"

int saltkey_prefix_stop(struct saltkey_slice prefix, struct saltkey_buf *stop)
{
    size_t n = prefix.len;

    while (n > 0 && prefix.bytes[n - 1] == 0xff)
        n--;
    if (stop->cap < n)
        return SALTKEY_ESPACE;
    if (n > 0) {
        memmove(stop->bytes, prefix.bytes, n);
        stop->bytes[n - 1]++;
    }
    stop->len = n;
    return 0;
}

static int append(struct saltkey_buf *out, struct saltkey_slice bytes)
{
    if (out->cap - out->len < bytes.len)
        return SALTKEY_ESPACE;
    if (bytes.len)
        memcpy(out->bytes + out->len, bytes.bytes, bytes.len);
    out->len += bytes.len;
    return 0;
}

static int copy(struct saltkey_buf *out, struct saltkey_slice bytes)
{
    out->len = 0;
    return append(out, bytes);
}

static bool is_reversed_time(enum saltkey_kind kind)
{
    return kind == SALTKEY_RTS || kind == SALTKEY_RTS19;
}

/* Whether a field's bytes sort as its values do, up or down. */
static bool is_ordered(const struct saltkey_field *f)
{
    switch (f->kind) {
    case SALTKEY_REVDEC: case SALTKEY_REVTEXT: case SALTKEY_REVLABELS: case SALTKEY_NUM:
    case SALTKEY_OB_BLOB: /* HBase's blobVar: only the last byte lacks its high bit, which breaks "abc" < "ac" */
        return false;
    case SALTKEY_TEXT: case SALTKEY_RAWTEXT:
        if (!f->marked) /* inverted, "a" still comes before "ab" */
            return !f->desc;
        /* a mark above other bytes breaks the order of "a" and "a!", an escape that of what it hides */
        return f->mark == (f->desc ? 0xff : 0) && !f->escaped && f->kind == SALTKEY_TEXT;
    default:
        return true;
    }
}

/* Whether rows with another value of the field may begin with the same bytes: the mark stands in its text. */
static bool is_ambiguous(const struct saltkey_field *f)
{
    return f->kind == SALTKEY_RAWTEXT && f->marked;
}

/* Takes 1 from a number; false where there is nothing below it (for a text time: below 0). */
static bool one_less(const struct saltkey_field *f, struct saltkey_value *v)
{
    bool is_signed = v->kind == SALTKEY_VALUE_INT && f->kind == SALTKEY_RTS;

    if (v->kind == SALTKEY_VALUE_UINT && v->number == 0 && f->kind == SALTKEY_RTS) {
        *v = saltkey_int(-1);
        return true;
    }
    if (v->number == (is_signed ? UINT64_C(1) << 63 : 0))
        return false;
    v->number--;
    return true;
}

/* A reversed time runs backward: [from, to) is stored as (to, from], which as a half-open range
   begins at the bytes of to - 1 and ends before those of from - 1. */
static int bound_reversed(const struct saltkey_layout *layout, const struct saltkey_query *query,
                          struct saltkey_window *w, struct saltkey_error *err)
{
    uint32_t field = (uint32_t)query->range_field;
    const struct saltkey_field *f = &layout->fields[field];
    struct saltkey_value v;
    int rc = 0;

    if (query->to) {
        v = *query->to;
        rc = saltkey__append_field(layout, field, &v, &w->start, err); /* is it a time at all? */
        if (rc < 0)
            return rc;
        w->start.len = w->stop.len;
        if (!one_less(f, &v))
            w->empty = true;
        else
            rc = saltkey__append_field(layout, field, &v, &w->start, err);
    }
    if (rc == 0 && query->from) {
        size_t len = w->stop.len;

        v = *query->from;
        rc = saltkey__append_field(layout, field, &v, &w->stop, err);
        if (rc == 0 && one_less(f, &v)) {
            w->stop.len = len;
            rc = saltkey__append_field(layout, field, &v, &w->stop, err);
        } else if (rc == 0) {
            rc = saltkey_prefix_stop(saltkey__used(&w->stop), &w->stop);
        }
        return rc;
    }
    return rc < 0 ? rc : saltkey_prefix_stop(saltkey__used(&w->stop), &w->stop);
}

/* A DESC field: [from, to) lies behind all bytes of |to| and ends behind all of |from|. */
static int bound_desc(const struct saltkey_layout *layout, const struct saltkey_query *query,
                      struct saltkey_window *w, struct saltkey_error *err)
{
    uint32_t field = (uint32_t)query->range_field;
    int rc = 0;

    if (query->to) {
        rc = saltkey__append_field(layout, field, query->to, &w->start, err);
        if (rc == 0)
            rc = saltkey_prefix_stop(saltkey__used(&w->start), &w->start);
        if (rc == 0 && w->start.len == 0)
            w->empty = true; /* behind everything */
    }
    if (rc == 0 && query->from)
        rc = saltkey__append_field(layout, field, query->from, &w->stop, err);
    return rc < 0 ? rc : saltkey_prefix_stop(saltkey__used(&w->stop), &w->stop);
}

static int bound(const struct saltkey_layout *layout, const struct saltkey_query *query,
                 struct saltkey_window *w, struct saltkey_error *err)
{
    uint32_t field = (uint32_t)query->range_field;
    int rc = 0;

    if (is_reversed_time(layout->fields[field].kind))
        return bound_reversed(layout, query, w, err);
    if (layout->fields[field].desc)
        return bound_desc(layout, query, w, err);
    if (query->from)
        rc = saltkey__append_field(layout, field, query->from, &w->start, err);
    if (rc == 0 && query->to) {
        rc = saltkey__append_field(layout, field, query->to, &w->stop, err);
        if (rc == 0 && w->stop.len == 0)
            w->empty = true; /* nothing is below an empty text; an empty stop would mean the end */
        return rc;
    }
    return rc < 0 ? rc : saltkey_prefix_stop(saltkey__used(&w->stop), &w->stop);
}

/* Marks a window nothing can lie in, and counts its scans. */
static void close_window(const struct saltkey_scheme *scheme, struct saltkey_window *w)
{
    if (w->stop.len > 0 && saltkey_compare(saltkey__used(&w->start), saltkey__used(&w->stop)) >= 0)
        w->empty = true;
    if (scheme->salt.hash == SALTKEY_HASH_NONE)
        w->one_bucket = true;
    w->scans = w->empty ? 0 : w->one_bucket ? 1 : scheme->salt.buckets;
}

static void begin_window(const struct saltkey_window *from, struct saltkey_window *w)
{
    *w = *from;
    w->start.len = w->stop.len = 0;
    w->empty = w->filtered = w->one_bucket = false;
    w->bucket = w->scans = 0;
}

/* The bucket, where equality fixes all that is hashed. |w->start| is scratch here. */
static int find_bucket(const struct saltkey_scheme *scheme, const struct saltkey_query *query,
                       struct saltkey_window *w, struct saltkey_error *err)
{
    const struct saltkey_layout *layout = &scheme->layout;
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    uint32_t i;
    int rc;

    if (scheme->over & ~query->equal_fields)
        return 0;
    if (scheme->salt.hash == SALTKEY_HASH_GIVEN)
        return 0;
    w->start.len = 0;
    for (i = 0; i < layout->n_fields; i++) {
        size_t from = w->start.len;

        if (!(scheme->over >> i & 1))
            continue;
        rc = saltkey__append_field(layout, i, &query->equal[i], &w->start, err);
        if (rc < 0)
            return rc;
        fields[i] = saltkey__slice(w->start.bytes + from,
                                   w->start.len - from - layout->fields[i].marked);
    }
    w->one_bucket = true;
    rc = saltkey__bucket_of(&scheme->salt, fields, saltkey__salted_pieces(scheme, fields), &w->bucket);
    w->start.len = 0;
    return rc;
}

int saltkey_window_query(const struct saltkey_scheme *scheme, const struct saltkey_query *query,
                         struct saltkey_window *window, struct saltkey_error *err)
{
    const struct saltkey_layout *layout = &scheme->layout;
    uint32_t all = (UINT32_C(1) << layout->n_fields) - 1, lead = 0;
    bool ranged = query->range_field >= 0 && (query->from || query->to), ambiguous = false;
    struct saltkey_window w;
    int rc;

    if ((query->equal_fields & ~all) || query->range_field >= (int)layout->n_fields)
        return saltkey__fail(err, SALTKEY_EFIELD, 0, "the layout has %u fields",
                             (unsigned)layout->n_fields);
    begin_window(window, &w);
    rc = find_bucket(scheme, query, &w, err);
    for (; rc == 0 && query->equal_fields >> lead & 1; lead++) {
        rc = saltkey__append_field(layout, lead, &query->equal[lead], &w.start, err);
        ambiguous = ambiguous || is_ambiguous(&layout->fields[lead]);
    }
    if (rc == 0)
        rc = copy(&w.stop, saltkey__used(&w.start));
    if (rc < 0)
        return rc == SALTKEY_ESPACE ? saltkey__fail(err, rc, 0, "a window's buffer is too small") : rc;
    if (ranged && (uint32_t)query->range_field == lead && is_ordered(&layout->fields[lead])) {
        rc = bound(layout, query, &w, err);
        ranged = false;
    } else if (lead == layout->n_fields) {
        rc = append(&w.stop, saltkey__slice("\0", 1)); /* just this key */
    } else {
        rc = saltkey_prefix_stop(saltkey__used(&w.stop), &w.stop);
    }
    if (rc < 0)
        return rc;
    w.filtered = ranged || ambiguous || query->equal_fields >> lead;
    close_window(scheme, &w);
    *window = w;
    return 0;
}

int saltkey_window_leading(const struct saltkey_scheme *scheme, const struct saltkey_value *from,
                           const struct saltkey_value *to, struct saltkey_window *window,
                           struct saltkey_error *err)
{
    struct saltkey_query query = {NULL, 0, 0, from, to};

    return saltkey_window_query(scheme, &query, window, err);
}

int saltkey_window_keys(const struct saltkey_scheme *scheme, struct saltkey_slice start,
                        struct saltkey_slice stop, struct saltkey_window *window)
{
    struct saltkey_window w;
    int rc;

    begin_window(window, &w);
    rc = copy(&w.start, start);
    if (rc == 0)
        rc = copy(&w.stop, stop);
    if (rc < 0)
        return rc;
    close_window(scheme, &w);
    *window = w;
    return 0;
}

int saltkey_window_prefix(const struct saltkey_scheme *scheme, struct saltkey_slice prefix,
                          struct saltkey_window *window)
{
    struct saltkey_window w;
    int rc;

    begin_window(window, &w);
    rc = copy(&w.start, prefix);
    if (rc == 0)
        rc = saltkey_prefix_stop(prefix, &w.stop);
    if (rc < 0)
        return rc;
    close_window(scheme, &w);
    *window = w;
    return 0;
}

/* The salt's bytes, then |natural|. */
static int salted_bound(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_slice natural,
                        struct saltkey_buf *out)
{
    struct saltkey_buf made = {out->bytes, out->cap, 0};
    int rc = saltkey_salt_prefix(salt, bucket, &made);

    if (rc == 0)
        rc = append(&made, natural);
    if (rc == 0)
        out->len = made.len;
    return rc;
}

int saltkey_window_range(const struct saltkey_scheme *scheme, const struct saltkey_window *window,
                         uint64_t i, struct saltkey_range *range)
{
    const struct saltkey_salt *salt = &scheme->salt;
    uint64_t bucket = window->one_bucket ? window->bucket : i;
    struct saltkey_buf start = range->start, stop = range->stop;
    int rc;

    if (i >= window->scans)
        return SALTKEY_ERANGE;
    rc = salted_bound(salt, bucket, saltkey__used(&window->start), &start);
    if (rc == 0)
        rc = salted_bound(salt, bucket, saltkey__used(&window->stop), &stop);
    if (rc < 0)
        return rc;
    if (window->stop.len == 0) {
        /* HBaseWD's old rows lie beyond the last bucket: its last scan runs to the table's end */
        if (saltkey__strays(salt) && bucket + 1 == salt->buckets)
            stop.len = 0;
        else
            saltkey_prefix_stop(saltkey__used(&stop), &stop);
    }
    range->start = start;
    range->stop = stop;
    range->empty = window->empty;
    return 0;
}

void saltkey_range_reverse(struct saltkey_range *range)
{
    struct saltkey_buf start = range->start;

    range->start = range->stop;
    range->stop = start;
}

int saltkey_newest(const struct saltkey_scheme *scheme, uint32_t time_field, uint32_t equal_fields)
{
    const struct saltkey_field *f;
    uint32_t before, i;

    if (time_field >= scheme->layout.n_fields)
        return SALTKEY_EFIELD;
    before = (UINT32_C(1) << time_field) - 1;
    for (i = 0; i < time_field; i++)
        if (is_ambiguous(&scheme->layout.fields[i]))
            return SALTKEY_EUNSUPPORTED;
    f = &scheme->layout.fields[time_field];
    if ((equal_fields & before) != before || !is_ordered(f))
        return SALTKEY_EUNSUPPORTED;
    return is_reversed_time(f->kind) || f->desc ? 0 : 1;
}
