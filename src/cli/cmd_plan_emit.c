/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd_plan_emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "plan/plan.h"
#include "scenario/suggest.h"

enum cli_exit plan_emit_check(const char *target)
{
    char list[200] = "";
    struct suggest best;

    if (emit_target_by_name(target))
        return CLI_DONE;
    suggest_begin(&best, target);
    for (const struct emit_target *t = emit_targets; t->name; t++) {
        suggest_offer(&best, t->name);
        strncat(list, list[0] ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, t->name, sizeof list - strlen(list) - 1);
    }
    if (best.name)
        cli_error("--emit %s: no such target; did you mean '%s'?", target, best.name);
    else
        cli_error("--emit %s: no such target", target);
    cli_hint("targets are: %s", list);
    return CLI_USAGE;
}

static enum cli_exit emit_one(const struct spec *sp, const struct spec_table *table, const struct emit_target *target)
{
    struct emit em;
    int rc = emit_open(&em, sp, table);

    if (rc == 0) {
        rc = target->write(&em, stdout);
        if (rc != 0)
            cli_error("--emit %s: table %s: %s", target->name, table->name, em.reason);
        emit_close(&em);
    } else {
        cli_error("--emit %s: table %s: %s", target->name, table->name, em.reason);
    }
    return rc == 0 ? CLI_DONE : rc == EMIT_NO_MEMORY ? CLI_INTERNAL : CLI_USAGE;
}

enum cli_exit plan_emit(const struct spec *sp, const struct result_plan *plan, const char *target)
{
    const struct emit_target *t = emit_target_by_name(target);
    enum cli_exit code = CLI_DONE;
    struct spec chosen;
    int rc;

    if (plan->recommended_n < 0) {
        cli_error("nothing to emit: %s", plan->reason ? plan->reason : "no candidate meets the targets");
        return CLI_NEGATIVE;
    }
    rc = plan_recommended_spec(sp, plan, &chosen);
    if (rc != 0) {
        cli_error("internal failure: out of memory");
        return CLI_INTERNAL;
    }
    for (size_t i = 0; i < chosen.tables_len && code == CLI_DONE; i++)
        if (spec_salt_takes_buckets(chosen.tables[i].salt))
            code = emit_one(&chosen, &chosen.tables[i], t);
    spec_free(&chosen);
    if (code == CLI_DONE && fflush(stdout) != 0 && errno != EPIPE) {
        cli_error("standard output: %s", strerror(errno));
        return CLI_FILE;
    }
    return code;
}

enum cli_exit plan_emit_create(const struct spec *sp, struct result_plan *plan)
{
    struct spec chosen;
    char *text = NULL;
    size_t len = 0;
    FILE *to;
    int rc = 0;

    if (plan->recommended_n < 0)
        return CLI_DONE;
    if (plan_recommended_spec(sp, plan, &chosen) != 0)
        return CLI_INTERNAL;
    to = open_memstream(&text, &len);
    for (size_t i = 0; to && i < chosen.tables_len && rc == 0; i++) {
        struct emit em;

        if (!spec_salt_takes_buckets(chosen.tables[i].salt))
            continue;
        rc = emit_open(&em, &chosen, &chosen.tables[i]);
        if (rc == 0) {
            rc = emit_own(&em, to);
            emit_close(&em);
        }
    }
    spec_free(&chosen);
    if (!to || fclose(to) != 0)
        return CLI_INTERNAL;
    if (rc == 0)
        plan->create = text;
    else
        free(text);
    return rc == EMIT_NO_MEMORY ? CLI_INTERNAL : CLI_DONE;
}
