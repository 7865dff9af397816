"""Sentences for a conformance test: a seed gives the same ones everywhere."""

import random

ODD = ["", " ", "\t\n", "\0", "\u200b", "\u00ad", "\ufeff", "[CLS] [SEP]",
       "[MASK] and [UNK] and [PAD]", "##ing ## ##", "x" * 100, "x" * 101,
       "x" * 5000, "word " * 600, "a." * 400, "\u4f60" * 300, "!" * 1000,
       "don\u2019t\u2014stop\u2026 \u201cquoted\u201d", "e\u0301 \u00e9",
       "\u0130stanbul \u0131", "stra\u00dfe STRASSE \u1e9e", "\ufb01sh",
       "\U0001d518\U0001d52b\U0001d526", "\U0001f469\u200d\U0001f469\u200d"
       "\U0001f467 \U0001f44d\U0001f3fd", "\u0627\u0644\u0633\u0644\u0627\u0645",
       "\u05e9\u05dc\u05d5\u05dd", "\u0939\u093f\u0928\u094d\u0926\u0940",
       "\u0e44\u0e17\u0e22", "\ud55c\uad6d\uc5b4", "\u30ab\u30bf\u30ab\u30ca",
       "\u2167 \u2460 \u00bd \u00b2 \u20ac \u00a5", "a\u0300\u0301\u0302b",
       "\u3000wide\u3000space\u2003em", "line\r\nline\rline\u2028line",
       "C:\\path\\to\\file --flag=1 <tag attr=\"v\"/>", "{\"key\": [1, 2.5e-3]}",
       "https://example.org/a?b=c&d=%20#e", "\x1b[31mred\x1b[0m \x07 \x7f",
       "\ue000 private", "\ufffd replaced"]
ACCENTS = "\u00e0\u00e9\u00ee\u00f5\u00fc\u00f1\u00e7\u0161\u017e\u0142\u00f8\u00e5"
# Assigned ones only: what becomes of others depends on the version of Unicode
# that a library was built with.
SCRIPTS = [(0x4E00, 0x9FA5), (0x3041, 0x3096), (0x30A1, 0x30FA),
           (0x0410, 0x044F), (0x0391, 0x03A1), (0x03A3, 0x03A9),
           (0xAC00, 0xD7A3), (0x0621, 0x064A), (0x0905, 0x0939),
           (0x2190, 0x21FF), (0x1F600, 0x1F64F)]


def number(draw):
    return draw.choice([
        f"{draw.randint(-9999, 9999)}", f"{draw.random() * 1e6:,.2f}",
        f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2024",
        f"+49 30 {draw.randint(10 ** 5, 10 ** 6)}", f"{draw.randint(0, 100)} %",
        f"{draw.random():.3e}", f"ORD-{draw.randint(1, 10 ** 6):06}"])


def foreign(draw):
    first, last = draw.choice(SCRIPTS)
    return "".join(chr(draw.randint(first, last))
                   for _ in range(draw.randint(1, 6)))


def accented(draw, word):
    at = draw.randrange(len(word))
    return word[:at] + draw.choice(ACCENTS) + word[at + 1:]


def sentence(draw, words):
    # Mostly as long as insights are; some as documents.
    length = draw.choices([draw.randint(1, 40), draw.randint(100, 400)],
                          [98, 2])[0]
    out = []
    for _ in range(length):
        word = draw.choice(words)
        kind = draw.random()
        if kind < 0.05:
            word = number(draw)
        elif kind < 0.10:
            word = foreign(draw)
        elif kind < 0.15:
            word = accented(draw, word)
        elif kind < 0.20:
            word = word + draw.choice(words)  # one that no vocabulary has
        elif kind < 0.30:
            word = draw.choice([word.upper(), word.title()])
        out.append(word + draw.choice([""] * 9 + list(",.;:!?)") + ["'s"]))
    return draw.choice([" "] * 9 + ["  ", "\n", "_"]).join(out)


def sentences(seed, count, words):
    draw = random.Random(seed)
    made = [sentence(draw, words) for _ in range(count - len(ODD))]
    made += ODD
    draw.shuffle(made)
    return made
