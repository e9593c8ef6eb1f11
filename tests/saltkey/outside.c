/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program outside the tree, built with pkg-config only, as C and as C++: writes keys, reads back. */
#include <saltkey.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    struct saltkey_value v[2], back[2];
    uint8_t bytes[64], room[64];
    struct saltkey_buf row = {bytes, sizeof(bytes), 0}, scratch = {room, sizeof(room), 0};
    struct saltkey_slice natural;
    uint64_t stored = 0, again = 1;

    v[0] = saltkey_uint(1700000000000);
    v[1] = saltkey_text("dev-000000000007");
    if (saltkey_layout_parse("ts:be64 device:fixed(16)", &layout, NULL) < 0 ||
        saltkey_salt_parse("arrays-hash floorMod", 16, &salt, NULL) < 0 ||
        saltkey_scheme_init(&scheme, &layout, &salt, NULL, NULL) < 0 ||
        saltkey_salted(&scheme, v, &row, NULL) < 0 || row.len != 25)
        return 1;
    natural.bytes = row.bytes + 1;
    natural.len = row.len - 1;
    if (saltkey_natural_parse(&layout, natural, back, &scratch, NULL) < 0 ||
        back[0].number != v[0].number || back[1].bytes.len != 16 ||
        memcmp(back[1].bytes.bytes, "dev-000000000007", 16) != 0)
        return 2;
    natural.bytes = row.bytes;
    natural.len = row.len;
    if (saltkey_row_bucket(&scheme, natural, &stored) < 0)
        return 3;
    natural.bytes = row.bytes + 1;
    natural.len = row.len - 1;
    if (saltkey_bucket(&scheme, natural, &again) < 0 || stored != again)
        return 4;
    printf("%s: bucket %u\n", saltkey_version(), (unsigned)stored);
    return 0;
}
