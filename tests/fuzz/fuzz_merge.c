/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams from bytes: two bytes of options, then rows: stream, length, bytes. Whatever the input, the
   output is in order, or the stream that isn't sorted is named. */
#include <string.h>

#include "fuzz.h"

#define STREAMS 9

struct stream {
    const uint8_t *data;
    size_t size, at;
    uint8_t number, most;
    uint8_t copy[16][256];
};

static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct stream *s = context;
    size_t n = 0;

    while (n < max && n < s->most && s->at + 2 <= s->size) {
        uint8_t to = s->data[s->at] % STREAMS, len = s->data[s->at + 1];

        if (s->data[0] & 128) /* natural keys of one length, as far as the input goes */
            len = 24 + (s->data[0] & 3);
        if (s->at + 2 + len > s->size)
            len = (uint8_t)(s->size - s->at - 2);
        if (to == s->number) {
            memcpy(s->copy[n], s->data + s->at + 2, len);
            rows[n].key.bytes = s->copy[n];
            rows[n].key.len = len;
            rows[n++].user = s;
        }
        s->at += 2U + len;
    }
    if (n == 0 && s->size > 2 && s->data[1] == 0xfe && s->number == 3)
        return -7;
    return (int)n;
}

static struct saltkey_slice natural(struct saltkey_slice row, const struct saltkey_merge_options *o)
{
    size_t skip = o->skip;
    const uint8_t *d = o->skip_through && row.len ? memchr(row.bytes, o->delimiter, row.len) : NULL;

    if (o->skip_through)
        skip = d ? (size_t)(d - row.bytes) + 1 : row.len;
    if (skip > row.len)
        skip = row.len;
    row.bytes += skip;
    row.len -= skip;
    return row;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stream streams[STREAMS];
    static uint8_t before[256];
    struct saltkey_source sources[STREAMS];
    struct saltkey_merge_options o;
    struct saltkey_merge *m = NULL;
    struct saltkey_slice last = {before, 0};
    struct saltkey_row row;
    size_t i, source, handed = 0;
    uint64_t line;
    int rc;

    if (size < 2)
        return 0;
    memset(&o, 0, sizeof(o));
    o.skip = data[0] & 3;
    o.skip_through = data[0] & 4;
    o.delimiter = '_';
    o.reverse = data[0] & 8;
    o.drop_duplicates = data[0] & 16;
    o.batch = 1 + data[1] % 16;
    o.limit = data[0] & 32 ? data[1] : 0;
    o.offset = data[0] & 64 ? data[1] / 16 : 0;
    for (i = 0; i < STREAMS; i++) {
        streams[i] = (struct stream){data, size, 2, (uint8_t)i, (uint8_t)(1 + (data[1] + i) % 16), {{0}}};
        sources[i].pull = pull;
        sources[i].context = &streams[i];
    }
    FUZZ_CHECK(saltkey_merge_open(sources, 1 + data[1] % STREAMS, &o, &m) == 0);
    while ((rc = saltkey_merge_next(m, &row, &source)) == 1) {
        struct saltkey_slice key = natural(row.key, &o);
        int c = saltkey_compare(last, key);

        FUZZ_CHECK(row.user == &streams[source]);
        FUZZ_CHECK(o.skip_through ? row.key.len && memchr(row.key.bytes, '_', row.key.len) : row.key.len >= o.skip);
        FUZZ_CHECK(handed == 0 || (o.reverse ? c >= 0 : c <= 0));
        FUZZ_CHECK(handed == 0 || saltkey_merge_is_duplicate(m) == (c == 0));
        FUZZ_CHECK(!(o.drop_duplicates && handed && c == 0));
        memcpy(before, key.bytes, key.len);
        last.len = key.len;
        handed++;
    }
    if (rc < 0) {
        saltkey_merge_error(m, &source, &line);
        FUZZ_CHECK((rc == SALTKEY_EORDER || rc == SALTKEY_ESOURCE || rc == SALTKEY_EKEY) && source < STREAMS && line >= 1);
    }
    FUZZ_CHECK(o.limit == 0 || handed <= o.limit);
    saltkey_merge_close(m);
    return 0;
}
