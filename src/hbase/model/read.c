/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/read.h"

#include <math.h>

double read_cpu_ns(const struct spec_server *s, const struct read_rpc *rpc)
{
    const double call = 1e9 / s->read_capacity_per_s;
    const double seeks = rpc->gets > 0 ? rpc->file_reads : rpc->opens ? rpc->files : 0;

    if (rpc->closes)
        return call;
    if (rpc->gets > 0)
        return call * rpc->gets + seeks * (double)s->seek_ns;
    return call + seeks * (double)s->seek_ns + (double)rpc->cells * (double)s->scan_cell_ns +
           (double)rpc->rows * (double)s->return_row_ns;
}

double read_blocks(const struct read_rpc *rpc, double row_bytes, double block_bytes)
{
    if (rpc->closes)
        return 0;
    if (rpc->gets > 0)
        return rpc->file_reads;
    return (rpc->opens ? (double)rpc->files : 0) + (double)rpc->file_rows * row_bytes / block_bytes;
}

double read_get_files(uint32_t files, bool in_memstore, bool bloom, double error_rate)
{
    const double own = in_memstore || files == 0 ? 0 : 1;

    return bloom ? own + error_rate * ((double)files - own) : (double)files;
}

/* Bytes of the classes that stay when each block stays for |t| seconds after its use. */
static double held(const struct cache_class *classes, size_t n, double t)
{
    double bytes = 0;

    for (size_t i = 0; i < n; i++)
        if (!classes[i].once)
            bytes += classes[i].bytes * -expm1(-classes[i].per_s * t);
    return bytes;
}

void read_cache_hits(double cache_bytes, struct cache_class *classes, size_t n)
{
    double once = 0, again = 0, room, lo = 0, hi = 1;

    for (size_t i = 0; i < n; i++)
        *(classes[i].once ? &once : &again) += classes[i].bytes;
    room = fmin(again, fmax(cache_bytes / 2, cache_bytes - once));
    if (again > room) {
        while (held(classes, n, hi) < room && hi < 1e12)
            hi *= 2;
        for (int k = 0; k < 100; k++) {
            const double t = (lo + hi) / 2;

            *(held(classes, n, t) < room ? &lo : &hi) = t;
        }
    } else {
        hi = INFINITY;
    }
    for (size_t i = 0; i < n; i++) {
        struct cache_class *c = &classes[i];
        const double stays = c->once ? once <= cache_bytes - room : isinf(hi) ? 1 : -expm1(-c->per_s * hi);

        c->hit = stays * (1 - c->fresh);
    }
}

double read_backlog_ns(const struct model *m, const struct server *s)
{
    const des_time now = des_now(m->cal);
    double into, burst, part, pause, full;

    if (s->cpu_free > now)
        return (double)(s->cpu_free - now);
    if (!m->without_calls)
        return 0;
    pause = (double)server_pause_left(m, s, now);
    if (s->write_share <= 0 || m->submission_ns <= 0)
        return pause;
    /* The work of a submission came at once, and a call does its regions in turn; a read waits for the one under
       way. A full server has more: what its clients wait for, of each call one region's rows. */
    into = fmod((double)now, m->submission_ns);
    burst = s->write_share * m->submission_ns;
    part = burst / (s->write_regions > 1 ? s->write_regions : 1);
    full = s->write_left_ns / (s->write_regions > 1 ? s->write_regions : 1);
    return pause + fmax(into < burst ? part - fmod(into, part) : 0, full);
}

double read_write_part_beside(const struct server *s)
{
    const double r = s->read_demand, w = s->write_demand;

    if (r + w <= 1 || w <= 0)
        return fmax(1 - r, 1 - READ_SHARE_MOST);
    return fmax(1 - r, w / (r + w));
}

double read_wait_ns(const struct server *s, struct des_stream *draws)
{
    if (s->read_share <= 0 || !des_bernoulli(draws, s->read_share))
        return 0;
    return des_exponential(draws) * s->read_residual_ns / (1 - s->read_share);
}

void read_set_load(struct model *m, int server, const struct read_load *load)
{
    struct server *s = &m->servers[server];

    s->read_demand = load->cpu_share;
    s->read_share = fmin(READ_SHARE_MOST, s->read_demand);
    s->read_residual_ns = load->residual_ns;
    disk_set_reads(&s->disk, load->disk_bytes_per_s);
}
