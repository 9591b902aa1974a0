"""Writes tests/golden/torch_flops.csv and tests/golden/configs: what PyTorch counts for the models of transformers.

Each family is built from a small configuration with unlike sizes, and from an empty one, which has the library's
defaults, on the meta device where nothing is computed. FlopCounterMode counts every product of matrices in a forward
pass with eager attention, masked products included. An outer product that makes rotary angles is
left out. `mm_flops` are products of plain matrices, `bmm_flops` those of batches of matrices: attention, and experts.

`conv_flops` are convolutions, which include the padding that the library computes and cuts off. For images, the phase
is `image`: the batch counts images, and the sequence is the number of rows of an image in the layers (patches, class
tokens). `image-classify` is the same with the head that classifies.

Needs Python with torch, transformers and (for DiT) diffusers; no weights are
downloaded. The golden files are committed, so only a change of the cases needs this.
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
from transformers import (  # noqa: E402
    CONFIG_MAPPING, AutoModel, AutoModelForCausalLM, AutoModelForImageClassification, AutoModelForImageTextToText,
    AutoModelForMaskedLM, AutoModelForSeq2SeqLM)
from transformers.models.t5gemma import modeling_t5gemma  # noqa: E402

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

HYBRID = dict(hidden_size=48, num_attention_heads=6, num_key_value_heads=2, intermediate_size=112, vocab_size=211)
DELTA = dict(HYBRID, head_dim=10, num_hidden_layers=5, layer_types=["linear_attention", "linear_attention",
             "full_attention", "linear_attention", "full_attention"], linear_key_head_dim=7, linear_value_head_dim=9,
             linear_num_key_heads=2, linear_num_value_heads=6, linear_conv_kernel_dim=3)
SPARSE = dict(num_experts=5, num_experts_per_tok=2, moe_intermediate_size=20, shared_expert_intermediate_size=34)
BART = dict(d_model=48, encoder_layers=3, decoder_layers=2, encoder_attention_heads=6, decoder_attention_heads=4,
            encoder_ffn_dim=112, decoder_ffn_dim=90, vocab_size=211, max_position_embeddings=80)
VIT = dict(hidden_size=48, num_hidden_layers=3, num_attention_heads=6, intermediate_size=112, image_size=40,
           patch_size=8, num_channels=3)
NAMES = {str(i): f"class {i}" for i in range(7)}
LABELS = dict(id2label=NAMES, label2id={name: int(i) for i, name in NAMES.items()})
T5 = dict(d_model=48, d_kv=10, d_ff=112, num_layers=3, num_decoder_layers=2, num_heads=6, vocab_size=211)
MODULE = dict(hidden_size=48, num_attention_heads=6, num_key_value_heads=2, head_dim=10, vocab_size=211)
MROPE = dict(rope_type="default", rope_theta=10000.0, mrope_section=[1, 1, 2])
MAMBA = dict(hidden_size=48, num_hidden_layers=3, vocab_size=211, state_size=7, conv_kernel=3, time_step_rank=5)

# Decoders.
CASES |= {
    "llama4_text": dict(LLAMA, num_hidden_layers=6, intermediate_size=20, intermediate_size_mlp=112, head_dim=10,
                        num_local_experts=5, num_experts_per_tok=2, interleave_moe_layer_step=2,
                        no_rope_layer_interval=3, attention_chunk_size=8),
    "qwen2_vl_text": dict(PLAIN, rope_parameters=MROPE),
    "qwen2_5_vl_text": dict(PLAIN, rope_parameters=MROPE, num_hidden_layers=5, use_sliding_window=True, sliding_window=8, max_window_layers=2),
    "qwen2_5_vl": dict(PLAIN, rope_parameters=MROPE, vision_config=dict(depth=2, hidden_size=32, num_heads=4, intermediate_size=40,
                                                 out_hidden_size=48)),
    "qwen3_vl_text": LLAMA,
    "qwen3_vl_moe_text": dict(MOE, num_hidden_layers=6, head_dim=10, num_experts=5, moe_intermediate_size=20,
                              decoder_sparse_step=2, mlp_only_layers=[3]),
    "qwen3_next": dict(DELTA, **SPARSE, decoder_sparse_step=1, mlp_only_layers=[1]),
    "qwen3_5_text": DELTA,
    "qwen3_5_moe_text": dict({key: value for key, value in DELTA.items() if key != "intermediate_size"}, **SPARSE),
    "glm4_moe": dict(MOE, head_dim=10, num_hidden_layers=5, moe_intermediate_size=20, n_shared_experts=2,
                     n_routed_experts=6, n_group=2, topk_group=1, first_k_dense_replace=2, num_experts_per_tok=3),
    "glm4_moe_lite": dict(MLA, q_lora_rank=17),
    "glm_moe_dsa": dict(MLA, q_lora_rank=17, first_k_dense_replace=2, index_topk=64, index_head_dim=12, index_n_heads=3,
                        mlp_layer_types=["dense", "dense", "sparse", "sparse", "sparse"]),
    "minimax": dict(MOE, head_dim=10, num_hidden_layers=5, num_local_experts=5, block_size=16, sliding_window=None),
    "minimax_m2": dict(MOE, head_dim=10, num_local_experts=5, intermediate_size=20),
    "deepseek_v32": dict(MLA, q_lora_rank=17, first_k_dense_replace=2, index_topk=64, index_head_dim=12,
                         index_n_heads=3),
    "gemma3n_text": dict(LLAMA, num_hidden_layers=10, intermediate_size=[112, 112, 112, 96, 96, 96, 96, 80, 80, 80],
                         sliding_window=8, vocab_size_per_layer_input=190, hidden_size_per_layer_input=13,
                         altup_num_inputs=3, num_kv_shared_layers=4, laurel_rank=11, activation_sparsity_pattern=[0.0] * 10),
    "gemma4_text": dict(LLAMA, num_hidden_layers=12, sliding_window=8, vocab_size_per_layer_input=190,
                        hidden_size_per_layer_input=13, num_kv_shared_layers=4, use_double_wide_mlp=True,
                        global_head_dim=14, num_global_key_value_heads=3),
    "granitemoehybrid": dict(HYBRID, num_hidden_layers=5, num_local_experts=5, num_experts_per_tok=2,
                             intermediate_size=20, shared_intermediate_size=34, position_embedding_type="rope",
                             layer_types=["mamba", "mamba", "attention", "mamba", "attention"], mamba_n_heads=6,
                             mamba_n_groups=2, mamba_d_state=7, mamba_d_head=16, mamba_d_conv=3, mamba_chunk_size=32),
    "granitemoeshared": dict(MOE, num_local_experts=5, shared_intermediate_size=34),
    "nemotron_h": dict(HYBRID, head_dim=10, hybrid_override_pattern="MEM*-EM-", num_hidden_layers=8, ssm_state_size=7,
                       mamba_num_heads=6, mamba_head_dim=9, n_groups=2, conv_kernel=3, chunk_size=16,
                       n_routed_experts=6, n_shared_experts=1, moe_intermediate_size=20,
                       moe_shared_expert_intermediate_size=34, num_experts_per_tok=2),
    "jamba": dict(HYBRID, num_hidden_layers=6, num_experts=5, num_experts_per_tok=2, expert_layer_period=2,
                  expert_layer_offset=1, attn_layer_period=3, attn_layer_offset=1, mamba_d_state=7, mamba_d_conv=3,
                  mamba_expand=2, mamba_dt_rank=5, use_mamba_kernels=False),
    "bamba": dict(HYBRID, num_hidden_layers=5, attn_layer_indices=[1, 4], mamba_n_heads=6, mamba_d_head=16,
                  mamba_n_groups=2, mamba_d_state=7, mamba_d_conv=3, mamba_expand=2, mamba_chunk_size=32),
    "mamba": MAMBA,
    "mamba2": dict(hidden_size=48, num_hidden_layers=3, vocab_size=211, state_size=7, conv_kernel=3, num_heads=6,
                   head_dim=16, n_groups=2, chunk_size=32),
    "falcon_mamba": MAMBA,
    "falcon_h1": dict(HYBRID, num_hidden_layers=3, head_dim=10, mamba_d_ssm=60, mamba_n_heads=6, mamba_d_head=10,
                      mamba_n_groups=2, mamba_d_state=7, mamba_d_conv=3, mamba_chunk_size=32),
    "zamba2": dict(hidden_size=48, num_hidden_layers=6, num_attention_heads=6, num_key_value_heads=6,
                   intermediate_size=112, vocab_size=211, mamba_d_state=7, mamba_d_conv=3, mamba_ngroups=2,
                   n_mamba_heads=8, chunk_size=16, num_mem_blocks=2, use_shared_attention_adapter=True, adapter_rank=5,
                   use_mem_rope=True, use_mamba_kernels=False,
                   layers_block_type=["mamba", "hybrid", "mamba", "hybrid", "mamba", "hybrid"]),
    "recurrent_gemma": dict(HYBRID, num_hidden_layers=5, lru_width=60, attention_window_size=8, conv1d_width=3),
    "kimi_linear": dict(MLA, num_hidden_layers=5, q_lora_rank=None, n_shared_experts=2, linear_attn_config=dict(
        full_attn_layers=[3, 5], kda_layers=[1, 2, 4], num_heads=3, head_dim=9, short_conv_kernel_size=3),
        first_k_dense_replace=1, num_experts=8, pad_token_id=0),
    "lfm2": dict(HYBRID, num_hidden_layers=5, conv_L_cache=3, layer_types=["conv", "conv", "full_attention", "conv",
                 "full_attention"], block_auto_adjust_ff_dim=True, block_multiple_of=16, block_ffn_dim_multiplier=1.0),
    "lfm2_moe": dict(HYBRID, num_hidden_layers=5, moe_intermediate_size=20, num_dense_layers=2, num_experts=5,
                     num_experts_per_tok=2, conv_L_cache=3, layer_types=["conv", "conv", "full_attention", "conv",
                                                                         "full_attention"]),
    "ernie4_5_moe": dict(PLAIN, num_hidden_layers=6, moe_intermediate_size=20, moe_k=3, moe_num_experts=5,
                         moe_num_shared_experts=2, moe_layer_start_index=1, moe_layer_end_index=4,
                         moe_layer_interval=2),
    "exaone4": dict(LLAMA, num_hidden_layers=6, sliding_window=8),
    "exaone_moe": dict(LLAMA, num_hidden_layers=6, sliding_window=8, first_k_dense_replace=2, moe_intermediate_size=20,
                       num_experts=6, num_experts_per_tok=3, num_shared_experts=2),
    "hunyuan_v1_moe": dict(LLAMA, num_experts=5, moe_topk=2),
    "dots1": dict(LLAMA, num_hidden_layers=5, moe_intermediate_size=20, n_shared_experts=2, n_routed_experts=6,
                  num_experts_per_tok=3, first_k_dense_replace=2, sliding_window=8, max_window_layers=3),
    "flex_olmo": dict(MOE, num_experts=5, pad_token_id=0),
    "ministral3": LLAMA,
    "mistral4": dict(MLA, q_lora_rank=17, first_k_dense_replace=2),
    "phi4_multimodal": dict(PLAIN, pad_token_id=0),
    "gpt_neo": dict(hidden_size=48, num_layers=5, num_heads=6, intermediate_size=112, vocab_size=211, window_size=8,
                    attention_types=[[["global", "local"], 2], [["global"], 1]]),
    "mpt": dict(d_model=48, n_layers=3, n_heads=6, expansion_ratio=3, vocab_size=211),
    "xglm": dict(d_model=48, num_layers=3, attention_heads=6, ffn_dim=112, vocab_size=211),
    "biogpt": BERT,
    "persimmon": BERT,
    "dbrx": dict(d_model=48, n_layers=3, n_heads=6, vocab_size=211, attn_config=dict(kv_n_heads=2, clip_qkv=8, rope_theta=10000),
                 ffn_config=dict(ffn_hidden_size=20, moe_num_experts=5, moe_top_k=2)),
    "jetmoe": dict(hidden_size=48, num_hidden_layers=3, num_key_value_heads=3, kv_channels=10, intermediate_size=20,
                   vocab_size=211, num_local_experts=5, num_experts_per_tok=2),
    "bitnet": PLAIN,
    "nanochat": PLAIN,
    "diffllama": LLAMA,
    "cwm": dict(LLAMA, num_hidden_layers=6, sliding_window=8),
    "jais2": LLAMA,
    "youtu": {key: value for key, value in dict(MLA, q_lora_rank=17).items() if key in (
        "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size",
        "q_lora_rank", "kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")},
    "longcat_flash": dict(hidden_size=48, num_layers=2, num_attention_heads=6, vocab_size=211, ffn_hidden_size=112,
                          q_lora_rank=17, kv_lora_rank=14, qk_nope_head_dim=9, qk_rope_head_dim=4, head_dim=4,
                          v_head_dim=11, moe_topk=3, n_routed_experts=6, zero_expert_num=2,
                          expert_ffn_hidden_size=20),
    "solar_open": dict({key: value for key, value in LLAMA.items() if key != "intermediate_size"},
                       moe_intermediate_size=20, n_shared_experts=2, n_routed_experts=6, num_experts_per_tok=3),
    "afmoe": dict(LLAMA, num_hidden_layers=6, moe_intermediate_size=20, num_dense_layers=2, num_experts=6,
                  num_experts_per_tok=3, num_shared_experts=2, sliding_window=8),
    "vaultgemma": dict(LLAMA, num_hidden_layers=5, sliding_window=8),
    "gemma3": dict(text_config=dict(LLAMA, num_hidden_layers=8, sliding_window=8)),
    "hyperclovax": LLAMA,
    "mistral3": dict(text_config=dict(LLAMA, model_type="mistral")),
}
# Encoders, and encoders with a decoder.
CASES |= {
    "bart": BART, "mbart": BART, "pegasus": BART, "marian": dict(BART, pad_token_id=0), "blenderbot": BART, "m2m_100": BART,
    "umt5": T5,
    "longt5": dict(T5, local_radius=5, global_block_size=4, encoder_attention_type="local"),
    "t5gemma": dict(encoder=dict(MODULE, num_hidden_layers=4, intermediate_size=112, sliding_window=8),
                    decoder=dict(MODULE, num_hidden_layers=2, intermediate_size=90, sliding_window=8), vocab_size=211),
    "whisper": dict(BART, num_mel_bins=20, max_source_positions=30, max_target_positions=80, pad_token_id=0,
                    bos_token_id=1, eos_token_id=2, decoder_start_token_id=3),
    "albert": dict(BERT, embedding_size=20, num_hidden_layers=4, num_hidden_groups=2, inner_group_num=2),
    "electra": dict(BERT, embedding_size=20),
    "camembert": BERT,
    "mpnet": BERT,
    "deberta-v2": dict(BERT, relative_attention=True, position_buckets=16, pos_att_type=["p2c", "c2p"],
                       max_position_embeddings=64, share_att_key=True, norm_rel_ebd="layer_norm"),
    "modernbert": dict(BERT, num_hidden_layers=5, local_attention=8, pad_token_id=0, cls_token_id=0, sep_token_id=0,
                       bos_token_id=0, eos_token_id=0),
    "nomic_bert": BERT,
    "eurobert": dict(PLAIN, pad_token_id=0, mask_token_id=1),
    "esm": dict(BERT, position_embedding_type="rotary", pad_token_id=1, mask_token_id=2),
    "clip_text_model": dict(BERT, projection_dim=30, max_position_embeddings=77, eos_token_id=2),
}
# Images.
CASES |= {
    "vit": dict(VIT, **LABELS), "deit": dict(VIT, **LABELS), "beit": dict(VIT, **LABELS),
    "dinov2": dict({key: value for key, value in VIT.items() if key != "intermediate_size"}, mlp_ratio=3, **LABELS),
    "siglip_vision_model": VIT,
    "clip_vision_model": dict(VIT, projection_dim=30),
    "siglip": dict(text_config=dict(BERT, max_position_embeddings=64, projection_size=36), vision_config=dict(
        VIT, hidden_size=36, num_attention_heads=4, intermediate_size=90)),
    "clip": dict(text_config=dict(BERT, max_position_embeddings=77, eos_token_id=2), vision_config=dict(
        VIT, hidden_size=36, num_attention_heads=4, intermediate_size=90), projection_dim=30),
    "DiTTransformer2DModel": dict(num_attention_heads=6, attention_head_dim=8, in_channels=4, out_channels=8,
                                  num_layers=3, sample_size=12, patch_size=2, num_embeds_ada_norm=7),
}
ENCODERS = ["bert", "roberta", "xlm-roberta", "distilbert", "albert", "electra", "camembert", "mpnet", "deberta-v2",
            "modernbert", "nomic_bert", "eurobert", "esm", "clip_text_model"]
BARE = ["clip_text_model"]
PAIRS = ["t5", "mt5", "bart", "mbart", "pegasus", "marian", "blenderbot", "m2m_100", "umt5", "longt5", "t5gemma"]
IMAGES = ["vit", "deit", "beit", "dinov2", "siglip_vision_model", "clip_vision_model"]
CLASSIFIERS = ["vit", "deit", "beit", "dinov2"]
DUAL = ["siglip", "clip"]
# Text models that the library only builds as a part of a model for images and text.
PARTS = {"qwen2_vl_text": "qwen2_vl", "qwen2_5_vl_text": "qwen2_5_vl", "qwen3_vl_text": "qwen3_vl",
         "qwen3_vl_moe_text": "qwen3_vl_moe"}
WHOLE = ["qwen2_5_vl", "gemma3", "mistral3", "mistral4"]
# Layers with a recurrence, which take time for each token: their contexts are short, and two sequences are counted.
RECURRENT = ["qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "minimax", "granitemoehybrid", "nemotron_h", "jamba",
             "bamba", "mamba", "mamba2", "falcon_mamba", "falcon_h1", "zamba2", "recurrent_gemma", "kimi_linear",
             "lfm2", "lfm2_moe"]
# Families that the reader does not know yet: their cases wait for it.
NOT_READ = ["zamba2", "recurrent_gemma", "albert", "deberta-v2", "diffllama", "jetmoe", "longt5", "t5gemma",
            "phi4_multimodal", "longcat_flash"]
# An empty configuration of these leaves something without a value, and the library cannot build it; or it is no model
# that anybody published.
NO_DEFAULT = ["deepseek_v2", "hunyuan_v1_dense", "ministral", "nemotron", "bamba", "dbrx", "dots1", "esm",
              "hunyuan_v1_moe", "jetmoe", "lfm2_moe", "longcat_flash", "glm4_moe", "gemma3", "mistral3", "qwen2_5_vl"]
# These look at values, and so are computed, each expert with a plain product, which is counted as a batched one. Some
# experts of longcat_flash compute nothing: tokens are kept from them. (jetmoe and longcat_flash have a
# default configuration, which is too large to compute.)
COMPUTED = ["dbrx", "deberta-v2", "jetmoe", "longcat_flash"]
PLAIN_EXPERTS = ["input_linear", "output_linear", "experts"]
# All layers of their empty configurations are recurrent, and the library then fails with a cache.
NO_CACHE = ["granitemoehybrid"]
# The library runs every expert of these on every token. Only the experts that a token is routed to are counted.
ALL_EXPERTS = ["llama4_text"]
# Other configurations, for the branches that the small ones do not take.
OTHERS = {
    "gemma4_text": dict(LLAMA, num_hidden_layers=6, sliding_window=8, hidden_size_per_layer_input=0,
                        attention_k_eq_v=True, global_head_dim=14, num_global_key_value_heads=3, enable_moe_block=True,
                        num_experts=5, top_k_experts=2, moe_intermediate_size=20),
    "granitemoehybrid": dict(CASES["granitemoehybrid"], num_local_experts=0, num_experts_per_tok=0),
    "nemotron_h": dict(CASES["nemotron_h"], moe_latent_size=15),
    "zamba2": dict(CASES["zamba2"], use_shared_attention_adapter=False, num_mem_blocks=1),
    "longt5": dict(CASES["longt5"], encoder_attention_type="transient-global", feed_forward_proj="gated-gelu"),
    "dinov2": dict(CASES["dinov2"], use_swiglu_ffn=True, mlp_ratio=4),
    "deberta-v2": dict(CASES["deberta-v2"], share_att_key=False, conv_kernel_size=3, conv_act="gelu"),
    "esm": dict(CASES["esm"], position_embedding_type="absolute"),
    "lfm2": dict(CASES["lfm2"], block_auto_adjust_ff_dim=False),
    "exaone4": dict(CASES["exaone4"], sliding_window=None, layer_types=["full_attention"] * 6),
    "falcon_h1": dict(CASES["falcon_h1"], mamba_d_ssm=None, mamba_d_head=16),
    "youtu": dict(CASES["youtu"], q_lora_rank=None),
    "glm4_moe_lite": dict(CASES["glm4_moe_lite"], q_lora_rank=None, mlp_layer_types=["dense", "sparse", "dense",
                                                                                    "sparse", "sparse"]),
    "llama4_text": dict(CASES["llama4_text"], moe_layers=[1, 2, 5], no_rope_layers=[1, 0, 1, 1, 0, 0]),
    "qwen3_next": dict({key: value for key, value in CASES["qwen3_next"].items() if key != "layer_types"},
                       full_attention_interval=3, decoder_sparse_step=2, mlp_only_layers=[]),
}


# Masks whose values are looked at.
modeling_t5gemma.make_default_2d_attention_mask = lambda *_: None


def build(family, keys, auto=None):
    if family == "DiTTransformer2DModel":
        from diffusers import DiTTransformer2DModel
        with torch.device("meta"):
            model = DiTTransformer2DModel(**keys)
        return model.eval()
    if family in PARTS:
        config = CONFIG_MAPPING[PARTS[family]](text_config=CONFIG_MAPPING[family](**keys).to_dict())
    else:
        config = CONFIG_MAPPING[family](**json.loads(json.dumps(keys)))
    if auto is None:
        auto = (AutoModel if family in BARE + IMAGES + DUAL else AutoModelForMaskedLM if family in ENCODERS
                else AutoModelForSeq2SeqLM if family in PAIRS
                else AutoModelForImageTextToText if family in PARTS or family in WHOLE
                else transformers.WhisperForConditionalGeneration if family == "whisper"
                else AutoModelForCausalLM)
    make = auto if hasattr(auto, "_from_config") and not hasattr(auto, "from_config") else None
    with torch.device("cpu" if family in COMPUTED else "meta"):
        if make:
            model = make._from_config(config, attn_implementation="eager")
        else:
            model = auto.from_config(config, attn_implementation="eager")
    # Experts as one batch of products: the shapes do not depend on where tokens go, so nothing need be computed.
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("batched_mm")
    for module in model.modules() if family == "longcat_flash" else ():
        if hasattr(module, "e_score_correction_bias"):
            module.e_score_correction_bias[model.config.n_routed_experts:] = -1e9
    return model.requires_grad_(family not in COMPUTED).eval()


def ids(batch, tokens, device="meta"):
    return torch.zeros(batch, tokens, dtype=torch.long, device=device)


def counted(model, **inputs):
    with torch.no_grad(), FlopCounterMode(display=False) as mode:
        model(**inputs)
    counts = mode.get_flop_counts()
    rotary = sum(sum(ops.values()) for name, ops in counts.items() if name.split(".")[-1].startswith("rotary_emb"))
    if getattr(model.config, "model_type", None) in ALL_EXPERTS:
        experts = sum(sum(ops.values()) for name, ops in counts.items() if name.endswith(".feed_forward.experts"))
        rotary += experts - experts * model.config.num_experts_per_tok // model.config.num_local_experts
    plain = sum(flops for op, flops in counts["Global"].items() if str(op) in ("aten.mm", "aten.addmm"))
    batched = sum(flops for op, flops in counts["Global"].items() if str(op) in ("aten.bmm", "aten.baddbmm"))
    folded = sum(flops for op, flops in counts["Global"].items() if str(op) == "aten.convolution")
    assert plain + batched + folded == mode.get_total_flops(), counts["Global"]
    if model.device.type != "meta":
        experts = sum(sum(ops.values()) for name, ops in counts.items() if name.split(".")[-1] in PLAIN_EXPERTS)
        plain, batched = plain - experts, batched + experts
    return plain, batched - rotary, folded


def picture(batch, config):
    size = config.image_size
    return torch.zeros(batch, config.num_channels, size, size, device="meta")


def runs(family, model, small, keys):
    """Yields (phase, batch, sequence, context, counts)."""
    batch, tokens, context = (2, 13, 17) if small else (1, 32, 5000)
    if family == "DiTTransformer2DModel":
        side = model.config.sample_size
        inputs = dict(hidden_states=torch.zeros(batch, model.config.in_channels, side, side, device="meta"),
                      timestep=torch.zeros(batch, dtype=torch.long, device="meta"),
                      class_labels=torch.zeros(batch, dtype=torch.long, device="meta"))
        yield "image", batch, (side // model.config.patch_size) ** 2, 0, counted(model, **inputs)
        return
    if family in IMAGES:
        rows = []
        encoder = model.vision_model if hasattr(model, "vision_model") else model
        hooked = [module for name, module in encoder.named_modules() if name.split(".")[-1] in ("layer", "layers")]
        handle = hooked[0][0].register_forward_pre_hook(
            lambda module, args, named: rows.append((args[0] if args else named["hidden_states"]).shape[1]), with_kwargs=True)
        counts = counted(model, pixel_values=picture(batch, model.config))
        handle.remove()
        yield "image", batch, rows[0], 0, counts
        if family in CLASSIFIERS:
            model = build(family, keys, transformers.DeiTForImageClassification if family == "deit" else AutoModelForImageClassification)
            yield "image-classify", batch, rows[0], 0, counted(model, pixel_values=picture(batch, model.config))
        return
    if family in DUAL:
        # As many texts as images, each as long as the text model's positions: (text) tokens are `seq`.
        tokens = model.config.text_config.max_position_embeddings
        yield "image-text", batch, tokens, 0, counted(
            model, input_ids=ids(batch, tokens), pixel_values=picture(batch, model.config.vision_config))
        return
    if family == "whisper":
        sound = torch.zeros(batch, model.config.num_mel_bins, 2 * model.config.max_source_positions, device="meta")
        yield "prefill", batch, tokens, 0, counted(model, input_features=sound, decoder_input_ids=ids(batch, tokens))
        context = min(context, model.config.max_target_positions - 1)
        with torch.no_grad():
            first = model(input_features=sound, decoder_input_ids=ids(batch, context), use_cache=True)
        kept = dict(encoder_outputs=(first.encoder_last_hidden_state,), past_key_values=first.past_key_values)
        yield "decode", batch, 1, context, counted(model, decoder_input_ids=ids(batch, 1), use_cache=True, **kept)
        return
    if family in ENCODERS:
        lengths = [min(tokens, 64)] + ([60] if small and family in ("modernbert", "deberta-v2") else [])
        for tokens in lengths:
            yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens, model.device))
        return
    if family in PAIRS:
        positions = getattr(model.config, "max_position_embeddings", None) or context + 1
        context = min(context, positions - 1)
        yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens), decoder_input_ids=ids(batch, tokens))
        if small and family == "longt5":
            yield "prefill", batch, 60, 0, counted(model, input_ids=ids(batch, 60), decoder_input_ids=ids(batch, 60))
        with torch.no_grad():
            first = model(input_ids=ids(batch, context), decoder_input_ids=ids(batch, context), use_cache=True)
        encoded = (first.encoder_last_hidden_state,)
        if family == "t5gemma":
            encoded = modeling_t5gemma.BaseModelOutput(last_hidden_state=encoded[0])
        kept = dict(encoder_outputs=encoded, past_key_values=first.past_key_values)
        yield "decode", batch, 1, context, counted(model, decoder_input_ids=ids(batch, 1), use_cache=True, **kept)
        return
    lengths = [tokens] + ([150] if family in RECURRENT else [])
    if family in RECURRENT and not small:
        context = 200
    cached = {} if small or family not in NO_CACHE else dict(use_cache=False)
    device = model.device
    for tokens in lengths:
        yield "prefill", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens, device), **cached)
    if cached:
        return
    tokens = lengths[0]
    if "logits_to_keep" in model.forward.__code__.co_varnames or small and family in ("llama", "gpt2", "mixtral"):
        yield "prefill-last", batch, tokens, 0, counted(model, input_ids=ids(batch, tokens), logits_to_keep=1)
    settings = model.config.get_text_config()
    positions = getattr(settings, "max_position_embeddings", None) or getattr(settings, "max_seq_len", None) or context + 1
    context = min(context, positions - 1)
    name = "cache_params" if "cache_params" in model.forward.__code__.co_varnames else "past_key_values"
    cache = {name: transformers.DynamicCache(config=model.config)} if family == "recurrent_gemma" else {}
    with torch.no_grad():
        first = model(input_ids=ids(batch, context, device), use_cache=True, **cache)
    cache = cache or {name: first[name]}
    yield "decode", batch, 1, context, counted(model, input_ids=ids(batch, 1, device), **cache, use_cache=True)


def main(folder, wanted=()):
    configs = folder / "configs"
    configs.mkdir(exist_ok=True)
    with open(folder / "torch_flops.csv", "w", encoding="ascii") as out:
        out.write(f"# By torch {torch.__version__}, transformers {transformers.__version__}: tests/oracle/torch_flops.py\n")
        out.write("family,config,phase,batch,seq,context,flops,mm_flops,bmm_flops,conv_flops\n")
        for family, keys in CASES.items():
            if family in NOT_READ or wanted and family not in wanted:
                continue
            kind = "_class_name" if family == "DiTTransformer2DModel" else "model_type"
            (configs / f"{family}.json").write_text(json.dumps({kind: family, **keys}, indent=1) + "\n")
            if family in OTHERS:
                other = json.dumps({kind: family, **OTHERS[family]}, indent=1)
                (configs / f"{family}.other.json").write_text(other + "\n")
            for config in ["small", "default"] + (["other"] if family in OTHERS else []):
                if config == "default" and family in NO_DEFAULT:
                    continue
                given = {"small": keys, "default": {}, "other": OTHERS.get(family)}[config]
                model = build(family, given)
                for phase, batch, tokens, context, counts in runs(family, model, config != "default", given):
                    row = [family, config, phase, batch, tokens, context, sum(counts), *counts]
                    out.write(",".join(map(str, row)) + "\n")


main(Path(sys.argv[1]), sys.argv[2:])
