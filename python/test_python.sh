#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The packages softgpu and cotangent_suite: their own tests and examples, from the source tree and from wheels. With the
# environment that `./quickstart python` makes, also what needs Triton, NVRTC or pytest; each test that goes without is
# a skip here, with its reason.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
python="/usr/bin/python3 -B"
top=$(cd "$srcdir" && pwd)
native=$(cd "$builddir" && pwd)
[ ! -x "$top/build/venv/bin/python" ] || python="$top/build/venv/bin/python -B -W ignore"

$python -c 'import numpy' 2> /dev/null || { echo "1..0 # SKIP no numpy for $python"; exit 0; }
if "$builddir/cotangent" judge sum 2>&1 | grep -q MPFR; then
    echo "1..0 # SKIP nothing is judged without MPFR"
    exit 0
fi
# From the source tree: nothing installed, the programs of the build.
from_source() {
    env COTANGENT="$native/cotangent" SOFTGPU_HOME="$native/softgpu" TRITON_CACHE_DIR="$work/triton" \
        PYTHONPATH="$top/python/suite:$top/python/device:$top/python" "$@"
}

# What was skipped, a line each, as "name<tab>reason": by unittest under -v, pytest under -rs, the tutorial.
skipped() {
    tab=$(printf '\t')
    sed -nE -e "s/^([A-Za-z_0-9]+) \((__main__\.)?([^ )]*)\) \.\.\. skipped [\"'](.*)[\"']\$/\1 (\3)$tab\4/p" \
        -e "s/^SKIPPED \[[0-9]+\] ([^ ]*): (.*)\$/\1$tab\2/p" -e "s/^left out: (.*)\$/a part$tab\1/p" "$1"
}

# then_skips NAME: a line of TAP for everything that the last command left out.
then_skips() {
    skipped "$output" > "$work/skipped"
    while IFS=$(printf '\t') read -r what why; do
        skip "$1: $what" "$why"
    done < "$work/skipped"
}

ok "the suite's tests and examples, from the source tree" from_source $python "$top/python/test_suite.py" -v
grep '^# judge' "$output" # what large verdicts took
then_skips "the suite's"
ok "grades, and known cheats" from_source $python "$top/python/test_grade.py" -v
then_skips grades
ok "Triton's tutorial kernels" from_source $python "$top/python/test_tutorial.py" -v
then_skips "the tutorial kernels"
ok "the device's" from_source $python "$top/python/test_device.py" -v
then_skips "the device's"
if $python -c 'import pytest' 2> /dev/null; then
    ok "the plug-in's" from_source $python -m pytest -q -rs -p no:cacheprovider "$top/python/test_plugin.py"
    then_skips "the plug-in's"
else
    skip "the plug-in's" "no pytest: ./quickstart python fetches it"
fi

sed -n '/^```python$/,/^```$/p' "$srcdir/doc/python.md" | sed '/^```/d' > "$work/manual.py"
says "WRONG: 3 of 3 cells of softmax's gradient" "the manual's example" from_source $python "$work/manual.py"
sed -n '/^```py$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$work/readme.py"
says "cases, 0 failed" "README's example" from_source $python "$work/readme.py"
says "max torch: [0.5 0.  0.5 0. ]" "the tutorial" from_source $python "$top/python/tutorial.py"
then_skips "the tutorial"
if $python -c 'import triton' 2> /dev/null; then
    from_source $python "$top/python/examples/first.py" > "$work/first" 2>&1
    for line in '^(NumPy|PyTorch): right: 64000 cells' 'for the same: True$' '^WRONG: ' '^first.py:[0-9]+: race: '; do
        ok "the first example prints $line" grep -E "$line" "$work/first"
    done
else
    skip "the first example" "no Triton: ./quickstart python fetches it"
fi
says "set COTANGENT to the path" "without the program it says so" \
    from_source env COTANGENT=/nowhere/cotangent $python "$work/manual.py"

# Without Triton nothing of it may look as if it had run.
mkdir "$work/none"
echo "raise ImportError('none here')" > "$work/none/triton.py"
without_triton() (
    output=$work/said
    ok "the device's" from_source env PYTHONPATH="$work/none:$top/python/suite:$top/python/device:$top/python" \
        $python "$top/python/test_device.py" -v Triton
    then_skips "the device's"
)
says "the device's: test_dot (Triton.test_dot) # SKIP none here" "what is missing is skipped, with its reason" \
    without_triton

# Wheels, without the network: by the pip, setuptools and wheel that are there.
if $python -c 'import setuptools, wheel, pip' 2> /dev/null; then
    ok "the wheels are built" "$top/python/make-wheels" "$native" "$work/wheels" "$python"
    for name in softgpu cotangent_suite; do
        ok "$name for this platform and any Python 3" sh -c 'ls "$1"-*-py3-none-*linux*.whl' sh "$work/wheels/$name"
    done
    ok "they hold every source, the programs, and licences" $python "$top/python/fixture_wheels.py" "$work/wheels"
    sed 's/^/# /' "$output"
    ok "and install" $python -m pip install --quiet --no-deps --no-index --target "$work/site" "$work"/wheels/*.whl
    installed() { env -u COTANGENT -u SOFTGPU_HOME PYTHONPATH="$work/site" "$@"; }
    ok "the programs that are in them judge" installed $python "$top/python/test_suite.py" Judge Gradient
    ok "and grade, and keep the reference out of reach" \
        installed $python "$top/python/test_grade.py" Cheats.test_imports_anew Cheats.test_calls_its_parent Command
    ok "and run kernels" installed $python "$top/python/test_device.py" Device
    ok "their commands are the programs" \
        installed sh -c '"$1/site/bin/cotangent" version && "$1/site/bin/softgpu" --help' sh "$work"
    says "1 cases, 0 failed" "the suite finds the device that is in the other" installed "$work/site/bin/cotangent" \
        check --backend cuda --case add/f32/4/-/contig/uniform/1
else
    skip "wheels" "no pip, setuptools and wheel for $python"
fi
done_testing
