// SPDX-License-Identifier: MIT
#include "evidence_texts.h"
#include "fixture.h"

#include <math.h>
#include <string.h>

struct file {
    const char *name; // NULL: end
    const char *content;
    double time_s;
};

struct expected {
    const char *title;
    struct file files[4];
    enum hr_evidence_id id;
    const char *source; // NULL: nothing is known
    const char *series; // "time:value ..." times after the fixture's start
};

static const struct expected CASES[] = {
    {"rollup with time lines, several in one file",
     {{"memory.txt",
       "# time 1796158805.5\n" ROLLUP("100", "7") "# time 1796158806.5\n" ROLLUP("100", "8"), 99}},
     HR_EVIDENCE_ANONYMOUS,
     "smaps_rollup",
     "5.5:7168 6.5:8192"},
    {"rollup by the time in its name",
     {{"smaps_rollup.7.1796158810.txt", ROLLUP("4", "2"), 99},
      {"smaps_rollup.7.1796158809.txt", ROLLUP("4", "1"), 99}},
     HR_EVIDENCE_ANONYMOUS,
     "smaps_rollup",
     "9:1024 10:2048"},
    {"rollup by file time",
     {{"a", ROLLUP("4", "2"), 30.5}},
     HR_EVIDENCE_RSS,
     "smaps_rollup",
     "30.5:4096"},
    {"a key that the kernel has not", {{"a", ROLLUP("4", "2"), 30}}, HR_EVIDENCE_FILE, NULL, ""},
    {"rollup cut in a number's unit",
     {{"a", "1-2 ---p 00000000 00:00 0 [rollup]\nRss: 100 kB\nAnonymous: 12", 3}},
     HR_EVIDENCE_ANONYMOUS,
     NULL,
     ""},
    {"another process is left out",
     {{"smaps_rollup.8.1796158810.txt", ROLLUP("4", "2"), 99},
      {"smaps_rollup.7.1796158809.txt", ROLLUP("4", "1"), 99}},
     HR_EVIDENCE_ANONYMOUS,
     "smaps_rollup",
     "9:1024"},
    {"of equal times one counts",
     {{"b", "# time 1796158805\n" ROLLUP("4", "2"), 99},
      {"a", "# time 1796158805\n" ROLLUP("4", "1"), 99}},
     HR_EVIDENCE_ANONYMOUS,
     "smaps_rollup",
     "5:1024"},
    {"status",
     {{"status", "Name:\tapp\nPid:\t7\nVmRSS:\t   100 kB\nRssAnon:\t    60 kB\nThreads:\t12\n", 5}},
     HR_EVIDENCE_THREADS,
     "status",
     "5:12"},
    {"status of another process",
     {{"status", "Name:\tapp\nPid:\t8\nVmRSS:\t   100 kB\n", 5}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"flat counters",
     {{"stats.7.1796158804.json", COUNTERS("754856"), 99}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "4:754856"},
    {"counters stamped by the second, beside a moment within it",
     {{"stats.7.1796158804.json", COUNTERS("1"), 99},
      {"stats.7.1796158805.json", COUNTERS("2"), 99},
      {"stats.7.1796158806.json", COUNTERS("3"), 99},
      {"memory.txt",
       "# time 1796158804.75\n" ROLLUP("100", "7") "# time 1796158806.25\n" ROLLUP(
           "100", "8") "# time 1796158806.5\n" ROLLUP("100", "9"),
       99}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "4.75:1 5:2 6:3"}, // none in the second, and two
    {"counters one a line, with times",
     {{"x.json",
       "{\"time_s\":1796158801.25,\"allocated\":1,\"active\":2}\n{\"timestamp\":\"2026-12-01T21:00:"
       "02Z\",\"allocated\":3,\"active\":2}\n{\"timestamp_ms\":1796158803500,\"allocated\":4,"
       "\"active\":2}\n",
       99}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "1.25:1 2:3 3.5:4"},
    {"the tree of malloc_stats_print",
     {{"s.json",
       "{\"jemalloc\":{\"version\":\"5.3.0\",\"stats\":{\"allocated\":5,\"active\":6,\"resident\":"
       "7},\"stats.arenas\":{\"0\":{\"small\":{\"allocated\":1,\"resident\":1}}}}}\nsome log "
       "line\n",
       5}},
     HR_EVIDENCE_RESIDENT,
     "jemalloc stats",
     "5:7"},
    {"a health endpoint",
     {{"h.json",
       "{\"ok\":true,\"parts\":[{\"cache\":{\"allocated\":1}},{\"memory\":{\"jemalloc\":{"
       "\"allocated_bytes\":9,\"resident_mib\":2}}}]}",
       5}},
     HR_EVIDENCE_RESIDENT,
     "jemalloc stats",
     "5:2097152"},
    {"a unit that is not known",
     {{"h.json", "{\"allocated_mb\":9,\"resident_mb\":2}", 5}},
     HR_EVIDENCE_RESIDENT,
     NULL,
     ""},
    {"a recorder's file with a half last line",
     {{"heapreport-record.7.jsonl",
       "{\"schema\":\"heapreport-record\",\"schema_version\":1,\"time_s\":1796158804.19,\"pid\":7,"
       "\"smaps_rollup\":{\"anonymous_bytes\":4096},\"status\":{\"threads_count\":5},\"cgroup\":{"
       "\"current_bytes\":1,\"limit_bytes\":99}}\n"
       "{\"schema\":\"heapreport-record\",\"schema_version\":1,\"time_s\":1796158805.19,\"pid\":7,"
       "\"allocator\":{\"allocated_bytes\":8,\"resident_bytes\":9}}\n"
       "{\"schema\":\"heapreport-record\",\"schema_version\":1,\"time_s\":1796158806.19,\"pid\":7,"
       "\"smaps_ro",
       99}},
     HR_EVIDENCE_ANONYMOUS,
     "smaps_rollup",
     "4.19:4096"},
    {"a recorder's file: allocator",
     {{"r",
       "{\"schema\":\"heapreport-record\",\"time_s\":1796158805.5,\"pid\":7,\"allocator\":{"
       "\"allocated_bytes\":8,\"resident_bytes\":9}}\n",
       99}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "5.5:8"},
    {"a recorder's file: limit",
     {{"r",
       "{\"schema\":\"heapreport-record\",\"time_s\":1796158805.5,\"pid\":7,\"cgroup\":{\"limit_"
       "bytes\":99}}\n",
       99}},
     HR_EVIDENCE_CGROUP_LIMIT,
     "cgroup",
     "5.5:99"},
    {"a recorder's file about another process",
     {{"r",
       "{\"schema\":\"heapreport-record\",\"time_s\":1796158805.5,\"pid\":8,\"cgroup\":{\"limit_"
       "bytes\":99}}\n",
       99}},
     HR_EVIDENCE_CGROUP_LIMIT,
     NULL,
     ""},
    {"sums of smaps", {{"smaps", SMAPS, 5}}, HR_EVIDENCE_ANONYMOUS, "smaps", "5:104857600"},
    {"thread stacks in smaps", {{"smaps", SMAPS, 5}}, HR_EVIDENCE_THREAD_STACKS, "smaps", "5:3072"},
    {"arenas in smaps", {{"smaps", SMAPS, 5}}, HR_EVIDENCE_GLIBC_ARENAS, "smaps", "5:104852480"},
    {"files in smaps", {{"smaps", SMAPS, 5}}, HR_EVIDENCE_FILE, "smaps", "5:8192"},
    {"shared memory in smaps", {{"smaps", SMAPS, 5}}, HR_EVIDENCE_SHMEM, "smaps", "5:16384"},
    {"smaps cut in a mapping",
     {{"smaps", SMAPS "7f0000100000-7f0000200000 rw-p 00000000 00:00 0 \nSize: 4 kB\nRss: 4 kB\n",
       5}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"pmap",
     {{"p",
       "# time 1796158805\n7:   /srv/app\nAddress           Kbytes     RSS   Dirty Mode  "
       "Mapping\n0000560000000000    4 4 4 rw--- [ anon ]\n---------------- ------- ------- "
       "-------\ntotal kB          123456    4567     890\n",
       9}},
     HR_EVIDENCE_RSS,
     "pmap",
     "5:4676608"},
    {"pmap of another process",
     {{"p",
       "8:   /srv/app\nAddress           Kbytes     RSS   Dirty Mode  Mapping\ntotal kB          "
       "123456    4567     890\n",
       9}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"statistics as text",
     {{"s.7.1796158805.txt",
       "___ Begin jemalloc statistics ___\nAllocated: 176128, active: 188416, metadata: 2734064 "
       "(n_thp 0), resident: 2834432, mapped: 6479872, retained: 1908736\n",
       9}},
     HR_EVIDENCE_RESIDENT,
     "jemalloc stats",
     "5:2834432"},
    {"statistics of jemalloc 4 with tabs",
     {{"s", "Allocated:\t1, active:\t2, metadata:\t3, resident:\t4, mapped:\t5\n", 5}},
     HR_EVIDENCE_RESIDENT,
     "jemalloc stats",
     "5:4"},
    {"statistics among log lines",
     {{"app.log",
       "2026-12-01T21:00:01Z INFO up\n2026-12-01T21:00:02Z INFO Allocated: 7, active: 8, metadata: "
       "1, resident: 9, mapped: 10, retained: 11\n[2026-12-01 22:00:03+01:00] Allocated: 8, "
       "active: 9, resident: 10\n",
       99}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "2:7 3:8"},
    {"a table with its time in UTC",
     {{"m.csv",
       "timestamp,rss_mb,cache_mb,heap_mb,x\n2026-12-01T21:00:01Z,2,1,0.5,y\n2026-12-01T21:00:02Z,"
       "3,1,0.25,\n2026-12-01T21:00:03Z,4,",
       3}},
     HR_EVIDENCE_PRIVATE_DIRTY,
     "monitor",
     "1:524288 2:262144"},
    {"a table with local times",
     {{"m.csv",
       "timestamp,rss_mb,cache_mb,heap_mb\n2026-12-01 22:00:01,2,1,0.5\n2026-12-01 "
       "22:00:02,\"3\",1,0.25\n",
       2}},
     HR_EVIDENCE_RSS,
     "monitor",
     "1:2097152 2:3145728"},
    {"a table that no rule knows",
     {{"m.csv", "timestamp,rss\n2026-12-01 22:00:01,2\n", 2}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"Prometheus",
     {{"metrics.txt",
       "# TYPE app_jemalloc_allocated_bytes "
       "gauge\napp_jemalloc_allocated_bytes{instance=\"a:1\",pod=\"b\"} 7.5e3 "
       "1796158804500\napp_jemalloc_allocated_bytes{arena=\"0\"} 1 1796158804500\nother 3\n",
       9}},
     HR_EVIDENCE_ALLOCATED,
     "Prometheus",
     "4.5:7500"},
    {"Prometheus without times",
     {{"metrics.txt", "process_resident_memory_bytes 4096\n", 9.5}},
     HR_EVIDENCE_RSS,
     "Prometheus",
     "9.5:4096"},
    {"a cgroup's number",
     {{"memory.current", "4096\n", 9.5}},
     HR_EVIDENCE_CGROUP_CURRENT,
     "cgroup",
     "9.5:4096"},
    {"the cache of a cgroup",
     {{"memory.stat", "anon 8192\nfile 4096\nfile_mapped 1\nfile_dirty 2\n", 9.5}},
     HR_EVIDENCE_CGROUP_FILE,
     "cgroup",
     "9.5:4096"},
    {"the cache of a cgroup, version 1",
     {{"memory.stat", "cache 1\nrss 2\ntotal_cache 4096\ntotal_rss 3\n", 9.5}},
     HR_EVIDENCE_CGROUP_FILE,
     "cgroup",
     "9.5:4096"},
    {"a cgroup without limit", {{"memory.max", "max\n", 9.5}}, HR_EVIDENCE_CGROUP_LIMIT, NULL, ""},
    {"a cgroup without limit, version 1",
     {{"memory.limit_in_bytes", "9223372036854771712\n", 9.5}},
     HR_EVIDENCE_CGROUP_LIMIT,
     NULL,
     ""},
    {"Prometheus of ClickHouse: parts, pages and switches are no totals",
     {{"metrics.txt",
       "ClickHouseAsyncMetrics_jemalloc_active 8192\nClickHouseAsyncMetrics_jemalloc_prof_active "
       "1\nClickHouseAsyncMetrics_jemalloc_arenas_all_pactive 2\njemalloc_small_active_bytes 3\n",
       9.5}},
     HR_EVIDENCE_ACTIVE,
     "Prometheus",
     "9.5:8192"},
    {"Prometheus: words that leave a counter whole",
     {{"metrics.txt", "x:jemalloc_stats_mapped 4096\njemalloc_mapped_bytes_total 1\n", 9.5}},
     HR_EVIDENCE_MAPPED,
     "Prometheus",
     "9.5:4096"},
    {"zones differ from row to row",
     {{"m.csv",
       "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,2,1\n2026-12-01 22:00:02,3,1\n"
       "2026-12-01 23:00:03+02:00,4,1\n",
       2}},
     HR_EVIDENCE_RSS,
     "monitor",
     "1:2097152 2:3145728 3:4194304"},
    {"no clock of twelve hours, no zone that there is none of; a comma before the fraction",
     {{"m.csv",
       "timestamp;rss_mb;heap_mb\n2026-12-01 09:00:01 PM;2;1\n2026-12-01T21:00:02+99:00;2;1\n"
       "2026-12-01 21:00:03,5 UTC;2;1\n",
       4}},
     HR_EVIDENCE_RSS,
     "monitor",
     "3.5:2097152"},
    {"rows with a cell more or less",
     {{"m.csv",
       "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,2,1\n2026-12-01T21:00:02,345Z,2,1\n"
       "2026-12-01T21:00:03Z,3\n2026-12-01T21:00:04Z,4,1,\n",
       9}},
     HR_EVIDENCE_RSS,
     "monitor",
     "1:2097152 4:4194304"},
    {"tables behind each other",
     {{"m.csv",
       "timestamp,rss_mb,heap_mb\n2026-12-01T21:00:01Z,2,1\ntimestamp,heap_mb,rss_mb\n"
       "2026-12-01T21:00:02Z,2,1\n",
       9}},
     HR_EVIDENCE_RSS,
     "monitor",
     "1:2097152 2:1048576"},
    {"two columns of one name",
     {{"m.csv", "timestamp,rss_mb,heap_mb,rss_mb\n2026-12-01T21:00:01Z,2,1,3\n", 9}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"numbers as strings",
     {{"x.json", "{\"allocated\":\"4096\",\"resident\":\"8192\",\"active\":\"12 kB\"}", 5}},
     HR_EVIDENCE_RESIDENT,
     "jemalloc stats",
     "5:8192"},
    {"a number beyond 64 bits beside others",
     {{"x.json", "{\"allocated\":4096,\"resident\":8192,\"id\":98765432109876543210}", 5}},
     HR_EVIDENCE_ALLOCATED,
     "jemalloc stats",
     "5:4096"},
    {"snapshots behind each other are no sum",
     {{"smaps", SMAPS SMAPS, 5}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"a unit that the kernel never writes",
     {{"smaps", BLOCK("1000-2000 rw-p 00000000 00:00 0 ", "1", "1", "1 MB Pss: 1"), 5}},
     HR_EVIDENCE_RSS,
     NULL,
     ""},
    {"a limit that nobody can reach is none",
     {{"memory.max", "1152921504606846976\n", 9.5}},
     HR_EVIDENCE_CGROUP_LIMIT,
     NULL,
     ""},
    {"the source with more to say counts",
     {{"a", "# time 1796158805\n" ROLLUP("4", "2"), 99},
      {"b",
       "# time 1796158801\nName:\tapp\nVmRSS:\t8 kB\nRssAnon:\t8 kB\n# time "
       "1796158802\nName:\tapp\nVmRSS:\t8 kB\nRssAnon:\t8 kB\n",
       99}},
     HR_EVIDENCE_ANONYMOUS,
     "status",
     "1:8192 2:8192"},
};

static void test_cases(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        const struct expected *expected = &CASES[i];
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "app.7.0.i0.heap", BODY, 1);
        for (size_t k = 0; k < 4 && expected->files[k].name; k++) {
            hr_fixture_add(&fixture, expected->files[k].name, expected->files[k].content,
                           expected->files[k].time_s);
        }
        g_test_message("%s", expected->title);
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_autofree char *series = hr_fixture_series(fixture.run, expected->id);
        g_assert_cmpstr(fixture.run->evidence.series[expected->id].source, ==, expected->source);
        g_assert_cmpstr(series, ==, expected->series);
        hr_fixture_clear(&fixture);
    }
}

static void test_reports(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "app.7.0.i0.heap", BODY, 1);
    hr_fixture_add(&fixture, "smaps_rollup.8.1796158810.txt", ROLLUP("4", "2"), 99);
    hr_fixture_add(&fixture, "smaps_rollup.7.1796158810.txt", ROLLUP("4", "2"), 99);
    hr_fixture_add(&fixture, "x.json", "{\"allocated\":1,\"active\":2}\n{\"alloc", 9);
    hr_fixture_add(&fixture, "notes.txt", "nothing\n", 9);
    g_autofree char *notes = g_build_filename(fixture.directory, "notes.txt", NULL);
    g_autofree char *missing = g_build_filename(fixture.directory, "missing", NULL);
    const char *paths[] = {notes, missing, NULL};
    fixture.options.evidence_paths = paths;
    hr_fixture_read(&fixture, true);
    hr_fixture_read_evidence(&fixture);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_OTHER_PID), ==, 1);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_CUT), ==, 1);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_UNKNOWN), ==, 2);
    g_assert_cmpuint(fixture.run->evidence.files_count, ==, 2);
    g_assert_cmpstr(fixture.run->evidence.files[0].file, ==, "smaps_rollup.7.1796158810.txt");
    hr_fixture_clear(&fixture);
}

// Inside a container the process is number 1; the host sees another number.
static void test_container(void)
{
    for (int others = 0; others < 2; others++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "app.1.0.i0.heap", BODY, 1);
        hr_fixture_add(&fixture, "smaps_rollup.4711.1796158810.txt", ROLLUP("4", "2"), 99);
        if (others) {
            hr_fixture_add(&fixture, "smaps_rollup.4712.1796158810.txt", ROLLUP("4", "2"), 99);
        }
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_assert_cmpint(hr_evidence_has(&fixture.run->evidence, HR_EVIDENCE_RSS), ==, !others);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_PID_ASSUMED), ==, !others);
        hr_fixture_clear(&fixture);
    }
}

// A local time without a zone: the file's own time tells the zone, or it is taken as UTC and told.
static void test_zone(void)
{
    static const struct {
        double modified_s;
        const char *series;
        unsigned told;
    } cases[] = {{5, "1:2097152", 0},
                 {3605, "3601:2097152", 0},
                 {5 - 7200, "-7199:2097152", 0},
                 {460, "1:2097152", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "m.csv", "timestamp,rss_mb,heap_mb\n2026-12-01 21:00:01,2,1\n",
                       cases[i].modified_s);
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_ZONE_ASSUMED), ==,
                         cases[i].told);
        g_autofree char *series = hr_fixture_series(fixture.run, HR_EVIDENCE_RSS);
        g_assert_cmpstr(series, ==, cases[i].series);
        hr_fixture_clear(&fixture);
    }
}

// A table with a column too many is told to be none that is known; with one less it is read whole.
static void test_columns_limit(void)
{
    for (unsigned more = 0; more < 2; more++) {
        g_autoptr(GString) table = g_string_new("timestamp");
        for (unsigned i = 3; i < 1024 + more; i++) {
            g_string_append(table, ",c");
        }
        g_string_append(table, ",rss_mb,heap_mb\n1796158801");
        for (unsigned i = 3; i < 1024 + more; i++) {
            g_string_append(table, ",0");
        }
        g_string_append(table, ",2,1\n");
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "app.7.0.i0.heap", BODY, 1);
        hr_fixture_add(&fixture, "wide.txt", table->str, 9);
        g_autofree char *wide = g_build_filename(fixture.directory, "wide.txt", NULL);
        const char *paths[] = {wide, NULL};
        fixture.options.evidence_paths = paths;
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_autofree char *series = hr_fixture_series(fixture.run, HR_EVIDENCE_RSS);
        g_assert_cmpstr(series, ==, more ? "" : "1:2097152");
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_UNKNOWN), ==, more);
        hr_fixture_clear(&fixture);
    }
}

static void test_without_dumps(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "smaps_rollup.8.1796158810.txt", ROLLUP("4", "2"), 99);
    hr_fixture_add(&fixture, "smaps_rollup.7.1796158809.txt", ROLLUP("4", "1"), 99);
    hr_fixture_read(&fixture, true);
    hr_fixture_read_evidence(&fixture);
    g_autofree char *series = hr_fixture_series(fixture.run, HR_EVIDENCE_ANONYMOUS);
    g_assert_cmpstr(series, ==, "10:2048");
    hr_fixture_clear(&fixture);
}

// Evidence that lies elsewhere in time: file times of a copy are no clock, others stay.
static void test_clock_against_evidence(void)
{
    static const struct {
        double dumps_s[2];
        enum hr_time_axis axis;
        unsigned reports;
    } cases[] = {
        {{10, 1990}, HR_TIME_MTIME, 0},
        {{2100, 2200}, HR_TIME_MTIME, 0},
        {{90000, 90001}, HR_TIME_SEQUENCE, 1},
        {{90000, 91800}, HR_TIME_MTIME, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "app.7.0.i0.heap", BODY, cases[i].dumps_s[0]);
        hr_fixture_add(&fixture, "app.7.1.i1.heap", BODY, cases[i].dumps_s[1]);
        hr_fixture_add(
            &fixture, "a",
            "# time 1796158800\n" ROLLUP("4", "2") "# time 1796160800\n" ROLLUP("4", "2"), 99);
        hr_fixture_read(&fixture, true);
        hr_fixture_read_evidence(&fixture);
        g_assert_cmpint(fixture.run->time_axis, ==, cases[i].axis);
        g_assert_cmpint(isnan(fixture.run->dumps[0].taken_at_s), ==,
                        cases[i].axis == HR_TIME_SEQUENCE);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_EVIDENCE_ELSEWHERE), ==,
                         cases[i].reports);
        hr_fixture_clear(&fixture);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/evidence/cases", test_cases);
    g_test_add_func("/evidence/reports", test_reports);
    g_test_add_func("/evidence/container", test_container);
    g_test_add_func("/evidence/zone", test_zone);
    g_test_add_func("/evidence/columns-limit", test_columns_limit);
    g_test_add_func("/evidence/without-dumps", test_without_dumps);
    g_test_add_func("/evidence/clock-against-evidence", test_clock_against_evidence);
    return g_test_run();
}
