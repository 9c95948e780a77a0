#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# make install: one header, the library both ways, pkg-config, the command, its manual page and its completion.
. "$srcdir/conformance/tap.sh"
root=$(mktemp -d)
trap 'rm -rf "$root" "$output"' EXIT

ok "make install" env MAKEFLAGS= MAKELEVEL= make -C "$builddir" install prefix="$root"
ok "the only header is cotangent.h" test "$(ls "$root/include")" = cotangent.h
for file in lib/libcotangent.so lib/libcotangent.a lib/pkgconfig/cotangent.pc bin/cotangent share/man/man1/cotangent.1 \
    share/bash-completion/completions/cotangent; do
    ok "installed: $file" test -s "$root/$file"
done
ok "the installed command runs" "$root/bin/cotangent" version
ok "only cot_ names are exported" sh -c "! nm -D --defined-only '$root/lib/libcotangent.so' | awk '{ print \$3 }' | grep -v '^cot_'"
if command -v bash > /dev/null; then
    says "softmax" "completion knows the ops" bash -c "PATH='$root/bin':\$PATH; . '$root/share/bash-completion/completions/cotangent'
        COMP_WORDS=(cotangent explain soft); COMP_CWORD=2; _cotangent; echo \"\${COMPREPLY[@]}\""
else
    skip "completion" "no bash"
fi
if command -v pkg-config > /dev/null; then
    sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$root/example.c"
    ok "README's example builds against what was installed" sh -c "PKG_CONFIG_PATH='$root/lib/pkgconfig' $CC -o '$root/example' \
        '$root/example.c' \$(PKG_CONFIG_PATH='$root/lib/pkgconfig' pkg-config --define-variable=prefix='$root' --cflags --libs cotangent) \
        $SANITIZE -Wl,-rpath,'$root/lib'"
    says "da = 7 16 27, db = 4 10 18" "and runs" "$root/example"
else
    skip "README's example against what was installed" "no pkg-config"
    skip "and runs" "no pkg-config"
fi
ok "make uninstall" env MAKEFLAGS= MAKELEVEL= make -C "$builddir" uninstall prefix="$root"
ok "leaves nothing behind" test -z "$(find "$root" -type f ! -name 'example*')"
done_testing
