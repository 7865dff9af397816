"""A FAKE of tau2-bench's package: as much of its modules as the adapter calls,
written for the tests, with a domain of three tasks. Nothing of the reference.
"""

import json
from pathlib import Path

MESSAGE = '''
class _Said:
    def __init__(self, role, content=None, tool_calls=None):
        self.role, self.content, self.tool_calls = role, content, tool_calls
    def is_tool_call(self):
        return self.tool_calls is not None

class AssistantMessage(_Said): pass
class UserMessage(_Said): pass

class ToolCall:
    def __init__(self, id, name, arguments, requestor="assistant"):
        self.id, self.name = id, name
        self.arguments, self.requestor = arguments, requestor

class ToolMessage:
    def __init__(self, id, content, error, requestor):
        self.id, self.content, self.error = id, content, error
        self.requestor, self.role = requestor, "tool"

class MultiToolMessage:
    def __init__(self, role, tool_messages):
        self.role, self.tool_messages = role, tool_messages
'''

ENVIRONMENT = '''
from tau2.data_model.message import ToolMessage

class Shared:
    """A default that a tool changes in place, as in the reference."""
    def __init__(self, speed): self.speed = speed
    def model_copy(self): return Shared(self.speed)

class Described:
    def __init__(self, name, properties):
        self.name = name
        self.openai_schema = {"function": {
            "name": name, "description": "Does " + name,
            "parameters": {"properties": properties,
                           "required": list(properties),
                           "$defs": {"Way": {"enum": ["up", "down"],
                                             "type": "string"}}}}}

class Kit:
    link = Shared("fast")
    def __init__(self, state, tools): self.state, self.known = state, tools
    def tool_type(self, name): return "write" if name.startswith("set") else "read"

class Environment:
    def __init__(self, solo_mode):
        self.solo = solo_mode
        self.state = {"lamp": "off"}
        self.tools = Kit(self.state, {"set_lamp": {
            "way": {"$ref": "#/$defs/Way", "description": "Which way"},
            "times": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "rooms": {"type": "array", "items": {"$ref": "#/$defs/Way"}},
            "mixed": {"type": "array", "items": {
                "anyOf": [{"type": "integer"}, {"type": "string"}]}}}})
        self.user_tools = Kit(self.state, {"see_lamp": {}})
    def get_policy(self): return "Be brief."
    def get_tools(self):
        return [Described(n, p) for n, p in self.tools.known.items()]
    def get_user_tools(self):
        return [Described(n, p) for n, p in self.user_tools.known.items()]
    def is_mutating_tool(self, name): return name.startswith("set")
    def set_state(self, initialization_data, initialization_actions, message_history):
        for action in initialization_actions or []:
            self.state["lamp"] = action
    def get_response(self, call):
        kit = self.user_tools if call.requestor == "user" or (
            self.solo and call.name in self.user_tools.known) else self.tools
        if call.name not in kit.known:
            return ToolMessage(call.id, f"Error: Tool '{call.name}' not found.",
                               True, call.requestor)
        if call.name == "set_lamp":
            self.state["lamp"] = "on" if call.arguments["way"] == "up" else "off"
            type(kit).link.speed = "slow"
        return ToolMessage(call.id, f"lamp {self.state['lamp']}, link "
                           f"{type(kit).link.speed}", False, call.requestor)
'''

DOMAIN = '''
import json
from pathlib import Path
from types import SimpleNamespace as Values
from tau2.environment.environment import Environment

HERE = Path(__file__).resolve()
DATA = HERE.parents[4] / "data" / "tau2" / "domains" / HERE.parent.name

class Task(Values):
    @classmethod
    def model_validate(cls, value):
        criteria = value["evaluation_criteria"]
        return cls(id=value["id"], ticket=value["ticket"],
                   user_scenario="You are " + value["id"],
                   initial_state=Values(initialization_actions=value["start"]),
                   evaluation_criteria=criteria and Values(**criteria))

def get_environment(solo_mode=False):
    if solo_mode and "retail" in str(HERE):
        raise ValueError("Retail domain does not support solo mode")
    return Environment(solo_mode)

def get_tasks(task_split_name="base"):
    assert task_split_name is None
    return [Task.model_validate(t)
            for t in json.loads((DATA / "tasks.json").read_text())]

def get_tasks_split():
    return json.loads((DATA / "split_tasks.json").read_text())
'''

EVALUATOR_ENV = '''
from types import SimpleNamespace as Values

class EnvironmentEvaluator:
    @classmethod
    def calculate_reward(cls, environment_constructor, task, full_trajectory,
                         solo_mode=False):
        env = environment_constructor(solo_mode=solo_mode)
        env.set_state(None, task.initial_state.initialization_actions, [])
        for message in full_trajectory:
            for call in getattr(message, "tool_calls", None) or []:
                env.get_response(call)
        on = env.state["lamp"] == "on"
        asserted = Values(func_name="assert_lamp", arguments={"state": "on"})
        return Values(reward=float(on), db_check=Values(db_match=on),
                      env_assertions=[Values(env_assertion=asserted, met=on)])
'''

EVALUATOR_ACTION = '''
from types import SimpleNamespace as Values

class ActionEvaluator:
    @classmethod
    def calculate_reward(cls, task, full_trajectory, tool_types=None):
        made = [c.name for m in full_trajectory
                for c in getattr(m, "tool_calls", None) or []]
        checks = [Values(action=Values(name=n, arguments={}), action_match=n in made)
                  for n in task.evaluation_criteria.actions]
        return Values(reward=float(all(c.action_match for c in checks)),
                      action_checks=checks)
'''

EVALUATOR_COMMUNICATE = '''
from types import SimpleNamespace as Values

class CommunicateEvaluator:
    @classmethod
    def calculate_reward(cls, task, full_trajectory):
        said = " ".join(m.content or "" for m in full_trajectory
                        if m.role == "assistant").lower()
        checks = [Values(info=i, met=i in said)
                  for i in task.evaluation_criteria.communicate_info]
        return Values(reward=float(all(c.met for c in checks)),
                      communicate_checks=checks)
'''

USER = '''
from tau2.data_model.message import ToolCall, UserMessage

class UserSimulator:
    """Looks at the lamp whenever it is asked to, else repeats, then stops."""
    def __init__(self, llm, instructions=None, tools=None, llm_args=None):
        assert llm == "some-model" and instructions.startswith("You are ")
        self.tools = tools
    def get_init_state(self, message_history=None): return []
    @classmethod
    def is_stop(cls, message): return "###STOP###" in message.content
    def generate_next_message(self, message, state):
        state.append(message)
        if message.role == "tool":
            made = UserMessage("user", "I see: " + message.content)
        elif "look" in message.content:
            made = UserMessage("user", None, [
                ToolCall(f"u{len(state)}", "see_lamp", {}, "user")])
        elif "bye" in message.content:
            made = UserMessage("user", "Thanks ###STOP###")
        else:
            made = UserMessage("user", "You said: " + message.content)
        return made, state
'''


def _task(number, **criteria):
    basis = criteria.pop("basis")
    return {"id": f"t{number}", "ticket": f"Ticket {number}", "start": ["off"],
            "evaluation_criteria": {"reward_basis": basis, "actions": [],
                                    "communicate_info": [],
                                    "nl_assertions": [], **criteria}}


TASKS = [_task(1, basis=["ENV_ASSERTION"]),
         _task(2, basis=["DB", "COMMUNICATE"], communicate_info=["40 eur"]),
         _task(3, basis=["ENV_ASSERTION", "ACTION"], actions=["see_lamp"])]


def write_checkout(root: Path, domains=("telecom", "retail")) -> Path:
    """A directory that looks like a checkout to the adapter."""
    package = root / "src" / "tau2"
    files = {"__init__.py": "", "registry.py": "", "data_model/__init__.py": "",
             "data_model/message.py": MESSAGE, "environment/__init__.py": "",
             "environment/environment.py": ENVIRONMENT,
             "evaluator/__init__.py": "",
             "evaluator/evaluator_env.py": EVALUATOR_ENV,
             "evaluator/evaluator_action.py": EVALUATOR_ACTION,
             "evaluator/evaluator_communicate.py": EVALUATOR_COMMUNICATE,
             "user/__init__.py": "", "user/user_simulator.py": USER,
             "domains/__init__.py": ""}
    for domain in domains:
        files[f"domains/{domain}/__init__.py"] = ""
        files[f"domains/{domain}/environment.py"] = DOMAIN
        data = root / "data" / "tau2" / "domains" / domain
        data.mkdir(parents=True)
        (data / "tasks.json").write_text(json.dumps(TASKS))
        (data / "split_tasks.json").write_text(json.dumps(
            {"train": ["t1", "t2"], "test": ["t3"]}))
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def write_unrelated(root: Path) -> Path:
    """What `pip install tau2` brings: a package that only shares the name."""
    package = root / "src" / "tau2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .relax import *\n")
    (package / "relax.py").write_text("def fit(): pass\n")
    return root
