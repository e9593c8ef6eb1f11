/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts: a layout line, a salt line, a split line, a Phoenix key, parted by newlines. What is accepted
   must hold together. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void try_layout(const char *text, const char *over)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    struct saltkey_error err;
    uint32_t i, offset = 0;

    if (saltkey_layout_parse(text, &layout, &err) < 0) {
        FUZZ_CHECK(err.column >= 1 && err.column <= strlen(text) + 1);
        return;
    }
    FUZZ_CHECK(layout.n_fields >= 1 && layout.n_fields <= SALTKEY_FIELDS_MAX);
    for (i = 0; i < layout.n_fields; i++) {
        const struct saltkey_field *f = &layout.fields[i];

        FUZZ_CHECK(saltkey_layout_find(&layout, f->name) == (int)i);
        FUZZ_CHECK(!f->fixed_offset || f->offset == offset);
        offset += f->width + f->marked;
    }
    FUZZ_CHECK(layout.width == 0 || layout.width == offset);
    if (saltkey_salt_parse("phoenix", 16, &salt, NULL) == 0 &&
        saltkey_scheme_init(&scheme, &layout, &salt, over, &err) == 0)
        FUZZ_CHECK(scheme.over != 0);
}

static void try_salt(const char *text, const char *split)
{
    struct saltkey_salt salt;
    struct saltkey_error err;
    struct saltkey_keys keys;
    uint8_t bytes[64];
    struct saltkey_buf out = {bytes, sizeof(bytes), 0};
    size_t i;

    if (saltkey_salt_parse(text, 16, &salt, &err) < 0)
        return;
    FUZZ_CHECK(salt.buckets >= 1 && saltkey_salt_prefix(&salt, salt.buckets - 1, &out) == 0);
    FUZZ_CHECK(out.len >= salt.width);
    if (strpbrk(split, "0123456789") && strlen(strpbrk(split, "0123456789")) > 4)
        return; /* millions of points only take time */
    saltkey_keys_init(&keys, NULL);
    if (saltkey_split_parse(split, &salt, &keys, &err) == 0)
        for (i = 1; i < keys.count; i++)
            FUZZ_CHECK(saltkey_compare(keys.at[i - 1], keys.at[i]) < 0);
    saltkey_keys_free(&keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct saltkey_phoenix key;
    char *text = malloc(size + 5), *line[4];
    size_t i;

    if (!text)
        return 0;
    memcpy(text, data, size);
    memset(text + size, 0, 5);
    for (i = 0; i < 4; i++) {
        line[i] = i ? line[i - 1] + strlen(line[i - 1]) + (line[i - 1] + strlen(line[i - 1]) < text + size) : text;
        line[i][strcspn(line[i], "\n")] = '\0';
    }
    try_layout(line[0], line[3]);
    try_salt(line[1], line[2]);
    (void)saltkey_phoenix_parse(line[3], 16, &key, NULL);
    free(text);
    return 0;
}
