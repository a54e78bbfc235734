# SPDX-License-Identifier: MIT
# Sourced: builds testdata/programs/prefixed-service.c with a jemalloc linked in under the prefix
# _rjem_, made from Debian's static library. Sanitizers stay out: they have a malloc of their own.

programs=$(realpath "$(dirname "$0")/../../testdata/programs")

# make_prefixed_library DIRECTORY: libprefixed.a in it.
make_prefixed_library() {
    archive=$(gcc -print-file-name=libjemalloc.a)
    nm --defined-only -g "$archive" 2>/dev/null | awk 'NF == 3 { print $3, "_rjem_" $3 }' | sort -u >"$1/names"
    objcopy --redefine-syms="$1/names" "$archive" "$1/libprefixed.a"
}

# link_prefixed DIRECTORY OUTPUT FLAGS_AND_SOURCES...
link_prefixed() {
    directory=$1
    output=$2
    shift 2
    gcc -Wl,--build-id -o "$output" "$@" "$directory/libprefixed.a" -lm -lpthread -ldl
}
