"""Workers of Brewery on a Ray cluster. `brewery cluster --on ray` runs this text
on `python3 -`, with one argument: {"do": "list" | "start" | "stop",
"name": NAME, ...} as JSON. Prints a line for each worker: its id and `running` or
`waiting`.

Each worker is a detached actor, which starts one process: it outlives this
program, and Ray starts it again elsewhere if its node goes.
"""

import json
import logging
import sys


def fail(why):
    print(why, file=sys.stderr)
    sys.exit(3)


try:
    import ray
except ImportError:
    fail("python3 has no module ray: `pip install ray`, or activate the "
         "environment that has it")

class Worker:
    """The process ends with its actor (SIGTERM), and the actor with it."""

    def __init__(self, words, directory, log):
        import ctypes
        import signal
        import subprocess
        import threading

        def ends_with_its_actor():
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)
        # By the main thread, which lives as long as the actor.
        with open(f"{directory}/{log}", "ab") as out:
            self.process = subprocess.Popen(
                words, cwd=directory, stdin=subprocess.DEVNULL, stdout=out,
                stderr=out, preexec_fn=ends_with_its_actor)
        me = ray.get_runtime_context().current_actor
        threading.Thread(target=self.watch, args=(me,), daemon=True).start()

    def watch(self, me):
        import os
        import time
        if self.process.wait() in (0, 2):  # drained, or refused for good
            ray.kill(me)
        time.sleep(5)
        os._exit(1)  # Ray starts it again

    def running(self):
        return self.process.poll() is None

    def stop(self):
        self.process.terminate()
        self.process.wait()  # at most its --grace
        ray.actor.exit_actor()


def handles(order):
    """The actors that are, by id."""
    out = {}
    for key in ray.util.list_named_actors():
        name, _, number = key.rpartition("-")
        if name == order["name"] and number.isdigit():
            try:
                out[int(number)] = ray.get_actor(key)
            except ValueError:
                pass  # it has ended meanwhile
    return out


def start(order):
    actor = ray.remote(Worker)
    options = dict(word.partition("=")[::2] for word in order["options"])
    try:
        how = {key: json.loads(value) for key, value in options.items()}
        for number, worker in order["workers"].items():
            actor.options(name=f"{order['name']}-{number}",
                          lifetime="detached", max_restarts=-1, **how).remote(
                worker["words"], order["directory"], worker["log"])
            print(number, "waiting")
    except (TypeError, ValueError) as wrong:
        fail(f"--option: {wrong}; expected what an actor takes, num_cpus=2")


def answers(calls, patience_s):
    """Of {id: reference}: which have answered, or their actors have ended."""
    if not calls:
        return {}
    ready, _ = ray.wait(list(calls.values()), num_returns=len(calls),
                        timeout=patience_s)
    return {number: reference for number, reference in calls.items()
            if reference in ready}


def list_all(order):
    asked = {number: actor.running.remote()
             for number, actor in handles(order).items()}
    answered = answers(asked, 2)
    for number in asked:
        if number not in answered:
            print(number, "waiting")
            continue
        try:
            if ray.get(answered[number]):
                print(number, "running")
        except ray.exceptions.RayError:
            pass  # it has ended


def stop(order):
    actors = {number: actor for number, actor in handles(order).items()
              if number in order["ids"]}
    lively = answers({number: actor.running.remote()
                      for number, actor in actors.items()}, 2)
    for number in actors.keys() - lively.keys():
        ray.kill(actors[number])  # has no place yet
    ending = {number: actors[number].stop.remote() for number in lively}
    for number in ending.keys() - answers(ending, order["stop_s"]).keys():
        ray.kill(actors[number])


def main():
    order = json.loads(sys.argv[1])
    try:
        ray.init(address="auto", namespace="brewery", log_to_driver=False,
                 logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as wrong:
        fail(f"no Ray cluster: {wrong}".splitlines()[0]
             + "; RAY_ADDRESS names one")
    {"list": list_all, "start": start, "stop": stop}[order["do"]](order)


main()
