/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `saltplan --version` says: a report of a fault needs the libraries too. */
#include <cairo.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <png.h>
#include <stdio.h>
#include <xxhash.h>
#include <zlib.h>

#include "cli/cli.h"
#include "saltkey.h"

void cli_print_version(void)
{
    unsigned xxh = XXH_versionNumber();

    printf("saltplan %s\n", saltkey_version());
    printf("cairo %s, gsl %s, jansson %s, libpng %s, xxhash %u.%u.%u, zlib %s\n", cairo_version_string(), gsl_version,
           jansson_version_str(), png_get_libpng_ver(NULL), xxh / 10000, xxh / 100 % 100, xxh % 100, zlibVersion());
    puts("The rules are those of HBase 2.6 and Phoenix 5.2. GPL-3.0-or-later; libsaltkey is Apache-2.0.");
}
