/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of [table] that say how its regions split and are merged later: split policy, normalizer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define POLICY_PACKAGE "org.apache.hadoop.hbase.regionserver."
#define DELIMITER_MAX 64
#define PREFIX_MAX 32767
#define MIB INT64_C(1048576)

bool reader_split_policy(struct key_reader *rd, struct word wd, enum spec_split_policy *out)
{
    const size_t package = strlen(POLICY_PACKAGE);
    struct word name = wd;
    struct suggest best;
    char text[100];

    if (wd.len > package && memcmp(wd.chars, POLICY_PACKAGE, package) == 0) {
        name.chars += package;
        name.len -= package;
    }
    snprintf(text, sizeof text, "%.*s", (int)(name.len < 80 ? name.len : 80), name.chars);
    suggest_begin(&best, text);
    for (int i = SPEC_SPLIT_STEPPING; i <= SPEC_SPLIT_DISABLED; i++) {
        suggest_offer(&best, spec_split_policy_name((enum spec_split_policy)i));
        if (word_is(name, spec_split_policy_name((enum spec_split_policy)i))) {
            *out = (enum spec_split_policy)i;
            return true;
        }
    }
    if (best.name)
        return reader_error(rd, wd.at, "unknown split policy '%s'; did you mean '%s'?", text, best.name);
    return reader_error(rd, wd.at, "unknown split policy '%s'", text);
}

static bool read_prefix_length(struct key_reader *rd, struct spec_table *tab, struct words *wds)
{
    struct word wd;
    long long bytes;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "the length of the prefix is missing: KeyPrefixRegionSplitPolicy 9");
    if (!word_number(wd, PREFIX_MAX, &bytes) || bytes == 0)
        return reader_error(rd, wd.at, "'%.*s' is not a length of 1 to %d bytes", (int)(wd.len < 40 ? wd.len : 40),
                            wd.chars, PREFIX_MAX);
    tab->split_prefix_bytes = (int)bytes;
    return reader_end(rd, wds);
}

static bool read_delimiter(struct key_reader *rd, struct spec_table *tab, struct words *wds)
{
    uint8_t bytes[DELIMITER_MAX];
    struct saltkey_buf out = {bytes, sizeof bytes, 0};
    struct saltkey_error err;
    struct word wd;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "the delimiter is missing: DelimitedKeyPrefixRegionSplitPolicy _");
    if (saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)wd.chars, wd.len}, &out, &err) < 0)
        return reader_error(rd, wd.at + (err.column ? err.column - 1 : 0), "%s", err.reason);
    for (size_t i = 0; i < out.len; i++)
        if (bytes[i] >= 0x80)
            return reader_error(rd, wd.at, "HBase takes the delimiter as text: a byte above \\x7F can't stand alone");
    tab->split_delimiter.bytes = malloc(out.len);
    if (!tab->split_delimiter.bytes) {
        rd->no_memory = true;
        return false;
    }
    memcpy(tab->split_delimiter.bytes, bytes, out.len);
    tab->split_delimiter.len = out.len;
    return reader_end(rd, wds);
}

/* `site`, `ConstantSizeRegionSplitPolicy`, `KeyPrefixRegionSplitPolicy 9` */
bool read_table_split_policy(struct key_reader *rd, void *target)
{
    struct spec_table *tab = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    free(tab->split_delimiter.bytes);
    tab->split_delimiter = (struct spec_bytes){NULL, 0};
    tab->split_prefix_bytes = 0;
    words_next(&wds, &wd);
    tab->own_split_policy = !word_is(wd, "site");
    if (!tab->own_split_policy)
        return reader_end(rd, &wds);
    if (!reader_split_policy(rd, wd, &tab->split_policy))
        return false;
    if (tab->split_policy == SPEC_SPLIT_KEY_PREFIX)
        return read_prefix_length(rd, tab, &wds);
    if (tab->split_policy == SPEC_SPLIT_DELIMITED_KEY_PREFIX)
        return read_delimiter(rd, tab, &wds);
    return reader_end(rd, &wds);
}

bool write_table_split_policy(const void *target, size_t i, struct text *out)
{
    const struct spec_table *tab = target;

    if (i > 0)
        return false;
    text_add(out, "%s", tab->own_split_policy ? spec_split_policy_name(tab->split_policy) : "site");
    if (tab->split_prefix_bytes > 0)
        text_add(out, " %d", tab->split_prefix_bytes);
    if (tab->split_delimiter.len > 0) {
        text_add(out, " ");
        key_write_bytes(&tab->split_delimiter, out);
    }
    return true;
}

/* `target 10GiB`, `target 24 regions` */
static bool read_normalizer_target(struct key_reader *rd, struct spec_table *tab, struct words *wds)
{
    struct word wd, more;
    long long regions;
    int64_t bytes;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "what target? Write target 10GiB, or target 24 regions");
    if (words_next(wds, &more)) {
        if (!word_is(more, "regions") || !word_number(wd, 1000000, &regions) || regions == 0)
            return reader_error(rd, wd.at, "a target is a size of a region, as 10GiB, or a count, as 24 regions");
        tab->normalizer_target_regions = (int)regions;
        return reader_end(rd, wds);
    }
    if (!reader_whole(rd, UNIT_BYTES, wd, &bytes))
        return false;
    if (bytes < MIB || bytes % MIB != 0)
        return reader_error(rd, wd.at, "HBase takes the target in whole MiB");
    tab->normalizer_target_bytes = bytes;
    return true;
}

bool read_normalizer(struct key_reader *rd, void *target)
{
    struct spec_table *tab = target;
    struct words wds = words_of(rd->value);
    struct word wd;
    const bool off = (words_next(&wds, &wd), word_is(wd, "off"));

    if (!off && !word_is(wd, "on") && !word_is(wd, "split") && !word_is(wd, "merge"))
        return reader_error(rd, wd.at, "write %s", rd->key->form);
    tab->normalizer = !off;
    tab->normalizer_no_split = word_is(wd, "merge");
    tab->normalizer_no_merge = word_is(wd, "split");
    tab->normalizer_target_bytes = tab->normalizer_target_regions = 0;
    if (!words_next(&wds, &wd))
        return true;
    if (off || !word_is(wd, "target"))
        return reader_error(rd, wd.at, "'%.*s' is not expected here", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    return read_normalizer_target(rd, tab, &wds);
}

bool write_normalizer(const void *target, size_t i, struct text *out)
{
    const struct spec_table *tab = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    text_add(out, "%s", !tab->normalizer             ? "off"
                        : tab->normalizer_no_merge ? "split"
                        : tab->normalizer_no_split ? "merge"
                                                   : "on");
    if (tab->normalizer_target_bytes > 0) {
        unit_write_whole(UNIT_BYTES, tab->normalizer_target_bytes, text);
        text_add(out, " target %s", text);
    } else if (tab->normalizer_target_regions > 0) {
        text_add(out, " target %d regions", tab->normalizer_target_regions);
    }
    return true;
}
