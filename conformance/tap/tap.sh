# shellcheck shell=sh
# TAP from a shell test: ok NAME COMMAND...; says NAME TEXT COMMAND...; then done_testing. Sourced.
tests=0
failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# result STATUS NAME: one line of TAP, with what the last command printed where it failed.
result() {
    tests=$((tests + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tests - $2"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $2"
        sed 's/^/# /' "$output"
    fi
}

ok() {
    name=$1
    shift
    "$@" > "$output" 2>&1
    result $? "$name"
}

not_ok() {
    name=$1
    shift
    ! "$@" > "$output" 2>&1
    result $? "$name"
}

# exits STATUS NAME COMMAND...
exits() {
    wanted=$1
    name=$2
    shift 2
    "$@" > "$output" 2>&1
    status=$?
    [ $status = "$wanted" ] || echo "exit status $status, expected $wanted" >> "$output"
    result $((status != wanted)) "$name"
}

# says TEXT NAME COMMAND...: the command prints TEXT, whatever its status.
says() {
    text=$1
    name=$2
    shift 2
    "$@" > "$output" 2>&1
    grep -qF -e "$text" "$output"
    result $? "$name"
}

skip() {
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

done_testing() {
    echo "1..$tests"
    exit "$((failed > 0))"
}
