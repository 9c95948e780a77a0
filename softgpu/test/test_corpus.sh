#!/bin/sh
# What fuzzing found worth keeping, replayed: it must load or be refused, without a crash or a hang.
: "${srcdir:=.}" "${builddir:=.}"
"$builddir/softgpu/test/fuzz_replay" "$srcdir"/softgpu/test/corpus/*
