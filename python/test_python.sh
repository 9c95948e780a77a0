#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The package cotangent_suite: its own tests and examples, from the source tree and from a wheel.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
python="/usr/bin/python3 -B"

$python -c 'import numpy' 2> /dev/null || { echo "1..0 # SKIP no numpy for /usr/bin/python3"; exit 0; }
if "$builddir/cotangent" judge sum 2>&1 | grep -q MPFR; then
    echo "1..0 # SKIP nothing is judged without MPFR"
    exit 0
fi
ok "tests and examples, from the source tree" \
    env COTANGENT="$builddir/cotangent" PYTHONPATH="$srcdir/python" $python "$srcdir/python/test_arrays.py"

sed -n '/^```python$/,/^```$/p' "$srcdir/doc/python.md" | sed '/^```/d' > "$work/manual.py"
says "WRONG: 3 of 3 cells of softmax's gradient" "the manual's example" \
    env COTANGENT="$builddir/cotangent" PYTHONPATH="$srcdir/python" $python "$work/manual.py"

says "set COTANGENT to the path" "without the program it says so" \
    env COTANGENT=/nowhere/cotangent PYTHONPATH="$srcdir/python" $python "$work/manual.py"

# A wheel, without the network: by the pip, setuptools and wheel of the system.
if $python -c 'import setuptools, wheel, pip' 2> /dev/null; then
    cp -r "$srcdir/python" "$work/source"
    chmod -R u+w "$work/source"
    mkdir "$work/source/cotangent_suite/native"
    cp "$builddir/cotangent" "$work/source/cotangent_suite/native"
    ok "a wheel is built" \
        $python -m pip wheel --quiet --no-deps --no-build-isolation --no-index -w "$work" "$work/source"
    ok "for this platform and any Python 3" sh -c 'ls "$1"/cotangent_suite-*-py3-none-linux_*.whl' sh "$work"
    ok "and installs" \
        $python -m pip install --quiet --no-deps --no-index --target "$work/site" "$work"/cotangent_suite-*.whl
    ok "tests and examples, with the program that is in it" \
        env -u COTANGENT PYTHONPATH="$work/site" $python "$work/source/test_arrays.py"
    ok "its command is the program" sh -c 'PYTHONPATH=$1/site "$1/site/bin/cotangent" version' sh "$work"
else
    skip "a wheel" "no pip, setuptools and wheel for /usr/bin/python3"
fi
done_testing
