"""Lists the matmuls that a model runs, as the model's own framework knows them.

    python systolic_matmuls.py my_model.py:Model --input int64:8,512 --train > model.csv
    python systolic_matmuls.py my_model.py:build --train > model.csv
    python systolic_matmuls.py config.json --size batch=8 --size sequence=4096 --train > model.csv
    python systolic_matmuls.py model.onnx --size batch=1 > model.csv

The first argument is a Hugging Face id, a folder, a config.json, an ONNX model, StableHLO text (.mlir), safetensors or
GGUF files, or `FILE.py:NAME`. NAME is a PyTorch module, or a function without arguments that returns (model, *inputs).
The model is a PyTorch module or a function of JAX. The program runs no model: it needs shapes, and no weights.
Without --train, the table is a forward pass.

This file needs only Python. It imports torch, transformers, jax, onnx, safetensors or gguf if the input needs them.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import csv
import dataclasses
import importlib
import importlib.util
import inspect
import io
import json
import math
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple
from unittest import mock

Tables = Iterable[tuple[Any, str, int]]

VERSION = "1"
COLUMNS = ("name", "M", "K", "N", "count", "role", "weights", "shared", "kept", "masked")
FORWARD, RECOMPUTED, INPUT_GRADIENT, WEIGHT_GRADIENT = "forward", "recomputed", "input-gradient", "weight-gradient"
# Constants with more elements than this, such as masks, are not evaluated.
VALUES_MAX = 1 << 27


class Refusal(ValueError):
    """An input that cannot be traced. The message is one sentence that names the input, the value and the remedy."""


def need(package: str, what: str) -> Any:
    """Imports a package that only some inputs need."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        top = package.split(".")[0]
        if error.name != top:
            raise
        raise Refusal(f"{what} needs the package {top}: run `pip install {top}`.") from None


def reason(error: Exception) -> str:
    """Returns the first line of an error, without its full stop."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".: ")


def pattern(name: str) -> str:
    """Returns a name with `*` for each number between dots, so that the layers of a model share one row."""
    return ".".join("*" if part.isdigit() else part for part in name.split("."))


# The table


@dataclasses.dataclass(frozen=True)
class Input:
    """The shape of an input, and its number format as NumPy names it."""

    shape: tuple[int, ...]
    dtype: str


class Run(NamedTuple):
    """A matmul that the model runs `times` times. `tables` has key, name and elements of each table that it reads."""

    name: str
    m: int
    k: int
    n: int
    times: int
    role: str
    tables: tuple[tuple[Any, str, int], ...]
    kept: str
    masked: float | None


class Matmuls:
    """The matmuls of a model. `str()` of this object is the table as CSV."""

    def __init__(self, sizes: Sizes | None = None) -> None:
        self.sizes = Sizes({}) if sizes is None else sizes
        self.runs: list[Run] = []
        self.lookups: dict[Any, tuple[str, int]] = {}
        self.left_out: Counter[str] = Counter()
        self.notes: list[str] = []
        self.versions: list[str] = []
        self.parameters: int | None = None
        # The model as the caller names it, and what the caller can do for a table of another step.
        self.source = "The model"
        self.step_without_gradients = "forward pass"
        self.for_training, self.for_forward = "add --train", "leave out --train"

    def add(self, name: str, m: int, k: int, n: int, count: int = 1, role: str = FORWARD, tables: Tables = (),
            kept: str = "", masked: float | None = 1.0) -> list[int]:
        """Adds a matmul C[M,N] = A[M,K] · B[K,N], unless it is empty. Returns the positions of the added runs."""
        if min(m, k, n, count) <= 0:
            return []
        self.runs.append(Run(name, int(m), int(k), int(n), int(count), role, tuple(tables), kept, masked))
        return [len(self.runs) - 1]

    def add_experts(self, name: str, visits: int, k: int, n: int, experts: int, copies: int = 1, tables: Tables = (),
                    role: str = FORWARD) -> list[int]:
        """Adds the matmuls of experts among which `visits` rows are divided evenly. If they do not divide, some experts
        receive one row more."""
        tables, added = tuple(tables), []
        for m, part in ((visits // experts + 1, visits % experts), (visits // experts, experts - visits % experts)):
            own = [((key, m), label, elements * part // experts) for key, label, elements in tables]
            added += self.add(name, m, k, n, part * copies, role, own)
        return added

    def add_gradients(self, positions: list[int], of_a: bool = True, of_b: bool = True) -> list[int]:
        """Adds the matmuls with which a backward pass differentiates each run: dA = dC · Bᵀ and dB = Aᵀ · dC."""
        before = len(self.runs)
        for run in [self.runs[at] for at in positions]:
            if of_a:
                swap = {"a": "c", "c": "a"}.get(run.kept, run.kept)
                self.runs.append(run._replace(k=run.n, n=run.k, role=INPUT_GRADIENT, kept=swap))
            if of_b:
                swap = {"b": "c", "c": "b"}.get(run.kept, run.kept)
                self.runs.append(run._replace(m=run.k, k=run.m, role=WEIGHT_GRADIENT, tables=(), kept=swap))
        return [*range(before, len(self.runs))]

    def group_queries(self, size: int) -> None:
        """Joins the queries of `size` heads that share keys, because a kernel reads the keys of such a group once."""
        for at, run in enumerate(self.runs):
            if run.m == 1 and run.name.endswith(("scores", "values")) and not run.tables and run.times % size == 0:
                self.runs[at] = run._replace(m=size, times=run.times // size)

    def rows(self) -> list[dict[str, Any]]:
        """Returns the rows of the table. Runs that differ only in the numbers of their names share a row."""
        users: dict[Any, set[Any]] = {key: {"a lookup"} for key in self.lookups}
        for run in self.runs:
            for key, _, _ in run.tables:
                if run.role == FORWARD:
                    users.setdefault(key, set()).add((pattern(run.name), run.m, run.k, run.n))
        groups: dict[Any, tuple[int, dict[Any, int]]] = {}
        for run in self.runs:
            shared = "+".join(sorted({pattern(name) for key, name, _ in run.tables if len(users.get(key, ())) > 1}))
            group = (pattern(run.name), run.m, run.k, run.n, run.role, shared, run.kept, run.masked)
            count, tables = groups.get(group, (0, {}))
            tables.update({key: elements for key, _, elements in run.tables})
            groups[group] = (count + run.times, tables)
        return [dict(zip(COLUMNS, (name, m, k, n, count, role, sum(tables.values()), shared, kept,
                                   "" if masked is None else f"{masked:.9g}")))
                for (name, m, k, n, role, shared, kept, masked), (count, tables) in groups.items()]

    def totals(self, rows: list[dict[str, Any]]) -> str:
        """Returns the numbers with which a reader of the table checks that the table is complete."""
        flops = sum(2 * row["M"] * row["K"] * row["N"] * row["count"] for row in rows)
        weights: dict[Any, int] = {}
        for at, row in enumerate(rows):
            if row["role"] == FORWARD:
                key = row["shared"] or at
                weights[key] = max(weights.get(key, 0), row["weights"])
        words = f"rows={len(rows)} flops={flops} weights={sum(weights.values())}"
        return words if self.parameters is None else f"{words} parameters={self.parameters}"

    def __str__(self) -> str:
        rows = self.rows()
        if not rows:
            raise Refusal(f"{self.source} runs no matmul: check that the inputs reach its layers.")
        looked_up = {(pattern(name), elements) for name, elements in self.lookups.values()}
        lines = [f"lookup {name} ({elements} weights)" for name, elements in sorted(looked_up)]
        lines += [f"{name} ({count})" for name, count in sorted(self.left_out.items())]
        left_out = "; ".join(" ".join(line.split()) for line in lines + self.notes) or "nothing"
        step, remedy = self.step()
        sizes = (f"{name}={number}" for name, number in self.sizes.items())
        traced = "; ".join([f"systolic_matmuls {VERSION}", *self.versions, f"{step} ({remedy})", *sizes])
        out = io.StringIO()
        print(f"# totals: {self.totals(rows)}", f"# left out: {left_out}", f"# traced: {traced}", sep="\n", file=out)
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def step(self) -> tuple[str, str]:
        """Returns the step that the table describes, and what to do for a table of the other step."""
        roles = {run.role for run in self.runs}
        if not roles & {INPUT_GRADIENT, WEIGHT_GRADIENT}:
            return self.step_without_gradients, f"for a training step, {self.for_training}"
        again = " with recomputation" if RECOMPUTED in roles else ""
        return f"training step{again}", f"for a forward pass, {self.for_forward}"

    def summary(self) -> str:
        """Returns sentences that tell what the table describes, and what to do next."""
        step, remedy = self.step()
        sizes = ", ".join(f"{name} {self.sizes[name]}" for name in ("batch", "sequence") if name in self.sizes)
        text = f"The table is a {step}{f' ({sizes})' if sizes else ''}: {remedy}.\n"
        if unknown := self.sizes.open:
            options = " ".join(f"--size {name}={name[0].upper()}" for name in unknown)
            text += (f"The inputs do not show {' and '.join(unknown)}, so dollars per token stay unknown: run again "
                     f"with {options}.\n")
        return text + ("Next, open the table in the page, or run `systolic model --config model.csv --chip tpu-v5e "
                       "--chips 1`.\n")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file."""
        Path(path).write_text(str(self), encoding="utf-8")

    def note(self, text: str) -> None:
        """Adds a sentence to what was left out, once."""
        if text not in self.notes:
            self.notes.append(text)

    def note_idle(self, names: Iterable[str]) -> None:
        """Notes the weights that no matmul reads."""
        idle = sorted({pattern(name) for name in names})
        more = f" and {len(idle) - 8} more" if len(idle) > 8 else ""
        if idle:
            self.note(f"weights that no matmul reads: {', '.join(idle[:8])}{more}")


class Scores(NamedTuple):
    """Attention scores between their matmul and the matmul with the values. `runs` has the positions of their matmuls,
    and `masked` the share of the scores that masks leave, or None if a mask is unknown."""

    runs: list[int]
    masked: float | None = 1.0
    is_softmax: bool = False

    def mask(self, share: float | None) -> Scores:
        is_less = share is None or self.masked is not None and share < self.masked
        return self._replace(masked=share) if is_less else self

    def softmax(self, found: Matmuls) -> Scores:
        for at in self.runs:
            run = found.runs[at]
            found.runs[at] = run._replace(name=re.sub(r"\bmatmul$", "scores", run.name), masked=self.masked)
        return self._replace(is_softmax=True)


def share(keep: Any) -> float:
    """Returns the share of the scores that a mask of booleans leaves: 0.5 for a causal mask, by convention."""
    keys = keep.shape[-1] if keep.shape else 1
    left = keep.reshape(-1, keys).sum(-1).tolist()
    # The rows of a causal mask leave 1, 2, 3, … keys.
    is_causal = keys > 1 and left == [*range(1, keys + 1)] * (len(left) // keys)
    return 0.5 if is_causal else sum(left) / (len(left) * keys)


def dot_sizes(a: Any, b: Any, inner: tuple[Any, Any], batch: tuple[Any, Any]) -> tuple[int, int, int, int]:
    """Returns M, K, N and count of a product of two tensors, from their shapes, their summed axes and their batch axes.
    """
    m = math.prod(size for axis, size in enumerate(a) if axis not in (*inner[0], *batch[0]))
    n = math.prod(size for axis, size in enumerate(b) if axis not in (*inner[1], *batch[1]))
    return m, math.prod(a[axis] for axis in inner[0]), n, math.prod(a[axis] for axis in batch[0])


class Sizes(dict[str, int]):
    """Numbers that a model does not contain, by name. A missing number is a refusal that asks for it."""

    def __init__(self, stated: dict[str, int]) -> None:
        super().__init__(stated)
        self.read: set[str] = set()
        # Names of sizes that the inputs leave open, and that the caller may state.
        self.open: list[str] = []

    def look(self, name: str, default: Any = None) -> Any:
        """Returns the number, or the default. A stated number that nothing looks for is refused in the end."""
        self.read.add(name)
        return self.get(name, default)

    def use(self, name: str, default: int) -> int:
        """Returns the number. The default becomes the number if none is stated."""
        return self.setdefault(name, self.look(name, default))

    def ask(self, name: str, why: str) -> int:
        if self.look(name) is None:
            raise Refusal(f"{why}: add `--size {name}=NUMBER`.")
        return self[name]

    def leave_open(self) -> None:
        """Remembers that batch and sequence could have been stated, if they are unknown."""
        self.open = [name for name in ("batch", "sequence") if name in self.read and name not in self]

    def check_read(self) -> None:
        """Refuses a number that the model does not read."""
        for name in self.keys() - self.read:
            known = ", ".join(sorted(self.read))
            reads, remedy = (f"only the sizes {known}", "correct the name") if known else ("no size", "leave it out")
            raise Refusal(f"--size {name}={self[name]} has no effect, because this model reads {reads}: {remedy}.")

    def agree(self, found: Matmuls, inputs: Iterable[Any], is_time_first: bool = False) -> None:
        """Sets batch and sequence to the sizes of the inputs, which are tokens or rows of numbers.

        `is_time_first` is true if layers of the model may read the sequence before the batch. A stated size that the
        inputs contradict is refused. Sizes stay unknown if the inputs leave open which dimension is the batch.
        """
        arrays = [(tuple(a.shape), str(a.dtype)) for a in inputs if hasattr(a, "shape") and hasattr(a, "dtype")]
        tokens = {shape for shape, dtype in arrays if len(shape) == 2 and dtype.endswith(("int32", "int64"))}
        shapes = tokens or {shape for shape, dtype in arrays if len(shape) == 3 and "float" in dtype}
        stated = {name: number for name in ("batch", "sequence") if (number := self.look(name)) is not None}
        if len(shapes) == 1:
            # The scores of attention have a row for each token of a sequence.
            first, second = next(iter(shapes))[:2]
            rows = {run.m for run in found.runs if run.role == FORWARD and run.name.endswith("scores")}
            is_second, is_first = ({first, second} & rows == {side} for side in (second, first))
            if is_second or tokens and not is_time_first:
                self.update(batch=first, sequence=second)
            elif is_first and is_time_first:
                self.update(batch=second, sequence=first)
        for name, number in stated.items():
            if self[name] != number:
                raise Refusal(f"The inputs contradict --size {name}={number}, because their {name} is {self[name]}: "
                              "leave it out, or change the inputs.")
        # Otherwise, the inputs are rows of numbers, or their first two dimensions have an unknown order.
        options = " ".join(f"--size {name}={number}" for name, number in stated.items())
        every, product = {shape for shape, _ in arrays}, math.prod(stated.values())
        # Images have neither tokens nor rows.
        if any(len(shape) in (2, 3) for shape in every):
            self.leave_open()
        if shapes == every and shapes and any(all(n not in shape for shape in shapes) for n in stated.values()):
            sizes = " and ".join(str(list(shape)) for shape in sorted(shapes))
            raise Refusal(f"The inputs contradict {options}, because their sizes are {sizes}: use these sizes, or "
                          "change the inputs.")
        if [*map(len, every)] == [2] and not tokens and stated:
            ((total, _),) = every
            if product != total and (len(stated) == 2 or not product or total % product):
                raise Refusal(f"The inputs contradict {options}, because they have {total} rows: use sizes whose "
                              f"product is {total}, or change the inputs.")

    def branch(self, branches: list[Any], where: str) -> int:
        """Returns the position of the branch to trace. Branches with equal matmuls need no choice."""
        if all(other == branches[0] for other in branches):
            return 0
        at = self.ask("branch", f"The branches of {where} run different matmuls")
        if at >= len(branches):
            raise Refusal(f"branch = {at}: use a number from 0 to {len(branches) - 1}.")
        return at


# PyTorch

# Positions of the two matrices among the arguments of an operation.
TORCH_PRODUCTS = {"mm": (0, 1), "bmm": (0, 1), "mv": (0, 1), "dot": (0, 1), "vdot": (0, 1), "_int_mm": (0, 1),
                  "_scaled_mm": (0, 1), "addmm": (1, 2), "baddbmm": (1, 2), "addbmm": (1, 2), "addmv": (1, 2),
                  "_addmm_activation": (1, 2)}
TORCH_GROUPED = ("_grouped_mm", "_scaled_grouped_mm", "grouped_mm_fallback")
# Results of these operations depend only on the shape of their first tensor.
TORCH_SHAPE_ONLY = set("zeros_like ones_like full_like new_zeros new_ones new_full".split())
# Operations that only move elements, or that make new tensors.
TORCH_MOVES = TORCH_SHAPE_ONLY | set("""t view _unsafe_view reshape transpose permute expand unsqueeze squeeze slice
    select clone detach alias _to_copy to copy_ copy empty empty_like empty_strided new_empty zeros ones full arange
    scalar_tensor lift_fresh split_with_sizes split chunk unbind cat stack as_strided _local_scalar_dense unfold repeat
    roll flip constant_pad_nd pixel_shuffle fill_ zero_ expand_copy index_select _reshape_alias narrow diagonal tril
    triu set_ resize_ item""".split())
# Operations through which attention scores stay attention scores, from their matmul to the softmax.
TORCH_ELEMENTWISE = TORCH_MOVES | set("""mul div add sub where masked_fill masked_fill_ neg tanh add_ mul_ div_ sub_
    native_dropout _softmax _safe_softmax dropout bernoulli_ clamp maximum minimum""".split())
# Operations whose result is still weights if all their operands are weights.
TORCH_CONVERSIONS = TORCH_MOVES | {"mul", "div", "add", "sub", "mm", "bmm"}


def torch_modes(torch: Any, found: Matmuls, train: bool) -> Any:
    """Returns two modes in which PyTorch computes only shapes, and in which `found` collects matmuls.

    Tensors that depend neither on weights nor on the values of the inputs, such as masks and positions, have their
    values next to them in the attribute `_value`. So code that looks at such values works, and masks are known.
    """
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_flatten, tree_map

    Tensor = torch.Tensor

    class Tracer(TorchDispatchMode):  # type: ignore[misc]
        supports_higher_order_operators = True

        def __init__(self) -> None:
            super().__init__()
            self.names = [""]
            self.modules: dict[int, str] = {}
            self.storages: dict[Any, str] = {}
            self.stale: dict[int, Any] = {}
            self.used: set[str] = set()
            self.keys: dict[Any, int] = {}
            # A reentrant checkpoint runs forward without gradients, and again with gradients in the backward pass.
            self.without_gradients: Counter[Any] = Counter()
            self.late_gradients: list[tuple[list[int], bool, bool]] = []
            self.is_paused = self.is_backward = False

        # Names

        def watch(self, model: Any, tensors: dict[str, Any]) -> None:
            self.modules = {id(module): name for name, module in model.named_modules()}
            for name, tensor in tensors.items():
                self.storages.setdefault(tensor.untyped_storage()._cdata, name)

        def enter(self, module: Any, *_: Any) -> None:
            self.names.append(self.modules.get(id(module)) or self.names[-1])

        def leave(self, *_: Any) -> None:
            self.names.pop()

        def here(self) -> str:
            name = self.names[-1] or "model"
            return f"model.{name}" if name.isdigit() else name

        # Values of tensors that depend neither on weights nor on inputs

        def value(self, tensor: Any) -> Any:
            if tensor.device.type == "cpu":
                return tensor.detach()  # A constant of the model's code.
            value = getattr(tensor, "_value", None)
            return None if value is None or value.untyped_storage()._cdata in self.stale else value

        def forget(self, tensor: Any) -> None:
            if (value := getattr(tensor, "_value", None)) is not None:
                storage = value.untyped_storage()
                self.stale[storage._cdata] = storage

        def on_meta(self, item: Any) -> Any:
            if not isinstance(item, Tensor) or item.device.type == "meta":
                return item
            meta = torch.empty_strided(item.shape, item.stride(), dtype=item.dtype, device="meta")
            meta._value = item
            return meta

        # Tables of weights

        def table(self, tensor: Any) -> tuple[Any, str, int] | None:
            """Returns key, name and number of elements of the table that a tensor is, or is a view of."""
            elements = math.prod(size for size, stride in zip(tensor.shape, tensor.stride()) if stride)
            if (derived := getattr(tensor, "_table", None)) is not None:
                key, name, whole = derived
                return key if elements == whole else (key, tensor.storage_offset(), elements), name, elements
            storage = tensor.untyped_storage()._cdata
            name = self.storages.get(storage)
            return ((storage, tensor.storage_offset(), elements), name, elements) if name else None

        def derive(self, op: str, tensors: list[Any], result: Any) -> None:
            """Remembers that a tensor is a conversion of weights, such as a cast or a transposed copy."""
            if op not in TORCH_CONVERSIONS or not isinstance(result, Tensor) or self.table(result):
                return
            tables = [table for table in map(self.table, tensors) if table]
            # A table times constants, such as positions, is an activation. A table times a table is a merged adapter.
            if not tables or op in ("mm", "bmm") and len(tables) < 2:
                return
            if all(self.table(tensor) or self.value(tensor) is not None for tensor in tensors):
                names = {name for _, name, _ in tables}
                self.used |= names
                # A number in place of the key keeps the keys of long chains short. A converted table is still itself.
                key = (op, tuple(key for key, _, _ in tables), tuple(result.shape))
                number = self.keys.setdefault(key, len(self.keys))
                is_same = len(tables) == 1 and tables[0][2] == result.numel()
                result._table = (tables[0][0] if is_same else number, "+".join(sorted(names)), result.numel())

        # Matmuls

        def record(self, name: str, m: int, k: int, n: int, count: int, a: Any, b: Any, kept: str = "",
                   masked: float | None = 1.0, experts: int = 0) -> list[int]:
            """Adds a matmul of the operands `a` and `b`, and the matmuls of its gradients."""
            # The formula of the forward matmul already gave the gradients. A backward pass has gradients switched on
            # only while it computes activations again.
            if self.is_paused or self.is_backward and not torch.is_grad_enabled():
                return []
            first, second = self.table(a), self.table(b)
            if all(table[1].startswith("buffer ") if table else self.value(tensor) is not None
                   for table, tensor in ((first, a), (second, b))):
                found.left_out["matmuls of constants"] += 1
                return []
            if first and not second:
                m, n, a, b, first, second = n, m, b, a, second, first
                kept = {"a": "b", "b": "a"}.get(kept, kept)
            self.used.update(name for _, name, _ in filter(None, (first, second)))
            tables, role = [second] if second else [], RECOMPUTED if self.is_backward else FORWARD
            if experts:
                added = found.add_experts(name, m, k, n, experts, 1, tables, role)
            else:
                added = found.add(name, m, k, n, count, role, tables, kept, masked)
            place = self.here(), m, k, n, count
            if train and not torch.is_grad_enabled():
                self.without_gradients[place] += 1
            elif train and not self.is_backward:
                added += found.add_gradients(added, a.requires_grad, b.requires_grad)
            elif self.without_gradients[place]:
                self.without_gradients[place] -= 1
                self.late_gradients.append((added, a.requires_grad, b.requires_grad))
            return added

        def product(self, a: Any, b: Any, result: Any, mask: Any = None) -> None:
            scores = getattr(a, "_scores", None) or getattr(b, "_scores", None)
            is_values, is_weight = bool(scores and scores.is_softmax), self.table(a) or self.table(b)
            name = self.here() + ("" if is_weight else ".values" if is_values else ".matmul")
            m, n = (a.shape[-2] if a.dim() > 1 else 1), (b.shape[-1] if b.dim() > 1 else 1)
            count, masked = (a.shape[0] if a.dim() == 3 else 1), scores.masked if is_values and scores else 1.0
            added = self.record(name, m, a.shape[-1], n, count, a, b, masked=masked)
            if added and not is_weight and not is_values:
                left = 1.0 if mask is None else self.share(mask, lambda mask: mask > -1e4)
                result._scores = Scores(added).mask(left)

        def convolution(self, x: Any, w: Any, result: Any, transposed: bool, groups: int) -> None:
            # A transposed convolution multiplies first, and adds the overlapping results afterwards.
            image = x if transposed else result
            pixels = image.shape[0] * math.prod(image.shape[2:])
            k, n = math.prod(w.shape[1:]), w.shape[0] // groups
            self.record(self.here(), pixels, *((n, k) if transposed else (k, n)), groups, x, w)

        def grouped(self, a: Any, b: Any) -> tuple[int, ...] | None:
            if a.dim() == 2 and b.dim() == 3:
                self.record(self.here(), a.shape[0], a.shape[1], b.shape[2], 1, a, b, experts=b.shape[0])
                return (a.shape[0], b.shape[2])
            if a.dim() == 3 and b.dim() == 3:
                self.record(self.here(), a.shape[1], a.shape[2], b.shape[2], a.shape[0], a, b)
                return (a.shape[0], a.shape[1], b.shape[2])
            if self.is_backward:
                return None
            raise Refusal(f"{self.here()} multiplies groups of {tuple(a.shape)} by {tuple(b.shape)}, whose sizes are "
                          "values: trace one group.")

        def attention(self, q: Any, k: Any, v: Any, masked: float | None) -> None:
            """Adds both matmuls of fused attention at full size. The kernel keeps the scores on the chip."""
            name, count, (m, width), n = self.here(), math.prod(q.shape[:-2]), q.shape[-2:], k.shape[-2]
            self.record(f"{name}.scores", m, width, n, count, q, k, "c", masked)
            # The probabilities need a gradient if the queries or keys do.
            of_a = q if q.requires_grad else k
            self.record(f"{name}.values", m, n, v.shape[-1], count, of_a, v, "a", masked)

        # Masks

        def masked(self, op: str, args: Any, result: Any, tensors: list[Any]) -> None:
            """Follows attention scores to their softmax, and measures the mask on the way."""
            scores = next((t._scores for t in tensors if getattr(t, "_scores", None)), None)
            if scores is None or op not in TORCH_ELEMENTWISE:
                return
            others = [t for t in tensors if not getattr(t, "_scores", None) and self.may_mask(t)]
            if op in ("masked_fill", "masked_fill_"):
                scores = scores.mask(self.share(args[1], lambda mask: ~mask))
            elif op == "where":
                is_kept = bool(getattr(args[1], "_scores", None))
                scores = scores.mask(self.share(args[0], lambda mask: mask if is_kept else ~mask))
            elif op in ("add", "add_") and others:
                scores = scores.mask(self.share(others[0], lambda mask: mask > -1e4))
            if op in ("_softmax", "_safe_softmax"):
                scores = scores.softmax(found)
            for tensor in tree_flatten(result)[0]:
                if isinstance(tensor, Tensor):
                    tensor._scores = scores

        def may_mask(self, tensor: Any) -> bool:
            """True for a tensor that hides scores if it is added to them. A row of unknown values is a bias."""
            return tensor.dim() > 1 and (min(tensor.shape[-2:]) > 1 or self.value(tensor) is not None)

        def share(self, mask: Any, kept: Callable[[Any], Any]) -> float | None:
            value = self.value(mask) if isinstance(mask, Tensor) else None
            # All layers usually have one mask.
            if value is not None and not hasattr(value, "_share"):
                value._share = share(kept(value.bool() if value.dtype == torch.uint8 else value))
            return None if value is None else float(value._share)

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if not hasattr(func, "_schema"):
                return self.higher_order(func, args)
            space, op = func._schema.name.split("::")
            tensors = [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, Tensor)]
            if tensors and all(t.device.type == "cpu" for t in tensors):
                return func(*args, **kwargs)
            args, kwargs = tree_map(self.on_meta, args), tree_map(self.on_meta, kwargs)
            tensors = [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, Tensor)]
            known = self.evaluate(func, op, args, kwargs, tensors)
            if known is not None and not isinstance(known, (Tensor, tuple, list)):
                return known
            if op in TORCH_GROUPED and (shape := self.grouped(args[0], args[1])) is not None:
                return args[0].new_empty(shape)
            if any(argument.name == "device" for argument in func._schema.arguments) and (
                    "device" in kwargs or not tensors):
                kwargs["device"] = torch.device("meta")
            result = self.shaped(func, op, args, kwargs, known)
            if known is not None:
                for meta, value in zip(tree_flatten(result)[0], tree_flatten(known)[0]):
                    if isinstance(meta, Tensor):
                        meta._value = value
            elif func._schema.is_mutable and tensors:
                self.forget(tensors[0])
            if self.is_paused:
                return result
            plain = op.rstrip("_") if op.rstrip("_") in TORCH_PRODUCTS else op
            if plain in TORCH_PRODUCTS:
                first, second = TORCH_PRODUCTS[plain]
                added = kwargs.get("beta", 1) and plain == "baddbmm" and self.may_mask(args[0])
                self.product(args[first], args[second], result, args[0] if added else None)
            elif op in ("convolution", "_convolution", "convolution_overrideable"):
                self.convolution(args[0], args[1], result, args[6], args[8])
            elif op in ("embedding", "embedding_bag", "_embedding_bag") and (table := self.table(args[0])):
                found.lookups[table[0]] = table[1:]
                self.used.add(table[1])
            elif op not in TORCH_MOVES and known is None and not self.is_backward:
                found.left_out[op.strip("_") if space in ("aten", "prims") else f"operation {space}::{op}"] += 1
            if not func._schema.is_mutable:
                self.derive(op, tensors, result)
            self.masked(op, args, result, tensors)
            return result

        def evaluate(self, func: Any, op: str, args: Any, kwargs: Any, tensors: list[Any]) -> Any:
            """Returns the values of a result if all operands are known, else None."""
            if torch.Tag.nondeterministic_seeded in func.tags or not tensors and op.startswith("empty"):
                return None
            if op in TORCH_SHAPE_ONLY:
                values = {id(t): torch.empty((), dtype=t.dtype).expand(t.shape) for t in tensors}
            else:
                values = {id(t): self.value(t) for t in tensors}
            if any(value is None for value in values.values()):
                return None
            made = args[0] if not tensors and args and isinstance(args[0], (list, tuple)) else ()
            is_move = op in TORCH_MOVES and op not in TORCH_SHAPE_ONLY
            if max(math.prod(made), 0 if is_move else sum(t.numel() for t in tensors)) > VALUES_MAX:
                return None

            def real(item: Any) -> Any:
                return values[id(item)] if isinstance(item, Tensor) else item

            named = {**tree_map(real, kwargs), **({"device": torch.device("cpu")} if "device" in kwargs else {})}
            try:
                return func(*tree_map(real, args), **named)
            except (RuntimeError, NotImplementedError, ValueError):
                return None

        def shaped(self, func: Any, op: str, args: Any, kwargs: Any, known: Any) -> Any:
            """Returns the result on the meta device, which has shapes and no values."""
            tags = torch.Tag.dynamic_output_shape, torch.Tag.data_dependent_output
            is_dynamic = any(tag in func.tags for tag in tags)
            # An index of whole numbers has a fixed shape, and a mask as index has not.
            if op in ("index", "_unsafe_index"):
                is_dynamic = any(t is not None and t.dtype in (torch.bool, torch.uint8) for t in args[1])
            if is_dynamic and known is None:
                raise Refusal(f"{self.here()} needs values for {func._schema.name}, and a trace has only shapes: "
                              "give real inputs of whole numbers, or trace a part that needs no values.")
            try:
                return tree_map(self.on_meta, known) if is_dynamic else func(*args, **kwargs)
            except NotImplementedError:
                if known is not None:
                    return tree_map(self.on_meta, known)
                raise Refusal(f"{self.here()} runs {func._schema.name}, for which PyTorch has no shapes on the meta "
                              "device: trace a part without this operation.") from None

        def higher_order(self, func: Any, args: Any) -> Any:
            if getattr(func, "__name__", "") != "flex_attention":
                raise Refusal(f"{self.here()} runs {func}, which PyTorch hides from a trace: trace the model without "
                              "it.")
            q, k, v = args[:3]
            self.attention(q, k, v, None)
            return tuple(q.new_empty((*q.shape[:-1], *end)) for end in (v.shape[-1:], (), ()))

    class Functions(TorchFunctionMode):  # type: ignore[misc]
        """Sees fused attention before PyTorch divides it, and reads known values."""

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            name = getattr(func, "__name__", "")
            if name in ("tolist", "numpy") and args[0].device.type == "meta" and tracer.value(args[0]) is not None:
                return getattr(tracer.value(args[0]), name)()
            if name == "__getitem__" and isinstance(args[1], tuple):
                # PyTorch would put a list of numbers on the meta device, where it loses its values.
                args = (args[0], tuple(torch.tensor(part) if isinstance(part, list) else part for part in args[1]))
            if name == "multi_head_attention_forward":
                # PyTorch leaves this mode for a call. Inside of this function is fused attention, so enter it again.
                # Without its own check, the function does not call the mode for itself.
                with mock.patch.object(torch.nn.functional, "has_torch_function", lambda _: False), self:
                    return func(*args, **kwargs)
            if name != "scaled_dot_product_attention" or tracer.is_paused:
                return func(*args, **kwargs)
            given = {**dict(zip(("query", "key", "value", "attn_mask", "dropout_p", "is_causal"), args)), **kwargs}
            q, k, v, mask = given["query"], given["key"], given["value"], given.get("attn_mask")
            left: float | None = 1.0
            if given.get("is_causal"):
                # A causal mask begins at the first key, even if there are more keys than queries.
                rows, keys = q.shape[-2], k.shape[-2]
                left = 0.5 if rows == keys > 1 else sum(min(row + 1, keys) for row in range(rows)) / (rows * keys)
            if mask is not None:
                left = tracer.share(mask, lambda m: m if mask.dtype == torch.bool else m > -1e4)
            tracer.attention(q, k, v, left)
            with mock.patch.object(tracer, "is_paused", True):
                return func(*args, **kwargs)

    tracer = Tracer()
    return tracer, Functions()


def trace_torch(found: Matmuls, build: Callable[[], tuple[Any, tuple[Any, ...], dict[str, Any]]], step: str) -> None:
    """Traces a PyTorch module. `build` returns the module and its inputs, and runs where tensors have only shapes."""
    torch, train = need("torch", "A PyTorch module"), step in ("train", "recompute")
    from torch.nn.modules import module as hooks
    from torch.utils._pytree import tree_flatten, tree_map
    found.versions.append(f"torch {torch.__version__}")
    tracer, functions = torch_modes(torch, found, train)
    weights: dict[str, Any] = {}

    def shaped(tensor: Any, keeps_value: bool) -> Any:
        """Returns a tensor on the meta device, with its value if the model's code may look at it."""
        meta = tensor
        if tensor.device.type != "meta":
            # A copy of the value, because the model may change it.
            meta = tracer.on_meta(tensor.detach().cpu().clone() if keeps_value else tensor.detach())
        if not keeps_value and hasattr(meta, "_value"):
            del meta._value
        return meta.requires_grad_() if tensor.requires_grad else meta

    def is_mask(tensor: Any) -> bool:
        """True for whole numbers, which decide what a model does, and for a mask of 0 and large negative numbers."""
        if not tensor.is_floating_point() or tensor.device.type == "meta":
            return not tensor.is_floating_point()
        hides = tensor < -1e4
        return bool(hides.any() and (hides | (tensor == 0)).all())

    inputs_of: dict[int, Any] = {}

    def given(item: Any) -> Any:
        # Other inputs stay unknown. An input that is given twice stays one tensor, as self-attention needs.
        if not isinstance(item, torch.Tensor):
            return item
        if id(item) not in inputs_of:
            inputs_of[id(item)] = shaped(item, is_mask(item))
        return inputs_of[id(item)]

    def backward(result: Any) -> None:
        """Runs the backward pass, in which a model with checkpoints computes activations again."""
        result = result.to_tuple() if hasattr(result, "to_tuple") else result
        outputs = [t for t in tree_flatten(result)[0] if isinstance(t, torch.Tensor) and t.requires_grad]
        if not outputs:
            raise Refusal("No result of the model has a gradient: trace it without --train.")
        tracer.is_backward = True
        torch.autograd.backward(outputs, [torch.empty_like(t) for t in outputs])

    try:
        with contextlib.ExitStack() as stack:
            # The fast path of nn.MultiheadAttention is one operation that hides its matmuls.
            stack.callback(torch.backends.mha.set_fastpath_enabled, torch.backends.mha.get_fastpath_enabled())
            torch.backends.mha.set_fastpath_enabled(False)
            # flex_attention otherwise calls the compiler, which hides its matmuls, and refuses tensors without values.
            if flex := sys.modules.get("torch.nn.attention.flex_attention"):
                stack.enter_context(mock.patch.object(flex, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", True))
                stack.enter_context(mock.patch.object(flex, "_validate_device", lambda *_: None))
            stack.enter_context(torch.set_grad_enabled(train))
            stack.enter_context(tracer)
            stack.enter_context(functions)
            tracer.is_paused = True
            model, inputs, named = build()
            model = getattr(model, "_orig_mod", model)  # A module of torch.compile contains the original.
            if step == "recompute":
                if not hasattr(model, "gradient_checkpointing_enable"):
                    raise Refusal("--recompute needs a model of transformers: call torch.utils.checkpoint in your own.")
                getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)()
                model.train()
            weights |= dict(model.named_parameters())
            swapped = {name: shaped(tensor, name not in weights)
                       for name, tensor in [*weights.items(), *model.named_buffers()]}
            tracer.watch(model, {name if name in weights else f"buffer {name}": meta for name, meta in swapped.items()})
            found.parameters = sum(tensor.numel() for tensor in weights.values())
            args, kwargs = tree_map(given, tuple(inputs)), tree_map(given, named)
            stack.callback(hooks.register_module_forward_pre_hook(tracer.enter).remove)
            stack.callback(hooks.register_module_forward_hook(tracer.leave, always_call=True).remove)
            # A backward pass that computes activations again needs the swapped weights too.
            stack.enter_context(torch.nn.utils.stateless._reparametrize_module(model, swapped, tie_weights=True))
            tracer.is_paused = False
            result = model(*args, **kwargs)
            if train:
                backward(result)
    except Refusal:
        raise
    except Exception as error:  # The model is foreign code, with its own errors.
        remedy = "install the package that it names" if isinstance(error, ImportError) else "check the inputs"
        raise Refusal(f"{found.source} raised {type(error).__name__} ({reason(error)}): {remedy}.") from error
    # A backward pass sees fused attention in parts, and its kernel keeps the same matrices.
    kept = {run[:4]: run.kept for run in found.runs if run.role == FORWARD}
    found.runs = [run._replace(kept=kept.get(run[:4], "")) if run.role == RECOMPUTED else run for run in found.runs]
    for gradients in tracer.late_gradients:
        found.add_gradients(*gradients)
    found.note_idle(name for name, tensor in weights.items() if tensor.dim() > 1 and name not in tracer.used)


# Hugging Face

# Classes to try, if a configuration does not name its class.
HUGGING_FACE_HEADS = ("CausalLM", "ImageTextToText", "MaskedLM", "ImageClassification", "")
# Other files in JSON, by a key of theirs.
OTHER_JSON = {"tokenizer_class": "the configuration of a tokenizer", "peft_type": "the configuration of an adapter",
              "_class_name": "a configuration of diffusers", "do_sample": "a configuration of text generation",
              "scheduler_type": "a configuration of a scheduler"}


def hugging_face_config(transformers: Any, source: str) -> Any:
    """Returns the configuration of an id, a folder or a config.json."""
    if not Path(source).is_file():
        try:
            return transformers.AutoConfig.from_pretrained(source)
        except (OSError, ValueError, KeyError) as error:
            raise Refusal(f"{source} is not a file, and transformers cannot open this id ({reason(error)}): give the "
                          "path of a config.json.") from None
    values = read_json(source)
    kind = values.pop("model_type", None)
    if kind is None:
        other = next((f"is {other}" for key, other in OTHER_JSON.items() if key in values), "has no model_type")
        raise Refusal(f"{source} {other}: give the config.json of a model of transformers, or trace the model as "
                      "FILE.py:NAME.")
    # A model with its own model_type may state that it has the class of another, as Kimi K2 does.
    classes = [getattr(transformers, name, None) for name in values.get("architectures") or ()]
    configs = [transformers.CONFIG_MAPPING[kind]] if kind in transformers.CONFIG_MAPPING else []
    configs += [model.config_class for model in classes if model]
    if not configs:
        raise Refusal(f"{source} has the model_type {kind}, which transformers {transformers.__version__} does not "
                      "contain: upgrade transformers, or trace the model's own code as FILE.py:NAME.")
    # The stored weights may be quantized, and their matmuls have the sizes of the whole weights.
    values.pop("quantization_config", None)
    try:
        return configs[0].from_dict(values)
    except Exception as error:  # Packages that check a configuration have their own errors.
        raise Refusal(f"{source} is not a valid configuration of {kind} ({reason(error)}): correct it.") from None


def hugging_face_model(transformers: Any, config: Any) -> Any:
    """Returns a model without weights: the class that the configuration names, or the first class that accepts it."""
    for name in getattr(config, "architectures", None) or ():
        if hasattr(transformers, name):
            return getattr(transformers, name)._from_config(config)
    pairs = ("Seq2SeqLM", "SpeechSeq2Seq") if getattr(config, "is_encoder_decoder", False) else ()
    for head in (*pairs, *HUGGING_FACE_HEADS):
        auto = getattr(transformers, f"AutoModelFor{head}" if head else "AutoModel")
        if type(config) in auto._model_mapping:
            found = auto._model_mapping[type(config)]
            return (found[0] if isinstance(found, tuple) else found)._from_config(config)
    names = ", ".join(getattr(config, "architectures", None) or [type(config).__name__])
    raise Refusal(f"transformers {transformers.__version__} has no class for {names}: upgrade transformers, or trace "
                  "the model's own code as FILE.py:NAME.")


def hugging_face_inputs(torch: Any, model: Any, sizes: Sizes) -> dict[str, Any]:
    """Returns inputs of a batch: token ids, images or sounds."""
    config, batch = model.config, sizes.use("batch", 1)
    vocabulary = getattr(config.get_text_config(), "vocab_size", None) or 8
    places = (config, getattr(config, "vision_config", None), getattr(config, "audio_config", None))

    def find(name: str, default: int) -> Any:
        return next((getattr(place, name) for place in places if getattr(place, name, None) is not None), default)

    def tokens(length: int) -> Any:
        # Every id below the vocabulary is as good, but small ids often mean padding.
        return torch.full((batch, length), min(7, vocabulary - 1), dtype=torch.int64)

    kind = model.main_input_name
    if kind == "input_ids":
        value = tokens(sizes.use("sequence", 2048))
    elif kind == "pixel_values":
        side = sizes.look("image", find("image_size", 224))
        height, width = side if isinstance(side, (list, tuple)) else (side, side)
        value = torch.empty(batch, find("num_channels", 3), height, width)
    elif kind == "input_features":
        frames = sizes.look("frames", 2 * find("max_source_positions", 1500))
        value = torch.empty(batch, find("num_mel_bins", 80), frames)
    elif kind == "input_values":
        value = torch.empty(batch, sizes.ask("samples", "This model reads sound of unknown length"))
    else:
        raise Refusal(f"{type(model).__name__} reads {kind}, whose shape a configuration does not give: call "
                      "systolic_matmuls.matmuls(model, inputs) in Python.")
    if not getattr(config, "is_encoder_decoder", False):
        return {kind: value}
    return {kind: value, "decoder_input_ids": tokens(sizes.use("target", sizes.look("sequence", 448)))}


def decode_inputs(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """Returns the inputs of a step that adds a token to each sequence. A pass over `inputs` fills the cache."""
    outputs = model(**inputs, use_cache=True)
    cache = next((key for key in ("cache", "past_key_values", "cache_params") if outputs.get(key) is not None), None)
    if cache is None:
        raise Refusal(f"{type(model).__name__} has no cache of tokens: leave out --decode.")
    name = "decoder_input_ids" if "decoder_input_ids" in inputs else "input_ids"
    step = {name: inputs[name][:, -1:], cache: outputs[cache], "use_cache": True}
    if name == "decoder_input_ids":
        step["encoder_outputs"] = (outputs.encoder_last_hidden_state,)
    return step


def trace_hugging_face(found: Matmuls, source: Any, step: str) -> None:
    """Traces a model of transformers from its configuration alone."""
    transformers, torch = need("transformers", "A model of Hugging Face"), need("torch", "A model of Hugging Face")
    transformers.utils.logging.set_verbosity_error()
    config = hugging_face_config(transformers, source) if isinstance(source, str) else copy.deepcopy(source)

    def build() -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        with torch.device("meta"):
            model = hugging_face_model(transformers, config).eval()
        for part in (model.config, model.config.get_text_config()):
            part.use_cache = step == "decode"
        inputs = hugging_face_inputs(torch, model, found.sizes)
        return model, (), decode_inputs(model, inputs) if step == "decode" else inputs

    trace_torch(found, build, step)
    found.sizes.leave_open()
    found.versions.append(f"transformers {transformers.__version__}")
    if step == "decode":
        found.step_without_gradients = "decode step"
        text = config.get_text_config()
        heads, shared = getattr(text, "num_attention_heads", 1), getattr(text, "num_key_value_heads", None)
        if isinstance(heads, int) and isinstance(shared, int) and 0 < shared <= heads:
            found.group_queries(heads // shared)


# JAX


class Traced(NamedTuple):
    """Facts about a variable: its value, its table of weights (key, name, slices), and its attention scores."""

    value: Any = None
    table: tuple[Any, str, int] | None = None
    is_cotangent: bool = False
    scores: Scores | None = None


# Operations through which attention scores stay attention scores.
JAX_ELEMENTWISE = set("""select_n add sub mul div exp convert_element_type tanh neg stop_gradient max min reshape
    transpose squeeze broadcast_in_dim copy name""".split())
JAX_CONVERSIONS = set("""convert_element_type transpose reshape squeeze slice copy broadcast_in_dim expand_dims mul div
    dynamic_slice stop_gradient sharding_constraint rev name reduce_precision optimization_barrier""".split())
JAX_SOLVERS = {"custom_call", "ffi_call", "triangular_solve", "cholesky", "qr", "eigh", "svd", "lu"}


def trace_jax(found: Matmuls, function: Callable[..., Any], inputs: tuple[Any, ...], named: dict[str, Any],
              step: str) -> None:
    """Traces a function of JAX. Weights are its constants, and the arrays of its first argument if this is a tree.

    A training step has the gradient of the function by its first argument.
    """
    jax = need("jax", "A function of JAX")
    found.versions.append(f"jax {jax.__version__}")
    called = getattr(function, "__name__", "this function")

    def total(*inputs: Any, **named: Any) -> Any:
        results = map(jax.numpy.asarray, jax.tree_util.tree_leaves(function(*inputs, **named)))
        return sum(result.sum() for result in results if jax.numpy.issubdtype(result.dtype, jax.numpy.floating))

    def jaxpr(function: Callable[..., Any]) -> Any:
        try:
            return jax.make_jaxpr(function)(*inputs, **named)
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise Refusal(f"JAX cannot trace {called} with these inputs ({reason(error)}): check their shapes and "
                          "types.") from error

    closed, walker = jaxpr(function), Jaxpr(jax, found)
    if step == "train":
        if any(role != FORWARD for *_, role in walker.trial(closed)):
            raise Refusal(f"{called} already computes gradients: leave out --train.")
        closed = jaxpr(jax.grad(total))
    else:
        found.for_forward = "trace your function without jax.grad"
    leaves = jax.tree_util.tree_flatten_with_path((inputs, named))[0]
    is_tree = bool(inputs) and not hasattr(inputs[0], "shape") and not isinstance(inputs[0], (int, float))
    env: dict[Any, Traced] = {}
    for var, (path, _) in zip(closed.jaxpr.invars, leaves):
        is_weight = is_tree and path[0].idx == 0 and getattr(path[1], "idx", None) == 0
        name = jax.tree_util.keystr(path[2:], simple=True, separator=".") if is_weight else ""
        env[var] = Traced(table=(var, name or "weights", 1) if is_weight else None)
    for at, (var, value) in enumerate(zip(closed.jaxpr.constvars, closed.consts)):
        # A constant may be a mask, or weights that the function did not receive as an argument.
        is_mask = str(getattr(value, "dtype", "")) in ("bool", "int32")
        is_small = math.prod(getattr(value, "shape", ())) == 1
        env[var] = Traced(value, None if is_mask or is_small else (var, f"constant.{at}", 1))
    weights = {var: traced.table[1] for var, traced in env.items() if traced.table}
    found.parameters = sum(math.prod(var.aval.shape) for var in weights) or None
    walker.walk(closed.jaxpr, env, "", 1)
    found.sizes.agree(found, (leaf for var, (_, leaf) in zip(closed.jaxpr.invars, leaves) if not env[var].table))
    # The gradients of attention have the masks of the forward matmuls with the same three sizes.
    masked = {(*sorted(run[1:4]), run.times): run for run in found.runs if run.role == FORWARD and run.masked != 1.0}
    for at, run in enumerate(found.runs):
        source = masked.get((*sorted(run[1:4]), run.times))
        if source is not None and run.role != FORWARD and not run.tables:
            name = re.sub(r"\b(scores|values)$", "attention", source.name)
            found.runs[at] = run._replace(name=name, masked=source.masked)
    found.note_idle(name for var, name in weights.items() if len(var.aval.shape) > 1 and var not in walker.used)


class Jaxpr:
    """Reads the matmuls of a jaxpr."""

    def __init__(self, jax: Any, found: Matmuls) -> None:
        self.jax, self.found = jax, found
        self.used: set[Any] = set()

    def walk(self, jaxpr: Any, env: dict[Any, Traced], where: str, times: int) -> list[Traced]:
        """Adds the matmuls of a jaxpr that runs `times` times, and returns what is known of its results."""

        def read(atom: Any) -> Traced:
            return Traced(value=atom.val) if hasattr(atom, "val") else env.get(atom, Traced())

        for eqn in jaxpr.eqns:
            name = str(eqn.source_info.name_stack)
            here = "/".join(filter(None, (where, name)))
            known = [read(atom) for atom in eqn.invars]
            if "transpose(" in name and "jaxpr" in eqn.params:
                # The gradient of a loss by itself is the number 1.
                known = [k._replace(is_cotangent=k.is_cotangent or hasattr(atom, "val"))
                         for k, atom in zip(known, eqn.invars)]
            results = self.equation(eqn, known, here, times)
            # A backward pass begins where JAX transposes. Inside, a value is a gradient only if it depends on one.
            begins = "transpose(" in name or "transpose(" in here and any(k.is_cotangent for k in known)
            for var, result in zip(eqn.outvars, results):
                env[var] = result._replace(is_cotangent=result.is_cotangent or begins)
        return [read(atom) for atom in jaxpr.outvars]

    def equation(self, eqn: Any, known: list[Traced], where: str, times: int) -> list[Traced]:
        kind, params = eqn.primitive.name, eqn.params
        if kind == "dot_general":
            return [self.dot(eqn, known, where, times)]
        if kind in ("ragged_dot_general", "ragged_dot"):
            (m, k), (experts, _, n) = (atom.aval.shape for atom in eqn.invars[:2])
            name, tables = self.name(where, known[1], "ragged_dot"), self.tables(eqn.invars[1], known[1])
            self.found.add_experts(name, m, k, n, experts, times, tables)
        elif kind == "conv_general_dilated":
            self.convolution(eqn, known, where, times)
        elif kind == "scan":
            return self.scan(eqn, known, where, times)
        elif kind == "while":
            body = params["body_jaxpr"]
            if self.trial(body):
                why = f"A while loop in {where or 'the function'} does not say how often it runs"
                fixed = [traced._replace(value=None) for traced in known[params["cond_nconsts"]:]]
                self.inside(body, fixed, where, times * self.found.sizes.ask("trips", why))
        elif kind == "cond":
            branches = params["branches"]
            why = f"a condition in {where or 'the function'} (0 if it is false)"
            at = self.found.sizes.branch([self.trial(branch) for branch in branches], why)
            return self.inside(branches[at], known[1:], where, times)
        elif kind == "shard_map":
            devices = math.prod(params["mesh"].shape.values())
            self.found.note(f"sizes inside shard_map are of one of {devices} devices, and counts are of all devices")
            return self.inside(params["jaxpr"], known, where, times * devices)
        elif kind == "pallas_call":
            if self.trial(params["jaxpr"]):
                name = params.get("name") or getattr(params.get("name_and_src_info"), "name", "") or "kernel"
                self.found.left_out[f"matmuls in the Pallas kernel {name}"] += times
        elif inner := next((params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in params), None):
            name = params.get("name", "") if kind in ("jit", "pjit") else ""
            if any("NamedSharding" in str(type(sharding)) for sharding in params.get("in_shardings", ())):
                self.found.note("sizes inside a sharded jit are of all devices together")
            return self.inside(inner, known, f"{where}/{name}" if name and name[0] != "_" else where, times)
        else:
            if any(self.trial(value) for value in params.values() if hasattr(value, "eqns") or hasattr(value, "jaxpr")):
                self.found.left_out[f"matmuls inside {kind}"] += times
            elif kind in JAX_SOLVERS:
                self.found.left_out[f"operation {kind}"] += times
            return self.plain(eqn, known)
        return [Traced()] * len(eqn.outvars)

    def inside(self, inner: Any, known: list[Traced], where: str, times: int) -> list[Traced]:
        jaxpr, consts = getattr(inner, "jaxpr", inner), getattr(inner, "consts", ())
        env = dict(zip(jaxpr.invars, known[max(0, len(known) - len(jaxpr.invars)):]))
        env |= {var: Traced(value=value) for var, value in zip(jaxpr.constvars, consts)}
        return self.walk(jaxpr, env, where, times)

    def trial(self, inner: Any) -> list[Any]:
        """Returns the matmuls of a jaxpr without its surroundings, and adds none."""
        trial = Matmuls(self.found.sizes)
        Jaxpr(self.jax, trial).walk(getattr(inner, "jaxpr", inner), {}, "", 1)
        return [run[1:6] for run in trial.runs]

    def scan(self, eqn: Any, known: list[Traced], where: str, times: int) -> list[Traced]:
        consts, carry, length = (eqn.params[name] for name in ("num_consts", "num_carry", "length"))

        def sliced(traced: Traced) -> Traced:
            # Each trip reads its own slice of a stacked table.
            table = traced.table and (*traced.table[:2], traced.table[2] * length)
            return Traced(table=table, is_cotangent=traced.is_cotangent)

        inner = known[:consts] + [traced._replace(value=None) for traced in known[consts:consts + carry]]
        inner += [sliced(traced) for traced in known[consts + carry:]]
        results = self.inside(eqn.params["jaxpr"], inner, where, times * length)
        return [Traced(is_cotangent=result.is_cotangent) for result in results]

    # Matmuls

    def name(self, where: str, table: Traced, kind: str) -> str:
        """Returns the name of the table, or the names of the scopes without JAX's own transformations."""
        if table.table:
            return table.table[1]
        scopes = re.sub(r"\b(jvp|transpose|vmap|jit|checkpoint|rematted_computation)\b|[()]", "", where)
        # An einsum without a name has its equation as a name.
        return ".".join([*(scope for scope in scopes.split("/") if scope and "->" not in scope), kind])

    def tables(self, atom: Any, traced: Traced) -> list[tuple[Any, str, int]]:
        if traced.table is None:
            return []
        key, name, slices = traced.table
        self.used.add(key)
        return [((key,), name, math.prod(atom.aval.shape) * slices)]

    def dot(self, eqn: Any, known: list[Traced], where: str, times: int) -> Traced:
        (left, right), (inner, batch), (a, b) = eqn.invars, eqn.params["dimension_numbers"], known
        m, k, n, count = dot_sizes(left.aval.shape, right.aval.shape, inner, batch)
        if a.value is not None and b.value is not None:
            self.found.left_out["matmuls of constants"] += times
            return Traced()
        if a.table is not None and b.table is None:
            m, n, a, b, right = n, m, b, a, left
        role = RECOMPUTED if "transpose(" in where else FORWARD
        gradient = a if a.is_cotangent else b if b.is_cotangent else None
        if role == RECOMPUTED and gradient is not None:
            # The gradient of A sums over the columns of C, and the gradient of B over its rows.
            at = 0 if known[0] is gradient else 1
            is_of_a = b.table is not None or eqn.invars[at].aval.ndim - 1 in inner[at]
            role = INPUT_GRADIENT if is_of_a else WEIGHT_GRADIENT
            if b.table is None and is_of_a != (at == 0):
                m, n = n, m
        scores = next((traced.scores for traced in (a, b) if traced.scores and traced.scores.is_softmax), None)
        name, tables = self.name(where, b, "values" if scores else "matmul"), self.tables(right, b)
        added = self.found.add(name, m, k, n, count * times, role, tables, "", scores.masked if scores else 1.0)
        return Traced() if b.table or scores or role != FORWARD else Traced(scores=Scores(added))

    def convolution(self, eqn: Any, known: list[Traced], where: str, times: int) -> None:
        params, kernel, out = eqn.params, eqn.invars[1].aval.shape, eqn.outvars[0].aval.shape
        numbers, groups = params["dimension_numbers"], params["feature_group_count"] * params["batch_group_count"]
        outputs = kernel[numbers.rhs_spec[0]]
        if any(d > 1 for d in params["lhs_dilation"]):
            self.found.note("matmuls of dilated images include the zeros between pixels")
        role = RECOMPUTED if "transpose(" in where else FORWARD
        if role == RECOMPUTED and any(traced.is_cotangent for traced in known):
            role = INPUT_GRADIENT if known[1].table else WEIGHT_GRADIENT
        self.found.add(self.name(where, known[1], "convolution"), math.prod(out) // out[numbers.out_spec[1]],
                       math.prod(kernel) // outputs, outputs // groups, groups * times, role,
                       self.tables(eqn.invars[1], known[1]))

    # Values, tables and masks

    def plain(self, eqn: Any, known: list[Traced]) -> list[Traced]:
        kind, outs = eqn.primitive.name, eqn.outvars
        tables = [traced.table for traced in known if traced.table or traced.value is None]
        table = tables[0] if kind in JAX_CONVERSIONS and tables and all(tables) else None
        size = sum(math.prod(getattr(var.aval, "shape", ())) for var in outs)
        is_known = all(traced.value is not None for traced in known)
        if is_known and size <= VALUES_MAX and "random" not in kind and not eqn.effects:
            # A value is an extra: without it, masks stay unknown.
            with contextlib.suppress(Exception):
                values = eqn.primitive.bind(*(traced.value for traced in known), **eqn.params)
                return [Traced(v, table) for v in (values if eqn.primitive.multiple_results else [values])]
        if kind == "gather" and known[0].table:
            key, name, _ = known[0].table
            self.used.add(key)
            self.found.lookups[(key,)] = (name, math.prod(eqn.invars[0].aval.shape))
        scores = next((traced.scores for traced in known if traced.scores), None)
        if table or is_known or scores is None or kind not in JAX_ELEMENTWISE:
            return [Traced(table=table)] * len(outs)
        if kind == "select_n" and not known[0].scores:
            scores = scores.mask(self.share(known[0].value, lambda mask: (mask != 0) == bool(known[-1].scores)))
        elif kind == "add":
            others = [at for at, traced in enumerate(known) if not traced.scores and eqn.invars[at].aval.ndim > 1]
            if others:
                scores = scores.mask(self.share(known[others[0]].value, lambda mask: mask > -1e4))
        elif kind == "exp":
            scores = scores.softmax(self.found)
        return [Traced(scores=scores)] * len(outs)

    def share(self, mask: Any, kept: Callable[[Any], Any]) -> float | None:
        return None if mask is None else share(kept(self.jax.numpy.asarray(mask)).astype(bool))


# StableHLO


def trace_stablehlo(found: Matmuls, path: str) -> None:
    """Traces a program in StableHLO, which JAX's own reader parses. Such a program does not mark its weights."""
    jax = need("jax", "A program in StableHLO")
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    found.versions.append(f"jax {jax.__version__}")
    found.step_without_gradients = "run of a program"
    found.for_training = "trace the function as FILE.py:NAME with --train"
    with make_ir_context():
        try:
            module = ir.Module.parse(Path(path).read_text(encoding="utf-8"))
        except (ir.MLIRError, UnicodeDecodeError) as error:
            why = re.search(r'error: (?:"-":\d+:\d+: )?([^.\n]+)', str(error))
            raise Refusal(f"JAX cannot read {path} as StableHLO ({why[1] if why else reason(error)}): lower the "
                          "program to StableHLO, and save its text.") from None
        facts = module.operation.attributes
        if "mhlo.num_partitions" in facts and (devices := facts["mhlo.num_partitions"].value) > 1:
            found.note(f"sizes are of all {devices} devices together")
        functions = {op.sym_name.value: op for op in module.body if op.operation.name == "func.func"}
        main = functions.get("main") or next(iter(functions.values()))
        Program(found, functions).walk(main, 1)
        types = [value.type for value in main.regions[0].blocks[0].arguments if hasattr(value.type, "shape")]
        formats = {"i32": "int32", "i64": "int64"}
        found.sizes.agree(found, [Input(tuple(kind.shape), formats.get(str(kind.element_type), "float32"))
                                  for kind in types if kind.has_static_shape])
    found.note("weights and gradients, which a program in StableHLO does not mark")


class Program:
    """Reads the matmuls of a program in StableHLO."""

    def __init__(self, found: Matmuls, functions: dict[str, Any]) -> None:
        self.found, self.functions = found, functions

    def walk(self, parent: Any, times: int, region: int = 0) -> None:
        """Adds the matmuls of a region of an operation, which runs `times` times."""
        for op in parent.regions[region].blocks[0] if len(parent.regions) > region else ():
            self.operation(op, op.operation.name, times)

    def operation(self, op: Any, kind: str, times: int) -> None:
        from jaxlib.mlir.dialects import stablehlo
        dialect, name = kind.split(".", 1)
        types = [operand.type for operand in op.operands if hasattr(operand.type, "shape")]
        shapes = [operand.shape for operand in types]
        dynamic = next((operand for operand in types if not operand.has_static_shape), None)
        if dynamic and kind in ("stablehlo.dot_general", "stablehlo.convolution", "chlo.ragged_dot"):
            raise Refusal(f"{self.found.source} multiplies a {dynamic}, whose sizes have no number: lower the function "
                          "with numbers as sizes.")
        if kind == "stablehlo.dot_general":
            d = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
            inner = d.lhs_contracting_dimensions, d.rhs_contracting_dimensions
            batch = d.lhs_batching_dimensions, d.rhs_batching_dimensions
            m, k, n, count = dot_sizes(shapes[0], shapes[1], inner, batch)
            self.found.add(name, m, k, n, count * times)
        elif kind == "stablehlo.convolution":
            axes, out = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"]), op.results[0].type.shape
            groups = op.attributes["feature_group_count"].value * op.attributes["batch_group_count"].value
            outputs = shapes[1][axes.kernel_output_feature_dimension]
            self.found.add(name, math.prod(out) // out[axes.output_feature_dimension], math.prod(shapes[1]) // outputs,
                           outputs // groups, groups * times)
        elif kind == "chlo.ragged_dot" and [*map(len, shapes[:2])] == [2, 3]:
            (visits, k), (experts, _, n) = shapes[:2]
            self.found.add_experts(name, visits, k, n, experts, times)
        elif kind in ("func.call", "stablehlo.composite"):
            self.walk(self.functions[(op.callee if name == "call" else op.decomposition).value], times)
        elif kind == "stablehlo.while":
            if self.trial(op, 1):
                self.walk(op, times * self.trips(op), 1)
        elif kind in ("stablehlo.if", "stablehlo.case"):
            branches = [self.trial(op, region) for region in range(len(op.regions))]
            self.walk(op, times, self.found.sizes.branch(branches, f"{kind} (0 is the first)"))
        elif kind == "sdy.manual_computation":
            self.found.note("sizes inside sdy.manual_computation are of one device, and counts too")
            self.walk(op, times)
        elif dialect not in ("stablehlo", "chlo", "func", "sdy"):
            raise Refusal(f"{kind} is not an operation of StableHLO: lower the program to StableHLO.")
        elif kind in ("stablehlo.custom_call", "stablehlo.dot", "chlo.ragged_dot"):
            self.found.left_out[f"operation {name}"] += times

    def trial(self, op: Any, region: int) -> list[Any]:
        """Returns the matmuls of a region without adding them."""
        other = Program(Matmuls(self.found.sizes), self.functions)
        other.walk(op, 1, region)
        return [run[1:6] for run in other.found.runs]

    def trips(self, loop: Any) -> int:
        """Returns how often a loop runs that counts from a constant to a constant, as a scan does."""
        numpy = importlib.import_module("numpy")
        compare = [*loop.regions[0].blocks[0]][-1].operands[0].owner
        ends = [*loop.regions[1].blocks[0]][-1]
        with contextlib.suppress(AttributeError, ValueError, KeyError, TypeError):
            counter, limit = compare.operands
            step = ends.operands[counter.arg_number].owner.operands[1]
            first, last, by = (int(numpy.array(value.owner.attributes["value"]))
                               for value in (loop.operands[counter.arg_number], limit, step))
            if "LT" in str(compare.attributes["comparison_direction"]) and by > 0:
                return max(0, -(-(last - first) // by))
        return self.found.sizes.ask("trips", "A stablehlo.while does not say how often it runs")


# ONNX

# Positions of the two matrices, or of image and kernel, among the inputs of an operation.
ONNX_PRODUCTS = {"MatMul": (0, 1), "MatMulInteger": (0, 1), "QLinearMatMul": (0, 3), "FusedMatMul": (0, 1),
                 "Gemm": (0, 1)}
ONNX_CONVOLUTIONS = {"Conv": (0, 1), "ConvInteger": (0, 1), "QLinearConv": (0, 3), "ConvTranspose": (0, 1),
                     "DeformConv": (0, 1)}
ONNX_MOVES = set("""Constant Transpose Reshape Cast Identity Unsqueeze Squeeze Shape Slice Concat Split Expand Flatten
    Gather ConstantOfShape Range Pad Tile DequantizeLinear QuantizeLinear""".split())
ONNX_MASKS = {"Mul", "Div", "Add", "Where", "Softmax", "Cast", "Reshape", "Identity", "Dropout", "Sub", "Tanh"}


def trace_onnx(found: Matmuls, source: Any) -> None:
    """Traces an ONNX graph, whose shapes the package onnx infers."""
    onnx = need("onnx", "An ONNX model")
    try:
        # The values of large weights may be in other files, and no matmul needs them.
        model = onnx.load(source, load_external_data=False) if isinstance(source, str) else source
    except Exception as error:  # The package has several parsers, each with its own errors.
        raise Refusal(f"{found.source} is not a complete ONNX model: download or export the file again.") from error
    found.versions.append(f"onnx {onnx.__version__}")
    found.for_training = "trace the model in its framework with --train"
    if model.functions:
        model = importlib.import_module("onnx.inliner").inline_local_functions(model)
    for node in model.graph.node:
        if node.op_type == "MatMulNBits":
            # This operation of ONNX Runtime unpacks weights of 2 to 8 bits. Its attributes state their whole size.
            given = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            whole = onnx.TensorProto(name=f"{node.input[1]}, unpacked", dims=[given["K"], given["N"]], data_type=1)
            packed = [tensor for tensor in model.graph.initializer if tensor.name in node.input[1:4]]
            for tensor in packed:
                model.graph.initializer.remove(tensor)
            model.graph.initializer.append(whole)
            node.CopyFrom(onnx.helper.make_node("MatMul", [node.input[0], whole.name], node.output, node.name))
    stored = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in stored]
    symbols = {}
    for value in inputs:
        for at, dim in enumerate(value.type.tensor_type.shape.dim):
            if not dim.HasField("dim_value"):
                symbol = dim.dim_param or f"{value.name}.{at}"
                symbols[symbol] = dim.dim_value = found.sizes.look(symbol, 0)
    if missing := [symbol for symbol, number in sorted(symbols.items()) if not number]:
        options = " ".join(f"--size {symbol}=NUMBER" for symbol in missing)
        raise Refusal(f"{found.source} has sizes without a number: add `{options}`.")
    # Stated shapes of inner tensors may contain symbols that only the exporter knew. Inference finds their numbers.
    for value in [*model.graph.value_info, *model.graph.output]:
        if any(not dim.HasField("dim_value") for dim in value.type.tensor_type.shape.dim):
            value.type.tensor_type.ClearField("shape")
    try:
        model = onnx.shape_inference.infer_shapes(model, strict_mode=False, data_prop=True)
    except onnx.shape_inference.InferenceError as error:
        raise Refusal(f"onnx cannot infer the shapes of {found.source} ({reason(error)}): export the model "
                      "again.") from None
    Graph(onnx, found).walk(model.graph, 1)
    if not {"batch", "sequence"} <= symbols.keys():
        kinds = [value.type.tensor_type for value in inputs]
        formats = {onnx.TensorProto.INT32: "int32", onnx.TensorProto.INT64: "int64"}
        found.sizes.agree(found, [Input(tuple(dim.dim_value for dim in kind.shape.dim),
                                        formats.get(kind.elem_type, "float32")) for kind in kinds])
    # Whole numbers in a graph are sizes and positions.
    found.parameters = sum(math.prod(t.dims) for t in model.graph.initializer if t.data_type not in (6, 7, 9))


class Graph:
    """Reads the matmuls of an ONNX graph and of the graphs inside."""

    def __init__(self, onnx: Any, found: Matmuls) -> None:
        self.onnx, self.found = onnx, found
        self.shapes: dict[str, list[int | None]] = {}
        self.tables: dict[str, str] = {}
        self.constants: dict[str, Any] = {}
        self.scores: dict[str, Scores] = {}

    def walk(self, graph: Any, times: int) -> None:
        for value in (*graph.value_info, *graph.input, *graph.output):
            if value.type.tensor_type.HasField("shape"):
                dims = value.type.tensor_type.shape.dim
                self.shapes[value.name] = [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]
        for tensor in graph.initializer:
            self.store(tensor.name, tensor)
        for node in graph.node:
            self.node(node, {a.name: self.onnx.helper.get_attribute_value(a) for a in node.attribute}, times)

    def store(self, name: str, tensor: Any) -> None:
        self.shapes[name], self.tables[name] = list(tensor.dims), name
        if math.prod(tensor.dims) == 1 and not tensor.external_data:
            self.constants[name] = self.onnx.numpy_helper.to_array(tensor).reshape(-1)[0]

    def shape(self, node: Any, name: str) -> list[int]:
        shape = self.shapes.get(name)
        if shape is None or None in shape:
            known = "no shape" if shape is None else f"the shape {shape}"
            raise Refusal(f"{node.op_type} {node.name or node.output[0]} has the operand {name}, for which onnx infers "
                          f"{known}: export the model again with fixed sizes, without operations of one runtime.")
        return list(shape)  # type: ignore[arg-type]

    def table(self, tensor: str) -> list[tuple[Any, str, int]]:
        if tensor not in self.tables:
            return []
        name = self.tables[tensor]
        return [(name, name, math.prod(size or 0 for size in self.shapes.get(tensor, [0])))]

    def node(self, node: Any, given: dict[str, Any], times: int) -> None:
        op, name = node.op_type, node.name.strip("/").replace("/", ".") or node.output[0]
        inputs = [tensor for tensor in node.input if tensor]
        if op == "Constant" and "value" in given:
            self.store(node.output[0], given["value"])
            return
        if op == "Constant" or inputs and all(tensor in self.tables for tensor in inputs):
            # Conversions of stored weights are still weights.
            self.tables[node.output[0]] = self.tables[inputs[0]] if inputs else node.output[0]
            return
        if op in ONNX_PRODUCTS:
            self.matmul(node, name, given, times)
        elif op in ONNX_CONVOLUTIONS:
            self.convolution(node, name, given.get("group", 1), times)
        elif op in ("LSTM", "GRU", "RNN"):
            (length, batch, width), (ways, gates, _), (_, _, hidden) = (self.shape(node, t) for t in node.input[:3])
            if given.get("layout"):
                length, batch = batch, length
            w, r = (self.table(tensor) for tensor in node.input[1:3])
            self.found.add(f"{name}.input", length * batch, width, gates, ways * times, FORWARD, w)
            self.found.add(f"{name}.state", batch, hidden, gates, ways * length * times, FORWARD, r)
        elif op == "Einsum" and len(node.input) == 2:
            self.einsum(node, name, given["equation"].decode(), times)
        elif op == "Attention" and node.domain in ("", "ai.onnx") or op == "MultiHeadAttention":
            self.attention(node, name, given, times)
        elif op in ("If", "Loop", "Scan"):
            self.control(node, name, given, times)
        elif node.domain not in ("", "ai.onnx", "ai.onnx.ml"):
            raise Refusal(f"{op} {name} of {node.domain} is an operation of one runtime, whose shapes onnx does not "
                          "know: export the model again without the optimizations of this runtime.")
        elif op == "Gather" and node.input[0] in self.tables and len(self.shapes.get(node.input[0], ())) > 1:
            label = self.tables[node.input[0]]
            self.found.lookups[label] = (label, math.prod(self.shape(node, node.input[0])))
        elif op not in ONNX_MOVES:
            self.found.left_out[op] += times
        scores = next((self.scores[tensor] for tensor in inputs if tensor in self.scores), None)
        if scores and op in ONNX_MASKS:
            if op in ("Add", "Where") and not any(t in self.constants for t in inputs if t not in self.scores):
                scores = scores.mask(None)
            self.scores[node.output[0]] = scores.softmax(self.found) if op == "Softmax" else scores

    def matmul(self, node: Any, name: str, given: dict[str, Any], times: int) -> None:
        left, right = (node.input[at] for at in ONNX_PRODUCTS[node.op_type])
        a, b = self.shape(node, left), self.shape(node, right)
        a, b = [1, *a] if len(a) == 1 else a, [*b, 1] if len(b) == 1 else b
        if given.get("transA"):
            a[-2:] = a[:-3:-1]
        if given.get("transB"):
            b[-2:] = b[:-3:-1]
        outer = self.shape(node, node.output[0])[:-2] if len(a) > 2 and len(b) > 2 else a[:-2] or b[:-2]
        tables, count, m, n = self.table(right), math.prod(outer), a[-2], b[-1]
        if left in self.tables and not tables:
            tables, m, n = self.table(left), n, m
        if len(b) == 2:
            # One matrix of weights multiplies all rows at once.
            m, count = m * count, 1
        scores = self.scores.get(left)
        scores = scores if scores and scores.is_softmax else None
        name += "" if tables else ".values" if scores else ".matmul"
        added = self.found.add(name, m, a[-1], n, count * times, FORWARD, tables, "", scores.masked if scores else 1.0)
        if not tables and not scores:
            self.scores[node.output[0]] = Scores(added)

    def convolution(self, node: Any, name: str, groups: int, times: int) -> None:
        image, kernel = (node.input[at] for at in ONNX_CONVOLUTIONS[node.op_type])
        filters, is_transposed = self.shape(node, kernel), node.op_type == "ConvTranspose"
        shape = self.shape(node, image if is_transposed else node.output[0])
        k, n = math.prod(filters[1:]), filters[0] // groups
        k, n = (n, k) if is_transposed else (k, n)
        self.found.add(name, shape[0] * math.prod(shape[2:]), k, n, groups * times, FORWARD, self.table(kernel))

    def einsum(self, node: Any, name: str, equation: str, times: int) -> None:
        terms, _, result = equation.replace(" ", "").partition("->")
        left, right = terms.split(",")
        if "..." in equation or not result:
            raise Refusal(f"Einsum {name} has the equation {equation}: write every letter, and the result.")
        both = [letter for letter in left if letter in right]
        inner, batch = ([letter for letter in both if (letter in result) == is_batch] for is_batch in (False, True))
        m, k, n, count = dot_sizes(self.shape(node, node.input[0]), self.shape(node, node.input[1]),
                                   ([*map(left.index, inner)], [*map(right.index, inner)]),
                                   ([*map(left.index, batch)], [*map(right.index, batch)]))
        self.found.add(name, m, k, n, count * times, FORWARD, self.table(node.input[1]))

    def attention(self, node: Any, name: str, given: dict[str, Any], times: int) -> None:
        shapes = [self.shape(node, tensor) for tensor in node.input[:3]]
        heads = given.get("q_num_heads") or given.get("num_heads") or shapes[0][1]
        shared = given.get("kv_num_heads") or (shapes[1][1] if len(shapes[1]) == 4 else heads)
        (batch, m, width), (_, n, _), (_, _, values) = (
            (s[0], s[-2], s[-1] if len(s) == 4 else s[-1] // h) for s, h in zip(shapes, (heads, shared, shared)))
        # Positions of the masks and of the cached keys.
        masks, cache = ((3,), 4) if node.op_type == "Attention" else ((4, 5), 6)
        rest = {at: tensor for at, tensor in enumerate(node.input) if tensor}
        n += self.shape(node, rest[cache])[2] if cache in rest else 0
        has_mask = any(at in rest for at in masks)
        masked = None if has_mask else 0.5 if (given.get("is_causal") or given.get("unidirectional")) and m > 1 else 1.0
        self.found.add(f"{name}.scores", m, width, n, batch * heads * times, kept="c", masked=masked)
        self.found.add(f"{name}.values", m, n, values, batch * heads * times, kept="a", masked=masked)

    def control(self, node: Any, name: str, given: dict[str, Any], times: int) -> None:
        if node.op_type == "If":
            branches = [given["then_branch"], given["else_branch"]]
            trials = [self.trial(branch) for branch in branches]
            at = self.found.sizes.branch(trials, f"If {name} (0 is then, 1 is else)")
            self.walk(branches[at], times)
        elif not self.trial(given["body"]):
            self.found.left_out[node.op_type] += times
        elif node.op_type == "Scan":
            states = len(node.input) - given["num_scan_inputs"]
            self.walk(given["body"], times * self.shape(node, node.input[states])[0])
        else:
            # Exporters write the largest number for a loop without a limit.
            trips = int(self.constants.get(node.input[0], 1 << 31))
            if trips >= 1 << 31:
                trips = self.found.sizes.ask("trips", f"Loop {name} does not say how often it runs")
            self.walk(given["body"], times * trips)

    def trial(self, graph: Any) -> list[Any]:
        """Returns the matmuls of an inner graph without adding them."""
        other = Graph(self.onnx, Matmuls(self.found.sizes))
        other.shapes, other.tables, other.constants = dict(self.shapes), dict(self.tables), dict(self.constants)
        other.walk(graph, 1)
        return [run[1:6] for run in other.found.runs]


# Files of weights

PACKED = re.compile(r"\.(qweight|weight_packed|codes|codebooks|absmax|quant_map|g_idx|qzeros)$|_blocks$|\.quant_state")
PARTS = {"an adapter, which changes another model": re.compile(r"lora_|\.lora\.|adapter|hada_w|\.oft_|prompt_embed"),
         "the state of an optimizer": re.compile(r"exp_avg|momentum_buffer|optimizer|\bema\b")}
LOOKUP = re.compile(r"(^|\.)(wte|wpe|shared|token_embd|position_embd|token_types|relative_attention_bias)(\.|$)|"
                    r"embed(?!_out)")
POSITIONS = re.compile(r"posit|pos_|wpe|type")
SCALE = re.compile(r"(scale|scales|scale_inv|zeros|zero_point|SCB|A_log|norm|inv_freq|bias|biases)$|norm[^.]*\.weight$")
HEAD = re.compile(r"(^|\.)(lm_head|embed_out|output)\.weight$|^head\.weight$")
SHARD = re.compile(r"^(.*)-(\d{5})-of-(\d{5})(\.\w+)$")


def trace_weights(found: Matmuls, paths: list[str]) -> None:
    """Lists the matrices of safetensors or GGUF files: each multiplies every token once."""
    for path in paths:
        if match := SHARD.match(path):
            whole = [f"{match[1]}-{at:05}-of-{match[3]}{match[4]}" for at in range(1, int(match[3]) + 1)]
            if lacking := [Path(part).name for part in whole if part not in paths]:
                missing = lacking[0] + (" and others" if len(lacking) > 1 else "")
                raise Refusal(f"{path} is one of {int(match[3])} shards and has only some layers: give all shards "
                              f"together (missing: {missing}).")
    is_gguf, source = paths[0].endswith(".gguf"), found.source
    tensors, facts = (read_gguf if is_gguf else read_safetensors)(found, paths)
    sizes = found.sizes
    tokens = sizes.use("batch", 1) * sizes.use("sequence", 2048)
    found.parameters = sum(math.prod(shape) for shape, _ in tensors.values())
    found.for_training = "trace the config.json of the model with --train"
    found.note("matmuls of attention, which have no weights")
    experts_of: dict[Any, list[tuple[str, int]]] = {}
    for name, (shape, dtype) in tensors.items():
        for kind, test in PARTS.items():
            if test.search(name):
                raise Refusal(f"{source} has the tensor {name}, so it holds {kind}: give the files of the model.")
        has_scale = any(name.removesuffix(".weight") + end in tensors for end in (".SCB", ".weight_scale"))
        is_integer = dtype[0] in "IU" and not is_gguf and len(shape) > 1 and not has_scale
        if PACKED.search(name) or is_integer:
            raise Refusal(f"{source} has the tensor {name} ({dtype} {shape}), whose weights are packed: trace the "
                          "model's config.json instead.")
        table, numbered = (name, name, math.prod(shape)), re.search(r"experts\.\d+\.", name)
        is_stacked = len(shape) == 3 and re.search(r"experts?\.|_exps\b", name)
        if len(shape) < 2:
            continue
        if SCALE.search(name):
            found.note(f"{pattern(name)} {shape}")
        elif LOOKUP.search(name) and not HEAD.search(name):
            found.lookups[name] = table[1:]
        elif (numbered or is_stacked) and not re.search(r"shared_expert|_shexp", name):
            # The experts of a layer are one tensor, or a tensor each.
            layer = name if is_stacked else re.sub(r"experts\.\d+\.", "experts.", name)
            experts_of.setdefault((layer, *shape[-2:]), []).append((name, shape[0] if is_stacked else 1))
        elif len(shape) == 2:
            found.add(name, tokens, shape[1], shape[0], tables=[table])
        elif len(shape) == 3 and shape[1] == 1:
            found.add(name, tokens, shape[2], 1, shape[0], tables=[table])
        else:
            raise Refusal(f"{source} has the tensor {name} {shape}: a convolution needs the size of the image, so "
                          "trace the model as FILE.py:NAME or as ONNX.")
    for (layer, n, k), members in experts_of.items():
        experts = sum(part for _, part in members)
        visited = facts.get("experts_per_token") or sizes.ask(
            "experts_per_token", f"{source} has {experts} experts, and weights do not tell how many a token visits")
        if not 0 < visited <= experts:
            raise Refusal(f"experts_per_token = {visited}: use a number from 1 to {experts}.")
        found.add_experts(layer, tokens * visited, k, n, experts, 1, [(layer, layer, experts * n * k)])
    tables = (key for key in found.lookups if re.search(r"embd?\b|embed|wte|shared", key) and not POSITIONS.search(key))
    embedding = next(tables, None)
    if embedding and facts.get("may_be_tied", True) and not any(HEAD.search(name) for name in tensors):
        why = (f"{source} has no output head, and weights do not tell whether the table {embedding} is also the head "
               "(1) or not (0)")
        if facts.get("is_tied") or sizes.ask("tied", why):
            (n, k), elements = tensors[embedding][0], found.lookups[embedding][1]
            found.add("output head", tokens, k, n, tables=[(embedding, embedding, elements)])


def read_safetensors(found: Matmuls, paths: list[str]) -> tuple[dict[str, tuple[list[int], str]], dict[str, Any]]:
    """Returns shape and number format of each tensor of safetensors files."""
    package = need("safetensors", "A safetensors file")
    found.versions.append(f"safetensors {package.__version__}")
    tensors = {}
    for path in paths:
        try:
            with package.safe_open(path, framework="numpy") as file:
                for name in file.keys():
                    part = file.get_slice(name)
                    tensors[name] = (list(part.get_shape()), str(part.get_dtype()))
        except package.SafetensorError as error:
            raise Refusal(f"{path} is not a complete safetensors file ({reason(error)}): download it again.") from None
    return tensors, {}


def read_gguf(found: Matmuls, paths: list[str]) -> tuple[dict[str, tuple[list[int], str]], dict[str, Any]]:
    """Returns shape and number format of each tensor of GGUF files, and what their metadata tells."""
    package = need("gguf", "A GGUF file")
    found.versions.append(f"gguf {importlib.import_module('importlib.metadata').version('gguf')}")
    tensors: dict[str, tuple[list[int], str]] = {}
    facts: dict[str, Any] = {}
    for path in paths:
        try:
            reader = package.GGUFReader(path)
        except (ValueError, IndexError, KeyError, OverflowError) as error:
            raise Refusal(f"{path} is not a complete GGUF file ({reason(error)}): download it again.") from None

        def field(name: str) -> Any:
            return reader.fields[name].contents() if name in reader.fields else None

        if (count := field("split.count") or 1) != len(paths):
            raise Refusal(f"{path} is one of {count} shards and has only some layers: give all {count} files together.")
        kind, family = field("general.type") or "model", field("general.architecture") or facts.get("family", "")
        if kind != "model" or family == "imatrix":
            raise Refusal(f"{path} has the type {kind}, not model: give the GGUF file of the model.")
        # llama.cpp uses the embedding as head if a decoder has no head. Its encoders have none.
        facts = {"family": family, "is_tied": True, "may_be_tied": not re.search(r"bert|t5encoder|clip", family),
                 "experts_per_token": field(f"{family}.expert_used_count") or facts.get("experts_per_token")}
        # GGUF states the width first.
        tensors |= {tensor.name: ([int(size) for size in reversed(tensor.shape)], tensor.tensor_type.name)
                    for tensor in reader.tensors}
    return tensors, facts


# Inputs


def read_json(path: str) -> dict[str, Any]:
    """Returns the object in a JSON file."""
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise Refusal(f"{path} is not JSON ({error}): give a model's config.json.") from None
    if not isinstance(values, dict):
        raise Refusal(f"{path} is a list, not an object of JSON: give a model's config.json.")
    return values


# Files that contain a model, and need no package but their own.
TRACED_FILES = (".onnx", ".mlir", ".safetensors", ".gguf")
# Files that contain no model, by the end of their names.
WRONG_FILES = {
    (".pt", ".pth", ".bin", ".ckpt", ".pkl"):
        "a pickle, which runs code when it is opened: load it in your program, and trace the module as FILE.py:NAME",
    (".csv", ".tsv", ".md", ".txt"):
        "a table or text, not a model: open it in the page or with `systolic model --config`",
    (".hlo",): "the text of a compiled program: trace its function of JAX as FILE.py:NAME, or save it as StableHLO",
    (".h5", ".keras", ".tflite", ".pb"): "a file of TensorFlow: convert it to ONNX with tf2onnx",
    (".zip", ".gz", ".tar", ".7z"): "an archive: unpack it, and give the file of the model",
    (".yaml", ".yml", ".cfg", ".npy"): "not a model: give a config.json, ONNX, safetensors, GGUF or FILE.py:NAME",
}


def check_file(path: str) -> None:
    """Refuses a file that contains no model."""
    with open(path, "rb") as file:
        start = file.read(200)
    if start.startswith(b"version https://git-lfs"):
        raise Refusal(f"{path} is a pointer of Git LFS, not the file: run `git lfs pull`.")
    if start.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise Refusal(f"{path} is a web page, not a model: download the file itself.")
    for ends, kind in WRONG_FILES.items():
        if path.lower().endswith(ends):
            raise Refusal(f"{path} is {kind}.")


def check_forward(found: Matmuls, step: str) -> None:
    """Refuses another step of a file that has only a forward pass."""
    if step != "forward":
        raise Refusal(f"--{step} has no effect for {found.source}, which has only a forward pass: leave it out, or "
                      "trace the model in its framework.")


def trace_files(found: Matmuls, paths: list[str], inputs: tuple[Any, ...], named: dict[str, Any], step: str) -> None:
    """Traces the model in files, or with an id of Hugging Face."""
    path = Path(paths[0])
    if (program := re.fullmatch(r"(.+\.py)(?::(.*))?", paths[0])) is not None:
        trace_python(found, program[1], program[2] or "", inputs, named, step)
        return
    if inputs or named:
        raise Refusal(f"{found.source} takes no inputs: give sizes instead, such as --size batch=8.")
    if path.name.endswith(".safetensors.index.json") and path.is_file():
        paths = sorted(str(path.parent / name) for name in set(read_json(str(path)).get("weight_map", {}).values()))
        if absent := next((Path(part).name for part in paths if not Path(part).is_file()), None):
            raise Refusal(f"{path} names the file {absent}, which does not exist: download all shards.")
    elif path.is_dir() and not (path / "config.json").is_file():
        paths = sorted(str(file) for kind in ("*.safetensors", "*.gguf") for file in path.glob(kind))
        if not paths:
            raise Refusal(f"{path} has no config.json, safetensors or GGUF file: give the folder of a model.")
    end = Path(paths[0]).suffix.lower()
    for part in paths:
        if Path(part).is_file():
            check_file(part)
        elif end in TRACED_FILES or "." in path.name and not path.exists() and paths[0].count("/") != 1:
            raise Refusal(f"{part} does not exist: check the path.")
    if len(paths) > 1 and end not in (".safetensors", ".gguf"):
        raise Refusal(f"{paths[0]} and {paths[1]} are several inputs: give one model, or all shards of one model.")
    if end not in TRACED_FILES:
        trace_hugging_face(found, paths[0], step)
        return
    check_forward(found, step)
    if end == ".onnx":
        trace_onnx(found, paths[0])
    elif end == ".mlir":
        trace_stablehlo(found, paths[0])
    else:
        trace_weights(found, paths)


def lacking(function: Any, inputs: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Returns the names of the parameters that have neither an input nor a default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    ordered = [part for part in parameters if part.kind in (part.POSITIONAL_ONLY, part.POSITIONAL_OR_KEYWORD)]
    ordered = ordered[len(inputs):] + [part for part in parameters if part.kind == part.KEYWORD_ONLY]
    return ", ".join(part.name for part in ordered if part.default is part.empty and part.name not in named)


def names_of(path: str) -> list[str]:
    """Returns the names in a Python file that may be a model: classes, calls, and functions without arguments."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (SyntaxError, ValueError) as error:
        raise Refusal(f"{path} is not a program in Python ({reason(error)}): correct the file.") from None
    names = []
    for part in tree.body:
        if isinstance(part, ast.ClassDef) or (
                isinstance(part, ast.FunctionDef) and len(part.args.args) == len(part.args.defaults)):
            names.append(part.name)
        elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Call):
            names += [target.id for target in part.targets if isinstance(target, ast.Name)]
    return [name for name in names if name[0] != "_"]


def check_inputs(function: Any, inputs: tuple[Any, ...], named: dict[str, Any], name: str) -> None:
    """Refuses inputs that are not enough for a function or for the method `forward` of a module."""
    if needed := lacking(function, inputs, named):
        raise Refusal(f"{name} lacks the inputs {needed}: add a type and a shape for each, as in "
                      "`--input int64:8,512 --input 8,512,768`, or name a function that returns (model, *inputs).")


def trace_python(found: Matmuls, path: str, name: str, inputs: tuple[Any, ...], named: dict[str, Any],
                 step: str) -> None:
    """Traces the model that a Python file makes: a module, or a function that returns (model, *inputs)."""
    if not Path(path).is_file():
        raise Refusal(f"{path} does not exist: check the path.")
    names = names_of(path)
    if not name:
        raise Refusal(f"{path} needs the name of its model: add a module, or a function that returns (model, *inputs), "
                      f"as in {path}:{names[-1] if names else 'NAME'}.")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec and spec.loader
    program = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(Path(path).resolve().parent))
    try:
        spec.loader.exec_module(program)
        made = getattr(program, name, None)
        is_maker = isinstance(made, type) or inspect.isfunction(made)
        if is_maker:
            if needed := lacking(made, (), {}):
                raise Refusal(f"{path}:{name} needs the arguments {needed}: name a function without arguments that "
                              "returns (model, *inputs).")
            made = made if is_torch_class(made) else made()
    except Refusal:
        raise
    except Exception as error:  # The file is foreign code, with its own errors.
        remedy = "install the package that it names" if isinstance(error, ImportError) else "correct the file"
        raise Refusal(f"{path}:{name} raised {type(error).__name__} ({reason(error)}): {remedy}.") from error
    if made is None:
        raise Refusal(f"{path} does not define {name}: name a module, or a function that returns (model, *inputs)"
                      f"{', such as ' + names[-1] if names else ''}.")
    if is_torch_class(made):
        check_inputs(made.forward, (None, *inputs), named, name)
        trace_module(found, made, inputs, named, step)
        return
    model, *own = made if isinstance(made, tuple) else (made,)
    trace_object(found, model, (*own, *inputs), named, step)


NO_DECODE = "--decode needs a configuration of transformers: give your own model one token and its cache."


def leaves(inputs: Any) -> list[Any]:
    """Returns the inputs inside tuples, lists and dictionaries."""
    if isinstance(inputs, (dict, list, tuple)):
        parts = inputs.values() if isinstance(inputs, dict) else inputs
        return [leaf for part in parts for leaf in leaves(part)]
    return [inputs]


def torch_input(stated: Input) -> Any:
    """Returns a tensor of ones, which are tokens, or a mask that hides nothing. Floats need no memory."""
    torch = sys.modules["torch"]
    dtype = getattr(torch, stated.dtype)
    return torch.ones(stated.shape, dtype=dtype, device="meta" if dtype.is_floating_point else "cpu")


def is_torch_module(model: Any) -> bool:
    return is_torch_class(type(model))


def is_torch_class(made: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(made, type) and issubclass(made, torch.nn.Module)


def trace_module(found: Matmuls, make: Callable[[], Any], inputs: tuple[Any, ...], named: dict[str, Any],
                 step: str) -> None:
    """Traces a PyTorch module. `make` returns the module, and may make it where weights need no memory."""
    if step == "decode":
        raise Refusal(NO_DECODE)
    inputs = tuple(torch_input(item) if isinstance(item, Input) else item for item in inputs)
    parts: list[Any] = []

    def build() -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        model = make()
        parts.extend(model.modules())
        return model, inputs, named

    trace_torch(found, build, step)
    is_time_first = any(getattr(part, "batch_first", True) is False for part in parts)
    found.sizes.agree(found, leaves((inputs, named)), is_time_first)


def trace_object(found: Matmuls, model: Any, inputs: tuple[Any, ...], named: dict[str, Any],
                 step: str) -> None:
    """Traces an object of Python: a module, a configuration, an ONNX model or a function of JAX."""
    kinds = {kind.__name__ for kind in type(model).__mro__}
    function = getattr(model, "forward", None) if is_torch_module(model) else model if callable(model) else None
    if function:
        check_inputs(function, inputs, named, getattr(model, "__name__", type(model).__name__))
    elif inputs or named:
        raise Refusal(f"{found.source} takes no inputs: give sizes instead, such as --size batch=8.")
    if kinds & {"PretrainedConfig", "PreTrainedConfig"}:
        trace_hugging_face(found, model, step)
    elif is_torch_module(model):
        trace_module(found, lambda: model, inputs, named, step)
    elif step == "decode":
        raise Refusal(NO_DECODE)
    elif step == "recompute":
        raise Refusal("--recompute needs a model of PyTorch: use --train, and jax.checkpoint in a function of JAX.")
    elif function:
        trace_jax(found, model, inputs, named, step)
    elif "ModelProto" in kinds:
        check_forward(found, step)
        trace_onnx(found, model)
    else:
        raise Refusal(f"{type(model).__name__} is not a model: give a PyTorch module, a function of JAX, or a file.")


def matmuls(model: Any, *inputs: Any, sizes: dict[str, int] | None = None, train: bool = False, recompute: bool = False,
            decode: bool = False, **named: Any) -> Matmuls:
    """Returns the matmuls that a model runs with these inputs. `str()` of the result is a table in CSV.

    `model` is a PyTorch module, a function of JAX, a configuration of transformers, an ONNX model, a path or a list of
    paths.
    `sizes` has numbers that a file or the inputs leave open, such as `{"batch": 8, "sequence": 4096}`. Tokens, and the
    inputs of attention, state batch and sequence themselves. With `train`, the table also has the matmuls of the
    backward pass. With `recompute`, it also has activations that are computed again. With `decode`, a model of
    transformers adds one token to each sequence, whose other tokens are in a cache.
    """
    found = Matmuls(Sizes(sizes or {}))
    step = "decode" if decode else "recompute" if recompute else "train" if train else "forward"
    paths = [model] if isinstance(model, (str, os.PathLike)) else model
    if isinstance(paths, list):
        found.source = str(paths[0])
        trace_files(found, [*map(str, paths)], inputs, named, step)
    else:
        trace_object(found, model, inputs, named, step)
    found.sizes.check_read()
    return found


def size_of(text: str) -> tuple[str, int]:
    """Reads `NAME=NUMBER`."""
    name, _, number = text.rpartition("=")
    if not name or not re.fullmatch(r"\d+", number):
        raise Refusal(f"--size {text}: use a name and a whole number, such as --size batch=8.")
    return name, int(number)


def input_of(text: str) -> Input:
    """Reads `TYPE:SHAPE`, or a shape of float32."""
    types = "bool|uint8|int(?:8|16|32|64)|float(?:16|32|64)|bfloat16"
    if not (match := re.fullmatch(rf"(?:({types}):)?(\d+(?:,\d+)*)", text)):
        raise Refusal(f"--input {text}: use a type and a shape, such as --input int64:8,512.")
    return Input(tuple(map(int, match[2].split(","))), match[1] or "float32")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line, and returns its exit code."""
    parser = argparse.ArgumentParser("systolic_matmuls", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", nargs="+",
                        help="id, folder, config.json, .onnx, .mlir, .safetensors, .gguf or FILE.py:NAME")
    parser.add_argument("--input", action="append", default=[], metavar="TYPE:SHAPE",
                        help="an input of the model in FILE.py: int64:8,512 for tokens, 8,512,768 for floats")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=NUMBER",
                        help="a size that the model leaves open, such as batch=8 or sequence=4096")
    steps = parser.add_mutually_exclusive_group()
    for step, text in (("train", "also list the matmuls of the backward pass"),
                       ("recompute", "train, and compute activations again"),
                       ("decode", "add one token to each sequence, whose other tokens are in a cache")):
        steps.add_argument(f"--{step}", action="store_true", help=text)
    options = parser.parse_args(arguments)
    try:
        found = matmuls(options.model, *map(input_of, options.input), sizes=dict(map(size_of, options.size)),
                        train=options.train, recompute=options.recompute, decode=options.decode)
        sys.stdout.write(str(found))
        sys.stderr.write(found.summary())
    except Refusal as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
