"""Kernels that other people wrote, unmodified, on the software device, each against PyTorch's autograd on the CPU.

usage: clients.py [NAME...]   of CLIENTS and REFUSED below; all of them where none is named

Prints a row a client: launches, checkers with a report, the largest difference of results and gradients from autograd's
over their scale. Exits 1 where one of CLIENTS cannot be run or differs by more than TOLERANCE, or one of REFUSED runs.
"""

import importlib
import os
import re
import sys
import warnings

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # as Triton 3.9 has it, and says so in a warning
warnings.simplefilter("ignore")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

from softgpu import triton  # noqa: E402

TOLERANCE = 5e-5
ROWS, COLUMNS = 6, 80
TARGET = torch.arange(ROWS) * 7 % COLUMNS
THREE = (torch.arange(96.0).reshape(3, 1, 4, 8) / 10).repeat(1, 1, 1, 2)  # three positions, angles of four tokens


def normal(*shape):
    return torch.randn(shape).requires_grad_()


def log_probabilities(*shape):
    return torch.log_softmax(torch.randn(*shape), -1).requires_grad_()


def probabilities(*shape):
    return torch.softmax(torch.randn(*shape), -1).requires_grad_()


def unit(x):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos[:, None] + torch.cat((-x[..., half:], x[..., :half]), -1) * sin[:, None]


def turns():
    angles = torch.arange(8).float()[None, :, None] * torch.arange(1, 9).float() / 10
    return torch.cat((angles, angles), -1)


def jensen_shannon(log_q, log_p):
    middle = torch.log((log_q.exp() + log_p.exp()) / 2)
    both = [F.kl_div(middle, side, log_target=True, reduction="sum") for side in (log_p, log_q)]
    return sum(both) / 2 / log_q.shape[0]


def sparsemax(x):
    ordered, _ = torch.sort(x, -1, descending=True)
    sums, k = ordered.cumsum(-1) - 1, torch.arange(1, x.shape[-1] + 1)
    count = (ordered * k > sums).sum(-1, keepdim=True)
    return torch.clamp(x - sums.gather(-1, count - 1) / count, min=0)


def divergence(p, q):
    return (p - q).abs().sum(-1) / 2


def future(scores):
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


def attend(scores, weight, bias, *_):
    shares = torch.softmax(scores.masked_fill(future(scores), -torch.inf), -1)
    return F.conv2d(shares, weight, bias, padding=1).masked_fill(future(scores), 0)


def over_depth(values, query, weight, *_):
    scores = (unit(values) * weight * query).sum(-1)
    return (torch.softmax(scores, 0)[..., None] * values).sum(0)


def sections(angles):
    """Of the three positions the first gives 2 of 8 frequencies, the others 3 each."""
    half = torch.cat([part[..., a:b] for part, a, b in zip(angles, (0, 2, 5), (2, 5, 8))], -1)
    return torch.cat((half, half), -1)


def turn_pairs(x, turns):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns[None, :, None]).reshape(x.shape)


def rows():
    return normal(ROWS, COLUMNS)


def wide():
    return normal(COLUMNS)


# Of Liger-Kernel: module and function, its arguments, and what it should compute of those that are tensors.
CLIENTS = {
    "rms_norm": ("rms_norm.LigerRMSNormFunction", lambda: (rows(), wide(), 1e-6, 0.0, "llama", False),
                 lambda x, w, *_: unit(x) * w),
    "layer_norm": ("layer_norm.LigerLayerNormFunction", lambda: (rows(), wide(), wide(), 1e-5),
                   lambda x, w, b, *_: F.layer_norm(x, (COLUMNS,), w, b, 1e-5)),
    "group_norm": ("group_norm.LigerGroupNormFunction", lambda: (normal(2, 8, 16), normal(8), normal(8), 8, 4, 1e-5),
                   lambda x, w, b, *_: F.group_norm(x, 4, w, b, 1e-5)),
    "fused_add_rms_norm": ("fused_add_rms_norm.LigerFusedAddRMSNormFunction", lambda: (rows(), rows(), wide(), 1e-6),
                           lambda x, r, w, *_: (unit(x + r) * w, x + r)),
    "swiglu": ("swiglu.LigerSiLUMulFunction", lambda: (rows(), rows()), lambda a, b: F.silu(a) * b),
    "geglu": ("geglu.LigerGELUMulFunction", lambda: (rows(), rows()),
              lambda a, b: F.gelu(a, approximate="tanh") * b),
    "relu_squared": ("relu_squared.LigerReLUSquaredFunction", lambda: (rows(),), lambda x: F.relu(x) ** 2),
    "softmax": ("softmax.LigerSoftmaxFunction", lambda: (rows(),), lambda x: torch.softmax(x, -1)),
    "sparsemax": ("sparsemax.LigerSparsemaxFunction", lambda: (rows(), -1), lambda x, _: sparsemax(x)),
    "cross_entropy": ("cross_entropy.LigerCrossEntropyFunction",
                      lambda: (rows(), TARGET, None, -100, 0.0, 0.0, "mean", None, False),
                      lambda x, t, *_: F.cross_entropy(x, t)),
    "jsd": ("jsd.LigerJSDFunction",
            lambda: (log_probabilities(ROWS, COLUMNS), log_probabilities(ROWS, COLUMNS).detach()), jensen_shannon),
    "kl_div": ("kl_div.LigerKLDivLossFunction",
               lambda: (log_probabilities(ROWS, COLUMNS), probabilities(ROWS, COLUMNS).detach()),
               lambda q, p: F.kl_div(q, p, reduction="batchmean")),
    "tvd": ("tvd.LigerTVDLossFunction", lambda: (probabilities(ROWS, COLUMNS), probabilities(ROWS, COLUMNS).detach()),
            lambda p, q: (p - q).abs().sum() / 2 / ROWS),
    "rope": ("rope.LigerRopeFunction",
             lambda: (normal(1, 4, 8, 16), normal(1, 2, 8, 16), turns().cos(), turns().sin()),
             lambda q, k, cos, sin: (rotate(q, cos, sin), rotate(k, cos, sin))),
    "poly_norm": ("poly_norm.LigerPolyNormFunction", lambda: (rows(), normal(3), normal(), 1e-6, False),
                  lambda x, w, b, *_: w[0] * unit(x**3) + w[1] * unit(x**2) + w[2] * unit(x) + b),
    "fused_linear_cross_entropy": ("fused_linear_cross_entropy.LigerFusedLinearCrossEntropyFunction",
                                   lambda: (normal(ROWS, 32), normal(COLUMNS, 32), TARGET),
                                   lambda x, w, t: F.cross_entropy(x @ w.T, t)),
    "fused_linear_jsd": ("fused_linear_jsd.LigerFusedLinearJSDFunction",
                         lambda: (normal(ROWS, 32), normal(COLUMNS, 32), torch.randn(ROWS, 32),
                                  torch.randn(COLUMNS, 32)),
                         lambda *xw: jensen_shannon(*(torch.log_softmax(x @ w.T, -1) for x, w in (xw[:2], xw[2:])))),
    "fused_linear_kl_div": ("fused_linear_kl_div.LigerFusedLinearKLDivFunction",
                            lambda: (normal(ROWS, 32), normal(COLUMNS, 32), probabilities(ROWS, COLUMNS).detach()),
                            lambda x, w, p: F.kl_div(torch.log_softmax(x @ w.T, -1), p, reduction="batchmean")),
    "fused_ce_tvd": ("fused_ce_tvd.LigerFusedCETVDFunction", lambda: (rows(), rows().detach(), TARGET),
                     lambda x, y, t: (F.cross_entropy(x, t, reduction="none"),
                                      divergence(torch.softmax(x, -1), torch.softmax(y, -1)))),
    "modulated_rms_norm": ("modulated_rms_norm.LigerModulatedRMSNormFunction",
                           lambda: (rows(), wide(), wide(), wide(), 1e-6),
                           lambda x, w, scale, shift, _: (1 + scale) * unit(x) * w + shift),
    "fused_gate_up_swiglu": ("swiglu.LigerFusedGateUpSiLUMulFunction", lambda: (rows(),),
                             lambda x: F.silu(x[:, : COLUMNS // 2]) * x[:, COLUMNS // 2 :]),
    "multi_token_attention": ("multi_token_attention.LigerMultiTokenAttentionFunction",
                              lambda: (normal(1, 2, 8, 8), normal(2, 2, 3, 3), normal(2), 1, 1), attend),
    "attn_res": ("attn_res.LigerAttnResFunction", lambda: (normal(3, 2, 4, 16), normal(16), normal(16), 1e-6),
                 over_depth),
    "qwen2vl_mrope": ("qwen2vl_mrope.LigerQwen2VLMRopeFunction",
                      lambda: (normal(1, 4, 4, 16), normal(1, 2, 4, 16), THREE.cos(), THREE.sin(), (2, 3, 3)),
                      lambda q, k, cos, sin, _: (rotate(q, sections(cos), sections(sin)),
                                                 rotate(k, sections(cos), sections(sin)))),
    "llama4_rope": ("llama4_rope.LigerLlama4RopeFunction",
                    lambda: (normal(1, 4, 2, 16), normal(1, 4, 1, 16), torch.polar(torch.ones(4, 8), torch.rand(4, 8))),
                    lambda q, k, turns: (turn_pairs(q, turns), turn_pairs(k, turns))),
    "embedding": ("experimental.embedding.LigerEmbeddingFunction", lambda: (normal(12, 32), TARGET % 12),
                  lambda weight, indices: F.embedding(indices, weight)),
}  # fmt: skip

# Those that want a GPU of PyTorch's: its count of multiprocessors, tensors that say that they are there.
REFUSED = {
    "dyt": ("dyt.LigerDyTFunction", lambda: (rows(), normal(1), wide(), wide()), "UnboundLocalError: .*NUM_SMS"),
    "mlp": ("mlp.LigerMLPFunction", lambda: (rows(), normal(32, COLUMNS), normal(32, COLUMNS), normal(COLUMNS, 32)),
            "AssertionError: "),
}  # fmt: skip


def tensors(values):
    values = values if isinstance(values, (tuple, list)) else (values,)
    return [value for value in values if isinstance(value, torch.Tensor) and value.is_floating_point()]


def derive(function, arguments):
    """Results of a function, and its gradients by what asks for them."""
    copies = [
        value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value
        for value in arguments
    ]
    asked = [value for value in copies if isinstance(value, torch.Tensor) and value.requires_grad]
    results = tensors(function(*copies))
    kept = [result.detach().clone() for result in results]
    wanted = [result for result in results if result.requires_grad]
    torch.manual_seed(2)
    torch.autograd.backward(wanted, [torch.randn(result.shape) for result in wanted])
    return kept + [value.grad for value in asked]


def difference(got, want):
    return max(((a - b).abs().max() / (b.abs().max() + 1e-6)).item() for a, b in zip(got, want))


def applied(path):
    module, _, function = path.rpartition(".")
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), function).apply


def try_client(name):
    """Whether it is right, and its row."""
    torch.manual_seed(1)
    path, make, want = CLIENTS[name]
    arguments = make()
    with triton.device() as seen:
        got = derive(applied(path), arguments)
    found = sorted(
        {finding.check for launch in seen.launches for finding in launch.findings if finding.severity != "note"}
    )
    far = difference(got, derive(want, arguments))
    row = f"{name}: {len(seen.launches)} launches, {far:.1e} off, reports: {' '.join(found) or 'none'}"
    return bool(seen.launches) and far <= TOLERANCE, row


def try_refused(name):
    """Whether it still is, and its row."""
    path, make, words = REFUSED[name]
    try:
        with triton.device():
            derive(applied(path), make())
    except Exception as error:  # what it says is what is looked at
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        return re.match(words, said), f"{name}: does not run on the CPU: {said[:80]}"
    return False, f"{name}: runs, and was not expected to"


def tried(name):
    try:
        return (try_refused if name in REFUSED else try_client)(name)
    except Exception as error:  # what a client raises is its row
        return False, f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:160]}"


def main(names):
    good = 0
    for name in names:
        right, row = tried(name)
        good += bool(right)
        print(f"{'ok' if right else 'not ok'} - {row}", flush=True)
    refused = len(REFUSED.keys() & set(names))
    print(f"1..{len(names)}\n# {len(names)} clients, {good} as expected, of which {refused} do not run")
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [*CLIENTS, *REFUSED]))
