# SPDX-License-Identifier: MIT
# Sourced by the scripts that start from a bare machine: what a build, a report and the suites need
# of Debian 12. install_packages installs what is missing, as root or with sudo.

BUILD_PACKAGES="gcc meson ninja-build pkg-config libelf-dev libdw-dev libcairo2-dev libpango1.0-dev
    libfontconfig-dev libarchive-dev libxml2-dev libjemalloc-dev libglib2.0-dev libjansson-dev libxxhash-dev libiberty-dev
    libharfbuzz-dev libfribidi-dev liblzma-dev libqpdf-dev libseccomp-dev zlib1g-dev"
TEST_PACKAGES="clang libclang-rt-14-dev llvm lld binutils elfutils dwz debuginfod poppler-utils qpdf chromium librsvg2-bin mandoc
    file g++ jq strace valgrind xz-utils zstd perl zsh fish python3 python3-jsonschema util-linux"
ANALYSER_PACKAGES="clang-tidy"

install_packages() {
    missing=""
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    echo "installing:$missing" >&2
    $as_root apt-get update -q >&2 || return 1
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
}
