// SPDX-License-Identifier: MIT
// Names vaddrs of one file, as llvm-symbolizer does: for timing and for comparing, address by
// address. `sites` prints addresses inside call instructions of the file, evenly spread.
// usage: symbolize-addresses names|raw|libdw|libdw-raw FILE < ADDRESSES
//        symbolize-addresses sites FILE COUNT
#include "symbolize/debug.h"
#include "symbolize/match.h"
#include "symbolize/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gint compare_vaddrs(gconstpointer a, gconstpointer b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static GArray *read_addresses(void)
{
    GArray *addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        const uint64_t address = strtoull(line, NULL, 16);
        g_array_append_val(addresses, address);
    }
    return addresses;
}

// Sorted and unique.
static GArray *prepare(const GArray *addresses)
{
    GArray *sorted = g_array_copy((GArray *)(uintptr_t)addresses);
    g_array_sort(sorted, compare_vaddrs);
    uint64_t *all = (uint64_t *)(void *)sorted->data;
    guint kept = 0;
    for (guint i = 0; i < sorted->len; i++) {
        if (kept == 0 || all[kept - 1] != all[i]) {
            all[kept++] = all[i];
        }
    }
    g_array_set_size(sorted, kept);
    return sorted;
}

// NULL names: as mangled.
static void print_name(const char *symbol, struct hr_names *names)
{
    puts(!symbol ? "??" : names ? hr_names_get(names, symbol).key_name : symbol);
}

static void print_address(const struct hr_debug *debug, const struct hr_lookup *lookup,
                          uint64_t vaddr, struct hr_names *names)
{
    const struct hr_symbol *symbol = hr_symtab_find(debug->symtab, vaddr);
    const struct hr_lookup_answer *answer = &lookup->answers[hr_lookup_find_first(lookup, vaddr)];
    for (uint32_t i = 0; i < answer->frame_count; i++) {
        const struct hr_lookup_frame *frame =
            &g_array_index(lookup->frames, struct hr_lookup_frame, answer->first_frame + i);
        const char *name = frame->linkage_name ? frame->linkage_name : frame->name;
        const bool outermost = i + 1 == answer->frame_count;
        print_name(outermost && symbol ? symbol->name : name, names);
        printf("%s:%u\n", frame->file ? frame->file : "??", frame->line);
    }
    if (answer->frame_count == 0) {
        print_name(symbol ? symbol->name : NULL, names);
        puts("??:0");
    }
    putchar('\n');
}

static int name_addresses(const struct hr_object *object, bool demangled, bool by_libdw)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    HR_AUTO(hr_names) names = hr_names_new(strings);
    g_autoptr(GArray) addresses = read_addresses();
    g_autoptr(GArray) sorted = prepare(addresses);
    const struct hr_debug_search search = {0};
    HR_AUTO(hr_debug) debug = hr_debug_new(object, &search);
    HR_AUTO(hr_lookup) lookup = hr_lookup_new((const uint64_t *)(void *)sorted->data, sorted->len);
    if (by_libdw) {
        hr_debug_read_libdw(debug, lookup);
    } else {
        hr_debug_read(debug, lookup);
    }
    for (guint i = 0; i < addresses->len; i++) {
        print_address(debug, lookup, g_array_index(addresses, uint64_t, i),
                      demangled ? names : NULL);
    }
    return 0;
}

// What looks like a call inside a function; a direct one must lead into code.
static void add_sites(const struct hr_object *object, const struct hr_symtab *symtab,
                      const struct hr_segment *segment, GArray *sites)
{
    const unsigned char *code = object->bytes + segment->offset;
    for (uint64_t at = 5; at < segment->file_size; at++) {
        const uint64_t vaddr = segment->vaddr + at;
        int32_t relative;
        memcpy(&relative, code + at - 4, sizeof relative);
        const bool direct = code[at - 5] == 0xe8;
        if (!hr_match_is_behind_call(object, vaddr) || !hr_symtab_find(symtab, vaddr - 1) ||
            (direct && !hr_match_is_code(object, vaddr + (uint64_t)(int64_t)relative))) {
            continue;
        }
        const uint64_t inside = vaddr - 1;
        g_array_append_val(sites, inside);
    }
}

static int print_sites(const struct hr_object *object, unsigned long wanted)
{
    HR_AUTO(hr_symtab) symtab = hr_symtab_new(object, NULL);
    g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (size_t i = 0; i < object->segments_count; i++) {
        if (object->segments[i].executable) {
            add_sites(object, symtab, &object->segments[i], sites);
        }
    }
    const unsigned long count = MIN(wanted, sites->len);
    for (unsigned long i = 0; i < count; i++) {
        const unsigned long pick = (unsigned long)(((unsigned __int128)i * sites->len) / count);
        printf("0x%" PRIx64 "\n", g_array_index(sites, uint64_t, pick));
    }
    return count == wanted ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: symbolize-addresses names|raw|libdw|libdw-raw FILE < ADDRESSES\n"
                        "       symbolize-addresses sites FILE COUNT\n");
        return 2;
    }
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_object) object = hr_object_new(NULL, argv[2], &error);
    if (!object) {
        fprintf(stderr, "symbolize-addresses: %s: %s\n", argv[2], error->message);
        return 3;
    }
    if (strcmp(argv[1], "sites") == 0 && argc > 3) {
        return print_sites(object, strtoul(argv[3], NULL, 10));
    }
    const bool raw = g_str_has_suffix(argv[1], "raw");
    return name_addresses(object, !raw, g_str_has_prefix(argv[1], "libdw"));
}
