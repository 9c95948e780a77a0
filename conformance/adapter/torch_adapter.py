"""cotangent check --backend torch: PyTorch's own gradients, on a processor, with the saved y in place of its own."""

import adapter
import numpy as np

try:
    import torch
except Exception as wrong:
    torch = None
    reason = wrong

FORWARD = {
    "sum": lambda p, x: x.sum(p.axis, keepdim=True),
    "mean": lambda p, x: x.mean(p.axis, keepdim=True),
    "max": lambda p, x: torch.amax(x, p.axis, keepdim=True),
    "min": lambda p, x: torch.amin(x, p.axis, keepdim=True),
    "prod": lambda p, x: torch.prod(x, p.axis, keepdim=True),
    "norm2": lambda p, x: torch.linalg.vector_norm(x, dim=p.axis, keepdim=True),
    "logsumexp": lambda p, x: torch.logsumexp(x, p.axis, keepdim=True),
    "var": lambda p, x: torch.var(x, p.axis, correction=p.correction, keepdim=True),
    "std": lambda p, x: torch.std(x, p.axis, correction=p.correction, keepdim=True),
    "cumsum": lambda p, x: torch.cumsum(x, p.axis),
    "cumprod": lambda p, x: torch.cumprod(x, p.axis),
    "cummax": lambda p, x: torch.cummax(x, p.axis).values,
    "cummin": lambda p, x: torch.cummin(x, p.axis).values,
    "logcumsumexp": lambda p, x: torch.logcumsumexp(x, p.axis),
    "add": lambda p, a, b: torch.add(a, b),
    "sub": lambda p, a, b: torch.sub(a, b),
    "mul": lambda p, a, b: torch.mul(a, b),
    "div": lambda p, a, b: torch.div(a, b),
    "maximum": lambda p, a, b: torch.maximum(a, b),
    "minimum": lambda p, a, b: torch.minimum(a, b),
    "pow": lambda p, a, b: torch.pow(a, b),
    "atan2": lambda p, a, b: torch.atan2(a, b),
    "hypot": lambda p, a, b: torch.hypot(a, b),
    "lerp": lambda p, a, b: torch.lerp(a, b, p.param),
    "softmax": lambda p, x: torch.softmax(x, p.axis),
    "log_softmax": lambda p, x: torch.log_softmax(x, p.axis),
}

# max(dim) breaks ties and NaN by the first: another function than amax, and other policies.
BY_INDEX = {
    "torch.max(dim)": lambda p, x: torch.max(x, p.axis, keepdim=True).values,
    "torch.min(dim)": lambda p, x: torch.min(x, p.axis, keepdim=True).values,
}


def tensor(p, array):
    """As the framework sees it; torch scans from the start alone, so that a reversed scan is turned round."""
    if p.element == "bf16":
        made = torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    else:
        made = torch.from_numpy(array.copy())
    return made.flip(p.axis) if p.reverse else made


def numbers(p, made):
    made = (made.flip(p.axis) if p.reverse else made).contiguous()
    return made.view(torch.int16).numpy().view(np.uint16) if p.element == "bf16" else made.numpy()


def refuse(p, tables):
    if p.op == "lerp" and p.element != "f64" and torch.finfo(torch.float32).max < abs(p.param) < float("inf"):
        return "torch.lerp refuses a weight that is no f32"
    return adapter.under("torch")(p, tables)


def named(function, op):
    """The function that a vector's source names."""
    return BY_INDEX.get(function, FORWARD[op])


def version():
    return torch.__version__.split("+")[0]


def both(p, arrays, forward):
    """The result and the gradients. Operands that the op does not read are zeros: no gradient depends on them."""
    zeros = np.zeros(p.shape, adapter.ARRAYS[p.element])
    names = ("a", "b") if p.elementwise else ("x",)
    inputs = [tensor(p, arrays[name] if name in p.reads else zeros).requires_grad_() for name in names]
    y = forward(p, *inputs)
    if "y" in p.reads:
        y.data.copy_(tensor(p, arrays["y"]))  # what the gradient has saved is this memory
    y.backward(tensor(p, arrays["dy"]))
    return numbers(p, y.detach()), [numbers(p, each.grad) for each in inputs]


def gradient(p, arrays):
    return both(p, arrays, FORWARD[p.op])[1]


if __name__ == "__main__":
    if torch is None:
        adapter.missing("torch", reason)
    else:
        torch.set_num_threads(1)
        adapter.serve("torch", "PyTorch " + version(), refuse, gradient)
