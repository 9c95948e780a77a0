"""A backend that announces more than was asked for: between the suite and a good backend, it answers one kind of
question about lines of 32 cells with a frame of so many bytes, and sends as many as are taken.

usage: fixture_flood.py KIND BYTES COMMAND...    with KIND 2 for select, 4 for run
       fixture_flood.py peak COMMAND...          runs it; the megabytes of its largest process, on standard error
"""

import resource
import struct
import subprocess
import sys


def frame(stream):
    head = stream.read(8)
    return stream.read(struct.unpack("<q", head)[0]) if len(head) == 8 else None


def send(stream, body):
    stream.write(struct.pack("<q", len(body)) + body)
    stream.flush()


def flood(size):
    out = sys.stdout.buffer
    out.write(struct.pack("<q", size))
    for _ in range(size >> 20):
        out.write(bytes(1 << 20))


def between(kind, size, command):
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as good:
        while (question := frame(sys.stdin.buffer)) is not None:
            asked, length = struct.unpack_from("<q", question)[0], question[56:64]
            if asked == kind and length == struct.pack("<q", 32):
                flood(size)
            send(good.stdin, question)
            send(sys.stdout.buffer, frame(good.stdout))
        good.stdin.close()


def peak(command):
    status = subprocess.run(command).returncode
    print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, file=sys.stderr)
    return status


if sys.argv[1] == "peak":
    sys.exit(peak(sys.argv[2:]))
try:
    between(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
except BrokenPipeError:
    sys.exit(1)
