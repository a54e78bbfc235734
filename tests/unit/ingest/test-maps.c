// SPDX-License-Identifier: MIT
#include "ingest/maps.h"

#include <string.h>

static void test_parse(void)
{
    static const struct {
        const char *line;
        const char *path; // NULL: left out
        uint64_t start;
        uint64_t end;
        uint64_t offset;
        bool executable;
    } cases[] = {
        {"400000-401000 r-xp 00001000 fe:00 7    /srv/app\n", "/srv/app", 0x400000, 0x401000,
         0x1000, true},
        {"400000-401000 r--p 00000000 fe:00 7 /srv/my app (deleted)\n", "/srv/my app (deleted)",
         0x400000, 0x401000, 0, false},
        {"7f5638c0e000-7f5638c10000 r-xp 00000000 00:00 0         [vdso]\n", "[vdso]",
         0x7f5638c0e000, 0x7f5638c10000, 0, true},
        {"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]\n", "[vsyscall]",
         0xffffffffff600000, 0xffffffffff601000, 0, true},
        {"400000-401000 r-xp 00000000 00:00 0 \n", "", 0x400000, 0x401000, 0, true},
        {"400000-401000 r-xp 00000000 00:0e 0 //anon\n", "//anon", 0x400000, 0x401000, 0, true},
        {"400000-401000 rw-p 00000000 00:00 0 \n", NULL, 0, 0, 0, false},
        {"400000-401000 rw-p 00000000 00:00 0   [heap]\n", NULL, 0, 0, 0, false},
        {"400000-401000 rw-s 00000000 00:01 9   /memfd:x (deleted)\n", "/memfd:x (deleted)",
         0x400000, 0x401000, 0, false},
        {"400000-401000: /usr/lib/libSystem.dylib\n", "/usr/lib/libSystem.dylib", 0x400000,
         0x401000, 0, true},
        {"0x800600000 0x80061a000 26 0 0xfffff800035a0000 r-x 75 33 0x1004 COW NC vnode "
         "/libexec/ld-elf.so.1 NCH -1\n",
         "/libexec/ld-elf.so.1", 0x800600000, 0x80061a000, 0, true},
        {"0x800600000 0x80061a000 26 0 r-x 75 33 0x1004 COW NC vnode /libexec/ld-elf.so.1 NCH -1\n",
         NULL, 0, 0, 0, false},
        {"401000-401000 r-xp 00001000 fe:00 7    /srv/app\n", NULL, 0, 0, 0, false},
        {"401000-400000 r-xp 00001000 fe:00 7    /srv/app\n", NULL, 0, 0, 0, false},
        {"400000-401000 r-xp 00001000 fe:00 7    /srv/app", NULL, 0, 0, 0, false},
        {"400000-401000 r-xp\n", NULL, 0, 0, 0, false},
        {"what\n", NULL, 0, 0, 0, false},
        {"\n", NULL, 0, 0, 0, false},
    };
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
        g_test_message("%s", cases[i].line);
        hr_maps_parse(cases[i].line, strlen(cases[i].line), strings, mappings);
        g_assert_cmpuint(mappings->len, ==, cases[i].path != NULL);
        if (cases[i].path) {
            const struct hr_mapping *mapping = &g_array_index(mappings, struct hr_mapping, 0);
            g_assert_cmpstr(mapping->path, ==, cases[i].path);
            g_assert_cmphex(mapping->start, ==, cases[i].start);
            g_assert_cmphex(mapping->end, ==, cases[i].end);
            g_assert_cmphex(mapping->offset, ==, cases[i].offset);
            g_assert_cmpint(mapping->executable, ==, cases[i].executable);
        }
    }
}

static void append_text(GString *text, const GArray *mappings)
{
    for (guint i = 0; i < mappings->len; i++) {
        const struct hr_mapping *mapping = &g_array_index(mappings, struct hr_mapping, i);
        g_string_append_printf(text, "%lx-%lx%s %lx %s\n", mapping->start, mapping->end,
                               mapping->executable ? "x" : "", mapping->offset, mapping->path);
    }
}

static const struct {
    const char *title;
    struct hr_mapping all[3];
    struct hr_mapping more[3];
    const char *merged;
    size_t conflicts;
} MERGES[] = {
    {"into nothing",
     {{0}},
     {{20, 30, 5, "b", true, NULL}, {10, 20, 0, "a", true, NULL}},
     "a-14x 0 a\n14-1ex 5 b\n",
     0},
    {"the same again",
     {{10, 20, 0, "a", true, NULL}},
     {{10, 20, 0, "a", true, NULL}},
     "a-14x 0 a\n",
     0},
    {"longer on both sides",
     {{10, 20, 100, "a", true, NULL}},
     {{5, 30, 95, "a", true, NULL}},
     "5-ax 5f a\na-14x 64 a\n14-1ex 6e a\n",
     0},
    {"another file's code",
     {{10, 20, 0, "a", true, NULL}},
     {{15, 25, 0, "b", true, NULL}},
     "a-14x 0 a\n14-19x 5 b\n",
     1},
    {"another build of one file",
     {{10, 20, 0, "a", true, "1234"}},
     {{10, 20, 0, "a", true, "5678"}},
     "a-14x 0 a\n",
     1},
    {"one file, of which one map names the build",
     {{10, 20, 0, "a", true, "1234"}},
     {{10, 20, 0, "a", true, NULL}},
     "a-14x 0 a\n",
     0},
    {"code, as only the second map tells",
     {{10, 20, 0, "a", false, NULL}},
     {{10, 20, 0, "a", true, NULL}},
     "a-14x 0 a\n",
     0},
    {"data of another file",
     {{10, 20, 0, "a", false, NULL}},
     {{10, 20, 0, "b", false, NULL}},
     "a-14 0 a\n",
     0},
    {"over two",
     {{10, 20, 0, "a", false, NULL}, {30, 40, 0, "c", false, NULL}},
     {{0, 50, 0, "b", false, NULL}},
     "0-a 0 b\na-14 0 a\n14-1e 14 b\n1e-28 0 c\n28-32 28 b\n",
     0},
    {"overlap among the new",
     {{0}},
     {{10, 30, 0, "a", true, NULL}, {20, 40, 0, "b", true, NULL}},
     "a-1ex 0 a\n1e-28x a b\n",
     0},
    {"up to the top",
     {{UINT64_MAX - 9, UINT64_MAX, 0, "a", true, NULL}},
     {{UINT64_MAX - 19, UINT64_MAX, 0, "a", true, NULL}},
     "ffffffffffffffec-fffffffffffffff6x 0 a\nfffffffffffffff6-ffffffffffffffffx 0 a\n",
     0},
};

static void test_merge(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(MERGES); i++) {
        g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
        size_t more = 0;
        for (size_t k = 0; k < 3 && MERGES[i].all[k].path; k++) {
            g_array_append_val(all, MERGES[i].all[k]);
        }
        while (more < 3 && MERGES[i].more[more].path) {
            more++;
        }
        g_test_message("%s", MERGES[i].title);
        g_assert_cmpuint(hr_maps_merge(all, MERGES[i].more, more), ==, MERGES[i].conflicts);
        hr_maps_merge(all, MERGES[i].more, more); // changes nothing
        g_autoptr(GString) text = g_string_new(NULL);
        append_text(text, all);
        g_assert_cmpstr(text->str, ==, MERGES[i].merged);
    }
}

static void test_end(void)
{
    static const struct {
        const char *text;
        uint64_t end;
    } cases[] = {
        {"400000-401000 r-xp 00000000 fe:00 7 /a\n500000-502000 rw-p 00000000 00:00 0 \n",
         0x502000},
        {"400000-401000 r-xp 00000000 fe:00 7 /a\n500000-5020", 0x401000},
        {"400000-401000 r-xp 00000000 fe:00 7 /a\n", 0x401000},
        {"400000-401000", 0},
        {"\n", 0},
        {"", 0},
        {"400000-401000: /usr/lib/libSystem.dylib\n", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmphex(hr_maps_end(cases[i].text, strlen(cases[i].text)), ==, cases[i].end);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/maps/parse", test_parse);
    g_test_add_func("/maps/merge", test_merge);
    g_test_add_func("/maps/end", test_end);
    return g_test_run();
}
