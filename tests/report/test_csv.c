/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../chart/make_result.h"
#include "report/report.h"
#include "result/csv.h"

/* A reader of RFC 4180 of the test's own: the next cell, whether a row ended with it. */
static bool next_cell(const char **at, char *cell, size_t cap, bool *row_end)
{
    size_t len = 0;
    if (!**at)
        return false;
    bool quoted = **at == '"';
    *at += quoted;
    while (**at && (quoted || (**at != ',' && **at != '\n'))) {
        if (quoted && **at == '"') {
            if ((*at)[1] != '"')
                break;
            (*at)++;
        }
        assert_true(len + 1 < cap);
        cell[len++] = *(*at)++;
    }
    *at += quoted;
    cell[len] = '\0';
    assert_true(**at == ',' || **at == '\n');
    *row_end = *(*at)++ == '\n';
    return true;
}

static char *table_text(const struct result *res, const struct report_table *table)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    table->write(res, to);
    fclose(to);
    return text;
}

static const struct report_table *table_named(const char *name)
{
    for (const struct report_table *table = report_tables; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    fail_msg("no table %s", name);
    return NULL;
}

/* Every row of every table has the header's number of cells; header cells differ from each other. */
static size_t check_table(const struct result *res, const struct report_table *table)
{
    char *text = table_text(res, table), cell[2000], names[64][64];
    size_t rows = 0, cells = 0, columns = 0;
    bool row_end;
    for (const char *at = text; next_cell(&at, cell, sizeof cell, &row_end);) {
        if (rows == 0) {
            assert_true(cells < 64);
            snprintf(names[cells], sizeof names[0], "%.63s", cell);
            for (size_t i = 0; i < cells; i++)
                assert_string_not_equal(names[i], cell);
        }
        assert_string_not_equal(cell, "nan");
        cells++;
        if (row_end) {
            columns = rows == 0 ? cells : columns;
            assert_int_equal(cells, columns);
            rows++;
            cells = 0;
        }
    }
    assert_int_equal(cells, 0);
    free(text);
    return rows;
}

static void test_tables(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res, empty;
    opt.plan = true;
    make_result(&opt, &res);
    result_init(&empty);
    for (const struct report_table *table = report_tables; table->name; table++) {
        assert_true(check_table(&res, table) > 1);
        assert_int_equal(check_table(&empty, table), 1);
    }
    assert_int_equal(check_table(&res, table_named("servers.csv")), 1 + 3 * 12);
    assert_int_equal(check_table(&res, table_named("timeline.csv")), 1 + 3 * 240);
    assert_int_equal(check_table(&res, table_named("candidates.csv")), 1 + 8);
    result_free(&res);
}

static void test_quoting(void **state)
{
    (void)state;
    static const char *const values[] = {"plain", "a,b", "say \"no\"", "two\nlines", "", " blank", "end ",
                                         "\\x00\\x01", "\"", ",", "caf\xC3\xA9"};
    char *text = NULL, cell[100];
    size_t len, count = sizeof values / sizeof *values;
    FILE *to = open_memstream(&text, &len);
    struct csv csv = {to, false};
    for (size_t i = 0; i < count; i++)
        csv_text(&csv, values[i]);
    csv_number(&csv, 0.25);
    csv_number(&csv, (double)NAN);
    csv_text(&csv, NULL);
    csv_end_row(&csv);
    fclose(to);
    const char *at = text;
    bool row_end;
    for (size_t i = 0; i < count; i++) {
        assert_true(next_cell(&at, cell, sizeof cell, &row_end));
        assert_string_equal(cell, values[i]);
        assert_false(row_end);
    }
    assert_string_equal(at, "0.25,,\n");
    assert_non_null(strstr(text, "\"say \"\"no\"\"\""));
    free(text);
}

/* The rows that each server served, over all windows, are what servers.csv gives it. */
static void test_keyspace_sums(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    char *text = NULL, cell[200];
    size_t len, column = 0, rows = 0;
    make_result(&opt, &res);
    FILE *to = open_memstream(&text, &len);
    result_csv_keyspace(&res, to);
    fclose(to);
    double begin_s = 0, end_s = 0, sum = 0;
    bool row_end, salted = false;
    for (const char *at = text; next_cell(&at, cell, sizeof cell, &row_end); column++) {
        if (column == 0)
            salted = strcmp(cell, "scenario") == 0;
        if (rows > 0 && column == 4)
            begin_s = strtod(cell, NULL);
        if (rows > 0 && column == 5)
            end_s = strtod(cell, NULL);
        if (rows > 0 && salted && column == 6)
            sum += strtod(cell, NULL) * (end_s - begin_s);
        if (row_end) {
            assert_int_equal(column, 8);
            column = (size_t)-1;
            rows++;
        }
    }
    assert_true(fabs(sum - res.run.summary.writes_done) < 1);
    free(text);
    result_free(&res);
}

static void remove_all(const char *dir)
{
    static const char *const names[] = {"report.txt", "result.json"};
    char path[200];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    for (const struct report_table *table = report_tables; table->name; table++) {
        snprintf(path, sizeof path, "%s/%s", dir, table->name);
        unlink(path);
    }
    assert_int_equal(rmdir(dir), 0);
}

static void test_write_all(void **state)
{
    (void)state;
    char base[] = "/tmp/saltplan-report-XXXXXX", dir[100], path[200], message[300] = "";
    struct make_options opt = make_defaults();
    struct result res;
    assert_non_null(mkdtemp(base));
    snprintf(dir, sizeof dir, "%s/new", base);
    make_result(&opt, &res);
    assert_int_equal(report_write_all(&res, dir, message, sizeof message), 0);
    snprintf(path, sizeof path, "%s/candidates.csv", dir);
    assert_int_equal(access(path, F_OK), -1);
    snprintf(path, sizeof path, "%s/regions.csv", dir);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(report_write_all(&res, path, message, sizeof message), -1);
    assert_non_null(strstr(message, "can't be created: Not a directory"));
    remove_all(dir);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 20000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    int rc = report_write_all(&res, dir, message, sizeof message);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, -1);
    assert_non_null(strstr(message, "result.json: can't be written: File too large"));
    snprintf(path, sizeof path, "%s/result.json", dir);
    assert_int_equal(access(path, F_OK), -1);
    remove_all(dir);
    rmdir(base);
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_keyspace_sums),
        cmocka_unit_test(test_write_all),
    };
    return cmocka_run_group_tests_name("report/csv", tests, NULL, NULL);
}
