#!/usr/bin/env python3
"""What a model is sent by examples/telecom-house-rules, counted at a server on
loopback. The agent is played by the written policy, one call a turn, over the
real conversation; the other roles by the script of the tests.

  bench/house_rules_tokens.py PATH_OF_BREWERY

Bytes, calls and turns are counted. Tokens are not: they are the server's.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples/telecom-house-rules"
sys.path[:0] = [str(ROOT / "tests/cli"), str(EXAMPLE)]
sys.dont_write_bytecode = True

from account_tools import Refused  # noqa: E402
from policy_agent import PolicyAgent  # noqa: E402
from support import model_script  # noqa: E402

CONFIG = ROOT / "config/telecom-house-rules-models.toml"
ROLES = ["agent", "judge", "reflector", "integrator", "embedder"]
CATALOG = '[server.here]\nbase_url = "{url}"\nkey_env = "SCRIPT_KEY"\n' + "".join(
    f'[model.{role}]\nserver = "here"\nusd_per_million_prompt = 0\n'
    "usd_per_million_completion = 0\n" for role in ROLES)
SMALL = ["environment.max_train_tasks=24", "environment.max_eval_tasks=8",
         "search.iterations=1", "search.candidates=1", "eval.test_trials=1"]

others = model_script.complete


class Ask(Exception):
    """The next call of the policy."""


def ticket_of(asked):
    text = asked["messages"][1]["content"]
    return text[text.index("Complaint: "):].split("\n")[0]


def next_message(asked):
    """Runs the policy over the answers so far, up to its next call."""
    # Documents that fit an answer are shown below it.
    answers = [message["content"].split("\n\nMore notes")[0]
               for message in asked["messages"] if message["role"] == "tool"]

    def call(name, arguments):
        if not answers:
            raise Ask(name, arguments)
        answer = answers.pop(0)
        if answer.startswith("Error: "):
            raise Refused(answer)
        return answer
    try:
        PolicyAgent(ticket_of(asked), call).run()
    except Ask as wanted:
        return model_script.call(*wanted.args)
    return {"content": "Done."}


def complete(asked):
    reply = others(asked)
    if asked["model"] == "agent":
        reply["choices"][0]["message"] = {"role": "assistant", "content": None,
                                          **next_message(asked)}
    return reply


def run(program, script, at):
    (at / "models.toml").write_text(CATALOG.format(url=script.url))
    words = [program, "run", str(CONFIG), "--id", "counted", "--json",
             "--runs-dir", str(at / "runs")]
    for value in [f"models.catalog={at / 'models.toml'}", *SMALL,
                  *(f"{role}.model={role}" for role in ROLES)]:
        words += ["--set", value]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "SCRIPT_KEY": model_script.KEY})
    return json.loads(done.stdout.splitlines()[-1])


def size(value):
    return len(json.dumps(value, ensure_ascii=False).encode())


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: house_rules_tokens.py PATH_OF_BREWERY")
    model_script.complete = complete
    with tempfile.TemporaryDirectory() as scratch:
        with model_script.ModelScript() as script:
            result = run(os.path.abspath(sys.argv[1]), script, Path(scratch))
        asked = script.requests
    print(f"success of the policy without knowledge: "
          f"{100 * result['arms'][0]['success']:.1f} % of "
          f"{result['arms'][0].get('tasks', 60)} test cases")
    calls, sent = Counter(), Counter()
    for request in asked:
        calls[request["model"]] += 1
        sent[request["model"]] += size(request)
    print("role        calls  bytes a call")
    for role in ROLES:
        if calls[role]:
            print(f"{role:10}  {calls[role]:5}  {sent[role] // calls[role]:12}")
    agent = [request for request in asked if request["model"] == "agent"]
    first = [request for request in agent
             if all(m["role"] != "tool" for m in request["messages"])]
    print(f"agent: {len(first)} attempts of {len(agent) / len(first):.1f} "
          f"calls and {sent['agent'] // len(first)} bytes each; tools "
          f"{size(agent[0]['tools'])}, first system prompt "
          f"{size(first[0]['messages'][0]['content'])} bytes")


if __name__ == "__main__":
    main()
