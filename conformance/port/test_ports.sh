#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Backends in processes of their own: what a bad one does costs its case and not the run, and what is no backend is
# refused.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
plugins=$builddir/conformance/fixture
bad=mul/f32/32/-/contig/uniform/1
good=mul/f32/1025/-/contig/uniform/1

# ---- bad days: day NAME WHAT-IS-SAID
check() { "$cotangent" check --backend "$plugins/plugin_unruly.so" --timeout 6 "$@"; }
day() {
    UNRULY=$1
    export UNRULY
    exits 1 "$1: its case fails" check --case $bad
    grep -qF -e "$2" "$output"
    result $? "$1: and says: $2"
    exits 0 "$1: another case is good" check --case $good
}
whole_run() {
    check --op mul --dtype f32 > "$output" 2>&1
    [ $? = 1 ] && grep -qF -e mul/f32/32/ "$output"
    result $? "$UNRULY: a whole run comes to its end"
}

UNRULY='' exits 0 "a good day" check --op mul --dtype f32
UNRULY=chat exits 0 "what a plug-in prints does not get between the messages" check --case $bad
day crash "its process"
whole_run
day exit "its process"
day hang "no answer to run within 2 s"
whole_run
day stop "no answer to run within 2 s"
day heap "its process"
day far "its process"
day near "LAYOUT-ONLY-CELLS"
day input "LAYOUT-ONLY-CELLS"
day nothing "EXTENT-ANY"
day rounding "floating-point mode"
day flush "floating-point mode"
day greedy "asks for 68719476736 bytes of workspace"

# ---- a slow machine is not a failure: what was late is tried once more, alone
mark=$output.mark
rm -f "$mark"
patient() {
    UNRULY=$1 UNRULY_MARK=$mark "$cotangent" check --backend "$plugins/plugin_unruly.so" --timeout 1.5 --repeat 9 \
        --level stable --case $bad
}
exits 0 "a case that is late once passes" patient once
[ -e "$mark" ]
result $? "and it was late"
rm -f "$mark"
exits 1 "one that is late alone as well fails" patient slow
grep -qF -e "no answer within 1.5 seconds" "$output"
result $? "and says after how long"
says "a third of --timeout" "a call that takes too long says what its limit hangs on" \
    env UNRULY=hang "$cotangent" check --backend "$plugins/plugin_unruly.so" --timeout 1.5 --case $bad
COTANGENT_TIMEOUT=0.001 UNRULY=hang exits 1 "the environment has no say in it" \
    "$cotangent" check --backend "$plugins/plugin_unruly.so" --timeout 1.5 --case $bad
grep -qF -e "no answer to run within 0.5 s" "$output"
result $? "for --timeout alone governs"
says "no answer to run within 0.25 s" "other commands have a --timeout too" env UNRULY=hang "$cotangent" \
    gradcheck mul --backend "$plugins/plugin_unruly.so" --dtype f32 --shape 32 --timeout 0.75
says "--timeout x: expected seconds" "and read it" "$cotangent" gradcheck mul --timeout x

# ---- what hangs and what is slow does not keep a run for ever
UNRULY=never exits 1 "calls that do not come back end the run" "$cotangent" check \
    --backend "$plugins/plugin_unruly.so" --op mul --dtype f32 --timeout 0.3
grep -qE -e "^Bail out! calls of the backend that did not come back have cost" "$output"
result $? "once they have cost five times --timeout"
UNRULY=late exits 1 "the search for a smaller case has the time of one case" \
    timeout 30 "$cotangent" check --backend "$plugins/plugin_unruly.so" --timeout 1.5 --case $good
grep -qF -e "the search for a smaller case was ended after 1.5 s" "$output"
result $? "and says so"

# ---- a port that checks calls itself
short=mul/f32/4x6/-/contig/uniform/1,bad=short.a
UNRULY='' exits 0 "a call that must be refused is refused by the core" check --case $short
UNRULY=careful exits 0 "or by a port that checks calls itself" check --case $short
UNRULY=trusting exits 1 "and one that does not is found out" check --case $short

exits 0 "a port that checks every call itself can pass" \
    "$cotangent" check --backend "$plugins/plugin_validates.so" --op mul --dtype f32
exits 0 "no descriptor at all, a NULL pointer, among them" "$cotangent" check --backend "$plugins/plugin_validates.so" \
    --case mul/f32/4x6/-/contig/uniform/1,bad=desc_null
exits 1 "and one that does not know it fails" \
    env UNRULY=trusting "$cotangent" check --backend "$plugins/plugin_unruly.so" \
    --case mul/f32/4x6/-/contig/uniform/1,bad=desc_null

# ---- nobody writes his own verdict
forger() { "$cotangent" check --backend "$plugins/plugin_forger.so" --case mul/f32/5x37/-/contig/uniform/1 "$@"; }
exits 1 "a verdict that a plug-in sends is not believed" forger
descriptors=$(COTANGENT_STDERR=1 "$cotangent" check --backend "process:ls /proc/self/fd >&2; exit 3" --case $good 2>&1 |
    grep -c '^[0-9]*$')
[ "$descriptors" = 4 ] # three, and the one that ls has opened to look
result $? "a process has its three standard descriptors and no other: $descriptors with that of ls"

# ---- an answer is no longer than its question allows: flood NAME KIND BYTES
flood=$srcdir/conformance/port/fixture_flood.py
flooded() { # KIND BYTES CASE
    python3 "$flood" peak "$cotangent" check --backend "process:python3 $flood $1 $2 $cotangent serve ref" --case "$3"
}
flood() {
    command -v python3 > /dev/null || { skip "$1" "no python3"; return; }
    exits 1 "$1: its case fails" flooded "$2" "$3" $bad
    grep -qF -e "does not keep to the protocol" "$output"
    result $? "$1: and says why"
    [ "$(sed -n 's/^peak //p' "$output")" -lt 400 ]
    result $? "$1: no process has taken as much"
    exits 0 "$1: another case is good" flooded "$2" "$3" $good
}
flood "select of 2^40 bytes" 2 1099511627776
flood "run of 2^40 bytes" 4 1099511627776
flood "run of a gigabyte, which could be had" 4 1073741824

# ---- what is no backend: refused TEXT NAME [OPTION...]
refused() {
    said=$1
    backend=$2
    shift 2
    exits 3 "$backend is refused" "$cotangent" check --backend "$backend" --case $good "$@"
    grep -qF -e "$said" "$output"
    result $? "and says: $said"
}
refused "has backend ABI 0, this library speaks 1: rebuild it" "$plugins/plugin_old.so"
refused "has a backend table of 16 bytes, expected" "$plugins/plugin_small.so"
refused "does not export cot_backend_entry" "$plugins/plugin_empty.so"
refused "has 1 of alloc, free, copy_in and copy_out, expected all or none" "$plugins/plugin_torn.so"
refused "cannot load $srcdir/README.md" "$srcdir/README.md"
refused "No such file" ./nothing.so
refused "could not be started" "process:/nothing/at/all"
refused "in open its process exited with status 3: so" "process:echo so >&2; exit 3"
refused "does not keep to the protocol" "process:printf '\\003\\000\\000\\000\\000\\000\\000\\000abc'; cat > /dev/null"
slow_to_open() { refused "no answer to open within 0.5 s" "$1" --timeout 1.5; }
slow_to_open "process:sleep 60"
refused 'there is no backend "nothing"' nothing
UNRULY=load refused "its process" "$plugins/plugin_unruly.so"
UNRULY=open slow_to_open "$plugins/plugin_unruly.so"

# ---- limits, for the process and what it starts
limited() { # WHAT SAYS LIMITS COMMAND
    COTANGENT_LIMITS=$3 says "$2" "$1" "$cotangent" check --backend "process:$4" --case $good
}
limited "so many open files" "exited with status 9: 61" files=61 'ulimit -n >&2; exit 9'
limited "so much memory, in KB" "exited with status 9: 524288" memory=512M 'ulimit -v >&2; exit 9'
limited "so many seconds of a processor" "was killed by signal" cpu=1 'while :; do :; done'
# shellcheck disable=SC2016 # for the other shell
limited "a session of its own, without a terminal" "status 9: its own" "" \
    'read -r _ _ _ keeper _ session terminal _ < /proc/$$/stat
    [ "$session $terminal" = "$keeper 0" ] && echo its own >&2; exit 9'
COTANGENT_LIMITS=memory=512M,disk=3 exits 3 "a limit that there is not" \
    "$cotangent" check --backend "process:true" --case $good
COTANGENT_LIMITS=files=none says "files=none: expected a number" "a limit that is no number" \
    "$cotangent" check --backend "process:true" --case $good

# ---- the protocol, end to end
UNRULY=''
exits 0 "the reference behind the protocol" \
    "$cotangent" check --backend "process:$cotangent serve ref" --op softmax --dtype f16
exits 0 "with what a case says beside its shape" \
    "$cotangent" check --backend "process:$cotangent serve ref" --case cumsum/f32/5x37/1/contig/uniform/1,rev=1
exits 0 "a backend with memory of its own" \
    "$cotangent" check --backend "$plugins/plugin_own_memory.so" --op mul --dtype f64
exits 0 "another command" "$cotangent" gradcheck mul --backend "$plugins/plugin_own_memory.so"
if "$cotangent" check --backend cuda --device soft --case add/f32/4/-/contig/uniform/1 > /dev/null 2>&1; then
    says "no silicon was tested" "what is no silicon says so behind the protocol" \
        "$cotangent" check --backend "process:$cotangent serve cuda" --case add/f32/4/-/contig/uniform/1
else
    skip "what is no silicon says so behind the protocol" "no software device"
fi
cat > "$output.py" << 'END'
import struct, subprocess, sys


def talk(p, *numbers, tail=b""):
    body = b"".join(n if isinstance(n, bytes) else struct.pack("<q", n) for n in numbers) + tail
    p.stdin.write(struct.pack("<q", len(body)) + body)
    p.stdin.flush()
    size = p.stdout.read(8)
    answer = p.stdout.read(struct.unpack("<q", size)[0]) if len(size) == 8 else b""
    return struct.unpack_from("<q", answer, 8)[0] if answer else None


def view(block, offset, length):
    return [1, 3, 1, block, offset, length, 4] + [0] * 7 + [1] + [0] * 7


def run(block=0, offset=0, length=4, workspace=(-1, 0, 0)):
    """The status of a run of add over four floats, whose dy lies as is said; None where the process has died."""
    p = subprocess.Popen([sys.argv[1], "serve", "ref"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    talk(p, 1, 1, 0)
    desc = [0, 0, int(sys.argv[2]), 0, 3, 1, 4] + [0] * 7 + [0, 0, 0, 0, bytes(16)]
    operands = view(block, offset, length) + [0] * 4 + [0] + view(0, 16, 4) + view(0, 32, 4)
    status = talk(p, 4, *desc, *operands, 1, 48, *workspace, bytes(48))
    p.stdin.close()
    return status if p.wait(20) == 0 else None


assert run() == 0, "a good call"
for wrong in (
    {"offset": 40}, {"offset": -8}, {"offset": 1 << 62}, {"length": 13}, {"length": 1 << 61},
    {"block": -1, "offset": 4096}, {"workspace": (0, 32, 17)}, {"workspace": (-1, 4096, 8)}, {"workspace": (0, 0, -1)},
):
    assert run(**wrong) == 2, (wrong, run(**wrong))
END
if command -v python3 > /dev/null; then
    op=$(sed -n '/^typedef enum cot_op {/,/^}/s/^ *COT_\([A-Z0-9_]*\).*/\1/p' "$srcdir/core/cotangent.h" |
        grep -nx ADD | cut -d: -f1)
    ok "serve refuses operands and workspaces beyond their blocks" python3 "$output.py" "$cotangent" "$op"
else
    skip "serve refuses operands and workspaces beyond their blocks" "no python3"
fi
rm -f "$output.py"
# ---- a plug-in on the software device is checked as our own kernels are
if [ -e "$builddir/softgpu/libcuda.so.1" ]; then
    export DEVICE_DRIVER="$builddir/softgpu/libcuda.so.1"
    on_device() {
        OMP_NUM_THREADS=1 DEVICE_FAULT=$1 "$cotangent" check --backend "$plugins/plugin_device.so" --level "$2" \
            --case div/f32/300/-/contig/uniform/1
    }
    exits 0 "a plug-in on the software device" on_device none stable
    grep -qF -e "no silicon was tested" "$output"
    result $? "which does not say so, and the report does"
    exits 1 "products that may be fused fail one that claims the spec's bits" on_device bits stable
    grep -qF -e "without .rn they may be fused" "$output"
    result $? "by the device's lint, which says nothing against one that does not"
    exits 1 "a race whose outcome nothing reads is caught" on_device race bound
    grep -qF -e "the software device reports: race" "$output"
    result $? "by the device's own report"
    grep -qF -e "breaks DETERMINISM" "$output"
    result $? "as one on our own kernels is"
    exits 0 "what depends on the order of blocks alone passes at level B" on_device order bound
    exits 1 "and is caught at level D" on_device order stable
    grep -qF -e "another run of the same call gives other bits" "$output"
    result $? "by another order"
else
    skip "a plug-in on the software device" "there is no software device"
fi
exits 2 "an order that is none" "$cotangent" serve --order many ref
exits 1 "serve does not take what is no message" sh -c "echo 0123456789012345 | '$cotangent' serve ref"
exits 2 "serve needs a backend" "$cotangent" serve
done_testing
