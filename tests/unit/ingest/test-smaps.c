// SPDX-License-Identifier: MIT
// Which mappings are stacks of threads and arenas of the C library, told by how they lie.
#include "ingest/smaps.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define BLOCK(line, anonymous)                                                                     \
    line "\nSize: 64 kB\nRss: " anonymous " kB\nPss: " anonymous " kB\nAnonymous: " anonymous      \
         " kB\nSwap: 1 kB\nVmFlags: rd wr\n"
#define RESERVED(range) BLOCK(range " ---p 00000000 00:00 0 ", "0")
#define MEMORY(range, anonymous) BLOCK(range " rw-p 00000000 00:00 0 ", anonymous)
#define NAMED(range, name, anonymous) BLOCK(range " rw-p 00000000 00:00 0 " name, anonymous)

struct expected {
    const char *title;
    const char *text;
    double stacks_kib; // with one KiB a mapping swapped out
    double arenas_kib;
};

static const struct expected CASES[] = {
    {"a stack of 8 MiB behind its guard",
     RESERVED("7f0000000000-7f0000001000") MEMORY("7f0000001000-7f0000801000", "520"), 521, 0},
    {"a stack whose guard is part of its 2 MiB",
     RESERVED("7f0000000000-7f0000001000") MEMORY("7f0000001000-7f0000200000", "30"), 31, 0},
    {"a stack of any size between two guards",
     RESERVED("7f0000000000-7f0000001000") MEMORY("7f0000001000-7f0000901000", "40")
         RESERVED("7f0000901000-7f0000902000") MEMORY("7f0000902000-7f0000a02000", "7"),
     49, 0},
    {"a stack and an allocator's memory in one mapping are not told",
     RESERVED("7f0000000000-7f0000001000") MEMORY("7f0000001000-7f0000e81000", "3000"), 0, 0},
    {"memory apart from the guard is no stack",
     RESERVED("7f0000000000-7f0000001000") MEMORY("7f0000002000-7f0000802000", "520"), 0, 0},
    {"memory behind a large reserve is no stack",
     RESERVED("7f0000000000-7f0001000000") MEMORY("7f0001000000-7f0001800000", "520"), 0, 0},
    {"an arena's heap, and none of what follows its reserve",
     MEMORY("7f0004000000-7f0007f80000", "60000") RESERVED("7f0007f80000-7f0008000000")
         MEMORY("7f0008000000-7f0008200000", "900"),
     0, 60001},
    {"a full heap beside one in use",
     MEMORY("7f0004000000-7f0006400000", "100") RESERVED("7f0006400000-7f0008000000")
         MEMORY("7f0010000000-7f0014000000", "65536"),
     0, 65638},
    {"a large mapping alone is no arena", MEMORY("7f0004000000-7f0008000000", "65536"), 0, 0},
    {"an arena's heap and what lies below it in one mapping",
     MEMORY("7f0003000000-7f0004800000", "20000") RESERVED("7f0004800000-7f0008000000"), 0, 8192},
    {"an arena's heap that is not aligned is none",
     MEMORY("7f0004001000-7f0006400000", "100") RESERVED("7f0006400000-7f0007f01000"), 0, 0},
    {"the break is the C library's", NAMED("560000000000-560000b9a000", "[heap]", "11816"), 0,
     11817},
    {"names that the C library gives",
     NAMED("7f0000000000-7f0000123000", "[anon: glibc: malloc arena]", "5")
         NAMED("7f0000200000-7f0000323000", "[anon: glibc: pthread stack: 17]", "7"),
     8, 6},
    {"the first thread's stack", NAMED("7ffc00000000-7ffc00021000", "[stack]", "24"), 25, 0},
    {"an allocator's name is no arena",
     NAMED("7f0004000000-7f0006400000", "[anon:jemalloc_pg]", "100")
         RESERVED("7f0006400000-7f0008000000"),
     0, 0},
};

static void test_kinds_of_mappings(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        struct hr_smaps_sums sums;
        g_test_message("%s", CASES[i].title);
        g_assert_true(hr_smaps_sum(CASES[i].text, strlen(CASES[i].text), &sums));
        g_assert_cmpfloat(sums.bytes[HR_EVIDENCE_THREAD_STACKS], ==, CASES[i].stacks_kib * 1024);
        g_assert_cmpfloat(sums.bytes[HR_EVIDENCE_GLIBC_ARENAS], ==, CASES[i].arenas_kib * 1024);
    }
}

static void test_cut_is_no_sum(void)
{
    struct hr_smaps_sums sums;
    const char *text = CASES[0].text;
    const size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) {
        // Cut right behind a block it is whole, which nobody can know better.
        const bool whole = cut > 0 && g_str_has_prefix(text + cut, "7f") && text[cut - 1] == '\n';
        g_assert_cmpint(hr_smaps_sum(text, cut, &sums), ==, whole);
    }
    g_assert_true(isnan((hr_smaps_sum(text, size, &sums), sums.bytes[HR_EVIDENCE_LAZY_FREE])));
}

// As when the line of a mapping between two was lost.
static void test_twice_is_no_sum(void)
{
    struct hr_smaps_sums sums;
    const char *rss = "Rss: 4 kB\n";
    g_autofree char *text = g_strconcat(rss, CASES[0].text, NULL);
    const char *first = strstr(text + strlen(rss), "Rss:");
    g_autofree char *twice = g_strdup_printf("%.*s%s%s", (int)(first - text), text, rss, first);
    g_assert_true(hr_smaps_sum(text, strlen(text), &sums));
    g_assert_false(hr_smaps_sum(twice, strlen(twice), &sums));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/smaps/kinds-of-mappings", test_kinds_of_mappings);
    g_test_add_func("/smaps/twice-is-no-sum", test_twice_is_no_sum);
    g_test_add_func("/smaps/cut-is-no-sum", test_cut_is_no_sum);
    return g_test_run();
}
