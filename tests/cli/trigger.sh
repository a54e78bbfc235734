#!/bin/sh
# SPDX-License-Identifier: MIT
# libheapreport-trigger: dumps and counters on demand, for its own user only, at its own pace, in its
# own directory; and nothing at all without its variable.
heapreport=$(realpath "$1")
library=$(realpath "$2")
shared=$(realpath "$3")
. "$(dirname "$0")/../support/tap.sh"
. "$(dirname "$0")/../support/prefixed.sh"
client=$(realpath "$(dirname "$0")/trigger-client.py")
heap="$scratch/heap"
mkdir "$heap"
chmod 755 "$scratch" "$heap"
make_prefixed_library "$scratch"
app="$scratch/app"
link_prefixed "$scratch" "$app" -O2 -g -fno-omit-frame-pointer -Wl,-u,hr_trigger_start \
    "$programs/prefixed-service.c" "$library"
link_prefixed "$scratch" "$scratch/plain" -O2 -g "$programs/prefixed-service.c"
link_prefixed "$scratch" "$scratch/load" -O2 -g -fno-omit-frame-pointer -Wl,-u,hr_trigger_start \
    "$programs/prefixed-load.c" "$library"
conf="prof:true,prof_active:true,prof_prefix:$heap/app,lg_prof_sample:12"

# start LIMIT_MS PROGRAM ARGUMENTS...: sets $pid and $socket when it is up.
start() {
    limit=$1
    shift
    : >"$scratch/started"
    HEAPREPORT_TRIGGER_DIR=$heap HEAPREPORT_TRIGGER_LIMIT_MS=$limit MALLOC_CONF=$conf \
        "$@" >"$scratch/started" 2>"$scratch/service.err" &
    pid=$!
    until [ -s "$scratch/started" ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    socket="$heap/heapreport-trigger.$pid.sock"
}
stop() {
    kill "$pid"
    wait "$pid" 2>/dev/null
}

start 600000 "$app" 300 600000
check "a socket for its user alone" [ "$(stat -c %a "$socket")" = 600 ]
run "$heapreport" dump --pid "$pid" --stats
check "counters as JSON" json_is "$scratch/out" '.allocated > 1000000 and .resident >= .allocated'
run "$heapreport" dump --pid "$pid" --name ../out.heap
check "a path outside its directory: refused" all_of "status_is 3" "err_has plain"
check "a path outside its directory: nothing written" [ ! -e "$scratch/out.heap" ]
run "$heapreport" dump --pid "$pid" --name base.heap
check "a dump of that name" status_is 0
check "a dump of that name: its path" out_has "$heap/base.heap"
check "a dump of that name: one of jemalloc" [ "$(head -c 7 "$heap/base.heap")" = heap_v2 ]
run "$heapreport" dump --pid "$pid"
check "a second one too soon: status 3" status_is 3
check "a second one too soon: said" err_has "too soon"
run "$heapreport" dump --pid "$pid" --name base.heap
check "never over a file that is there" all_of "status_is 3" "err_has already"
if [ "$(id -u)" -eq 0 ]; then
    run python3 "$client" "$socket" --user 65534 stats
    check "another user: the file's mode keeps him out" err_has "Permission denied"
    chmod 666 "$socket"
    run python3 "$client" "$socket" --user 65534 stats
    check "another user: refused by who he is" out_has "error not allowed"
    run python3 "$client" "$socket" --user 65534 "dump theirs.heap"
    check "another user: gets no dump" [ ! -e "$heap/theirs.heap" ]
else
    skip "another user" "only root can be another user"
fi
run python3 "$client" "$socket" "rm everything"
check "an unknown request: refused" out_has "error unknown"
run python3 "$client" "$socket" "$(head -c 5000 /dev/zero | tr '\0' x)"
check "a request without end: refused" out_has "error"
stop

start 0 "$app" 300 15000
run "$heapreport" dump --pid "$pid" --active off
check "sampling off" status_is 0
run "$heapreport" dump --pid "$pid" --active on
check "sampling on" status_is 0
run "$heapreport" dump --pid "$pid" --reset
check "samples forgotten" status_is 0
run "$heapreport" dump --pid "$pid"
check "named by prof_prefix" [ -e "$heap/app.$pid.0.m0.heap" ]
wait "$pid"
check "the socket goes with the program" [ ! -e "$socket" ]
run "$heapreport" dump --pid "$pid" --dir "$heap"
check "a process that is gone: status 3" status_is 3

# Without a cache in each thread, what is allocated is what the two threads hold: 80 KB at most.
conf="$conf,tcache:false"
start 0 "$scratch/load"
run python3 "$client" "$socket" --repeat 1000 "$heap"
check "1,000 requests under load: all answered" json_is "$scratch/out" '.failed == 0'
check "1,000 requests under load: no memory stays" json_is "$scratch/out" \
    '(.late.allocated - .early.allocated) < 131072'
check "1,000 requests under load: no descriptors, no threads" json_is "$scratch/out" \
    '.late.fds <= .early.fds + 1 and .late.threads == .early.threads'
sed 's/^/# /' "$scratch/out"
stop

# Preloaded, where jemalloc is a library.
: >"$scratch/quiet"
LD_PRELOAD="libjemalloc.so.2 $shared" HEAPREPORT_TRIGGER_DIR=$heap sleep 60 2>"$scratch/quiet" &
pid=$!
tries=0
until [ -e "$heap/heapreport-trigger.$pid.sock" ] || [ "$tries" -gt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
run "$heapreport" dump --pid "$pid" --stats
check "preloaded beside a shared jemalloc" json_is "$scratch/out" '.allocated > 0'
stop
run env LD_PRELOAD="$shared" HEAPREPORT_TRIGGER_DIR="$heap" "$scratch/plain" 1 0
check "preloaded before a static one: says so" err_has "no mallctl"
check "preloaded before a static one: the program runs" status_is 0
mkdir -m 777 "$scratch/open"
chmod 777 "$scratch/open"
run env HEAPREPORT_TRIGGER_DIR="$scratch/open" "$app" 1 0
check "a directory open to all: refused" err_has "all may write"

run env HEAPREPORT_TRIGGER_DIR=. "$app" 1 0
check "a directory that depends on where one stands: refused" err_has "absolute"

# Whoever listens there: only the process that was named is asked, and what it says must be an answer.
cat >"$scratch/liar.py" <<'END'
import os, socket, sys, time
directory, number, answer = sys.argv[1:]
path = f"{directory}/heapreport-trigger.{number or os.getpid()}.sock"
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(4)
print(flush=True)
client, _ = server.accept()
client.recv(256)
client.sendall(answer.encode().decode("unicode_escape").encode("latin1"))
client.close()
END
# lie NUMBER ANSWER ARGUMENTS...: of the liar itself where NUMBER is empty
lie() {
    number=$1
    answer=$2
    shift 2
    : >"$scratch/started"
    python3 "$scratch/liar.py" "$heap" "$number" "$answer" >"$scratch/started" 2>"$scratch/liar.err" &
    liar=$!
    until [ -s "$scratch/started" ]; do sleep 0.05; done
    run "$heapreport" dump --pid "${number:-$liar}" --dir "$heap" "$@"
    kill "$liar" 2>/dev/null
    wait "$liar" 2>/dev/null
}
sleep 60 &
pid=$!
lie "$pid" 'ok\n'
check "a socket that another process laid there: not asked" all_of "status_is 3" "err_has listens"
stop
lie '' 'ok\n'
check "the process that was named: asked" status_is 0
tried=0
for answer in '' 'ok' 'okay\n' '{"allocated":1}\n' 'error\n' 'ok\nok\n' 'ok\0\n'; do
    lie '' "$answer"
    tried=$((tried + 1))
    check "an answer that is none ($tried): status 3" all_of "status_is 3" "err_has answer"
done
lie '' 'ok\n' --stats
check "counters that are none: status 3" status_is 3
lie '' 'error \033[2J\n'
check "an answer that steers the terminal: status 3" status_is 3
check "an answer that steers the terminal: escaped" [ "$(tr -d '\033' <"$scratch/err" | wc -c)" -eq "$(wc -c <"$scratch/err")" ]
run "$heapreport" dump --pid $$ --dir "$heap" --name "a.heap
reset"
check "a name of two lines: status 2" status_is 2

# Without the variable: the same system calls as without the library.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    calls() { strace -f -o "$scratch/trace" "$@" >/dev/null && sed 's/^[0-9]* *//; s/(.*//' "$scratch/trace"; }
    calls "$app" 3 0 >"$scratch/with"
    calls "$scratch/plain" 3 0 >"$scratch/without"
    check "without the variable: no system call more" same "$scratch/with" "$scratch/without"
    check "without the variable: that was seen" [ "$(wc -l <"$scratch/with")" -gt 10 ]
    calls env HEAPREPORT_TRIGGER_DIR="$heap" "$app" 3 0 >"$scratch/with"
    check "with it there are some" grep -q '^socket' "$scratch/with"
else
    skip "no system call without the variable" "strace cannot trace here"
fi
finish
