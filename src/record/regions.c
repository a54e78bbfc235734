// SPDX-License-Identifier: MIT
#include "record/regions.h"

#include "base/files.h"
#include "ingest/smaps.h"

#include <time.h>

#define SMAPS_BYTES_MAX ((size_t)256 * 1024 * 1024)
// Reading it takes at most one part in so many of one processor.
#define COST_PARTS 200

static const struct {
    const char *name;
    enum hr_evidence_id id;
} fields[] = {
    {"thread_stacks_bytes", HR_EVIDENCE_THREAD_STACKS},
    {"glibc_arenas_bytes", HR_EVIDENCE_GLIBC_ARENAS},
};

static double processor_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool read_sums(long pid, struct hr_smaps_sums *sums)
{
    g_autofree char *path = g_strdup_printf("/proc/%ld/smaps", pid);
    g_autofree char *text = NULL;
    size_t size;
    return hr_file_read(path, SMAPS_BYTES_MAX, &text, &size, NULL) &&
           hr_smaps_sum(text, size, sums);
}

bool hr_regions_sample(GString *out, long pid, struct hr_regions_pace *pace)
{
    const double now_s = (double)g_get_monotonic_time() / 1e6;
    if (now_s < pace->due_s) {
        return false;
    }
    const double began_s = processor_s();
    struct hr_smaps_sums sums;
    const bool was_read = read_sums(pid, &sums);
    pace->due_s = now_s + COST_PARTS * (processor_s() - began_s);
    if (!was_read) {
        return false;
    }
    g_autoptr(GString) group = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
        g_string_append_printf(group, "%s\"%s\":%.0f", i > 0 ? "," : "", fields[i].name,
                               sums.bytes[fields[i].id]);
    }
    g_string_append_printf(out, "%s\"smaps\":{%s}", out->len > 0 ? "," : "", group->str);
    return true;
}
