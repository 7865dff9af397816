"""What a sentence model computes, by its definition, in plain Python and numpy:
BERT's word pieces, the encoder in 64-bit floats, the mean of the last hidden
states, length 1. Shares no code with the service that it is the reference for.
"""

import json
import math
import pathlib
import re
import struct
import sys
import unicodedata

import numpy as np

LONGEST_WORD = 100
MARKS = re.compile(r"(\[(?:CLS|SEP|PAD|MASK|UNK)\])")


def is_control(char):
    return char not in "\t\n\r" and unicodedata.category(char).startswith("C")


def is_cjk(char):
    code = ord(char)
    return any(first <= code <= last for first, last in (
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF),
        (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
        (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)))


def is_punctuation(char):
    code = ord(char)
    return (33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96
            or 123 <= code <= 126
            or unicodedata.category(char).startswith("P"))


def cleaned(text):
    for char in text:
        if char in "\0\ufffd" or is_control(char):
            continue
        if is_cjk(char):
            yield f" {char} "
        else:
            yield " " if char.isspace() else char


class Tokenizer:
    def __init__(self, folder, limit):
        words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.numbers = {word: at for at, word in enumerate(words)}
        self.limit = limit

    def words(self, text):
        plain = unicodedata.normalize("NFD", "".join(cleaned(text)))
        # Letter by letter, as the library does it: a sigma that ends a word
        # is one like any other.
        plain = "".join(char.lower() for char in plain
                        if unicodedata.category(char) != "Mn")
        for word in plain.split():
            begin = 0
            for at, char in enumerate(word):
                if is_punctuation(char):
                    if begin < at:
                        yield word[begin:at]
                    yield char
                    begin = at + 1
            if begin < len(word):
                yield word[begin:]

    def pieces(self, word):
        if len(word) > LONGEST_WORD:
            return ["[UNK]"]
        out, begin = [], 0
        while begin < len(word):
            for end in range(len(word), begin, -1):
                piece = ("##" if begin else "") + word[begin:end]
                if piece in self.numbers:
                    break
            else:
                return ["[UNK]"]
            out.append(piece)
            begin = end
        return out

    def __call__(self, text):
        out = []
        for part in MARKS.split(text):  # a mark in a text counts as one
            out += [part] if MARKS.fullmatch(part) else [
                piece for word in self.words(part)
                for piece in self.pieces(word)]
        return [self.numbers[piece] for piece in
                ["[CLS]", *out[:self.limit - 2], "[SEP]"]]


def weights_of(file):
    data = file.read_bytes()
    size, = struct.unpack_from("<Q", data)
    for name, about in json.loads(data[8:8 + size]).items():
        if name != "__metadata__" and about["dtype"] == "F32":
            first, last = (8 + size + at for at in about["data_offsets"])
            yield name, np.frombuffer(data[first:last], "<f4").reshape(
                about["shape"]).astype(np.float64)


# The error of a straight line between two of these is below 1e-10.
GRID = np.linspace(-6, 6, 400_001)
HEIGHTS = np.array([math.erf(x) for x in GRID])


def erf(x):
    return np.interp(x, GRID, HEIGHTS)


class Encoder:
    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.weights = dict(weights_of(folder / "model.safetensors"))

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True)
                        + self.config["layer_norm_eps"])
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attention(self, x, name):
        heads = self.config["num_attention_heads"]
        query, key, value = (
            self.linear(x, f"{name}.self.{part}").reshape(
                len(x), heads, -1).swapaxes(0, 1)
            for part in ("query", "key", "value"))
        scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        return self.linear((scores @ value).swapaxes(0, 1).reshape(len(x), -1),
                           f"{name}.output.dense")

    def layer(self, x, name):
        x = self.norm(x + self.attention(x, f"{name}.attention"),
                      f"{name}.attention.output.LayerNorm")
        inner = self.linear(x, f"{name}.intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        return self.norm(x + self.linear(inner, f"{name}.output.dense"),
                         f"{name}.output.LayerNorm")

    def __call__(self, numbers):
        table = "embeddings.{}_embeddings.weight".format
        x = (self.weights[table("word")][numbers]
             + self.weights[table("position")][:len(numbers)]
             + self.weights[table("token_type")][0])
        x = self.norm(x, "embeddings.LayerNorm")
        for number in range(self.config["num_hidden_layers"]):
            x = self.layer(x, f"encoder.layer.{number}")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)


def vectors_of(folder, texts):
    limit = json.loads((folder / "sentence_bert_config.json").read_text())[
        "max_seq_length"]
    tokenizer, encoder = Tokenizer(folder, limit), Encoder(folder)
    known = {}  # texts of the same pieces, all that are empty among them
    for text in texts:
        numbers = tuple(tokenizer(text))
        if numbers not in known:
            known[numbers] = encoder(list(numbers))
        yield known[numbers]


def main(folder, texts, out):
    vectors = [vector.tolist() for vector in vectors_of(
        pathlib.Path(folder), json.loads(pathlib.Path(texts).read_text()))]
    pathlib.Path(out).write_text(json.dumps(vectors))


if __name__ == "__main__":
    main(*sys.argv[1:])
