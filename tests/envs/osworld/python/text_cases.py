"""Cases for metrics over values, texts and CSV."""

import csv
import io

from case_inputs import (PATTERNS, WORDS, as_file, maybe_none, mutated, pick,
                         text, value)


def equal_case(rng):
    got = value(rng)
    wanted = got if rng.random() < 0.5 else value(rng)
    return ({} if got is None else {"data": got},
            {"data": {"expected": wanted}}, {})


def list_in_case(rng):
    return ({"data": rng.choice([rng.choice(WORDS), value(rng, 1) or "x"])},
            {"data": {"expected": rng.choice([pick(rng, WORDS),
                                              rng.choice(WORDS)])}}, {})


def in_list_case(rng):
    got = rng.choice([pick(rng, WORDS), text(rng)])
    return {"data": got}, {"data": {"expected": rng.choice(WORDS)}}, {}


def literal_case(rng):
    got = value(rng)
    wanted = got if rng.random() < 0.5 else value(rng)
    options = {"type": rng.choice(["str", "list"])}
    if rng.random() < 0.4:
        options["ignore_case"] = True
        if isinstance(wanted, str):
            wanted = wanted.swapcase()
    def shaped(v):
        return {} if v is None else {"data": v}
    return shaped(got), shaped(wanted), options


def two_files(rng, options):
    first = text(rng, rng.choice([None, None, 250]))
    second = mutated(rng, first) if rng.random() < 0.8 else text(rng)
    return maybe_none(rng, as_file(first, rng)), as_file(second, rng), options


def diff_case(rng):
    return two_files(rng, {})


def compare_text_case(rng):
    return two_files(rng, rng.choice([{}, {"ignore_blanks": True},
                                      {"ignore_case": True},
                                      {"ignore_blanks": True,
                                       "ignore_case": True}]))


def compare_csv_case(rng):
    return two_files(rng, rng.choice([{}, {"strict": False},
                                      {"ignore_case": True}]))


def pure_python_case(rng):
    head = rng.choice(["", "#!/usr/bin/python\n", "# -*- coding: utf-8 -*-\n"])
    body = "".join("\t" * rng.randrange(3) + rng.choice(WORDS) + "\n"
                   for _ in range(rng.randint(0, 6)))
    return (maybe_none(rng, as_file(head + mutated(rng, body), rng)),
            as_file(body, rng), {})


def contains_case(rng):
    body = text(rng)
    return (maybe_none(rng, as_file(body, rng)),
            {"data": {"expected": pick(rng, WORDS)}}, {})


def line_number_case(rng):
    count = rng.randint(0, 3)
    body = "".join(rng.choice(["%02d:%02d:%02d up\n" % (
        rng.randrange(26), rng.randrange(60), rng.randrange(62)),
        text(rng, 1)]) for _ in range(count))
    wanted = rng.choice([count, str(count), 0, "1", 2])
    return (maybe_none(rng, as_file(body, rng)),
            {"data": {"expected": wanted}}, {})


def list_case(rng):
    rules = {}
    for name in ("expect", "unexpect"):
        if rng.random() < 0.7:
            rules[name] = pick(rng, PATTERNS, 0, 2)
    return maybe_none(rng, as_file(text(rng), rng)), {"data": rules}, {}


def csv_case(rng):
    names = pick(rng, ["a", "b", "c", "a b", "\"x\""], 1, 4)
    rows = [pick(rng, WORDS + ["x,y", "l\n2"], 0, 5)
            for _ in range(rng.randint(0, 4))]
    out = io.StringIO()
    csv.writer(out, lineterminator=rng.choice(["\n", "\r\n"])).writerows(
        [names] + rows)
    def record():
        row = rng.choice(rows) if rows else []
        return {k: v for k, v in zip(names, row) if rng.random() < 0.7}
    rules = {name: [record() for _ in range(rng.randint(0, 2))]
             for name in ("expect", "unexpect") if rng.random() < 0.7}
    return (maybe_none(rng, as_file(mutated(rng, out.getvalue()), rng)),
            {"data": rules}, {})


MAKERS = {
    "exact_match": equal_case, "match_in_list": list_in_case,
    "is_in_list": in_list_case, "literal_match": literal_case,
    "check_list": list_case, "diff_text_file": diff_case,
    "compare_text_file": compare_text_case, "file_contains": contains_case,
    "check_csv": csv_case, "compare_csv": compare_csv_case,
    "check_line_number": line_number_case,
    "compare_python_pure_text": pure_python_case,
}
