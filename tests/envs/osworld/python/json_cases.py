"""Cases for metrics over JSON and over output of commands."""

import json

from case_inputs import (WORDS, as_file, maybe_none, mutated, pick, rule_match,
                         text, value)


def json_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 4))}
    rules = {}
    for name in ("expect", "unexpect"):
        if rng.random() < 0.6:
            rules[name] = []
            for _ in range(rng.randint(0, 2)):
                found, key = data, []
                while isinstance(found, (dict, list)) and found and (
                        len(key) < 1 or rng.random() < 0.5):
                    step = (rng.choice(list(found)) if isinstance(found, dict)
                            else rng.randrange(-1, len(found)))
                    key.append(step)
                    found = found[step]
                if rng.random() < 0.1:
                    key.append(rng.choice([0, "nope", 7]))
                rules[name].append({"key": key, **rule_match(rng, found)})
    content = mutated(rng, json.dumps(data, ensure_ascii=rng.random() < 0.5))
    return maybe_none(rng, as_file(content, rng)), {"data": rules}, {}


def settings_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 4))}
    expected = {k: v for k, v in data.items() if rng.random() < 0.7}
    if rng.random() < 0.3:
        expected[rng.choice(WORDS)] = value(rng)
    body = data if rng.random() < 0.9 else value(rng)
    return (maybe_none(rng, as_file(mutated(rng, json.dumps(body)), rng)),
            {"data": {"expected": expected}}, {})


def keybindings_case(rng):
    data = [{"key": rng.choice(WORDS), "command": rng.choice(WORDS)}
            for _ in range(rng.randint(0, 3))]
    wanted = rng.choice(data) if data and rng.random() < 0.8 else value(rng)
    head = rng.choice(["", "// Place your key bindings\n", "\n", "//"])
    return (maybe_none(rng, as_file(head + mutated(rng, json.dumps(data)),
                                    rng)),
            {"data": {"expected": wanted}}, {})


def config_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 3))}
    part = {k: v for k, v in data.items() if rng.random() < 0.7}
    wanted = mutated(rng, json.dumps(part)) if rng.random() < 0.8 else text(rng)
    actual = json.dumps(data, indent=rng.choice([None, 2]))
    if rng.random() < 0.3:
        actual = text(rng) + wanted + text(rng)
    options = rng.choice([{}, {"containment_ok": True},
                          {"containment_ok": False}])
    return (maybe_none(rng, as_file(mutated(rng, actual), rng)),
            {"data": {"expected": wanted}}, options)


def direct_case(rng):
    data = {rng.choice(WORDS[:4] + ["k"]): value(rng, 1)
            for _ in range(rng.randint(0, 4))}
    expected = {k: v for k, v in data.items() if rng.random() < 0.8}
    if rng.random() < 0.2:
        expected["k"] = rng.choice(["__EVALUATION_FAILED__", "a", ["a", "b"]])
    rules = {"expected": expected}
    if rng.random() < 0.4:
        rules["expect_in_result"] = rng.choice([True, False])
    result = data if rng.random() < 0.4 else mutated(
        rng, rng.choice([json.dumps, repr])(data))
    if rng.random() < 0.05:
        result = value(rng)
    return ({} if result is None else {"data": result}), {"data": rules}, {}


def include_case(rng):
    body = text(rng)
    parts = [body[a:b] for a, b in (sorted((rng.randrange(len(body) + 1),
                                            rng.randrange(len(body) + 1)))
                                    for _ in range(3))]
    rules = {}
    if rng.random() < 0.9:
        rules["include"] = pick(rng, parts + ["alpha"], 0, 2)
    if rng.random() < 0.6:
        rules["exclude"] = pick(rng, WORDS, 0, 2)
    result = body if rng.random() < 0.9 else pick(rng, WORDS)
    return maybe_none(rng, {"data": result}), {"data": rules}, {}


MAKERS = {
    "check_include_exclude": include_case,
    "check_direct_json_object": direct_case, "compare_config": config_case,
    "check_json": json_case, "check_json_settings": settings_case,
    "check_json_keybindings": keybindings_case,
}
