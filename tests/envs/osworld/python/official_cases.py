#!/usr/bin/env python3
"""Cases for metrics and getters, with what OSWorld's own Python gives for them.

  official_cases.py CHECKOUT COUNT

CHECKOUT has desktop_env/evaluators; nothing of it is copied. Modules that it
imports and this machine lacks are stood in for: what is compared here uses none
of them but lxml and cssselect, without which the cases that need them are left
out, and a line on standard error says so. Prints one JSON object a line. A
metric's has metric, result, expected, options, and `score` or `raises`; a value
is {"data": ...}, {"file": HEX} or {}. A getter's has getter (its configuration),
world (getter_cases.py), and `value` or `raises`. Equal arguments give equal
cases.
"""

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import logging
import os
import random
import sys
import tempfile
import types
from unittest import mock

import getter_cases
import json_cases
import settings_cases
import text_cases
import tree_cases


class Standing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for modules outside of desktop_env: for all that nobody else
    finds, or for some packages whether they are there or not."""

    def __init__(self, packages=None):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        package = name.split(".")[0]
        if package == "desktop_env" or (self.packages is not None
                                        and package not in self.packages):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return mock.MagicMock(__name__=spec.name, __path__=[], __spec__=spec,
                              __version__="0")

    def exec_module(self, module):
        pass


def official(checkout, package, names):
    """The functions of some official modules, without the package's own list
    of all of them."""
    above = "desktop_env.evaluators." + package
    for name in ("desktop_env", "desktop_env.evaluators", above):
        made = types.ModuleType(name)
        made.__path__ = [os.path.join(checkout, *name.split("."))]
        sys.modules[name] = made
    functions = {}
    for name in names:
        module = importlib.import_module(above + "." + name)
        for key, value in vars(module).items():
            if callable(value) and value.__class__ is types.FunctionType:
                functions.setdefault(key, value)
    return functions


def has_selectors():
    return all(importlib.util.find_spec(name) for name in ("lxml", "cssselect"))


def as_argument(shaped, directory, name):
    if "file" in shaped:
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            file.write(bytes.fromhex(shaped["file"]))
        return path
    return shaped.get("data")


def scored(function, case, directory):
    arguments = [as_argument(case["result"], directory, "result")]
    if case["expected"] is not None:
        arguments.append(as_argument(case["expected"], directory, "expected"))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"score": float(function(*arguments, **case["options"]))}
    except Exception as raised:  # what escapes is an answer, too
        return {"raises": type(raised).__name__}


def metric_case(name, maker, rng, functions, directory):
    result, expected, options = maker(rng)
    case = {"metric": name, "result": result, "expected": expected,
            "options": options}
    case.update(scored(functions[name], json.loads(json.dumps(case)),
                       directory))
    return case


def getter_case(name, maker, rng, functions, directory):
    config, world = maker(rng)
    config["type"] = name
    case = {"getter": config, "world": world}
    case.update(getter_cases.official_value(functions["get_" + name], config,
                                            world, directory))
    return case


def main():
    checkout, count = sys.argv[1], int(sys.argv[2])
    logging.disable(logging.CRITICAL)
    selecting = has_selectors()
    # Nothing is asked of a network, and it fails beside what stands in.
    sys.meta_path.insert(0, Standing(("requests",)))
    if not selecting:
        print("left out, without lxml and cssselect: "
              + ", ".join([*tree_cases.SELECTING, *getter_cases.SELECTING]),
              file=sys.stderr)
        sys.meta_path.insert(0, Standing(("lxml", "cssselect")))
    sys.meta_path.append(Standing())
    metrics = official(checkout, "metrics", (
        "basic_os", "general", "gimp", "table", "thunderbird", "vlc", "vscode",
        "chrome", "slides", "docs"))
    getters = official(checkout, "getters", ("chrome", "misc"))
    makers = [(name, maker, metric_case, metrics) for module in (
        json_cases, settings_cases, text_cases, tree_cases)
        for name, maker in {**module.MAKERS, **(getattr(
            module, "SELECTING", {}) if selecting else {})}.items()]
    makers += [(name, maker, getter_case, getters) for name, maker in {
        **getter_cases.MAKERS,
        **(getter_cases.SELECTING if selecting else {})}.items()]
    makers.sort(key=lambda one: one[0])
    with tempfile.TemporaryDirectory() as directory:
        for number in range(count):
            name, maker, make, functions = makers[number % len(makers)]
            rng = random.Random("%s %d" % (name, number))
            print(json.dumps(make(name, maker, rng, functions, directory)))


if __name__ == "__main__":
    main()
