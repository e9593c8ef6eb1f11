/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/scheme.h"

#include <string.h>

int spec_table_scheme(const struct spec_table *table, struct saltkey_scheme *scheme,
                      struct saltkey_error *err)
{
    const bool hex = table->salt && (strncmp(table->salt, "md5hex", 6) == 0 || strncmp(table->salt, "sha256hex", 9) == 0);
    const bool unsalted = !table->salt || (table->buckets == 0 && !hex);
    const char *over = unsalted || !table->salt_over || strcmp(table->salt_over, "key") == 0
                           ? NULL : table->salt_over;
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    int rc = saltkey_layout_parse(table->key, &layout, err);

    if (rc == 0)
        rc = saltkey_salt_parse(unsalted ? "none" : table->salt, (uint32_t)table->buckets, &salt, err);
    return rc == 0 ? saltkey_scheme_init(scheme, &layout, &salt, over, err) : rc;
}

bool spec_field_is_time(const struct saltkey_field *field)
{
    return field->kind == SALTKEY_RTS || field->kind == SALTKEY_RTS19 || strcmp(field->name, "ts") == 0 ||
           strcmp(field->name, "time") == 0 || strcmp(field->name, "timestamp") == 0;
}

int spec_time_field(const struct saltkey_layout *layout)
{
    for (uint32_t f = 0; f < layout->n_fields; f++)
        if (spec_field_is_time(&layout->fields[f]))
            return (int)f;
    return -1;
}

bool spec_field_counts(const struct saltkey_field *field)
{
    return spec_field_is_time(field) || strcmp(field->name, "seq") == 0;
}

bool spec_field_grows(const struct saltkey_field *field)
{
    return spec_field_counts(field) && field->kind != SALTKEY_REVDEC && field->kind != SALTKEY_REVTEXT &&
           field->kind != SALTKEY_REVLABELS;
}

int spec_query_window(const struct saltkey_scheme *scheme, const struct spec_query *q, int64_t from_ms, int64_t to_ms,
                      struct saltkey_window *w)
{
    const struct saltkey_layout *l = &scheme->layout;
    const bool by_time = q->kind == SPEC_QUERY_RANGE || q->kind == SPEC_QUERY_HISTORY;
    struct saltkey_value equal[SALTKEY_FIELDS_MAX];
    struct saltkey_value from = saltkey_int(from_ms), to = saltkey_int(to_ms);
    struct saltkey_query ask = {equal, 0, by_time ? spec_time_field(l) : -1, by_time ? &from : NULL, by_time ? &to : NULL};

    if (q->field) {
        const int f = saltkey_layout_find(l, q->field);

        if (f < 0)
            return SALTKEY_EFIELD;
        equal[f] = l->fields[f].kind == SALTKEY_FIXED || l->fields[f].kind == SALTKEY_TEXT
                       ? saltkey_text("dev-000000000000") : saltkey_uint(0);
        ask.equal_fields = 1u << f;
    }
    return saltkey_window_query(scheme, &ask, w, NULL);
}

int spec_table_splits(const struct spec_table *table, const struct saltkey_scheme *scheme,
                      struct saltkey_keys *keys, struct saltkey_error *err)
{
    const uint32_t regions = (uint32_t)table->splits_regions;
    int rc = 0;

    switch (table->splits) {
    case SPEC_SPLITS_NONE:
        break;
    case SPEC_SPLITS_BUCKETS:
        if (spec_scheme_hashed_prefix(scheme))
            rc = saltkey_split_hex_prefix(regions, scheme->salt.width - 1, keys, err);
        else if (scheme->salt.hash != SALTKEY_HASH_NONE)
            rc = saltkey_split_buckets(&scheme->salt, regions, keys, err);
        break;
    case SPEC_SPLITS_HEX:
        rc = saltkey_split_hex_string(regions, keys, err);
        break;
    case SPEC_SPLITS_DECIMAL:
        rc = saltkey_split_decimal_string(regions, keys, err);
        break;
    case SPEC_SPLITS_UNIFORM:
        rc = saltkey_split_uniform(regions, keys, err);
        break;
    default:
        for (size_t i = 0; i < table->split_keys_len && rc == 0; i++)
            rc = saltkey_keys_add(keys, (struct saltkey_slice){table->split_keys[i].bytes, table->split_keys[i].len});
        if (rc == 0 && keys->count > 0)
            rc = saltkey_keys_finish(keys, err);
    }
    return rc;
}
