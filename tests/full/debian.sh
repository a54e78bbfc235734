#!/bin/sh
# SPDX-License-Identifier: MIT
# A fresh Debian 12: README's two commands from nothing to their end, then the program as it is
# installed, without the source tree, HOME and fonts, in the C locale and in a UTF-8 one.
#
# Needs root, debootstrap and the right to mount; without them it is skipped aloud. DEBIAN_ROOT keeps
# the folder and uses it again; DEBIAN_STEPS (demo check installed) names the steps.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
[ "$(id -u)" -eq 0 ] || { echo "skipped: not root"; exit 0; }
install_packages debootstrap git || { echo "skipped: no debootstrap"; exit 0; }
steps=${DEBIAN_STEPS:-demo check installed}
debian=$(realpath -m "${DEBIAN_ROOT:-$(mktemp -d)}") || exit 1
case $debian in
*[!A-Za-z0-9_./-]*) echo "the folder's name needs letters that a list of mounts can hold as they are"; exit 1 ;;
esac
failed=0

# What is mounted below the folder, the deepest last.
mounted() {
    while read -r _ _ _ _ place _; do
        case $place in
        "$debian"/*) echo "$place" ;;
        esac
    done </proc/self/mountinfo
}

# The host's own /dev and /proc hang below the folder: nothing is deleted while one of them does, be it
# that a process still holds it or that the system's list of mounts cannot be read.
leave() {
    for place in dev/shm dev proc sys; do
        mountpoint -q "$debian/$place" && umount "$debian/$place"
    done
    [ -z "$DEBIAN_ROOT" ] || return
    if held=$(mounted) && [ -z "$held" ]; then
        rm -rf --one-file-system "$debian"
    else
        echo "not deleted, for this is still mounted below it: $debian" "$held"
        exit 1
    fi
}
trap leave EXIT
trap 'exit 1' INT TERM

if [ ! -e "$debian/etc/debian_version" ]; then
    debootstrap --variant=minbase bookworm "$debian" >"$debian.log" 2>&1 || { tail -5 "$debian.log"; exit 1; }
    rm -f "$debian.log"
fi
for place in proc sys dev dev/shm; do
    mountpoint -q "$debian/$place" || mount --bind "/$place" "$debian/$place" || { echo "skipped: no right to mount"; exit 0; }
done
cp /etc/resolv.conf "$debian/etc/resolv.conf"
rm -rf --one-file-system "$debian/src"
mkdir "$debian/src"
# What is committed and nothing else.
git archive HEAD | tar -x -C "$debian/src" || exit 1

inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$debian" "$@"
}

# step NAME COMMAND...: said, timed and counted.
step() {
    name=$1
    shift
    before=$(date +%s)
    if "$@"; then
        echo "== $name: passed after $(($(date +%s) - before)) s"
    else
        echo "== $name: failed after $(($(date +%s) - before)) s"
        failed=1
    fi
}

demo() {
    inside sh -c 'cd /src && sh tests/demo.sh' &&
        [ -s "$debian/src/build-demo/soak/report.pdf" ] && [ -s "$debian/src/build-demo/soak/report.html" ]
}

check() {
    inside sh -c 'cd /src && sh tests/check.sh'
}

# Moves away what the installed program must do without, and compares what it writes.
installed() {
    inside sh -c 'cd /src && { [ -e build-demo/build.ninja ] || meson setup build-demo --buildtype=release -Ddebug=true; } &&
        ninja -C build-demo && meson install -C build-demo --no-rebuild --quiet' >"$debian/install.log" || return 1
    rm -rf "$debian/case" "$debian/fonts-away" "$debian/src-away"
    mkdir "$debian/case"
    tar -xf testdata/cases/leak/leak.tar.xz -C "$debian/case"
    mv "$debian/src" "$debian/src-away"
    [ ! -d "$debian/usr/share/fonts" ] || mv "$debian/usr/share/fonts" "$debian/fonts-away"
    written=0
    for locale in C C.UTF-8; do
        mkdir "$debian/case/$locale"
        env -i LC_ALL="$locale" PATH=/usr/sbin:/usr/local/bin:/usr/bin:/bin chroot "$debian" /usr/bin/env -C /case -u HOME \
            heapreport --dir dumps --binary demo-service \
            -o "$locale/r.pdf" -o "$locale/r.html" -o "$locale/r.txt" -o "$locale/r.json" || written=1
    done
    for format in pdf html txt json; do
        cmp "$debian/case/C/r.$format" "$debian/case/C.UTF-8/r.$format" || written=1
    done
    mv "$debian/src-away" "$debian/src"
    [ ! -d "$debian/fonts-away" ] || mv "$debian/fonts-away" "$debian/usr/share/fonts"
    return "$written"
}

for name in $steps; do
    step "$name" "$name"
done
exit "$failed"
