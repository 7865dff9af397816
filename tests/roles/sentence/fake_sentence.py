#!/usr/bin/env python3
"""A sentence model that fails as a test wants it.

  fake_sentence.py --log FILE [--fail FIRST LAST HOW] [--hello HOW]

FILE gets a line for each start and for each request, over all restarts; the
requests FIRST to LAST fail. The vector of a text depends on the text alone.
"""

import argparse
import json
import math
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--log", required=True)
parser.add_argument("--fail", nargs=3, default=("0", "0", ""))
parser.add_argument("--hello", default="good")
words = parser.parse_args()
first, last, how = int(words.fail[0]), int(words.fail[1]), words.fail[2]


def say(value):
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value))
                     + "\n")
    sys.stdout.flush()


def note(what):
    with open(words.log, "a+") as log:
        log.write(what + "\n")
        log.seek(0)
        return log.read().split().count(what)


def vector(text):
    numbers = [1.0, float(len(text)), float(sum(map(ord, text)) % 7)]
    length = math.sqrt(sum(x * x for x in numbers))
    return [x / length for x in numbers]


def fail(number, good):
    vectors = [list(one) for one in good]
    if how == "die":
        print("no more memory", file=sys.stderr, flush=True)
        os._exit(9)
    elif how == "hang":
        time.sleep(600)
    elif how == "garbage":
        say("Loading weights: 100%")
    elif how == "other-id":
        say({"id": number + 1000, "vectors": vectors})
    elif how == "error":
        say({"id": number, "error": "it is too warm"})
    elif how == "nan":
        vectors[0][0] = float("nan")  # json writes NaN, which is no JSON
        say({"id": number, "vectors": vectors})
    elif how == "short":
        say({"id": number, "vectors": [one[:-1] for one in vectors]})
    elif how == "null":
        say({"id": number, "vectors": [[None, *one[1:]] for one in vectors]})
    elif how == "long":
        say({"id": number, "vectors": [[2 * x for x in one] for one in vectors]})
    elif how == "zero":
        say({"id": number, "vectors": [[0.0] * 3 for _ in vectors]})
    elif how == "fewer":
        say({"id": number, "vectors": vectors[1:]})
    elif how == "none":
        say({"id": number})
    elif how == "text":
        say({"id": number, "vectors": "two\nlines"})


note("start")
if words.hello == "dead":
    sys.exit("the parts do not fit")
say({"good": {"sentence": 1, "dimensions": 3, "pieces": 256, "runtime": "x"},
     "silly": {"sentence": 1, "dimensions": -3},
     "file": {"sentence": 1, "refused": "embedder.model_file",
              "why": "it is\na novel"},
     "python": {"sentence": 1, "refused": "embedder.python",
                "why": "it has no package hops"}}[words.hello])
for line in sys.stdin:
    request = json.loads(line)
    vectors = [vector(text) for text in request["texts"]]
    if first <= note("request") <= last:
        fail(request["id"], vectors)
    else:
        say({"id": request["id"], "vectors": vectors})
