"""What must hold after the run: replies that could be used, and accounts that
equal the counting proxy's."""

import json
import subprocess
from collections import Counter, defaultdict

from packages import say

# The kind of a request by the role; judge and reflector send a schema.
KINDS = {"agent": "agent", "integrator": "document", "embedder": "embedding"}


class Checks:
    def __init__(self):
        self.failed = []

    def that(self, what, holds, found=""):
        say(f"{'ok' if holds else 'FAILED'}: {what}"
            + (f" ({found})" if found else ""))
        if not holds:
            self.failed.append(what)


def parses(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def check_replies(checks, calls, run, printed):
    by = defaultdict(list)
    for call in calls:
        if call.paid() and call.arrived:
            by[call.kind].append(call)
    refused = Counter((c.kind, c.status) for c in calls if not c.paid())
    checks.that("the server refused no request", not refused, dict(refused))
    schema = by["schema"]
    checks.that("judge and reflector: every reply ends by itself and is used "
                "at once",
                schema and all(c.finish == "stop" and parses(c.text)
                               and c.turns == 2 for c in schema),
                f"{len(schema)} replies, "
                f"{sum(c.turns > 2 for c in schema)} repairs")
    agent = by["agent"]
    whole = [call for call in agent if call.finish != "length"]
    checks.that("agent: every reply that ends by itself has a call that can be "
                "made", whole and all(c.tools and all(map(parses, c.tools))
                                      for c in whole),
                f"{len(whole)} of {len(agent)} replies, the others cut")
    checks.that("every role: what was cut was usable the second time",
                "not usable" not in printed)
    checks.that("embedder: a vector for every text",
                by["embedding"] and all(c.vectors for c in by["embedding"]),
                f"{len(by['embedding'])} replies")
    documents = list((run / "kb").rglob("*.md"))
    checks.that("integrator: every document is whole", documents and
                all(c.finish == "stop" for c in by["document"]),
                f"{len(by['document'])} replies, {len(documents)} documents")


def spend_of(brewery, at):
    """The lines of `brewery runs --json`, one for each role and model."""
    listed = subprocess.run([brewery, "runs", "--json", "--runs-dir", "runs"],
                            cwd=at, check=True, capture_output=True, text=True)
    return json.loads(listed.stdout.splitlines()[0])["spend"]


def check_accounts(checks, calls, spend, kills):
    answered = [call for call in calls if call.arrived and call.paid()]
    counted, shown = (defaultdict(lambda: [0, 0, 0, 0]) for _ in range(2))
    for call in answered:
        for at, value in enumerate((1, call.prompt, call.cached,
                                    call.completion)):
            counted[call.kind][at] += value
    for line in spend:
        values = [line[name] for name in ("calls", "prompt_tokens",
                                          "cached_tokens", "completion_tokens")]
        say(f"  {line['role']}: {values[0]} calls, {values[1]} prompt tokens, "
            f"{values[2]} of them cached, {values[3]} reply tokens")
        for at, value in enumerate(values):
            shown[KINDS.get(line["role"], "schema")][at] += value
    same = dict(counted) == dict(shown)
    checks.that("calls and tokens of the run are the proxy's, to the token",
                same, "" if same else f"{dict(counted)}, run {dict(shown)}")
    lost = sum(call.paid() and not call.arrived for call in calls)
    checks.that("nothing is lost but the reply at each kill", lost == kills,
                f"{lost} lost, {kills} kills")
    again = [d for d, n in Counter(c.digest for c in answered).items() if n > 1]
    checks.that("no answered call is asked again", not again,
                f"{len(answered)} answered calls")
