"""Functions of this process as a backend of the suite, by the protocol of processes (doc/porting.md)."""

import inspect
import socket
import struct
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .arrays import in_kind, numpy_dtype, read, to_library

Function = Callable[..., Any]
HELLO, SELECT, _CHECK, RUN = 1, 2, 3, 4
OK, UNSUPPORTED, INTERNAL = 0, 3, 5
ELEMENTS = {1: "f16", 2: "bf16", 3: "f32", 4: "f64"}
OPERANDS = ("dy", "x", "y", "a", "b", "dx", "da", "db")
OUTPUTS = OPERANDS[5:]
OPTIONS = ("axis", "dim", "reverse", "correction", "param", "weight", "dtype")
TAKEN_BY_NAME = (*OPERANDS[:5], *OPTIONS)
EVERY_LAYOUT = 15
CLAIMS = {"E": 0, "B": 0, "D": 1, "I": 2, "X": 3}  # how many of deterministic, stable, identical
TEXT = 255


class Message:
    """Numbers are 64 bits, little-endian; text is its length and its bytes."""

    def __init__(self, body: bytearray):
        self.body, self.at = body, 0

    def ints(self, count: int) -> Tuple[int, ...]:
        self.at += 8 * count
        return struct.unpack_from(f"<{count}q", self.body, self.at - 8 * count)

    def int(self) -> int:
        return self.ints(1)[0]

    def real(self) -> float:
        self.at += 8
        return float(struct.unpack_from("<d", self.body, self.at - 8)[0])


def _text(words: str) -> bytes:
    kept = words.encode()[:TEXT]
    return struct.pack("<q", len(kept)) + kept


def _status(code: int, words: str = "") -> bytes:
    return struct.pack("<5q", code, 0, 0, 0, 0) + _text(words)


class Call:
    """A descriptor of the suite's."""

    def __init__(self, message: Message, ops: List[str]):
        _growth, _unknown, op, self.family, self.element_number, self.rank = message.ints(6)
        self.op = ops[op - 1] if 1 <= op <= len(ops) else ""
        self.op_number, self.element = op, ELEMENTS.get(self.element_number, "")
        message.ints(8)
        self.axis, self.reverse, self.correction = message.ints(3)
        self.param = message.real()
        message.at += 16

    def options(self) -> Dict[str, Any]:
        """What a function may ask for by the name of a parameter, beside operands."""
        values = (self.axis, self.axis, bool(self.reverse), self.correction, self.param, self.param, self.element)
        return dict(zip(OPTIONS, values))


class Served:
    """One function: which of a call's operands and options it takes, and in which library's arrays."""

    def __init__(self, function: Function, library: str):
        self.function, self.library = function, library
        parameters = inspect.signature(function).parameters.values()
        self.takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        self.names = {parameter.name for parameter in parameters}

    def __call__(self, arrays: Dict[str, np.ndarray], call: Call) -> Tuple[np.ndarray, ...]:
        given: Dict[str, Any] = {}
        for name, cells in arrays.items():
            if self.takes_all or name in self.names:
                given[name] = to_library(self.library, cells, call.element)
        given.update((name, value) for name, value in call.options().items() if name in self.names)
        with np.errstate(all="ignore"):
            result = self.function(**given)
        return tuple(result) if isinstance(result, (tuple, list)) else (result,)


class Answers:
    """What functions answer to the suite's messages."""

    def __init__(self, served: Dict[str, Served], ops: List[str], level: str = "B"):
        self.served, self.ops, self.claims = served, ops, CLAIMS[level]
        self.error: Optional[str] = None  #: the traceback of the last function that raised
        self._one_at_a_time = threading.Lock()

    def serve(self, source: Any, sink: Any) -> None:
        """Until the suite has no more to ask."""
        while head := source.read(8):
            reply = self._answer(Message(bytearray(source.read(struct.unpack("<q", head)[0]))))
            sink.write(struct.pack("<q", len(reply)) + reply)
            sink.flush()

    def _answer(self, message: Message) -> bytes:
        kind = message.int()
        answers = {HELLO: self._hello, SELECT: self._select, RUN: self._run}
        return struct.pack("<q", kind) + answers[kind](message)

    def _hello(self, _message: Message) -> bytes:
        return _status(OK) + struct.pack("<q", 1) + _text("python") + struct.pack("<q", 0)

    def _select(self, message: Message) -> bytes:
        call = Call(message, self.ops)
        if call.op not in self.served:
            return _status(UNSUPPORTED, f"no function for {call.op}")
        if not to_library(self.served[call.op].library, None, call.element):
            return _status(UNSUPPORTED, f"no {call.element} in {self.served[call.op].library} here")
        sku = struct.pack("<7q", call.family, call.op_number, call.element_number, 0, EVERY_LAYOUT, 0, 0)
        promised = [int(self.claims > claim) for claim in range(3)]
        promise = struct.pack("<3qd3q", call.element_number, call.element_number, 0, -1.0, *promised)
        return _status(OK) + sku + _text("python") + _text("host") + promise + struct.pack("<2q", 0, 0)

    def _run(self, message: Message) -> bytes:
        call = Call(message, self.ops)
        places = {name: self._place(message) for name in OPERANDS if message.int()}
        sizes = message.ints(message.int())
        message.ints(3)  # no workspace
        starts = [message.at + sum(sizes[:index]) for index in range(len(sizes))]
        views = {
            name: _view(message.body, starts[place[0]] + place[1], call.element, *place[2:])
            for name, place in places.items()
            if place[0] >= 0
        }
        try:
            with self._one_at_a_time:
                self._compute(self.served[call.op], views, call)
        except Exception as error:  # whatever a function raises is a failure of the case, in its words
            self.error = traceback.format_exc()
            return _status(INTERNAL, f"{type(error).__name__}: {error}")
        return _status(OK) + bytes(message.body[message.at :])

    def _place(self, message: Message) -> Tuple[Any, ...]:
        _element, rank, block, offset, _length = message.ints(5)
        shape, strides = message.ints(8), message.ints(8)
        return block, offset, shape[:rank], strides[:rank]

    def _compute(self, served: Served, views: Dict[str, np.ndarray], call: Call) -> None:
        inputs = {name: cells for name, cells in views.items() if name not in OUTPUTS}
        outputs = [name for name in OUTPUTS if name in views]
        results = served(inputs, call)
        if len(results) != len(outputs):
            raise ValueError(f"{call.op}: {len(results)} results, expected {' and '.join(outputs)}")
        for name, result in zip(outputs, results):
            cells, element = read(name, result)
            if element != call.element or cells.shape != views[name].shape:
                raise ValueError(
                    f"{name}: {element} of shape {cells.shape}, expected {call.element} of shape {views[name].shape}"
                )
            views[name][...] = in_kind(cells, views[name].dtype)


def _view(body: bytearray, start: int, element: str, shape: Tuple[int, ...], strides: Tuple[int, ...]) -> np.ndarray:
    dtype = numpy_dtype(element)
    steps = tuple(step * dtype.itemsize for step in strides)
    view: np.ndarray = np.ndarray(shape, dtype, buffer=body, offset=start, strides=steps)
    return view


class Port(Answers):
    """Answers the suite on a socket while it is entered; ``path`` is the socket's."""

    def __enter__(self) -> "Port":
        self._directory = tempfile.TemporaryDirectory(prefix="cotangent-")
        self.path = str(Path(self._directory.name) / "port")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept
        self._accepting.join()  # before the descriptor is free for another port's
        self._listener.close()
        self._directory.cleanup()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        try:
            with peer, peer.makefile("rwb") as stream:
                self.serve(stream, stream)
        except (OSError, struct.error):  # the suite has given up on this call
            return
