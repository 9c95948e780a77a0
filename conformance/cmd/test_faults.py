"""What test_faults.sh cannot do from a shell. Prints "ok NAME", "bad NAME" or "skip NAME # WHY"; exits 0 at its end.

usage: test_faults.py circumstances|faults BUILDDIR WORK [--long]
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

KIND, BUILD, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
LONG = "--long" in sys.argv
COMMAND = str(BUILD / "cotangent")
CASE = "max/f32/5x37/1/contig/ties/7"
VECTOR = {
    "op": "max", "case": "tie", "shape": [3], "axis": 0, "dtype": "f32", "convention": "torch", "source": "torch",
    "x": ["0x1p+0", "0x1p+1", "0x1p+1"], "dy": ["0x1.8p+1"], "y": ["0x1p+1"], "dx": ["0x0p+0", "0x1.8p+0", "0x1.8p+0"],
}  # fmt: skip
PATIENCE = 120
SOFTGPU = BUILD / "softgpu/softgpu"
KERNEL = pathlib.Path(os.environ["srcdir"], "softgpu/test/kernels/racecheck_a_block_reads_what_another_wrote.ptx")


def say(good, name):
    print("ok" if good else "bad", name, flush=True)


def run_any(*words, **options):
    """A program's status, its output and what it complains of; a status of None where it hangs."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    environment = dict(os.environ, **options.pop("env", {}))
    try:
        done = subprocess.run([*map(str, words)], env=environment, timeout=PATIENCE, **options)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout or b"", done.stderr or b""


def run(*arguments, **options):
    """The command's status and all that it prints."""
    status, out, complaint = run_any(COMMAND, *arguments, **options)
    return status, out + complaint


def litter(place):
    return [path.name for path in place.iterdir() if path.name.startswith(".") or path.name.endswith(".tmp")]


# ---- every call in turn


def good_files(place, names):
    return {name: (place / name).read_bytes() if (place / name).exists() else None for name in names}


class Job:
    """A command that can fail at every call, and the files that it leaves, each of them right or not there. Where it
    ends as it should, with `good`, it has also printed what it should; `failing` are the statuses of a clean failure.
    """

    def __init__(self, name, arguments, files=(), reports=(), program=COMMAND, good=0, failing=range(1, 5)):
        self.name, self.words, self.files, self.reports = name, [program, *arguments], (*files, *reports), reports
        self.good, self.failing = good, failing
        self.place = WORK / name
        self.place.mkdir(parents=True)

    def attempt(self, at, count=None):
        for name in self.files:
            (self.place / name).unlink(missing_ok=True)
        faults = {"LD_PRELOAD": str(BUILD / "conformance/fixture/faults.so"), "FAULTS_AT": str(at)}
        if count:
            faults["FAULTS_COUNT"] = str(count)
        status, out, complaint = run_any(*self.words, env=faults, cwd=self.place)
        return status, re.sub(rb"[0-9.]+ s\b|time=\"[0-9.]+\"", b"TIME", out), complaint

    def whole(self):
        """How many calls there are, and the files as they should be."""
        count = WORK / f"{self.name}.count"
        status, self.out, complaint = self.attempt(0, count)
        good = status == self.good
        say(good, f"{self.name}: {'it runs' if good else complaint.decode(errors='replace').splitlines()[-1:]}")
        self.right = good_files(self.place, self.files)
        return int(count.read_text())

    def is_report(self, name, text):
        """A report of a run that failed says other things; what is cut off is no JSON."""
        try:
            return name in self.reports and json.loads(text) is not None
        except ValueError:
            return False

    def wrong(self, at):
        """What is wrong where the n-th call fails; None if nothing."""
        status, out, complaint = self.attempt(at)
        if status is None:
            return "hangs"
        if status != self.good and status not in self.failing:
            return f"status {status}"
        if litter(self.place):
            return f"litter: {litter(self.place)}"
        here = good_files(self.place, self.files)
        missing = [name for name in here if here[name] != self.right[name]] + ["output"] * (out != self.out)
        if status == self.good and not missing:
            return None
        if status == self.good and not complaint and (missing != ["report.json"] or not self.good):
            return f"says nothing of what is missing: {missing}"
        whole = all(here[name] in (None, self.right[name]) or self.is_report(name, here[name]) for name in here)
        return None if whole and out + complaint else "half a file, or no word"


def jobs():
    inputs = WORK / "inputs"
    run("emit", "--case", CASE, "--dir", inputs)
    yield Job("emit", ["emit", "--case", CASE, "--dir", "."], ("case.json", "dy.npy", "x.npy", "y.npy"))
    operands = ["--axis", "1", "--x", inputs / "x.npy"]
    yield Job("forward", ["forward", "max", *operands, "--y", "y.npy"], ("y.npy",))
    saved = ["--y", inputs / "y.npy", "--dy", inputs / "dy.npy"]
    yield Job("run", ["run", "max", *operands, *saved, "--dx", "dx.npy"], ("dx.npy",))
    run("run", "max", *operands, *saved, "--dx", inputs / "dx.npy")
    yield Job("judge", ["judge", inputs])
    yield Job("check", ["check", "--case", CASE, "--jobs", "1"])
    yield Job("JUnit", ["check", "--case", CASE, "--jobs", "1", "--format", "junit"])
    yield Job("explain", ["explain", "max"])
    device = ["run", KERNEL, "--entry", "k", "--grid", "2", "--out", "4xu32"]
    told = ["--check", "--report=report.json", "--report-format=json", "--counters=counters.json"]
    statuses = {"program": SOFTGPU, "good": 99, "failing": (1, 2, 98)}
    reports = ("report.json", "counters.json")
    yield Job("softgpu", [*device, "--out", "4xu32=out.npy", *told], ("out.npy",), reports, **statuses)
    if LONG:
        pair = ["--dy", inputs / "x.npy", "--da", "da.npy", "--db", "db.npy"]
        yield Job("run with two outputs", ["run", "add", *pair], ("da.npy", "db.npy"))
        yield Job("check of a port", ["check", "--case", CASE, "--backend", f"process:{COMMAND} serve ref"])
        yield Job("check as JSON", ["check", "--case", CASE, "--jobs", "1", "--format", "json"])
        yield Job("judge as JSON", ["judge", inputs, "--format", "json"])
        results = WORK / "results.json"
        results.write_bytes(run("check", "--op", "max", "--dtype", "f16", "--format", "json")[1])
        yield Job("merge", ["merge", results])
        yield Job("report", ["report", results, "-o", "report.html"], ("report.html",))
        yield Job("submit", ["submit", results, "--no-samples", "-o", "all.tar"], ("all.tar",))
        yield Job("check on cuda", ["check", "--case", CASE, "--backend", "cuda", "--device", "soft"])


def faults():
    tried = 0
    for job in jobs():
        calls = job.whole()
        most = calls if LONG else 16
        places = range(1, calls + 1) if calls <= most else [1 + i * (calls - 1) // (most - 1) for i in range(most)]
        found = [(at, job.wrong(at)) for at in places]
        bad = [f"call {at}: {what}" for at, what in found if what]
        tried += len(found)
        say(not bad and found, f"{job.name}: {len(found)} of {calls} calls failing in turn {'; '.join(bad[:4])}")
    say(tried > 50, f"{tried} calls failed in all")


# ---- signals


def living(mark):
    """Processes that have the mark in their environment."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def soon(condition, seconds=20):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.02)
    return condition()


def start(mark, *arguments):
    environment = dict(os.environ, CIRCUMSTANCE=mark)
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": WORK}
    return subprocess.Popen([COMMAND, *arguments], env=environment, **pipes)


def ended_by(number, who, allowed):
    """A run with a port that waits: a signal to the command, to a worker of it or to the port."""
    mark = f"circumstance-{os.getpid()}-{number}-{who}"
    port = f"process:{COMMAND} serve ref"
    p = start(mark, "check", "--backend", port, "--op", "softmax", "--jobs", "2")
    started = soon(lambda: len(living(mark)) >= 4)  # the command, two workers, a port
    others = [pid for pid in living(mark) if pid != p.pid]
    parent = {pid: int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]) for pid in others}
    workers = [pid for pid in others if parent[pid] == p.pid]
    ports = [pid for pid in others if parent[pid] != p.pid]
    target = {"command": [p.pid], "worker": workers, "port": ports}[who]
    if started and target:
        os.kill(target[0], number)
    status = p.wait(PATIENCE) if who == "command" else None
    if status is None:
        time.sleep(0.2)
        alive = p.poll() in (None, 0, 1)
        p.terminate()
        p.wait(PATIENCE)
        status = allowed[0] if alive else p.returncode
    gone = soon(lambda: not living(mark))
    for pid in living(mark):
        os.kill(pid, signal.SIGKILL)
    name = signal.Signals(number).name
    say(started and target and status in allowed and gone, f"{name} to the {who}: status {status}, no process is left")


def signals():
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGKILL:
        ended_by(number, "command", [-number, 128 + number])
    ended_by(signal.SIGKILL, "worker", [1])
    ended_by(signal.SIGKILL, "port", [1])
    reader, writer = os.pipe()
    os.close(reader)
    status, _ = run("list", stdout=writer, stderr=subprocess.DEVNULL)
    os.close(writer)
    say(status in (-signal.SIGPIPE, 1), f"a reader that goes away: status {status}")


# ---- files


def operands(place, cells):
    status, text = run("emit", "--case", f"add/f32/{cells}/-/contig/uniform/1", "--dir", place)
    assert status == 0, text
    return ["run", "add", "--dy", place / "dy.npy", "--da", place / "da.npy", "--db", place / "db.npy"]


def interrupted_writes():
    place = WORK / "large"
    arguments = operands(place, 300000)
    began = time.time()
    status, _ = run(*arguments)
    took = time.time() - began
    whole = (place / "da.npy").stat().st_size
    bad = []
    for i in range(8):
        (place / "da.npy").unlink(missing_ok=True), (place / "db.npy").unlink(missing_ok=True)
        p = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL)
        time.sleep(took * (0.3 + i / 10))
        p.send_signal((signal.SIGTERM, signal.SIGINT)[i % 2])
        p.wait(PATIENCE)
        there = [(place / name).stat().st_size for name in ("da.npy", "db.npy") if (place / name).exists()]
        if litter(place) or there not in ([], [whole, whole]):
            bad.append((i, there, litter(place)))
    say(status == 0 and not bad, f"SIGTERM and SIGINT while files are written: both or none, and no litter {bad or ''}")


def too_large():
    place = WORK / "limited"
    vectors = place / "vectors.jsonl"
    kernel = ["run", KERNEL, "--entry", "k", "--block", "1", "--out", "4xu32"]
    for words, name, expected in (
        ([COMMAND, *operands(place, 100000)], "da.npy", 1),
        ([SOFTGPU, *kernel, "--out", f"100000xf32={place}/out.npy"], "out.npy", 1),
        ([SOFTGPU, *kernel, "--out", "4xu32", f"--counters={place}/counters.json"], "counters.json", 98),
        ([COMMAND, "replay", vectors, "--emit", place / "emitted.jsonl"], "emitted.jsonl", 1),
    ):
        vectors.write_text((json.dumps(VECTOR) + "\n") * 400)
        (place / name).write_text("the old one")
        blocks = 0 if name == "counters.json" else 64
        limit = ["sh", "-c", f'ulimit -f {blocks}; exec "$0" "$@"']
        status, out, complaint = run_any(*limit, *words)
        kept = (place / name).read_text() == "the old one" and not litter(place)
        said = b"annot" in complaint and b"writ" in complaint
        say(status == expected and said and kept, f"{name} may not grow: status {status}, the old one, no litter")


def dangling_link():
    place = WORK / "linked"
    arguments = operands(place, 100)
    (place / "elsewhere").mkdir()
    (place / "da.npy").symlink_to("elsewhere/far.npy")
    status, _ = run(*arguments)
    say(
        status == 0 and (place / "da.npy").is_symlink() and (place / "elsewhere/far.npy").is_file(),
        "a link to nothing: the file is where it leads, and the link stays",
    )


def predictable_name():
    place = WORK / "report"
    place.mkdir()
    _, text = run("check", "--case", CASE, "--format", "json", stderr=subprocess.DEVNULL)
    (place / "r.json").write_bytes(text)
    (place / "victim").write_text("mine")
    (place / "r.html.tmp").symlink_to("victim")
    status, text = run("report", place / "r.json", "-o", place / "r.html")
    whole = status == 0 and (place / "r.html").read_text().rstrip().endswith("</html>")
    say(whole and (place / "victim").read_text() == "mine", f"a report's draft has no name to lie in wait for {text!r}")


# ---- surroundings


def in_shell(prefix, *arguments, **options):
    words = ["sh", "-c", f'{prefix} "$0" "$@"', COMMAND, *arguments]
    environment = dict(os.environ, **options)
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, env=environment)
    return done.returncode, done.stdout


def surroundings():
    check = ["check", "--case", CASE, "--format", "tap"]
    usual = in_shell("exec", *check)
    for name, prefix, extra in (
        ("a foreign locale", "exec", {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}),
        ("a stack of 256 KB", "ulimit -s 256; exec", {}),
        ("64 threads", "exec", {"OMP_NUM_THREADS": "64"}),
        ("no standard input", "exec <&-; exec", {}),
        ("no standard error", "exec 2>&-; exec", {}),
        ("an empty environment", "exec env -i", {}),
    ):
        got = in_shell(prefix, *check, **extra)
        say(usual[0] == 0 and got == usual, f"{name}: the same output, status {got[0]}")
    status, _ = in_shell("exec >&-; exec", *check)
    say(status == 1, f"no standard output: status {status}")
    hidden = "mount --make-rprivate / && mount -t tmpfs -o ro none /dev/shm && exec"
    words = ["unshare", "-m", "sh", "-c", f'{hidden} "$0" "$@"', COMMAND, *check]
    try:
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE)
        refused = b"unshare" in done.stderr or b"mount" in done.stderr
    except OSError:
        refused = True
    if refused:
        print("skip no room in /dev/shm # it takes a namespace of its own", flush=True)
    else:
        say((done.returncode, done.stdout) == usual, "no room in /dev/shm: the same output")


WORK.mkdir(parents=True)
if KIND == "faults":
    faults()
else:
    signals()
    interrupted_writes()
    too_large()
    dangling_link()
    predictable_name()
    surroundings()
