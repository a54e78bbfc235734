// SPDX-License-Identifier: MIT
// Runs while building only: writes a file's bytes as a C array, so that the program can speak
// before it finds its data directory.
#include <stdio.h>
#include <string.h>

static int embed(FILE *in, FILE *out, const char *name)
{
    unsigned long size = 0;
    fprintf(out,
            "#include <stddef.h>\nextern const unsigned char %s[];\nextern const size_t %s_size;\n",
            name, name);
    fprintf(out, "const unsigned char %s[] = {", name);
    for (int byte; (byte = getc(in)) != EOF; size++) {
        fprintf(out, "%s%d,", size % 24 == 0 ? "\n" : "", byte);
    }
    fprintf(out, "0};\nconst size_t %s_size = %lu;\n", name, size);
    return ferror(in) || ferror(out);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: embed INPUT OUTPUT NAME\n");
        return 2;
    }
    FILE *in = fopen(argv[1], "rb");
    FILE *out = in ? fopen(argv[2], "wb") : NULL;
    if (!out) {
        perror(in ? argv[2] : argv[1]);
        return 1;
    }
    const int failed = embed(in, out, argv[3]);
    fclose(in);
    return fclose(out) != 0 || failed;
}
