"""Grades one task by the official evaluators of a checkout of OSWorld, in a
process of its own, which whoever starts it kills at its deadline.

Standard input, one line of JSON: "task" (the official file's content),
"checkout", "cache_dir", "host", "server_port", "chromium_port", "vlc_port",
"token". Standard output, one line: {"score": 0.5}, or {"error": why} if there
is no grade, which is not a score of 0. What evaluators print goes to standard
error. The steps before the grade have been run, and whether the task is
infeasible or was given up is not asked here.

It runs on an interpreter that has what the checkout's requirements.txt names.
No code of OSWorld is in here.
"""

import json
import os
import sys


def as_list(value, count, default=None):
    """One entry for each metric, as the official environment reads them."""
    if isinstance(value, list):
        if len(value) != count:
            raise ValueError(f"{count} metrics, but {len(value)} entries")
        return [default if one is None or one == {} else one for one in value]
    return [value if value else default] * count


def send_token(asked):
    """Lets the official client's requests to the in-guest server carry it."""
    if not asked["token"]:
        return
    import requests
    place = f"http://{asked['host']}:{asked['server_port']}"
    original = requests.Session.request

    def request(self, method, url, **more):
        if str(url).startswith(place + "/"):
            more["headers"] = {**(more.get("headers") or {}),
                               "Authorization": "Bearer " + asked["token"]}
        return original(self, method, url, **more)
    requests.Session.request = request


class Scene:
    """What getters ask of the environment, and nothing else."""

    def __init__(self, asked):
        from desktop_env.controllers.python import PythonController
        self._asked = asked
        self.vm_ip = asked["host"]
        self.server_port = asked["server_port"]
        self.chromium_port = asked["chromium_port"]
        self.vlc_port = asked["vlc_port"]
        self.cache_dir = asked["cache_dir"]
        self.current_use_proxy = False
        self.controller = PythonController(vm_ip=self.vm_ip,
                                           server_port=self.server_port)

    @property
    def vm_platform(self):
        return self.controller.get_vm_platform()

    @property
    def vm_machine(self):
        return self.controller.get_vm_machine()

    @property
    def setup_controller(self):
        from desktop_env.controllers.setup import SetupController
        return SetupController(
            vm_ip=self.vm_ip, server_port=self.server_port,
            chromium_port=self.chromium_port, vlc_port=self.vlc_port,
            cache_dir=self.cache_dir)


def score_of(evaluator, getters, metrics, scene):
    """As evaluate() of the official environment, but that a file that is
    missing counts 0 under "or" too, where it reuses the result before."""
    names = evaluator["func"]
    several = isinstance(names, list)
    names = names if several else [names]
    conjunction = evaluator.get("conj", "and")
    results = as_list(evaluator.get("result"), len(names))
    expected = as_list(evaluator.get("expected"), len(names))
    options = as_list(evaluator.get("options"), len(names), {})
    scores = []
    for name, result, wanted, more in zip(names, results, expected, options):
        try:
            given = [get(getters, scene, result)]
        except FileNotFoundError:
            if not several or conjunction == "and":
                return 0.0
            scores.append(0.0)
            continue
        if wanted:
            given.append(get(getters, scene, wanted))
        score = float(getattr(metrics, name)(*given, **more))
        if not several:
            return score
        if conjunction == "and" and score == 0.0:
            return 0.0
        if conjunction == "or" and score == 1.0:
            return 1.0
        scores.append(score)
    return sum(scores) / len(scores) if conjunction == "and" else max(scores)


def get(getters, scene, config):
    return getattr(getters, "get_" + config["type"])(scene, config)


def grade(asked):
    sys.path.insert(0, asked["checkout"])
    try:
        from desktop_env.evaluators import getters, metrics
        send_token(asked)
        scene = Scene(asked)
    except Exception as problem:  # whatever an import may raise
        return {"error": "the official evaluators cannot be loaded: "
                         f"{type(problem).__name__}: {problem}"}
    try:
        return {"score": score_of(asked["task"]["evaluator"], getters,
                                  metrics, scene)}
    except Exception as problem:
        return {"error": "the official evaluators failed: "
                         f"{type(problem).__name__}: {problem}"}


def main():
    reply = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    asked = json.loads(sys.stdin.readline())
    said = grade(asked)
    if asked["token"] and "error" in said:
        said["error"] = said["error"].replace(asked["token"], "***")
    print(json.dumps(said), file=reply, flush=True)
    os._exit(0)  # threads of evaluators are not waited for


if __name__ == "__main__":
    main()
