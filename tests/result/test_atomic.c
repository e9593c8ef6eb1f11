/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result/atomic.h"

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/saltplan-atomic-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int files_in_folder(void)
{
    int files = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return files;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            unlink(path_of(entry->d_name));
    if (dir)
        closedir(dir);
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    struct atomic_file file;
    assert_int_equal(atomic_open(&file, path), 0);
    fputs(text, file.stream);
    assert_int_equal(atomic_commit(&file), 0);
}

static void expect_text(const char *path, const char *text)
{
    char got[100] = "";
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    size_t len = fread(got, 1, sizeof got - 1, from);
    fclose(from);
    assert_int_equal(len, strlen(text));
    assert_string_equal(got, text);
}

static void test_replaces(void **state)
{
    (void)state;
    struct stat st;
    put(path_of("a.txt"), "old");
    put(path_of("a.txt"), "new text");
    expect_text(path_of("a.txt"), "new text");
    assert_int_equal(files_in_folder(), 1);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path_of("a.txt"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
}

static void test_old_stands_until_commit(void **state)
{
    (void)state;
    struct atomic_file file;
    put(path_of("a.txt"), "old");
    assert_int_equal(atomic_open(&file, path_of("a.txt")), 0);
    fputs("half", file.stream);
    fflush(file.stream);
    expect_text(path_of("a.txt"), "old");
    atomic_discard(&file);
    expect_text(path_of("a.txt"), "old");
    assert_int_equal(files_in_folder(), 1);
}

/* A limit on file size stands for the full disk: same calls, same failure. */
static void test_full_disk(void **state)
{
    (void)state;
    struct atomic_file file;
    struct rlimit old, tight;
    put(path_of("a.txt"), "old");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 8192;
    for (size_t kib = 7; kib < 100; kib += 31) {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
        int opened = atomic_open(&file, path_of("a.txt"));
        for (size_t i = 0; opened == 0 && i < kib * 1024; i++)
            fputc('x', file.stream);
        int committed = opened == 0 ? atomic_commit(&file) : -2;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(opened, 0);
        if (kib == 7) {
            assert_int_equal(committed, 0);
            put(path_of("a.txt"), "old");
            continue;
        }
        assert_int_equal(committed, -1);
        assert_non_null(strstr(file.message, "a.txt: can't be written: File too large"));
        expect_text(path_of("a.txt"), "old");
        assert_int_equal(files_in_folder(), 1);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void test_device(void **state)
{
    (void)state;
    struct atomic_file file;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(atomic_open(&file, "/dev/full"), 0);
    assert_null(file.temporary);
    for (int i = 0; i < 100000; i++)
        fputc('x', file.stream);
    assert_int_equal(atomic_commit(&file), -1);
    assert_string_equal(file.message, "/dev/full: can't be written: No space left on device");
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void test_no_folder(void **state)
{
    (void)state;
    struct atomic_file file;
    assert_int_equal(atomic_open(&file, path_of("nowhere/a.txt")), -1);
    assert_non_null(strstr(file.message, "nowhere/a.txt: can't be created: No such file or directory"));
    assert_null(file.stream);
}

static void test_make_folder(void **state)
{
    (void)state;
    char message[300] = "", deep[128];
    snprintf(deep, sizeof deep, "%s/x/y/z", folder);
    assert_int_equal(atomic_make_folder(deep, message, sizeof message), 0);
    assert_int_equal(atomic_make_folder(deep, message, sizeof message), 0);
    put(path_of("x/y/z/a.txt"), "deep");
    assert_int_equal(atomic_make_folder(path_of("x/y/z/a.txt"), message, sizeof message), -1);
    assert_non_null(strstr(message, "can't be created: Not a directory"));
    unlink(path_of("x/y/z/a.txt"));
    rmdir(path_of("x/y/z"));
    rmdir(path_of("x/y"));
    rmdir(path_of("x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaces),
        cmocka_unit_test(test_old_stands_until_commit),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_make_folder),
    };
    return cmocka_run_group_tests_name("result/atomic", tests, make_folder, remove_folder);
}
