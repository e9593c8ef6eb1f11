/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layout line, a newline, a key's bytes. A key that is taken apart builds again to the same bytes. */
#include <string.h>

#include "fuzz.h"

static void try_phoenix(struct saltkey_slice row)
{
    static const char *const keys[] = {"VARCHAR, BIGINT!", "DECIMAL! DESC, VARCHAR", "CHAR(2)!, TIMESTAMP!",
                                       "VARCHAR DESC, DECIMAL, BOOLEAN!, FLOAT!", "DECIMAL(10,2) DESC, UNSIGNED_DOUBLE!",
                                       "VARCHAR(3), UNSIGNED_TIMESTAMP!, DECIMAL"};
    size_t i;

    for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct saltkey_phoenix key;
        struct saltkey_value v[SALTKEY_FIELDS_MAX];
        static uint8_t room[65536], again[65536];
        struct saltkey_buf scratch = {room, sizeof(room), 0}, out = {again, sizeof(again), 0};

        FUZZ_CHECK(saltkey_phoenix_parse(keys[i], 0, &key, NULL) == 0);
        if (saltkey_phoenix_row_parse(&key, row, v, &scratch, NULL) == 0)
            FUZZ_CHECK(saltkey_phoenix_row(&key, v, &out, NULL) == 0 && saltkey_compare((struct saltkey_slice){out.bytes, out.len}, row) == 0);
    }
}

/* Kinds with more than one text for a value, or texts of other encodings, aren't rebuilt. */
static bool rebuilds(const struct saltkey_layout *layout)
{
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++)
        if (layout->fields[i].kind == SALTKEY_RAWTEXT || layout->fields[i].kind == SALTKEY_OB_F64 ||
            layout->fields[i].escaped)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    static uint8_t room[16384], again[65536];
    struct saltkey_buf scratch = {room, sizeof(room), 0}, out = {again, sizeof(again), 0};
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    struct saltkey_slice key;
    struct saltkey_error err;
    char line[512], text[4096];

    if (!end || (size_t)(end - data) >= sizeof(line) || size > 4096)
        return 0;
    memcpy(line, data, (size_t)(end - data));
    line[end - data] = '\0';
    key.bytes = end + 1;
    key.len = size - (size_t)(end - data) - 1;
    try_phoenix(key);
    if (saltkey_layout_parse(line, &layout, NULL) < 0)
        return 0;
    if (saltkey_natural_parse(&layout, key, v, &scratch, &err) < 0) {
        FUZZ_CHECK(err.status == SALTKEY_EKEY && err.column >= 1 && err.column <= key.len + 1);
    } else if (rebuilds(&layout)) {
        FUZZ_CHECK(saltkey_natural(&layout, v, &out, &err) == 0);
        FUZZ_CHECK(out.len == key.len && memcmp(out.bytes, key.bytes, key.len) == 0);
    }
    if (saltkey_salt_parse("text04d loose", 20000, &salt, NULL) == 0 &&
        saltkey_scheme_init(&scheme, &layout, &salt, NULL, NULL) == 0)
        (void)saltkey_explain(&scheme, key, text, sizeof(text), &err);
    return 0;
}
