/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HBase's escape notation both ways, and a SPLITS_FILE. */
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[4 * 4096 + 1];
    static uint8_t bytes[4 * 4096], strict_bytes[4096];
    struct saltkey_buf out = {bytes, sizeof(bytes), 0}, strict = {strict_bytes, sizeof(strict_bytes), 0};
    struct saltkey_slice in = {data, size};
    struct saltkey_error err;
    struct saltkey_keys keys;
    size_t len, cut;

    if (size > 4096)
        return 0;
    len = saltkey_to_string_binary(in, text, sizeof(text));
    FUZZ_CHECK(len == strlen(text));
    FUZZ_CHECK(saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)text, len}, &out, NULL) == 0);
    FUZZ_CHECK(out.len == size && (size == 0 || memcmp(out.bytes, data, size) == 0));
    cut = saltkey_to_string_binary(in, text, size / 2);
    FUZZ_CHECK(cut == len && (size < 2 || strlen(text) < size / 2 + (size / 2 == 0)));
    out.len = 0;
    if (saltkey_to_bytes_binary_strict(in, &strict, &err) == 0) {
        /* what the strict reader takes, HBase's rule reads the same way */
        FUZZ_CHECK(saltkey_to_bytes_binary(in, &out, NULL) == 0);
        FUZZ_CHECK(out.len == strict.len && (out.len == 0 || memcmp(out.bytes, strict.bytes, out.len) == 0));
    } else {
        FUZZ_CHECK(err.column >= 1 && err.column <= size);
        (void)saltkey_to_bytes_binary(in, &out, NULL);
    }
    saltkey_keys_init(&keys, NULL);
    (void)saltkey_split_file(in, size & 1, &keys, &err);
    saltkey_keys_free(&keys);
    return 0;
}
