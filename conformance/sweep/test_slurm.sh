#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check-long sets srcdir and builddir
# A sweep as an array job of Slurm, on daemons of its own: one task is killed and requeued, and the parts, merged, have
# the bytes of one piece. Runs where Slurm and munge are installed, and as root, as their daemons want.
. "$srcdir/conformance/tap/tap.sh"
PATH=$PATH:/usr/sbin
tasks=8
range=15360-17407
if [ "$(id -u)" != 0 ] || ! command -v slurmctld slurmd munged sbatch > /dev/null 2>&1; then
    skip "an array job of Slurm" "Slurm and munge are not installed, or this is not root"
    done_testing
fi
cotangent=$(cd "$builddir" && pwd)/cotangent
work=$(mktemp -d)
chmod 755 "$work"
daemons=''

# Daemons end by their own ids, and whatever a task left.
end() {
    for pid in $daemons; do
        kill "$pid" 2> /dev/null
    done
    for pid in $daemons; do
        wait "$pid" 2> /dev/null
    done
    rm -rf "$output" "$work"
}
trap end EXIT

# within SECONDS COMMAND...: until it succeeds.
within() {
    left=$1
    shift
    while ! "$@" > /dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 1
    done
}

# ---- a cluster of one machine ---------------------------------------------------------------------

host=$(uname -n | cut -d. -f1)
port=$((20000 + $$ % 20000))
mkdir -m 755 "$work/munge" "$work/state" "$work/spool"
head -c 1024 /dev/urandom > "$work/munge/key"
chmod 400 "$work/munge/key"
cat > "$work/slurm.conf" << END
ClusterName=private
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$work/slurm.conf"
munged --foreground --force --num-threads=2 --socket="$work/munge/socket" --key-file="$work/munge/key" \
    --log-file="$work/munge/log" --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" > "$work/munged" 2>&1 &
daemons=$!
ok "munge answers" within 60 munge --socket="$work/munge/socket" --no-input
slurmctld -D > "$work/ctld" 2>&1 &
daemons="$daemons $!"
slurmd -D -N "$host" > "$work/slurmd" 2>&1 &
daemons="$daemons $!"
is_idle() { sinfo -h -o %T | grep -qx idle; }
if ! ok "the node is idle" within 120 is_idle; then
    tail -n 5 "$work/munged" "$work/ctld" "$work/slurmd" "$work"/slurm*.log 2>&1 | sed 's/^/# /'
    done_testing
fi

machine="$(uname -sm), $(nproc) processors"
echo "# $("$cotangent" version | head -n 1), $(sinfo --version), $machine, on $(date -u +%Y-%m-%d)"

# ---- the job -------------------------------------------------------------------------------------

cat > "$work/job" << END
#!/bin/sh
echo \$\$ > $work/pid-\$SLURM_ARRAY_TASK_ID
exec $cotangent sweep pow --dtype f16 --dy 0.7 --range $range --quiet --out $work/parts
END
export OMP_NUM_THREADS=1
job=$(sbatch --parsable --array=0-$((tasks - 1)) --cpus-per-task=1 --requeue --output="$work/said-%a" "$work/job")
ok "an array job of $tasks tasks was taken" test "$job" -gt 0

# task I FIELD: what Slurm says of one.
task() { scontrol show job "${job}_$1" | tr -s ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
has_blocks() { grep -ls '^[0-9]' "$work"/parts/blocks-* | head -n 1 | grep -q .; }
is_in() { [ "$(task "$1" JobState)" = "$2" ]; }
all_done() {
    for one in $(seq 0 $((tasks - 1))); do
        is_in "$one" COMPLETED || return 1
    done
}
ok "blocks are being finished" within 120 has_blocks
kill -9 "$(cat "$work/pid-0")"
ok "the first task was killed" within 60 is_in 0 FAILED
ok "by signal 9, before it had ended by itself" test "$(task 0 ExitCode)" = 0:9
echo "# task 0: $(task 0 JobState), exit code $(task 0 ExitCode)"
ok "and is requeued" scontrol requeue "${job}_0"
ok "every task completes" within 600 all_done
for one in $(seq 0 $((tasks - 1))); do
    part=$(grep -o 'part .*' "$work/said-$one" | head -n 1)
    echo "# task $one: $(task "$one" JobState), $(task "$one" Restarts) restarts, $part"
done
ok "the killed one was restarted" test "$(task 0 Restarts)" = 1

# ---- what came of it ------------------------------------------------------------------------------

"$cotangent" sweep pow --dtype f16 --dy 0.7 --range $range --quiet --out "$work/whole" --format json \
    > "$work/whole.json" 2> "$output"
"$cotangent" merge --format json "$work/parts" > "$work/merged.json"
ok "merged, the parts have the bytes of one piece" cmp "$work/whole.json" "$work/merged.json"
sed -n 's/^  \("planned".*"missing": ""\),$/# \1/p; s/.*\("digest": "[0-9a-f]*"\).*/# \1/p' "$work/merged.json"
done_testing
