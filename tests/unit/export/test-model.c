// SPDX-License-Identifier: MIT
// The exports that carry whole stacks.
#include "export/export.h"

#include "sample.h"

#include <string.h>
#include <zlib.h>

static const struct hr_sample_options OPTIONS = {
    .dumps_count = 10, .suspects_count = 3, .stacks_count = 2, .depth = 12};

// R = 0: bytes are as written. Stack 1 has no base, stack 5 no final.
static const struct hr_row BASE[] = {{0, 2, 200, 0, 0}, {4, 1, 50, 0, 0}, {5, 7, 70, 0, 0}};
static const struct hr_row FINAL[] = {{0, 5, 500, 0, 0}, {1, 1, 1000, 0, 0}, {4, 1, 20, 0, 0}};

static void give_rows(struct hr_sample *sample, struct hr_export_model *model)
{
    struct hr_dump *dumps = sample->run->dumps;
    for (int i = 0; i < 10; i++) {
        dumps[i].sample_interval_bytes = 0;
    }
    dumps[0].rows = BASE;
    dumps[0].rows_count = G_N_ELEMENTS(BASE);
    dumps[9].rows = FINAL;
    dumps[9].rows_count = G_N_ELEMENTS(FINAL);
    static const struct hr_mapping MAPPINGS[] = {
        {0x55d0c8a00000, 0x55d0c8b00000, 0x1000, "/opt/filedrive/bin/filedrive", true, NULL}};
    sample->run->mappings = MAPPINGS;
    sample->run->mappings_count = G_N_ELEMENTS(MAPPINGS);
    model->run = sample->run;
    model->symbols = sample->symbols;
    model->base = &dumps[0];
    model->final = &dumps[9];
}

static void rename_frames(struct hr_sample *sample, const char *function)
{
    const struct hr_symbols *symbols = sample->symbols;
    for (size_t i = 0; function && i < symbols->frames_count; i++) {
        ((struct hr_frame *)(uintptr_t)symbols->frames)[i].function = function;
    }
}

static GByteArray *exported_with(const char *name, unsigned redacted, const char *function)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&OPTIONS);
    rename_frames(sample, function);
    HR_AUTO(hr_redaction) redaction = hr_redaction_new(redacted);
    struct hr_export_model model = {.redaction = redaction};
    give_rows(sample, &model);
    GByteArray *bytes = g_byte_array_new();
    hr_export_find_name(name)->write_model(&model, bytes);
    return bytes;
}

static GByteArray *exported(const char *name, unsigned redacted)
{
    return exported_with(name, redacted, NULL);
}

static void test_folded(void)
{
    g_autoptr(GByteArray) bytes = exported("folded", 0);
    g_autofree char *page = g_strndup((const char *)bytes->data, bytes->len);
    g_auto(GStrv) lines = g_strsplit(page, "\n", 0);
    // Stacks 0 and 1 differ in their addresses alone.
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_true(g_str_has_prefix(lines[0], "start_thread;std::thread::"));
    g_assert_nonnull(strstr(page, ";_rjem_malloc;_rjem_je_prof_backtrace 1500\n"));
    g_assert_nonnull(strstr(page, ";_rjem_malloc;_rjem_je_prof_backtrace 20\n"));
}

static void test_folded_diff(void)
{
    g_autoptr(GByteArray) bytes = exported("folded-diff", 0);
    g_autofree char *page = g_strndup((const char *)bytes->data, bytes->len);
    g_auto(GStrv) lines = g_strsplit(page, "\n", 0);
    // Stacks 4 and 5 differ in their addresses alone, too.
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_nonnull(strstr(page, ";_rjem_malloc;_rjem_je_prof_backtrace 200 1500\n"));
    g_assert_nonnull(strstr(page, ";_rjem_malloc;_rjem_je_prof_backtrace 120 20\n"));
}

// What one dump alone holds has a 0 for the other; what neither holds has no line.
static void test_folded_diff_of_one_dump(void)
{
    static const struct hr_row NOTHING[] = {{0, 1, 0, 0, 0}, {4, 0, 0, 0, 0}};
    HR_AUTO(hr_sample) sample = hr_sample_new(&OPTIONS);
    HR_AUTO(hr_redaction) redaction = hr_redaction_new(0);
    struct hr_export_model model = {.redaction = redaction};
    give_rows(sample, &model);
    struct hr_dump *base = &sample->run->dumps[0];
    struct hr_dump *final = &sample->run->dumps[9];
    final->rows = NOTHING;
    final->rows_count = 1;
    g_autoptr(GByteArray) gone = g_byte_array_new();
    hr_export_find_name("folded-diff")->write_model(&model, gone);
    g_byte_array_append(gone, (const guint8 *)"", 1);
    g_assert_nonnull(strstr((const char *)gone->data, " 200 0\n"));
    g_assert_nonnull(strstr((const char *)gone->data, " 120 0\n"));
    base->rows = NOTHING;
    base->rows_count = G_N_ELEMENTS(NOTHING);
    g_autoptr(GByteArray) none = g_byte_array_new();
    hr_export_find_name("folded-diff")->write_model(&model, none);
    g_assert_cmpuint(none->len, ==, 0);
}

static void test_folded_is_text(void)
{
    g_autoptr(GByteArray) bytes = exported_with("folded", 0, "a;b\n\xff\x1b\u202e");
    g_autofree char *page = g_strndup((const char *)bytes->data, bytes->len);
    g_assert_true(g_str_has_prefix(page, "a:b\\x0a\\xff\\x1b\\u202e;"));
    g_assert_true(g_utf8_validate(page, -1, NULL));
}

static void test_folded_is_redacted(void)
{
    g_autoptr(GByteArray) bytes = exported("folded", HR_REDACT_SYMBOLS);
    g_autofree char *page = g_strndup((const char *)bytes->data, bytes->len);
    g_assert_null(strstr(page, "filedrive"));
    g_assert_null(strstr(page, "malloc"));
}

// A reader of the wire format, just enough to check what was written.
struct reader {
    const uint8_t *at;
    const uint8_t *end;
};

static uint64_t read_varint(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; reader->at < reader->end && shift < 70; shift += 7) {
        const uint8_t byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return value;
        }
    }
    g_assert_not_reached();
}

// The next field: a number in *value, or its content in *inner.
static unsigned read_field(struct reader *reader, uint64_t *value, struct reader *inner)
{
    const uint64_t tag = read_varint(reader);
    *value = read_varint(reader);
    if ((tag & 7) == 2) {
        g_assert_cmpuint(*value, <=, (uint64_t)(reader->end - reader->at));
        *inner = (struct reader){reader->at, reader->at + *value};
        reader->at = inner->end;
    } else {
        g_assert_cmpuint(tag & 7, ==, 0);
    }
    return (unsigned)(tag >> 3);
}

static GByteArray *unzipped(const GByteArray *zipped)
{
    GByteArray *plain = g_byte_array_new();
    g_byte_array_set_size(plain, 1024 * 1024);
    z_stream stream = {.next_in = zipped->data,
                       .avail_in = zipped->len,
                       .next_out = plain->data,
                       .avail_out = plain->len};
    g_assert_cmpint(inflateInit2(&stream, 15 + 16), ==, Z_OK);
    g_assert_cmpint(inflate(&stream, Z_FINISH), ==, Z_STREAM_END);
    g_byte_array_set_size(plain, (guint)stream.total_out);
    inflateEnd(&stream);
    return plain;
}

struct tally {
    unsigned fields[16];
    int64_t sums[5];
    GPtrArray *strings;
    GHashTable *locations; // ids that samples name, then minus those that are defined
};

static void tally_sample(struct tally *tally, struct reader sample)
{
    while (sample.at < sample.end) {
        uint64_t value;
        struct reader inner;
        const unsigned field = read_field(&sample, &value, &inner);
        for (unsigned i = 0; inner.at < inner.end; i++) {
            const uint64_t number = read_varint(&inner);
            if (field == 1) {
                g_hash_table_add(tally->locations, GUINT_TO_POINTER((guint)number));
            } else {
                g_assert_cmpuint(i, <, 5);
                tally->sums[i] += (int64_t)number;
            }
        }
    }
}

static void tally_profile(struct tally *tally, struct reader profile)
{
    while (profile.at < profile.end) {
        uint64_t value;
        struct reader inner = {NULL, NULL};
        const unsigned field = read_field(&profile, &value, &inner);
        g_assert_cmpuint(field, <, 16);
        tally->fields[field & 15]++;
        if (field == 2) {
            tally_sample(tally, inner);
        } else if (field == 6) {
            g_ptr_array_add(tally->strings,
                            g_strndup((const char *)inner.at, (gsize)(inner.end - inner.at)));
        } else if (field == 4) {
            uint64_t id;
            struct reader unused;
            g_assert_cmpuint(read_field(&inner, &id, &unused), ==, 1);
            g_assert_true(g_hash_table_remove(tally->locations, GUINT_TO_POINTER((guint)id)));
        }
    }
}

static bool has_string(const struct tally *tally, const char *text)
{
    return g_ptr_array_find_with_equal_func(tally->strings, text, g_str_equal, NULL);
}

static void test_pprof(void)
{
    g_autoptr(GByteArray) zipped = exported("pprof", 0);
    g_autoptr(GByteArray) plain = unzipped(zipped);
    struct tally tally = {.strings = g_ptr_array_new_with_free_func(g_free),
                          .locations = g_hash_table_new(NULL, NULL)};
    tally_profile(&tally, (struct reader){plain->data, plain->data + plain->len});
    g_assert_cmpuint(tally.fields[1], ==, 5);
    g_assert_cmpuint(tally.fields[2], ==, 4);
    g_assert_cmpuint(tally.fields[3], ==, 1);
    g_assert_cmpint(tally.sums[0], ==, 7);
    g_assert_cmpint(tally.sums[1], ==, 1520);
    g_assert_cmpint(tally.sums[2], ==, 10);
    g_assert_cmpint(tally.sums[3], ==, 320);
    g_assert_cmpint(tally.sums[4], ==, 1200);
    // Every location that a sample names is defined, once.
    g_assert_cmpuint(g_hash_table_size(tally.locations), ==, 0);
    g_assert_cmpstr(g_ptr_array_index(tally.strings, 0), ==, "");
    g_assert_true(has_string(&tally, "filedrive::cache::MetadataCache::insert"));
    g_assert_true(has_string(&tally, "growth_space"));
    g_ptr_array_unref(tally.strings);
    g_hash_table_unref(tally.locations);
}

static void test_pprof_is_text(void)
{
    g_autoptr(GByteArray) zipped = exported_with("pprof", 0, "odd\xff");
    g_autoptr(GByteArray) plain = unzipped(zipped);
    struct tally tally = {.strings = g_ptr_array_new_with_free_func(g_free),
                          .locations = g_hash_table_new(NULL, NULL)};
    tally_profile(&tally, (struct reader){plain->data, plain->data + plain->len});
    g_assert_true(has_string(&tally, "odd\\xff"));
    for (guint i = 0; i < tally.strings->len; i++) {
        const char *text = g_ptr_array_index(tally.strings, i);
        g_assert_true(g_utf8_validate(text, -1, NULL));
        for (guint k = 0; k < i; k++) {
            g_assert_cmpstr(text, !=, g_ptr_array_index(tally.strings, k));
        }
    }
    g_ptr_array_unref(tally.strings);
    g_hash_table_unref(tally.locations);
}

static void test_same_bytes_twice(void)
{
    g_autoptr(GByteArray) first = exported("pprof", 0);
    g_autoptr(GByteArray) second = exported("pprof", 0);
    g_assert_cmpmem(first->data, first->len, second->data, second->len);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/export/folded", test_folded);
    g_test_add_func("/export/folded-diff", test_folded_diff);
    g_test_add_func("/export/folded-diff-of-one-dump", test_folded_diff_of_one_dump);
    g_test_add_func("/export/folded-is-text", test_folded_is_text);
    g_test_add_func("/export/pprof-is-text", test_pprof_is_text);
    g_test_add_func("/export/folded-is-redacted", test_folded_is_redacted);
    g_test_add_func("/export/pprof", test_pprof);
    g_test_add_func("/export/same-bytes-twice", test_same_bytes_twice);
    return g_test_run();
}
