"""Carries bytes between the command `cotangent`, which starts this as a port, and the process that has the function.

usage: python3 bridge.py SOCKET
"""

import socket
import sys
import threading


def pump(read, write):
    while True:
        data = read(1 << 20)
        if not data:
            return
        write(data)


def main():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    source, sink = sys.stdin.buffer.raw, sys.stdout.buffer

    def out():
        pump(peer.recv, lambda data: (sink.write(data), sink.flush()))

    back = threading.Thread(target=out, daemon=True)
    back.start()
    pump(source.read, peer.sendall)
    peer.shutdown(socket.SHUT_WR)
    back.join(1)


if __name__ == "__main__":
    main()
