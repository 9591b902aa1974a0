"""Compares the tracer systolic_matmuls.py with counts of PyTorch and XLA, and with formulas.

    python tests/oracle/traced_matmuls.py [modules] [jax] [onnx] [weights] [book] [decode] [configs] [training] [torch]

`torch` traces the configurations in tests/golden/configs, and those that have only the library's defaults. Their FLOPs
are in tests/golden/torch_flops.csv, as PyTorch's FlopCounterMode counted them. `training` compares forward and backward
passes with the same counter. The tracer itself uses no counter. `configs` compares the command `systolic model --config`
with traced models, and needs the path of the command in the variable SYSTOLIC or as the last argument.

Needs the packages in tests/oracle/traced_matmuls.txt. The script writes no file and loads no weights.
"""

import contextlib
import csv
import io
import json
import logging
import math
import os
import re
import subprocess
import sys
import tempfile
import types
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "package" / "systolic_playground"))

from systolic_matmuls import COLUMNS, Input, Refusal, matmuls  # noqa: E402

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
PASSED, FAILED = [], []


def flops(found, *roles):
    """Returns the executed FLOPs of the runs with these roles, or of all runs."""
    return sum(2 * run.m * run.k * run.n * run.times for run in found.runs if not roles or run.role in roles)


def check(name, got, want):
    if got == want:
        PASSED.append(name)
    else:
        FAILED.append(name)
        print(f"{name}: {got}, but {want} is expected", flush=True)


def rows(found):
    """Returns M, K, N, count, role, weights and masked of each row."""
    return [tuple(row[key] for key in ("M", "K", "N", "count", "role", "weights", "masked")) for row in found.rows()]


def refusal(call):
    try:
        str(call())
    except Refusal as error:
        return str(error)
    return "no refusal"


# Families whose trace differs from the counts, each with the reason.
DIFFERENT = {
    "llama4_text": "the library runs every expert on every token, and the file counts only chosen experts",
    "qwen2_vl_text": "this configuration is of a part without a head, and the file counts the part with the head",
    "qwen2_5_vl_text": "as qwen2_vl_text", "qwen3_vl_text": "as qwen2_vl_text", "qwen3_vl_moe_text": "as qwen2_vl_text",
    "dbrx": "its experts look at values, so that the tracer refuses the model",
    "DiTTransformer2DModel": "a configuration of diffusers, which the tracer refuses",
    "siglip": "the file counts images and texts together, and the tracer reads texts alone", "clip": "as siglip",
    "siglip_vision_model": "the tracer has no head for this part", "clip_vision_model": "as siglip_vision_model",
}
# A forward pass of these takes minutes, because their layers walk through the tokens one by one.
SLOW = {"default": ["mamba", "falcon_mamba", "jamba", "kimi_linear"]}


def check_torch():
    """Families of transformers, small and with the library's defaults."""
    golden = ROOT / "tests" / "golden"
    with open(golden / "torch_flops.csv", encoding="ascii") as file:
        counts = list(csv.DictReader(line for line in file if not line.startswith("#")))
    seen = set()
    for count in counts:
        family, config, phase = count["family"], count["config"], count["phase"]
        key = (family, config)
        if phase not in ("prefill", "image-classify") or key in seen or family in DIFFERENT or family in SLOW.get(config, []):
            continue
        seen.add(key)
        sizes = {"batch": int(count["batch"])}
        if phase == "prefill":
            sizes["sequence"] = int(count["seq"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.json"
            source = golden / "configs" / (f"{family}.other.json" if config == "other" else f"{family}.json")
            path.write_text(json.dumps({"model_type": family}) if config == "default" else source.read_text())
            try:
                found = matmuls(path, sizes=sizes)
                totals = dict(word.split("=") for word in found.totals(found.rows()).split())
                check(f"{family}, {config}", flops(found), int(count["flops"]))
                check(f"{family}, {config}: no weight counts twice", int(totals["weights"]) <= int(totals["parameters"]), True)
            except Refusal as error:
                check(f"{family}, {config}", str(error), int(count["flops"]))


# Families of `config.json`. The command reads most of them, and names the tracer for the others.
FAMILIES = """llama mistral mixtral qwen2 qwen2_moe qwen2_5_vl qwen3 qwen3_moe qwen3_next qwen3_5_text qwen3_5_moe_text
    gemma gemma2 gemma3 gemma3_text gpt2 gpt_neox gpt_oss phi3 deepseek_v2 deepseek_v3 kimi_k2 glm4_moe minimax_m2
    llama4_text bert modernbert t5 whisper vit falcon bloom opt cohere starcoder2 smollm3 lfm2 mamba granite
    granitemoehybrid hunyuan_v1_moe nanochat olmo2""".split()
# The recurrence of these has chunks of at most this many tokens.
CHUNKS = {"qwen3_next": 64, "qwen3_5_text": 64, "qwen3_5_moe_text": 64, "granitemoehybrid": 64}


def check_configs():
    """The weights and forward FLOPs that `systolic model --config` reads from a configuration, by the traced model.

    Each configuration is also compared without each of its keys, so that defaults are equal too. Two kinds of matmuls
    are left out: depthwise convolutions, which the command does not count, and matmuls without weights in recurrent
    layers, because a library computes a recurrence in another way than a kernel.
    """
    command = os.environ.get("SYSTOLIC")
    if not command:
        print("configs: not checked, because SYSTOLIC names no command systolic")
        return
    others = []
    for family in FAMILIES:
        like = "deepseek_v3" if family == "kimi_k2" else family
        whole = json.loads((ROOT / "tests" / "golden" / "configs" / f"{like}.json").read_text())
        for lacking in [None, *(key for key in whole if key != "model_type")]:
            values = {key: value for key, value in whole.items() if key != lacking}
            sequence = CHUNKS.get(family, 8)
            try:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "config.json"
                    path.write_text(json.dumps({**values, "model_type": family}))
                    weights, total = read_config(command, path, sequence)
                    path.write_text(json.dumps(values))
                    traced = traced_config(path, sequence)
            except Refusal as error:
                if "systolic_matmuls.py" in str(error):
                    others.append(family)
                    break
                # Without a key, a model may be impossible. The whole configuration must be accepted.
                if lacking is None:
                    check(family, str(error), "no refusal")
                continue
            if family == "llama4_text":
                # The library runs every expert on every token.
                config = sys.modules["transformers"].CONFIG_MAPPING[family](**values)
                idle = (config.num_local_experts - config.num_experts_per_tok) * len(config.moe_layers)
                total += 2 * BATCH * sequence * idle * 3 * config.hidden_size * config.intermediate_size
            check(f"{family} without {lacking}" if lacking else family, (weights, total), traced)
    config = ROOT / "tests" / "golden" / "traced" / "llama.json"
    for step, options in (("train", ["--remat", "none"]), ("decode", [])):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "model.csv"
            matmuls(config, sizes={"batch": 2, "sequence": 512}, **{step: True}).save(table)
            reports = [report(command, source, 512, 2, "--pass", step, *options) for source in (table, config)]
        keys = "mfu_pct", "step_time_s", "tokens_per_step", "usd_per_million_tokens"
        check(f"the figures of a traced step, {step}", *([f"{one[key]:.9g}" for key in keys] for one in reports))
    print(f"configs: the command leaves to the tracer: {', '.join(others) or 'none'}")
    check("most families are read", len(FAMILIES) - len(others) >= 30, True)


# With this many sequences, every expert has a token.
BATCH = 64


def report(command, path, sequence, batch, *options):
    """Returns the report of the command about a model."""
    call = [command, "model", "--config", path, "--seq", str(sequence), "--batch", str(batch), *options,
            *"--chip tpu-v5p --chips 1 --attention full --json".split()]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(done.stderr.strip())
    return json.loads(done.stdout)


def read_config(command, path, sequence):
    """Returns the weights and forward FLOPs that the command reads."""
    # In prefill, the command computes the head only for the last token of each sequence.
    found = report(command, path, sequence, BATCH, "--pass", "train", "--remat", "none")
    kept = [row for row in found["products"] if row["product"].endswith(", forward")
            and not re.search(r"(^|\.)(chunk|delta|state)_", row["product"])]
    return found["weights"], sum(2 * row["m"] * row["k"] * row["n"] * row["count"] for row in kept)


def traced_config(path, sequence):
    """Returns the weights and forward FLOPs of the traced model."""
    found = matmuls(path, sizes={"batch": BATCH, "sequence": sequence})
    found.runs = [run for run in found.runs if not (run.n == 1 and run.k <= 4) and not (
        run.name.endswith(".matmul") and re.search("mamba|mixer|linear_attn", run.name))]
    totals = dict(word.split("=") for word in found.totals(found.rows()).split())
    return int(totals["weights"]), int(totals["flops"])


def check_decode():
    """Steps that add one token to each sequence, by formulas."""
    import transformers

    batch, cached = 3, 17
    size, layers, heads, width, inner, words = 64, 2, 4, 16, 96, 100
    common = {"hidden_size": size, "num_hidden_layers": layers, "num_attention_heads": heads,
              "intermediate_size": inner, "vocab_size": words, "sliding_window": None}

    def traced(config):
        return matmuls(config, sizes={"batch": batch, "sequence": cached}, decode=True)

    def scores(keys):
        return 2 * 2 * layers * batch * heads * keys * width

    for name, config, shared in (
            ("LLaMA", transformers.LlamaConfig(**common, num_key_value_heads=heads), heads),
            ("grouped queries", transformers.Qwen2Config(**common, num_key_value_heads=2), 2)):
        table = layers * (2 * size * size + 2 * size * shared * width + 3 * size * inner) + size * words
        check(f"decode, {name}", flops(traced(config)), 2 * batch * table + scores(cached + 1))
    sizes = [run[1:5] for run in traced(transformers.LlamaConfig(**common, num_key_value_heads=heads)).runs
             if run.name.endswith((".scores", ".values"))]
    check("decode, one query for each head", sizes,
          layers * [(1, width, cached + 1, batch * heads), (1, cached + 1, width, batch * heads)])
    dense = transformers.LlamaConfig(**common, num_key_value_heads=heads)
    again = matmuls(dense, sizes={"batch": batch, "sequence": cached}, recompute=True)
    layer = 2 * batch * cached * layers * (4 * size * size + 3 * size * inner) + layers * 2 * 2 * batch * heads * cached**2 * width
    head = 2 * batch * cached * size * words
    # A checkpoint of PyTorch ends when it has the inputs of all matmuls, before the last matmul of a layer.
    last = 2 * batch * cached * layers * size * inner
    check("recomputation of the layers", [flops(again, role) for role in ("forward", "recomputed", "input-gradient", "weight-gradient")],
          [layer + head, layer - last, layer + head, layer + head])
    pair = transformers.T5Config(d_model=size, num_layers=layers, num_heads=heads, d_kv=width, d_ff=inner, vocab_size=words)
    found = matmuls(pair, sizes={"batch": batch, "sequence": cached, "target": 5}, decode=True)
    # Keys and values of the encoder are in the cache.
    table = layers * (4 * size * size + 2 * size * size + 2 * size * inner) + size * words
    check("decode, an encoder and a decoder", flops(found), 2 * batch * table + scores(6) + scores(cached))
    grouped = traced(transformers.Qwen2Config(**common, num_key_value_heads=2))
    check("decode, two queries for each key", [run[1:5] for run in grouped.runs if not run.tables],
          layers * [(2, width, cached + 1, batch * 2), (2, cached + 1, width, batch * 2)])
    moe = transformers.MixtralConfig(**common, num_key_value_heads=2, num_local_experts=5, num_experts_per_tok=2)
    table = layers * (2 * size * size + 2 * size * 2 * width + size * 5 + 2 * 3 * size * inner) + size * words
    check("decode, experts", flops(traced(moe)), 2 * batch * table + scores(cached + 1))
    # A window of 8 tokens contains the new token.
    windows = transformers.MistralConfig(**{**common, "sliding_window": 8}, num_key_value_heads=2)
    found = traced(windows)
    found.runs = [run for run in found.runs if not run.tables]
    check("decode, a window", flops(found), scores(8))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        dense = {**common, "num_key_value_heads": heads, "architectures": ["LlamaForCausalLM"]}
        path.write_text(json.dumps({**dense, "model_type": "of_another_name"}))
        table = layers * (4 * size * size + 3 * size * inner) + size * words
        check("the class of another model", flops(matmuls(path, sizes={"batch": batch, "sequence": cached}, decode=True)),
              2 * batch * table + scores(cached + 1))
        path.write_text(json.dumps({**dense, "model_type": "of_another_name", "architectures": ["Unknown"]}))
        check("an unknown class", "has the model_type of_another_name" in refusal(lambda: matmuls(path)), True)
    # Sound has frames. The number of tokens that belong to them is open, but images have no tokens.
    whisper = transformers.WhisperConfig(d_model=60, encoder_layers=1, decoder_layers=1)
    vit = transformers.ViTConfig(hidden_size=60, num_hidden_layers=1)
    summaries = [matmuls(config).summary() for config in (whisper, vit)]
    check("open sizes", ["run again with --size sequence=S." in summary for summary in summaries], [True, False])
    check("decode, no cache", "has no cache of tokens" in refusal(lambda: traced(transformers.BertConfig())), True)


TRAINED = """llama mistral qwen2 qwen3 gemma gemma2 gemma3_text granite cohere stablelm olmo olmo2 smollm3 helium glm phi phi3
    starcoder2 gpt2 gpt_bigcode gptj codegen gpt_neox opt falcon bloom bert roberta distilbert t5 bart vit""".split()


def check_training():
    """Forward and backward passes of dense classes, by PyTorch's counter."""
    import torch
    import transformers
    from torch.utils.flop_counter import FlopCounterMode

    class Rotary(torch.utils._python_dispatch.TorchDispatchMode):
        """Counts outer products that make rotary angles, which depend on no input."""
        flops = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if func._schema.name == "aten::bmm" and args[0].shape[-1] == 1:
                self.flops += 2 * math.prod(args[0].shape) * args[1].shape[-1]
            return func(*args, **(kwargs or {}))

    for family in TRAINED:
        values = json.loads((ROOT / "tests" / "golden" / "configs" / f"{family}.json").read_text())
        values.pop("model_type")
        # Fused attention computes the scores again in its backward pass: five matmuls. Eager attention has four.
        config = transformers.CONFIG_MAPPING[family](**values, attn_implementation="eager")
        auto = {"bert": transformers.AutoModelForMaskedLM, "roberta": transformers.AutoModelForMaskedLM,
                "distilbert": transformers.AutoModelForMaskedLM, "t5": transformers.AutoModelForSeq2SeqLM,
                "bart": transformers.AutoModelForSeq2SeqLM, "vit": transformers.AutoModelForImageClassification}
        # The counter runs the small model for real, because some models look at values.
        model = auto.get(family, transformers.AutoModelForCausalLM).from_config(config, attn_implementation="eager").eval()
        ids = torch.full((2, 13), 7, dtype=torch.int64)
        inputs = {"input_ids": ids} if family != "vit" else {"pixel_values": torch.zeros(2, 3, 40, 40)}
        if family in ("t5", "bart"):
            inputs["decoder_input_ids"] = ids
        if family not in ("vit", "bert", "roberta", "distilbert"):
            inputs["use_cache"] = False
        with Rotary() as rotary, FlopCounterMode(display=False) as counter:
            logits = model(**inputs).logits
            logits.backward(torch.zeros_like(logits))
        traced = matmuls(Logits(model), train=True, **inputs)
        check(f"{family}, training", flops(traced), counter.get_total_flops() - rotary.flops)


def Logits(model):
    """Returns a module whose only result is the logits, so that nothing else has a gradient."""
    import torch

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, **inputs):
            return self.model(**inputs).logits

    return Module()


MODEL = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self, size=12):
        super().__init__()
        self.words = nn.Embedding(50, size, padding_idx=0)
        self.places = nn.Parameter(nn.init.trunc_normal_(torch.empty(16, size), std=0.02))
        self.up, self.down = nn.Linear(size, 20), nn.Linear(20, size)
        nn.init.orthogonal_(self.up.weight)
        self.rates = [rate.item() for rate in torch.linspace(0, 0.1, 2)]
        self.register_buffer("seen", torch.tril(torch.ones(16, 16)).bool())
        self.head = nn.Linear(size, 50, bias=False)
        self.head.weight = self.words.weight

    def forward(self, ids):
        n = ids.shape[1]
        x = self.words(ids) + self.places[:n]
        scores = (x @ x.mT).masked_fill(~self.seen[:n, :n], float("-inf"))
        x = x + scores.softmax(-1) @ x
        return self.head(x + self.down(nn.functional.dropout(self.up(x).relu(), self.rates[1])))
"""


def check_modules():
    """Modules of PyTorch, by formulas."""
    import torch
    from torch import nn
    from torch.nn import functional as F
    from torch.utils.checkpoint import checkpoint

    class Call(nn.Module):
        def __init__(self, function, **parts):
            super().__init__()
            self.function = function
            for name, part in parts.items():
                setattr(self, name, part)

        def forward(self, *inputs):
            return self.function(self, *inputs)

    def new(*shape, **keys):
        return torch.empty(shape, device="meta", **keys)

    fw, ig, wg = "forward", "input-gradient", "weight-gradient"
    linear = nn.Linear(5, 7)
    check("linear", rows(matmuls(linear, torch.empty(2, 3, 5))), [(6, 5, 7, 1, fw, 35, "1")])
    # The input has no gradient, so that the first layer has only the gradient of its weights.
    check("linear, training", rows(matmuls(nn.Sequential(linear, nn.Linear(7, 9)), torch.empty(6, 5), train=True)),
          [(6, 5, 7, 1, fw, 35, "1"), (5, 6, 7, 1, wg, 0, "1"), (6, 7, 9, 1, fw, 63, "1"), (6, 9, 7, 1, ig, 63, "1"),
           (7, 6, 9, 1, wg, 0, "1")])
    check("convolution", rows(matmuls(nn.Conv2d(6, 8, 3, groups=2), torch.empty(2, 6, 10, 10))),
          [(128, 27, 4, 2, fw, 216, "1")])
    check("depthwise", rows(matmuls(nn.Conv1d(6, 6, 3, groups=6), torch.empty(2, 6, 10))), [(16, 3, 1, 6, fw, 18, "1")])
    check("transposed convolution", rows(matmuls(nn.ConvTranspose2d(4, 6, 2, stride=2), torch.empty(1, 4, 5, 5))),
          [(25, 4, 24, 1, fw, 96, "1")])
    check("LSTM", flops(matmuls(nn.LSTM(5, 7), torch.empty(11, 2, 5))), 2 * 11 * 2 * 4 * 7 * (5 + 7))
    check("GRU", flops(matmuls(nn.GRU(5, 7), torch.empty(11, 2, 5))), 2 * 11 * 2 * 3 * 7 * (5 + 7))
    attention = nn.MultiheadAttention(12, 3, batch_first=True).eval()
    x = torch.empty(2, 9, 12)
    check("MultiheadAttention", flops(matmuls(attention, x, x, x)), 2 * 2 * 9 * 12 * 12 * 4 + 2 * 2 * 2 * 3 * 9 * 9 * 4)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(12, 3, 20, batch_first=True), 2).eval()
    check("TransformerEncoder", flops(matmuls(encoder, x)),
          2 * (2 * 18 * 12 * 12 * 4 + 2 * 2 * 2 * 3 * 9 * 9 * 4 + 2 * 2 * 18 * 12 * 20))
    check_own_attention(torch, nn, F, Call)
    check_sizes(torch, nn)
    check("a module without its inputs", "MultiheadAttention lacks the inputs key, value: add a type" in refusal(
        lambda: matmuls(attention, x)), True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my_model.py"
        path.write_text("from torch import nn\nModel = nn.Sequential(nn.Embedding(50, 5), nn.Linear(5, 7))\n")
        found = matmuls(f"{path}:Model", Input((2, 9), "int64"), train=True)
        # The table of the embedding is not an input, and has a gradient.
        check("a stated input", (rows(found), stated(found)),
              ([(18, 5, 7, 1, fw, 35, "1"), (18, 7, 5, 1, ig, 35, "1"), (5, 18, 7, 1, wg, 0, "1")], (2, 9)))
        path.write_text(MODEL)
        names = {}
        exec(MODEL, names)
        for train in (False, True):
            found = matmuls(f"{path}:Model", Input((2, 9), "int64"), train=train)
            # The reference has real weights.
            want = matmuls(names["Model"](), torch.ones(2, 9, dtype=torch.int64), train=train)
            check(f"a class whose weights need no memory, {found.step()[0]}", (rows(found), stated(found)), (rows(want), (2, 9)))
        path.write_text("from torch import nn\nclass Model(nn.Linear):\n def __init__(self):\n  super().__init__(1 << 20, 1 << 20)\n")
        check("a class of four terabytes", flops(matmuls(f"{path}:Model", Input((2, 1 << 20), "float32"))), 2 * 2 << 40)
        check("an input of another type", f"{path}:Model raised RuntimeError (" in refusal(
            lambda: matmuls(f"{path}:Model", Input((2, 9), "float32"))), True)
    left = Call(lambda self, x: self.w @ x, w=nn.Parameter(torch.empty(7, 5)))
    check("a table on the left", rows(matmuls(left, new(5, 6))), [(6, 5, 7, 1, fw, 35, "1")])
    fixed = Call(lambda self, x: x @ (torch.ones(5, 5) @ torch.ones(5, 5)))
    check("a matmul of constants", "matmuls of constants (1)" in str(matmuls(fixed, new(2, 5))), True)
    check("nothing to train", "No result of the model has a gradient: trace it without --train." in refusal(
        lambda: matmuls(fixed, new(2, 5), train=True)), True)
    check("a container takes any input", flops(matmuls(nn.Sequential(linear), torch.empty(2, 5))), 2 * 2 * 5 * 7)
    q, k = new(2, 6, 9, 4), new(2, 2, 9, 4)
    sizes = [(9, 4, 9, 12, fw, 0, "0.5"), (9, 9, 4, 12, fw, 0, "0.5")]
    causal = Call(lambda self, q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True, enable_gqa=True))
    found = matmuls(causal, q, k)
    check("causal attention", rows(found), sizes)
    check("fused scores stay on the chip", [run.kept for run in found.runs], ["c", "a"])
    masked = Call(lambda self, q, k: F.scaled_dot_product_attention(
        q, k, k, attn_mask=torch.ones(9, 9, dtype=torch.bool).tril(), enable_gqa=True))
    check("a known mask", rows(matmuls(masked, q, k)), sizes)
    window = Call(lambda self, q: F.scaled_dot_product_attention(
        q, q, q, attn_mask=torch.ones(9, 9).tril().triu(-2).bool()))
    check("a window", [row[-1] for row in rows(matmuls(window, q))], [f"{24 / 81:.9g}"] * 2)
    hidden = Call(lambda self, q, m: F.scaled_dot_product_attention(q, q, q, attn_mask=m))
    check("a hidden mask", [row[-1] for row in rows(matmuls(hidden, q, new(9, 9)))], ["", ""])
    eager = Call(lambda self, q: (q @ q.mT).masked_fill(~torch.ones(9, 9).tril().bool(), -1e9).softmax(-1) @ q)
    check("a causal mask with more keys", [row[-1] for row in rows(matmuls(Call(
        lambda self, q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True)), new(1, 2, 3, 4), new(1, 2, 5, 4)))],
        ["0.4", "0.4"])
    biased = Call(lambda self, q: F.softmax(q @ q.mT + self.bias, -1) @ q, bias=nn.Parameter(torch.empty(9, 9)))
    check("a learned bias may contain a mask", [row[-1] for row in rows(matmuls(biased, q))], ["", ""])
    check("eager causal attention", rows(matmuls(eager, q)), sizes)
    from torch.nn.attention.flex_attention import flex_attention
    check("flex_attention", rows(matmuls(Call(lambda self, q: flex_attention(q, q, q)), q)),
          [(9, 4, 9, 12, fw, 0, ""), (9, 9, 4, 12, fw, 0, "")])
    grouped = Call(lambda self, x, ends: F.grouped_mm(x, self.w, offs=ends), w=nn.Parameter(new(3, 8, 16, dtype=torch.bfloat16)))
    ends = new(3, dtype=torch.int32)
    check("experts", rows(matmuls(grouped, new(12, 8, dtype=torch.bfloat16), ends)), [(4, 8, 16, 3, fw, 384, "1")])
    check("experts with a remainder", rows(matmuls(grouped, new(14, 8, dtype=torch.bfloat16), ends)),
          [(5, 8, 16, 2, fw, 256, "1"), (4, 8, 16, 1, fw, 128, "1")])
    # FlopCounterMode does not know grouped_mm: the formula is the only count.
    check("experts, training", flops(matmuls(grouped, new(14, 8, dtype=torch.bfloat16), ends, train=True)), 2 * 2 * 14 * 8 * 16)
    tied = Call(lambda self, ids: self.head(self.table(ids)), table=nn.Embedding(10, 4), head=nn.Linear(4, 10, bias=False))
    tied.head.weight = tied.table.weight
    check("a tied table", [(row["weights"], row["shared"]) for row in matmuls(tied, torch.zeros(2, 3, dtype=torch.int64)).rows()],
          [(40, "table.weight")])
    inner = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4))
    again = Call(lambda self, x: checkpoint(self.inner, self.first(x), use_reentrant=False), inner=inner, first=nn.Linear(4, 4))
    found = matmuls(again, torch.empty(5, 4), train=True)
    # PyTorch stops as soon as it has all activations, which is before the last layer.
    check("a checkpoint", flops(found, "recomputed"), 2 * 5 * 4 * 6)
    check("gradients with a checkpoint", flops(found, ig, wg), 2 * (2 * 5 * 4 * 6 * 2) + 2 * 5 * 4 * 4)
    # A reentrant checkpoint computes its forward pass without gradients, and the whole part again.
    reentrant = Call(lambda self, x: checkpoint(self.inner, self.first(x), use_reentrant=True), inner=inner, first=nn.Linear(4, 4))
    found = matmuls(reentrant, torch.empty(5, 4), train=True)
    check("a reentrant checkpoint", flops(found, "recomputed"), 2 * 2 * 5 * 4 * 6)
    check("gradients with a reentrant checkpoint", flops(found, ig, wg), 2 * (2 * 5 * 4 * 6 * 2) + 2 * 5 * 4 * 4)
    layer = nn.TransformerEncoderLayer(12, 3, 20, dropout=0, batch_first=True)
    found, same = (matmuls(Call(lambda self, x: checkpoint(self.layer, self.first(x), use_reentrant=is_reentrant), layer=layer,
                                first=nn.Linear(12, 12)), x, train=True) for is_reentrant in (True, False))
    check("attention in a reentrant checkpoint", sorted(map(str, found.rows())), sorted(map(str, same.rows())))
    without = Call(lambda self, x: self.last(torch.no_grad()(self.first)(x)), first=nn.Linear(4, 4), last=nn.Linear(4, 3))
    check("a part without gradients", [row[4] for row in rows(matmuls(without, torch.empty(5, 4), train=True))], [fw, fw, wg])
    frozen = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 3))
    frozen[0].requires_grad_(False)
    check("a frozen layer", [row[4] for row in rows(matmuls(frozen, torch.empty(5, 4), train=True))], [fw, fw, wg])
    chosen = Call(lambda self, x: self.a(x[x.sum(-1) > 0]), a=nn.Linear(4, 4))
    check("values that a trace lacks", "needs values for aten::index" in refusal(lambda: matmuls(chosen, torch.empty(5, 4))), True)
    by_input = Call(lambda self, x, n: self.a(x) if n.item() > 1 else x, a=nn.Linear(4, 4))
    check("whole numbers of an input", flops(matmuls(by_input, torch.empty(5, 4), torch.tensor(2))), 2 * 5 * 4 * 4)
    scaled = Call(lambda self, x: x @ (self.w.to(torch.float32) * self.s))
    scaled.register_buffer("w", torch.zeros(8, 16, dtype=torch.int8))
    scaled.register_buffer("s", torch.zeros(16))
    check("quantized weights in a buffer", rows(matmuls(scaled, torch.empty(5, 8))), [(5, 8, 16, 1, fw, 128, "1")])
    check("buffers are left as they were", scaled.w.sum().item() == 0 and scaled.w.device.type == "cpu", True)
    lora = Call(lambda self, x: x @ (self.w + self.a @ self.b), w=nn.Parameter(torch.empty(8, 8)),
                a=nn.Parameter(torch.empty(8, 2)), b=nn.Parameter(torch.empty(2, 8)))
    check("merged LoRA", rows(matmuls(lora, torch.empty(5, 8))), [(8, 2, 8, 1, fw, 16, "1"), (5, 8, 8, 1, fw, 64, "1")])


def stated(found):
    """Returns batch and sequence as the table states them."""
    line = str(found).splitlines()[2]
    numbers = (re.search(rf"; {name}=(\d+)", line) for name in ("batch", "sequence"))
    return tuple(number and int(number[1]) for number in numbers)


def check_sizes(torch, nn):
    """Batch and sequence of inputs: what the table states, and which numbers are refused."""
    tokens, rows_3d, rows_2d = torch.zeros(4, 6, dtype=torch.int64), torch.zeros(2, 9, 12), torch.zeros(18, 12)
    linear, lookup = nn.Linear(12, 12), nn.Sequential(nn.Embedding(50, 12), nn.Linear(12, 50))

    class Words(nn.Module):
        def __init__(self, **keys):
            super().__init__()
            self.table, self.layer = nn.Embedding(50, 12), nn.LSTM(12, 12, **keys)

        def forward(self, ids):
            return self.layer(self.table(ids))[0]

    for name, model, inputs, sizes, want in (
            ("tokens", lookup, (tokens,), {}, (4, 6)), ("tokens, stated", lookup, (tokens,), {"batch": 4, "sequence": 6}, (4, 6)),
            ("batch first", nn.TransformerEncoderLayer(12, 3, 20, batch_first=True), (rows_3d,), {}, (2, 9)),
            ("sequence first", nn.TransformerEncoderLayer(12, 3, 20), (rows_3d,), {}, (9, 2)),
            ("an LSTM, batch first", Words(batch_first=True), (tokens,), {}, (4, 6)),
            ("an LSTM with an unknown order", Words(), (tokens,), {}, (None, None)),
            ("no attention", linear, (rows_3d,), {}, (None, None)),
            ("no attention, stated", linear, (rows_3d,), {"batch": 2, "sequence": 9}, (2, 9)),
            ("two sequences", nn.TransformerDecoderLayer(12, 3, 20, batch_first=True), (rows_3d, torch.zeros(2, 7, 12)), {},
             (None, None)),
            ("rows", linear, (rows_2d,), {}, (None, None)), ("rows, stated", linear, (rows_2d,), {"batch": 2, "sequence": 9}, (2, 9)),
            ("images", nn.Conv2d(3, 4, 3), (torch.zeros(5, 3, 8, 8),), {"batch": 5}, (5, None))):
        check(f"sizes, {name}", stated(matmuls(model, *inputs, sizes=sizes)), want)
    for name, model, inputs, sizes, says in (
            ("another batch", lookup, tokens, {"batch": 5}, "contradict --size batch=5, because their batch is 4"),
            ("another sequence", lookup, tokens, {"sequence": 5}, "contradict --size sequence=5, because their sequence is 6"),
            ("not of the inputs", linear, rows_3d, {"batch": 5}, "contradict --size batch=5, because their sizes are [2, 9, 12]"),
            ("another product", linear, rows_2d, {"batch": 2, "sequence": 18}, "because they have 18 rows"),
            ("no divisor", linear, rows_2d, {"batch": 4}, "because they have 18 rows"),
            ("nothing", linear, rows_2d, {"batch": 0}, "because they have 18 rows"),
            ("an unknown name", linear, rows_2d, {"foo": 3}, "--size foo=3 has no effect, because this model reads only the sizes "
                                                             "batch, sequence: correct the name.")):
        check(f"sizes, {name}", says in refusal(lambda: matmuls(model, inputs, sizes=sizes)), True)


def check_own_attention(torch, nn, F, Call):
    """PyTorch's attention modules, by the same attention of linear layers and scaled_dot_product_attention."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils.flop_counter import FlopCounterMode

    batch, length, size, heads, inner = 2, 9, 12, 3, 20

    def attend(block, x, memory, mask, is_causal=False):
        """The same attention as nn.MultiheadAttention, without its masks of padding."""
        def split(y):
            return y.unflatten(-1, (heads, size // heads)).transpose(1, 2)

        w, b = block.in_proj_weight, block.in_proj_bias
        if memory is x:
            q, k, v = F.linear(x, w, b).chunk(3, -1)
        else:
            q, (k, v) = F.linear(x, w[:size], b[:size]), F.linear(memory, w[size:], b[size:]).chunk(2, -1)
        y = F.scaled_dot_product_attention(*map(split, (q, k, v)), attn_mask=mask, is_causal=is_causal)
        return F.linear(y.transpose(1, 2).flatten(2), block.out_proj.weight, block.out_proj.bias)

    def layer(block, x, memory, mask, is_causal):
        x = block.norm1(x + attend(block.self_attn, x, x, mask, is_causal))
        if memory is not None:
            x = block.norm2(x + attend(block.multihead_attn, x, memory, None))
        return x + block.linear2(F.relu(block.linear1(x)))

    def table(found):
        """Returns count and weights by M, K, N, role, kept and masked, whatever the layers are called."""
        found.runs = [run._replace(name="") for run in found.runs]
        return sorted(tuple(row[key] for key in COLUMNS if key not in ("name", "shared")) for row in found.rows())

    x, memory = torch.zeros(batch, length, size), torch.zeros(batch, 7, size)
    causal = nn.Transformer.generate_square_subsequent_mask(length)
    padded = torch.zeros(batch, length, dtype=torch.bool)
    padded[1, -2:] = True
    seen = (causal == 0) & ~padded[:, None, None]
    # Arguments of the module, and the mask and the hint of the same attention.
    masks = (("without a mask", {}, None, False), ("a causal mask", {"mask": causal}, None, True),
             ("a causal mask of booleans", {"mask": causal != 0}, None, True),
             ("a causal mask and its hint", {"mask": causal, "is_causal": True}, None, True),
             ("padding", {"padding": padded}, ~padded[:, None, None].expand(-1, -1, length, -1), False),
             ("padding and a causal mask", {"mask": causal, "padding": padded}, seen, False))
    for name, given, mask, is_causal in masks:
        for is_eval, train in ((True, False), (False, False), (False, True), (True, True)):
            attention = nn.MultiheadAttention(size, heads, batch_first=True).train(not is_eval)
            block = nn.TransformerEncoderLayer(size, heads, inner, dropout=0, batch_first=True).train(not is_eval)
            decoder = nn.TransformerDecoderLayer(size, heads, inner, dropout=0, batch_first=True).train(not is_eval)

            def names(mask, padding, causal=None, given=given):
                renamed = {"mask": mask, "padding": padding, "is_causal": causal or "is_causal"}
                return {renamed[key]: value for key, value in given.items()}

            pairs = (
                ("MultiheadAttention", matmuls(attention, x, x, x, need_weights=False, train=train,
                                               **names("attn_mask", "key_padding_mask")),
                 Call(lambda self, x: attend(self.part, x, x, mask, is_causal), part=attention), (x,)),
                ("TransformerEncoderLayer", matmuls(block, x, train=train, **names("src_mask", "src_key_padding_mask")),
                 Call(lambda self, x: layer(self.part, x, None, mask, is_causal), part=block), (x,)),
                ("TransformerEncoder", matmuls(nn.TransformerEncoder(block, 1).train(not is_eval), x, train=train,
                                               **names("mask", "src_key_padding_mask")),
                 Call(lambda self, x: layer(self.part, x, None, mask, is_causal), part=block), (x,)),
                ("TransformerDecoderLayer", matmuls(decoder, x, memory, train=train, **names(
                    "tgt_mask", "tgt_key_padding_mask", "tgt_is_causal")),
                 Call(lambda self, x, m: layer(self.part, x, m, mask, is_causal), part=decoder), (x, memory)))
            step = f"{'eval' if is_eval else 'train'} mode, {'backward' if train else 'forward'}"
            for kind, found, same, inputs in pairs:
                check(f"{kind}, {name}, {step}: one kernel", "softmax" in str(found), False)
                check(f"{kind}, {name}, {step}", table(found), table(matmuls(same, *inputs, train=train)))
    # With weights as a result, PyTorch runs no fused attention, and the mask is in a sum of three matrices.
    attention = nn.MultiheadAttention(size, heads, batch_first=True)
    for name, given, share in (("a causal mask", {"attn_mask": causal}, "0.5"),
                               ("padding", {"key_padding_mask": padded}, f"{16 / 18:.9g}")):
        found = matmuls(attention, x, x, x, **given)
        check(f"weights of attention, {name}", [(row["kept"], row["masked"]) for row in found.rows() if not row["weights"]],
              [("", share)] * 2)
    unused = Call(lambda self, q: F.softmax(torch.baddbmm(torch.empty(6, 9, 9), q, q.mT, beta=0), -1) @ q)
    check("a sum with a factor of 0 is not a mask", [row[-1] for row in rows(matmuls(unused, torch.empty(6, 9, 4)))], ["1", "1"])
    # The counter counts fused attention as one operation unless it is divided into its matmuls.
    for module, inputs in ((nn.TransformerEncoderLayer(size, heads, inner, dropout=0, batch_first=True), (x,)),
                           (nn.TransformerDecoderLayer(size, heads, inner, dropout=0, batch_first=True), (x, memory))):
        with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
            module(*inputs).sum().backward()
        check(f"{type(module).__name__}, counted", flops(matmuls(module, *inputs, train=True)), counter.get_total_flops())


def check_jax():
    """Functions of JAX, by XLA's cost analysis or by formulas."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.sharding import Mesh, PartitionSpec as P

    def shape(*sizes, dtype=jnp.float32):
        return jax.ShapeDtypeStruct(sizes, dtype)

    def xla(function, *inputs):
        return int(jax.jit(function).lower(*inputs).compile().cost_analysis()["flops"])

    a, b = shape(16, 24), shape(24, 40)
    for name, function, inputs in (
            ("dot", lambda a, b: a @ b, (a, b)),
            ("batched dot", lambda a, b: jnp.einsum("bij,bjk->bik", a, b), (shape(3, 16, 24), shape(3, 24, 40))),
            ("einsum", lambda a, b: jnp.einsum("bshd,bthd->bhst", a, b), (shape(2, 9, 3, 8), shape(2, 11, 3, 8))),
            ("matrix times vector", lambda a, b: a @ b, (a, shape(24))),
            ("convolution", lambda x, w: lax.conv(x, w, (1, 1), "VALID"), (shape(2, 3, 12, 12), shape(8, 3, 3, 3))),
            ("vmap", jax.vmap(lambda a, b: a @ b, (0, None)), (shape(5, 16, 24), b))):
        check(f"jax, {name}", flops(matmuls(function, *inputs)), xla(function, *inputs))

    def layers(x, w, unroll):
        return lax.scan(lambda x, w: (x @ w, None), x, w, unroll=unroll)[0]

    x, w = shape(16, 24), shape(6, 24, 24)
    # XLA counts the body of a scan once, so that the reference is the unrolled scan.
    check("jax, scan", flops(matmuls(lambda x, w: layers(x, w, 1), x, w)),
          xla(lambda x, w: layers(x, w, 6), x, w))
    stacked = matmuls(lambda p, x: layers(x, p["w"], 1), {"w": w}, x)
    check("jax, weights of a scan", rows(stacked), [(16, 24, 24, 6, "forward", 6 * 24 * 24, "1")])
    one = 2 * 16 * 24 * 24
    loss = lambda p, x: layers(x, p["w"], 1).sum()  # noqa: E731
    gradient = matmuls(jax.grad(loss), {"w": w}, x)
    check("jax, gradient", [flops(gradient, role) // one for role in ("forward", "recomputed", "input-gradient", "weight-gradient")],
          [6, 0, 6, 6])
    body = jax.checkpoint(lambda x, w: (jnp.sin(x @ w) @ w, None))
    twice = matmuls(jax.grad(lambda p, x: lax.scan(body, x, p["w"])[0].sum()), {"w": w}, x)
    check("jax, checkpoint", [flops(twice, role) // one for role in ("forward", "recomputed", "input-gradient", "weight-gradient")],
          [12, 6, 12, 12])
    q = shape(2, 9, 3, 8)
    causal = matmuls(lambda q: jax.nn.dot_product_attention(q, q, q, is_causal=True), q)
    check("jax, causal attention", (flops(causal), {run.masked for run in causal.runs}), (2 * 2 * 2 * 3 * 9 * 9 * 8, {0.5}))
    def attend(p, x):
        heads = (x @ p["w"]).reshape(2, 9, 3, 8)
        return jax.nn.dot_product_attention(heads, heads, heads).sum()

    attention = jax.grad(attend), {"w": shape(24, 24)}, shape(2, 9, 24)
    check("jax, sizes of attention", stated(matmuls(*attention)), (2, 9))
    tables = {"table": shape(50, 24), "w": shape(24, 24)}, shape(4, 6, dtype=jnp.int32)
    words = (lambda p, ids: p["table"][ids] @ p["w"]), *tables
    check("jax, sizes of tokens", stated(matmuls(*words)), (4, 6))
    check("jax, unknown sizes", stated(matmuls(lambda p, x: x @ p["w"], {"w": shape(24, 24)}, shape(2, 9, 24))), (None, None))
    steps = [re.search(r"^# traced: .*(forward pass|training step) \(.*, (.*)\)", str(matmuls(*one)), re.M).groups()
             for one in (words, attention)]
    check("jax, steps", steps, [("forward pass", "add --train"), ("training step", "trace your function without jax.grad")])
    # The reference is the gradient that the caller writes.
    for name, function, inputs in (("a loss", loss, ({"w": w}, x)), ("attention", attend, attention[1:]),
                                   ("several results", lambda p, x: (x @ p["w"][0], (x @ p["w"][1], 3)), ({"w": w}, x))):
        total = lambda p, x, function=function: sum(jnp.sum(y) for y in jax.tree.leaves(function(p, x)))  # noqa: E731
        found, want = matmuls(function, *inputs, train=True), matmuls(jax.grad(total), *inputs)
        check(f"jax, training of {name}", (rows(found), found.step()), (rows(want), ("training step", "for a forward pass, leave out --train")))
    check("jax, training of a gradient", "already computes gradients: leave out --train." in refusal(
        lambda: matmuls(*attention, train=True)), True)
    check("jax, another batch", "contradict --size batch=9, because their batch is 2" in refusal(
        lambda: matmuls(*attention, sizes={"batch": 9})), True)
    check("jax, a size without effect", "--size trips=3 has no effect" in refusal(lambda: matmuls(*words, sizes={"trips": 3})), True)
    constant = jnp.where(jnp.tri(9, dtype=bool), 0.0, -1e9)
    added = matmuls(lambda q: jax.nn.softmax(q @ q.T + constant) @ q, shape(9, 4))
    check("jax, a constant mask", [row[-1] for row in rows(added)], ["0.5", "0.5"])
    masked = matmuls(lambda p, x: jax.nn.dot_product_attention(x * p["w"], x, x, is_causal=True).sum(), {"w": shape(3, 8)}, q, train=True)
    check("jax, masks of gradients", {run.masked for run in masked.runs}, {0.5})
    check("jax, a table on the left", rows(matmuls(lambda p, x: p["w"] @ x, {"w": shape(40, 24)}, shape(24, 16))),
          [(16, 24, 40, 1, "forward", 960, "1")])
    closed = jnp.ones((24, 40))
    check("jax, a constant table", rows(matmuls(lambda a: a @ closed.astype(jnp.bfloat16), a)), [
        (16, 24, 40, 1, "forward", 960, "1")])
    ragged = matmuls(lambda p, x, n: lax.ragged_dot(x, p["w"], n), {"w": shape(3, 8, 16)}, shape(14, 8), shape(3, dtype=jnp.int32))
    check("jax, experts", rows(ragged), [(5, 8, 16, 2, "forward", 256, "1"), (4, 8, 16, 1, "forward", 128, "1")])
    loop = lambda x: lax.while_loop(lambda x: x.sum() < 9, lambda x: x @ x, x)  # noqa: E731
    check("jax, while asks", "--size trips=NUMBER" in refusal(lambda: matmuls(loop, shape(4, 4))), True)
    check("jax, while", flops(matmuls(loop, shape(4, 4), sizes={"trips": 7})), 7 * 2 * 64)
    check("jax, fori_loop", flops(matmuls(lambda x: lax.fori_loop(0, 5, lambda _, x: x @ x, x), shape(4, 4))), 5 * 2 * 64)
    branch = lambda x: lax.cond(x.sum() > 0, lambda x: x @ x, lambda x: x, x)  # noqa: E731
    equal = lambda x: lax.cond(x.sum() > 0, lambda x: x @ x, lambda x: x @ x.T, x)  # noqa: E731
    check("jax, equal branches", flops(matmuls(equal, shape(4, 4))), 2 * 64)
    check("jax, another branch", "branch = 2: use a number from 0 to 1." in refusal(
        lambda: matmuls(branch, shape(4, 4), sizes={"branch": 2})), True)
    check("jax, branches ask", "--size branch=NUMBER" in refusal(lambda: matmuls(branch, shape(4, 4))), True)
    custom = jax.custom_vjp(lambda a, b: a @ b)
    custom.defvjp(lambda a, b: (a @ b, (a, b)), lambda kept, g: (g @ kept[1].T, kept[0].T @ g))
    check("jax, custom_vjp", flops(matmuls(jax.grad(lambda a, b: custom(a, b).sum(), (0, 1)), a, b)), 3 * 2 * 16 * 24 * 40)
    with tempfile.TemporaryDirectory() as folder:
        def text(function, *inputs, sizes=None):
            path = Path(folder) / "program.mlir"
            path.write_text(function if isinstance(function, str) else jax.jit(function).lower(*inputs).as_text())
            return matmuls(path, sizes=sizes)

        # The reference is the jaxpr of the same function.
        branches = lambda x: lax.cond(x.sum() > 0, lambda x: x @ x, lambda x: x, x)  # noqa: E731
        for name, function, inputs, sizes in (
                ("einsum", lambda a, b: jnp.einsum("bshd,bthd->bhst", a, b), (shape(2, 9, 3, 8), shape(2, 11, 3, 8)), {}),
                ("scan", lambda x, w: layers(x, w, 1), (x, w), {}),
                ("gradient", jax.grad(lambda w, x: layers(x, w, 1).sum()), (w, x), {}),
                ("convolution", lambda x, w: lax.conv(x, w, (1, 1), "VALID"), (shape(2, 3, 12, 12), shape(8, 3, 3, 3)), {}),
                ("while", loop, (shape(4, 4),), {"trips": 7}), ("branch", branches, (shape(4, 4),), {"branch": 1})):
            check(f"stablehlo, {name}", flops(text(function, *inputs, sizes=sizes)), flops(matmuls(function, *inputs, sizes=sizes)))
        check("stablehlo, while asks", "--size trips=NUMBER" in refusal(lambda: text(loop, shape(4, 4))), True)
        # JAX lowers experts to a dense matmul on a CPU.
        types = "(tensor<14x8xf32>, tensor<3x8x16xf32>, tensor<3xi32>) -> tensor<14x16xf32>"
        ragged = f"""func.func @main(%x: tensor<14x8xf32>, %w: tensor<3x8x16xf32>, %n: tensor<3xi32>) {{
            %0 = "chlo.ragged_dot"(%x, %w, %n) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<
                lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
                rhs_group_dimensions = [0]>}}> : {types}
            return }}"""
        check("stablehlo, experts", rows(text(ragged)), [(5, 8, 16, 2, "forward", 0, "1"), (4, 8, 16, 1, "forward", 0, "1")])
        other = "func.func @main(%a: tensor<4x4xf32>) { %0 = tosa.matmul %a, %a : tensor<4x4xf32> return }"
        words = text(lambda p, ids: p["table"][ids] @ p["w"], *tables)
        check("stablehlo, sizes of tokens", stated(words), (4, 6))
        check("stablehlo, the step is unknown", "; run of a program (for a training step, trace the function as" in str(words), True)
        dynamic = """func.func @main(%a: tensor<?x4xf32>) { %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1]
            : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32> return }"""
        check("stablehlo, a dynamic size", "program.mlir multiplies a tensor<?x4xf32>, whose sizes have no number" in refusal(
            lambda: text(dynamic)), True)
        check("stablehlo, another dialect", "Dialect `tosa' not found" in refusal(lambda: text(other)), True)
    mesh = Mesh(jax.devices()[:1], "d")
    mapped = matmuls(jax.shard_map(lambda a, b: a @ b, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d")), a, b)
    check("jax, shard_map", (flops(mapped), "of one of 1 devices" in str(mapped)), (2 * 16 * 24 * 40, True))


def check_onnx():
    """ONNX graphs, by formulas."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    def model(nodes, inputs, weights=(), outputs=("y",), functions=(), opset=23):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs.items()]
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        stored = [numpy_helper.from_array(np.zeros(dims, np.float32), name) for name, dims in dict(weights).items()]
        graph = helper.make_graph(nodes, "g", values, ends, stored)
        imports = [helper.make_opsetid(*pair) for pair in (("", opset), ("own", 1), ("com.microsoft", 1))]
        return helper.make_model(graph, opset_imports=imports, functions=functions)

    node, fw = helper.make_node, "forward"
    w = {"w": (8, 16)}
    for name, graph, sizes, want in (
            ("MatMul", model([node("MatMul", ["x", "w"], ["y"])], {"x": ("batch", 5, 8)}, w), {"batch": 3},
             [(15, 8, 16, 1, fw, 128, "1")]),
            ("Gemm", model([node("Gemm", ["x", "w"], ["y"], transB=1)], {"x": (5, 16)}, w), {}, [(5, 16, 8, 1, fw, 128, "1")]),
            ("transA", model([node("Gemm", ["x", "w"], ["y"], transA=1)], {"x": (8, 5)}, w), {}, [(5, 8, 16, 1, fw, 128, "1")]),
            ("a weight on the left", model([node("MatMul", ["w", "x"], ["y"])], {"x": (16, 5)}, w), {}, [(5, 16, 8, 1, fw, 128, "1")]),
            ("LSTM, batch first", model([node("LSTM", ["x", "a", "b"], ["y"], hidden_size=7, layout=1)], {"x": (2, 11, 5)},
                                        {"a": (1, 28, 5), "b": (1, 28, 7)}), {},
             [(22, 5, 28, 1, fw, 140, "1"), (2, 7, 28, 11, fw, 196, "1")]),
            ("Attention with a cache", model([node("Attention", ["x", "z", "z", "", "p", "p"], ["y", "", ""], q_num_heads=6, kv_num_heads=2)],
                                             {"x": (2, 1, 24), "z": (2, 1, 8), "p": (2, 2, 9, 4)}), {},
             [(1, 4, 10, 12, fw, 0, "1"), (1, 10, 4, 12, fw, 0, "1")]),
            ("a converted weight", model([node("Transpose", ["w"], ["t"]), node("Cast", ["t"], ["c"], to=1),
                                          node("MatMul", ["x", "c"], ["y"])], {"x": (5, 16)}, w), {},
             [(5, 16, 8, 1, fw, 128, "1")]),
            ("Conv", model([node("Conv", ["x", "k"], ["y"], group=2, pads=[1, 1, 1, 1])], {"x": (2, 6, 10, 10)}, {"k": (8, 3, 3, 3)}),
             {}, [(200, 27, 4, 2, fw, 216, "1")]),
            ("ConvTranspose", model([node("ConvTranspose", ["x", "k"], ["y"], strides=[2, 2])], {"x": (1, 4, 5, 5)},
                                    {"k": (4, 6, 2, 2)}), {}, [(25, 4, 24, 1, fw, 96, "1")]),
            ("LSTM", model([node("LSTM", ["x", "a", "b"], ["y"], hidden_size=7)], {"x": (11, 2, 5)}, {"a": (1, 28, 5), "b": (1, 28, 7)}),
             {}, [(22, 5, 28, 1, fw, 140, "1"), (2, 7, 28, 11, fw, 196, "1")]),
            ("Einsum", model([node("Einsum", ["x", "z"], ["y"], equation="bij,bkj->bik")], {"x": (3, 4, 5), "z": (3, 6, 5)}), {},
             [(4, 5, 6, 3, fw, 0, "1")]),
            ("attention of matmuls", model([node("MatMul", ["x", "z"], ["s"]), node("Softmax", ["s"], ["p"]),
                                            node("MatMul", ["p", "x"], ["y"])], {"x": (2, 3, 9, 4), "z": (2, 3, 4, 9)}), {},
             [(9, 4, 9, 6, fw, 0, "1"), (9, 9, 4, 6, fw, 0, "1")]),
            ("Attention", model([node("Attention", ["x", "z", "z"], ["y"], is_causal=1, q_num_heads=6, kv_num_heads=2)],
                                {"x": (2, 9, 24), "z": (2, 9, 8)}), {}, [(9, 4, 9, 12, fw, 0, "0.5"), (9, 9, 4, 12, fw, 0, "0.5")]),
            ("a function", model([node("Own", ["x", "w"], ["y"], domain="own")], {"x": (5, 8)}, w, functions=[
                helper.make_function("own", "Own", ["a", "b"], ["c"], [node("MatMul", ["a", "b"], ["c"])],
                                     [helper.make_opsetid("", 23)])]), {}, [(5, 8, 16, 1, fw, 128, "1")])):
        check(f"onnx, {name}", rows(matmuls(graph, sizes=sizes)), want)

    def attend(*inputs, **shapes):
        heads = model([node("MultiHeadAttention", inputs, ["y"], domain="com.microsoft", num_heads=6)], shapes)
        return rows(matmuls(heads))

    q, keys = {"x": (2, 9, 24)}, {"x": (2, 1, 24), "p": (2, 6, 9, 4)}
    for name, got, want in (
            ("heads", attend("x", "x", "x", **q), [(9, 4, 9, 12, fw, 0, "1"), (9, 9, 4, 12, fw, 0, "1")]),
            ("heads with a mask", attend("x", "x", "x", "", "m", **q, m=(2, 9)), [(9, 4, 9, 12, fw, 0, ""), (9, 9, 4, 12, fw, 0, "")]),
            ("heads with a cache", attend("x", "x", "x", "", "", "", "p", "p", **keys),
             [(1, 4, 10, 12, fw, 0, "1"), (1, 10, 4, 12, fw, 0, "1")])):
        check(f"onnx, {name}", got, want)

    def inner(nodes, inputs=(), outputs=("o",)):
        values = [helper.make_tensor_value_info(name, kind, dims) for name, kind, dims in inputs]
        return helper.make_graph(nodes, "inner", values, [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs])

    loop = inner([node("Identity", ["go"], ["next"]), node("MatMul", ["s", "v"], ["o"])],
                 (("i", TensorProto.INT64, ()), ("go", TensorProto.BOOL, ()), ("s", TensorProto.FLOAT, (5, 8))), ("next", "o"))
    for name, trips in (("Loop", 4), ("Loop asks", None)):
        graph = model([node("Loop", ["n", "", "x"], ["y"], body=loop)], {"x": (5, 8)}, {"v": (8, 8)})
        number = numpy_helper.from_array(np.array(trips or 0, np.int64), "n")
        if trips:
            graph.graph.initializer.append(number)
            check(f"onnx, {name}", rows(matmuls(graph)), [(5, 8, 8, 4, fw, 64, "1")])
        else:
            graph.graph.input.append(helper.make_tensor_value_info("n", TensorProto.INT64, ()))
            check(f"onnx, {name}", "--size trips=NUMBER" in refusal(lambda: matmuls(graph)), True)
    step = inner([node("MatMul", ["s", "v"], ["next"]), node("Identity", ["e"], ["o"])],
                 (("s", TensorProto.FLOAT, (5, 8)), ("e", TensorProto.FLOAT, (3,))), ("next", "o"))
    graph = model([node("Scan", ["x", "all"], ["y", "z"], body=step, num_scan_inputs=1)], {"x": (5, 8), "all": (6, 3)}, {"v": (8, 8)},
                  ("y", "z"))
    check("onnx, Scan", rows(matmuls(graph)), [(5, 8, 8, 6, fw, 64, "1")])
    both = [inner([node("MatMul", ["x", "w"], ["o"])]), inner([node("Identity", ["x"], ["o"])])]
    graph = model([node("If", ["c"], ["y"], then_branch=both[0], else_branch=both[1])], {"x": (5, 8)}, w)
    graph.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, ()))
    check("onnx, If asks", "--size branch=NUMBER" in refusal(lambda: matmuls(graph)), True)
    check("onnx, If", rows(matmuls(graph, sizes={"branch": 0})), [(5, 8, 16, 1, fw, 128, "1")])
    check("onnx, sizes by name", "--size batch=NUMBER" in refusal(
        lambda: matmuls(model([node("MatMul", ["x", "w"], ["y"])], {"x": ("batch", 8)}, w))), True)
    check("onnx, another name", "--size m=3 has no effect, because this model reads only the sizes batch, n, sequence: correct" in refusal(
        lambda: matmuls(model([node("MatMul", ["x", "w"], ["y"])], {"x": ("n", 8)}, w), sizes={"m": 3, "n": 4})), True)
    check("onnx, another batch", "contradict --size batch=3, because they have 5 rows" in refusal(
        lambda: matmuls(model([node("MatMul", ["x", "w"], ["y"])], {"x": (5, 8)}, w), sizes={"batch": 3})), True)
    for name, dims, sizes in (("of tokens", (4, 6), {}), ("of open tokens", ("b", "s"), {"b": 4, "s": 6}),
                              ("of other tokens", ("sequence", "batch"), {"batch": 6, "sequence": 4})):
        tokens = model([node("Gather", ["table", "ids"], ["x"]), node("MatMul", ["x", "w"], ["y"])], {"ids": dims},
                       {"table": (50, 8), **w})
        tokens.graph.input[0].type.tensor_type.elem_type = TensorProto.INT64
        found = matmuls(tokens, sizes=sizes)
        # A file that calls its sizes batch and sequence may have them in any order.
        check(f"onnx, sizes {name}", stated(found), (6, 4) if "batch" in dims else (4, 6))
    vectors = [node("Transpose", ["x"], ["t"], perm=[0, 2, 1]), node("MatMul", ["x", "t"], ["s"]), node("Softmax", ["s"], ["p"]),
               node("MatMul", ["p", "x"], ["y"])]
    check("onnx, sizes of attention", stated(matmuls(model(vectors, {"x": (2, 9, 4)}))), (2, 9))
    rows_of = matmuls(model([node("MatMul", ["x", "w"], ["y"])], {"x": (5, 8)}, w))
    check("onnx, unknown sizes", (stated(rows_of), "with --size batch=B --size sequence=S." in rows_of.summary()), ((None, None), True))
    check("onnx, one runtime", "BiasGelu y of com.microsoft is an operation of one runtime" in refusal(
        lambda: matmuls(model([node("BiasGelu", ["x", "w"], ["y"], domain="com.microsoft")], {"x": (5, 8)}, w))), True)
    four_bits = node("MatMulNBits", ["x", "packed", "scales"], ["h"], domain="com.microsoft", K=32, N=16, bits=4, block_size=32)
    found = matmuls(model([four_bits, node("MatMul", ["h", "w"], ["y"])], {"x": (2, 5, 32)},
                          {"packed": (16, 1, 16), "scales": (16,), "w": (16, 8)}))
    check("onnx, weights of 4 bits", rows(found), [(10, 32, 16, 1, fw, 512, "1"), (10, 16, 8, 1, fw, 128, "1")])
    check("onnx, parameters of 4 bits", found.parameters, 512 + 128)


def check_weights():
    """Files of weights, written by their packages."""
    import gguf
    import numpy as np
    from safetensors.numpy import save_file

    def tensor(*shape, dtype=np.float16):
        return np.zeros(shape, dtype)

    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return str(Path(folder) / name)

        whole = {"model.embed_tokens.weight": tensor(50, 8), "model.layers.0.up.weight": tensor(16, 8),
                 "model.layers.0.norm.weight": tensor(8), "lm_head.weight": tensor(50, 8)}
        save_file(whole, path("model.safetensors"))
        sizes = {"batch": 2, "sequence": 3}
        check("safetensors", sorted(rows(matmuls(path("model.safetensors"), sizes=sizes))),
              [(6, 8, 16, 1, "forward", 128, "1"), (6, 8, 50, 1, "forward", 400, "1")])
        names = list(whole)
        for at in (0, 1):
            save_file({name: whole[name] for name in names[2 * at:2 * at + 2]}, path(f"part-0000{at + 1}-of-00002.safetensors"))
        first = path("part-00001-of-00002.safetensors")
        check("one shard", "one of 2 shards" in refusal(lambda: matmuls(first)), True)
        index = {"weight_map": {name: f"part-0000{1 + at // 2}-of-00002.safetensors" for at, name in enumerate(names)}}
        Path(path("model.safetensors.index.json")).write_text(json.dumps(index))
        check("all shards", len(matmuls(path("model.safetensors.index.json"), sizes=sizes).rows()), 2)
        for name, tensors, word in (
                ("a LoRA", {"a.lora_A.weight": tensor(4, 8)}, "adapter"),
                ("an optimizer", {"a.exp_avg": tensor(4, 8)}, "optimizer"),
                ("GPTQ", {"a.qweight": tensor(4, 8, dtype=np.int32)}, "packed"),
                ("packed bytes", {"a.weight": tensor(4, 8, dtype=np.uint8)}, "packed"),
                ("experts", {"l.experts.0.up.weight": tensor(4, 8), "l.experts.1.up.weight": tensor(4, 8)}, "experts_per_token"),
                ("no head", {"model.embed_tokens.weight": tensor(50, 8), "a.weight": tensor(8, 8)}, "--size tied=NUMBER")):
            save_file(tensors, path("odd.safetensors"))
            check(name, word in refusal(lambda: matmuls(path("odd.safetensors"))), True)

        def write(name, tensors, **keys):
            writer = gguf.GGUFWriter(path(name), "llama")
            for key, value in keys.items():
                getattr(writer, key)(value)
            for key, value in tensors.items():
                data = gguf.quants.quantize(value.astype(np.float32), gguf.GGMLQuantizationType.Q8_0)
                writer.add_tensor(key, data, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
            for step in ("write_header_to_file", "write_kv_data_to_file", "write_tensors_to_file", "close"):
                getattr(writer, step)()
            return path(name)

        tensors = {"token_embd.weight": tensor(50, 32), "blk.0.ffn_up_exps.weight": tensor(4, 16, 32)}
        quantized = write("model.gguf", tensors, add_expert_used_count=2)
        check("GGUF", sorted(rows(matmuls(quantized, sizes={"sequence": 6}))),
              [(3, 32, 16, 4, "forward", 2048, "1"), (6, 32, 50, 1, "forward", 1600, "1")])
        check("GGUF asks", "experts_per_token" in refusal(lambda: matmuls(write("open.gguf", tensors))), True)
        check("GGUF adapter", "adapter" in refusal(lambda: matmuls(write("lora.gguf", tensors, add_type="adapter"))), True)


def check_book():
    """Runs the five programs of docs/bring-your-own-model.md, and the notebook with the same models."""
    page = (ROOT / "docs" / "bring-your-own-model.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    check("five programs of at most five lines", [len(re.findall(r"^.+$", p, re.M)) <= 5 for p in programs], [True] * 5)
    # The programs import the installed package, whose only part here is the tracer.
    package = types.ModuleType("systolic_playground")
    package.matmuls = matmuls
    sys.modules["systolic_playground"] = package
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for program in programs:
            exec(program, {})
        layer = 2 * 8192 * (4 * 512 * 512 + 2 * 512 * 2048) + 2 * 2 * 64 * 1024 * 1024 * 64
        llama = 2 * 32768 * (16 * (2 * 2048 * 2048 + 2 * 2048 * 512 + 3 * 2048 * 8192) + 2048 * 32000)
        llama += 2 * 2 * 8 * 16 * 32 * 4096 * 4096 * 64
        # The input of the encoder layer has no gradient.
        want = {"pytorch.csv": 3 * layer - 2 * 8192 * 512 * 3 * 512, "hugging-face.csv": 3 * llama, "jax.csv": 5 * 2 * 4096 * 512 * 2048,
                "onnx.csv": 2 * 4096 * 512 * 2048, "safetensors.csv": 2 * 4096 * 512 * 2048}
        for name, total in want.items():
            text = Path(name).read_text(encoding="utf-8")
            check(f"book, {name}", re.search(r"flops=(\d+)", text)[1], str(total))
        notebook = json.loads((ROOT / "examples" / "notebook" / "models.ipynb").read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        check("a cell for each program of the page, after the first", len(cells), 1 + len(programs))
        values = {}
        for cell in cells:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec("".join(cell["source"]), values)
            check(f"notebook, {cell['source'][-1]}", printed.getvalue(), "".join(
                line for output in cell["outputs"] for line in output["text"]))


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[-1]).is_file():
        os.environ["SYSTOLIC"] = sys.argv.pop()
    for part in sys.argv[1:] or ["modules", "jax", "onnx", "weights", "book", "decode", "configs", "training", "torch"]:
        before = len(PASSED)
        globals()[f"check_{part}"]()
        print(f"{part}: {len(PASSED) - before} checks pass", flush=True)
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")
    sys.exit(bool(FAILED))
