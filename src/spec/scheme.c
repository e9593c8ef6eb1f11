/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/scheme.h"

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
