/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scenario/print.h"

#include <string.h>

#include "scenario/key.h"

void print_scenario(const struct scenario *sc, struct text *out)
{
    const char *section = "";

    for (size_t i = 0; i < sc->values_len; i++) {
        if (strcmp(section, sc->values[i].section) != 0)
            text_add(out, "[%s]\n", sc->values[i].section);
        section = sc->values[i].section;
        text_add(out, "%s = %s\n", sc->values[i].key->name, sc->values[i].text);
    }
}
