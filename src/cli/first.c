/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that begin with the time, since these need a salt; everything else is a default or a round figure
   that the printed scenario shows. */
#include "cli/first.h"

#include <stdlib.h>
#include <string.h>

#define SERVERS_MAX 10000
#define BUCKETS_MAX 256L              /* of a salt of one byte */

bool cli_first_asked(const struct cli_args *args)
{
    return args->operands_len == 0;
}

static const char *rate_of(const struct cli_args *args)
{
    const char *rate = cli_option_text(args, "write-rate");

    return rate ? rate : cli_option_text(args, "rate");
}

enum cli_exit cli_first_check(const struct cli_args *args)
{
    if (cli_option_text(args, "servers") && rate_of(args))
        return CLI_DONE;
    cli_error("'%s' needs a scenario: a FILE, preset:NAME, or --servers and --write-rate", args->command->name);
    cli_hint("saltplan %s --servers 12 --write-rate 240k/s --row 1kB", args->command->name);
    return CLI_USAGE;
}

/* The number that --servers gives; a wrong one is refused by the scenario's reader. */
static long servers_of(const struct cli_args *args)
{
    const char *text = cli_option_text(args, "servers");
    long n = text ? strtol(text, NULL, 10) : 0;

    return n >= 1 && n <= SERVERS_MAX ? n : 12;
}

static int by_size(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;

    return (x > y) - (x < y);
}

/* Half the servers to four times as many, by multiples and by powers of two, at most a byte's 256. */
static void print_candidates(FILE *to, long servers)
{
    long list[16] = {1}, power = 1;
    size_t len = 1;

    while (power < servers)
        power *= 2;
    const long wanted[] = {(servers + 1) / 2, servers, 2 * servers, 3 * servers, 4 * servers, power / 2, power, 2 * power};

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (wanted[i] > 1 && wanted[i] <= BUCKETS_MAX)
            list[len++] = wanted[i];
    qsort(list, len, sizeof *list, by_size);
    fputs("candidates = none", to);
    for (size_t i = 0; i < len; i++)
        if (i == 0 || list[i] != list[i - 1])
            fprintf(to, ",%ld", list[i]);
    fputc('\n', to);
}

/* Whether a title can hold it; what else an argument holds is the scenario's reader to judge. */
static bool fits_title(const char *text)
{
    return text[strspn(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./ ")] == '\0' && strlen(text) < 20;
}

static void print_text(const struct cli_args *args, bool filled, FILE *to)
{
    const char *servers = cli_option_text(args, "servers"), *rate = rate_of(args), *row = cli_option_text(args, "row");
    const long n = servers_of(args);

    fputs("[scenario]\n", to);
    if (fits_title(rate) && fits_title(servers) && (!row || fits_title(row)))
        fprintf(to, "title    = %s rows of %s on %s servers, keys by time\n", rate, row ? row : "100B", servers);
    fputs("duration = 1h\n", to);
    fprintf(to, "[cluster]\nservers = %s\n", filled ? servers : "12");
    fputs("[server]\nwrite_capacity = 20k rows/s               ; of about 100 bytes; measure yours\n", to);
    fputs("[table events]\nkey     = ts:be64 source:fixed(16)        ; the time first: one write tail without a salt\n", to);
    fprintf(to, "salt    = arrays-hash floorMod\nbuckets = %ld\nsplits  = buckets\n",
            n <= BUCKETS_MAX ? n : BUCKETS_MAX);
    fprintf(to, "[family events/d]\ncolumn = v:%s\n", filled && row ? row : "100B");
    fprintf(to, "[stream writers]\ntables   = events\nentities = 100k\narrival  = %s constant\n", filled ? rate : "1k/s");
    fputs("[query latest]                            ; the newest hundred rows of all\n"
          "table = events\nkind  = newest 100\nrate  = 10/s\n", to);
    fputs("[plan]\n", to);
    print_candidates(to, n);
    fputs("targets    = hot_server_ratio <= 1.6\n", to);
}

char *cli_first_text(const struct cli_args *args)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return NULL;
    print_text(args, false, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

int cli_first_print(const struct cli_args *args, FILE *to)
{
    fputs("; The scenario that these options stand for. Kept as a file it can be changed further.\n", to);
    print_text(args, true, to);
    return ferror(to) ? -1 : 0;
}
