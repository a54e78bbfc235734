// SPDX-License-Identifier: MIT
// symbols: how much of the heap has names, and how good they are.
#include "result/composer.h"

#include <math.h>

#define MODULES_MAX 200

static json_t *compose_module(const struct hr_composer *composer, const struct hr_module *module)
{
    json_t *entry = json_object();
    hr_json_set(entry, "path", hr_json_text(module->path));
    hr_json_set(entry, "build_id", hr_json_text(module->build_id));
    hr_json_set(entry, "debug_file", hr_json_text(module->debug_file));
    hr_json_set(entry, "addresses_count", hr_json_count(module->addresses_count));
    hr_json_set(entry, "named_count", hr_json_count(module->named_count));
    hr_json_set(entry, "inferred", json_boolean(module->inferred));
    hr_json_set(entry, "problem", hr_composer_sentence(composer, &module->problem));
    return entry;
}

static void set_modules(const struct hr_composer *composer, json_t *object)
{
    const struct hr_symbols *symbols = composer->symbols;
    const uint32_t count = symbols ? symbols->modules_count : 0;
    json_t *modules = json_array();
    uint64_t rest_addresses = 0;
    uint64_t rest_named = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct hr_module *module = &symbols->modules[i];
        if (i < MODULES_MAX) {
            hr_json_append(modules, compose_module(composer, module));
        } else {
            rest_addresses += module->addresses_count;
            rest_named += module->named_count;
        }
    }
    json_t *rest = json_object();
    hr_json_set(rest, "modules_count",
                hr_json_count(count > MODULES_MAX ? count - MODULES_MAX : 0));
    hr_json_set(rest, "addresses_count", hr_json_count(rest_addresses));
    hr_json_set(rest, "named_count", hr_json_count(rest_named));
    hr_json_set(object, "modules", modules);
    hr_json_set(object, "modules_rest", rest);
}

json_t *hr_compose_symbols(const struct hr_composer *composer)
{
    const bool known = composer->symbols && hr_composer_final(composer);
    const struct hr_symbol_quality *quality = &composer->findings->symbol_quality;
    json_t *object = json_object();
    hr_json_set(object, "addresses_count",
                known ? hr_json_count(composer->symbols->locations_count) : json_null());
    hr_json_set(object, "named_count", hr_json_integer(known ? quality->named_count : NAN));
    hr_json_set(object, "named_bytes_ratio",
                hr_json_ratio(known ? quality->named_bytes_ratio : NAN));
    hr_json_set(object, "exact_bytes_ratio",
                hr_json_ratio(known ? quality->exact_bytes_ratio : NAN));
    hr_json_set(object, "inlined_frames_count",
                hr_json_integer(known ? quality->inlined_frames_count : NAN));
    hr_json_set(object, "truncated_bytes_ratio",
                hr_json_ratio(known ? quality->truncated_bytes_ratio : NAN));
    set_modules(composer, object);
    return object;
}
