#!/bin/sh
# SPDX-License-Identifier: MIT
# doctor: a healthy service is found healthy, and each fault that is planted in it is found, that one
# and no other.
heapreport=$(realpath "$1")
. "$(dirname "$0")/../support/tap.sh"
. "$(dirname "$0")/../support/prefixed.sh"
chmod 755 "$scratch"
umask 022
app="$scratch/app"
heap="$scratch/heap"
mkdir "$heap"
make_prefixed_library "$scratch"
flags="-O2 -g -fno-omit-frame-pointer"
# shellcheck disable=SC2086
link_prefixed "$scratch" "$app" $flags "$programs/prefixed-service.c"
conf="prof:true,prof_active:true,prof_prefix:$heap/app,lg_prof_sample:14,lg_prof_interval:21,prof_final:true"
# Linked from a library without prefix, this one reads the plain variable.
MALLOC_CONF=$conf "$app" 500 >/dev/null
me=$(id -un)

unit() { printf '[Service]\nUser=%s\nExecStart=%s\n' "$me" "$app"; cat; }
unit >"$scratch/good.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf" RUST_LOG=info
END

mends_are() { [ -s "$scratch/out" ] && jq -e "[.checks[] | select(.outcome == \"mend\").id] == $1" "$scratch/out"; }

well() {
    name=$1
    shift
    run "$heapreport" doctor --json "$@"
    check "$name: status 0" status_is 0
    check "$name: nothing to mend" mends_are '[]'
}

# finds CHECK NAME ARGUMENTS...
finds() {
    id=$1
    name=$2
    shift 2
    run "$heapreport" doctor --json "$@"
    check "$name: status 1" status_is 1
    check "$name: found, and no other" mends_are "[\"$id\"]"
    check "$name: told how to mend" json_is "$scratch/out" \
        '[.checks[] | select(.outcome == "mend").mend | test("^[^{]{8,}$")] | all'
}

echo started >"$scratch/quiet.log"
well "all inputs" --binary "$app" --unit "$scratch/good.service" --dir "$heap" --log "$scratch/quiet.log"
well "a program" --binary "$app"
well "a string" --conf "$conf"
well "a unit" --unit "$scratch/good.service"
well "a directory" --dir "$heap"
run "$heapreport" doctor --binary "$app" --unit "$scratch/good.service" --dir "$heap"
check "the table has all checks" [ "$(grep -c '^fine ' "$scratch/out")" -ge 24 ]
check "the table: which functions" out_has "_rjem_"
check "the table: which variable" out_has "It reads _RJEM_MALLOC_CONF."
check "the table: the recommended string" out_has "  $(echo "$conf")"
check "the table: the override" out_has "  Environment=\"_RJEM_MALLOC_CONF=$conf\""

# The program.
echo 'int main(void) { return 0; }' >"$scratch/empty.c"
gcc -O2 -g -fno-omit-frame-pointer -Wl,--build-id -o "$scratch/libc-only" "$scratch/empty.c"
finds allocator "libc only" --binary "$scratch/libc-only"
cat >"$scratch/fake.c" <<END
char PREFIX(je_opt_prof_prefix)[1];
int PREFIX(mallctlnametomib)(void) { return 0; }
const char *texts[] = {"<jemalloc>: %s", "Invalid conf pair"};
int main(void) { return texts[0][0]; }
END
gcc '-DPREFIX(name)=_rjem_##name' -g -Wl,--build-id -o "$scratch/no-profiling" "$scratch/fake.c"
finds profiling "built without profiling" --binary "$scratch/no-profiling"
cat >"$scratch/unknown.c" <<END
const char *texts[] = {"<jemalloc>: %s", "Invalid conf pair", "<jemalloc>: Leak approximation summary"};
int main(void) { return texts[0][0]; }
END
gcc -g -Wl,--build-id -o "$scratch/unknown" "$scratch/unknown.c"
finds variable "a prefix that is not known" --binary "$scratch/unknown"
strip -o "$scratch/stripped" "$app"
finds symbols "stripped" --binary "$scratch/stripped"
strip -g -o "$scratch/no-debug" "$app"
finds debug-data "no debug data" --binary "$scratch/no-debug"
link_prefixed "$scratch" "$scratch/no-frames" -O2 -g -fomit-frame-pointer "$programs/prefixed-service.c"
finds frame-pointers "no frame pointers" --binary "$scratch/no-frames"
# shellcheck disable=SC2086
link_prefixed "$scratch" "$scratch/no-id" $flags -Wl,--build-id=none "$programs/prefixed-service.c"
finds build-id "no build-id" --binary "$scratch/no-id"
sed 's/sum += answer(i);/sum += answer(i) + answer(i + 1) * 3;/' "$programs/prefixed-service.c" >"$scratch/changed.c"
# shellcheck disable=SC2086
link_prefixed "$scratch" "$scratch/rebuilt" $flags -O1 "$scratch/changed.c"
finds match "the wrong binary" --binary "$scratch/rebuilt" --dir "$heap"

# The string.
with() { echo "$conf" | sed "s|$1|$2|"; }
finds blanks "a blank in the string" --conf "$(with 'true,prof_p' 'true, prof_p')"
finds form "a comma at the end" --conf "$conf,"
finds form "no colon" --conf "$(with ,prof_final ,retain,prof_final)"
finds options "an unknown option" --conf "$conf,lg_prof_sampel:19"
check "an unknown option: the one that is meant" out_has "Write lg_prof_sample for lg_prof_sampel."
finds values "a value out of range" --conf "$(with sample:14 sample:64)"
finds values "a value that is none" --conf "$conf,background_thread:yes"
finds prof "profiling not switched on" --conf "$(with prof:true retain:true)"
finds active "inactive" --conf "$(with active:true active:false)"
finds prefix "no prof_prefix" --conf "$(with "prof_prefix:$heap/app," '')"
finds interval "no interval" --conf "$(with lg_prof_interval:21, '')"
finds interval "the interval too large" --conf "$(with interval:21 interval:40)"
finds interval "the interval too small" --conf "$(with interval:21 interval:12)"
finds final "no final dump" --conf "$(with ,prof_final:true '')"

# How often dumps come, by the dumps themselves.
cp -a "$heap" "$scratch/seldom"
taken=1796000000
for dump in $(ls "$scratch/seldom"/*.i*.heap | sort -t. -k3n); do
    touch -d "@$taken.5" "$dump"
    taken=$((taken + 9000))
done
touch -d "@$taken.5" "$scratch/seldom"/*.f.heap
finds interval "the interval too large for what is allocated" --dir "$scratch/seldom" \
    --conf "$(with "$heap" "$scratch/seldom")"

# The variable.
unit >"$scratch/wrong.service" <<END
Environment="MALLOC_CONF=$conf"
END
finds environment "the wrong variable" --binary "$app" --unit "$scratch/wrong.service"
check "the wrong variable: names both" out_has "MALLOC_CONF is set, but this jemalloc reads _RJEM_MALLOC_CONF."
unit >"$scratch/unset.service" <<END
Environment=RUST_LOG=info
END
finds environment "no variable" --binary "$app" --unit "$scratch/unset.service"

# The directory.
place() { with "$heap/app" "$1/app"; }
finds directory "a missing directory" --conf "$(place "$scratch/nowhere")"
check "a missing directory: the command" out_has "install -d -o "
echo >"$scratch/file"
finds directory "a file for a directory" --conf "$(place "$scratch/file")"
mkdir "$scratch/locked"
chmod 555 "$scratch/locked"
if [ "$(id -u)" -eq 0 ]; then chown nobody "$scratch/locked"; owner=nobody; else owner=$me; fi
finds writable "an unwritable directory" --conf "$(place "$scratch/locked")" --user "$owner"
mkdir "$scratch/theirs"
someone=nobody
finds user "the wrong user" --conf "$(place "$scratch/theirs")" --user "$someone"
mkdir -p "$scratch/closed/heap"
chmod 777 "$scratch/closed/heap"
chmod 700 "$scratch/closed"
finds user "a way that is closed" --conf "$(place "$scratch/closed/heap")" --user "$someone"
mkdir "$scratch/elsewhere"
cp -a "$heap"/*.f.heap "$scratch/elsewhere"
finds same-directory "dumps go elsewhere" --conf "$conf" --dir "$scratch/elsewhere"

# The unit.
unit >"$scratch/sandbox.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf"
ReadOnlyPaths=$scratch
END
finds unit-paths "a sandbox in the way" --unit "$scratch/sandbox.service"
printf '[Service]\nReadWritePaths=%s\n' "$heap" >"$scratch/drop-in.conf"
well "a drop-in that opens the sandbox" --unit "$scratch/sandbox.service" --unit "$scratch/drop-in.conf"
unit >"$scratch/kill.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf"
KillSignal=SIGKILL
END
finds unit-stop "stopped by SIGKILL" --unit "$scratch/kill.service"
unit >"$scratch/limit.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf"
LimitFSIZE=1M
END
finds file-limit "files are limited" --unit "$scratch/limit.service"
cp "$app" "$scratch/app-prof"
finds unit-program "the unit starts another program" --binary "$scratch/app-prof" --unit "$scratch/good.service"

# covered NAME BARRIER STRING LINES: what a unit says that keeps the service from its dumps
covered() {
    unit >"$scratch/covered.service" <<END
Environment="_RJEM_MALLOC_CONF=$3"
$4
END
    run "$heapreport" doctor --json --unit "$scratch/covered.service"
    check "$1: found" json_is "$scratch/out" "[.checks[] | select(.id == \"unit-paths\")][0] | .outcome == \"mend\" and (.reason | contains(\"$2\"))"
}
place_at() { with "$heap/app" "$1/app"; }
covered "the deeper of two paths" ReadOnlyPaths "$conf" "ReadWritePaths=$scratch
ReadOnlyPaths=$heap"
covered "nothing opens what is inaccessible" InaccessiblePaths "$conf" "InaccessiblePaths=$scratch
ReadWritePaths=$heap"
covered "a home that is protected" ProtectHome "$(place_at /home/app)" "ProtectHome=t"
covered "a home that may only be read" ProtectHome "$(place_at /root/app)" "ProtectHome=read-only"
covered "strict, in a /tmp that is everybody's" strict "$(place_at /tmp)" "ProtectSystem=strict"
covered "a dynamic user" DynamicUser "$(place_at /srv/app)" "DynamicUser=on"
unit >"$scratch/open.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf"
ProtectSystem=off
ProtectHome=0
END
well "protection that is off" --unit "$scratch/open.service"
printf '_RJEM_MALLOC_CONF=%s\n' "$(with 'true,prof_p' 'true, prof_p')" >"$scratch/variables"
unit >"$scratch/file.service" <<END
EnvironmentFile=$scratch/variables
Environment="_RJEM_MALLOC_CONF=$conf"
END
finds blanks "a file of variables wins over the unit" --unit "$scratch/file.service"
# says OUTCOME CHECK NAME ARGUMENTS...
says() {
    outcome=$1
    id=$2
    name=$3
    shift 3
    run "$heapreport" doctor --json "$@"
    check "$name" json_is "$scratch/out" "[.checks[] | select(.id == \"$id\").outcome] == [\"$outcome\"]"
}
rm "$scratch/variables"
says unknown environment "a file of variables that is not there" --unit "$scratch/file.service"
unit >"$scratch/unset.service" <<END
Environment="_RJEM_MALLOC_CONF=$conf"
UnsetEnvironment=_RJEM_MALLOC_CONF
END
finds environment "a variable that is unset again" --binary "$app" --unit "$scratch/unset.service"
printf '[Service]\nUser=no-such-user\nEnvironment="_RJEM_MALLOC_CONF=%s"\n' "$conf" >"$scratch/nobody.service"
says unknown writable "a user that is not known here" --unit "$scratch/nobody.service"
long=$(head -c 5000 /dev/zero | tr '\0' x)
says unknown directory "a directory that cannot be looked at" --conf "$(place_at "/$long")"
says mend prefix "names of dumps that are too long" --conf "$(place_at "/$long")"
says mend prefix "a name of a dump that is too long" --conf "$(with "$heap/app" "$heap/$(head -c 250 /dev/zero | tr '\0' x)")"
finds dumps "a directory of dumps that is not there" --conf "$conf" --dir "$scratch/nowhere"
finds blanks "a carriage return at the end" --conf "$conf$(printf '\r')"
run "$heapreport" doctor --conf "$conf" --user 4294967296
check "a user number that is too large: usage" status_is 2
# What a hostile process says must not become a line of the unit that is advised.
run "$heapreport" doctor --json --conf "$(place_at "/x
ExecStartPre=/bin/evil
/y"),stats_print_opts:J
ExecStop=/bin/evil"
check "the advice is made of lines of its own" json_is "$scratch/out" '.advice.override | test("\n *Exec") | not'
echo 'int main(void) { return 0; }' | gcc -static -O2 -g -fno-omit-frame-pointer -Wl,--build-id -x c -o "$scratch/static" -
printf '[Service]\nUser=%s\nExecStart=%s\nEnvironment="MALLOC_CONF=%s" LD_PRELOAD=libjemalloc.so.2\n' "$me" "$scratch/static" "$conf" >"$scratch/static.service"
says mend allocator "nothing is preloaded into a static program" --unit "$scratch/static.service"

if [ "$(id -u)" -eq 0 ]; then
    cp "$app" "$scratch/rights"
    chmod 4755 "$scratch/rights"
    printf '[Service]\nUser=nobody\nExecStart=%s\nEnvironment="_RJEM_MALLOC_CONF=%s"\n' "$scratch/rights" "$conf" >"$scratch/rights.service"
    says mend environment "a program that gives rights" --unit "$scratch/rights.service"
    echo NoNewPrivileges=y >>"$scratch/rights.service"
    says fine environment "rights that the unit does not let it have" --unit "$scratch/rights.service"
else
    skip "a program that gives rights" "only root can lay one out"
fi

# What has come of it.
MALLOC_CONF="prof:true, prof_active:true" LD_PRELOAD=libjemalloc.so.2 /bin/true 2>"$scratch/log"
finds log "a message in the log" --log "$scratch/log"
check "a message in the log: quoted" out_has "Malformed conf string"
finds dumps "no dumps" --dir "$scratch/theirs"
mkdir "$scratch/inactive" "$scratch/gperf" "$scratch/short"
printf 'heap_v2/524288\n  t*: 0: 0 [0: 0]\n' >"$scratch/inactive/app.7.0.f.heap"
finds sampled "dumps without stacks" --dir "$scratch/inactive"
printf 'heap profile: 1: 2 [ 3: 4] @ growthz\n' >"$scratch/gperf/app.0001.heap"
finds dumps "dumps of another profiler" --dir "$scratch/gperf"
printf 'heap_v2/524288\n  t*: 3: 300 [0: 0]\n@ 0x1234\n  t*: 1: 100 [0: 0]\n@ 0x2345\n  t*: 2: 200 [0: 0]\n' \
    >"$scratch/short/app.7.0.f.heap"
finds whole-stacks "stacks of one frame" --dir "$scratch/short"

# The process.
_RJEM_MALLOC_CONF=$conf MALLOC_CONF="prof_prefix:$scratch/other" "$app" 1 60000 >"$scratch/app.out" &
pid=$!
until [ -s "$scratch/app.out" ]; do sleep 0.05; done
well "a process" --pid "$pid"
well "a process and its unit" --pid "$pid" --unit "$scratch/good.service" --binary "$app"
finds running-program "the process runs another build" --pid "$pid" --binary "$scratch/rebuilt"
kill "$pid"
MALLOC_CONF=$conf "$app" 1 60000 >"$scratch/app.out2" &
pid=$!
until [ -s "$scratch/app.out2" ]; do sleep 0.05; done
finds environment "a process with the wrong variable" --pid "$pid"
kill "$pid"

# What steers a terminal, or turns the way that text runs.
printf 'x\000<jemalloc>: Invalid conf pair: \033[2J\342\200\256\302\205abc\377:d' >"$scratch/hostile.log"
for form in "" --json; do
    run "$heapreport" doctor $form --log "$scratch/hostile.log"
    check "a hostile log$form: status 1" status_is 1
    check "a hostile log$form: nothing but letters" [ "$(tr -d '\n -~' <"$scratch/out" | wc -c)" -eq 0 ]
done
check "a hostile log: JSON, with the message" json_is "$scratch/out" '.checks[0].reason | contains("[2J\u202e\u0085abc")'

# What cannot be examined.
run "$heapreport" doctor
check "nothing to examine: usage" status_is 2
run "$heapreport" doctor --binary "$scratch/none"
check "a program that is not there: status 3" status_is 3
head -c 3000 "$app" >"$scratch/cut"
run "$heapreport" doctor --binary "$scratch/cut"
check "a program that is cut: status 3" status_is 3
check "a program that is cut: said, not what is missing from it" err_has "cut: is cut"
run "$heapreport" doctor --binary "$scratch/file"
check "a program that is none: status 3" status_is 3
run "$heapreport" doctor --pid 4194305
check "no such process: status 3" status_is 3
run "$heapreport" doctor --log "$scratch/none"
check "no such log: status 3" status_is 3
run "$heapreport" doctor --conf "$conf" --user no-such-user
check "no such user: usage" status_is 2
run "$heapreport" doctor -q --conf "$conf"
check "quiet and well: silent" out_is_empty
finish
