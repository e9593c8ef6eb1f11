/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inih reads wrongly or drops, one trap a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/ini.h"

static void read_text(const char *text, size_t len, struct ini_file *ini, struct scenario_diags *dgs)
{
    memset(dgs, 0, sizeof *dgs);
    assert_int_equal(ini_read("a.ini", text, len, ini, dgs), 0);
}

#define LONG_50 "12345678901234567890123456789012345678901234567890"

static void traps_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } rows[] = {
        {"[a]\nx = " LONG_50 LONG_50 LONG_50 LONG_50 "\n", 2, 1, "line of 204 bytes; at most 197 are read"},
        {"[" LONG_50 "]\nx = 1\n", 1, 2, "section name of 50 bytes; at most 49 are read"},
        {"[a] x = 1\ny = 2\n", 1, 5, "text after ']'"},
        {"[a]# c\ny = 2\n", 1, 4, "text after ']'"},
        {"[a\nx = 1\n", 1, 1, "the section's ']' is missing"},
        {"[]\nx = 1\n", 1, 1, "'[]' is not a section: one word, or a word and a name"},
        {"[a b c]\nx = 1\n", 1, 1, "'[a b c]' is not a section: one word, or a word and a name"},
        {"[a ;b]\nx = 1\n", 1, 1, "a section name holds no ';'"},
        {"[a]\nx : 1\n", 2, 3, "expected '=' after the key, not ':'"},
        {"[a]\n10:30 = 1\n", 2, 3, "expected '=' after the key, not ':'"},
        {"[a]\n\tjust words\n", 2, 12, "expected '=' after the key"},
        {"[a]\nx ; = 1\n", 2, 2, "expected '=' after the key"},
        {"[a]\n= 1\n", 2, 1, "no key before '='"},
        {"[a]\nbound <= 1.6\n", 2, 7, "'<=' can't stand for the '=' after the key"},
        {"[a]\nbound >= 1.6\n", 2, 7, "'>=' can't stand for the '=' after the key"},
        {"[a]\nx =;1\n", 2, 4, "a value can't begin with ';'"},
        {"x = 1\n[a]\ny = 2\n", 1, 1, "a key before the first [section]"},
        {"[a]\nx = 1\n[b]\ny = 2\n[a]\nz = 3\n", 5, 1, "section [a] stands already at a.ini:1"},
        {"[a b]\nx = 1\n[a  b]\ny = 2\n", 3, 1, "section [a b] stands already at a.ini:1"},
        {"[a]\nx = \xff\n", 2, 5, "byte 0xff is not UTF-8 text"},
        {"[a]\nx = \xed\xa0\x80\n", 2, 5, "byte 0xed is not UTF-8 text"},
        {"[a]\nx = \x01\n", 2, 5, "control character 0x01"},
        {"[a]\nx = 1\r2\n", 2, 6, "control character 0x0d"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ini_file ini;
        struct scenario_diags dgs;

        read_text(rows[i].text, strlen(rows[i].text), &ini, &dgs);
        assert_int_equal(dgs.len, 1);
        assert_string_equal(dgs.items[0].message, rows[i].message);
        assert_int_equal(dgs.items[0].line, rows[i].line);
        assert_int_equal(dgs.items[0].column, rows[i].column);
        assert_string_equal(dgs.items[0].file, "a.ini");
        ini_free(&ini);
        diags_free(&dgs);
    }
}

static void hint_tells_the_right_form(void **state)
{
    const char *text = "[expect even]\nbound <= 1.6\n";
    struct ini_file ini;
    struct scenario_diags dgs;

    (void)state;
    read_text(text, strlen(text), &ini, &dgs);
    assert_string_equal(dgs.items[0].hint, "write 'bound = <= ...'");
    ini_free(&ini);
    diags_free(&dgs);
}

static void nul_byte_is_refused(void **state)
{
    static const char text[] = "[a]\nx = 1\0 2\ny = 3\n";
    struct ini_file ini;
    struct scenario_diags dgs;

    (void)state;
    read_text(text, sizeof text - 1, &ini, &dgs);
    assert_int_equal(dgs.len, 1);
    assert_string_equal(dgs.items[0].message, "control character 0x00");
    assert_non_null(ini_entry_find(&ini.sections[0], "y", 0));
    ini_free(&ini);
    diags_free(&dgs);
}

struct row {
    const char *section, *key, *value;
    int line, column;
};

static void check_rows(const char *text, const struct row *rows, size_t len)
{
    struct ini_file ini;
    struct scenario_diags dgs;
    size_t n = 0;

    read_text(text, strlen(text), &ini, &dgs);
    assert_int_equal(dgs.len, 0);
    for (size_t i = 0; i < ini.sections_len; i++) {
        for (size_t k = 0; k < ini.sections[i].entries_len; k++, n++) {
            const struct ini_entry *entry = &ini.sections[i].entries[k];

            assert_true(n < len);
            assert_string_equal(ini.sections[i].kind, rows[n].section);
            assert_string_equal(entry->key, rows[n].key);
            assert_string_equal(entry->value, rows[n].value);
            assert_int_equal(entry->value_at.line, rows[n].line);
            assert_int_equal(entry->value_at.column, rows[n].column);
        }
    }
    assert_int_equal(n, len);
    ini_free(&ini);
    diags_free(&dgs);
}

/* Bytes before the text, blanks, comments, line ends, an indented line that inih would take for
   the last key's continuation, a last line without an end. */
static void places_survive_everything(void **state)
{
    static const struct row rows[] = {
        {"a", "x", "1", 2, 5},        {"a", "indented", "2", 3, 15}, {"a", "y", "3", 5, 5},
        {"a", "z", "a;b", 6, 3},      {"a", "u", "# kept", 7, 5},    {"b", "x", "<= 1.6, >= 2", 11, 5},
        {"b", "x", "twice", 12, 5},   {"b", "e", "", 13, 4},         {"b", "t", "two\twords", 14, 5},
        {"b", "last", "a = b", 15, 8},
    };

    (void)state;
    check_rows("\xef\xbb\xbf[a]\nx = 1\n   indented = 2\n\ny = 3 ; a comment\nz=a;b\nu = # kept\n; all ; comment\n"
               "# and this\n[ b ] ; comment\nx = <= 1.6, >= 2\r\nx = twice\ne =\nt = two\twords\t\nlast = a = b",
               rows, sizeof rows / sizeof rows[0]);
}

/* Comments may be longer than the line that inih takes. */
static void long_comment_lines_are_fine(void **state)
{
    static const struct row rows[] = {{"a", "x", "1", 3, 5}};

    (void)state;
    check_rows("[a]\n; " LONG_50 LONG_50 LONG_50 LONG_50 LONG_50 "\nx = 1\n", rows, 1);
}

static void whole_line_of_197_bytes_is_read(void **state)
{
    static const char head[] = "[a]\nx = ";
    char text[300];
    struct ini_file ini;
    struct scenario_diags dgs;

    (void)state;
    memcpy(text, head, sizeof head);
    memset(text + sizeof head - 1, 'v', 193);
    strcpy(text + sizeof head - 1 + 193, "\ny = 2\n");
    read_text(text, strlen(text), &ini, &dgs);
    assert_int_equal(dgs.len, 0);
    assert_int_equal(strlen(ini_entry_find(&ini.sections[0], "x", 0)->value), 193);
    assert_string_equal(ini_entry_find(&ini.sections[0], "y", 0)->value, "2");
    ini_free(&ini);
    diags_free(&dgs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traps_are_refused_with_their_place),
        cmocka_unit_test(hint_tells_the_right_form),
        cmocka_unit_test(nul_byte_is_refused),
        cmocka_unit_test(places_survive_everything),
        cmocka_unit_test(long_comment_lines_are_fine),
        cmocka_unit_test(whole_line_of_197_bytes_is_read),
    };

    return cmocka_run_group_tests_name("ini", tests, NULL, NULL);
}
