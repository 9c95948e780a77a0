#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Liger-Kernel from PyPI on the software device, against PyTorch: some minutes, and gigabytes to fetch.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
top=$(cd "$srcdir" && pwd)
python=$top/build/venv/bin/python
"$python" -c 'import liger_kernel, torch, triton' 2> /dev/null ||
    { echo "1..0 # SKIP no Liger-Kernel in build/venv: ./quickstart test --long fetches it"; exit 0; }
ok "every client computes what PyTorch does" env SOFTGPU_HOME="$builddir/softgpu" TRITON_CACHE_DIR="$work" \
    PYTHONPATH="$top/python/device" "$python" -B "$top/python/clients.py"
sed 's/^/# /' "$output"
done_testing
