// SPDX-License-Identifier: MIT
#include "command/library_helper.h"

#include "command/no_dumps.h"
#include "ingest/ingest.h"
#include "sandbox/helper.h"
#include "symbolize/debuginfod.h"
#include "symbolize/library.h"

#include <string.h>

#define BUILD_ID_HEX_MAX 128

enum question {
    OPEN,            // a path of the host
    OPEN_BELOW_ROOT, // a path below --root
    FETCH,           // a build-id
    CAUSES,          // of there being no dumps
};

struct hr_library_helper {
    const struct hr_options *options;
    const char *data_dir;
    const struct hr_text *text;
    struct hr_helper *process;
    struct hr_opener opener;
};

static void answer_open(const char *root, const char *path, struct hr_helper_answer *answer)
{
    g_autoptr(GError) error = NULL;
    answer->fd = hr_library_open(root, path, &error);
    answer->good = answer->fd >= 0;
    answer->text = error ? g_strdup(error->message) : NULL;
}

static void answer_fetch(const struct hr_library_helper *helper, const char *build_id,
                         struct hr_helper_answer *answer)
{
    const size_t length = strspn(build_id, "0123456789abcdef");
    const bool sound = length > 0 && length <= BUILD_ID_HEX_MAX && build_id[length] == '\0';
    answer->text = sound && helper->options->debuginfod ? hr_debuginfod_fetch(build_id) : NULL;
    answer->good = answer->text != NULL;
}

static void answer_causes(const struct hr_library_helper *helper, struct hr_helper_answer *answer)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    struct hr_rules rules;
    GString *sentence = g_string_new(NULL);
    if (hr_ingest_read_rules(arena, &rules, helper->data_dir, helper->options->frames, NULL)) {
        hr_no_dumps_append_causes(helper->options, &rules, helper->text, sentence);
    }
    answer->text = g_string_free(sentence, FALSE);
    answer->good = true;
}

static void answer(unsigned question, const char *text, void *context,
                   struct hr_helper_answer *answer)
{
    const struct hr_library_helper *helper = context;
    switch ((enum question)question) {
    case OPEN:
        answer_open(NULL, text, answer);
        break;
    case OPEN_BELOW_ROOT:
        answer_open(helper->options->root, text, answer);
        break;
    case FETCH:
        answer_fetch(helper, text, answer);
        break;
    case CAUSES:
        answer_causes(helper, answer);
        break;
    }
}

static int ask_open(void *context, const char *root, const char *path, GError **error)
{
    const struct hr_library_helper *helper = context;
    struct hr_helper_answer answer;
    const bool answered =
        hr_helper_ask(helper->process, root ? OPEN_BELOW_ROOT : OPEN, path, &answer);
    if (!answered || !answer.good || answer.fd < 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY,
                            answered ? answer.text : "the process that opens files is gone");
    }
    g_free(answer.text);
    return answer.fd;
}

static char *ask_fetch(void *context, const char *build_id)
{
    const struct hr_library_helper *helper = context;
    struct hr_helper_answer answer;
    if (hr_helper_ask(helper->process, FETCH, build_id, &answer) && answer.good) {
        return answer.text;
    }
    g_free(answer.text);
    return NULL;
}

struct hr_library_helper *hr_library_helper_new(const struct hr_options *options,
                                                const char *data_dir, const struct hr_text *text)
{
    struct hr_library_helper *helper = g_new0(struct hr_library_helper, 1);
    *helper = (struct hr_library_helper){
        .options = options,
        .data_dir = data_dir,
        .text = text,
        .opener = {.open = ask_open, .fetch = ask_fetch, .context = helper},
    };
    // The client of debuginfod is a program of its own, which uses the network.
    helper->process = hr_helper_new(answer, helper, !options->debuginfod);
    if (!helper->process) {
        g_free(helper);
        return NULL;
    }
    return helper;
}

void hr_library_helper_free(struct hr_library_helper *helper)
{
    if (helper) {
        hr_helper_free(helper->process);
        g_free(helper);
    }
}

const struct hr_opener *hr_library_helper_opener(const struct hr_library_helper *helper)
{
    return &helper->opener;
}

void hr_library_helper_append_causes(const struct hr_library_helper *helper, GString *sentence)
{
    struct hr_helper_answer answer;
    if (hr_helper_ask(helper->process, CAUSES, "", &answer)) {
        g_string_append(sentence, answer.text);
    }
    g_free(answer.text);
}
