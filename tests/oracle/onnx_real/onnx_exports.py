"""Exports of torchvision, timm and transformers for onnx_files.py, with random weights and small sizes."""

import re

import torch
import torchvision

from onnx_files import Call, export, whole

TORCHVISION = [  # Name, opset, new exporter, dynamic axes, sizes of the run.
    ("resnet18", 11, False, "b", (2, 64, 64)),
    ("resnet18", 18, True, "bhw", (3, 96, 64)),
    ("resnet50", 13, False, "bhw", (2, 64, 96)),
    ("mobilenet_v2", 12, False, "bhw", (2, 96, 64)),
    ("mobilenet_v3_small", 14, False, "b", (2, 64, 64)),
    ("mobilenet_v3_small", 18, True, "b", (2, 64, 64)),
    ("efficientnet_b0", 16, False, "b", (2, 64, 64)),
    ("efficientnet_b0", 20, True, "bhw", (2, 64, 96)),
    ("convnext_tiny", 17, False, "b", (2, 64, 64)),
    ("convnext_tiny", 18, True, "bhw", (2, 64, 96)),
    ("densenet121", 11, False, "bhw", (2, 64, 64)),
    ("googlenet", 13, False, "b", (2, 64, 64)),
    ("squeezenet1_1", 10, False, "", (1, 224, 224)),
    ("squeezenet1_1", 21, True, "b", (2, 64, 64)),
    ("shufflenet_v2_x0_5", 12, False, "bhw", (2, 64, 96)),
    ("shufflenet_v2_x0_5", 18, True, "b", (2, 64, 64)),
    ("regnet_y_400mf", 17, False, "b", (2, 64, 64)),
    ("inception_v3", 11, False, "b", (2, 299, 299)),
    ("vit_b_16", 14, False, "b", (2, 224, 224)),
    ("vit_b_16", 18, True, "b", (2, 224, 224)),
    ("swin_t", 17, False, "b", (2, 64, 64)),
    ("swin_t", 18, True, "b", (2, 64, 64)),
    ("swin_v2_t", 18, True, "b", (2, 64, 64)),
    ("maxvit_t", 18, True, "b", (2, 224, 224)),
    ("fcn_resnet50", 11, False, "bhw", (1, 64, 96)),
    ("deeplabv3_mobilenet_v3_large", 13, False, "bhw", (2, 64, 96)),
    ("deeplabv3_resnet50", 18, True, "b", (2, 64, 64)),
    ("lraspp_mobilenet_v3_large", 18, True, "bhw", (2, 64, 96)),
    ("lraspp_mobilenet_v3_large", 12, False, "bhw", (2, 64, 96)),
    ("fasterrcnn_mobilenet_v3_large_320_fpn", 11, False, "", (1, 320, 320)),
    ("ssdlite320_mobilenet_v3_large", 11, False, "", (1, 320, 320)),
    ("retinanet_resnet50_fpn", 13, False, "", (1, 128, 128)),
    ("video.r3d_18", 13, False, "b", (1, 64, 64)),
    ("quantization.mobilenet_v2", 13, False, "", (1, 64, 64)),
]


def vision(files):
    for name, opset, new, letters, sizes in TORCHVISION:
        file = f"tv-{name.replace('.', '-').replace('_', '-')}-{'new' if new else 'old'}-{opset}"
        if not files.wants(file):
            continue
        axes = {
            k: word
            for k, letter, word in ((0, "b", "batch"), (2, "h", "height"), (3, "w", "width"))
            if letter in letters
        }
        detects = any(word in name for word in ("rcnn", "ssd", "retina"))
        video = name.startswith("video")
        build = getattr(
            (
                torchvision.models.detection
                if detects
                else (
                    torchvision.models.video
                    if video
                    else (
                        torchvision.models.quantization
                        if name.startswith("quant")
                        else (
                            torchvision.models.segmentation
                            if re.match("fcn|deeplab|lraspp", name)
                            else torchvision.models
                        )
                    )
                )
            ),
            name.split(".")[-1],
        )
        weights = {"weights_backbone": None} if detects or re.match("fcn|deeplab|lraspp", name) else {}
        weights |= {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
        if detects:
            call = lambda module, pixels: tuple(module([pixels[0]])[0].values())
        elif weights and "weights_backbone" in weights:
            call = lambda module, pixels: module(pixels)["out"]
        else:
            call = lambda module, pixels: module(pixels)
        shape = (
            (lambda batch, height, width: torch.randn(batch, 3, 8, height, width))
            if video
            else (lambda batch, height, width: torch.randn(batch, 3, height, width))
        )
        free = {word: size for word, size in zip(("batch", "height", "width"), sizes)}
        fixed = {word: size for word, size in free.items() if word not in axes.values()}
        export(
            files,
            file,
            f"torchvision {torchvision.__version__}",
            opset,
            new,
            lambda: Call(build(weights=None, **weights), call),
            {"pixels": (lambda shape=shape, fixed=fixed, **sizes: shape(**(sizes | fixed)), axes)},
            free,
        )


TIMM = [  # Name, opset, new exporter, size of the image, options that make the model small.
    ("convnext_atto", 18, True, 64, {}),
    ("convnextv2_atto", 17, False, 64, {}),
    ("vit_tiny_patch16_224", 17, False, 224, {"depth": 3}),
    ("vit_tiny_patch16_224", 18, True, 224, {"depth": 3}),
    ("deit_tiny_distilled_patch16_224", 14, False, 224, {"depth": 2}),
    ("beit_base_patch16_224", 17, False, 224, {"depth": 2, "embed_dim": 96, "num_heads": 3}),
    ("mixer_s32_224", 13, False, 224, {}),
    ("maxvit_rmlp_pico_rw_256", 18, True, 256, {}),
    ("efficientvit_b0", 17, False, 64, {}),
    ("efficientvit_m0", 18, True, 224, {}),
    ("eva02_tiny_patch14_224", 18, True, 224, {"depth": 2}),
    ("swinv2_tiny_window8_256", 17, False, 256, {"embed_dim": 24, "depths": (2, 2, 2, 2)}),
    ("levit_128s", 13, False, 224, {}),
    ("ghostnet_050", 12, False, 64, {}),
    ("xcit_nano_12_p16_224", 17, False, 224, {}),
    ("coat_tiny", 18, True, 224, {}),
    ("mobilenetv4_conv_small", 18, True, 64, {}),
    ("edgenext_xx_small", 17, False, 64, {}),
    ("mobilevit_xxs", 17, False, 64, {}),
    ("hrnet_w18_small", 11, False, 64, {}),
    ("volo_d1_224", 18, True, 224, {}),
    ("pvt_v2_b0", 17, False, 64, {}),
    ("poolformerv2_s12", 13, False, 64, {}),
    ("res2net50_26w_4s", 10, False, 64, {}),
    ("resnest14d", 13, False, 64, {}),
    ("twins_svt_small", 17, False, 224, {}),
    ("crossvit_9_240", 17, False, 240, {}),
    ("naflexvit_base_patch16_gap", 18, True, 384, {"depth": 2, "embed_dim": 96, "num_heads": 3}),
]


def timm_models(files):
    import timm

    for name, opset, new, size, options in TIMM:
        file = f"timm-{name.replace('_', '-')}-{'new' if new else 'old'}-{opset}"
        export(
            files,
            file,
            f"timm {timm.__version__}",
            opset,
            new,
            lambda: Call(timm.create_model(name, **options), lambda module, pixels: module(pixels)),
            {"pixels": (lambda batch, size=size: torch.randn(batch, 3, size, size), {0: "batch"})},
            {"batch": 2},
        )


TEXT = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, vocab_size=211)
LLM = dict(TEXT, num_key_value_heads=2, max_position_embeddings=512)
IMAGE = dict(
    hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, image_size=96, patch_size=16
)
T5 = dict(d_model=64, d_kv=16, d_ff=96, num_layers=2, num_decoder_layers=2, num_heads=4, vocab_size=211)
BART = dict(
    d_model=64,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=4,
    decoder_attention_heads=4,
    encoder_ffn_dim=96,
    decoder_ffn_dim=96,
    vocab_size=211,
)
WHISPER = dict(
    BART,
    num_mel_bins=40,
    max_source_positions=100,
    max_target_positions=64,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=1,
)
MOE = dict(LLM, num_local_experts=4, num_experts_per_tok=2)
SPEECH = dict(TEXT, conv_dim=(32,) * 7, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4)
CLIP = {
    "text_config": dict(TEXT, projection_dim=48, max_position_embeddings=77),
    "vision_config": dict(IMAGE, projection_dim=48),
    "projection_dim": 48,
}

HUGGING_FACE = [  # File, opset, new exporter, class, configuration, kind of the inputs, sizes of the run.
    ("bert-old-14", 14, False, "BertModel", TEXT, "text", (3, 10)),
    ("bert-old-11", 11, False, "BertForSequenceClassification", TEXT, "text", (3, 10)),
    ("bert-new-18", 18, True, "BertModel", TEXT, "text", (3, 10)),
    ("bert-fixed-old-13", 13, False, "BertModel", TEXT, "text fixed", (1, 16)),
    (
        "distilbert-old-14",
        14,
        False,
        "DistilBertForMaskedLM",
        dict(dim=64, n_layers=2, n_heads=4, hidden_dim=96, vocab_size=211),
        "text",
        (3, 10),
    ),
    ("roberta-new-18", 18, True, "RobertaForTokenClassification", TEXT, "text", (3, 10)),
    ("albert-old-14", 14, False, "AlbertModel", dict(TEXT, embedding_size=32), "text", (3, 10)),
    (
        "deberta-v2-old-17",
        17,
        False,
        "DebertaV2Model",
        dict(TEXT, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8),
        "text",
        (3, 10),
    ),
    ("mpnet-old-14", 14, False, "MPNetModel", TEXT, "text", (3, 10)),
    ("modernbert-new-18", 18, True, "ModernBertModel", dict(TEXT, pad_token_id=0), "text", (3, 10)),
    (
        "gpt2-past-old-14",
        14,
        False,
        "GPT2LMHeadModel",
        dict(n_embd=64, n_layer=2, n_head=4, vocab_size=211),
        "past",
        (2, 7, 5),
    ),
    (
        "gpt2-past-new-18",
        18,
        True,
        "GPT2LMHeadModel",
        dict(n_embd=64, n_layer=2, n_head=4, vocab_size=211),
        "past",
        (2, 7, 5),
    ),
    ("gpt2-old-11", 11, False, "GPT2Model", dict(n_embd=64, n_layer=2, n_head=4, vocab_size=211), "text", (3, 10)),
    ("llama-past-old-14", 14, False, "LlamaForCausalLM", LLM, "past", (2, 7, 5)),
    ("llama-past-old-17", 17, False, "LlamaForCausalLM", LLM, "past", (2, 7, 5)),
    ("llama-past-new-20", 20, True, "LlamaForCausalLM", LLM, "past", (2, 7, 5)),
    ("llama-past-new-23", 23, True, "LlamaForCausalLM", LLM, "past", (1, 7, 5)),
    ("qwen2-past-old-14", 14, False, "Qwen2ForCausalLM", LLM, "past", (2, 1, 9)),
    ("qwen3-past-new-18", 18, True, "Qwen3ForCausalLM", dict(LLM, head_dim=24), "past", (2, 7, 5)),
    ("gemma2-new-18", 18, True, "Gemma2ForCausalLM", dict(LLM, head_dim=24), "text", (2, 9)),
    ("phi3-old-17", 17, False, "Phi3ForCausalLM", dict(LLM, pad_token_id=0), "text", (2, 9)),
    ("mixtral-old-17", 17, False, "MixtralForCausalLM", MOE, "text", (2, 9)),
    ("mixtral-new-18", 18, True, "MixtralForCausalLM", MOE, "text", (2, 9)),
    (
        "bloom-old-14",
        14,
        False,
        "BloomModel",
        dict(hidden_size=64, n_layer=2, n_head=4, vocab_size=211),
        "text",
        (2, 9),
    ),
    (
        "opt-new-18",
        18,
        True,
        "OPTForCausalLM",
        dict(TEXT, ffn_dim=96, word_embed_proj_dim=64, max_position_embeddings=64),
        "text",
        (2, 9),
    ),
    ("falcon-old-17", 17, False, "FalconForCausalLM", TEXT, "text", (2, 9)),
    (
        "mamba-old-17",
        17,
        False,
        "MambaForCausalLM",
        dict(hidden_size=64, num_hidden_layers=2, vocab_size=211, state_size=8),
        "ids fixed",
        (2, 9),
    ),
    ("t5-encoder-old-13", 13, False, "T5EncoderModel", T5, "text", (2, 9)),
    ("t5-decoder-old-17", 17, False, "T5ForConditionalGeneration", T5, "decoder", (2, 7, 5)),
    ("t5-decoder-new-18", 18, True, "T5ForConditionalGeneration", T5, "decoder", (2, 7, 5)),
    ("bart-new-18", 18, True, "BartForConditionalGeneration", BART, "seq2seq", (2, 7, 5)),
    ("whisper-encoder-old-17", 17, False, "WhisperModel", WHISPER, "mel", (2,)),
    ("whisper-encoder-new-18", 18, True, "WhisperModel", WHISPER, "mel", (2,)),
    ("whisper-decoder-old-14", 14, False, "WhisperForConditionalGeneration", WHISPER, "decoder", (2, 7, 5)),
    ("vit-old-13", 13, False, "ViTForImageClassification", IMAGE, "image", (2, 96)),
    ("vit-new-21", 21, True, "ViTModel", IMAGE, "image", (2, 96)),
    ("dinov2-old-17", 17, False, "Dinov2Model", IMAGE, "image hw", (2, 64)),
    ("siglip-new-18", 18, True, "SiglipVisionModel", IMAGE, "image", (2, 96)),
    ("clip-old-17", 17, False, "CLIPModel", CLIP, "clip", (2, 9, 96)),
    ("clip-new-18", 18, True, "CLIPModel", CLIP, "clip", (2, 9, 96)),
    (
        "segformer-old-13",
        13,
        False,
        "SegformerForSemanticSegmentation",
        dict(hidden_sizes=[16, 32, 40, 64], depths=[1, 1, 1, 1], decoder_hidden_size=32),
        "image hw",
        (2, 64),
    ),
    ("wav2vec2-old-14", 14, False, "Wav2Vec2ForCTC", SPEECH, "wave", (2, 3000)),
    ("wav2vec2-new-18", 18, True, "Wav2Vec2ForCTC", SPEECH, "wave", (2, 3000)),
]


def hugging_face(files):
    import transformers
    from transformers import DynamicCache

    tensors = lambda out: tuple(one for one in out.to_tuple() if isinstance(one, torch.Tensor))
    B, S, P, REAL = "batch", "sequence", "past", torch.float32
    for file, opset, new, kind, config, inputs, sizes in HUGGING_FACE:
        if not files.wants(f"hf-{file}"):
            continue
        build = getattr(transformers, kind)
        config = build.config_class(**config)
        config.use_cache = inputs == "past"
        config._attn_implementation = "sdpa" if build._supports_sdpa and (new or opset > 13) else "eager"
        config._experts_implementation = "batched_mm" if new else "eager"
        text = {"input_ids": whole(B, S), "attention_mask": whole(B, S)}
        free = dict(zip((B, S, P), sizes))
        outputs = ["output"]
        if inputs.startswith("text") or inputs.startswith("ids"):
            given = {"input_ids": text["input_ids"]} if inputs.startswith("ids") else text
            call = lambda module, ids, mask=None: tensors(module(input_ids=ids, attention_mask=mask))
        elif inputs == "past":
            layers, heads = config.num_hidden_layers, getattr(config, "num_key_value_heads", config.num_attention_heads)
            width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
            given = {"input_ids": whole(B, S), "attention_mask": whole(B, f"{P}+{S}")} | {
                f"past_key_values.{k}.{part}": whole(B, heads, P, width, kind=REAL)
                for k in range(layers)
                for part in ("key", "value")
            }
            outputs = ["logits", *(name.replace("past_key_values", "present") for name in list(given)[2:])]

            def call(module, ids, mask, *past):
                cache = DynamicCache()
                for k in range(len(past) // 2):
                    cache.update(past[2 * k], past[2 * k + 1], k)
                out = module(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True)
                return (
                    out.logits,
                    *(one for layer in out.past_key_values.layers for one in (layer.keys, layer.values)),
                )

        elif inputs == "decoder":
            given = {
                "decoder_input_ids": whole(B, S),
                "decoder_attention_mask": whole(B, S),
                "encoder_hidden_states": whole(B, P, 64, kind=REAL),
            }
            call = lambda module, ids, mask, hidden: module(
                decoder_input_ids=ids, decoder_attention_mask=mask, encoder_outputs=(hidden,), use_cache=False
            )[0]
        elif inputs == "seq2seq":
            given = {"input_ids": whole(B, P), "attention_mask": whole(B, P), "decoder_input_ids": whole(B, S)}
            call = lambda module, ids, mask, made: module(input_ids=ids, attention_mask=mask, decoder_input_ids=made)[0]
        elif inputs == "mel":
            given = {"input_features": whole(B, 40, 200, kind=REAL)}
            call = lambda module, mel: module.encoder(mel)[0]
        elif inputs.startswith("image"):
            free = {B: sizes[0], "height": sizes[1], "width": sizes[1] + 32} if "hw" in inputs else {B: sizes[0]}
            given = {
                "pixel_values": whole(B, 3, *(("height", "width") if "hw" in inputs else sizes[1:] * 2), kind=REAL)
            }
            call = lambda module, pixels: tensors(module(pixels))
        elif inputs == "clip":
            given = text | {"pixel_values": whole("images", 3, sizes[2], sizes[2], kind=REAL)}
            free = {B: sizes[0], S: sizes[1], "images": 3}
            call = lambda module, ids, mask, pixels: module(input_ids=ids, attention_mask=mask, pixel_values=pixels)[0]
        else:
            free = {B: sizes[0], "samples": sizes[1]}
            given = {"input_values": whole(B, "samples", kind=REAL)}
            call = lambda module, wave: module(wave)[0]
        if "fixed" in inputs:
            given = {key: (make, {}) for key, (make, _) in given.items()}
        export(
            files,
            f"hf-{file}",
            f"transformers {transformers.__version__}",
            opset,
            new,
            lambda: Call(build(config), call),
            given,
            free,
            outputs,
        )
