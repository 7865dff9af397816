"""A language model that is a script: an OpenAI-compatible server on loopback
whose replies are functions of the request, so that a run that asks it twice the
same gets the same. It is no model of language; it plays every role well enough
for the loop to turn: looks around, tries one thing, writes down what it saw.
A request with "stream" is answered with a stream; `streamed` counts them.

  with ModelScript() as model:
      model.url, model.requests, model.refuse(3)
"""

import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-scripted-0123456789"


def tokens(text):
    return len(text) // 4 + 1


class ModelScript:
    def __init__(self, latency_s=0.0):
        self.lock = threading.Lock()
        self.requests = []
        self.used = {}  # by model: calls, tokens of prompts, cached, replies
        self.streamed = 0
        self.streams = True  # False: refuses to
        self.to_refuse = 0
        self.missing = set()  # models that this server does not have
        self.is_down = False
        self.down_after = None  # this many requests
        # Of a request that is not to be answered, what it gets: status, body.
        self.fault = lambda asked: None
        self.before_fault = lambda: None  # may wait for other requests
        self.change = None  # (request, reply) -> the reply that is sent
        self.latency_s = latency_s
        self.idle = threading.Event()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are two writes: the second would wait 40 ms.
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Authorization") != "Bearer " + KEY:
                    return self.send(401, {"error": {
                        "message": "Incorrect API key provided: "
                                   + str(self.headers.get("Authorization"))}})
                asked = json.loads(body)
                # What is asked is the same however it travels.
                streams = asked.pop("stream", False)
                asked.pop("stream_options", None)
                if streams and not script.streams:
                    return self.send(400, {"error": {
                        "message": "Unsupported value: 'stream' does not "
                                   "support true with this model.",
                        "param": "stream", "code": "unsupported_value"}})
                with script.lock:
                    if script.to_refuse > 0:
                        script.to_refuse -= 1
                        return self.send(429, {"error": {
                            "message": "slow down"}}, {"Retry-After": "0"})
                    if script.is_down:
                        return self.send(503, {"error": {
                            "message": "no machine is free"}})
                    if asked["model"] in script.missing:
                        return self.send(404, {"error": {
                            "message": f"The model `{asked['model']}` does "
                                       "not exist"}})
                    fault = script.fault(asked)
                    if not fault:
                        script.requests.append(asked)
                        script.streamed += streams
                    if len(script.requests) == script.down_after:
                        script.is_down = True
                if fault:
                    script.before_fault()
                    return self.send(*fault)
                if script.latency_s:
                    script.idle.wait(script.latency_s)
                answer = (embed if self.path.endswith("/embeddings")
                          else complete)(asked)
                if script.change and "choices" in answer:
                    answer = script.change(asked, answer)
                script.count_usage(asked["model"], answer["usage"])
                if streams:
                    return self.send_stream(pieces(answer))
                return self.send(200, answer)

            def send_stream(self, some):
                """Each piece in a chunk of its own."""
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    for one in some:
                        data = f"data: {one}\n\n".encode()
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                    self.wfile.write(b"0\r\n\r\n")
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def send(self, status, value, headers=None):
                data = json.dumps(value).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    for name, text in (headers or {}).items():
                        self.send_header(name, text)
                    self.end_headers()
                    self.wfile.write(data)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """Clients are killed here: their connections break."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def refuse(self, count):
        with self.lock:
            self.to_refuse = count

    def count(self):
        with self.lock:
            return len(self.requests)

    def count_usage(self, model, usage):
        cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
        with self.lock:
            sums = self.used.setdefault(model, [0, 0, 0, 0])
            for i, more in enumerate([1, usage["prompt_tokens"], cached,
                                      usage.get("completion_tokens", 0)]):
                sums[i] += more

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.idle.set()
        self.server.shutdown()
        self.server.server_close()


def embed(asked):
    """A direction per word: texts that share words are near."""
    texts = asked["input"]
    data = []
    for index, text in enumerate(texts):
        vector = [0.0] * 32
        for word in re.findall(r"[a-z_]+", text.lower()):
            vector[hashlib.sha256(word.encode()).digest()[0] % 32] += 1.0
        vector[0] += 0.01
        data.append({"index": index, "embedding": vector})
    used = sum(tokens(text) for text in texts)
    return {"model": asked["model"], "data": data,
            "usage": {"prompt_tokens": used, "total_tokens": used}}


def complete(asked):
    schema = asked.get("response_format", {}).get("json_schema", {})
    name = schema.get("name")
    if name == "insights":
        message = {"content": json.dumps(insights(asked))}
    elif name == "review":
        message = {"content": json.dumps({**ratings(schema["schema"]),
                                          **insights(asked)})}
    elif name == "ratings":
        message = {"content": json.dumps(ratings(schema["schema"]))}
    elif name == "memory":
        message = {"content": json.dumps(memory(asked, schema["schema"]))}
    elif asked.get("tools"):
        message = act(asked)
    else:
        message = {"content": document(asked)}
    message = {"role": "assistant", "content": None, **message}
    prompt = json.dumps(asked["messages"]) + json.dumps(asked.get("tools", []))
    # As if the first message had been asked before.
    used = {"prompt_tokens": tokens(prompt),
            "prompt_tokens_details": {
                "cached_tokens": len(json.dumps(asked["messages"][0])) // 4},
            "completion_tokens": tokens(json.dumps(message))}
    return {"model": asked["model"], "usage": used, "choices": [
        {"index": 0, "message": message,
         "finish_reason": "tool_calls" if message.get("tool_calls")
                          else "stop"}]}


def pieces(reply, size=40):
    """The events of a stream that is joined to this reply."""
    choice = (reply["choices"] or [{}])[0]
    message = choice.get("message", {})

    def piece(delta, finish=None):
        return json.dumps({"object": "chat.completion.chunk",
                           "model": reply["model"], "choices": [
                               {"index": 0, "delta": delta,
                                "finish_reason": finish}]})

    if message:
        yield piece({"role": "assistant", "content": ""})
    text = message.get("content") or ""
    for at in range(0, len(text), size):
        yield piece({"content": text[at:at + size]})
    for index, made in enumerate(message.get("tool_calls") or []):
        function = made["function"]
        yield piece({"tool_calls": [{**made, "index": index, "function": {
            **function, "arguments": ""}}]})
        yield piece({"tool_calls": [{"index": index, "function": {
            "arguments": function["arguments"]}}]})
    if choice:
        yield piece({}, choice.get("finish_reason"))
    yield json.dumps({"model": reply["model"], "choices": [],
                      "usage": reply["usage"]})
    yield "[DONE]"


def call(tool, arguments=None):
    name = tool if isinstance(tool, str) else tool["function"]["name"]
    return {"tool_calls": [{"id": "c1", "type": "function", "function": {
        "name": name, "arguments": json.dumps(arguments or {})}}]}


def act(asked):
    """Follows notes that name a call, else tries a tool that the task picks."""
    names = [tool["function"]["name"] for tool in asked["tools"]
             if not tool["function"]["parameters"].get("required")]
    made = [part["function"]["name"] for message in asked["messages"]
            for part in message.get("tool_calls") or []]
    system = asked["messages"][0]["content"]
    noted = [name for name in re.findall(r"`(\w+)\(\)`", system)
             if name in names]
    plan = list(dict.fromkeys(noted))
    task = json.dumps(asked["messages"][1:2])
    pick = hashlib.sha256((task + str(asked.get("seed"))).encode()).digest()
    plan += [names[byte % len(names)] for byte in pick[:3]]
    if len(made) < len(plan):
        return call(plan[len(made)])
    return {"content": "Done."}


def insights(asked):
    text = asked["messages"][-1]["content"]
    words = re.findall(r"\b([a-z]+_[a-z_]+)\b", text)
    found = sorted(set(words))[:2] or ["the task"]
    return {"insights": [{"concept": "handling " + word.split("_")[-1],
                          "insight": f"Call `{word}()` when the task is about "
                                     f"{word.split('_')[-1]}.",
                          "steps": [0]} for word in found]}


def words_in(message):
    """Without its pictures."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(
        part.get("text", "") for part in content)


def memory(asked, schema):
    """A note or triplets of an attempt, or links of a note: of the calls that
    it is told."""
    text = asked["messages"][-1]["content"]
    words = sorted(set(re.findall(r"\b([a-z]+_[a-z_]+)\b", text)))[:3]
    words = words or ["nothing_called"]
    parts = {
        "summary": "An attempt with " + words[0],
        "keywords": words, "tags": words, "context": ["it was " + words[-1]],
        "lessons": [f"Call `{word}()`." for word in words],
        "triplets": [{"head": word, "relation": "leads to", "tail": words[0],
                      "sentence": f"Call `{word}()`."} for word in words],
        "links": [1, 99],  # there is no note 99
        "neighbours": [{"number": 1, "context": ["linked by " + words[0]],
                        "tags": ["linked"]}],
    }
    return {name: parts.get(name, []) for name in schema["properties"]}


def ratings(schema):
    rubrics = schema["properties"]["ratings"]["required"]
    return {"ratings": {name: {"reason": "as it was", "score": 0.5}
                        for name in rubrics}}


def document(asked):
    """Every part that is asked for. It leaves out some calls and the version
    of the notes before, and says so."""
    system = asked["messages"][0]["content"]
    user = next(words_in(message) for message in asked["messages"]
                if message["role"] == "user")
    heads = re.findall(r"^\s*-?\s*(\*\*[^*]+\*\*|### [A-Za-z ]+?)(?=:|$| -)",
                       system, re.M)
    heads = list(dict.fromkeys(head.strip() for head in heads))
    calls = sorted(set(re.findall(r"`(\w+\(\))`", user)))
    variant = hashlib.sha256(str(asked.get("seed")).encode()).digest()[0] % 3
    lines = []
    for head in heads:
        lines.append(head)
        lines += [f"- Call `{name}`. [i1]" for name in
                  calls[variant % max(1, len(calls)):] or calls]
        lines.append(f"- Version {variant} of the notes.")
        lines.append("")
    dropped = [f"`{name}`" for name in calls] + re.findall(r"\[i\d+\]", user)
    lines.append(", ".join(["Dropped: versions 0, 1 and 2"] + dropped))
    return "\n".join(lines)


CATALOG = """
[server.script]
base_url = "{url}"
key_env = "SCRIPT_KEY"
[model.small]
server = "script"
usd_per_million_prompt = 1.0
usd_per_million_completion = 4.0
[model.large]
server = "script"
usd_per_million_prompt = 2.0
usd_per_million_completion = 8.0
[model.near]
server = "script"
usd_per_million_prompt = 0.1
usd_per_million_completion = 0
"""

ROLES = """
[agent]
kind = "llm"
model = "small"
max_calls = {max_calls}
[reflector]
kind = "llm"
model = "large"
[integrator]
kind = "llm"
model = "large"
[judge]
kind = "llm"
model = "large"
[embedder]
kind = "llm"
model = "near"
[models]
catalog = "models.toml"
"""


def roles(max_calls):
    """The tables of a configuration in which every role asks the script."""
    return ROLES.format(max_calls=max_calls)


def serve(case, script):
    """For the length of a test; a catalog of it is in the test's directory."""
    script.__enter__()
    case.addCleanup(script.__exit__)
    (case.at / "models.toml").write_text(CATALOG.format(url=script.url))
    return script
