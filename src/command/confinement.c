// SPDX-License-Identifier: MIT
#include "command/confinement.h"

#include "command/library_helper.h"
#include "sandbox/calls.h"
#include "sandbox/file_rules.h"

#include <fcntl.h>
#include <unistd.h>

struct hr_confinement {
    const struct hr_options *options;
    const char *data_dir;
    const struct hr_outputs *outputs;
    const GPtrArray *targets;
    struct hr_library_helper *helper; // NULL: none is needed, or none any more
    bool files;
    bool calls;
};

// What the libraries below us read on their own: character sets, zones, fonts, random numbers.
static const char *const system_paths[] = {
    "/usr/share",       "/usr/local/share/fonts", "/usr/lib",     "/lib",
    "/etc/ld.so.cache", "/etc/localtime",         "/dev/urandom", "/dev/null",
#ifdef HR_SANITIZED
    "/proc/self",
#endif
};

static void allow_system(struct hr_file_rules *rules)
{
    for (size_t i = 0; i < G_N_ELEMENTS(system_paths); i++) {
        hr_file_rules_allow_reading(rules, system_paths[i]);
    }
}

// A directory that is an output was made when the outputs were settled; empty, it goes again.
static void allow_output_directory(struct hr_file_rules *rules, const char *path)
{
    g_autofree char *trimmed = g_canonicalize_filename(path, NULL);
    g_autofree char *above = g_path_get_dirname(trimmed);
    const int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int above_fd = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        hr_file_rules_allow_outputs(rules, fd);
        close(fd);
    }
    if (above_fd >= 0) {
        hr_file_rules_allow_removing(rules, above_fd);
        close(above_fd);
    }
}

static void allow_outputs(struct hr_file_rules *rules, const struct hr_confinement *confinement)
{
    const GPtrArray *targets = confinement->targets;
    for (guint i = 0; targets && i < targets->len; i++) {
        hr_file_rules_allow_outputs(rules, hr_target_directory(targets->pdata[i]));
    }
    const GPtrArray *outputs = confinement->outputs ? confinement->outputs->outputs : NULL;
    for (guint i = 0; outputs && i < outputs->len; i++) {
        const struct hr_output *output = outputs->pdata[i];
        if (output->target) {
            hr_file_rules_allow_outputs(rules, hr_target_directory(output->target));
        } else if (output->is_directory) {
            allow_output_directory(rules, output->path);
        }
    }
}

// A directory of symbolic links to dumps is a directory of dumps.
static void allow_input(struct hr_file_rules *rules, const char *path)
{
    hr_file_rules_allow_reading(rules, path);
    if (path) {
        hr_file_rules_allow_links(rules, path);
    }
}

// An installed data directory may be made of links, whole or file by file (/usr/share/heapreport of
// stow, of a store): what its parts lead to belongs to it.
static void allow_data(struct hr_file_rules *rules, const char *data_dir)
{
    static const char *const parts[] = {"", "templates", "templates/report", "templates/rules",
                                        "fonts"};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *part = g_build_filename(data_dir, parts[i], NULL);
        hr_file_rules_allow_reading(rules, part);
        hr_file_rules_allow_links(rules, part);
    }
}

// What a template includes lies beside it or below.
static void allow_template(struct hr_file_rules *rules, const char *path)
{
    if (path) {
        g_autofree char *directory = g_path_get_dirname(path);
        hr_file_rules_allow_reading(rules, path);
        hr_file_rules_allow_reading(rules, directory);
    }
}

// What documents are made from, beside the result.
static void allow_rendering(struct hr_file_rules *rules, const struct hr_confinement *confinement)
{
    const struct hr_options *options = confinement->options;
    allow_system(rules);
    allow_data(rules, confinement->data_dir);
    allow_template(rules, options->template_file);
    hr_file_rules_allow_reading(rules, options->allow);
    hr_file_rules_allow_keeping(rules, options->history);
    allow_outputs(rules, confinement);
}

static bool enter_inputs(const struct hr_confinement *confinement)
{
    const struct hr_options *options = confinement->options;
    HR_AUTO(hr_file_rules) rules = hr_file_rules_new();
    if (!rules) {
        return false;
    }
    allow_rendering(rules, confinement);
    allow_input(rules, options->directory);
    for (guint i = 0; i < options->evidence->len; i++) {
        allow_input(rules, options->evidence->pdata[i]);
    }
    hr_file_rules_allow_reading(rules, options->base);
    hr_file_rules_allow_reading(rules, options->frames);
    // The layout that a result asks for is known when it was read.
    hr_file_rules_allow_reading(rules, options->verb == HR_VERB_RENDER ? "/" : options->input_file);
    return hr_file_rules_enter(rules);
}

struct hr_confinement *hr_confinement_new(const struct hr_options *options, const char *data_dir,
                                          const struct hr_outputs *outputs,
                                          const GPtrArray *targets, const struct hr_text *text)
{
    struct hr_confinement *confinement = g_new(struct hr_confinement, 1);
    *confinement = (struct hr_confinement){
        .options = options, .data_dir = data_dir, .outputs = outputs, .targets = targets};
    if (options->no_sandbox) {
        return confinement;
    }
    const bool needs_helper = options->verb == HR_VERB_REPORT;
    if (needs_helper) {
        confinement->helper = hr_library_helper_new(options, data_dir, text);
    }
    if (needs_helper && !confinement->helper) {
        return confinement;
    }
    confinement->files = enter_inputs(confinement);
    confinement->calls = hr_calls_restrict();
    return confinement;
}

void hr_confinement_free(struct hr_confinement *confinement)
{
    if (confinement) {
        hr_library_helper_free(confinement->helper);
        g_free(confinement);
    }
}

const char *hr_confinement_name(const struct hr_confinement *confinement)
{
    static const char *const names[2][2] = {{"none", "seccomp"}, {"landlock", "landlock+seccomp"}};
    return names[confinement->files][confinement->calls];
}

const struct hr_opener *hr_confinement_opener(const struct hr_confinement *confinement)
{
    return confinement->helper ? hr_library_helper_opener(confinement->helper) : NULL;
}

bool hr_confinement_append_causes(const struct hr_confinement *confinement, GString *sentence)
{
    if (!confinement->helper) {
        return false;
    }
    hr_library_helper_append_causes(confinement->helper, sentence);
    return true;
}

void hr_confinement_narrow(struct hr_confinement *confinement, const char *named_template)
{
    g_clear_pointer(&confinement->helper, hr_library_helper_free);
    if (!confinement->files) {
        return;
    }
    HR_AUTO(hr_file_rules) rules = hr_file_rules_new();
    if (rules) {
        allow_rendering(rules, confinement);
        allow_template(rules, named_template);
        (void)hr_file_rules_enter(rules); // else what was entered before stays
    }
}
