/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables split and are merged later, and what HBase runs badly: memstores that don't fit the
   heap's share, flush sizes that are too large for it, too many regions. The last three are simulated
   all the same, so they are warnings, each with its formula's numbers. */
#include <math.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/keys.h"
#include "spec/scheme.h"

#define GIB 1073741824.0
#define MIB 1048576.0
#define REGIONS_GOOD 200          /* HBase reference guide: 20 to 200 regions a server */

static double rows_of(const struct spec *sp)
{
    double rows = 0;

    for (size_t i = 0; i < sp->streams_len; i++)
        rows += sp->streams[i].rate_per_s * (double)sp->duration_ns / (double)SPEC_NS_PER_S *
                (double)sp->streams[i].tables_len;
    return rows;
}

/* The level of the run; `auto` as sim takes it, bursts and growth apart. */
static enum spec_detail level_of(const struct spec *sp)
{
    return sp->detail != SPEC_DETAIL_AUTO ? sp->detail : spec_detail_for(rows_of(sp));
}

/* Refused calls are counted where there are calls. */
static void check_busy(struct build *bld, const struct ini_section *sec, const struct spec_table *tab)
{
    const struct spec *sp = &bld->sc->spec;
    const struct ini_section *site = build_section(bld, "hbase", "");
    struct scenario_place at = build_place(sec, "split_policy");

    if (spec_table_split_policy(sp, tab) != SPEC_SPLIT_BUSY || level_of(sp) == SPEC_DETAIL_WRITE)
        return;
    if (!tab->own_split_policy && site)
        at = build_place(site, "hbase.regionserver.region.split.policy");
    diags_error(bld->dgs, at, "BusyRegionSplitPolicy counts refused calls, and %s has no calls",
                sp->detail == SPEC_DETAIL_AUTO ? "the level that auto takes for so many rows" : "that level of detail");
    diags_hint(bld->dgs, "write detail = write, or take another policy");
}

static void check_prefix(struct build *bld, const struct ini_section *sec, const struct spec_table *tab)
{
    struct saltkey_scheme scheme;
    unsigned longest, salt;

    if (tab->split_prefix_bytes == 0 || !build_good(sec, "split_policy") || !key_scheme(sec, tab, &scheme))
        return;
    salt = scheme.salt.width;
    longest = scheme.layout.width + salt;
    if (scheme.layout.width > 0 && (unsigned)tab->split_prefix_bytes > longest) {
        diags_error(bld->dgs, build_place(sec, "split_policy"), "a prefix of %d bytes is longer than the key, %u bytes",
                    tab->split_prefix_bytes, longest);
        diags_hint(bld->dgs, "the salt's %u bytes and the field that belongs together", salt);
    } else if (salt > 0 && (unsigned)tab->split_prefix_bytes <= salt) {
        diags_warning(bld->dgs, build_place(sec, "split_policy"),
                      "a prefix of %d bytes is the salt alone: a split key cut to it is its region's start, so a bucket "
                      "never splits and its files pile up", tab->split_prefix_bytes);
        diags_hint(bld->dgs, "count the field behind the salt in: its %u bytes and the field's", salt);
    }
}

/* SimpleRegionNormalizer knows no bucket. */
static void warn_normalizer(struct build *bld, const struct ini_section *sec, const struct spec_table *tab)
{
    const struct spec_normalizer *n = &bld->sc->spec.hbase.normalizer;

    if (!tab->normalizer || tab->normalizer_no_merge || !n->merge || tab->buckets < 2)
        return;
    diags_warning(bld->dgs, build_place(sec, "normalizer"),
                  "the normalizer knows no bucket: it merges neighbours across the border of two of the %d buckets once they "
                  "are %d days old and small enough", tab->buckets, n->merge_min_age_days);
    diags_hint(bld->dgs, "write normalizer = split, or off");
}

/* What moves a rate needs a rate, and a level of detail that sees it. */
static void check_curve(struct build *bld, const struct ini_section *sec, const struct spec_stream *st)
{
    static const char *const keys[] = {"curve", "bursts", "growth"};
    const struct spec *sp = &bld->sc->spec;
    const int64_t window = spec_window_ns(sp);
    const enum spec_detail level = level_of(sp);

    for (size_t k = 0; k < 3 && st->arrival == SPEC_ARRIVAL_EVERY && spec_stream_is_uneven(st); k++) {
        if (!build_given(sec, keys[k]) || !build_good(sec, keys[k]))
            continue;
        diags_error(bld->dgs, build_place(sec, keys[k]), "%s moves a rate, but each entity reports at a fixed interval",
                    keys[k]);
        diags_hint(bld->dgs, "write a rate, as arrival = %.6gk/s constant", st->rate_per_s / 1000);
        return;
    }
    if (build_given(sec, "active") && build_good(sec, "active") && sp->duration_ns > 0 &&
        (st->from_ns >= sp->duration_ns || st->until_ns > sp->duration_ns))
        diags_error(bld->dgs, build_place(sec, "active"), "the run ends after %.6g s", (double)sp->duration_ns / 1e9);
    if (st->late_share > 0 && st->keys_file)
        diags_error(bld->dgs, build_place(sec, "late"), "late rows, but the keys come from a file");
    for (size_t i = 0; i < st->curve.bursts_len; i++) {
        const int64_t least = level == SPEC_DETAIL_FLOW   ? window
                              : level == SPEC_DETAIL_TICK ? SPEC_NS_PER_S / 10
                                                               : sp->duration_ns / 65536;

        if (st->curve.bursts[i].for_ns >= least)
            continue;
        diags_error(bld->dgs, build_place(sec, "bursts"), "a burst of %.6g s is shorter than the %.6g s that %s looks at "
                    "together", (double)st->curve.bursts[i].for_ns / 1e9, (double)least / 1e9,
                    level == SPEC_DETAIL_FLOW ? "flow" : "the run");
        diags_hint(bld->dgs, "take a finer level of detail, a shorter window or a shorter run");
        return;
    }
    if (level == SPEC_DETAIL_FLOW && st->curve.day_swing > 0 && window > INT64_C(21600) * SPEC_NS_PER_S) {
        diags_error(bld->dgs, build_place(sec, "curve"), "flow steps by sample windows of up to %.6g h: a day's curve would "
                    "not show", (double)window / 3.6e12);
        diags_hint(bld->dgs, "write window = 1h in [scenario]");
    }
}

void build_check_curves(struct build *bld)
{
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "stream") == 0 && sec->index != BUILD_NOWHERE && !sec->double_section &&
            build_good(sec, "arrival") && build_good(sec, "bursts"))
            check_curve(bld, sec, &bld->sc->spec.streams[sec->index]);
    }
}

void build_check_splitting(struct build *bld)
{
    for (size_t i = 0; i < bld->ini.sections_len && !bld->no_memory; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "table") != 0 || sec->index == BUILD_NOWHERE || sec->double_section)
            continue;
        check_busy(bld, sec, &bld->sc->spec.tables[sec->index]);
        check_prefix(bld, sec, &bld->sc->spec.tables[sec->index]);
        if (build_given(sec, "normalizer") && build_good(sec, "normalizer"))
            warn_normalizer(bld, sec, &bld->sc->spec.tables[sec->index]);
    }
}

/* Regions of the table at its creation, and those of them that take writes. */
struct regions_of {
    double all, written;
};

static struct regions_of count_regions(const struct spec *sp, const struct spec_table *tab)
{
    struct regions_of n = {1, 0};
    struct saltkey_scheme scheme;
    struct saltkey_keys points;
    bool written = false;

    saltkey_keys_init(&points, NULL);
    if (spec_table_scheme(tab, &scheme, NULL) == 0 && spec_table_splits(tab, &scheme, &points, NULL) == 0)
        n.all = (double)points.count + 1;
    for (size_t i = 0; i < sp->streams_len; i++)
        for (size_t k = 0; k < sp->streams[i].tables_len; k++)
            written |= strcmp(sp->streams[i].tables[k], tab->name) == 0;
    if (written && field_role(&scheme.layout.fields[0]) != FIELD_ROLE_ENTITY)
        n.written = fmin(n.all, fmax(1, tab->buckets));
    else if (written)
        n.written = n.all;
    saltkey_keys_free(&points);
    return n;
}

static struct scenario_place place_of(const struct build *bld, const char *kind, const char *key)
{
    const struct ini_section *sec = build_section(bld, kind, "");

    return sec ? build_place(sec, key) : (struct scenario_place){bld->file, 0, 0};
}

static void warn_memstores(struct build *bld, double written, double flush_bytes)
{
    const struct spec *sp = &bld->sc->spec;
    const struct spec_hbase *h = &sp->hbase;
    const double heap = (double)sp->cluster.heap_bytes, limit = heap * h->global_memstore_size;
    const double low = limit * h->global_memstore_lower, here = ceil(written / sp->cluster.servers);
    const double refuses = flush_bytes * h->memstore_block_multiplier;

    if (here * flush_bytes > low)
        diags_warning(bld->dgs, place_of(bld, "cluster", "heap"),
                      "%.0f regions on %d servers take writes: %.0f x %.4g MiB = %.4g GiB of memstores on one don't fit heap "
                      "%.4g GiB x %.3g x %.3g = %.4g GiB; the global limit flushes them at about %.4g MiB", written,
                      sp->cluster.servers, here, flush_bytes / MIB, here * flush_bytes / GIB, heap / GIB,
                      h->global_memstore_size, h->global_memstore_lower, low / GIB, low / here / MIB);
    else if (refuses > limit)
        diags_warning(bld->dgs, place_of(bld, "hbase", "hbase.hregion.memstore.flush.size"),
                      "one memstore may grow to %.4g MiB x %.3g = %.4g GiB, but all of a server to heap %.4g GiB x %.3g = "
                      "%.4g GiB: one hot region then stops the writes of all others", flush_bytes / MIB,
                      h->memstore_block_multiplier, refuses / GIB, heap / GIB, h->global_memstore_size, limit / GIB);
}

void build_warn_sizes(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;
    double all = 0, written = 0, flush_bytes = 0, here;

    if (bld->dgs->errors > 0 || sp->cluster.state_len > 0)
        return;
    for (size_t t = 0; t < sp->tables_len; t++) {
        const struct regions_of n = count_regions(sp, &sp->tables[t]);
        const int64_t own = sp->tables[t].memstore_flush_size_bytes;

        all += n.all;
        written += n.written;
        flush_bytes += n.written * (double)(own > 0 ? own : sp->hbase.memstore_flush_size_bytes);
    }
    if (written > 0)
        warn_memstores(bld, written, flush_bytes / written);
    here = ceil(all / sp->cluster.servers) + sp->cluster.background_regions_per_server;
    if (here > sp->hbase.region_split_limit)
        diags_warning(bld->dgs, place_of(bld, "cluster", "servers"),
                      "%.0f regions / %d servers + %d background regions = %.0f on one: none splits at or above "
                      "hbase.regionserver.regionSplitLimit = %d", all, sp->cluster.servers,
                      sp->cluster.background_regions_per_server, here, sp->hbase.region_split_limit);
    else if (here > REGIONS_GOOD)
        diags_warning(bld->dgs, place_of(bld, "cluster", "servers"),
                      "%.0f regions / %d servers + %d background regions = %.0f on one: good practice ends near %d", all,
                      sp->cluster.servers, sp->cluster.background_regions_per_server, here, REGIONS_GOOD);
}
