// SPDX-License-Identifier: MIT
#include "command/option_table.h"

#include <math.h>
#include <string.h>

// A parsed command line and the words that its values point into.
struct parsed {
    struct hr_options options;
    char **argv;
};

static bool parse(struct parsed *parsed, const char *const *words, GError **error)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_ptr_array_add(argv, g_strdup("heapreport"));
    for (const char *const *word = words; *word; word++) {
        g_ptr_array_add(argv, g_strdup(*word));
    }
    const int argc = (int)argv->len;
    g_ptr_array_add(argv, NULL);
    parsed->argv = (char **)g_ptr_array_free(g_steal_pointer(&argv), FALSE);
    hr_options_init(&parsed->options);
    return hr_options_parse(&parsed->options, argc, parsed->argv, error);
}

static void parsed_clear(struct parsed *parsed)
{
    hr_options_clear(&parsed->options);
    g_strfreev(parsed->argv);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_values(void)
{
    struct parsed parsed;
    g_autoptr(GError) error = NULL;
    g_assert_true(
        parse(&parsed,
              WORDS("--dir", "dumps", "--binary=app", "-o", "a.pdf", "-ob.json", "--limit", "2GiB",
                    "--warmup", "5m", "--since", "@10", "--label", "host=a=b", "--full", "-qj4",
                    "--pid", "77", "-o", "-", "--format", "txt"),
              &error));
    g_assert_no_error(error);
    g_assert_cmpint(parsed.options.verb, ==, HR_VERB_REPORT);
    g_assert_cmpstr(parsed.options.directory, ==, "dumps");
    g_assert_cmpstr(parsed.options.binary, ==, "app");
    g_assert_cmpuint(parsed.options.outputs->len, ==, 3);
    g_assert_cmpstr(parsed.options.outputs->pdata[1], ==, "b.json");
    g_assert_cmpstr(parsed.options.outputs->pdata[2], ==, "-");
    g_assert_cmpfloat(parsed.options.limit_bytes, ==, 0x1p31);
    g_assert_cmpfloat(parsed.options.warmup_s, ==, 300);
    g_assert_false(parsed.options.warmup_auto);
    g_assert_cmpfloat(parsed.options.since_s, ==, 10);
    g_assert_true(isnan(parsed.options.until_s));
    g_assert_cmpstr(parsed.options.labels->pdata[0], ==, "host=a=b");
    g_assert_true(parsed.options.full && parsed.options.quiet && !parsed.options.verbose);
    g_assert_cmpuint(parsed.options.jobs, ==, 4);
    g_assert_cmpint(parsed.options.pid, ==, 77);
    parsed_clear(&parsed);
}

// What is said in capitals is meant the same.
static void test_paper(void)
{
    static const char *const papers[][2] = {{"A4", "a4"}, {"a4", "a4"}, {"Letter", "letter"}};
    for (size_t i = 0; i < G_N_ELEMENTS(papers); i++) {
        struct parsed parsed;
        g_assert_true(parse(&parsed, WORDS("--paper", papers[i][0]), NULL));
        g_assert_cmpstr(parsed.options.paper, ==, papers[i][1]);
        parsed_clear(&parsed);
    }
}

static void test_verbs(void)
{
    struct parsed parsed;
    g_assert_true(parse(&parsed, WORDS("render", "r.json", "-o", "x.pdf"), NULL));
    g_assert_cmpint(parsed.options.verb, ==, HR_VERB_RENDER);
    g_assert_cmpstr(parsed.options.input_file, ==, "r.json");
    parsed_clear(&parsed);
    // --every is a count for a report and a time for the recorder.
    g_assert_true(
        parse(&parsed, WORDS("record", "--pid", "1", "--dir", "d", "--every", "5s"), NULL));
    g_assert_cmpfloat(parsed.options.interval_s, ==, 5);
    g_assert_cmpuint(parsed.options.every, ==, 1);
    parsed_clear(&parsed);
    g_assert_true(parse(&parsed, WORDS("render", "--", "-r.json"), NULL));
    g_assert_cmpstr(parsed.options.input_file, ==, "-r.json");
    parsed_clear(&parsed);
}

// What is wrong must be named in the message, with what was probably meant.
static void test_refusals(void)
{
    static const struct {
        const char *word;
        const char *value;
        const char *message;
    } refusals[] = {
        {"--binray", "app", "did you mean --binary?"},
        {"--out", "x.pdf", "did you mean --output?"},
        {"--for", "5m", "unknown option --for"}, // the recorder's, not the report's
        {"--frobnicate", NULL, "--help"},
        {"-x", NULL, "unknown option -x"},
        {"--dir", NULL, "--dir needs a value"},
        {"--dir=", NULL, "--dir needs a value"},
        {"-o", NULL, "--output needs a value"},
        {"--full=yes", NULL, "takes no value"},
        {"--limit", "lots", "--limit: \"lots\" is no size"},
        {"--warmup", "soon", "--warmup: \"soon\""},
        {"--pid", "0", "--pid: \"0\""},
        {"--label", "host", "KEY=VALUE"},
        {"--label", "=x", "KEY=VALUE"},
        {"--limit", "0", "--limit: \"0\" is not above 0"},
        {"--paper", "a5", "--paper: \"a5\" is neither a4 nor letter"},
        {"--points", "513", "--points"},
        {"frobnicate", NULL, "unknown command \"frobnicate\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
        struct parsed parsed;
        g_autoptr(GError) error = NULL;
        g_assert_false(parse(&parsed, WORDS(refusals[i].word, refusals[i].value), &error));
        g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
        g_test_message("%s", error->message);
        g_assert_nonnull(strstr(error->message, refusals[i].message));
        parsed_clear(&parsed);
    }
    struct parsed parsed;
    g_assert_false(parse(&parsed, WORDS("--since", "@20", "--until", "@10"), NULL));
    parsed_clear(&parsed);
    g_assert_false(parse(&parsed, WORDS("--dir", "a", "b"), NULL));
    parsed_clear(&parsed);
}

// Two ways to ask for the same give one line; what does not change the result is not in it.
static void test_reproduce(void)
{
    struct parsed parsed;
    g_assert_true(
        parse(&parsed,
              WORDS("-o", "x.pdf", "--top", "3", "--dir", "my dumps", "--top", "5", "-v", "--label",
                    "b=2", "--jobs", "2", "--label", "a=1", "--full", "--title", "it's"),
              NULL));
    g_autofree char *line = hr_options_reproduce(&parsed.options);
    g_assert_cmpstr(line, ==,
                    "heapreport --dir 'my dumps' --full --label a=1 --label b=2 "
                    "--title 'it'\\''s' --top 5");
    parsed_clear(&parsed);
}

// The help of each verb shows each of its options, within 80 columns, two examples first.
static void test_help(void)
{
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        g_autoptr(GString) help = g_string_new(NULL);
        hr_options_append_help(help, (enum hr_verb)verb);
        g_auto(GStrv) lines = g_strsplit(help->str, "\n", -1);
        g_assert_cmpstr(lines[0], ==, "Examples:");
        g_assert_true(g_str_has_prefix(lines[1], "  heapreport"));
        g_assert_true(g_str_has_prefix(lines[2], "  heapreport"));
        for (char **line = lines; *line; line++) {
            g_assert_cmpuint(strlen(*line), <=, 80);
        }
        for (const struct hr_option *option = hr_option_table(); option->name; option++) {
            g_autofree char *name = g_strdup_printf("--%s ", option->name);
            const bool shown = strstr(help->str, name) != NULL;
            g_assert_true(shown || !(option->verbs & (1u << verb)));
        }
    }
}

// Names and letters are unique within a verb; otherwise the first row would hide the second.
static void test_table(void)
{
    for (const struct hr_option *option = hr_option_table(); option->name; option++) {
        for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
            if (!(option->verbs & (1u << verb))) {
                continue;
            }
            g_assert_true(hr_option_find((enum hr_verb)verb, option->name) == option);
            g_assert_true(!option->letter ||
                          hr_option_find_letter((enum hr_verb)verb, option->letter) == option);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/options/values", test_values);
    g_test_add_func("/options/paper", test_paper);
    g_test_add_func("/options/verbs", test_verbs);
    g_test_add_func("/options/refusals", test_refusals);
    g_test_add_func("/options/reproduce", test_reproduce);
    g_test_add_func("/options/help", test_help);
    g_test_add_func("/options/table", test_table);
    return g_test_run();
}
