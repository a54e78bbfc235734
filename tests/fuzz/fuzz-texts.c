// SPDX-License-Identifier: MIT
// A house's own sentences: whatever they are, they are refused or can be filled.
#include "fuzz.h"

#include "result/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    HR_AUTO(hr_text) text = hr_text_load_bytes("fuzz.xml", (const char *)bytes, size, NULL);
    if (!text) {
        return 0;
    }
    struct hr_phrase phrase = hr_phrase_new("verdict-heap_growth");
    hr_phrase_add_number(&phrase, "growth_bytes", 1e8);
    hr_phrase_add_text_id(&phrase, "window", "window-clock");
    hr_phrase_add_number(&phrase, "duration_s", 100);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_text_append(text, out, &phrase);
    return 0;
}
