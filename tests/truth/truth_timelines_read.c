/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_settings.h"
#include "truth_timelines.h"

void timeline_word(const struct truth_table *t, const char *name, char *word, size_t cap)
{
    word[0] = '\0';
    for (size_t i = 0; i < t->comments; i++) {
        const char *at = strstr(t->comment[i], name);

        if (!at)
            continue;
        at += strlen(name);
        snprintf(word, cap, "%.*s", (int)strcspn(at, " ;,}"), at);
        return;
    }
}

uint64_t timeline_number(const struct truth_table *t, const char *name, uint64_t otherwise)
{
    char word[64];

    timeline_word(t, name, word, sizeof word);
    return word[0] ? strtoull(word, NULL, 10) : otherwise;
}

static bool says(const struct truth_table *t, const char *text)
{
    for (size_t i = 0; i < t->comments; i++)
        if (strstr(t->comment[i], text))
            return true;
    return false;
}

void timeline_refuse(struct truth_report *r, const char *what, const char *text)
{
    truth_check_text(r, what, "understood", text[0] ? text : "-");
    truth_case_end(r, what, "-", "-", "exact");
}

bool timeline_read_pair(const char *base, const char *states, struct truth_table pair[2], struct truth_report *r)
{
    char path[8300];

    snprintf(path, sizeof path, "%s%s", base, states);
    if (truth_table_read(path, &pair[0]) == 0) {
        snprintf(path, sizeof path, "%s.events.tsv", base);
        if (truth_table_read(path, &pair[1]) == 0)
            return true;
        truth_table_free(&pair[0]);
    }
    timeline_refuse(r, "table", path);
    return false;
}

int timeline_check_settings(const struct timeline_settings *s, struct truth_report *r)
{
    const struct truth_table *t = s->header;
    struct spec_family family = {.blocksize_bytes = 1};
    uint8_t row[TRUTH_MAX_ROW];
    char name[128];

    if (split_policy_from_name(s->policy) < 0)
        timeline_refuse(r, "split policy", s->policy);
    else if (truth_row(&s->stream, 0, row) == 0)
        timeline_refuse(r, "stream", s->stream_name);
    else if (truth_setting_refused(t, true, name, sizeof name))
        timeline_refuse(r, "setting", name);
    else if (timeline_set_family(t, &family) != 0)
        timeline_refuse(r, "value of a family's setting", "an unknown word");
    else if (s->rows == 0 || s->max_file_bytes == 0 || s->flush_bytes == 0 || s->list_rows == 0)
        timeline_refuse(r, "rows, MAX_FILESIZE or flush size", "absent");
    else
        return 0;
    return -1;
}

void timeline_read_settings(const struct truth_table *t, struct timeline_settings *s)
{
    memset(s, 0, sizeof *s);
    s->header = t;
    snprintf(s->table, sizeof s->table, "t");
    timeline_word(t, "stream=", s->stream_name, sizeof s->stream_name);
    timeline_word(t, "policy=", s->policy, sizeof s->policy);
    timeline_word(t, "qualifier=", s->qualifier, sizeof s->qualifier);
    s->stream = (struct truth_stream){s->stream_name, (uint32_t)truth_comment_number(t, "N", 1),
                                      truth_comment_number(t, "D", 1), truth_comment_number(t, "step_ms", 1),
                                      truth_comment_number(t, "H", 0)};
    timeline_word(t, " family=", s->family[0].name, sizeof s->family[0].name);
    s->family[0].value_bytes = (uint32_t)truth_comment_number(t, "value_bytes", 0);
    s->family[0].every = 1;
    s->families = 1;
    s->rows = truth_comment_number(t, "rows", 0);
    s->list_rows = timeline_number(t, "Table.put(List) of ", 1000);
    s->servers = timeline_number(t, " S=", 1);
    s->max_file_bytes = timeline_number(t, "MAX_FILESIZE=", 0);
    s->flush_bytes = timeline_number(t, "flush size=", 0);
    s->site_flush_bytes = timeline_number(t, "site value is ", s->flush_bytes);
    s->flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, s->flush_bytes, 0, UINT64_C(16) << 20};
    s->archive = !says(t, "NOTHING archived");
    s->moved = says(t, "MOVED:");
    s->first_server = -1;
}

void timeline_events_add(struct timeline_events *e, const char *key, const char *text)
{
    if (e->len == e->cap) {
        e->cap = e->cap ? 2 * e->cap : 64;
        e->item = realloc(e->item, e->cap * sizeof *e->item);
        if (!e->item)
            abort();
    }
    e->item[e->len].key = malloc(strlen(key) + 1);
    e->item[e->len].text = malloc(strlen(text) + 1);
    if (!e->item[e->len].key || !e->item[e->len].text)
        abort();
    strcpy(e->item[e->len].key, key);
    strcpy(e->item[e->len++].text, text);
}

void timeline_events_free(struct timeline_events *e)
{
    for (size_t i = 0; i < e->len; i++) {
        free(e->item[i].key);
        free(e->item[i].text);
    }
    free(e->item);
    memset(e, 0, sizeof *e);
}

/* The next event of |key| from |at| on; NULL behind the last. */
static const char *next_of(const struct timeline_events *e, const char *key, size_t *at)
{
    for (; *at < e->len; (*at)++)
        if (strcmp(e->item[*at].key, key) == 0)
            return e->item[(*at)++].text;
    return NULL;
}

static bool seen_before(const struct timeline_events *e, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(e->item[k].key, e->item[i].key) == 0)
            return true;
    return false;
}

static void check_store(struct truth_report *r, const struct timeline_events *real,
                        const struct timeline_events *ours, const char *key)
{
    size_t at_real = 0, at_ours = 0;

    for (;;) {
        const char *a = next_of(real, key, &at_real), *b = next_of(ours, key, &at_ours);

        if (!a && !b)
            return;
        truth_check_text(r, key, a ? a : "-", b ? b : "-");
    }
}

void timeline_events_check(struct truth_report *r, struct timeline_events *real, struct timeline_events *ours)
{
    for (size_t i = 0; i < real->len; i++)
        if (!seen_before(real, i))
            check_store(r, real, ours, real->item[i].key);
    /* Stores that only we have. */
    for (size_t i = 0; i < ours->len; i++) {
        size_t at = 0;

        if (!seen_before(ours, i) && !next_of(real, ours->item[i].key, &at))
            check_store(r, real, ours, ours->item[i].key);
    }
}

void timeline_each(const struct timeline_folder *f, struct truth_report *r)
{
    char **names, base[8192];
    const size_t n = truth_names(f->dir, "", f->suffix, &names);

    if (n == 0)
        printf("%s\tabsent: no *%s\n", r->folder, f->suffix);
    for (size_t i = 0; i < n; i++) {
        names[i][strlen(names[i]) - strlen(f->suffix)] = '\0';
        snprintf(base, sizeof base, "%s/%s", f->dir, names[i]);
        f->one(base, names[i], r);
        free(names[i]);
    }
    free(names);
}
