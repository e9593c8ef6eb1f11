/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded operations by hand (split, merge, compact, flush, move, disable) against the model's. Reads are
   not judged: the model counts them elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

enum { FIELDS = 16, LINES = 4096 };

struct line {
    char *field[FIELDS];
    size_t n;
    uint64_t step;
};

struct script {
    char *text;
    struct line *line;
    size_t n;
    char comment[4096];
};

/* What the log last said of each region. */
struct known_region {
    const struct line *line;
};

struct play {
    struct timeline tl;
    struct timeline_settings s;
    struct script script;
    struct known_region known[64];
    size_t known_len;
    struct timeline_events real;
};

static void split_line(char *text, struct line *l)
{
    l->n = 0;
    while (text && l->n < FIELDS) {
        l->field[l->n++] = text;
        text = strchr(text, '\t');
        if (text)
            *text++ = '\0';
    }
    for (size_t k = l->n; k < FIELDS; k++)
        l->field[k] = (char *)(uintptr_t) "";
    l->step = strtoull(l->field[0], NULL, 10);
}

static int read_script(const char *path, struct script *s)
{
    FILE *f = fopen(path, "rb");
    const size_t cap = 1 << 20;
    size_t got;

    memset(s, 0, sizeof *s);
    if (!f)
        return -1;
    s->text = calloc(1, cap + 1);
    s->line = calloc(LINES, sizeof *s->line);
    if (!s->text || !s->line)
        abort();
    got = fread(s->text, 1, cap, f);
    s->text[got] = '\0';
    fclose(f);
    for (char *at = s->text; at && *at && s->n < LINES;) {
        char *next = strchr(at, '\n');

        if (next)
            *next++ = '\0';
        if (*at == '#')
            snprintf(s->comment + strlen(s->comment), sizeof s->comment - strlen(s->comment), "%s\n", at);
        else if (*at)
            split_line(at, &s->line[s->n++]);
        at = next;
    }
    return 0;
}

static uint64_t number_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void word_after(const char *text, const char *name, char *out, size_t cap)
{
    const char *at = strstr(text, name);

    snprintf(out, cap, "%.*s", at ? (int)strcspn(at + strlen(name), " ;,\n") : 0, at ? at + strlen(name) : "");
}

/* False where something isn't understood. */
static bool read_settings(struct play *p)
{
    static const struct {
        const char *word;
        enum spec_splits splits;
    } ways[] = {
        {"none", SPEC_SPLITS_NONE},        {"salt", SPEC_SPLITS_BUCKETS},
        {"UniformSplit", SPEC_SPLITS_UNIFORM}, {"HexStringSplit", SPEC_SPLITS_HEX},
        {"DecimalStringSplit", SPEC_SPLITS_DECIMAL},
    };
    struct timeline_settings *s = &p->s;
    const char *c = p->script.comment;
    uint8_t row[TRUTH_MAX_ROW];
    bool known = false;
    char word[64];

    memset(s, 0, sizeof *s);
    word_after(c, "stream=", s->stream_name, sizeof s->stream_name);
    word_after(c, "qualifier=", s->qualifier, sizeof s->qualifier);
    word_after(c, "family=", s->family[0].name, sizeof s->family[0].name);
    s->stream = (struct truth_stream){s->stream_name, (uint32_t)number_after(c, " N="), number_after(c, " D="),
                                      number_after(c, "step_ms="), 0};
    s->family[0].value_bytes = (uint32_t)number_after(c, "value_bytes=");
    s->family[0].every = 1;
    s->families = 1;
    s->servers = number_after(c, " S=");
    s->site_flush_bytes = s->flush_bytes = number_after(c, "flush size ") << 20;
    s->max_file_bytes = number_after(c, "MAX_FILESIZE ") << 30;
    s->flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, s->flush_bytes, 0, UINT64_C(16) << 20};
    snprintf(s->policy, sizeof s->policy, "SteppingSplitPolicy");
    snprintf(s->table, sizeof s->table, "o0");
    s->splits = SPEC_SPLITS_NONE;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(word, sizeof word, "initial regions: %s ", ways[i].word);
        if (!strstr(c, word))
            continue;
        s->splits = ways[i].splits;
        s->split_regions = number_after(c, word);
        known = true;
    }
    if (s->splits == SPEC_SPLITS_BUCKETS) {
        s->splits = SPEC_SPLITS_NONE;
        s->split_buckets = s->split_regions;
    }
    s->archive = s->close_bytes = true;
    s->first_server = -1;
    return known && s->servers > 0 && s->site_flush_bytes > 0 && s->max_file_bytes > 0 &&
           truth_row(&s->stream, 0, row) > 0;
}

static struct region *region_at(struct play *p, uint64_t index)
{
    const struct table *t = &p->tl.model->tables[0];

    return index < t->regions_len ? p->tl.model->regions[t->regions[index]] : NULL;
}

static const char *split_word(enum split_refusal why)
{
    switch (why) {
    case SPLIT_POINT_FOUND: return "ok";
    case SPLIT_POINT_NO_FILE:
    case SPLIT_POINT_ROW_AT_EDGE: return "bestSplitPoint = null";
    case SPLIT_POINT_REFERENCE:
    case SPLIT_POINT_DISABLED: return "NOT splittable";
    case SPLIT_POINT_IS_START: return "equals to startkey";
    default: return "not inside region key range";
    }
}

static const char *merge_word(enum merge_refusal why)
{
    switch (why) {
    case MERGE_OK: return "ok";
    case MERGE_DUPLICATE: return "Duplicate regions";
    case MERGE_NOT_ADJACENT: return "non-adjacent";
    case MERGE_QUALIFIER: return "has a merge qualifier";
    default: return "is not mergeable";
    }
}

static const char *do_split(struct play *p, const char *op)
{
    struct region *r = region_at(p, number_after(op, "region "));
    const char *hex = strrchr(op, ' ') + 1;
    uint8_t key[TRUTH_MAX_ROW];
    size_t n = 0;

    if (!strstr(op, "without key"))
        for (unsigned byte; n < sizeof key && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
            key[n] = (uint8_t)byte;
    return r ? split_word(model_split(p->tl.model, r, (struct saltkey_slice){key, n})) : "no region";
}

static const char *do_merge(struct play *p, const char *op)
{
    struct region *list[16];
    size_t n = 0;

    for (const char *at = strchr(op, '['); at && *at != ']' && n < 16; at = strpbrk(at + 1, ",]")) {
        list[n] = region_at(p, strtoull(at + 1, NULL, 10));
        if (!list[n++])
            return "no region";
    }
    return merge_word(model_merge(p->tl.model, list, n, strstr(op, "forcible=true") != NULL));
}

static void for_each_region(struct play *p, const char *op)
{
    const struct table *t = &p->tl.model->tables[0];

    for (size_t i = 0; i < t->regions_len; i++) {
        struct region *r = p->tl.model->regions[t->regions[i]];

        if (strcmp(op, "flush table") == 0)
            model_flush(p->tl.model, r);
        else
            model_compact(p->tl.model, r, strncmp(op, "major", 5) == 0);
    }
}

/* Regions to their servers, and the sequence ids that the draw of their first servers left. */
static void create(struct play *p)
{
    timeline_move_all(&p->tl);
    for (size_t i = 0; i < p->script.n && p->script.line[i].step == 1; i++) {
        const struct line *l = &p->script.line[i];
        struct region *r;

        if (strcmp(l->field[1], "REGION") != 0)
            continue;
        r = region_at(p, i - 1);
        if (r)
            r->next_seqid = strtoull(l->field[12], NULL, 10) + 1;
    }
    timeline_events_free(&p->tl.events);
}

static const char *perform(struct play *p, const char *op)
{
    struct model *m = p->tl.model;
    struct region *r;

    if (strncmp(op, "create", 6) == 0) {
        create(p);
    } else if (strncmp(op, "put ", 4) == 0) {
        const uint64_t end = strtoull(strstr(op, "..") + 2, NULL, 10);

        for (uint64_t i = strtoull(op + 4, NULL, 10); i < end; i += 500)
            timeline_put(&p->tl, i, end - i < 500 ? end - i : 500);
    } else if (strcmp(op, "flush table") == 0 || strstr(op, "compaction of the table")) {
        for_each_region(p, op);
        if (strcmp(op, "flush table") != 0)
            timeline_locate(&p->tl); /* Admin.compact asks hbase:meta for all regions, past the client's cache */
    } else if (strncmp(op, "split ", 6) == 0) {
        return do_split(p, op);
    } else if (strncmp(op, "merge ", 6) == 0) {
        return do_merge(p, op);
    } else if (strncmp(op, "move ", 5) == 0) {
        r = region_at(p, number_after(op, "region "));
        if (r)
            model_move(m, r, (int)number_after(op, "rs"));
    } else if (strcmp(op, "catalog janitor") == 0) {
        model_catalog_janitor(m);
    } else if (strncmp(op, "compaction switch", 17) == 0) {
        model_compaction_switch(m, strstr(op, "true") != NULL);
    } else if (strcmp(op, "disable table") == 0) {
        model_disable_table(m, &m->tables[0]);
    } else if (strcmp(op, "enable table") == 0) {
        model_enable_table(m, &m->tables[0]);
    } else if (strncmp(op, "get ", 4) != 0 && strncmp(op, "scan ", 5) != 0) {
        return "unknown operation";
    }
    return "ok";
}

static size_t find_known(const struct play *p, const char *start, const char *end)
{
    size_t i = 0;

    while (i < p->known_len && (strcmp(p->known[i].line->field[2], start) != 0 ||
                                strcmp(p->known[i].line->field[3], end) != 0))
        i++;
    return i;
}

static void learn(struct play *p, const struct line *l)
{
    const size_t i = find_known(p, l->field[2], l->field[3]);
    char key[400], text[TIMELINE_TEXT];

    if (strcmp(l->field[1], "EVENT") == 0) {
        snprintf(key, sizeof key, "%s %s %s", l->field[3], l->field[4], l->field[5]);
        snprintf(text, sizeof text, "%s %s %s", l->field[0], l->field[2], l->field[6]);
        timeline_events_add(&p->real, key, text);
    } else if (strcmp(l->field[1], "GONE") == 0 && i < p->known_len) {
        p->known[i] = p->known[--p->known_len];
    } else if (strcmp(l->field[1], "REGION") == 0 && i < 64) {
        p->known_len += i == p->known_len;
        p->known[i].line = l;
    }
}

static void check_region(struct play *p, const struct region *g, struct truth_report *r)
{
    const struct store *st = &g->stores[0];
    const struct store_span all = {0, st->files_len};
    char start[160], end[160], files[TIMELINE_FILES], server[16];
    size_t i;
    char *const *f;

    timeline_key(&g->start, start, sizeof start);
    timeline_key(&g->end, end, sizeof end);
    i = find_known(p, start, end);
    if (i == p->known_len) {
        truth_check_text(r, "region", "no such region", start);
        return;
    }
    f = p->known[i].line->field;
    snprintf(server, sizeof server, "rs%02d", g->server);
    timeline_file_list(st, &all, files, sizeof files);
    truth_check_text(r, "server", f[4], server);
    truth_check(r, "mem_data", strtod(f[6], NULL), (double)store_data_bytes(st), 0);
    truth_check(r, "files", strtod(f[7], NULL), (double)st->files_len, 0);
    truth_check_text(r, "file_list", f[8], files);
    truth_check(r, "writes", strtod(f[10], NULL), (double)g->requests, 0);
    truth_check(r, "max_flushed_seqid", strtod(f[11], NULL), (double)g->flushed_seqid, 0);
    truth_check(r, "read_point", strtod(f[12], NULL), (double)g->next_seqid - 1, 0);
    truth_check(r, "has_references", strtod(f[13], NULL), store_has_references(st), 0);
}

static void check_step(struct play *p, uint64_t step, struct truth_report *r)
{
    const struct table *t = &p->tl.model->tables[0];
    size_t open = 0;

    for (size_t i = 0; i < t->regions_len; i++) {
        const struct region *g = p->tl.model->regions[t->regions[i]];

        if (g->state != REGION_OPEN)
            continue;
        open++;
        check_region(p, g, r);
    }
    truth_check(r, "regions", (double)p->known_len, (double)open, 0);
    for (size_t i = 0; i < p->script.n; i++)
        if (p->script.line[i].step == step && strcmp(p->script.line[i].field[1], "TABLE") == 0)
            truth_check(r, "open", strtod(p->script.line[i].field[2] + strlen("open="), NULL), (double)open, 0);
}

/* "ok", or the words of the refusal that both have. */
static void check_result(const char *op, const char *real, const char *ours, struct truth_report *r)
{
    if (strncmp(op, "scan", 4) == 0)
        return;
    if (strcmp(real, "ok") == 0 || !strstr(real, ours))
        truth_check_text(r, op, real, ours);
    else
        truth_check_text(r, op, ours, ours);
}

/* A split without key waits for a flush, and may find then that there is still none. */
static bool split_came_to_nothing(const struct play *p, size_t events_before)
{
    for (size_t i = events_before; i < p->tl.log.events_len; i++)
        if (strcmp(p->tl.log.events[i].kind, "split refused") == 0)
            return true;
    return false;
}

static void play(struct play *p, struct truth_report *r)
{
    const struct script *s = &p->script;

    for (size_t i = 0; i < s->n && p->tl.model->error == 0; i++) {
        const struct line *l = &s->line[i];
        size_t k = i + 1, logged = p->tl.log.events_len;
        const char *ours;

        if (strcmp(l->field[1], "OP") != 0)
            continue;
        p->tl.step = l->step;
        ours = perform(p, l->field[2]);
        timeline_settle(&p->tl);
        if (strcmp(ours, "ok") == 0 && split_came_to_nothing(p, logged))
            ours = split_word(SPLIT_POINT_NO_FILE);
        check_result(l->field[2], l->field[3], ours, r);
        for (; k < s->n && s->line[k].step == l->step; k++)
            learn(p, &s->line[k]);
        check_step(p, l->step, r);
    }
    truth_check(r, "model errors", 0, p->tl.model->error, 0);
    timeline_events_check(r, &p->real, &p->tl.events);
}

void truth_operations(const char *base, const char *name, struct truth_report *r)
{
    static struct play p;
    struct key_source source;
    char path[8300], text[64];

    memset(&p, 0, sizeof p);
    truth_case(r, name);
    snprintf(path, sizeof path, "%s.tsv", base);
    if (read_script(path, &p.script) != 0 || !read_settings(&p)) {
        timeline_refuse(r, "header", p.script.text ? p.script.comment : path);
        free(p.script.text);
        free(p.script.line);
        return;
    }
    source = timeline_source(&p.s);
    if (timeline_open(&p.tl, &p.s, &source) == 0)
        play(&p, r);
    else
        truth_check_text(r, "model", "begins", "does not");
    snprintf(text, sizeof text, "%zu events", p.real.len);
    snprintf(path, sizeof path, "%zu events", p.tl.events.len);
    truth_case_end(r, "regions and events of each operation", text, path, "exact");
    timeline_close(&p.tl);
    timeline_events_free(&p.real);
    free(p.script.text);
    free(p.script.line);
}
