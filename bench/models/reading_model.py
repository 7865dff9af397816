"""The model of bench/economy.py: a script whose replies are functions of all
that it was sent, as a model's at temperature 0 are. So every word of a shown
document counts, and one that is not shown counts for nothing.

As agent it looks around, follows the rules of the documents that it was shown,
and then tries what a draw from all that was sent picks. As reflector it says
after which change a look showed something else; as integrator it keeps such
sentences that came with success, and others by a draw. It knows the form of a
rule and nothing of the domain: a look it tells by the verb of the tool's name.
"""

import hashlib
import json
import re

LOOKS = ("check_", "can_", "run_", "get_")
RULE = re.compile(r"When (`.*?): call (`.*?)(?:\. Expect|\.$|\.\n)", re.M)
SHOWN = re.compile(r'`(\w+\(.*?\))` shows "(.*?)"')
CALL = re.compile(r"`(\w+\([^`<>:]*\))`")
OPEN_CALL = re.compile(r"`(\w+)\((\w+): str\)`")
SUPPOSED = re.compile(r'"(\w[^"]*)"|\bis ([A-Za-z]+(?: set)?)')
WORDS = re.compile(r'"(.*?)"')
ARGUMENT = re.compile(r'(\w+)="([^"]*)"')
TRIES = 8  # at most, beyond the rules


def as_text(name, arguments):
    inside = ", ".join(f'{key}="{value}"' for key, value in arguments.items())
    return f"{name}({inside})"


class Texts:
    """What the first message says, read once: it holds the documents, and is
    the same in each request of an attempt."""

    def __init__(self, system, tools):
        self.tools = tools
        # Each with its conditions and its calls. Those with a blank to fill in
        # are left alone.
        self.rules = [(SHOWN.findall(when), CALL.findall(then))
                      for when, then in RULE.findall(system)
                      if "<" not in when + then and CALL.search(then)]
        self.looks = self.find_looks(system)
        self.advice = list(self.find_advice(system))

    def find_looks(self, system):
        """Those that need no arguments, and those that a text names whole."""
        free = [as_text(name, {}) for name, takes in self.tools.items()
                if not takes.get("required")]
        named = [call for call in CALL.findall(system)
                 if call.split("(")[0] in self.tools]
        return [call for call in dict.fromkeys(free + named)
                if call.startswith(LOOKS)]

    def find_advice(self, system):
        """Changes that a line names, with the words that it says a report would
        have, and those that the change is about."""
        for line in system.splitlines():
            head, _, tail = line.partition(", guide")
            words = [word.lower() for pair in SUPPOSED.findall(head)
                     for word in pair if word]
            calls = CALL.findall(tail or head)
            for name, key in OPEN_CALL.findall(tail):
                takes = self.tools.get(name, {}).get("properties", {})
                calls += [as_text(name, {key: word})
                          for word in takes.get(key, {}).get("enum", [])
                          if f'"{word}"' in tail]
            for call in calls:
                name = call.split("(")[0]
                if name in self.tools and not name.startswith(LOOKS):
                    yield call, words, name.split("_")[1:]


class TextsSeen:
    """For one set of tools: a run has one."""

    def __init__(self):
        self.seen = {}

    def of(self, system, tools):
        found = self.seen.get(system)
        if found is None or found.tools.keys() != tools.keys():
            if len(self.seen) >= 4096:
                self.seen.clear()
            found = self.seen[system] = Texts(system, tools)
        return found


SEEN = TextsSeen()


class Attempt:
    """What the messages of a request say."""

    def __init__(self, asked):
        self.asked = asked
        self.calls, self.reports = [], {}
        open_calls = {}
        for message in asked["messages"]:
            for made in message.get("tool_calls") or []:
                part = made["function"]
                text = as_text(part["name"], json.loads(part["arguments"]))
                self.calls.append(text)
                open_calls[made["id"]] = text
            if message["role"] == "tool":
                text = open_calls.get(message["tool_call_id"])
                self.reports[text] = message["content"]
        self.system = asked["messages"][0]["content"]
        self.texts = SEEN.of(self.system, {
            tool["function"]["name"]: tool["function"]["parameters"]
            for tool in asked["tools"]})

    def advice(self):
        """Changes that the texts name, and whether a report has the words that
        the line says it would have."""
        lines = "\n".join(self.reports.values()).lower().splitlines()
        for call, words, about in self.texts.advice:
            yield call, any(
                word in said and all(part in said for part in about)
                for word in words for said in lines)

    def draw(self):
        """From all that was sent. The seed, which differs between jobs, counts
        only without documents: then there is nothing to learn from but luck.
        """
        said = json.dumps(self.asked["messages"])
        if "**When to use**" not in self.system:
            said += str(self.asked.get("seed"))
        return hashlib.sha256(said.encode()).digest()


def related(change, reports):
    """Looks at what the change names: in their names, or in what they said."""
    words = re.findall(r"[a-z]+", change.split("(")[0])[1:]
    return [look for look, said in reports.items()
            if look and look.startswith(LOOKS)
            and (set(words) & set(re.findall(r"[a-z]+", look)[1:])
                 or all(word in said.lower() for word in words))]


def next_call(asked):
    """The text of the next call, or none: the end."""
    attempt = Attempt(asked)
    rules = attempt.texts.rules
    looks = list(dict.fromkeys(attempt.texts.looks + [
        look for shown, _ in rules for look, _ in shown]))
    for look in looks:
        if look not in attempt.reports:
            return look
    made = attempt.calls
    changes = [call for call in made if call not in looks]
    # After a change it looks again at what that may have changed.
    if changes:
        last = len(made) - 1 - made[::-1].index(changes[-1])
        for look in related(changes[-1], attempt.reports):
            if look not in made[last:]:
                return look
    for shown, calls in rules:
        if all(line in attempt.reports.get(look, "") for look, line in shown):
            for call in calls:
                if call not in changes:
                    return call
    return tried(attempt, changes)


def tried(attempt, changes):
    """What a draw picks: of what a report speaks for, if there is any."""
    draw = attempt.draw()
    advice = {call: met for call, met in attempt.advice()
              if call not in changes}
    likely = [call for call, met in advice.items() if met]
    left = likely if likely and draw[0] < 230 else list(advice)
    stops = not likely and draw[1] < 160
    if len(changes) >= TRIES or not left or stops:
        return None
    return left[int.from_bytes(draw[2:6], "big") % len(left)]


def reply_to(asked):
    call = next_call(asked)
    name, inside = (call or "done()").split("(", 1)
    arguments = dict(ARGUMENT.findall(inside))
    return {"role": "assistant", "content": None, "tool_calls": [{
        "id": f"c{len(asked['messages'])}", "type": "function", "function": {
            "name": name, "arguments": json.dumps(arguments)}}]}


STEP = re.compile(r"\[(\d+)\] \w+ called (\w+) with (.*)\n    answer: "
                  r"((?:.*\n)*?)(?=\[\d+\] |</data)")
INSIGHT = re.compile(r"\[(i\d+)\].*?mean reward ([\d.]+)\) (.*)")
CHOICES = (("Look again", "Check anew", "See for yourself", "Make sure"),
           ("after", "right after", "soon after", "once more after"),
           ("each change", "every change", "all you did", "what you changed"))
HEAD = re.compile(r"^(\*\*[^*]+\*\*|### [A-Za-z ]+)$", re.M)


def insights(asked):
    """What looks showed before and after a change, at most 8."""
    reports, change, out = {}, None, []
    for number, name, given, answer in STEP.findall(
            asked["messages"][-1]["content"]):
        call = as_text(name, json.loads(given))
        if not name.startswith(LOOKS):
            change = number, call
            continue
        lines = answer.strip().splitlines()
        old = reports.get(call)
        reports[call] = lines
        if not change or not old or old == lines:
            continue
        gone = [line for line in old if line not in lines]
        come = [line for line in lines if line not in old]
        for line, new in zip(gone, come):
            if '"' not in line + new:
                label = line.split(":")[0] if len(lines) > 1 else name
                out.append({
                    "concept": " ".join(re.findall(r"[a-z]+", label.lower())),
                    "insight": f'When `{call}` shows "{line}": call '
                               f'`{change[1]}`. Expect "{new}".',
                    "steps": [int(change[0]), int(number)]})
    return {"insights": out[:8]}


def document(asked):
    """All parts. A draw leaves out sentences, the more the less success came
    with them; of several for one situation it keeps the best. No two drafts
    have the same words, as those of a model with a temperature have not."""
    system, user = (asked["messages"][i]["content"] for i in (0, 1))
    kept = {}
    words = hashlib.sha256(str(asked.get("seed")).encode()).digest()
    style = "- " + " ".join(CHOICES[i][words[i] % 4] for i in range(3)) + "."
    for number, reward, text in INSIGHT.findall(user):
        draw = hashlib.sha256((text + str(asked.get("seed"))).encode()).digest()
        if draw[0] < 10 + 800 * float(reward):
            when = text.split(": call")[0]
            kept[when] = max(kept.get(when, (0.0, "")),
                             (float(reward), f"- {text} [{number}]"))
    rules = [text for _, text in kept.values()] or ["- Nothing is known yet."]
    lines = ["- " + said for text in rules for said in WORDS.findall(text)]
    parts = []
    for head in dict.fromkeys(HEAD.findall(system)):
        parts.append(head)
        parts += (rules if head == "### How to perform" else
                  [style] if head == "### Additional actions" else
                  lines[:1] or ["- Not known yet."])
    facts = re.findall(r'`[^`]+`|"[^"]*"|\bi\d+\b', user)
    return "\n".join(parts) + "\n\nDropped: " + ", ".join(
        dict.fromkeys(facts))


def message_to(asked):
    if asked.get("tools"):
        return reply_to(asked)
    if asked.get("response_format"):
        return {"role": "assistant", "content": json.dumps(insights(asked))}
    return {"role": "assistant", "content": document(asked)}


def completion(asked):
    """The whole reply; a token is four letters."""
    message = message_to(asked)
    said = sum(len(part.get("content") or "") for part in asked["messages"])
    return {"model": asked["model"], "choices": [{
        "index": 0, "message": message, "finish_reason":
            "tool_calls" if message.get("tool_calls") else "stop"}],
        "usage": {"prompt_tokens": said // 4 + 1, "completion_tokens":
                  len(json.dumps(message)) // 4 + 1}}
