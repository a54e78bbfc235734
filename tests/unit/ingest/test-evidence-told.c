// SPDX-License-Identifier: MIT
#include "evidence_texts.h"
#include "fixture.h"

// What is told of a file, how often, and what is left of it.
static const struct {
    const char *name;
    const char *content;
    enum hr_diagnostic_code code;
    unsigned count;
    enum hr_evidence_id id;
    const char *series;
} CASES[] = {
    {"x.json", "{\"allocated\":4096,\"active\":-5,\"resident\":18446744073709547520}",
     HR_DIAG_EVIDENCE_IMPOSSIBLE, 2, HR_EVIDENCE_ALLOCATED, "9:4096"},
    {"log", "Allocated: 4096, active: 18446744073709551616, mapped: -1\n",
     HR_DIAG_EVIDENCE_IMPOSSIBLE, 2, HR_EVIDENCE_ALLOCATED, "9:4096"},
    {"m.csv", "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,-2,1e300\n",
     HR_DIAG_EVIDENCE_IMPOSSIBLE, 2, HR_EVIDENCE_RSS, ""},
    {"a", "# time 1e300\n" ROLLUP("4", "2"), HR_DIAG_EVIDENCE_IMPOSSIBLE, 2, HR_EVIDENCE_RSS, ""},
    {"a", ROLLUP("4", "2") ROLLUP("5", "2"), HR_DIAG_EVIDENCE_TWICE, 1, HR_EVIDENCE_RSS, "9:5120"},
    {"a", ROLLUP("4", "2") ROLLUP("4", "2"), HR_DIAG_EVIDENCE_TWICE, 0, HR_EVIDENCE_RSS, "9:4096"},
    {"x.json", COUNTERS("4096") "\n" COUNTERS("1024"), HR_DIAG_EVIDENCE_TWICE, 1,
     HR_EVIDENCE_ALLOCATED, "9:1024"},
    {"x.json", "{\"allocated\":4096,\"active\":2,\"allocated\":1024}", HR_DIAG_EVIDENCE_TWICE, 1,
     HR_EVIDENCE_ALLOCATED, "9:1024"},
    {"metrics.txt",
     "process_resident_memory_bytes{instance=\"a\"} 4096\n"
     "process_resident_memory_bytes{instance=\"b\"} 8192\n",
     HR_DIAG_EVIDENCE_TWICE, 1, HR_EVIDENCE_RSS, "9:8192"},
    {"m.csv", "timestamp,rss_mb,heap_mb\n2026-12-01 09:00:01 PM,2,1\n\"a\nb\",2,1\n",
     HR_DIAG_EVIDENCE_CUT, 3, HR_EVIDENCE_RSS, ""},
    {"m.csv", "timestamp,rss_mb,heap_mb\n", HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_RSS, ""},
    {"m.csv", "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,2,1 MB\n2026-12-01T21:00:02Z,3,\n",
     HR_DIAG_EVIDENCE_CUT, 1, HR_EVIDENCE_RSS, "1:2097152 2:3145728"},
    {"m.csv", "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,2,NaN\n2026-12-01T21:00:02Z,-,1\n",
     HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_RSS, "1:2097152"},
    {"x.json", "\xef\xbb\xbf" COUNTERS("4096"), HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_ALLOCATED,
     "9:4096"},
    {"a", "\xef\xbb\xbf" ROLLUP("4", "2"), HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_RSS, "9:4096"},
    {"a", "\xef\xbb\xbf", HR_DIAG_EVIDENCE_UNREADABLE, 0, HR_EVIDENCE_RSS, ""},
    {"record.jsonl",
     "{\"schema\":\"heapreport-record\",\"time_s\":1796158801,\"pid\":1e300,\"smaps_rollup\":{"
     "\"rss_bytes\":4096}}\n",
     HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_RSS, "1:4096"},
    {"smaps",
     BLOCK("1000-2000 rw-p 00000000 00:00 0 ", "1", "1", "1")
         BLOCK("1000-2000 rw-p 00000000 00:00 0 ", "1", "1", "1"),
     HR_DIAG_EVIDENCE_CUT, 1, HR_EVIDENCE_RSS, ""},
    {"smaps", SMAPS SMAPS, HR_DIAG_EVIDENCE_CUT, 1, HR_EVIDENCE_RSS, ""},
    {"memory.current", "-4096\n", HR_DIAG_EVIDENCE_CUT, 1, HR_EVIDENCE_CGROUP_CURRENT, ""},
    {"memory.max", "max\n\n", HR_DIAG_EVIDENCE_CUT, 0, HR_EVIDENCE_CGROUP_LIMIT, ""},
    {"memory.stat", "anon 1\nfile many\nfile 4096\n", HR_DIAG_EVIDENCE_CUT, 1,
     HR_EVIDENCE_CGROUP_FILE, "9:4096"},
};

static void test_told(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, CASES[i].name, CASES[i].content, 9);
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_test_message("%zu %s", i, CASES[i].name);
        g_assert_cmpuint(hr_fixture_reports(&fixture, CASES[i].code), ==, CASES[i].count);
        g_autofree char *series = hr_fixture_series(fixture.run, CASES[i].id);
        g_assert_cmpstr(series, ==, CASES[i].series);
        hr_fixture_clear(&fixture);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/evidence-told/told", test_told);
    return g_test_run();
}
