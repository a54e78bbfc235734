#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the pages show is what a machine takes: code in docs/dump-on-demand.md compiles, units and scripts in docs/examples
are well-formed. usage: examples.py ROOT      TAP; what needs a tool that is not here is skipped aloud."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish, skip  # noqa: E402  (lies beside the other helpers)

CRATE = """
mod tikv_jemalloc_ctl { pub mod raw {
    /// # Safety
    /// none
    pub unsafe fn write<T>(_name: &[u8], _value: T) -> Result<(), std::io::Error> { Ok(()) }
} }
"""


def check_command(name, command, tool=None):
    if tool and not shutil.which(tool):
        skip(name, f"no {tool}")
        return
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    check(name, done.returncode == 0, done.stdout + done.stderr)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def check_code(page, scratch):
    for i, code in enumerate(blocks(page, "c")):
        source = scratch / f"block{i}.c"
        source.write_text(code)
        check_command(f"C block {i + 1} compiles", ["gcc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-DAPP_HEAP_PROFILING", "-fsyntax-only", source], "gcc")
    for i, code in enumerate(blocks(page, "rust")):
        source = scratch / f"block{i}.rs"
        source.write_text(code + CRATE)
        check_command(f"Rust block {i + 1} compiles", ["rustc", "--edition", "2021", "--crate-type", "lib", "--crate-name", "block",
              "--emit", "metadata", "--cfg", 'feature="jemalloc-profiling"', "-o", scratch / "block.rmeta", source], "rustc")


def check_units(examples, scratch):
    """Each unit as an instance, its programs where the test has some."""
    stub = scratch / "stub"
    stub.write_text("#!/bin/sh\n")
    stub.chmod(0o755)
    for unit in sorted(examples.glob("*@.*")):
        text = re.sub(r"/usr/local/bin/\S+", str(stub), unit.read_text())
        (scratch / unit.name).write_text(text)
    (scratch / "demo.service").write_text(f"[Service]\nExecStart={stub}\n")
    for unit in sorted(examples.glob("*@.*")):
        check_command(f"{unit.name} is a unit", ["systemd-analyze", "verify", scratch / unit.name.replace("@", "@demo")], "systemd-analyze")


def main():
    root = pathlib.Path(sys.argv[1])
    examples = root / "docs/examples"
    page = (root / "docs/dump-on-demand.md").read_text()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        check("there is C and Rust to compile", bool(blocks(page, "c")) and bool(blocks(page, "rust")))
        check_code(page, scratch)
        check_units(examples, scratch)
        check_command("heapreport-night is a shell script", ["sh", "-n", examples / "heapreport-night"])
        lines = [line for line in (examples / "heapreport.cron").read_text().splitlines() if line and not re.match(r"#|[A-Z_]+=", line)]
        fine = bool(lines) and all(re.fullmatch(r"([\d*/,-]+\s+){5}[a-z_][a-z0-9_-]*\s+\S.*", line) for line in lines)
        check("heapreport.cron has times, a user and a command", fine, lines)
    return finish()


sys.exit(main())
