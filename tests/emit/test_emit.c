/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is typed elsewhere: quotes that nothing breaks out of, split files that read back, statements
   with the right parts. The readers here are written from the languages' rules, not from the room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emit/emit.h"
#include "emit/quote.h"

/* A table like the design review's; |sp| and |t| are the caller's. */
static void make_table(struct spec *sp, struct spec_table *t, struct spec_family *f)
{
    static char name[] = "telemetry", family[] = "d", key[] = "ts:be64 device:fixed(16)", salt[] = "arrays-hash floorMod",
                over[] = "key", qualifier[] = "v";
    static struct spec_column column = {qualifier, 100};

    spec_init(sp);
    sp->cluster.servers = 12;
    memset(t, 0, sizeof *t);
    memset(f, 0, sizeof *f);
    f->name = family;
    f->bloom_row = true;
    f->columns = &column;
    f->columns_len = 1;
    t->name = name;
    t->key = key;
    t->salt = salt;
    t->salt_over = over;
    t->buckets = 16;
    t->splits = SPEC_SPLITS_BUCKETS;
    t->splits_regions = 1;
    t->families = f;
    t->families_len = 1;
}

static char *text_of(struct emit *em, int (*write)(struct emit *em, FILE *out), int *rc)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    assert_non_null(out);
    *rc = write(em, out);
    fclose(out);
    return text;
}

/* ---- readers of the languages' literals: the end of the literal at |s|, its value in |value| ---- */

static const char *read_sh(const char *s, char *value)
{
    while (*s == '\'' || *s == '\\') {
        if (*s == '\\') {
            *value++ = s[1];
            s += 2;
            continue;
        }
        for (s++; *s && *s != '\'';)
            *value++ = *s++;
        if (*s++ != '\'')
            return NULL;
    }
    *value = '\0';
    return s;
}

static char *put_utf8(char *to, unsigned long c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 63));
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

/* Single quotes: \\ and \' only. Double quotes: \u{}, backslash and a character; a bare # is a hole. */
static const char *read_ruby(const char *s, char *value)
{
    char quote = *s++;

    while (*s && *s != quote) {
        if (quote == '\'') {
            s += *s == '\\' && (s[1] == '\\' || s[1] == '\'');
            *value++ = *s++;
            continue;
        }
        if (*s == '#' || (unsigned char)*s < 0x20)
            return NULL;
        if (*s == '\\' && s[1] == 'u') {
            char *end;
            unsigned long c = strtoul(s + 3, &end, 16);

            if (s[2] != '{' || *end != '}')
                return NULL;
            value = put_utf8(value, c);
            s = end + 1;
            continue;
        }
        s += *s == '\\';
        *value++ = *s++;
    }
    *value = '\0';
    return *s == quote ? s + 1 : NULL;
}

/* \uXXXX is read first in Java, everywhere; then the literal's escapes. */
static const char *read_java(const char *s, char *value)
{
    if (*s++ != '"')
        return NULL;
    while (*s && *s != '"') {
        unsigned long c = (unsigned char)*s;

        if (c < 0x20 || c > 0x7e)
            return NULL;
        if (*s != '\\') {
            *value++ = *s++;
        } else if (s[1] == 'u') {
            char four[5] = "";

            memcpy(four, s + 2, 4);
            c = strtoul(four, NULL, 16);
            s += 6;
            if (c >= 0xd800 && c < 0xdc00) {
                memcpy(four, s + 2, 4);
                c = 0x10000 + ((c - 0xd800) << 10) + (strtoul(four, NULL, 16) - 0xdc00);
                s += 6;
            }
            if (c < 0x80)
                return NULL; /* would have been a character of the source */
            value = put_utf8(value, c);
        } else if (s[1] >= '0' && s[1] <= '3') {
            char three[4] = "";

            memcpy(three, s + 1, 3);
            *value++ = (char)strtoul(three, NULL, 8);
            s += 4;
        } else {
            *value++ = s[1];
            s += 2;
        }
    }
    *value = '\0';
    return *s == '"' ? s + 1 : NULL;
}

static const char *const names[] = {
    "plain", "it's", "say \"hi\"", "back\\slash", "end\\", "\\'", "'; drop_all; '", "#{system 'x'}", "a#b", "new\nline",
    "tab\tcr\r", "gr\xc3\xbc\xc3\x9f", "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x98\x80", "\\u0022", "$(x) `x`", "a\x7f",
    "*/ -- //", "", " lead", "\xc3\xa9'\"\\#{",
};

static void names_stay_inside_their_quotes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = NULL, value[200];
        size_t len = 0;
        const char *end;
        FILE *out;

        for (int language = 0; language < 3; language++) {
            out = open_memstream(&text, &len);
            if (language == 0)
                quote_sh(names[i], out);
            else
                assert_int_equal((language == 1 ? quote_ruby : quote_java)(names[i], out), 0);
            fclose(out);
            end = (language == 0 ? read_sh : language == 1 ? read_ruby : read_java)(text, value);
            assert_non_null(end);
            assert_string_equal(end, "");
            assert_string_equal(value, names[i]);
            free(text);
        }
    }
}

static void what_is_no_utf8_is_refused(void **state)
{
    static const char *const bad[] = {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = NULL;
        size_t len = 0;
        FILE *out = open_memstream(&text, &len);

        assert_int_equal(quote_ruby(bad[i], out), -1);
        assert_int_equal(quote_java(bad[i], out), -1);
        assert_int_equal(quote_property(bad[i], out), -1);
        fclose(out);
        assert_int_equal(len, 0);
        free(text);
    }
}

static void sql_names_cannot_hold_a_quote(void **state)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    (void)state;
    assert_int_equal(quote_sql_name("a\"b", out), -1);
    assert_int_equal(quote_sql_name("", out), -1);
    assert_int_equal(quote_sql_name("a'b", out), 0);
    fclose(out);
    assert_string_equal(text, "\"a'b\"");
    free(text);
}

static void a_comment_stays_a_line(void **state)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    (void)state;
    quote_comment("a\nb\\u000ac\xc3\xa9", out);
    fclose(out);
    assert_string_equal(text, "a\\x0Ab\\x5Cu000ac\\xC3\\xA9");
    free(text);
}

/* A key with every byte value, and each byte alone: inside quotes, then through HBase's own rule. */
static void keys_stay_inside_and_read_back(void **state)
{
    uint8_t all[256], back[256];

    (void)state;
    for (int i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    for (int java = 0; java < 2; java++) {
        struct saltkey_buf bytes = {back, sizeof back, 0};
        char *text = NULL, plain[2000], *to = plain;
        size_t len = 0;
        FILE *out = open_memstream(&text, &len);

        quote_key((struct saltkey_slice){all, 256}, java, out);
        fclose(out);
        assert_null(strpbrk(text, "'\"`\n"));
        for (const char *p = text; *p; p++) {
            p += java && *p == '\\';
            *to++ = *p;
        }
        *to = '\0';
        assert_int_equal(saltkey_to_bytes_binary((struct saltkey_slice){(uint8_t *)plain, strlen(plain)}, &bytes, NULL), 0);
        assert_int_equal(bytes.len, 256);
        assert_memory_equal(back, all, 256);
        free(text);
    }
}

static void split_files_read_back(void **state)
{
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct spec_bytes keys[512];
    uint8_t bytes[512][3];
    struct saltkey_keys back;
    struct emit em;
    char *text;
    int rc;

    (void)state;
    make_table(&sp, &t, &f);
    /* each byte value alone and between two letters; also blanks at the end */
    for (size_t i = 0; i < 256; i++) {
        bytes[2 * i][0] = (uint8_t)i;
        keys[2 * i] = (struct spec_bytes){bytes[2 * i], 1};
        memcpy(bytes[2 * i + 1], (uint8_t[]){(uint8_t)i, 'x', (uint8_t)(255 - i)}, 3);
        keys[2 * i + 1] = (struct spec_bytes){bytes[2 * i + 1], 3};
    }
    t.splits = SPEC_SPLITS_KEYS;
    t.split_keys = keys;
    t.split_keys_len = 512;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_splits_file, &rc);
    assert_int_equal(rc, 0);
    saltkey_keys_init(&back, NULL);
    for (int strict = 0; strict < 2; strict++) {
        assert_int_equal(saltkey_split_file((struct saltkey_slice){(uint8_t *)text, strlen(text)}, strict, &back, NULL), 0);
        assert_int_equal(back.count, 512);
        for (size_t i = 0; i < 512; i++)
            assert_int_equal(saltkey_compare(back.at[i], em.splits.at[i]), 0);
    }
    saltkey_keys_free(&back);
    free(text);
    emit_close(&em);
}

/* The keys between SPLITS => [ and ], read as Ruby and HBase would, are the table's. */
static void inline_splits_are_the_tables(void **state)
{
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct emit em;
    char *text, value[40];
    const char *at;
    size_t n = 0;
    int rc;

    (void)state;
    make_table(&sp, &t, &f);
    t.buckets = 65;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_shell, &rc);
    assert_int_equal(rc, 0);
    at = strstr(text, "SPLITS => [");
    assert_non_null(at);
    while ((at = strchr(at, '\''))) {
        uint8_t byte[8];
        struct saltkey_buf key = {byte, sizeof byte, 0};

        at = read_ruby(at, value);
        assert_non_null(at);
        assert_int_equal(saltkey_to_bytes_binary((struct saltkey_slice){(uint8_t *)value, strlen(value)}, &key, NULL), 0);
        assert_int_equal(key.len, 1);
        assert_int_equal(byte[0], ++n);
    }
    assert_int_equal(n, 64);
    free(text);
    emit_close(&em);
    t.buckets = 66;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_shell, &rc);
    assert_null(strstr(text, "SPLITS => ["));
    assert_non_null(strstr(text, "SPLITS_FILE => 'telemetry-splits.txt'"));
    free(text);
    emit_close(&em);
}

static void names_that_hbase_refuses(void **state)
{
    static char tables[][12] = {"", "a b", "-a", ".a", "a'b", "n:", ":a", "n-s:a", "a\nb", "gr\xc3\xbc"};
    static char families[][8] = {"", ".a", "a:b", "a/b", "a\\b", "a\nb"};
    static char good[] = "ns_1:a.b-c_D", odd[] = "o'k #{1}";
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct emit em;

    (void)state;
    make_table(&sp, &t, &f);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        t.name = tables[i];
        assert_int_equal(emit_open(&em, &sp, &t), EMIT_INVALID);
        assert_true(em.reason[0] != '\0');
    }
    t.name = good;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        f.name = families[i];
        assert_int_equal(emit_open(&em, &sp, &t), EMIT_INVALID);
    }
    f.name = odd;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    emit_close(&em);
    t.buckets = 257;
    assert_int_equal(emit_open(&em, &sp, &t), EMIT_INVALID);
}

/* What `create` says of family and table, Phoenix's statement says too: it has defaults of its own. */
static void phoenix_says_what_the_scenario_states(void **state)
{
    static char phoenix[] = "phoenix", other_name[] = "e";
    struct spec sp;
    struct spec_table t;
    struct spec_family f[2];
    struct emit em;
    char *text;
    int rc;

    (void)state;
    make_table(&sp, &t, &f[0]);
    t.salt = phoenix;
    f[0].ttl_ns = 86400 * SPEC_NS_PER_S;
    f[0].versions = 3;
    f[0].compression = SPEC_COMPRESSION_GZ;
    f[0].blocksize_bytes = 131072;
    t.max_filesize_bytes = 1 << 30;
    t.memstore_flush_size_bytes = 1 << 26;
    t.own_split_policy = true;
    t.split_policy = SPEC_SPLIT_DISABLED;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    assert_true(emit_is_phoenix(&em));
    text = text_of(&em, emit_phoenix, &rc);
    assert_non_null(strstr(text, "\"d\".DATA_BLOCK_ENCODING = 'NONE',\n"));
    assert_non_null(strstr(text, "\"d\".BLOOMFILTER = 'ROW',\n"));
    assert_non_null(strstr(text, "\"d\".BLOCKSIZE = 131072,\n"));
    assert_non_null(strstr(text, "\"d\".VERSIONS = 3,\n"));
    assert_non_null(strstr(text, "\"d\".COMPRESSION = 'GZ',\n"));
    assert_non_null(strstr(text, "\n  TTL = 86400,\n"));
    assert_non_null(strstr(text, "MAX_FILESIZE = 1073741824,\n"));
    assert_non_null(strstr(text, "MEMSTORE_FLUSHSIZE = 67108864,\n"));
    assert_non_null(strstr(text, "NORMALIZATION_ENABLED = false;\n"));
    assert_non_null(strstr(text, "alter 'telemetry', METADATA => {'SPLIT_POLICY' => "
                                 "'org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy'}\n"));
    free(text);
    emit_close(&em);
    f[1] = f[0];
    f[1].name = other_name;
    f[1].ttl_ns = 0;
    t.families = f;
    t.families_len = 2;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_phoenix, &rc);
    assert_null(strstr(text, "\n  TTL"));
    assert_non_null(strstr(text, "alter 'telemetry', {NAME => 'd', TTL => '86400'}\n"));
    free(text);
    emit_close(&em);
}

/* Phoenix hashes the whole row: a salt over less is not its own, and SQL compares no time in digits. */
static void what_is_phoenix_s_own(void **state)
{
    static char phoenix[] = "phoenix", over[] = "device", digits[] = "ts:dec(13) device:fixed(16)";
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct emit em;

    (void)state;
    make_table(&sp, &t, &f);
    t.salt = phoenix;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    assert_true(emit_is_phoenix(&em));
    assert_true(emit_sql_tells_older(&em));
    emit_close(&em);
    t.salt_over = over;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    assert_false(emit_is_phoenix(&em));
    emit_close(&em);
    t.salt_over = NULL;
    t.key = digits;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    assert_true(emit_is_phoenix(&em));
    assert_false(emit_sql_tells_older(&em));
    emit_close(&em);
}

static void phoenix_says_what_it_cannot(void **state)
{
    static char phoenix[] = "phoenix", ordered[] = "a:ob-i64", marked[] = "a:text+_ b:be64";
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct emit em;
    char *text;
    int rc;

    (void)state;
    make_table(&sp, &t, &f);
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_phoenix, &rc);
    assert_non_null(strstr(text, "-- WARNING: Phoenix computes a salt of its own"));
    free(text);
    emit_close(&em);
    t.salt = phoenix;
    t.splits_regions = 2;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_phoenix, &rc);
    assert_null(strstr(text, "WARNING"));
    assert_non_null(strstr(text, "SALT_BUCKETS = 16,"));
    assert_null(strstr(text, "SPLIT ON ("));
    assert_non_null(strstr(text, "split 'telemetry', '\\x00\\x80'"));
    free(text);
    emit_close(&em);
    t.key = ordered;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_phoenix, &rc);
    assert_int_equal(rc, EMIT_UNFIT);
    assert_string_equal(text, "");
    free(text);
    emit_close(&em);
    t.key = marked;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    free(text_of(&em, emit_phoenix, &rc));
    assert_int_equal(rc, EMIT_UNFIT);
    emit_close(&em);
}

static void moves_take_names_of_the_right_form(void **state)
{
    static const struct emit_move good = {"0123456789abcdef0123456789abcdef", "rs1.example.org,16020,1700000000000"};
    static const struct emit_move bad[] = {{"0123", "rs1,16020,17"},
                                           {"0123456789abcdef0123456789abcdeg", "rs1,16020,17"},
                                           {"0123456789abcdef0123456789abcdef", "rs1,16020"},
                                           {"0123456789abcdef0123456789abcdef", "rs1',16020,17"},
                                           {"0123456789abcdef0123456789abcdef", "rs1\n,16020,17"},
                                           {"0123456789abcdef0123456789abcdef", "rs1,16020,17; x"},
                                           {"0123456789abcdef0123456789abcdef", ""}};
    struct emit em = {0};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct emit_move both[2] = {good, bad[i]};

        assert_int_equal(emit_moves(&em, both, 2, out), EMIT_INVALID);
    }
    fflush(out);
    assert_int_equal(len, 0);
    assert_int_equal(emit_moves(&em, &good, 1, out), 0);
    fclose(out);
    assert_string_equal(text, "move '0123456789abcdef0123456789abcdef', 'rs1.example.org,16020,1700000000000'\n");
    free(text);
}

/* The figures of the load tests follow from the scenario's. */
static void load_tests_carry_the_scenarios_numbers(void **state)
{
    static char table[] = "telemetry", stream[] = "sensors", query[] = "latest";
    static char *tables[] = {table};
    struct spec_stream st = {.name = stream, .tables = tables, .tables_len = 1, .rate_per_s = 40000, .clients = 8};
    struct spec_query q = {.name = query, .table = table, .kind = SPEC_QUERY_NEWEST, .newest = 100, .rate_per_s = 10000};
    struct spec sp;
    struct spec_table t;
    struct spec_family f;
    struct emit em;
    char *text;
    int rc;

    (void)state;
    make_table(&sp, &t, &f);
    sp.streams = &st;
    sp.streams_len = 1;
    sp.queries = &q;
    sp.queries_len = 1;
    assert_int_equal(emit_open(&em, &sp, &t), 0);
    text = text_of(&em, emit_pe, &rc);
    assert_non_null(strstr(text, "--presplit=16 --rows=3000000 --columns=1 --valueSize=100 randomWrite 8\n"));
    free(text);
    text = text_of(&em, emit_ltt, &rc);
    assert_non_null(strstr(text, "-write 1:100:8 -read 100:8 -num_keys 24000000 -num_regions_per_server 2\n"));
    free(text);
    text = text_of(&em, emit_ycsb, &rc);
    assert_non_null(strstr(text, "\nrecordcount=24000000\noperationcount=30000000\n"));
    assert_non_null(strstr(text, "\ninsertproportion=0.800000\nreadproportion=0.000000\nscanproportion=0.200000\n"));
    assert_non_null(strstr(text, "\nmaxscanlength=100\n"));
    free(text);
    emit_close(&em);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_inside_their_quotes),
        cmocka_unit_test(what_is_no_utf8_is_refused),
        cmocka_unit_test(sql_names_cannot_hold_a_quote),
        cmocka_unit_test(a_comment_stays_a_line),
        cmocka_unit_test(keys_stay_inside_and_read_back),
        cmocka_unit_test(split_files_read_back),
        cmocka_unit_test(inline_splits_are_the_tables),
        cmocka_unit_test(names_that_hbase_refuses),
        cmocka_unit_test(phoenix_says_what_the_scenario_states),
        cmocka_unit_test(what_is_phoenix_s_own),
        cmocka_unit_test(phoenix_says_what_it_cannot),
        cmocka_unit_test(moves_take_names_of_the_right_form),
        cmocka_unit_test(load_tests_carry_the_scenarios_numbers),
    };

    return cmocka_run_group_tests_name("emit", tests, NULL, NULL);
}
