#!/bin/sh
# SPDX-License-Identifier: MIT
# What `meson install` puts below DESTDIR, and the installed program alone: without the source tree's
# data, HOME and the system's fonts, in the C locale and in a UTF-8 one, with the same bytes.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
tree=$(realpath "$(dirname "$0")/../..")
build=$(dirname "$(dirname "$heapreport")")
# The source tree is closed to these runs, and in it the list of leaks that are the libraries'.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"

DESTDIR="$scratch/root" run meson install -C "$build" --no-rebuild --quiet
check "meson install" status_is 0
program=$(find "$scratch/root" -path '*/bin/heapreport')
prefix=$(dirname "$(dirname "$program")")
for file in share/man/man1/heapreport.1 share/man/man5/heapreport.json.5 share/man/man7/heapreport-method.7 share/heapreport/templates/report.xml share/bash-completion/completions/heapreport \
    share/zsh/site-functions/_heapreport share/fish/vendor_completions.d/heapreport.fish; do
    check "$file is installed" test -s "$prefix/$file"
done
check "fonts are installed" test -n "$(find "$prefix/share/heapreport/fonts" -name '*.ttf' -o -name '*.otf' | head -1)"
check "nothing is installed elsewhere" test -z "$(find "$scratch/root" -type f ! -path "$prefix/*")"

# Moved, so that no path of the build can lead back to it.
mv "$prefix" "$scratch/moved"
printf '<?xml version="1.0"?><fontconfig></fontconfig>\n' >"$scratch/no-fonts.conf"
for locale in C C.UTF-8; do
    out="$scratch/$locale"
    mkdir "$out"
    (cd "$scratch/case" && env -i LC_ALL="$locale" XDG_CONFIG_DIRS="$XDG_CONFIG_DIRS" FONTCONFIG_FILE="$scratch/no-fonts.conf" \
        ASAN_OPTIONS="$ASAN_OPTIONS" LSAN_OPTIONS="$LSAN_OPTIONS" \
        "$scratch/moved/bin/heapreport" --dir dumps --binary demo-service \
        -o "$out/r.pdf" -o "$out/r.html" -o "$out/r.txt" -o "$out/r.json" >"$scratch/out" 2>"$scratch/err" </dev/null)
    status=$?
    check "$locale: four formats" status_is 0
    check "$locale: said in our name" err_is_ours
done
check "no output names the source tree" test -z "$(grep -l "$tree" "$scratch"/C/r.txt "$scratch"/C/r.json "$scratch"/C/r.html)"
for format in pdf html txt json; do
    check "$format: the same bytes in both locales" same "$scratch/C/r.$format" "$scratch/C.UTF-8/r.$format"
done
HEAPREPORT_DATA_DIR="$scratch/moved/share/heapreport" run "$heapreport" --dir "$scratch/case/dumps" -o "$scratch/named.txt"
check "HEAPREPORT_DATA_DIR names the data" status_is 0
rm -r "$scratch/moved/share/heapreport/templates"
HEAPREPORT_DATA_DIR="$scratch/moved/share/heapreport" run "$heapreport" --dir "$scratch/case/dumps" -o "$scratch/none.txt"
check "HEAPREPORT_DATA_DIR without data: status 3" status_is 3
check "HEAPREPORT_DATA_DIR without data: said" err_has "HEAPREPORT_DATA_DIR"
finish
