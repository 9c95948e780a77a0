"""A training step of tinygrad's on CUDA, captured by its TinyJit and repeated. Fails where it is not NumPy's."""

import numpy as np
from tinygrad import Context, Device, Tensor, TinyJit
from tinygrad.nn import optim

STEPS, RATE = 5, 0.1
random = np.random.default_rng(1)
X, Y = random.standard_normal((16, 8), np.float32), random.integers(0, 4, 16)
W = 0.1 * random.standard_normal((8, 4), np.float32)


def by_hand():
    """Softmax regression: its losses, and the weights after the last step."""
    w, losses = W.astype(np.float64), []
    for _ in range(STEPS):
        powers = np.exp(X @ w)
        share = powers / powers.sum(1, keepdims=True)
        losses.append(-np.log(share[np.arange(len(Y)), Y]).mean())
        w -= RATE * X.T @ (share - np.eye(4)[Y]) / len(Y)
    return losses, w


def by_tinygrad():
    x, y, w = Tensor(X), Tensor(Y.astype(np.int32)), Tensor(W)
    optimizer = optim.SGD([w], lr=RATE)

    @TinyJit
    def step():
        optimizer.zero_grad()
        loss = (x @ w).sparse_categorical_crossentropy(y)
        loss.backward()
        return loss.realize(*optimizer.schedule_step())  # together: the loss is that of the weights before

    with Context(TRAINING=1):
        losses = [step().item() for _ in range(STEPS)]
    assert step.captured is not None, "TinyJit captured nothing"
    return losses, w.numpy()


assert Device.DEFAULT.startswith("CUDA"), Device.DEFAULT
far = [np.abs(np.subtract(*both)).max() for both in zip(by_tinygrad(), by_hand())]
assert max(far) < 1e-5, f"losses are off by {far[0]:.1e}, weights by {far[1]:.1e}"
