/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reader's Gets: the call of each server that holds a row. */
#include <math.h>
#include <string.h>

#include "client/reader.h"

#define KEY_MAX 1024

/* Puts a Get of the stored row |key| into the call to its server: 1 a server for several rows. */
static int add_get(struct reader *rd, struct reader_walk *w, struct saltkey_slice key, double age_rows)
{
    struct reader_rows *rr = rd->rows;
    const struct region *r = rr->model->regions[rr->region[reader_rows_region_of(rr, key)]];
    const size_t at = reader_rows_region_of(rr, key);
    const double region_rows = (double)(rr->low[at + 1] - rr->low[at]);
    const double mem = (double)region_memstore_rows(r);
    const uint32_t files = region_files(r, rr->table->families_len);
    const bool fresh = rr->order == READER_ORDER_OTHER ? des_uniform(&rd->draws) * fmax(region_rows, 1) < mem
                                                        : age_rows < mem;
    struct read_rpc *rpc = NULL;

    for (size_t i = 0; i < w->rpcs_len && !rpc; i++)
        if (w->rpcs[i].server == r->server)
            rpc = &w->rpcs[i];
    if (!rpc) {
        rpc = reader_walk_add(w);
        if (!rpc)
            return MODEL_NO_MEMORY;
        rpc->scan = (uint32_t)(w->rpcs_len - 1);
        rpc->region = r->id;
        rpc->server = r->server;
        w->cost.rpcs++;
    }
    rpc->gets++;
    rpc->files += files;
    rpc->file_reads += read_get_files(files, fresh, rr->table->spec->families[0].bloom_row,
                                      rr->model->spec->hbase.bloom_error_rate);
    w->cost.regions++;
    w->cost.read_requests++;
    return 0;
}

static void found(struct reader_walk *w, const struct reader_rows *rr, bool yes)
{
    w->rows_right++;
    if (!yes)
        return;
    w->rows_got++;
    w->cost.rows_scanned++;
    w->cost.rows_returned++;
    w->cost.rows_fetched++;
    w->cost.looked_at += rr->cells_len;
    w->cost.bytes += (uint64_t)(rr->row_bytes + 4.0 * (double)rr->cells_len);
}

/* One row of all that there are. A salt that isn't a hash of the row is sought in every bucket. */
int reader_get(struct reader *rd, struct reader_walk *w)
{
    struct reader_rows *rr = rd->rows;
    const struct saltkey_scheme *scheme = &rr->keys->scheme;
    const uint64_t i = des_uniform_u64(&rd->draws, rr->written ? rr->written : 1);
    const bool given = rr->keys->bucket_by == KEY_BUCKET_GIVEN;
    const enum spec_reader how = rr->buckets > 1 ? rd->query->reader : SPEC_READER_CORRECT;
    uint8_t bytes[KEY_MAX], other[KEY_MAX];
    struct saltkey_buf row = {bytes, sizeof bytes, 0};
    uint64_t bucket = 0;
    size_t skip;
    double age;
    int rc = 0;

    if (keystream_key(rr->keys, i, &row) != 0)
        return MODEL_BROKEN;
    skip = rr->buckets > 1 ? scheme->salt.width : 0;
    if (rr->buckets > 1)
        saltkey_row_bucket(scheme, (struct saltkey_slice){bytes, row.len}, &bucket);
    age = (double)(rr->written - i) * rr->share[bucket % rr->buckets];
    for (uint32_t k = 0; rc == 0 && k < (given ? rr->buckets : 1); k++) {
        struct saltkey_buf out = {other, sizeof other, 0};
        uint64_t where = given ? k : bucket;

        if (how == SPEC_READER_ONE_BUCKET)
            where = 0;
        else if (how == SPEC_READER_OTHER_HASH)
            where = des_uniform_u64(&rd->draws, rr->buckets);
        if (how == SPEC_READER_NO_SALT)
            rc = add_get(rd, w, (struct saltkey_slice){bytes + skip, row.len - skip}, (double)INFINITY);
        else if (rr->buckets == 1)
            rc = add_get(rd, w, (struct saltkey_slice){bytes, row.len}, age);
        else if (saltkey_salt_prefix(&scheme->salt, where, &out) != 0)
            return MODEL_BROKEN;
        else {
            memcpy(other + out.len, bytes + skip, row.len - skip);
            rc = add_get(rd, w, (struct saltkey_slice){other, out.len + row.len - skip},
                         where == bucket ? age : (double)INFINITY);
        }
        if (!given)
            found(w, rr, how == SPEC_READER_CORRECT || (how != SPEC_READER_NO_SALT && where == bucket) ||
                             how == SPEC_READER_LAST_MISSED);
    }
    if (given)
        found(w, rr, true);
    return rc;
}
