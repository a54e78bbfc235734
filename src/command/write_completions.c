// SPDX-License-Identifier: MIT
// Writes the completion of one shell (bash, zsh or fish) from the option table; run by the build.
#include "command/option_table.h"

#include <stdio.h>
#include <string.h>

static const struct hr_option *next_of(const struct hr_option *option, enum hr_verb verb)
{
    while (option->name && !(option->verbs & (1u << verb))) {
        option++;
    }
    return option->name ? option : NULL;
}

#define FOR_OPTIONS(option, verb)                                                                  \
    for (const struct hr_option *option = next_of(hr_option_table(), (verb)); option;              \
         option = next_of(option + 1, (verb)))

#define FOR_VERBS(verb) for (enum hr_verb verb = HR_VERB_REPORT; verb < HR_VERBS_COUNT; verb++)

static bool takes_directory(const struct hr_option *option)
{
    return strcmp(option->argument, "DIR") == 0;
}

static bool takes_file(const struct hr_option *option)
{
    return strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "OUT") == 0 ||
           strcmp(option->argument, "PATH") == 0;
}

static void write_verbs(void)
{
    FOR_VERBS(verb)
    {
        printf("%s%s", verb == HR_VERB_REPORT ? "" : " ", hr_verb_name(verb));
    }
}

static void write_bash_option(enum hr_verb verb, const struct hr_option *option)
{
    printf("    %s:--%s", hr_verb_name(verb), option->name);
    if (option->letter) {
        printf("|%s:-%c", hr_verb_name(verb), option->letter);
    }
    // An archive may stand in place of --dir, so files are offered there too.
    printf(") %sreturn;;\n", takes_directory(option) || takes_file(option)
                                 ? "COMPREPLY=($(compgen -f -- \"$current\")); "
                                 : "");
}

static void write_bash(void)
{
    printf("# bash completion of heapreport\n_heapreport() {\n"
           "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  local verb=report options verbs=\"");
    write_verbs();
    printf("\"\n  COMPREPLY=()\n"
           "  if ((COMP_CWORD > 1)) && [[ \" $verbs \" == *\" ${COMP_WORDS[1]} \"* ]]; then\n"
           "    verb=${COMP_WORDS[1]}\n  fi\n  case $verb:$previous in\n");
    FOR_VERBS(verb)
    {
        FOR_OPTIONS(option, verb)
        {
            if (option->argument) {
                write_bash_option(verb, option);
            }
        }
    }
    printf("  esac\n  case $verb in\n");
    FOR_VERBS(verb)
    {
        printf("    %s) options=\"", hr_verb_name(verb));
        FOR_OPTIONS(option, verb)
        {
            printf(" --%s", option->name);
        }
        printf("\";;\n");
    }
    printf("  esac\n"
           "  if [[ $current == -* ]]; then\n"
           "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "  elif ((COMP_CWORD == 1)); then\n"
           "    COMPREPLY=($(compgen -W \"$verbs\" -- \"$current\"))\n"
           "  else\n    COMPREPLY=($(compgen -f -- \"$current\"))\n  fi\n}\n"
           "complete -o filenames -F _heapreport heapreport\n");
}

// Text inside single quotes; zsh's _arguments gives meaning to brackets and colons too.
static void write_quoted(const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'') {
            printf("%s", quote);
        } else {
            printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
        }
    }
}

static void write_zsh(void)
{
    printf("#compdef heapreport\nlocal verb=report\nif (( CURRENT > 2 )); then\n"
           "  case $words[2] in (");
    FOR_VERBS(verb)
    {
        printf("%s%s", verb == HR_VERB_REPORT ? "" : "|", hr_verb_name(verb));
    }
    printf(") verb=$words[2];; esac\nfi\ncase $verb in\n");
    FOR_VERBS(verb)
    {
        printf("(%s) _arguments", hr_verb_name(verb));
        FOR_OPTIONS(option, verb)
        {
            printf(" \\\n  '*--%s%s[", option->name, option->argument ? "=" : "");
            write_quoted(option->help, "[]:\\", "'\\''");
            printf("]");
            if (option->argument) {
                printf(":%s:%s", option->argument,
                       takes_directory(option) || takes_file(option) ? "_files" : " ");
            }
            printf("'");
        }
        printf(" \\\n  '1: :(");
        write_verbs();
        printf(")' \\\n  '*: :_files';;\n");
    }
    printf("esac\n");
}

static void write_fish(void)
{
    printf("function __heapreport_verb\n  set -l words (commandline -opc)\n  set -l verb report\n"
           "  if test (count $words) -gt 1; and contains -- $words[2] ");
    write_verbs();
    printf("\n    set verb $words[2]\n  end\n  test $verb = $argv[1]\nend\n"
           "complete -c heapreport -n 'test (count (commandline -opc)) -eq 1' -a '");
    write_verbs();
    printf("'\n");
    FOR_VERBS(verb)
    {
        FOR_OPTIONS(option, verb)
        {
            printf("complete -c heapreport -n '__heapreport_verb %s' -l %s", hr_verb_name(verb),
                   option->name);
            if (option->letter) {
                printf(" -s %c", option->letter);
            }
            if (option->argument) {
                printf(" %s", takes_directory(option) || takes_file(option) ? "-r -F" : "-x");
            }
            printf(" -d '");
            write_quoted(option->help, "\\", "\\'");
            printf("'\n");
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *shell;
        void (*write)(void);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(argv[1], shells[i].shell) == 0) {
            shells[i].write();
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: write-completions bash|zsh|fish\n");
    return 2;
}
