/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/split_policy.h"

#include <string.h>

static int compare(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    size_t min = na < nb ? na : nb;
    int d = min > 0 ? memcmp(a, b, min) : 0;

    return d != 0 ? d : (na > nb) - (na < nb);
}

enum split_refusal split_store_point(const struct split_store *s, size_t *file)
{
    size_t largest = 0;
    const struct split_file *f;

    if (s->count == 0)
        return SPLIT_POINT_NO_FILE;
    for (size_t i = 0; i < s->count; i++) {
        if (s->files[i].reference)
            return SPLIT_POINT_REFERENCE;
        if (s->files[i].file_bytes > s->files[largest].file_bytes)
            largest = i;
    }
    f = &s->files[largest];
    if (!f->mid_row || f->mid_row_bytes == 0)
        return SPLIT_POINT_NO_FILE;
    if (compare(f->mid_row, f->mid_row_bytes, f->first_row, f->first_row_bytes) == 0 ||
        compare(f->mid_row, f->mid_row_bytes, f->last_row, f->last_row_bytes) == 0)
        return SPLIT_POINT_ROW_AT_EDGE;
    *file = largest;
    return SPLIT_POINT_FOUND;
}

static size_t cut_at_delimiter(const uint8_t *key, size_t n, const uint8_t *delimiter, size_t delimiter_bytes)
{
    for (size_t i = 0; delimiter_bytes > 0 && i + delimiter_bytes <= n; i++)
        if (memcmp(key + i, delimiter, delimiter_bytes) == 0)
            return i;
    return n;
}

static size_t cut_at_prefix(size_t n, uint32_t prefix_bytes)
{
    return prefix_bytes > 0 && prefix_bytes < n ? prefix_bytes : n;
}

size_t split_cut_key(const struct split_policy_config *c, const uint8_t *key, size_t key_bytes, bool manual)
{
    size_t n = key_bytes;

    if (!manual && c->policy == SPLIT_KEY_PREFIX)
        n = cut_at_prefix(n, c->prefix_bytes);
    if (!manual && c->policy == SPLIT_DELIMITED_KEY_PREFIX)
        n = cut_at_delimiter(key, n, c->delimiter, c->delimiter_bytes);
    if (c->restriction == SPLIT_RESTRICT_KEY_PREFIX)
        n = cut_at_prefix(n, c->restriction_prefix_bytes);
    if (c->restriction == SPLIT_RESTRICT_DELIMITED)
        n = cut_at_delimiter(key, n, c->restriction_delimiter, c->restriction_delimiter_bytes);
    return n;
}

static enum split_refusal check_bounds(const struct split_bounds *b, const struct split_point *p)
{
    int d = compare(p->row, p->row_bytes, b->start, b->start_bytes);

    if (d == 0)
        return SPLIT_POINT_IS_START;
    if (d < 0 || (b->end_bytes > 0 && compare(p->row, p->row_bytes, b->end, b->end_bytes) >= 0))
        return SPLIT_POINT_OUTSIDE;
    return SPLIT_POINT_FOUND;
}

enum split_refusal split_region_point(const struct split_policy_config *c, const struct split_store *stores,
                                      size_t n, const struct split_bounds *bounds, struct split_point *out)
{
    struct split_point p = {0};
    enum split_refusal why = SPLIT_POINT_NO_FILE;
    uint64_t largest = 0;
    bool found = false;

    if (c->policy == SPLIT_DISABLED)
        return SPLIT_POINT_DISABLED;
    for (size_t i = 0; i < n; i++) {
        uint64_t bytes = 0;
        size_t file = 0;
        enum split_refusal r = split_store_point(&stores[i], &file);

        for (size_t k = 0; k < stores[i].count; k++)
            bytes += stores[i].files[k].file_bytes;
        if (r != SPLIT_POINT_FOUND) {
            if (why == SPLIT_POINT_NO_FILE)
                why = r;
            continue;
        }
        if (found && bytes <= largest)
            continue;
        found = true;
        largest = bytes;
        p.store = i;
        p.file = file;
    }
    if (!found)
        return why;
    p.row = stores[p.store].files[p.file].mid_row;
    p.row_bytes = split_cut_key(c, p.row, stores[p.store].files[p.file].mid_row_bytes, false);
    p.cut = p.row_bytes < stores[p.store].files[p.file].mid_row_bytes;
    why = check_bounds(bounds, &p);
    if (why == SPLIT_POINT_FOUND)
        *out = p;
    return why;
}

enum split_refusal split_point_by_hand(const struct split_policy_config *c, const struct split_bounds *bounds,
                                       struct split_point *io)
{
    const size_t n = split_cut_key(c, io->row, io->row_bytes, true);

    io->cut = n < io->row_bytes;
    io->row_bytes = n;
    return check_bounds(bounds, io);
}

/* A key equal to a file's first row leaves it to the top daughter whole; the last row always goes up, so
   a key equal to it still leaves something below. */
struct split_shares split_store_file(const struct split_file *f, const uint8_t *key, size_t key_bytes)
{
    struct split_shares s = {SPLIT_SHARE_REFERENCE, SPLIT_SHARE_REFERENCE};

    if (f->last_row_bytes == 0) /* no cells: nobody needs it */
        return (struct split_shares){SPLIT_SHARE_NOTHING, SPLIT_SHARE_NOTHING};
    if (compare(key, key_bytes, f->last_row, f->last_row_bytes) > 0) {
        s.bottom = SPLIT_SHARE_LINK;
        s.top = SPLIT_SHARE_NOTHING;
    } else if (compare(key, key_bytes, f->first_row, f->first_row_bytes) <= 0) {
        s.bottom = SPLIT_SHARE_NOTHING;
        s.top = SPLIT_SHARE_LINK;
    }
    return s;
}

uint64_t split_reference_cells(uint64_t cells)
{
    return cells / 2;
}
