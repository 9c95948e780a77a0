"""Carries bytes between the command `cotangent`, which starts this as a port, and the process that has the function.

usage: python3 bridge.py SOCKET
"""

import socket
import sys
import threading
from typing import Callable, Optional


def pump(read: Callable[[int], Optional[bytes]], write: Callable[[bytes], object]) -> None:
    while True:
        data = read(1 << 20)
        if not data:
            return
        write(data)


def main() -> None:
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    source, sink = open(0, "rb", buffering=0, closefd=False), sys.stdout.buffer

    def out() -> None:
        pump(peer.recv, lambda data: (sink.write(data), sink.flush()))

    back = threading.Thread(target=out, daemon=True)
    back.start()
    pump(source.read, peer.sendall)
    peer.shutdown(socket.SHUT_WR)
    back.join(1)


if __name__ == "__main__":
    main()
