"""Words, texts, values and rules of which cases for metrics are made."""

WORDS = ["alpha", "Beta", "0", "1", "true", "", " ", "München", "ß", "日本",
         "a b", "x=1", "<tag>", "it's", "\"q\"", "#", "(key value)", "12:30:59",
         "23:59:60", "\u00a0", "İ", "end\\", "None"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n", "", "\x0b", "\u2028"]


def text(rng, lines=None):
    parts = []
    for _ in range(rng.randint(0, 8) if lines is None else lines):
        parts.append(rng.choice([" ", "\t", ", "]).join(
            rng.choice(WORDS) for _ in range(rng.randint(0, 4))))
        parts.append(rng.choice(ENDS))
    return "".join(parts)


def mutated(rng, source):
    """Some characters deleted, doubled, swapped or replaced."""
    letters = list(source)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        if not letters:
            break
        at = rng.randrange(len(letters))
        kind = rng.randrange(5)
        if kind == 0:
            del letters[at]
        elif kind == 1:
            letters.insert(at, letters[at])
        elif kind == 2:
            letters[at] = rng.choice("aZ09 \t\n\r\"',;:{}[]()\\=#ß")
        elif kind == 3:
            letters[at] = letters[at].swapcase()
        else:
            other = rng.randrange(len(letters))
            letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)


def value(rng, depth=2):
    kind = rng.randrange(9 if depth else 6)
    if kind < 2:
        return rng.choice(WORDS)
    if kind == 2:
        return rng.choice([0, 1, -1, 2, 100, 2 ** 40])
    if kind == 3:
        return rng.choice([0.0, 1.0, 0.5, 1e20])
    if kind == 4:
        return rng.choice([True, False])
    if kind == 5:
        return None
    if kind < 8:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(WORDS): value(rng, depth - 1)
            for _ in range(rng.randint(0, 3))}


def as_file(content, rng, broken=True):
    data = content.encode()
    if broken and rng.random() < 0.03:
        data += b"\xff\xfe"
    return {"file": data.hex()}


def maybe_none(rng, given):
    return {} if rng.random() < 0.04 else given


PATTERNS = ["alpha", "^Beta", r"\d+", r"\bx=\d\b", "(a|b)+c?", "[A-Z]\\w*",
            "a.c", r"^\s*$", "ß$", r"(?i)BETA", r"M.nchen", r"[^a-z ]+",
            r"(\w)\1", r"(?<=x)=", r"(?!a)\w", "a{1,2}", r"\S+\s\S+",
            r"^(?:alpha|0)\s", r"日.", "end\\\\", r"(?P<n>1).*(?P=n)", "(",
            "[z-a]", "*a", r"x{2", r"\A\(", r"true\Z"]


def pick(rng, items, least=0, most=3):
    return [rng.choice(items) for _ in range(rng.randint(least, most))]


def rule_match(rng, found):
    method = rng.choice(["eq", "eq", "ne", "lt", "le", "gt", "ge", "re",
                         "re.S", "re.I.M", "approx:0.5", "range.te",
                         "range.tt", "str_list_eq", "str_set_eq", "nope"])
    ref = found if rng.random() < 0.5 else value(rng, 1)
    if method.startswith("re"):
        ref = rng.choice(PATTERNS)
    elif method.startswith("range"):
        ref = [rng.choice([0, 1, "a"]), rng.choice([1, 2, 100, "z"])]
    elif method.startswith("approx"):
        ref = rng.choice([0, 1, 2.25])
    elif method.startswith("str_"):
        ref = pick(rng, WORDS)
    return {"method": method, "ref": ref}
