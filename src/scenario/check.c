/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each value may be is the table's business; here is what must fit together. A value that
   could not be read is left out, so that one mistake gives one message. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/build.h"
#include "scenario/suggest.h"

#define MIB INT64_C(1048576)
#define RATE_MAX 1e9
#define WRITE_ROWS_MAX 3e9  /* beyond, detail write takes hours of real time */
#define TICK_ROWS_MAX 2e11  /* and detail tick */

struct scenario_place build_place(const struct ini_section *section, const char *key)
{
    const struct ini_entry *entry = key ? ini_entry_find(section, key, 0) : NULL;

    return entry ? entry->value_at : section->at;
}

bool build_given(const struct ini_section *section, const char *key)
{
    return ini_entry_find(section, key, 0) != NULL;
}

bool build_good(const struct ini_section *section, const char *key)
{
    const struct scenario_key *row = scenario_key_find(section->kind, key);
    const struct ini_entry *entry = ini_entry_find(section, key, 0);

    if (!entry)
        return row && row->dflt && !section->bad_lines;
    for (size_t n = 0; (entry = ini_entry_find(section, key, n)); n++) {
        if (entry->bad)
            return false;
    }
    return true;
}

const char *build_place_text(struct scenario_place at, char *text, size_t cap)
{
    if (at.line > 0)
        snprintf(text, cap, "%s:%d", at.file, at.line);
    else
        snprintf(text, cap, "%s", at.file ? at.file : "the default");
    return text;
}

const struct ini_section *build_section(const struct build *bld, const char *kind, const char *name)
{
    const struct ini_section *sec = ini_find(&bld->ini, kind, name);

    return sec && sec->index != BUILD_NOWHERE ? sec : NULL;
}

static struct scenario_place whole(const struct build *bld)
{
    struct scenario_place at = {bld->file, 0, 0};

    return at;
}

static void check_present(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;

    if (bld->odd_heads > 0)
        return; /* what is missing may be what could not be read */
    if (sp->tables_len == 0) {
        diags_error(bld->dgs, whole(bld), "the scenario has no table");
        diags_hint(bld->dgs, "add a section [table NAME] with its key, and [family NAME/d] with a column");
    }
    if (sp->streams_len == 0) {
        diags_error(bld->dgs, whole(bld), "the scenario has no stream: nobody writes");
        diags_hint(bld->dgs, "add a section [stream NAME] with tables, entities and arrival");
    }
}

static void check_window(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;
    const struct ini_section *sec = build_section(bld, "scenario", "");
    char window[UNIT_TEXT_CAP], duration[UNIT_TEXT_CAP], place[100];

    if (!sec || !build_good(sec, "window") || !build_good(sec, "duration") || sp->window_ns <= sp->duration_ns)
        return;
    unit_write_whole(UNIT_DURATION, sp->window_ns, window);
    unit_write_whole(UNIT_DURATION, sp->duration_ns, duration);
    if (build_given(sec, "duration"))
        diags_error(bld->dgs, build_place(sec, "window"), "a window of %s is longer than the duration of %s at %s",
                    window, duration, build_place_text(build_place(sec, "duration"), place, sizeof place));
    else
        diags_error(bld->dgs, build_place(sec, "window"), "a window of %s is longer than the duration of %s", window,
                    duration);
}

static void check_hbase(struct build *bld)
{
    const struct spec_hbase *hb = &bld->sc->spec.hbase;
    const struct ini_section *sec = build_section(bld, "hbase", "");
    const char *min = "hbase.hstore.compaction.min", *max = "hbase.hstore.compaction.max";

    if (sec && build_good(sec, min) && build_good(sec, max) && hb->compaction_max < hb->compaction_min)
        diags_error(bld->dgs, build_place(sec, build_given(sec, max) ? max : min),
                    "%s = %d is less than %s = %d", max, hb->compaction_max, min, hb->compaction_min);
}

/* TableDescriptorChecker (HBase 2.6) looks at the table's value or else the site's, and refuses
   files under 2 MiB and flushes under 1 MiB. */
static void check_limit(struct build *bld, const struct ini_section *sec, const char *key, const char *property)
{
    const struct ini_section *site = build_section(bld, "hbase", "");
    const struct spec *sp = &bld->sc->spec;
    const struct spec_table *tab = &sp->tables[sec->index];
    bool files = strcmp(key, "max_filesize") == 0;
    int64_t own = files ? tab->max_filesize_bytes : tab->memstore_flush_size_bytes;
    int64_t bytes = own > 0 ? own : files ? sp->hbase.max_filesize_bytes : sp->hbase.memstore_flush_size_bytes;
    int64_t limit = files ? 2 * MIB : MIB;
    struct scenario_place at = build_place(sec, key);

    if (bytes >= limit || !build_good(sec, key) || (own == 0 && site && !build_good(site, property)))
        return;
    if (own == 0 && site)
        at = build_place(site, property);
    diags_error(bld->dgs, at, "HBase creates no table with a %s of %" PRId64 " bytes; at least %" PRId64,
                own > 0 ? key : property, bytes, limit);
}

static bool is_written(const struct spec *sp, const char *table)
{
    for (size_t i = 0; i < sp->streams_len; i++) {
        for (size_t k = 0; k < sp->streams[i].tables_len; k++) {
            if (strcmp(sp->streams[i].tables[k], table) == 0)
                return true;
        }
    }
    return false;
}

static void check_salt(struct build *bld, const struct ini_section *sec, const struct spec_table *tab)
{
    char place[100];

    if (!build_good(sec, "salt") || !build_good(sec, "buckets"))
        return;
    if (tab->buckets > 0 && !spec_salt_takes_buckets(tab->salt)) {
        bool prefix = strcmp(tab->salt, "none") != 0;

        if (build_given(sec, "salt"))
            diags_error(bld->dgs, build_place(sec, "buckets"), "%d buckets, but the salt '%s' at %s has none",
                        tab->buckets, tab->salt, build_place_text(build_place(sec, "salt"), place, sizeof place));
        else
            diags_error(bld->dgs, build_place(sec, "buckets"), "%d buckets, but the table has no salt", tab->buckets);
        diags_hint(bld->dgs, prefix ? "a hashed prefix takes no buckets; cut it with splits = HexStringSplit R"
                                    : "add salt = arrays-hash floorMod, or write buckets = none");
    }
    if (spec_salt_takes_buckets(tab->salt) && !build_given(sec, "buckets")) {
        diags_error(bld->dgs, build_place(sec, "salt"), "the salt '%s' needs buckets", tab->salt);
        diags_hint(bld->dgs, "add buckets = 16, or buckets = none for an unsalted table");
    }
    if (tab->buckets > 0 && tab->buckets % 31 == 0) {
        diags_warning(bld->dgs, build_place(sec, "buckets"),
                      "%d is a multiple of 31: with a hash that multiplies by 31 the bucket depends on the key's last "
                      "byte alone", tab->buckets);
        diags_hint(bld->dgs, "take a count that 31 does not divide");
    }
}

static void check_tables(struct build *bld)
{
    struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len && !bld->no_memory; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        struct spec_table *tab;

        if (strcmp(sec->kind, "table") != 0 || sec->index == BUILD_NOWHERE || sec->double_section)
            continue;
        tab = &sp->tables[sec->index];
        if (tab->families_len == 0) {
            diags_error(bld->dgs, sec->at, "the table '%s' has no family", tab->name);
            diags_hint(bld->dgs, "add a section [family %s/d] with column = v:100", tab->name);
        }
        if (tab->families_len > SPEC_FAMILIES_MAX) {
            diags_error(bld->dgs, sec->at, "the table '%s' has %zu families; at most %d are modelled", tab->name,
                        tab->families_len, SPEC_FAMILIES_MAX);
            diags_hint(bld->dgs, "put columns that are written together into one family");
        }
        check_salt(bld, sec, tab);
        check_limit(bld, sec, "max_filesize", "hbase.hregion.max.filesize");
        check_limit(bld, sec, "memstore_flushsize", "hbase.hregion.memstore.flush.size");
        build_check_keys(bld, sec, tab);
    }
}

static bool known_table(struct build *bld, struct scenario_place at, const char *name)
{
    const struct spec *sp = &bld->sc->spec;
    struct suggest best;

    if (spec_table_by_name(sp, name) || build_lost_table(bld, name))
        return true;
    suggest_begin(&best, name);
    for (size_t i = 0; i < sp->tables_len; i++)
        suggest_offer(&best, sp->tables[i].name);
    if (best.name)
        diags_error(bld->dgs, at, "unknown table '%s'; did you mean '%s'?", name, best.name);
    else if (sp->tables_len == 1)
        diags_error(bld->dgs, at, "unknown table '%s'; the scenario has '%s'", name, sp->tables[0].name);
    else
        diags_error(bld->dgs, at, "unknown table '%s'", name);
    return false;
}

/* The column of a word inside the value. */
static struct scenario_place place_of_word(const struct ini_section *sec, const char *key, const char *word)
{
    struct scenario_place at = build_place(sec, key);
    const struct ini_entry *entry = ini_entry_find(sec, key, 0);
    const char *found = entry ? strstr(entry->value, word) : NULL;

    if (found && at.line > 0)
        at.column += (int)(found - entry->value);
    return at;
}

/* A stream is generated from entities, or replayed from a file: never both. */
static void check_source(struct build *bld, const struct ini_section *sec, const struct spec_stream *str)
{
    char place[100];

    if (!build_given(sec, "keys")) {
        if (!build_given(sec, "entities") && !sec->bad_lines) {
            diags_error(bld->dgs, sec->at, "section [stream %s] needs the key 'entities'", str->name);
            diags_hint(bld->dgs, "entities = 200k, or keys = FILE escaped to replay a file of keys");
        }
        return;
    }
    build_place_text(build_place(sec, "keys"), place, sizeof place);
    if (build_given(sec, "entities"))
        diags_error(bld->dgs, build_place(sec, "entities"), "entities, but the keys come from the file at %s", place);
    if (build_given(sec, "popularity"))
        diags_error(bld->dgs, build_place(sec, "popularity"), "popularity, but the keys come from the file at %s",
                    place);
    if (build_good(sec, "arrival") && build_given(sec, "arrival") && str->arrival == SPEC_ARRIVAL_EVERY) {
        diags_error(bld->dgs, build_place(sec, "arrival"), "an interval of each entity, but the keys come from the "
                    "file at %s", place);
        diags_hint(bld->dgs, "write a rate, as arrival = 40k/s constant");
    }
    if (build_good(sec, "keys"))
        build_check_key_file(bld, sec, str);
}

static void check_rate(struct build *bld, const struct ini_section *sec, const struct spec_stream *str)
{
    if (build_given(sec, "arrival") && build_good(sec, "arrival") && build_good(sec, "entities") &&
        str->rate_per_s > RATE_MAX)
        diags_error(bld->dgs, build_place(sec, "arrival"), "%.3g rows per second; at most 1G/s", str->rate_per_s);
}

static void check_streams(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len && !bld->no_memory; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        const struct spec_stream *str;

        if (strcmp(sec->kind, "stream") != 0 || sec->index == BUILD_NOWHERE || sec->double_section)
            continue;
        str = &sp->streams[sec->index];
        for (size_t k = 0; k < str->tables_len && build_good(sec, "tables"); k++)
            known_table(bld, place_of_word(sec, "tables", str->tables[k]), str->tables[k]);
        check_source(bld, sec, str);
        check_rate(bld, sec, str);
        if (build_given(sec, "entities") && build_good(sec, "entities") && build_good(sec, "popularity") &&
            str->popularity == SPEC_POPULARITY_HOT && str->hot_entities >= str->entities) {
            char place[100];

            diags_error(bld->dgs, build_place(sec, "popularity"),
                        "%" PRId64 " hot entities of %" PRId64 " in all (at %s) leave nobody for the rest",
                        str->hot_entities, str->entities,
                        build_place_text(build_place(sec, "entities"), place, sizeof place));
        }
    }
}

static void check_queries(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "query") == 0 && sec->index != BUILD_NOWHERE && sp->queries[sec->index].table)
            known_table(bld, build_place(sec, "table"), sp->queries[sec->index].table);
    }
}

/* Targets of queries, and where growth begins. */
static void check_plan_names(struct build *bld, const struct ini_section *sec)
{
    const struct spec *sp = &bld->sc->spec;
    const struct spec_growth *grow = &sp->plan.growth;

    for (size_t i = 0; i < sp->plan.targets_len && build_good(sec, "targets"); i++) {
        const char *metric = sp->plan.targets[i].metric, *dot = strrchr(metric, '.');
        size_t q = 0;

        if (!dot)
            continue;
        while (q < sp->queries_len && (strlen(sp->queries[q].name) != (size_t)(dot - metric) ||
                                       memcmp(sp->queries[q].name, metric, (size_t)(dot - metric)) != 0))
            q++;
        if (q == sp->queries_len)
            diags_error(bld->dgs, build_place(sec, "targets"), "'%s': there is no [query %.*s]", metric,
                        (int)(dot - metric), metric);
    }
    if (grow->servers_len > 0 && build_good(sec, "growth") && grow->servers[0] != sp->cluster.servers)
        diags_error(bld->dgs, build_place(sec, "growth"), "growth begins at %d servers, but the cluster has %d",
                    grow->servers[0], sp->cluster.servers);
}

/* Each candidate must be a bucket count of each salted table's salt. */
static bool candidates_fit(struct build *bld, const struct ini_section *sec)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t t = 0; t < sp->tables_len; t++) {
        if (!sp->tables[t].salt || !spec_salt_takes_buckets(sp->tables[t].salt))
            continue;
        for (size_t i = 0; i < sp->plan.candidates_len; i++) {
            struct saltkey_error err;
            struct saltkey_salt salt;

            if (sp->plan.candidates[i] == 0 ||
                saltkey_salt_parse(sp->tables[t].salt, (uint32_t)sp->plan.candidates[i], &salt, &err) != SALTKEY_EBUCKETS)
                continue;
            diags_error(bld->dgs, build_place(sec, "candidates"), "%d buckets don't fit the salt of table %s: %s",
                        sp->plan.candidates[i], sp->tables[t].name, err.reason);
            return false;
        }
    }
    return true;
}

static void check_plan(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;
    const struct ini_section *sec = build_section(bld, "plan", "");

    if (!sec || sp->tables_len == 0 || !build_good(sec, "candidates"))
        return;
    check_plan_names(bld, sec);
    if (!candidates_fit(bld, sec))
        return;
    for (size_t i = 0; i < sp->tables_len; i++) {
        const struct ini_section *table = build_section(bld, "table", sp->tables[i].name);

        if (!sp->tables[i].salt || !table || !build_good(table, "salt") || spec_salt_takes_buckets(sp->tables[i].salt))
            return;
    }
    diags_error(bld->dgs, build_place(sec, "candidates"), "bucket counts, but no table has a salt with buckets");
    diags_hint(bld->dgs, "give the table a salt: salt = arrays-hash floorMod");
}

/* Only of an otherwise good scenario: a mistyped name would be told twice. */
static void warn_unwritten(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len && bld->dgs->errors == 0; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "table") == 0 && !is_written(sp, sec->name))
            diags_warning(bld->dgs, sec->at, "no stream writes to the table '%s'", sec->name);
    }
}

/* A level that looks at each row, at some millions a second of real time: the wish may be a slip. */
static void warn_slow(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;
    const struct ini_section *sec = build_section(bld, "scenario", "");
    char text[UNIT_TEXT_CAP];
    const bool write = sp->detail == SPEC_DETAIL_WRITE;
    double rows = 0;

    if (bld->dgs->errors > 0 || !sec || !(write || sp->detail == SPEC_DETAIL_TICK))
        return;
    for (size_t i = 0; i < sp->streams_len; i++) {
        if (!sp->streams[i].keys_file) /* whose rows end with the file */
            rows += sp->streams[i].rate_per_s * (double)sp->duration_ns / (double)SPEC_NS_PER_S *
                    (double)sp->streams[i].tables_len;
    }
    if (rows <= (write ? WRITE_ROWS_MAX : TICK_ROWS_MAX))
        return;
    unit_write_whole(UNIT_COUNT, rows < 9e18 ? (int64_t)(rows + 0.5) : INT64_MAX, text);
    diags_warning(bld->dgs, build_place(sec, "detail"), "%s rows will take very long at this level of detail", text);
    diags_hint(bld->dgs, "take detail = %s", write && rows <= SPEC_AUTO_TICK_ROWS ? "tick" : "flow");
}

void build_check(struct build *bld)
{
    check_present(bld);
    check_window(bld);
    check_hbase(bld);
    check_tables(bld);
    check_streams(bld);
    check_queries(bld);
    check_plan(bld);
    build_check_splitting(bld);
    build_check_curves(bld);
    build_check_lifetimes(bld);
    build_check_events(bld);
    build_check_expects(bld);
    warn_unwritten(bld);
    warn_slow(bld);
    build_warn_sizes(bld);
}
