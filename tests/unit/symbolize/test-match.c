// SPDX-License-Identifier: MIT
#include "elf-support.h"
#include "symbolize/match.h"

#include <string.h>

// As lld lays out: the text's vaddr differs from its offset, neighbours share a page of the file.
static const struct hr_test_segment lld_like[] = {
    {0x0, 0x0, 0x1cdc, 0, 0x1000, PF_R},
    {0x1ce0, 0x2ce0, 0x5000, 0, 0x1000, PF_R | PF_X},
    {0x6ce0, 0x8ce0, 0x500, 0x900, 0x1000, PF_R | PF_W},
};

static struct hr_object *open_object(const struct hr_test_elf *elf)
{
    char *path = hr_test_elf_write(elf);
    GError *error = NULL;
    struct hr_object *object = hr_object_new(NULL, path, &error);
    g_assert_no_error(error);
    hr_test_remove(path);
    return object;
}

static struct hr_object *open_segments(const struct hr_test_segment *segments, size_t count)
{
    return open_object(&(struct hr_test_elf){.segments = segments, .segments_count = count});
}

static void test_bias_of_shared_page(void)
{
    HR_AUTO(hr_object) object = open_segments(lld_like, G_N_ELEMENTS(lld_like));
    const uint64_t base = 0x555500000000;
    const struct hr_mapping headers = {base, base + 0x2000, 0, "/p", false, NULL};
    const struct hr_mapping text = {base + 0x2000, base + 0x8000, 0x1000, "/p", true, NULL};
    const struct hr_mapping after = {base + 0x8000, base + 0x9000, 0x6000, "/p", false, NULL};
    uint64_t bias;
    g_assert_true(hr_match_find_bias(object, &headers, &bias));
    g_assert_cmphex(bias, ==, base);
    g_assert_true(hr_match_find_bias(object, &text, &bias));
    g_assert_cmphex(bias, ==, base);
    g_assert_true(hr_match_find_bias(object, &after, &bias));
    g_assert_cmphex(bias, ==, base);
    const struct hr_mapping *const lines[] = {&headers, &text, &after};
    g_assert_true(hr_match_fits_lines(object, lines, 3, false));
}

// Prelinked to an address above the one it is mapped at: the bias wraps.
static void test_negative_bias(void)
{
    static const struct hr_test_segment segments[] = {
        {0x0, 0x3000000000, 0x4000, 0, 0x200000, PF_R | PF_X}};
    HR_AUTO(hr_object) object = open_segments(segments, 1);
    const struct hr_mapping text = {0x1000000000, 0x1000004000, 0, "/l", true, NULL};
    uint64_t bias;
    g_assert_true(hr_match_find_bias(object, &text, &bias));
    g_assert_cmphex(0x1000001234 - bias, ==, 0x3000001234);
}

static void test_64k_pages(void)
{
    static const struct hr_test_segment segments[] = {
        {0x0, 0x0, 0x12345, 0, 0x10000, PF_R | PF_X},
        {0x1fd00, 0x2fd00, 0x400, 0, 0x10000, PF_R | PF_W}};
    HR_AUTO(hr_object) object = open_segments(segments, 2);
    const struct hr_mapping text = {0xaaaa0000, 0xaaac0000, 0, "/l", true, NULL};
    const struct hr_mapping writable = {0xaaac0000, 0xaaae0000, 0x10000, "/l", false, NULL};
    const struct hr_mapping *const lines[] = {&text, &writable};
    uint64_t bias;
    g_assert_true(hr_match_fits_lines(object, lines, 2, false));
    g_assert_true(hr_match_find_bias(object, &writable, &bias));
    g_assert_cmphex(bias, ==, 0xaaaa0000);
}

static void test_lines_that_do_not_fit(void)
{
    HR_AUTO(hr_object) object = open_segments(lld_like, G_N_ELEMENTS(lld_like));
    const struct hr_mapping short_text = {0x2000, 0x7000, 0x1000, "/p", true, NULL};
    const struct hr_mapping long_text = {0x2000, 0x9000, 0x1000, "/p", true, NULL};
    const struct hr_mapping not_text = {0x0, 0x2000, 0x0, "/p", true, NULL};
    const struct hr_mapping *lines[] = {&short_text};
    g_assert_false(hr_match_fits_lines(object, lines, 1, false));
    g_assert_true(hr_match_fits_lines(object, lines, 1, true)); // the rest went to huge pages
    lines[0] = &long_text;
    g_assert_false(hr_match_fits_lines(object, lines, 1, true));
    lines[0] = &not_text;
    g_assert_false(hr_match_fits_lines(object, lines, 1, false));
}

// One text in three lines, as mprotect leaves it.
static void test_several_lines(void)
{
    HR_AUTO(hr_object) object = open_segments(lld_like, G_N_ELEMENTS(lld_like));
    const struct hr_mapping parts[] = {{0x2000, 0x3000, 0x1000, "/p", true, NULL},
                                       {0x3000, 0x5000, 0x2000, "/p", true, NULL},
                                       {0x5000, 0x8000, 0x4000, "/p", true, NULL}};
    const struct hr_mapping *const lines[] = {&parts[0], &parts[1], &parts[2]};
    g_assert_true(hr_match_fits_lines(object, lines, 3, false));
    for (size_t i = 0; i < 3; i++) {
        uint64_t bias;
        g_assert_true(hr_match_find_bias(object, lines[i], &bias));
        g_assert_cmphex(bias, ==, 0);
    }
}

static const struct {
    const char *what;
    uint16_t machine;
    unsigned char code[8]; // the address stands behind these
    bool is_call;
} codes[] = {
    {"call rel32", EM_X86_64, {0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4}, true},
    {"call *rax", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0}, true},
    {"call *[rip+4]", EM_X86_64, {0x90, 0x90, 0xff, 0x15, 1, 2, 3, 4}, true},
    {"call *[rax+8]", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x50, 8}, true},
    {"call *[rsp+8]", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0xff, 0x54, 0x24, 8}, true},
    {"call *[rax*8+disp32]", EM_X86_64, {0x90, 0xff, 0x14, 0xc5, 1, 2, 3, 4}, true},
    {"call *[rsp+disp32]", EM_X86_64, {0x90, 0xff, 0x94, 0x24, 1, 2, 3, 4}, true},
    {"jmp *rax", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0}, false},
    {"jmp rel32", EM_X86_64, {0x90, 0x90, 0x90, 0xe9, 1, 2, 3, 4}, false},
    {"wrong length", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x15, 1}, false},
    {"nops", EM_X86_64, {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, false},
    {"bl", EM_AARCH64, {0, 0, 0, 0, 0x10, 0, 0, 0x94}, true},
    {"blr x3", EM_AARCH64, {0, 0, 0, 0, 0x60, 0, 0x3f, 0xd6}, true},
    {"blraaz x3", EM_AARCH64, {0, 0, 0, 0, 0x7f, 0x08, 0x3f, 0xd6}, true},
    {"br x3", EM_AARCH64, {0, 0, 0, 0, 0x60, 0, 0x1f, 0xd6}, false},
    {"b", EM_AARCH64, {0, 0, 0, 0, 0x10, 0, 0, 0x14}, false},
};

static void test_calls(void)
{
    static const struct hr_test_segment text[] = {{0x1000, 0x1000, 0x100, 0, 0x1000, PF_R | PF_X}};
    for (size_t i = 0; i < G_N_ELEMENTS(codes); i++) {
        HR_AUTO(hr_object)
        object = open_object(&(struct hr_test_elf){.machine = codes[i].machine,
                                                   .segments = text,
                                                   .segments_count = 1,
                                                   .code = codes[i].code,
                                                   .code_size = sizeof codes[i].code,
                                                   .code_offset = 0x1000});
        g_test_message("%s", codes[i].what);
        g_assert_true(hr_match_knows_machine(object));
        g_assert_cmpint(hr_match_is_behind_call(object, 0x1008), ==, codes[i].is_call);
        g_assert_false(hr_match_is_behind_call(object, 0x1000)); // nothing before the segment
        g_assert_false(hr_match_is_behind_call(object, 0x9000));
    }
}

static void test_cut_file(void)
{
    static const struct hr_test_segment text[] = {
        {0x100000, 0x1000, 0x100, 0, 0x1000, PF_R | PF_X}};
    char *path = hr_test_elf_write(&(struct hr_test_elf){.segments = text, .segments_count = 1});
    g_autofree char *bytes = NULL;
    gsize size;
    g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    g_assert_true(g_file_set_contents(path, bytes, 0x2000, NULL));
    HR_AUTO(hr_object) object = hr_object_new(NULL, path, NULL);
    hr_test_remove(path);
    g_assert_nonnull(object);
    g_assert_false(hr_match_is_behind_call(object, 0x1080));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/match/bias-of-shared-page", test_bias_of_shared_page);
    g_test_add_func("/match/negative-bias", test_negative_bias);
    g_test_add_func("/match/64k-pages", test_64k_pages);
    g_test_add_func("/match/lines-that-do-not-fit", test_lines_that_do_not_fit);
    g_test_add_func("/match/several-lines", test_several_lines);
    g_test_add_func("/match/calls", test_calls);
    g_test_add_func("/match/cut-file", test_cut_file);
    return g_test_run();
}
