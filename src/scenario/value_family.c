/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [family]. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scenario/key.h"
#include "spec/spec.h"

#define VALUE_BYTES_MAX 10485760 /* hbase.client.keyvalue.maxsize */
#define TTL_SECONDS_MAX INT32_MAX
#define RATIO_MAX 2

bool read_column(struct key_reader *rd, void *target)
{
    struct spec_family *fam = target;
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds), name = wd, size = wd;
    struct spec_column *all;
    int64_t bytes;

    while (name.len > 0 && name.chars[name.len - 1] != ':')
        name.len--;
    if (name.len < 2 || name.len == wd.len)
        return reader_error(rd, wd.at, "a column is written NAME:BYTES, as v:100");
    if (name.chars[0] == ';')
        return reader_error(rd, wd.at, "a ';' begins a comment");
    size.chars += name.len;
    size.at += name.len;
    size.len -= name.len;
    name.len--;
    if (!reader_whole(rd, UNIT_BYTES, size, &bytes))
        return false;
    if (bytes > VALUE_BYTES_MAX)
        return reader_error(rd, size.at, "a value of more than 10 MiB; HBase's client refuses it");
    for (size_t i = 0; i < fam->columns_len; i++) {
        if (word_is(name, fam->columns[i].qualifier))
            return reader_error(rd, name.at, "the column '%s' stands twice", fam->columns[i].qualifier);
    }
    all = realloc(fam->columns, (fam->columns_len + 1) * sizeof *all);
    if (!all) {
        rd->no_memory = true;
        return false;
    }
    fam->columns = all;
    all[fam->columns_len].qualifier = NULL;
    all[fam->columns_len].value_bytes = bytes;
    if (!reader_copy(rd, name, &all[fam->columns_len].qualifier))
        return false;
    fam->columns_len++;
    return true;
}

bool write_column(const void *target, size_t i, struct text *out)
{
    const struct spec_family *fam = target;

    if (i >= fam->columns_len)
        return false;
    text_add(out, "%s:%" PRId64, fam->columns[i].qualifier, fam->columns[i].value_bytes);
    return true;
}

/* HBase takes these names in any case. */
static bool names(struct word wd, const char *name)
{
    return wd.len == strlen(name) && strncasecmp(wd.chars, name, wd.len) == 0;
}

static bool is_one_of(struct word wd, const char *const *all)
{
    for (; *all; all++)
        if (names(wd, *all))
            return true;
    return false;
}

bool read_bloom(struct key_reader *rd, void *target)
{
    struct spec_family *fam = target;
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    const bool row = names(wd, "row"), rowcol = names(wd, "rowcol");

    if (!row && !rowcol && !names(wd, "none"))
        return reader_error(rd, 0, "unknown bloom filter '%.40s'; write row, rowcol or none", rd->value);
    fam->bloom_row = row;
    fam->bloom_rowcol = rowcol;
    return true;
}

bool write_bloom(const void *target, size_t i, struct text *out)
{
    const struct spec_family *fam = target;

    if (i > 0)
        return false;
    text_add(out, "%s", fam->bloom_row ? "row" : fam->bloom_rowcol ? "rowcol" : "none");
    return true;
}

bool read_ttl(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    int64_t ttl = 0;

    if (names(wd, "forever")) {
        ((struct spec_family *)target)->ttl_ns = 0;
        return true;
    }
    if (!reader_whole(rd, UNIT_DURATION, wd, &ttl))
        return false;
    if (ttl % SPEC_NS_PER_S != 0)
        return reader_error(rd, wd.at, "HBase counts the time to live in whole seconds");
    if (ttl < SPEC_NS_PER_S || ttl / SPEC_NS_PER_S >= TTL_SECONDS_MAX)
        return reader_error(rd, wd.at, "a time to live is 1 s to 2147483646 s, or forever");
    ((struct spec_family *)target)->ttl_ns = ttl;
    return true;
}

bool write_ttl(const void *target, size_t i, struct text *out)
{
    const int64_t ttl = ((const struct spec_family *)target)->ttl_ns;
    char text[UNIT_TEXT_CAP] = "forever";

    if (i > 0)
        return false;
    if (ttl > 0)
        unit_write_whole(UNIT_DURATION, ttl, text);
    text_add(out, "%s", text);
    return true;
}

bool read_encoding(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);

    for (int e = SPEC_ENCODING_NONE; e <= SPEC_ENCODING_ROW_INDEX_V1; e++) {
        if (names(wd, spec_encoding_name((enum spec_encoding)e))) {
            ((struct spec_family *)target)->encoding = (enum spec_encoding)e;
            return true;
        }
    }
    reader_error(rd, wd.at, "unknown data block encoding '%.*s'", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

bool write_encoding(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%s", spec_encoding_name(((const struct spec_family *)target)->encoding));
    return true;
}

static bool read_ratio(struct key_reader *rd, struct spec_family *fam, struct words *wds)
{
    struct word wd = words_rest(wds);
    double ratio = 0;

    if (wd.len == 0)
        return true;
    if (fam->compression == SPEC_COMPRESSION_NONE)
        return reader_error(rd, wd.at, "NONE has no ratio");
    if (!reader_real(rd, UNIT_RATIO, wd, &ratio))
        return false;
    if (!(ratio > 0 && ratio <= RATIO_MAX)) {
        reader_error(rd, wd.at, "a ratio is compressed bytes / bytes before: above 0, at most %d", RATIO_MAX);
        diags_hint(rd->dgs, "a codec that makes a third of it has 0.33");
        return false;
    }
    fam->compression_ratio = ratio;
    return true;
}

/* `ZSTD`, `ZSTD 0.35` */
bool read_compression(struct key_reader *rd, void *target)
{
    static const char *const others[] = {"LZO", "LZMA", "BZIP2", "BROTLI", NULL};
    struct spec_family *fam = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    words_next(&wds, &wd);
    fam->compression_ratio = 0;
    for (int c = SPEC_COMPRESSION_NONE; c <= SPEC_COMPRESSION_ZSTD; c++) {
        if (names(wd, spec_compression_name((enum spec_compression)c))) {
            fam->compression = (enum spec_compression)c;
            return read_ratio(rd, fam, &wds);
        }
    }
    if (is_one_of(wd, others))
        reader_error(rd, wd.at, "%.*s is not yet supported by this version", (int)wd.len, wd.chars);
    else
        reader_error(rd, wd.at, "unknown compression '%.*s'", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

bool write_compression(const void *target, size_t i, struct text *out)
{
    const struct spec_family *fam = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    text_add(out, "%s", spec_compression_name(fam->compression));
    if (fam->compression_ratio > 0) {
        unit_write_real(UNIT_RATIO, fam->compression_ratio, text);
        text_add(out, " %s", text);
    }
    return true;
}
