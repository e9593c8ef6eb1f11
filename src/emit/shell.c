/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hbase shell: create, SPLITS_FILE, balancer and move; and the RegionSplitter tool. */
#include <inttypes.h>
#include <string.h>

#include "emit/parts.h"
#include "emit/quote.h"

#define NAME_CAP 512

int emit_splits_file(struct emit *em, FILE *out)
{
    if (em->splits.count == 0)
        return emit_fail(em, EMIT_UNFIT, "the table has one region: a SPLITS_FILE without a line is refused by HBase");
    for (size_t i = 0; i < em->splits.count; i++) {
        const struct saltkey_slice key = em->splits.at[i];

        for (size_t k = 0; k < key.len; k++) {
            char byte[5];

            saltkey_to_string_binary((struct saltkey_slice){key.bytes + k, 1}, byte, sizeof byte);
            fputs(byte, out);
        }
        fputc('\n', out);
    }
    return 0;
}

static int write_family(struct emit *em, const struct spec_family *f, FILE *out)
{
    fputs(",\n  {NAME => ", out);
    if (quote_ruby(f->name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "a family's name isn't UTF-8");
    fprintf(out, ", BLOOMFILTER => '%s'", spec_bloom_name(f));
    if (f->blocksize_bytes > 0)
        fprintf(out, ", BLOCKSIZE => '%" PRId64 "'", f->blocksize_bytes);
    if (f->ttl_ns > 0)
        fprintf(out, ", TTL => '%" PRId64 "'", f->ttl_ns / SPEC_NS_PER_S);
    if (f->versions > 1)
        fprintf(out, ", VERSIONS => '%d'", f->versions);
    if (f->encoding != SPEC_ENCODING_NONE)
        fprintf(out, ", DATA_BLOCK_ENCODING => '%s'", spec_encoding_name(f->encoding));
    if (f->compression != SPEC_COMPRESSION_NONE)
        fprintf(out, ", COMPRESSION => '%s'", spec_compression_name(f->compression));
    fputc('}', out);
    return 0;
}

static void write_delimiter(const struct spec_table *t, FILE *out)
{
    fputc('"', out); /* Ruby's escapes are HBase's */
    for (size_t i = 0; i < t->split_delimiter.len; i++)
        fprintf(out, "\\x%02X", t->split_delimiter.bytes[i]);
    fputc('"', out);
}

void emit_split_policy(const struct emit *em, FILE *out)
{
    const struct spec_table *t = em->table;

    fprintf(out, "METADATA => {'SPLIT_POLICY' => 'org.apache.hadoop.hbase.regionserver.%s'",
            spec_split_policy_name(spec_table_split_policy(em->spec, t)));
    if (t->split_prefix_bytes > 0)
        fprintf(out, ", 'KeyPrefixRegionSplitPolicy.prefix_length' => '%d'", t->split_prefix_bytes);
    if (t->split_delimiter.len > 0) {
        fputs(", 'DelimitedKeyPrefixRegionSplitPolicy.delimiter' => ", out);
        write_delimiter(t, out);
    }
    fputc('}', out);
}

/* Attributes of the table itself, in the braces that `create` takes them in. */
static void write_attributes(struct emit *em, FILE *out)
{
    const struct spec_table *t = em->table;
    const char *comma = "";

    if (t->max_filesize_bytes == 0 && t->memstore_flush_size_bytes == 0 && !emit_salted(em) &&
        spec_table_split_policy(em->spec, t) == SPEC_SPLIT_STEPPING && !t->normalizer)
        return;
    fputs(",\n  {", out);
    if (t->max_filesize_bytes > 0) {
        fprintf(out, "MAX_FILESIZE => '%" PRId64 "'", t->max_filesize_bytes);
        comma = ", ";
    }
    if (t->memstore_flush_size_bytes > 0) {
        fprintf(out, "%sMEMSTORE_FLUSHSIZE => '%" PRId64 "'", comma, t->memstore_flush_size_bytes);
        comma = ", ";
    }
    /* the normalizer merges neighbours without regard to bucket borders */
    if (emit_salted(em) || t->normalizer) {
        fprintf(out, "%sNORMALIZATION_ENABLED => '%s'", comma, t->normalizer ? "true" : "false");
        comma = ", ";
    }
    if (spec_table_split_policy(em->spec, t) != SPEC_SPLIT_STEPPING) {
        fputs(comma, out);
        emit_split_policy(em, out);
    }
    fputc('}', out);
}

static int write_splits(struct emit *em, FILE *out)
{
    char name[NAME_CAP];
    const char *file = emit_splits_name(em, name, sizeof name);

    if (em->splits.count == 0)
        return 0;
    if (file) {
        fputs(",\n  SPLITS_FILE => ", out);
        return quote_ruby(file, out) < 0 ? emit_fail(em, EMIT_INVALID, "the split file's name isn't UTF-8") : 0;
    }
    fputs(",\n  SPLITS => [", out);
    for (size_t i = 0; i < em->splits.count; i++) {
        fputs(i == 0 ? "'" : i % 8 ? ", '" : ",\n             '", out);
        quote_key(em->splits.at[i], false, out);
        fputc('\'', out);
    }
    fputc(']', out);
    return 0;
}

int emit_shell(struct emit *em, FILE *out)
{
    int rc = 0;

    emit_about(em, "#", out);
    fputs("create ", out);
    quote_ruby(em->table->name, out);
    for (size_t i = 0; i < em->table->families_len && rc == 0; i++)
        rc = write_family(em, &em->table->families[i], out);
    if (rc < 0)
        return rc;
    write_attributes(em, out);
    rc = write_splits(em, out);
    fputc('\n', out);
    return rc;
}

int emit_region_splitter(struct emit *em, FILE *out)
{
    const char *algorithm = NULL;

    if (em->table->splits == SPEC_SPLITS_HEX)
        algorithm = "HexStringSplit";
    else if (em->table->splits == SPEC_SPLITS_DECIMAL)
        algorithm = "DecimalStringSplit";
    else if (em->table->splits == SPEC_SPLITS_UNIFORM)
        algorithm = "UniformSplit";
    if (!algorithm || em->splits.count == 0)
        return emit_fail(em, EMIT_UNFIT, "no algorithm of RegionSplitter makes these splits; a SPLITS_FILE does");
    for (size_t i = 0; i < em->table->families_len; i++) {
        if (strchr(em->table->families[i].name, ','))
            return emit_fail(em, EMIT_UNFIT, "RegionSplitter parts families by commas");
    }
    emit_about(em, "#", out);
    fprintf(out, "hbase org.apache.hadoop.hbase.util.RegionSplitter -c %zu -f ", emit_regions(em));
    for (size_t i = 0; i < em->table->families_len; i++) {
        fputs(i ? "," : "", out);
        quote_sh(em->table->families[i].name, out);
    }
    fputc(' ', out);
    quote_sh(em->table->name, out);
    fprintf(out, " %s\n", algorithm);
    return 0;
}

int emit_balancer(struct emit *em, FILE *out)
{
    fputs("# Which server holds which region, and its requests\nlist_regions ", out);
    quote_ruby(em->table->name, out);
    fputs("\n# A run of the balancer: false means that it was off, or that regions are in transition\n"
          "balance_switch true\nbalancer_enabled\nbalancer\n"
          "# Where it leaves hot tails on one server, move them by hand (names from list_regions):\n"
          "# move 'ENCODED_REGION_NAME', 'HOST,PORT,STARTCODE'\n",
          out);
    return 0;
}

static bool encoded_name(const char *s)
{
    return strlen(s) == 32 && strspn(s, "0123456789abcdef") == 32;
}

/* host,port,startcode */
static bool server_name(const char *s)
{
    size_t host = strcspn(s, ",");
    size_t port = s[host] == ',' ? strspn(s + host + 1, "0123456789") : 0;
    const char *code = s + host + 1 + port;

    if (host == 0 || port == 0 || *code != ',' || strchr(s, '\'') || strchr(s, '\\'))
        return false;
    for (size_t i = 0; i < host; i++) {
        if ((unsigned char)s[i] <= 0x20 || (unsigned char)s[i] > 0x7e)
            return false;
    }
    return code[1] != '\0' && strspn(code + 1, "0123456789") == strlen(code + 1);
}

int emit_moves(struct emit *em, const struct emit_move *moves, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        if (!encoded_name(moves[i].encoded_region))
            return emit_fail(em, EMIT_INVALID, "move %zu: an encoded region name is 32 hexadecimal digits", i + 1);
        if (!server_name(moves[i].server))
            return emit_fail(em, EMIT_INVALID, "move %zu: a server's name is HOST,PORT,STARTCODE", i + 1);
    }
    for (size_t i = 0; i < n; i++)
        fprintf(out, "move '%s', '%s'\n", moves[i].encoded_region, moves[i].server);
    return 0;
}
