// SPDX-License-Identifier: MIT
// Code without a file: perf maps, a program at fixed addresses without any map, and the maps of
// other systems.
#include "elf-support.h"
#include "run-support.h"
#include "symbolize/symbolize.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>

static const struct hr_frame *get_frame(const struct hr_symbols *symbols, uint32_t location)
{
    return &symbols->frames[symbols->locations[location].first_frame];
}

static const struct hr_symbols *name(struct hr_run *run, const struct hr_symbolize_options *options,
                                     struct hr_diagnostics *diagnostics)
{
    GError *error = NULL;
    const struct hr_symbols *symbols = hr_symbolize(run, options, diagnostics, &error);
    g_assert_no_error(error);
    return symbols;
}

// A process with generated code on an anonymous line, on a named one, and none on the vdso.
static struct hr_run *make_jit_run(const char *directory)
{
    struct hr_run *run = hr_run_new();
    run->key.pid = 77;
    run->directory = directory;
    hr_test_add_mapping(run, 0x10000, 0x20000, 0, "", true);
    hr_test_add_mapping(run, 0x30000, 0x40000, 0, "/memfd:jit (deleted)", true);
    hr_test_add_mapping(run, 0x50000, 0x51000, 0, "[vdso]", true);
    const uint64_t addresses[] = {0x11010, 0x12010, 0x13000, 0x31001, 0x50010, 0x60000, 0x14010};
    hr_stacks_intern(run->stacks, addresses, G_N_ELEMENTS(addresses));
    return run;
}

static const char MAP[] = "11000 10 Builtin:a b\n"        // ends right behind the call
                          "12000 20 first\n"              // replaced by the next
                          "12008 10 second <anon>;x\r\n"  //
                          "13000 10 begins at the call\n" // the call is one byte before
                          "0x31000 0x100 in memfd\n"      //
                          "50000 1000 vdso\n"             //
                          "60000 10 nowhere\n"            //
                          "14000 ffffffffffffffff \n"     // no name
                          "14000\n"
                          "zz 10 name\n"
                          "14000 20 \xff\n"
                          "99999999999999999999 10 overflow";

static void check_jit_names(const struct hr_symbols *symbols)
{
    g_assert_cmpstr(get_frame(symbols, 0)->function, ==, "Builtin:a b");
    g_assert_cmpint(get_frame(symbols, 0)->trust, ==, HR_TRUST_SYMBOL);
    g_assert_cmpstr(get_frame(symbols, 1)->function, ==, "second <anon>;x");
    g_assert_cmpint(get_frame(symbols, 1)->trust, ==, HR_TRUST_GUESSED);
    g_assert_cmpstr(get_frame(symbols, 2)->function, ==, "0x13000");
    g_assert_cmpint(get_frame(symbols, 2)->trust, ==, HR_TRUST_NONE);
    g_assert_cmpstr(get_frame(symbols, 3)->function, ==, "in memfd");
    g_assert_cmpstr(get_frame(symbols, 4)->function, ==, "[vdso]+0x10");
    g_assert_cmpstr(get_frame(symbols, 5)->function, ==, "0x60000");
    g_assert_cmpstr(get_frame(symbols, 6)->function, ==, "0x14010");
}

static void test_perf_map(void)
{
    char *directory = hr_test_make_directory();
    HR_AUTO(hr_run) run = make_jit_run(directory);
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {0};
    g_autofree char *path = g_build_filename(directory, "perf-77.map", NULL);
    g_assert_true(g_file_set_contents(path, MAP, sizeof MAP - 1, NULL));
    check_jit_names(name(run, &options, diagnostics));
    const struct hr_diagnostic *told = hr_diagnostics_find(diagnostics, HR_DIAG_GENERATED_NAMED);
    g_assert_nonnull(told);
    g_assert_cmpstr(told->files[0], ==, path);
    g_assert_cmpstr(told->slots[0].value, ==, "3");
    g_assert_cmpstr(told->slots[1].value, ==, "5");
    hr_test_remove(directory);
}

// Where the process itself wrote it, but only inside --root: this host's /tmp is another one's.
static void test_perf_map_below_root(void)
{
    char *directory = hr_test_make_directory();
    HR_AUTO(hr_run) run = make_jit_run("/nowhere");
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {.root = directory};
    g_autofree char *tmp = g_build_filename(directory, "tmp", NULL);
    g_autofree char *path = g_build_filename(tmp, "perf-77.map", NULL);
    g_assert_cmpint(g_mkdir(tmp, 0700), ==, 0);
    g_assert_true(g_file_set_contents(path, MAP, sizeof MAP - 1, NULL));
    check_jit_names(name(run, &options, diagnostics));
    hr_test_remove(directory);
}

// Another process's map says nothing, and what is missing is told.
static void test_perf_map_of_another(void)
{
    char *directory = hr_test_make_directory();
    HR_AUTO(hr_run) run = make_jit_run(directory);
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {0};
    g_autofree char *path = g_build_filename(directory, "perf-7.map", NULL);
    g_assert_true(g_file_set_contents(path, MAP, sizeof MAP - 1, NULL));
    const struct hr_symbols *symbols = name(run, &options, diagnostics);
    g_assert_cmpstr(get_frame(symbols, 0)->function, ==, "0x11010");
    g_assert_cmpstr(get_frame(symbols, 3)->function, ==, "memfd:jit (deleted)+0x1001");
    const struct hr_diagnostic *told = hr_diagnostics_find(diagnostics, HR_DIAG_GENERATED_UNNAMED);
    g_assert_nonnull(told);
    g_assert_cmpstr(told->slots[1].value, ==, "77");
    hr_test_remove(directory);
}

// Ten calls of 16 bytes each at 0x401000, all in the function "fixed".
static char *write_fixed(uint16_t type)
{
    guint8 code[0x100];
    memset(code, 0x90, sizeof code);
    for (size_t i = 0; i < 10; i++) {
        code[16 * i + 3] = 0xe8;
    }
    static const char strings[] = "\0fixed";
    const Elf64_Sym symbols[2] = {{0},
                                  {.st_name = 1,
                                   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                   .st_shndx = 1,
                                   .st_value = 0x401000,
                                   .st_size = 0x100}};
    const struct hr_test_section sections[] = {
        {.name = ".symtab",
         .type = SHT_SYMTAB,
         .bytes = symbols,
         .size = sizeof symbols,
         .entry_size = sizeof symbols[0],
         .link = 2},
        {.name = ".strtab", .type = SHT_STRTAB, .bytes = strings, .size = sizeof strings},
    };
    static const struct hr_test_segment text[] = {
        {0x1000, 0x401000, 0x100, 0x100, 0x1000, PF_R | PF_X}};
    return hr_test_elf_write(&(struct hr_test_elf){.type = type,
                                                   .segments = text,
                                                   .segments_count = 1,
                                                   .sections = sections,
                                                   .sections_count = 2,
                                                   .code = code,
                                                   .code_size = sizeof code,
                                                   .code_offset = 0x1000});
}

struct fixed_case {
    const char *title;
    uint16_t type;
    unsigned calls;  // addresses behind calls
    unsigned others; // addresses in the file that are behind none
    enum hr_binary_match match;
    const char *reason;
    enum hr_trust trust; // of the first
};

static const struct fixed_case FIXED[] = {
    {"confirmed", ET_EXEC, 10, 0, HR_BINARY_CONFIRMED, "match-fixed", HR_TRUST_SYMBOL},
    {"few", ET_EXEC, 3, 0, HR_BINARY_UNKNOWN, "match-few", HR_TRUST_GUESSED},
    {"another build", ET_EXEC, 5, 5, HR_BINARY_MISMATCH, "match-calls", HR_TRUST_NONE},
    {"none in it", ET_EXEC, 0, 0, HR_BINARY_UNKNOWN, "match-no-addresses", HR_TRUST_NONE},
    {"not fixed", ET_DYN, 10, 0, HR_BINARY_UNKNOWN, "match-no-maps", HR_TRUST_NONE},
};

static void test_fixed(gconstpointer context)
{
    const struct fixed_case *fixed = context;
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    uint64_t addresses[21];
    uint32_t count = 0;
    for (unsigned i = 0; i < fixed->calls; i++) {
        addresses[count++] = 0x401008 + 16 * i;
    }
    for (unsigned i = 0; i < fixed->others; i++) {
        addresses[count++] = 0x401001 + 16 * i;
    }
    addresses[count++] = 0x7f0000001000; // in a library
    hr_stacks_intern(run->stacks, addresses, count);
    char *path = write_fixed(fixed->type);
    const struct hr_symbolize_options options = {.binary = path};
    const struct hr_symbols *symbols = name(run, &options, diagnostics);
    g_assert_cmpint(symbols->binary_match, ==, fixed->match);
    g_assert_cmpstr(symbols->binary_match_reason.id, ==, fixed->reason);
    g_assert_cmpint(get_frame(symbols, 0)->trust, ==, fixed->trust);
    if (fixed->trust != HR_TRUST_NONE) {
        g_assert_cmpstr(get_frame(symbols, 0)->function, ==, "fixed");
    }
    g_assert_cmpint(get_frame(symbols, count - 1)->trust, ==, HR_TRUST_NONE);
    g_assert_cmpuint(run->mappings_count, ==, 0);
    hr_test_remove(path);
}

// Module and offset, whatever the system's map tells: FreeBSD's has several lines and no offsets,
// macOS's one line a library.
static void test_other_systems(void)
{
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {0};
    hr_test_add_mapping(run, 0x200000, 0x210000, 0, "/usr/local/bin/served", false);
    hr_test_add_mapping(run, 0x210000, 0x240000, 0, "/usr/local/bin/served", true);
    hr_test_add_mapping(run, 0x240000, 0x250000, 0, "/usr/local/bin/served", false);
    hr_test_add_mapping(run, 0x104000000, 0x104100000, 0, "/Applications/A.app/B", true);
    hr_test_add_mapping(run, 0x104100000, 0x104200000, 0, "/usr/lib/libSystem.B.dylib", true);
    const uint64_t addresses[] = {0x210123, 0x104000456, 0x104100789};
    hr_stacks_intern(run->stacks, addresses, G_N_ELEMENTS(addresses));
    const struct hr_symbols *symbols = name(run, &options, diagnostics);
    g_assert_cmpstr(get_frame(symbols, 0)->function, ==, "served+0x10123");
    g_assert_cmpstr(get_frame(symbols, 1)->function, ==, "B+0x456");
    g_assert_cmpstr(get_frame(symbols, 2)->function, ==, "libSystem.B.dylib+0x789");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/generated/perf-map", test_perf_map);
    g_test_add_func("/generated/perf-map-below-root", test_perf_map_below_root);
    g_test_add_func("/generated/perf-map-of-another", test_perf_map_of_another);
    g_test_add_func("/generated/other-systems", test_other_systems);
    for (size_t i = 0; i < G_N_ELEMENTS(FIXED); i++) {
        g_autofree char *title = g_strdup_printf("/generated/fixed: %s", FIXED[i].title);
        g_test_add_data_func(title, &FIXED[i], test_fixed);
    }
    return g_test_run();
}
