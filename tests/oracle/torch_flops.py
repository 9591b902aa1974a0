"""Writes tests/golden/torch_flops.csv and tests/golden/configs: what PyTorch counts for the models of transformers.

Each family is built from a small configuration with unlike sizes, and from an empty one, which has the library's
defaults, on the meta device where nothing is computed. FlopCounterMode counts every product of matrices in a forward
pass with eager attention, masked products included. An outer product that makes rotary angles is
left out. `mm_flops` are products of plain matrices, `bmm_flops` those of batches of matrices: attention, and experts.

Needs Python with torch and transformers; no weights are downloaded. The golden files are committed, so only a change
of the cases needs this.
"""

import json
import logging
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
import transformers  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM  # noqa: E402

LLAMA = dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2, intermediate_size=112,
             vocab_size=211, head_dim=10)
PLAIN = {key: value for key, value in LLAMA.items() if key != "head_dim"}
GPT2 = dict(n_embd=48, n_layer=3, n_head=6, vocab_size=211)
BERT = dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, intermediate_size=112, vocab_size=211)
MLA = dict(hidden_size=48, num_hidden_layers=5, num_attention_heads=6, num_key_value_heads=6, intermediate_size=112,
           moe_intermediate_size=20, vocab_size=211, n_shared_experts=2, n_routed_experts=8, num_experts_per_tok=3,
           kv_lora_rank=14, qk_rope_head_dim=4, qk_nope_head_dim=9, v_head_dim=11, n_group=2, topk_group=1)
MOE = dict(PLAIN, num_experts_per_tok=2)

CASES = {
    "llama": LLAMA,
    "mistral": dict(LLAMA, sliding_window=8),
    "qwen2": dict(PLAIN, num_hidden_layers=5, use_sliding_window=True, sliding_window=8, max_window_layers=2),
    "qwen3": LLAMA,
    "gemma": LLAMA,
    "gemma2": dict(LLAMA, num_hidden_layers=5, sliding_window=8),
    "gemma3_text": dict(LLAMA, num_hidden_layers=8, sliding_window=8),
    "granite": PLAIN,
    "cohere": PLAIN,
    "cohere2": dict(PLAIN, num_hidden_layers=6, sliding_window=8),
    "stablelm": PLAIN,
    "olmo": PLAIN,
    "olmo2": PLAIN,
    "olmo3": dict(PLAIN, num_hidden_layers=6, sliding_window=8),
    "ministral": dict(LLAMA, sliding_window=8),
    "smollm3": dict(PLAIN, pad_token_id=0),
    "seed_oss": LLAMA,
    "hunyuan_v1_dense": LLAMA,
    "helium": dict(LLAMA, head_dim=8),
    "ernie4_5": LLAMA,
    "glm": dict(LLAMA, pad_token_id=0),
    "glm4": dict(LLAMA, pad_token_id=0),
    "arcee": PLAIN,
    "apertus": PLAIN,
    "nemotron": LLAMA,
    "phi": PLAIN,
    "phi3": dict(PLAIN, sliding_window=8, pad_token_id=0),
    "starcoder2": dict(PLAIN, sliding_window=8),
    "gpt2": GPT2,
    "gpt_bigcode": dict(GPT2, n_inner=100),
    "gptj": dict(GPT2, rotary_dim=4),
    "codegen": dict(GPT2, n_head=4, rotary_dim=4),
    "gpt_neox": dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, intermediate_size=112, vocab_size=211),
    "opt": dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, ffn_dim=112, vocab_size=211,
                word_embed_proj_dim=20, do_layer_norm_before=True, pad_token_id=0),
    "falcon": dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, vocab_size=211, num_kv_heads=2,
                   new_decoder_architecture=True),
    "bloom": dict(hidden_size=48, n_layer=3, n_head=6, vocab_size=211),
    "bert": BERT,
    "roberta": BERT,
    "xlm-roberta": BERT,
    "distilbert": dict(dim=48, n_layers=3, n_heads=6, hidden_dim=112, vocab_size=211),
    "t5": dict(d_model=48, d_kv=10, d_ff=112, num_layers=3, num_decoder_layers=2, num_heads=6, vocab_size=211),
    "mt5": dict(d_model=48, d_kv=10, d_ff=112, num_layers=2, num_heads=6, vocab_size=211),
    "mixtral": dict(MOE, num_local_experts=5, sliding_window=8),
    "olmoe": dict(MOE, num_experts=5),
    "qwen2_moe": dict(MOE, num_hidden_layers=6, num_experts=5, moe_intermediate_size=20,
                      shared_expert_intermediate_size=34, decoder_sparse_step=2, mlp_only_layers=[3]),
    "qwen3_moe": dict(MOE, num_experts=5, moe_intermediate_size=20, head_dim=10, mlp_only_layers=[0]),
    "phimoe": dict(MOE, num_local_experts=5),
    "granitemoe": dict(MOE, num_local_experts=5),
    "gpt_oss": dict(LLAMA, num_local_experts=5, num_experts_per_tok=2, sliding_window=8),
    "deepseek_v2": dict(MLA, q_lora_rank=None, qk_nope_head_dim=10, first_k_dense_replace=1),
    "deepseek_v3": dict(MLA, q_lora_rank=17, first_k_dense_replace=2),
}
ENCODERS = ["bert", "roberta", "xlm-roberta", "distilbert"]
PAIRS = ["t5", "mt5"]
# An empty configuration of these leaves something without a value, and the library cannot build it.
NO_DEFAULT = ["deepseek_v2", "hunyuan_v1_dense", "ministral", "nemotron"]


def build(family, keys):
    config = CONFIG_MAPPING[family](**keys)
    auto = AutoModelForMaskedLM if family in ENCODERS else AutoModelForSeq2SeqLM if family in PAIRS else AutoModelForCausalLM
    with torch.device("meta"):
        model = auto.from_config(config, attn_implementation="eager")
    # Experts as one batch of products: the shapes do not depend on where tokens go, so nothing need be computed.
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("batched_mm")
    return model.eval()


def ids(batch, tokens):
    return torch.zeros(batch, tokens, dtype=torch.long, device="meta")


def counted(model, **inputs):
    with torch.no_grad(), FlopCounterMode(display=False) as mode:
        model(**inputs)
    counts = mode.get_flop_counts()
    rotary = sum(sum(ops.values()) for name, ops in counts.items() if name.split(".")[-1].startswith("rotary_emb"))
    plain = sum(flops for op, flops in counts["Global"].items() if str(op) in ("aten.mm", "aten.addmm"))
    batched = sum(flops for op, flops in counts["Global"].items() if str(op) in ("aten.bmm", "aten.baddbmm"))
    assert plain + batched == mode.get_total_flops(), counts["Global"]
    return plain, batched - rotary


def runs(family, model, small):
    """Yields (phase, batch, sequence, context, counts)."""
    batch, tokens, context = (2, 13, 17) if small else (1, 32, 5000)
    if family in ENCODERS:
        tokens = min(tokens, 64)
        yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens))
        return
    if family in PAIRS:
        yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens), decoder_input_ids=ids(batch, tokens))
        with torch.no_grad():
            first = model(input_ids=ids(batch, context), decoder_input_ids=ids(batch, context), use_cache=True)
        kept = dict(encoder_outputs=(first.encoder_last_hidden_state,), past_key_values=first.past_key_values)
        yield "decode", batch, 1, context, counted(model, decoder_input_ids=ids(batch, 1), use_cache=True, **kept)
        return
    yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens))
    if "logits_to_keep" in model.forward.__code__.co_varnames or small and family in ("llama", "gpt2", "mixtral"):
        yield "prefill-last", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens), logits_to_keep=1)
    positions = getattr(model.config, "max_position_embeddings", None) or context + 1
    context = min(context, positions - 1)
    with torch.no_grad():
        cache = model(input_ids=ids(batch, context), use_cache=True).past_key_values
    yield "decode", batch, 1, context, counted(model, input_ids=ids(batch, 1), past_key_values=cache, use_cache=True)


def main(folder):
    configs = folder / "configs"
    configs.mkdir(exist_ok=True)
    with open(folder / "torch_flops.csv", "w", encoding="ascii") as out:
        out.write(f"# By torch {torch.__version__}, transformers {transformers.__version__}: tests/oracle/torch_flops.py\n")
        out.write("family,config,phase,batch,seq,context,flops,mm_flops,bmm_flops\n")
        for family, keys in CASES.items():
            (configs / f"{family}.json").write_text(json.dumps({"model_type": family, **keys}, indent=1) + "\n")
            for config in ["small", "default"]:
                if config == "default" and family in NO_DEFAULT:
                    continue
                model = build(family, keys if config == "small" else {})
                for phase, batch, tokens, context, (plain, batched) in runs(family, model, config == "small"):
                    row = [family, config, phase, batch, tokens, context, plain + batched, plain, batched]
                    out.write(",".join(map(str, row)) + "\n")


main(Path(sys.argv[1]))
