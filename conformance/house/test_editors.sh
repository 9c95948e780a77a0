#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# compile_commands.json, for editors: what it says is there, and compiles.
. "$srcdir/conformance/tap/tap.sh"
commands=$builddir/compile_commands.json
trap 'rm -f "$output"' EXIT

command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
rm -f "$commands"
ok "make compile_commands.json" env MAKEFLAGS= MAKELEVEL= make -C "$builddir" compile_commands.json
cat > "$output.py" << 'END'
"""usage: CHECK JSON FILE...: every entry names a file that exists, and each FILE has an entry that compiles it."""

import json
import pathlib
import shlex
import subprocess
import sys

entries = json.load(open(sys.argv[1]))
known = {}
for entry in entries:
    directory = pathlib.Path(entry["directory"])
    file = directory / entry["file"]
    if not (directory.is_dir() and file.is_file()):
        sys.exit(f"{file} is not there")
    known[file.resolve()] = entry
for wanted in sys.argv[2:]:
    entry = known.get(pathlib.Path(wanted).resolve()) or sys.exit(f"{wanted} has no entry among {len(entries)}")
    words = shlex.split(entry["command"])
    at = words.index("-o")
    words[at : at + 2] = ["-fsyntax-only"]
    subprocess.run([word for word in words if word != "-c"], cwd=entry["directory"], check=True)
END
ok "is JSON, names files that are there, and compiles the library's, the reference's, the suite's and a test's" \
    python3 -B "$output.py" "$commands" "$srcdir/core/plan.c" "$srcdir/backend_ref/ref.c" \
    "$srcdir/conformance/case/case.c" "$srcdir/core/test_validate.c"
echo 'int misspelt' > "$output.c"
printf '[{ "directory": "%s", "file": "%s", "command": "%s -c -o x.o %s" }]' \
    "$builddir" "$output.c" "$CC" "$output.c" > "$output.json"
not_ok "what does not compile is told apart" python3 -B "$output.py" "$output.json" "$output.c"
sed 's/"file": "/"file": "no/' "$output.json" > "$output.none"
not_ok "so is what is not there" python3 -B "$output.py" "$output.none"
rm -f "$output.py" "$output.c" "$output.json" "$output.none"
done_testing
