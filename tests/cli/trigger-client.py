#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trigger-client.py SOCKET [--user UID] [--repeat N DIRECTORY] REQUEST: prints the answer, or how memory, descriptors
and threads of the process stood after the first and after the last tenth of the requests."""
import json
import os
import pathlib
import socket
import sys


def ask(path, request):
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(path)
        client.sendall(request.encode() + b"\n")
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := client.recv(4096):
            answer += chunk
    return answer.decode().strip()


def standing(path, pid):
    return {**json.loads(ask(path, "stats")), "fds": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": len(os.listdir(f"/proc/{pid}/task"))}


def repeat(path, count, directory):
    pid = int(path.split(".")[-2])
    stands = []
    failed = 0
    for i in range(count):
        name = f"repeat.{i}.heap"
        kind = i % 4
        answer = ask(path, [f"dump {name}", "stats", "dump ../out.heap", "active on"][kind])
        failed += answer.startswith("error") != (kind == 2)
        (pathlib.Path(directory) / name).unlink(missing_ok=True)
        if i + 1 in (count // 10, count):
            stands.append(standing(path, pid))
    print(json.dumps({"failed": failed, "early": stands[0], "late": stands[1]}))


def main():
    path, *rest = sys.argv[1:]
    if rest[0] == "--user":
        os.setgroups([])
        os.setgid(int(rest[1]))
        os.setuid(int(rest[1]))
        rest = rest[2:]
    if rest[0] == "--repeat":
        repeat(path, int(rest[1]), rest[2])
    else:
        print(ask(path, rest[0]))


main()
