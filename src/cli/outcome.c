/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/outcome.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chart/chart.h"
#include "cli/first.h"
#include "expect/expect.h"
#include "report/report.h"
#include "result/atomic.h"
#include "result/format.h"
#include "result/json.h"
#include "saltkey.h"
#include "scenario/key.h"

/* The signal that asked to stop; 0: none. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    interrupted = signal;
}

/* A run that is asked to stop (Ctrl-C, a batch system's end of time, a closed terminal) ends early and keeps what it
   has. What was ignored stays so: nohup. */
static void catch_signals(void)
{
    static const int all[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act, was;

    memset(&act, 0, sizeof act);
    act.sa_handler = on_interrupt;
    act.sa_flags = SA_RESETHAND; /* a second one ends the program at once */
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sigaction(all[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
            sigaction(all[i], &act, NULL);
}

enum cli_exit outcome_interrupted(void)
{
    return interrupted == SIGTERM ? CLI_TERMINATED : interrupted == SIGHUP ? CLI_HUNG_UP : CLI_INTERRUPTED;
}

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}

/* Progress: one line on a terminal's stderr, from the second second on, at most five times a second. */
static void progress(void *context, double share)
{
    static struct timespec begun, last;
    struct outcome *out = context;
    struct timespec now;
    double since_begin, since_last;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (begun.tv_sec == 0)
        begun = last = now;
    since_begin = (double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
    since_last = (double)(now.tv_sec - last.tv_sec) + 1e-9 * (double)(now.tv_nsec - last.tv_nsec);
    if (since_begin < 1 || since_last < 0.2 || share <= 0)
        return;
    last = now;
    fprintf(stderr, "\r%s  %3.0f%%  ETA %.0f s ", out->args->command->name, 100 * share,
            ceil(since_begin * (1 - share) / share));
    fflush(stderr);
    out->progress_shown = true;
}

static void erase_progress(struct outcome *out)
{
    if (out->progress_shown)
        fputs("\r\033[K", stderr);
    out->progress_shown = false;
}

static enum cli_exit read_jobs(struct outcome *out)
{
    const char *text = cli_option_text(out->args, "jobs");
    char *end;
    long n;

    out->jobs = 0;
    if (!text)
        return CLI_DONE;
    errno = 0;
    n = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n < 0 || n > 1024) {
        cli_error("--jobs %s: not a number of threads from 0 to 1024", text);
        return CLI_USAGE;
    }
    out->jobs = (unsigned)n;
    return CLI_DONE;
}

/* An output folder that can't be made is told before the run, not after it. */
static enum cli_exit make_folder(const struct cli_args *args)
{
    const char *dir = cli_option_text(args, "output");
    char message[400] = "";

    if (!dir)
        return CLI_DONE;
    if (dir[0] == '\0') {
        cli_error("--output: the folder's name is empty");
        return CLI_USAGE;
    }
    if (atomic_make_folder(dir, message, sizeof message) == 0 && access(dir, W_OK) == 0)
        return CLI_DONE;
    cli_error("--output %s: %s", dir, message[0] ? message : strerror(errno));
    return CLI_FILE;
}

static int take_settings(struct outcome *out)
{
    struct spec_settings set = {NULL, 0};
    struct result *res = &out->result;

    if (scenario_settings(&out->scenario, &set) != 0)
        return -1;
    res->scenario = calloc(set.len + 1, sizeof *res->scenario);
    for (size_t i = 0; res->scenario && i < set.len; i++) {
        res->scenario[i] = (struct result_setting){set.items[i].section, set.items[i].key, set.items[i].text,
                                                   set.items[i].number};
        res->scenario_len++;
    }
    if (!res->scenario) {
        spec_settings_free(&set);
        return -1;
    }
    free(set.items); /* its texts are the result's now */
    return 0;
}

static int describe(struct outcome *out)
{
    const struct spec *sp = &out->scenario.spec;
    struct result *res = &out->result;

    res->version = copy(saltkey_version());
    res->title = copy(sp->title ? sp->title : sp->base_name);
    res->base_name = copy(sp->base_name);
    res->seed = sp->seed;
    return res->version && res->title && res->base_name ? take_settings(out) : -1;
}

enum cli_exit outcome_open(const struct cli_args *args, struct outcome *out)
{
    enum cli_exit code;

    memset(out, 0, sizeof *out);
    out->args = args;
    result_init(&out->result);
    code = read_jobs(out);
    if (code == CLI_DONE)
        code = cli_load_scenario(args, 0, &out->scenario, NULL);
    if (code != CLI_DONE)
        return code;
    out->loaded = true;
    if (describe(out) != 0) {
        cli_error("out of memory");
        return CLI_INTERNAL;
    }
    code = make_folder(args);
    if (code != CLI_DONE)
        return code;
    catch_signals();
    out->control.stop = &interrupted;
    if (isatty(STDERR_FILENO) && !cli_option_given(args, "quiet")) {
        out->control.progress = progress;
        out->control.context = out;
    }
    return CLI_DONE;
}

enum cli_exit outcome_introduce(const struct outcome *out)
{
    const struct cli_args *args = out->args;

    if (!cli_first_asked(args) || out->print || cli_option_given(args, "json") || cli_option_given(args, "emit"))
        return CLI_DONE;
    if (cli_first_print(args, stdout) == 0 && putchar('\n') != EOF && fflush(stdout) == 0)
        return CLI_DONE;
    if (errno == EPIPE)
        return CLI_DONE;
    cli_error("standard output: %s", strerror(errno));
    return CLI_FILE;
}

static enum cli_exit write_folder(struct outcome *out)
{
    const char *dir = cli_option_text(out->args, "output");
    char message[400] = "";

    if (!dir)
        return CLI_DONE;
    if (report_write_all(&out->result, dir, message, sizeof message) != 0 ||
        chart_write_all(&out->result, dir, message, sizeof message) != 0) {
        cli_error("%s", message);
        return CLI_FILE;
    }
    if (message[0])
        cli_error("warning: %s", message);
    return CLI_DONE;
}

static enum cli_exit exit_of(const struct outcome *out, int rc)
{
    switch (rc) {
    case SIM_BAD_SPEC:
        cli_error("%s: %s", cli_scenario_name(out->args, 0), out->end.message);
        return CLI_USAGE;
    case SIM_BAD_FILE:
        cli_error("%s", out->end.message);
        return CLI_FILE;
    default:
        cli_error("internal failure: %s", out->end.message[0] ? out->end.message : "out of memory");
        return CLI_INTERNAL;
    }
}

/* Where a key of [expect NAME] stands, else its metric. */
static struct scenario_place place_of(const struct scenario *sc, const char *name, const char *key)
{
    struct scenario_place at = {NULL, 0, 0};
    char section[80];

    snprintf(section, sizeof section, "expect %.60s", name);
    for (size_t i = 0; i < sc->values_len; i++) {
        const struct scenario_value *value = &sc->values[i];

        if (strcmp(value->section, section) != 0 || !value->place.file)
            continue;
        if (strcmp(value->key->name, key) == 0)
            return value->place;
        if (strcmp(value->key->name, "metric") == 0)
            at = value->place;
    }
    return at;
}

/* An expectation that was judged on a plan's shortened run says so. 0, or -1 without memory. */
static int say_shortened(const struct spec *sp, const struct result *res, struct result_expectation *exp)
{
    const double run_s = res->run.duration_s, all_s = (double)sp->duration_ns / 1e9;
    char run[FORMAT_CAP], all[FORMAT_CAP], *text;
    size_t len;

    if (!res->plan.present || !(run_s < all_s) || !exp->text)
        return 0;
    len = strlen(exp->text) + 2 * FORMAT_CAP + 40;
    text = realloc(exp->text, len);
    if (!text)
        return -1;
    exp->text = text;
    snprintf(text + strlen(text), len - strlen(text), " (of a run of %s, not of all %s)", format_time(run_s, run),
             format_time(all_s, all));
    return 0;
}

/* CLI_DONE; CLI_NEGATIVE where an expectation fails, CLI_USAGE where one can't be judged. */
static enum cli_exit judge(struct outcome *out)
{
    const struct scenario *sc = &out->scenario;
    const struct spec *sp = &sc->spec;
    struct scenario_diags dgs = {0};
    struct result *res = &out->result;
    enum cli_exit code = CLI_DONE;

    if (res->partial || sp->expects_len == 0)
        return CLI_DONE; /* the run's end is missing: there is no verdict */
    if (res->plan.present && res->run.windows_len == 0)
        return CLI_DONE; /* a shard of a plan keeps no run */
    res->expectations = calloc(sp->expects_len, sizeof *res->expectations);
    for (size_t i = 0; res->expectations && i < sp->expects_len && code != CLI_INTERNAL; i++) {
        struct expect_problem why;
        const int rc = expect_judge(&sp->expects[i], &res->run, &res->expectations[res->expectations_len], &why);

        if (rc == EXPECT_JUDGED) {
            struct result_expectation *exp = &res->expectations[res->expectations_len++];

            if (!expect_is_good(exp) && code == CLI_DONE)
                code = CLI_NEGATIVE;
            if (say_shortened(sp, res, exp) != 0)
                code = CLI_INTERNAL;
        } else if (rc == EXPECT_UNJUDGED) {
            diags_error(&dgs, place_of(sc, sp->expects[i].name, why.key), "expectation '%s': %s",
                        sp->expects[i].name, why.message);
            code = CLI_USAGE;
        } else {
            code = CLI_INTERNAL;
        }
    }
    if (!res->expectations)
        code = CLI_INTERNAL;
    if (code == CLI_INTERNAL)
        cli_error("out of memory");
    cli_print_diags(&dgs);
    diags_free(&dgs);
    return code;
}

/* The report says it too; with --json nobody would. */
static void say_failures(const struct result *res)
{
    for (size_t i = 0; i < res->expectations_len; i++) {
        if (!expect_is_good(&res->expectations[i]))
            cli_error("expectation '%s': %s", res->expectations[i].name, res->expectations[i].text);
    }
}

enum cli_exit outcome_write(struct outcome *out, int rc)
{
    enum cli_exit code, judged;
    int failed;

    erase_progress(out);
    if (rc != 0)
        return exit_of(out, rc);
    judged = judge(out);
    if (judged == CLI_INTERNAL)
        return judged;
    if (cli_option_given(out->args, "json"))
        say_failures(&out->result);
    failed = (out->print ? out->print : cli_option_given(out->args, "json") ? result_write_json : report_write_text)(
        &out->result, stdout);
    if (failed != 0 || fflush(stdout) != 0) {
        if (errno == EPIPE)
            return judged;
        cli_error("standard output: %s", strerror(errno));
        return CLI_FILE;
    }
    code = write_folder(out);
    if (code == CLI_DONE && out->result.partial) {
        cli_error("interrupted: the result is partial and says so");
        return outcome_interrupted();
    }
    return code == CLI_DONE ? judged : code;
}

void outcome_close(struct outcome *out)
{
    result_free(&out->result);
    if (out->loaded)
        scenario_free(&out->scenario);
}
