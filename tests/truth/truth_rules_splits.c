/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"
#include "truth_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/split_policy.h"

/* Split keys of recorded timelines: separator, largest store and file, the policy's cut. What the growth up to the
   split looked like is the model's affair; each line of the tables has what the rule needs. */

enum { MAX_FAMILIES = 8, MAX_STORE_FILES = 64, MAX_KEY = 80 };

struct key {
    uint8_t byte[MAX_KEY];
    size_t bytes;
};

struct parent {
    struct split_file file[MAX_FAMILIES][MAX_STORE_FILES];
    struct split_store store[MAX_FAMILIES];
    struct key mid[MAX_FAMILIES], first[MAX_FAMILIES], last[MAX_FAMILIES];
    size_t stores;
};

static struct key unhex(const char *s)
{
    struct key k = {.bytes = 0};
    unsigned v;

    while (s && s[0] && s[1] && k.bytes < MAX_KEY && sscanf(s, "%2x", &v) == 1) {
        k.byte[k.bytes++] = (uint8_t)v;
        s += 2;
    }
    return k;
}

/* The row of the index key between two blocks: the separator, or the row that both share. */
static struct key middle(const struct truth_table *t, size_t i)
{
    struct key left = unhex(truth_cell(t, i, "last_row_block_before_mid"));
    struct key right = unhex(truth_cell(t, i, "first_row_mid_block")), mid = {.bytes = 0};

    /* The recording counted blocks of unencoded cells; another encoding may end them elsewhere. */
    if (truth_number(t, i, "index_levels") == 1 &&
        truth_number(t, i, "blocks_predicted") != truth_number(t, i, "root_index_entries"))
        return unhex(truth_cell(t, i, "hfile_midkey_row"));
    if (left.bytes == 0) /* one block: its first row */
        return right.bytes ? right : unhex(truth_cell(t, i, "hfile_midkey_row"));
    mid.bytes = hfile_shortest_separator(left.byte, left.bytes, right.byte, right.bytes, mid.byte);
    return mid.bytes > 0 ? mid : right;
}

/* Files of the line's store, "bytes:cells" with r behind a reference; the largest one has the keys. */
static void add_store(struct parent *p, const struct truth_table *t, size_t i)
{
    size_t s = p->stores++, n = 0, largest = 0;
    const char *list = truth_cell(t, i, "files");

    if (!list)
        list = truth_cell(t, i, "parent_files");
    p->mid[s] = middle(t, i);
    p->first[s] = unhex(truth_cell(t, i, "file_first_row"));
    p->last[s] = unhex(truth_cell(t, i, "file_last_row"));
    while (list && *list && n < MAX_STORE_FILES) {
        char *end;

        p->file[s][n] = (struct split_file){.file_bytes = strtoull(list, &end, 10)};
        if (end == list)
            break;
        if (p->file[s][n].file_bytes > p->file[s][largest].file_bytes)
            largest = n;
        n++;
        list = strchr(end, ',');
        list = list ? list + 1 : NULL;
    }
    p->store[s] = (struct split_store){p->file[s], n};
    p->file[s][largest].mid_row = p->mid[s].byte;
    p->file[s][largest].mid_row_bytes = p->mid[s].bytes;
    p->file[s][largest].first_row = p->first[s].byte;
    p->file[s][largest].first_row_bytes = p->first[s].bytes;
    p->file[s][largest].last_row = p->last[s].byte;
    p->file[s][largest].last_row_bytes = p->last[s].bytes;
}

/* The value behind "name=" up to a blank, a comma or the brace's end; NULL where it is absent. A delimiter may be
   any byte, so its first one always counts. */
static const char *value_of(const struct truth_table *t, const char *name, char *value, size_t cap)
{
    for (size_t i = 0; i < t->comments; i++) {
        const char *p = strstr(t->comment[i], name);

        if (!p || p[strlen(name)] != '=')
            continue;
        p += strlen(name) + 1;
        snprintf(value, cap, "%.*s", *p ? 1 + (int)strcspn(p + 1, " ,;}") : 0, p);
        return value;
    }
    return NULL;
}

/* Room for what a policy points at. */
struct policy_text {
    char delimiter[64], restriction[64], word[96];
};

static void policy_of(const struct truth_table *t, struct split_policy_config *c, struct policy_text *text)
{
    const char *p;

    split_policy_config_default(c);
    for (size_t i = 0; i < t->comments; i++) {
        p = strstr(t->comment[i], "# policy=");
        if (p && sscanf(p, "# policy=%95s", text->word) == 1 && split_policy_from_name(text->word) >= 0)
            c->policy = (enum split_policy)split_policy_from_name(text->word);
    }
    p = value_of(t, "RegionSplitPolicy.prefix_length", text->word, sizeof text->word);
    if (!p)
        p = value_of(t, "prefix_split_key_policy.prefix_length", text->word, sizeof text->word);
    if (p)
        c->prefix_bytes = (uint32_t)strtoul(p, NULL, 10);
    if (value_of(t, "RegionSplitPolicy.delimiter", text->delimiter, sizeof text->delimiter)) {
        c->delimiter = (const uint8_t *)text->delimiter;
        c->delimiter_bytes = strlen(text->delimiter);
    }
    p = value_of(t, "split_restriction.type", text->word, sizeof text->word);
    if (p)
        c->restriction = strcmp(p, "KeyPrefix") == 0            ? SPLIT_RESTRICT_KEY_PREFIX
                         : strcmp(p, "DelimitedKeyPrefix") == 0 ? SPLIT_RESTRICT_DELIMITED
                                                                : SPLIT_RESTRICT_NONE;
    p = value_of(t, "split_restriction.prefix_length", text->word, sizeof text->word);
    if (p)
        c->restriction_prefix_bytes = (uint32_t)strtoul(p, NULL, 10);
    if (value_of(t, "split_restriction.delimiter", text->restriction, sizeof text->restriction)) {
        c->restriction_delimiter = (const uint8_t *)text->restriction;
        c->restriction_delimiter_bytes = strlen(text->restriction);
    }
}

static bool same_split(const struct truth_table *t, size_t a, size_t b)
{
    return b < t->rows && strcmp(t->row[a][0], t->row[b][0]) == 0 &&
           strcmp(truth_cell(t, a, "parent_start"), truth_cell(t, b, "parent_start")) == 0;
}

/* One split: a line, or one for each family. Returns the next split's line. */
static size_t judge_split(struct truth_report *r, const struct truth_table *t, size_t i, const char *file)
{
    struct split_policy_config c;
    struct parent *p = calloc(1, sizeof *p);
    struct key start = unhex(truth_cell(t, i, "parent_start")), end = unhex(truth_cell(t, i, "parent_end"));
    struct split_bounds bounds = {start.byte, end.byte, start.bytes, end.bytes};
    struct split_point point;
    char name[160], hex[2 * MAX_KEY + 8] = "none";
    struct policy_text text;
    size_t next = i;
    int why;

    snprintf(name, sizeof name, "%.90s at %s from %s", file, t->row[i][0], truth_cell(t, i, "parent_start"));
    truth_case(r, name);
    policy_of(t, &c, &text);
    for (; p && p->stores < MAX_FAMILIES && (next == i || same_split(t, i, next)); next++) {
        add_store(p, t, next);
        truth_hex(p->mid[p->stores - 1].byte, p->mid[p->stores - 1].bytes, hex, sizeof hex);
        if (strcmp(truth_cell(t, next, "last_row_block_before_mid"), "-") != 0)
            truth_check_text(r, "hfile_midkey_row", truth_cell(t, next, "hfile_midkey_row"), hex);
    }
    why = p ? (int)split_region_point(&c, p->store, p->stores, &bounds, &point) : -99;
    if (why == SPLIT_POINT_FOUND)
        truth_hex(point.row, point.row_bytes, hex, sizeof hex);
    else
        snprintf(hex, sizeof hex, "refused (%d)", why);
    truth_check_text(r, "split_key", truth_cell(t, i, "split_key"), hex);
    truth_case_end(r, "split_key", truth_cell(t, i, "split_key"), hex, "exact");
    free(p);
    return next > i ? next : i + 1;
}

/* False where the header has what isn't understood: the table is one failed case then. */
static bool understood(struct truth_report *r, const struct truth_table *t, const char *name)
{
    char word[128] = "no policy";

    for (size_t i = 0; i < t->comments; i++)
        if (sscanf(t->comment[i], "# policy=%127s", word) == 1 && split_policy_from_name(word) >= 0 &&
            !truth_setting_refused(t, true, word, sizeof word))
            return true;
    truth_case(r, name);
    truth_check_text(r, "setting", "understood", word);
    truth_case_end(r, "setting", "-", "-", "-");
    return false;
}

int truth_split_keys(const char *dir, struct truth_report *r)
{
    char **name;
    const size_t n = truth_names(dir, "", ".splits.tsv", &name);

    for (size_t k = 0; k < n; k++) {
        struct truth_table t;
        char path[4500];

        snprintf(path, sizeof path, "%s/%s", dir, name[k]);
        if (truth_table_read(path, &t) == 0) {
            name[k][strlen(name[k]) - 11] = '\0';
            for (size_t i = 0; understood(r, &t, name[k]) && i < t.rows;)
                i = judge_split(r, &t, i, name[k]);
            truth_table_free(&t);
        } else {
            truth_unreadable(r, path);
        }
        free(name[k]);
    }
    free(name);
    return n > 0 ? 0 : -1;
}
