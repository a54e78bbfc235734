// SPDX-License-Identifier: MIT
// Small programs are built here, run, and stripped of their debug data in every way that these can
// be found again; each program told the truth about its own call sites (testdata/symbolize).
#include "elf-support.h"
#include "run-support.h"
#include "symbolize/symbolize.h"

#include <string.h>

#define SPLIT "objcopy --only-keep-debug program program.debug && objcopy --strip-all program && "
#define LINK "objcopy --add-gnu-debuglink=program.debug program"
#define BUILD_ID                                                                                   \
    "id=$(readelf -n program.debug | sed -n 's/.*Build ID: //p') && "                              \
    "mkdir -p debug/.build-id/${id%%${id#??}} && "                                                 \
    "mv program.debug debug/.build-id/${id%%${id#??}}/${id#??}.debug"
#define ANOTHER "cc -g -O0 -I$SOURCES $SOURCES/*.c -Wl,--build-id=none -o other && "

struct recipe {
    const char *title;
    const char *flags; // of the compiler
    const char *tools; // what the machine must have besides cc and objcopy
    const char *script;
    const char *debug_file; // end of its path; NULL: none may answer
    enum hr_trust trust;    // of the names in the program
};

static const struct recipe RECIPES[] = {
    {"in the file", "-O2", "", "true", "program", HR_TRUST_EXACT},
    {"stripped", "-O2", "", "objcopy --strip-all program", NULL, HR_TRUST_NONE},
    {"debuglink by build-id", "-O2 -Wl,--build-id", "", SPLIT LINK, "program.debug",
     HR_TRUST_EXACT},
    {"debuglink by CRC", "-O2 -Wl,--build-id=none", "", SPLIT LINK, "program.debug",
     HR_TRUST_EXACT},
    {"debuglink with another CRC", "-O2 -Wl,--build-id=none", "",
     SPLIT LINK " && printf x >>program.debug", NULL, HR_TRUST_NONE},
    {"debuglink to another build", "-O2 -Wl,--build-id", "",
     SPLIT LINK " && " ANOTHER "mv other program.debug", NULL, HR_TRUST_NONE},
    {"debuglink in .debug", "-O2 -Wl,--build-id", "",
     SPLIT LINK " && mkdir .debug && mv program.debug .debug", ".debug/program.debug",
     HR_TRUST_EXACT},
    {"debuglink in --debug-dir", "-O2 -Wl,--build-id=none", "",
     SPLIT LINK " && mkdir debug && mv program.debug debug", "debug/program.debug", HR_TRUST_EXACT},
    {"build-id in --debug-dir", "-O2 -Wl,--build-id", "readelf", SPLIT BUILD_ID, ".debug",
     HR_TRUST_EXACT},
    {"dwz", "-O2 -gdwarf-5", "dwz", "dwz program", "program", HR_TRUST_EXACT},
    {"dwz's common file", "-O2 -gdwarf-5 -Wl,--build-id", "dwz",
     "cp program twin && dwz -m common.debug -M \"$PWD/common.debug\" program twin && "
     "test -e common.debug",
     "program", HR_TRUST_EXACT},
    {"split units", "-O2 -gsplit-dwarf", "", "test -e program-planted.dwo", "program",
     HR_TRUST_EXACT},
    {"split units of DWARF 4", "-O1 -gdwarf-4 -gsplit-dwarf", "", "test -e program-planted.dwo",
     "program", HR_TRUST_EXACT},
    {"split units linked as a whole", "-O2", "clang ld.lld",
     "clang -g -gdwarf-4 -gsplit-dwarf -O2 -flto -fuse-ld=lld -I$SOURCES $SOURCES/planted.c "
     "$SOURCES/other-part.c $SOURCES/record.c -o program && test -e program_dwo/0.dwo",
     "program", HR_TRUST_EXACT},
    {"split units that are gone", "-O2 -gsplit-dwarf", "", "rm *.dwo", "program", HR_TRUST_SYMBOL},
    {"split units of another build", "-O1 -gdwarf-4 -gsplit-dwarf", "",
     "cc -g -gdwarf-4 -gsplit-dwarf -O0 -DOTHER -I$SOURCES $SOURCES/*.c -o other && "
     "for dwo in other-*.dwo; do mv $dwo program-${dwo#other-}; done",
     "program", HR_TRUST_SYMBOL},
    {"a package of split units", "-O1 -gdwarf-4 -gsplit-dwarf", "dwp",
     "dwp -e program -o program.dwp && rm *.dwo", "program", HR_TRUST_EXACT},
    {"another program's package", "-O1 -gdwarf-4 -gsplit-dwarf", "dwp",
     "cc -g -gdwarf-4 -gsplit-dwarf -O0 -I$SOURCES $SOURCES/*.c -o other && "
     "dwp -e other -o program.dwp && rm *.dwo",
     "program", HR_TRUST_SYMBOL},
    {"static", "-O2 -fno-PIE -static", "", "true", "program", HR_TRUST_EXACT},
    {"static-pie", "-O2 -fPIE -static-pie", "", "true", "program", HR_TRUST_EXACT},
};

// Runs a script in `directory`; false when it fails, which the test's output tells.
static bool run_script(const char *directory, const char *script)
{
    g_auto(GStrv) environment = g_get_environ();
    environment = g_environ_setenv(environment, "SOURCES", HR_TESTDATA "/symbolize", TRUE);
    // A compiler cache gives objects that name another directory.
    environment = g_environ_setenv(environment, "CCACHE_DISABLE", "1", TRUE);
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    g_strv_builder_add_many(words, "sh", "-c", script, NULL);
    g_auto(GStrv) arguments = g_strv_builder_end(words);
    g_autofree char *output = NULL;
    g_autofree char *errors = NULL;
    int status;
    GError *error = NULL;
    g_spawn_sync(directory, arguments, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
                 &errors, &status, &error);
    g_assert_no_error(error);
    if (status != 0) {
        g_test_message("%s: %s", script, errors);
    }
    return status == 0;
}

// The name of the first tool that the machine lacks, or NULL.
static const char *find_missing(const char *tools)
{
    g_auto(GStrv) names = g_strsplit(tools, " ", -1);
    static const char *const always[] = {"cc", "objcopy"};
    for (size_t i = 0; i < G_N_ELEMENTS(always); i++) {
        g_autofree char *path = g_find_program_in_path(always[i]);
        if (!path) {
            return always[i];
        }
    }
    for (char **name = names; *name; name++) {
        g_autofree char *path = **name ? g_find_program_in_path(*name) : g_strdup("");
        if (!path) {
            return tools;
        }
    }
    return NULL;
}

static const struct hr_symbols *name_dump(const char *directory, bool debuginfod,
                                          struct hr_run *run, struct hr_diagnostics *diagnostics)
{
    g_autofree char *dump_path = g_build_filename(directory, "dump", NULL);
    g_autofree char *binary_path = g_build_filename(directory, "program", NULL);
    g_autofree char *debug_path = g_build_filename(directory, "debug", NULL);
    const char *const debug_dirs[] = {debug_path, NULL};
    const struct hr_symbolize_options options = {
        .binary = binary_path, .debug_dirs = debug_dirs, .debuginfod = debuginfod, .jobs = 1};
    GError *error = NULL;
    g_assert_true(hr_test_read_dump(run, dump_path));
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, &error);
    g_assert_no_error(error);
    return symbols;
}

static uint32_t find_location(const struct hr_run *run, uint64_t address)
{
    for (uint32_t i = 0; i < hr_stacks_location_count(run->stacks); i++) {
        if (hr_stacks_location_address(run->stacks, i) == address) {
            return i;
        }
    }
    g_assert_not_reached();
}

// A chain as the truth writes it: innermost first, with `;` between, argument lists off.
static char *write_chain(const struct hr_symbols *symbols, uint32_t location)
{
    const struct hr_location *found = &symbols->locations[location];
    GString *chain = g_string_new(NULL);
    for (uint32_t i = 0; i < found->frame_count; i++) {
        const char *name = symbols->frames[found->first_frame + i].key_name;
        g_string_append_printf(chain, "%s%.*s", i > 0 ? ";" : "", (int)strcspn(name, "("), name);
    }
    return g_string_free(chain, FALSE);
}

// Every site has the trust asked for, and with EXACT the chain and line that the program told.
static void check_sites(const char *directory, const struct hr_run *run,
                        const struct hr_symbols *symbols, enum hr_trust trust)
{
    g_autofree char *path = g_build_filename(directory, "truth", NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) rows = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **row = rows; *row; row++) {
        g_auto(GStrv) cells = g_strsplit(*row, "\t", 3);
        const uint32_t location = find_location(run, g_ascii_strtoull(cells[0], NULL, 16));
        const struct hr_frame *frame = &symbols->frames[symbols->locations[location].first_frame];
        g_assert_cmpint(frame->trust, ==, trust);
        if (trust == HR_TRUST_EXACT) {
            g_autofree char *chain = write_chain(symbols, location);
            g_assert_cmpstr(chain, ==, cells[2]);
            g_assert_cmpuint(frame->line, ==, g_ascii_strtoull(cells[1], NULL, 10));
        }
    }
}

static void check_recipe(const struct recipe *recipe, const char *directory)
{
    g_autofree char *build = g_strdup_printf(
        "cc -g %s -I$SOURCES $SOURCES/planted.c $SOURCES/other-part.c $SOURCES/record.c -o program",
        recipe->flags);
    if (!run_script(directory, build) || !run_script(directory, recipe->script) ||
        !run_script(directory, "./program dump truth")) {
        g_test_message("SKIPPED %s: this machine cannot build it", recipe->title);
        g_test_incomplete(recipe->title);
        return;
    }
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbols *symbols = name_dump(directory, false, run, diagnostics);
    g_assert_cmpint(symbols->binary_match, ==, HR_BINARY_CONFIRMED);
    check_sites(directory, run, symbols, recipe->trust);
    if (recipe->debug_file) {
        g_assert_true(g_str_has_suffix(symbols->binary_debug_file, recipe->debug_file));
    } else {
        g_assert_null(symbols->binary_debug_file);
        g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_BINARY_STRIPPED));
    }
}

static void test_recipe(gconstpointer context)
{
    const struct recipe *recipe = context;
    const char *missing = find_missing(recipe->tools);
    if (missing) {
        g_test_skip(missing);
        return;
    }
    char *directory = hr_test_make_directory();
    check_recipe(recipe, directory);
    hr_test_remove(directory);
}

// Another build under the program's name: said, and none of its names is used.
static void test_mismatch(void)
{
    if (find_missing("")) {
        g_test_skip("no compiler");
        return;
    }
    char *directory = hr_test_make_directory();
    g_assert_true(run_script(directory, "cc -g -O2 -I$SOURCES $SOURCES/planted.c "
                                        "$SOURCES/other-part.c $SOURCES/record.c -o program && "
                                        "./program dump truth && cc -g -O0 -I$SOURCES "
                                        "$SOURCES/planted.c $SOURCES/other-part.c "
                                        "$SOURCES/record.c -o other && mv other program"));
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbols *symbols = name_dump(directory, false, run, diagnostics);
    g_assert_cmpint(symbols->binary_match, ==, HR_BINARY_MISMATCH);
    g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_BINARY_MISMATCH));
    check_sites(directory, run, symbols, HR_TRUST_NONE);
    hr_test_remove(directory);
}

// Debug files that only a server has: asked with --debuginfod alone. The server is a directory.
static void test_debuginfod(void)
{
    const char *missing = find_missing("debuginfod-find readelf");
    if (missing) {
        g_test_skip(missing);
        return;
    }
    char *directory = hr_test_make_directory();
    g_assert_true(run_script(
        directory, "cc -g -O2 -Wl,--build-id -I$SOURCES $SOURCES/planted.c $SOURCES/other-part.c "
                   "$SOURCES/record.c -o program && ./program dump truth && " SPLIT
                   "id=$(readelf -n program.debug | sed -n 's/.*Build ID: //p') && "
                   "mkdir -p server/buildid/$id && mv program.debug server/buildid/$id/debuginfo"));
    g_autofree char *server = g_strdup_printf("file://%s/server", directory);
    g_autofree char *cache = g_build_filename(directory, "cache", NULL);
    g_setenv("DEBUGINFOD_URLS", server, TRUE);
    g_setenv("DEBUGINFOD_CACHE_PATH", cache, TRUE);
    for (int asked = 0; asked <= 1; asked++) {
        HR_AUTO(hr_run) run = hr_run_new();
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        const struct hr_symbols *symbols = name_dump(directory, asked, run, diagnostics);
        check_sites(directory, run, symbols, asked ? HR_TRUST_EXACT : HR_TRUST_NONE);
        g_assert_cmpint(g_file_test(cache, G_FILE_TEST_EXISTS), ==, asked);
        g_assert_cmpint(symbols->binary_debug_file != NULL, ==, asked);
    }
    g_unsetenv("DEBUGINFOD_URLS");
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    check_sites(directory, run, name_dump(directory, true, run, diagnostics), HR_TRUST_NONE);
    g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_DEBUGINFOD_UNUSABLE));
    hr_test_remove(directory);
}

static unsigned count_frames(const struct hr_symbols *symbols, const char *name)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < symbols->frames_count; i++) {
        count += strcmp(symbols->frames[i].key_name, name) == 0;
    }
    return count;
}

// What is local to a C++ file has no linkage name: its scopes tell it from others. The own reader
// reads DWARF 5, libdw DWARF 3. A partial unit that dwz made need not tell its language.
static const struct scopes_case {
    const char *title;
    const char *version;
    const char *tools;
    const char *script;
} SCOPES[] = {
    {"own reader", "5", "g++", "true"},
    {"libdw", "3", "g++", "true"},
    {"dwz's common file", "4", "g++ dwz",
     "cp program twin && dwz -m common.debug -M \"$PWD/common.debug\" program twin"},
};

static void test_scopes(gconstpointer context)
{
    const struct scopes_case *scopes = context;
    const char *missing = find_missing(scopes->tools);
    if (missing) {
        g_test_skip(missing);
        return;
    }
    char *directory = hr_test_make_directory();
    g_autofree char *script = g_strdup_printf(
        "cc -c -O2 -I$SOURCES $SOURCES/record.c && g++ -g -gdwarf-%s -O2 -I$SOURCES "
        "$SOURCES/planted.cc record.o -Wl,--build-id -o program && %s && ./program dump truth",
        scopes->version, scopes->script);
    g_assert_true(run_script(directory, script));
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbols *symbols = name_dump(directory, false, run, diagnostics);
    g_assert_cmpuint(count_frames(symbols, "shop::wrap"), ==, 1);
    g_assert_cmpuint(count_frames(symbols, "wrap"), ==, 0);
    hr_test_remove(directory);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(RECIPES); i++) {
        g_autofree char *name = g_strdup_printf("/debug-files/%s", RECIPES[i].title);
        g_test_add_data_func(name, &RECIPES[i], test_recipe);
    }
    g_test_add_func("/debug-files/mismatch", test_mismatch);
    g_test_add_func("/debug-files/debuginfod", test_debuginfod);
    for (size_t i = 0; i < G_N_ELEMENTS(SCOPES); i++) {
        g_autofree char *name = g_strdup_printf("/debug-files/scopes: %s", SCOPES[i].title);
        g_test_add_data_func(name, &SCOPES[i], test_scopes);
    }
    return g_test_run();
}
