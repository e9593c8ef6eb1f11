// SPDX-License-Identifier: GPL-3.0-or-later
// Gives saltplan's emitted texts to a real HBase mini-cluster and a real Phoenix, and looks at what came out.
// Arguments: a folder of cases as emit.sh makes them, a folder on the class path for hbase-site.xml.
import java.io.File;
import java.io.FileOutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;

public class EmitReal {
    static Connection connection;
    static Admin admin;
    static HBaseTestingUtility cluster;
    static int failures;

    static void check(boolean good, String what) {
        System.out.println((good ? "ok    " : "FAILED ") + what);
        failures += good ? 0 : 1;
    }

    static List<String> lines(Path file) throws Exception {
        return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.US_ASCII) : List.of();
    }

    static List<String> starts(TableName table) throws Exception {
        List<String> keys = new ArrayList<>();
        for (RegionInfo r : admin.getRegions(table))
            if (r.getStartKey().length > 0)
                keys.add(HexFormat.of().formatHex(r.getStartKey()));
        keys.sort(null);
        return keys;
    }

    static TableName onlyTable() throws Exception {
        List<TableName> all = List.of(admin.listTableNames());
        if (all.size() != 1)
            throw new IllegalStateException("one table was expected, there are " + all);
        return all.get(0);
    }

    static void dropAll() throws Exception {
        for (TableName t : admin.listTableNames()) {
            admin.disableTable(t);
            admin.deleteTable(t);
        }
    }

    // A SPLITS_FILE by the shell's rule (HBase 2.6.1, admin.rb): lines, their end cut, toBytesBinary.
    static void splitsFile(Path dir, List<String> expected) throws Exception {
        List<byte[]> keys = new ArrayList<>();
        for (String line : lines(dir.resolve("splits.txt")))
            keys.add(Bytes.toBytesBinary(line));
        TableName name = TableName.valueOf("by_file");
        admin.createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .build(), keys.isEmpty() ? null : keys.toArray(new byte[0][]));
        check(starts(name).equals(expected), dir.getFileName() + ": SPLITS_FILE, " + (expected.size() + 1) + " regions");
        dropAll();
    }

    // The create statement in a real Ruby; `create` itself is written here from admin.rb's rules.
    static final String SHELL = String.join("\n",
        "java_import 'org.apache.hadoop.hbase.util.Bytes'",
        "java_import 'org.apache.hadoop.hbase.TableName'",
        "java_import 'org.apache.hadoop.hbase.client.TableDescriptorBuilder'",
        "java_import 'org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder'",
        "%w[NAME BLOOMFILTER BLOCKSIZE MAX_FILESIZE MEMSTORE_FLUSHSIZE NORMALIZATION_ENABLED METADATA SPLITS",
        "   SPLITS_FILE].each { |n| Object.const_set(n, n) }",
        "def create(name, *args)",
        "  t = TableDescriptorBuilder.newBuilder(TableName.valueOf(name))",
        "  splits = nil",
        "  args.each do |a|",
        "    splits = File.foreach(a.delete(SPLITS_FILE)).map(&:chomp) if a.key?(SPLITS_FILE)",
        "    splits = a.delete(SPLITS) if a.key?(SPLITS)",
        "    if a.key?(NAME)",
        "      f = ColumnFamilyDescriptorBuilder.newBuilder(a.delete(NAME).to_java_bytes)",
        "      a.each { |k, v| f.setValue(k, v) }",
        "      t.setColumnFamily(f.build)",
        "    else",
        "      (a.delete(METADATA) || {}).each { |k, v| t.setValue(k, v) }",
        "      a.each { |k, v| t.setValue(k, v) }",
        "    end",
        "  end",
        "  keys = splits && splits.map { |s| Bytes.toBytesBinary(s) }.to_java(Java::byte[])",
        "  keys ? $admin.createTable(t.build, keys) : $admin.createTable(t.build)",
        "end", "");

    // The split policy that the table was created with, where the case has one.
    static void policy(Path dir, String by) throws Exception {
        if (!Files.exists(dir.resolve("policy")))
            return;
        String own = admin.getDescriptor(onlyTable()).getRegionSplitPolicyClassName(), has = own == null ? "" : own;
        check(Files.readString(dir.resolve("policy")).equals(has), dir.getFileName() + ": " + by + ", policy <" + has + ">");
    }

    static void shell(Path dir, List<String> expected) throws Exception {
        ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
        ruby.setCurrentDirectory(dir.toString());
        ruby.put("$admin", admin);
        ruby.runScriptlet(SHELL + "Dir.chdir('" + dir + "')\n" + Files.readString(dir.resolve("create.rb")));
        TableName name = onlyTable();
        TableDescriptor t = admin.getDescriptor(name);
        String family = Bytes.toString(t.getColumnFamilies()[0].getName());
        check(starts(name).equals(expected), dir.getFileName() + ": shell create, " + (expected.size() + 1) + " regions");
        check(family.equals(Files.readString(dir.resolve("family"))), dir.getFileName() + ": family <" + family + ">");
        check(lines(dir.resolve("salted")).isEmpty() || !t.isNormalizationEnabled(), dir.getFileName() + ": normalizer off");
        policy(dir, "shell");
        dropAll();
    }

    static void java(Path dir, Path classes, List<String> expected) throws Exception {
        Path out = Files.createTempDirectory("classes");
        String source = Files.readString(dir.resolve("CreateTable.java"))
            .replace("Paths.get(\"", "Paths.get(\"" + dir + "/");
        Path file = out.resolve("CreateTable.java");
        Files.writeString(file, source);
        int rc = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-Werror", "-Xlint:all,-classfile,-path,-processing",
            "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", out.toString(), file.toString());
        check(rc == 0, dir.getFileName() + ": Java compiles without a warning");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {out.toUri().toURL()}, EmitReal.class.getClassLoader())) {
            Class<?> c = loader.loadClass("CreateTable");
            c.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            check(starts(onlyTable()).equals(expected), dir.getFileName() + ": Java, " + (expected.size() + 1) + " regions");
            policy(dir, "Java");
            dropAll();
            List<String> vectors = lines(dir.resolve("vectors.tsv"));
            int same = 0;
            java.lang.reflect.Method salted = null;
            for (java.lang.reflect.Method m : c.getDeclaredMethods())
                if (m.getName().equals("salted"))
                    salted = m;
            if (salted == null)
                return;
            salted.setAccessible(true);
            for (int i = 1; i < vectors.size(); i++) {
                String[] v = vectors.get(i).split("\t", -1);
                byte[] over = HexFormat.of().parseHex(v[7].replace("-", "")), key = HexFormat.of().parseHex(v[8].replace("-", ""));
                same += HexFormat.of().formatHex((byte[]) salted.invoke(null, key, over)).equals(v[10]) ? 1 : 0;
            }
            check(same == vectors.size() - 1 && same > 0, dir.getFileName() + ": Java salts " + same + " vectors alike");
        }
    }

    // A line each: a family or "-" for the table, the name of a property, its value.
    static void properties(Path dir, TableName table) throws Exception {
        TableDescriptor d = admin.getDescriptor(table);
        for (String line : lines(dir.resolve("phoenix.properties"))) {
            String[] p = line.split(" ");
            String has = p[0].equals("-") ? d.getValue(p[1]) : familyValue(d, p);
            check(p[2].equalsIgnoreCase(has), dir.getFileName() + ": Phoenix, " + p[1] + " is " + has + ", said " + p[2]);
        }
    }

    static String familyValue(TableDescriptor d, String[] p) {
        byte[] value = d.getColumnFamily(p[0].getBytes(StandardCharsets.UTF_8)).getValue(p[1].getBytes(StandardCharsets.UTF_8));
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    // The DDL without its comments; then a row through Phoenix against `key encode`.
    static void phoenix(Path dir) throws Exception {
        StringBuilder sql = new StringBuilder();
        for (String line : lines(dir.resolve("phoenix.sql")))
            sql.append(line.replaceFirst("--.*", "")).append('\n');
        String url = "jdbc:phoenix:localhost:" + cluster.getZkCluster().getClientPort();
        String table = Files.readString(dir.resolve("phoenix.table"));
        int buckets = Integer.parseInt(Files.readString(dir.resolve("phoenix.buckets")).trim());
        try (java.sql.Connection c = DriverManager.getConnection(url)) {
            c.createStatement().execute(sql.toString().trim().replaceFirst(";$", ""));
            List<String> keys = starts(TableName.valueOf(table));
            boolean good = keys.size() == buckets - 1;
            for (int i = 0; good && i < keys.size(); i++)
                good = keys.get(i).matches(String.format("%02x(00)*", i + 1));
            check(good, dir.getFileName() + ": Phoenix, " + (keys.size() + 1) + " regions of " + buckets);
            if (Files.exists(dir.resolve("phoenix.properties")))
                properties(dir, TableName.valueOf(table));
            try (PreparedStatement up = c.prepareStatement("UPSERT INTO \"" + table + "\" VALUES (?, ?, ?)")) {
                List<String> rows = lines(dir.resolve("phoenix.rows"));
                for (String row : rows) {
                    String[] v = row.split("\t");
                    up.setLong(1, Long.parseLong(v[0]));
                    up.setBytes(2, java.util.Arrays.copyOf(v[1].getBytes(StandardCharsets.US_ASCII), 16));
                    up.setBytes(3, new byte[] {1});
                    up.execute();
                }
                c.commit();
                int same = 0;
                try (Table t = connection.getTable(TableName.valueOf(table)); ResultScanner s = t.getScanner(new Scan())) {
                    for (Result r : s) {
                        String key = HexFormat.of().formatHex(r.getRow());
                        for (String row : rows)
                            same += row.endsWith("\t" + key) ? 1 : 0;
                    }
                }
                check(same == rows.size() && same > 0, dir.getFileName() + ": Phoenix stored " + same + " of " + rows.size()
                    + " keys as `key encode` has them");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path classes = Path.of(args[1]);
        cluster = new HBaseTestingUtility();
        cluster.startMiniCluster(StartMiniClusterOption.builder().numRegionServers(2).build());
        try (FileOutputStream out = new FileOutputStream(new File(classes.toFile(), "hbase-site.xml"))) {
            cluster.getConfiguration().writeXml(out);
        }
        connection = ConnectionFactory.createConnection(cluster.getConfiguration());
        admin = connection.getAdmin();
        try (Stream<Path> all = Files.list(Path.of(args[0]))) {
            for (Path dir : (Iterable<Path>) all.sorted()::iterator) {
                List<String> expected = lines(dir.resolve("expected.hex"));
                splitsFile(dir, expected);
                shell(dir, expected);
                java(dir, classes, expected);
            }
        }
        try (Stream<Path> all = Files.list(Path.of(args[0]))) {
            for (Path dir : (Iterable<Path>) all.sorted()::iterator)
                if (Files.exists(dir.resolve("phoenix.sql")))
                    phoenix(dir);
        }
        System.out.println(failures == 0 ? "all as planned" : failures + " failures");
        System.out.flush();
        Runtime.getRuntime().halt(failures == 0 ? 0 : 1);
    }
}
