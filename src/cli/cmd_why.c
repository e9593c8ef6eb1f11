/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/result_file.h"
#include "result/format.h"
#include "scenario/suggest.h"
#include "why/why.h"

static const struct cli_option options[] = {
    {0, "kind", "KIND", "list the events of that kind: split, flush, compaction, move, balancer, ..."},
    {0, NULL, NULL, NULL},
};

/* There is none of that kind: in this run, or in any. */
static enum cli_exit none_of(const char *kind)
{
    struct suggest best;

    for (size_t i = 0; why_kind(i); i++)
        if (strcmp(why_kind(i), kind) == 0) {
            printf("no event of kind '%s' in this run\n", kind);
            return CLI_DONE;
        }
    suggest_begin(&best, kind);
    for (size_t i = 0; why_kind(i); i++)
        suggest_offer(&best, why_kind(i));
    if (best.name)
        cli_error("'%s' is no kind of event; did you mean '%s'?", kind, best.name);
    else
        cli_error("'%s' is no kind of event", kind);
    cli_hint("saltplan why RESULT lists all events with their kinds");
    return CLI_USAGE;
}

/* Events in one line each; all kinds with their numbers where |kind| has none. */
static enum cli_exit list(const struct result_run *run, const char *kind)
{
    size_t found = 0;
    char at[FORMAT_CAP];

    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *ev = &run->events[i];

        if (kind && strcmp(ev->kind, kind) != 0)
            continue;
        found++;
        printf("%6d %10s  %-10s %s\n", ev->id, format_time(ev->at_s, at), ev->kind, ev->text ? ev->text : "");
    }
    if (found > 0 || !kind)
        return CLI_DONE;
    return none_of(kind);
}

static enum cli_exit tell(const struct result_run *run, const char *text)
{
    char *end;
    long id;

    errno = 0;
    id = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0') {
        cli_error("'%s' is no event; they are numbers, as in events[] of result.json", text);
        cli_hint("saltplan why RESULT lists them");
        return CLI_USAGE;
    }
    if (id < 0 || (size_t)id >= run->events_len) {
        cli_error("the result has no event %ld; it has %zu, from 0", id, run->events_len);
        return CLI_USAGE;
    }
    why_tell(run, &run->events[id], stdout);
    return CLI_DONE;
}

static enum cli_exit run(const struct cli_args *args)
{
    char folder[RESULT_PATH_MAX];
    struct result res;
    enum cli_exit code = cli_read_result(args->operands[0], &res, folder);

    if (code != CLI_DONE)
        return code;
    if (args->operands_len == 1)
        code = list(&res.run, cli_option_text(args, "kind"));
    for (size_t i = 1; i < args->operands_len && code == CLI_DONE; i++)
        code = tell(&res.run, args->operands[i]);
    result_free(&res);
    return code;
}

const struct cli_command cli_cmd_why = {
    .name = "why",
    .summary = "Tell why something happened in a run: rule, inputs, threshold, and what was rejected",
    .operands = "RESULT [EVENT-ID]...",
    .examples = "  saltplan why out --kind split\n"
                "  saltplan why out/result.json 38\n",
    .details = "RESULT is a result.json, or the folder that holds one. Without an id it lists the events. The decision\n"
               "is asked again from what the result holds; it says whether the answer is the same.\n"
               "Exit status: 0 done, 2 wrong usage, 3 the file can't be read.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = -1,
    .run = run,
};
