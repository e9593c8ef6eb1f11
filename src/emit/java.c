/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Java class against the HBase 2.x client: creates the table, builds a row's salt. */
#include <inttypes.h>

#include "emit/parts.h"
#include "emit/quote.h"

#define NAME_CAP 512

/* The bucket's expression for the hashes that Java has in its own library; NULL for others. */
static const char *bucket_code(const struct emit *em)
{
    const struct saltkey_salt *s = &em->scheme.salt;
    const bool array = s->hash == SALTKEY_HASH_ARRAYS;

    if (!array && s->hash != SALTKEY_HASH_STRING)
        return NULL;
    switch (s->mod.remainder) {
    case SALTKEY_FLOOR:
        return array ? "Math.floorMod(Arrays.hashCode(over), BUCKETS)"
                     : "Math.floorMod(new String(over, StandardCharsets.UTF_8).hashCode(), BUCKETS)";
    case SALTKEY_ABS:
        return array ? "Math.abs(Arrays.hashCode(over) % BUCKETS)"
                     : "Math.abs(new String(over, StandardCharsets.UTF_8).hashCode() % BUCKETS)";
    case SALTKEY_UNSIGNED:
        return array ? "Integer.remainderUnsigned(Arrays.hashCode(over), BUCKETS)"
                     : "Integer.remainderUnsigned(new String(over, StandardCharsets.UTF_8).hashCode(), BUCKETS)";
    default: /* absFirst has a flaw that new tables shall not inherit */
        return NULL;
    }
}

/* The salt's bytes for a bucket. */
static void write_prefix_code(const struct saltkey_salt *s, FILE *out)
{
    switch (s->prefix) {
    case SALTKEY_PREFIX_HEX:
    case SALTKEY_PREFIX_DEC:
        /* Locale.ROOT: String.format's digits follow the default locale otherwise */
        fprintf(out, "        byte[] salt = String.format(Locale.ROOT, \"%%0%" PRIu32 "%c_\", bucket)"
                     ".getBytes(StandardCharsets.US_ASCII);\n",
                s->width - 1, s->prefix == SALTKEY_PREFIX_HEX ? 'x' : 'd');
        break;
    default:
        fprintf(out, "        byte[] salt = new byte[%" PRIu32 "];\n"
                     "        for (int i = salt.length, b = bucket; i-- > 0; b >>>= 8) {\n"
                     "            salt[i] = (byte) b;\n        }\n",
                s->width);
        break;
    }
}

static void write_salt(const struct emit *em, FILE *out)
{
    const char *code = bucket_code(em);

    if (!emit_salted(em))
        return;
    if (!code) {
        fputs("\n    // The salt's hash isn't in Java's library: take it from your own code and prove it with\n"
              "    // saltplan key vectors.\n",
              out);
        return;
    }
    fprintf(out, "\n    static final int BUCKETS = %" PRIu64 ";\n\n"
                 "    /** The stored row: the salt, then the natural key. The salt is computed over |over|: ",
            em->scheme.salt.buckets);
    fputs(em->table->salt_over && em->scheme.over && em->scheme.layout.n_fields > 1 &&
                  em->scheme.over != (UINT32_C(1) << em->scheme.layout.n_fields) - 1
              ? "the bytes of the\n        salted fields. */\n"
              : "here the\n        whole natural key. */\n",
          out);
    fprintf(out, "    static byte[] salted(byte[] natural, byte[] over) {\n        int bucket = %s;\n", code);
    write_prefix_code(&em->scheme.salt, out);
    fputs("        return Bytes.add(salt, natural);\n    }\n", out);
}

static int write_splits(struct emit *em, FILE *out)
{
    char name[NAME_CAP];
    const char *file = emit_splits_name(em, name, sizeof name);

    if (em->splits.count == 0) {
        fputs("    static byte[][] splits() {\n        return null;\n    }\n", out);
        return 0;
    }
    fprintf(out, "    static byte[][] splits()%s {\n", file ? " throws IOException" : "");
    if (file) {
        fputs("        // a key a line, in HBase's escape notation\n        List<String> lines = Files.readAllLines(Paths.get(", out);
        if (quote_java(file, out) < 0)
            return emit_fail(em, EMIT_INVALID, "the split file's name isn't UTF-8");
        fputs("), StandardCharsets.US_ASCII);\n", out);
    } else {
        fputs("        List<String> lines = Arrays.asList(", out);
        for (size_t i = 0; i < em->splits.count; i++) {
            fputs(i == 0 ? "\n            \"" : i % 8 ? ", \"" : ",\n            \"", out);
            quote_key(em->splits.at[i], true, out);
            fputc('"', out);
        }
        fputs(");\n", out);
    }
    fputs("        byte[][] keys = new byte[lines.size()][];\n"
          "        for (int i = 0; i < keys.length; i++) {\n"
          "            keys[i] = Bytes.toBytesBinary(lines.get(i));\n        }\n        return keys;\n    }\n",
          out);
    return 0;
}

/* What differs from HBase's defaults. */
static void write_family_options(const struct spec_family *f, FILE *out)
{
    if (f->ttl_ns > 0)
        fprintf(out, ".setTimeToLive(%" PRId64 ")", f->ttl_ns / SPEC_NS_PER_S);
    if (f->versions > 1)
        fprintf(out, ".setMaxVersions(%d)", f->versions);
    if (f->encoding != SPEC_ENCODING_NONE)
        fprintf(out, ".setDataBlockEncoding(org.apache.hadoop.hbase.io.encoding.DataBlockEncoding.%s)",
                spec_encoding_name(f->encoding));
    if (f->compression != SPEC_COMPRESSION_NONE)
        fprintf(out, ".setCompressionType(org.apache.hadoop.hbase.io.compress.Compression.Algorithm.%s)",
                spec_compression_name(f->compression));
}

static int write_descriptor(struct emit *em, FILE *out)
{
    const struct spec_table *t = em->table;

    fputs("        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(", out);
    if (quote_java(t->name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "the table's name isn't UTF-8");
    fputs("));\n", out);
    for (size_t i = 0; i < t->families_len; i++) {
        const struct spec_family *f = &t->families[i];

        fputs("        table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(", out);
        if (quote_java(f->name, out) < 0)
            return emit_fail(em, EMIT_INVALID, "a family's name isn't UTF-8");
        fprintf(out, "))\n            .setBloomFilterType(BloomType.%s)", spec_bloom_name(f));
        if (f->blocksize_bytes > 0)
            fprintf(out, ".setBlocksize(%" PRId64 ")", f->blocksize_bytes);
        write_family_options(f, out);
        fputs(".build());\n", out);
    }
    if (t->max_filesize_bytes > 0)
        fprintf(out, "        table.setMaxFileSize(%" PRId64 "L);\n", t->max_filesize_bytes);
    if (t->memstore_flush_size_bytes > 0)
        fprintf(out, "        table.setMemStoreFlushSize(%" PRId64 "L);\n", t->memstore_flush_size_bytes);
    if (t->normalizer)
        fputs("        table.setNormalizationEnabled(true);\n", out);
    else if (emit_salted(em))
        fputs("        table.setNormalizationEnabled(false); // it merges across buckets\n", out);
    if (spec_table_split_policy(em->spec, t) != SPEC_SPLIT_STEPPING)
        fprintf(out, "        table.setRegionSplitPolicyClassName(\"org.apache.hadoop.hbase.regionserver.%s\");\n",
                spec_split_policy_name(spec_table_split_policy(em->spec, t)));
    if (t->split_prefix_bytes > 0)
        fprintf(out, "        table.setValue(\"KeyPrefixRegionSplitPolicy.prefix_length\", \"%d\");\n", t->split_prefix_bytes);
    if (t->split_delimiter.len > 0) {
        fputs("        table.setValue(\"DelimitedKeyPrefixRegionSplitPolicy.delimiter\", \"", out);
        for (size_t i = 0; i < t->split_delimiter.len; i++)
            fprintf(out, "\\u%04X", t->split_delimiter.bytes[i]);
        fputs("\");\n", out);
    }
    return 0;
}

int emit_java(struct emit *em, FILE *out)
{
    int rc;

    emit_about(em, "//", out);
    fputs("import java.io.IOException;\nimport java.nio.charset.StandardCharsets;\nimport java.nio.file.Files;\n"
          "import java.nio.file.Paths;\nimport java.util.Arrays;\nimport java.util.List;\nimport java.util.Locale;\n"
          "import org.apache.hadoop.hbase.HBaseConfiguration;\nimport org.apache.hadoop.hbase.TableName;\n"
          "import org.apache.hadoop.hbase.client.Admin;\n"
          "import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;\n"
          "import org.apache.hadoop.hbase.client.Connection;\nimport org.apache.hadoop.hbase.client.ConnectionFactory;\n"
          "import org.apache.hadoop.hbase.client.TableDescriptorBuilder;\n"
          "import org.apache.hadoop.hbase.regionserver.BloomType;\nimport org.apache.hadoop.hbase.util.Bytes;\n\n"
          "public class CreateTable {\n",
          out);
    rc = write_splits(em, out);
    if (rc < 0)
        return rc;
    write_salt(em, out);
    fputs("\n    public static void main(String[] args) throws IOException {\n", out);
    rc = write_descriptor(em, out);
    if (rc < 0)
        return rc;
    fputs("        try (Connection c = ConnectionFactory.createConnection(HBaseConfiguration.create());\n"
          "             Admin admin = c.getAdmin()) {\n", out);
    fputs(em->splits.count ? "            admin.createTable(table.build(), splits());\n"
                           : "            admin.createTable(table.build());\n", out);
    fputs("        }\n    }\n}\n", out);
    return 0;
}
