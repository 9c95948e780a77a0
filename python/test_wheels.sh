#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The wheels where no compiler is: from a fresh environment to a verdict and a race, a gigabyte of PyPI on the way.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
python=$srcdir/build/venv/bin/python
[ -x "$python" ] || { echo "1..0 # SKIP no build/venv: ./quickstart python makes it"; exit 0; }
if ! "$python" -m pip download --quiet --no-deps --dest "$work" iniconfig > "$work/said" 2>&1; then
    echo "1..0 # SKIP no PyPI"
    exit 0
fi
ok "the wheels are built, for any Linux of their age" "$srcdir/python/make-wheels" "$builddir" "$work/wheels" "$python"
for name in softgpu cotangent_suite; do
    ok "$name has such a tag" sh -c 'ls "$1"-*-manylinux_*.whl' sh "$work/wheels/$name"
done
ok "they install, and the first example runs" "$srcdir/python/try-wheels" "$work/wheels" "$python" triton==3.9.0
cp "$output" "$work/tried"
sed 's/^/# /' "$work/tried"
for line in '^no compiler on PATH' '^NumPy: right: 64000 cells' '^WRONG: ' '^first.py:[0-9]+: race: '; do
    ok "it prints $line" grep -E "$line" "$work/tried"
done
done_testing
