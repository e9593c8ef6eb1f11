/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table is made with by those who write it: Phoenix's statements where Phoenix salts it, else HBase's. */
#include <string.h>

#include "emit/parts.h"
#include "emit/quote.h"
#include "spec/scheme.h"

bool emit_is_phoenix(const struct emit *em)
{
    return em->table->salt && strncmp(em->table->salt, "phoenix", 7) == 0 && emit_phoenix_fits(em);
}

int emit_own(struct emit *em, FILE *out)
{
    return emit_is_phoenix(em) ? emit_phoenix(em, out) : emit_shell(em, out);
}

int emit_sql_table(const char *table, FILE *out)
{
    const char *colon = strchr(table, ':');

    if (strchr(table, '"'))
        return -1;
    if (colon) /* NS:T is "NS"."T", with namespaces mapped */
        fprintf(out, "\"%.*s\".\"%s\"", (int)(colon - table), table, colon + 1);
    else
        fprintf(out, "\"%s\"", table);
    return 0;
}

void emit_sql_older(const struct emit *em, const char *time_ms, FILE *out)
{
    const int at = spec_time_field(&em->scheme.layout);
    const struct saltkey_field *field = at >= 0 ? &em->scheme.layout.fields[at] : NULL;
    const bool reversed = field && field->kind == SALTKEY_RTS;

    if (!field || (!reversed && field->kind != SALTKEY_BE64 && field->kind != SALTKEY_I64))
        return;
    fputs(" WHERE ", out);
    quote_sql_name(field->name, out);
    fprintf(out, reversed ? " > 9223372036854775807 - %s" : " < %s", time_ms);
}
