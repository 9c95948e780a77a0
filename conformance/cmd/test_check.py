"""What test_check.sh cannot see from a shell: formats parsed, terminals, signals. Exits 0 where all is well."""

import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
import xml.etree.ElementTree as xml


def check_json(path):
    report = json.load(open(path))
    totals, rows = report["totals"], report["rows"]
    assert report["good"] is False and report["run"]["ended"] is None
    for count in "cases failed unsupported refusals checks cells edge_cells guard_bytes statuses".split():
        assert totals[count] == sum(row[count] for row in rows), count
    failures = [failure for row in rows for failure in row["failures"]]
    assert len(failures) == totals["failed"] > 0
    assert all({"id", "level", "clause"} <= set(failure) for failure in failures)
    first = next(failure for failure in failures if "shrunk" in failure)
    assert sum(failure.get("like_it", 0) for failure in failures) == len(failures)
    assert first["shrunk"] in first["repeat"] and first["clause"] == "MAX-TIE"
    assert {"decimal", "hex", "bits"} == set(first["got"]) == set(first["want"]) == set(first["inputs"]["x"])
    assert float.fromhex(first["got"]["hex"]) == float(first["got"]["decimal"])
    row = rows[0]
    assert (row["op"], row["dtype"]) == ("max", "f32") and row["level"] in (None, "E")
    assert sum(sum(layouts.values()) for layouts in row["judged"].values()) + row["refusals"] == row["cases"]
    for coverage in report["coverage"], report["shapes"]:
        assert coverage["judged"] + coverage["unsupported"] == coverage["promised"] > 0 and coverage["holes"] == []


# Jenkins' schema (junit-10.xsd of its xUnit plug-in), of the elements that we may write: the attributes that each must
# have, those that it may have, and its children.
JUNIT = {
    "testsuites": ("", "name time tests failures errors", "testsuite"),
    "testsuite": (
        "name tests failures errors",
        "group time skipped timestamp hostname id package file log url",
        "testsuite properties testcase system-out system-err",
    ),
    "testcase": ("name", "time classname group", "skipped error failure system-out system-err"),
    "failure": ("", "type message", ""),
    "error": ("", "type message", ""),
    "skipped": ("", "type message", ""),
    "properties": ("", "", "property"),
    "property": ("name value", "", ""),
    "system-out": ("", "", ""),
    "system-err": ("", "", ""),
}
SUREFIRE_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def check_schema(element):
    required, optional, children = (set(names.split()) for names in JUNIT[element.tag])
    assert required <= set(element.keys()) <= required | optional, (element.tag, element.keys())
    assert {child.tag for child in element} <= children, (element.tag, list(element))
    assert SUREFIRE_TIME.fullmatch(element.get("time", "")), element.attrib
    for child in element:
        check_schema(child)


def check_junit(path):
    root = xml.parse(path).getroot()
    suite = root.find("testsuite")
    for name, element in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
        assert int(suite.get(name)) == len(list(suite.iter(element))), name
    for name in ("tests", "failures", "errors", "time"):
        assert root.get(name) == suite.get(name), name
    check_schema(root)
    assert sum(float(case.get("time", 0)) for case in suite.iter("testcase")) > 0
    assert int(root.get("failures")) > 0
    body = next(suite.iter("failure")).text
    for word in ("breaks MAX-", "got ", "want ", "dy ", "repeat: ", "shrunk to max/f32/"):
        assert word in body, body


def in_terminal(columns, command, **environment):
    """What the command writes to a terminal that wide."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    # A sanitizer remarks on memory that a case wants refused: not in this terminal.
    quiet = os.environ.get("ASAN_OPTIONS", "") + ":log_path=/dev/null"
    environment = {**os.environ, **environment, "TERM": "xterm", "ASAN_OPTIONS": quiet}
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment)
    os.close(inside)
    seen = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    os.close(terminal)
    process.wait()
    return seen.decode()


def check_ids(lines, columns):
    """No id is broken by the terminal; the command that repeats a failure is one for the shell."""
    for line in lines:
        assert len(line) <= columns or not re.search(r"\w+/f32/", line), line
    at = next(i for i, line in enumerate(lines) if line.startswith("  repeat: "))
    end = next(i for i, line in enumerate(lines) if i >= at and not line.endswith(" \\"))
    assert end > at and re.match("    (--device split )?--case max/f32/", lines[end]), lines[at : end + 1]
    wide = [line for line in lines[at : end + 1] if len(line) > columns]
    assert all(re.match(r"    --\w+ \S+( \\)?$", line) for line in wide), wide  # one option, which is not parted


PRINTS = """help | version | ops | list --generators | list --layouts | gradcheck | gradcheck mul | gradcheck atan2
    spec | spec --coverage | spec --mutants | spec --innocents | fingerprint --op cumsum --extent 3
    bench --op add --dtype f16 --shape 8x131072"""
REFUSES = """chek | check --op mx | check --backend mutant:max_tie_splitt | check --backend nope
    check --convention tarch
    check --level z | check --generators x | check --policy ties=every | spec NOPE | gradcheck sofmax | sweep --op x
    check --case softmax/f32/5x37/1/contig/tiess/7"""


def in_columns(columns, command):
    """What it prints, where every line fits; a word is never parted, and may be longer."""
    text = in_terminal(columns, command).replace("\r", "")
    long = [line for line in text.split("\n") if len(line) > columns and len(line.split()) > 1]
    assert not long, (command[1:], long[:3])
    return text


def check_commands(cotangent):
    """What every command prints about itself, about what there is, and about what it refuses fits 80 columns."""
    names = re.findall(r"^  (\w+)  +[A-Z]", in_columns(80, [cotangent, "help"]), re.M)
    assert len(names) > 20, names
    commands = [words.split() for words in re.split(r" \| |\n", PRINTS)] + [[name, "--help"] for name in names]
    for words in commands:
        assert in_columns(80, [cotangent, *words]), words
    for words in re.split(r" \| |\n", REFUSES):
        said = in_columns(80, [cotangent, *words.split()])
        assert said.startswith("cotangent: ") and '"' in said or "there is no" in said, said
    mutants = in_columns(80, [cotangent, "spec", "--mutants"])
    rows = pathlib.Path(os.environ["srcdir"], "conformance/mutant/mutants.def").read_text()
    whole = [f"mutant:{name}" for name in re.findall(r"^MUTANT\((\w+)", rows, re.M)]
    assert len(whole) > 100 and all(f"{mutant} (" in mutants for mutant in whole)
    for op in json.loads(subprocess.check_output([cotangent, "ops", "--json"])):
        for more in [], ["--convention", "torch"]:
            text = subprocess.check_output([cotangent, "explain", op["op"], *more]).decode()
            assert max(map(len, text.split("\n"))) <= 80, max(text.split("\n"), key=len)


def check_terminal(cotangent, wrong):
    os.environ.pop("NO_COLOR", None)
    command = [cotangent, "check", "--op", "m*", "--shard", "1/30"]
    for columns in (80, 160):
        seen = in_terminal(columns, command)
        assert "\033[32mok\033[0m  " in seen and "% " in seen and "\r" in seen
        last = seen.split("\033[K")[-1]  # after the progress line
        lines = re.sub(r"\033\[[0-9;]*m", "", last).replace("\r", "").split("\n")
        table = [line for line in lines if re.match(r"m\w+ +ok bits", line)]
        assert table and max(len(line) for line in lines if "next:" not in line) <= columns, max(lines, key=len)
        assert len(table) == (3 if columns == 160 else 6), table  # two ops side by side
    bad = [cotangent, "check", "--backend", wrong, "--device", "split", "--op", "max", "--shard", "1/8"]
    assert "\033[1;31m" in in_terminal(80, bad)
    plain = in_terminal(80, bad, NO_COLOR="1")
    check_ids(plain.split("\033[K")[-1].replace("\r", "").split("\n"), 80)
    assert not re.search(r"\033\[[0-9;]*m", plain) and "FAILED MAX" in plain and "first max/f32" in plain
    summary, following = plain.strip().split("\n")[-2:]
    first = re.search(r"^FAILED ([A-Z0-9-]+) ", plain, re.M)
    assert summary.startswith("FAILED  ") and following.endswith(f" spec {first[1]}"), (summary, following)
    narrow = in_terminal(60, [cotangent, "check", "--op", "sum", "--dtype", "f32", "--dtype", "f16", "--shard", "1/9"])
    heading = [line.split() for line in narrow.split("\033[K")[-1].replace("\r", "").split("\n")][0]
    assert heading == ["f16", "f32"], heading  # no column for what was not asked
    following = narrow.replace("\r", "").split("next: ")[1]
    assert "--op sum --dtype f32,f16 --shard 1/9 --full" in following.replace(" \\\n   ", ""), following
    assert all(len(line) <= 60 for line in following.split("\n")[1:]), following


def left_behind(mark):
    """Processes that have the mark in their command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = open("/proc/%s/cmdline" % pid, "rb").read()
            state = open("/proc/%s/stat" % pid).read().rpartition(")")[2].split()[0]
            if mark.encode() in command and state != "Z":
                found.append(int(pid))
        except OSError:
            pass
    return found


def start_marked(arguments, how="json"):
    """A check in two processes, once it is under way; and those of its workers."""
    mark = "--seed=%d" % (1000000 + os.getpid())
    command = arguments + ["--format", how, "--jobs", "2", mark]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=os.setsid)
    for attempt in range(100):
        time.sleep(0.2)
        if attempt > 5 and len(left_behind(mark)) == 3:
            break
    return mark, child, [pid for pid in left_behind(mark) if pid != child.pid]


def check_interrupt(cotangent):
    mark, child, _ = start_marked([cotangent, "check"])
    os.killpg(child.pid, signal.SIGINT)
    report = json.loads(child.communicate(timeout=30)[0])
    assert child.returncode == 130, child.returncode
    assert report["run"]["ended"].startswith("interrupted after ")
    assert 0 < report["totals"]["cases"] < report["run"]["planned"] and report["good"] is False
    assert not left_behind(mark)
    _, child, _ = start_marked([cotangent, "check"], "tap")
    os.killpg(child.pid, signal.SIGINT)
    lines = child.communicate(timeout=30)[0].decode().splitlines()
    assert any(line.startswith("Bail out! interrupted after ") for line in lines), lines[-5:]
    assert not any(line.startswith("1..") for line in lines), "a harness would take this for the whole"


def check_lost(cotangent):
    _, child, workers = start_marked(
        [cotangent, "check", "--op", "cum*", "--dtype", "f32", "--shard", "1/4", "--timeout", "10"]
    )
    os.kill(workers[0], signal.SIGKILL)
    os.kill(workers[1], signal.SIGSTOP)
    report = json.loads(child.communicate(timeout=300)[0])
    assert child.returncode == 1 and report["run"]["ended"] is None
    reasons = sorted(failure["why"] for row in report["rows"] for failure in row["failures"] if "why" in failure)
    assert report["totals"]["failed"] == 1 and report["totals"]["cases"] == report["run"]["planned"], report["totals"]
    assert "signal 9" in reasons[0], reasons  # what was stopped is tried again, and passes


{
    "json": check_json,
    "junit": check_junit,
    "terminal": check_terminal,
    "commands": check_commands,
    "interrupt": check_interrupt,
    "lost": check_lost,
}[sys.argv[1]](*sys.argv[2:])
