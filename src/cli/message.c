/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that the program says on stderr. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"

#define ERRORS_SHOWN 20

void cli_error(const char *fmt, ...)
{
    va_list ap;

    fputs("saltplan: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void cli_hint(const char *fmt, ...)
{
    va_list ap;

    fputs("  hint: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

static void print_diag(const struct scenario_diag *dg)
{
    fputs("saltplan: ", stderr);
    if (dg->file)
        fprintf(stderr, "%s:", dg->file);
    if (dg->file && dg->line > 0)
        fprintf(stderr, "%d:%d:", dg->line, dg->column);
    fprintf(stderr, "%s%s%s\n", dg->file ? " " : "", dg->severity == SCENARIO_WARNING ? "warning: " : "",
            dg->message);
    if (dg->hint)
        cli_hint("%s", dg->hint);
}

void cli_print_diags(const struct scenario_diags *dgs)
{
    size_t shown = 0;

    for (size_t i = 0; i < dgs->len; i++) {
        if (dgs->items[i].severity == SCENARIO_ERROR && shown++ >= ERRORS_SHOWN)
            continue;
        print_diag(&dgs->items[i]);
    }
    if (dgs->errors > ERRORS_SHOWN)
        cli_error("%zu more errors are not shown (%zu in all)", dgs->errors - ERRORS_SHOWN, dgs->errors);
    if (dgs->no_memory)
        cli_error("not enough memory for all messages");
}
