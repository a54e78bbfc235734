// SPDX-License-Identifier: MIT
// What a house may write for itself, told apart by its first byte: a file of rules ('[' or '#'), a
// template or sentences (both XML). Whatever it is, it is refused or can be used.
#include "fuzz.h"

#include "document/document.h"
#include "ingest/ingest.h"
#include "result/text.h"

static void try_sentences(const uint8_t *bytes, size_t size)
{
    HR_AUTO(hr_text) text = hr_text_load_bytes("fuzz.xml", (const char *)bytes, size, NULL);
    if (!text) {
        return;
    }
    struct hr_phrase phrase = hr_phrase_new("verdict-heap_growth");
    hr_phrase_add_number(&phrase, "growth_bytes", 1e8);
    hr_phrase_add_text_id(&phrase, "window", "window-clock");
    hr_phrase_add_number(&phrase, "duration_s", 100);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_text_append(text, out, &phrase);
}

static json_t *read_sample(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("HR_DATA_DIR"), "testdata", "result", "heap-growth.json", NULL);
    json_t *result = json_load_file(path, 0, NULL);
    g_assert_nonnull(result);
    return result;
}

static void try_template(const char *path)
{
    static json_t *sample;
    if (!sample) {
        sample = read_sample();
    }
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_document) document = hr_document_compose(sample, path, "{}", 2, &error);
    g_assert_true(!document == (error != NULL));
}

static void try_rules(const char *path)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    struct hr_rules rules;
    g_autoptr(GError) error = NULL;
    const bool read = hr_ingest_read_rules(arena, &rules, g_getenv("HR_DATA_DIR"), path, &error);
    g_assert_true(read == !error);
    for (size_t i = 0; read && i < rules.frame_rules_count; i++) {
        g_assert_nonnull(rules.frame_rules[i].glob);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_file file;
    fuzz_file_init(&file, bytes, size);
    if (size > 0 && (bytes[0] == '[' || bytes[0] == '#')) {
        try_rules(file.path);
    } else {
        try_sentences(bytes, size);
        try_template(file.path);
    }
    fuzz_file_clear(&file);
    return 0;
}
