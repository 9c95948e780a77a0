#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# make install: one header, the library both ways, pkg-config, the command, its manual page and its completion.
. "$srcdir/conformance/tap/tap.sh"
root=$(mktemp -d)
trap 'rm -rf "$root" "$output"' EXIT

ok "make install" env MAKEFLAGS= MAKELEVEL= make -C "$builddir" install prefix="$root"
ok "the headers are the library's and the software device's" \
    test "$(ls "$root/include" | tr '\n' ' ')" = "cotangent.h softgpu.h "
for file in lib/libcotangent.so lib/libcotangent.a lib/pkgconfig/cotangent.pc bin/cotangent share/man/man1/cotangent.1 \
    share/bash-completion/completions/cotangent; do
    ok "installed: $file" test -s "$root/$file"
done
# What a man page or a message points to is there, and what these documents point to as well.
pointed=$(grep -aohE 'doc/[A-Za-z][A-Za-z_-]*\.(md|txt|py)' "$root"/share/man/man1/*.1 "$root/bin/cotangent" \
    "$root/bin/softgpu" "$root"/lib/cotangent/softgpu/libcuda.so.1 | sort -u)
ok "man pages and messages point to documents: $(echo "$pointed" | wc -l)" test "$(echo "$pointed" | wc -l)" -ge 5
for file in $pointed; do
    ok "installed: $file" test -s "$root/share/doc/cotangent/${file#doc/}"
done
linked=$(grep -ohE '\]\([A-Za-z][A-Za-z_-]*\.(md|txt|py|svg)' "$root"/share/doc/cotangent/*.md | sed 's/](//' | sort -u)
for file in $linked; do
    ok "and what they link to: $file" test -s "$root/share/doc/cotangent/$file"
done
if [ -e "$builddir/web/index.html" ]; then
    ok "the page, which has been built" cmp "$builddir/web/index.html" "$root/share/doc/cotangent/page.html"
else
    skip "the page" "it has not been built: make web"
fi
ok "the installed command runs" "$root/bin/cotangent" version
ok "only cot_ names are exported" \
    sh -c "! nm -D --defined-only '$root/lib/libcotangent.so' | awk '{ print \$3 }' | grep -v '^cot_'"
if command -v bash > /dev/null; then
    says "softmax" "completion knows the ops" \
        bash -c "PATH='$root/bin':\$PATH; . '$root/share/bash-completion/completions/cotangent'
        COMP_WORDS=(cotangent explain soft); COMP_CWORD=2; _cotangent; echo \"\${COMPREPLY[@]}\""
else
    skip "completion" "no bash"
fi
if command -v pkg-config > /dev/null; then
    sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$root/example.c"
    ok "README's example builds against what was installed" \
        sh -c "PKG_CONFIG_PATH='$root/lib/pkgconfig' $CC -o '$root/example' '$root/example.c' \
        \$(PKG_CONFIG_PATH='$root/lib/pkgconfig' pkg-config --cflags --libs cotangent) $SANITIZE -Wl,-rpath,'$root/lib'"
    says "da = 7 16 27, db = 4 10 18" "and runs" "$root/example"
else
    skip "README's example against what was installed" "no pkg-config"
    skip "and runs" "no pkg-config"
fi
# The way of doc/porting.md, with the installed files alone: its own commands, in a directory with the template.
mkdir "$root/port"
cp "$root/share/doc/cotangent/template/"* "$root/port"
export PATH="$root/bin:$PATH" PKG_CONFIG_PATH="$root/lib/pkgconfig"
grep -E '^cc .*port' "$root/share/doc/cotangent/porting.md" |
    sed 's/^cc/$CC $SANITIZE -Wall -Wextra -pedantic -Werror/' > "$root/port/build.sh"
grep -E '^cotangent check --backend ./port.so' "$root/share/doc/cotangent/porting.md" > "$root/port/judge.sh"
export root CC SANITIZE
if command -v pkg-config > /dev/null; then
    ok "the template builds as porting.md says" sh -c 'cd "$root/port" && test -s build.sh && . ./build.sh'
    ok "and is judged as it says" sh -c 'cd "$root/port" && test -s judge.sh && . ./judge.sh'
    if command -v g++ > /dev/null; then
        ok "the template is C++ too" sh -c 'cd "$root/port" && g++ -std=c++20 -Wall -Werror -ffp-contract=off \
            -shared -fPIC -I"$root/include" -x c++ -o plus.so port.c && nm -D plus.so | grep -q " T cot_backend_entry$"'
    else
        skip "the template is C++ too" "no g++"
    fi
    not_ok "broken, it is not good" \
        sh -c 'cd "$root/port" && sed -i "s/= g\[i\] \* b\[i\]/= g[i] + b[i]/" port.c && . ./build.sh &&
            cotangent check --backend ./port.so --case mul/f32/5x37/-/contig/uniform/1'
else
    skip "the template" "no pkg-config"
fi
if /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
    ok "the template in Python" \
        sh -c 'cd "$root/port" &&
            cotangent check --backend "process:/usr/bin/python3 port.py" --case mul/f64/5x37/-/contig/pairs/1'
else
    skip "the template in Python" "no numpy for /usr/bin/python3"
fi
rm -r "$root/port"
ok "make uninstall" env MAKEFLAGS= MAKELEVEL= make -C "$builddir" uninstall prefix="$root"
ok "leaves nothing behind" test -z "$(find "$root" -type f ! -name 'example*')"
done_testing
