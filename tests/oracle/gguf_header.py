"""Writes tests/golden/mixtral.gguf.head, the header of a small model with experts in the format of llama.cpp, by the package gguf.

Needs Python with numpy and gguf. The golden file is committed, so only a change of the cases needs this.
"""

import sys
from pathlib import Path

import gguf
import numpy as np

HIDDEN, INNER, LAYERS, HEADS, KV_HEADS, VOCAB, EXPERTS, VISITED = 64, 96, 3, 4, 2, 211, 5, 2

whole = Path(sys.argv[1]).with_suffix(".whole")
writer = gguf.GGUFWriter(whole, "llama")
writer.add_block_count(LAYERS)
writer.add_embedding_length(HIDDEN)
writer.add_feed_forward_length(INNER)
writer.add_head_count(HEADS)
writer.add_head_count_kv(KV_HEADS)
writer.add_expert_count(EXPERTS)
writer.add_expert_used_count(VISITED)
writer.add_token_list([f"token{number}" for number in range(VOCAB)])
writer.add_token_scores([0.5] * VOCAB)


def add(name, *shape):
    """Adds a tensor of NumPy's order of sizes, quantized to 8 bits if its rows allow that."""
    values = np.zeros(shape, np.float32)
    if len(shape) > 1 and shape[-1] % 32 == 0:
        kind = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
    else:
        writer.add_tensor(name, values)


add("token_embd.weight", VOCAB, HIDDEN)
for layer in range(LAYERS):
    start = f"blk.{layer}."
    add(start + "attn_norm.weight", HIDDEN)
    add(start + "attn_q.weight", HIDDEN, HIDDEN)
    add(start + "attn_k.weight", HIDDEN * KV_HEADS // HEADS, HIDDEN)
    add(start + "attn_v.weight", HIDDEN * KV_HEADS // HEADS, HIDDEN)
    add(start + "attn_output.weight", HIDDEN, HIDDEN)
    add(start + "ffn_gate_inp.weight", EXPERTS, HIDDEN)
    add(start + "ffn_gate_exps.weight", EXPERTS, INNER, HIDDEN)
    add(start + "ffn_up_exps.weight", EXPERTS, INNER, HIDDEN)
    add(start + "ffn_down_exps.weight", EXPERTS, HIDDEN, INNER)
add("output_norm.weight", HIDDEN)
add("output.weight", VOCAB, HIDDEN)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
bytes_of_file = whole.read_bytes()
# The last tensor has a name, two sizes, a format and a place.
end = bytes_of_file.rfind(b"output.weight") + len("output.weight") + 4 + 2 * 8 + 4 + 8
Path(sys.argv[1]).write_bytes(bytes_of_file[:end])
whole.unlink()
