"""cotangent check --backend jax: JAX's own gradients, on a processor. It takes no saved y, but computes its own."""

import os

import adapter
import numpy as np

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    from jax import lax

    jax.config.update("jax_enable_x64", True)
except Exception as wrong:
    jax = None
    reason = wrong

FORWARD = {
    "sum": lambda p, x: jnp.sum(x, p.axis, keepdims=True),
    "mean": lambda p, x: jnp.mean(x, p.axis, keepdims=True),
    "max": lambda p, x: jnp.max(x, p.axis, keepdims=True),
    "min": lambda p, x: jnp.min(x, p.axis, keepdims=True),
    "prod": lambda p, x: jnp.prod(x, p.axis, keepdims=True),
    "norm2": lambda p, x: jnp.linalg.norm(x, axis=p.axis, keepdims=True),
    "logsumexp": lambda p, x: jax.nn.logsumexp(x, p.axis, keepdims=True),
    "var": lambda p, x: jnp.var(x, p.axis, correction=p.correction, keepdims=True),
    "std": lambda p, x: jnp.std(x, p.axis, correction=p.correction, keepdims=True),
    "cumsum": lambda p, x: lax.cumsum(x, p.axis, reverse=bool(p.reverse)),
    "cumprod": lambda p, x: lax.cumprod(x, p.axis, reverse=bool(p.reverse)),
    "cummax": lambda p, x: lax.cummax(x, p.axis, reverse=bool(p.reverse)),
    "cummin": lambda p, x: lax.cummin(x, p.axis, reverse=bool(p.reverse)),
    "logcumsumexp": lambda p, x: lax.cumlogsumexp(x, p.axis, reverse=bool(p.reverse)),
    "add": lambda p, a, b: jnp.add(a, b),
    "sub": lambda p, a, b: jnp.subtract(a, b),
    "mul": lambda p, a, b: jnp.multiply(a, b),
    "div": lambda p, a, b: jnp.divide(a, b),
    "maximum": lambda p, a, b: jnp.maximum(a, b),
    "minimum": lambda p, a, b: jnp.minimum(a, b),
    "pow": lambda p, a, b: jnp.power(a, b),
    "atan2": lambda p, a, b: jnp.arctan2(a, b),
    "hypot": lambda p, a, b: jnp.hypot(a, b),
    "lerp": lambda p, a, b: (1 - p.param) * a + p.param * b,
    "softmax": lambda p, x: jax.nn.softmax(x, p.axis),
    "log_softmax": lambda p, x: jax.nn.log_softmax(x, p.axis),
}


def refuse(problem, tables):
    if problem.op in ("softmax", "log_softmax"):
        return "JAX takes x, and this gradient's case has y alone"
    return adapter.under("jax")(problem, tables)


def array(p, given):
    return jnp.asarray(given.view(ml_dtypes.bfloat16) if p.element == "bf16" else given)


def numbers(p, made):
    made = np.asarray(made)
    return made.view(np.uint16) if p.element == "bf16" else made


def named(function, op):
    """The function that a vector's source names, and how its gradient is called: compiled as a whole, or in steps."""
    return FORWARD[op], jax.jit if function.endswith(" [jit]") else lambda call: call


def version():
    return jax.__version__


def both(p, arrays, how):
    """The result and the gradients. Operands that the op does not read are zeros: no gradient depends on them."""
    forward, compiled = how

    def call(dy, *inputs):
        y, back = jax.vjp(lambda *each: forward(p, *each), *inputs)
        return y, back(dy)

    zeros = np.zeros(p.shape, adapter.ARRAYS[p.element])
    names = ("dy", "a", "b") if p.elementwise else ("dy", "x")
    y, gradients = compiled(call)(*[array(p, arrays[name] if name in arrays else zeros) for name in names])
    return numbers(p, y), [numbers(p, each) for each in gradients]


def gradient(p, arrays):
    return both(p, arrays, named("", p.op))[1]


if __name__ == "__main__":
    if jax is None:
        adapter.missing("jax", reason)
    else:
        adapter.serve("jax", "JAX " + version(), refuse, gradient)
