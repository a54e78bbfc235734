// SPDX-License-Identifier: MIT
#include "result/composer.h"

#include <math.h>

static const struct hr_dump *chosen(const struct hr_composer *composer, size_t index)
{
    return index < composer->run->dumps_count ? &composer->run->dumps[index] : NULL;
}

const struct hr_dump *hr_composer_base(const struct hr_composer *composer)
{
    const struct hr_choice *choice = composer->findings->choice;
    return choice ? chosen(composer, choice->base) : NULL;
}

const struct hr_dump *hr_composer_final(const struct hr_composer *composer)
{
    const struct hr_choice *choice = composer->findings->choice;
    return choice ? chosen(composer, choice->final) : NULL;
}

const struct hr_dump *hr_composer_teardown(const struct hr_composer *composer)
{
    const struct hr_choice *choice = composer->findings->choice;
    return choice ? chosen(composer, choice->teardown) : NULL;
}

json_t *hr_composer_name(const struct hr_composer *composer, const char *name)
{
    return hr_json_text_within(name, composer->bounds.text_bytes);
}

json_t *hr_composer_sentence(const struct hr_composer *composer, const struct hr_phrase *phrase)
{
    if (!phrase->id) {
        return json_null();
    }
    g_autoptr(GString) sentence = g_string_new(NULL);
    hr_text_append(composer->text, sentence, phrase);
    return hr_json_text_within(sentence->str, HR_JSON_SENTENCE_MAX_BYTES);
}

json_t *hr_composer_words(const struct hr_composer *composer, const char *prefix, const char *id)
{
    g_autofree char *text_id = g_strconcat(prefix, id, NULL);
    if (!hr_text_has(composer->text, text_id)) {
        return json_null();
    }
    return hr_json_text_within(hr_text_get(composer->text, text_id), HR_JSON_SENTENCE_MAX_BYTES);
}

double hr_composer_whole_growth(double base, double final, double growth)
{
    if (isnan(growth)) {
        return NAN;
    }
    const double difference = round(final) - round(base);
    return fabs(difference - growth) <= 1 ? difference : round(growth);
}

json_t *hr_composer_thirds(const double thirds_bytes[3])
{
    json_t *thirds = json_array();
    for (int i = 0; i < 3; i++) {
        hr_json_append(thirds, hr_json_integer(thirds_bytes[i]));
    }
    return thirds;
}
