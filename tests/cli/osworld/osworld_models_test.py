#!/usr/bin/env python3
"""The agents with images on real desktops, by a scripted model server
(desktop_model.py): documents stand where docs/osworld-agents.md says, and with
GTA1 and UI-TARS the whole loop learns what the agent does wrongly without it.

  osworld_models_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).resolve().parents[1]),
                str(ROOT / "envs/osworld/python/tests")]
from desktop import missing  # noqa: E402
from support.desktop_model import KNOWN, DesktopScript, all_text, role_of
from support.model_case import ModelCase
from support.program import main

CONFIG = """
[run]
threads = 2
[environment]
kind = "osworld"
data = "tasks"
eval_split = "eval"
[environment.osworld]
provider = "local"
desktops = 2
spares = 0
observation = "screenshot"
steps = 200
start_pause_ms = 100
action_pause_ms = 200
grade_pause_ms = 100
wait_ms = 300
[search]
initial_trials = 1
iterations = 1
candidates = 1
[eval]
test_trials = 1
min_per_concept = 1
[agent]
kind = "llm"
model = "small"
max_calls = 200
plans = 1
[reflector]
kind = "llm"
model = "large"
[integrator]
kind = "llm"
model = "large"
[judge]
kind = "llm"
model = "large"
[models]
catalog = "models.toml"
[retrieval]
per_observation = false
"""


class DesktopFormats(ModelCase):
    config = CONFIG

    def setUp(self):
        super().setUp()
        self.model.change = DesktopScript()
        tasks = ROOT / "examples/osworld/examples/os"
        (self.at / "tasks/examples").mkdir(parents=True)
        (self.at / "tasks/examples/os").symlink_to(tasks)
        for split in ("train", "eval", "test"):
            listed = json.loads((ROOT / f"examples/osworld/commands-{split}"
                                 ".json").read_text())["os"]
            chosen = next(name for name in listed if "command-folder-" in
                          (tasks / f"{name}.json").read_text())
            (self.at / f"tasks/{split}.json").write_text(
                json.dumps({"os": [chosen]}))

    def options(self, **agent):
        return [word for name, value in agent.items()
                for word in ("--set", f"agent.{name}={value}")]

    def asked(self):
        """What each agent was told, by its role."""
        asked = {}
        for request in self.model.requests:
            if role := role_of(request):
                asked.setdefault(role, []).append(all_text(request))
        return asked

    def told(self, texts):
        """A note comes before what the agent itself has said."""
        return {KNOWN in text for text in texts}

    def learns(self, **agent):
        done = self.result_of("run", "c.toml", *self.options(**agent))
        self.assertEqual([arm["success"] for arm in done["arms"]],
                         [0.0, 1.0], done)
        return self.asked()

    def test_the_prompt_agent_is_told(self):
        (self.at / "kb").mkdir()
        (self.at / "kb/folders.md").write_text(
            f"# Make a folder\n\nBy {KNOWN}, {{which}} is no placeholder.\n")
        done = self.result_of("eval", "kb", "--config", "c.toml", "--trials",
                              1, "--quiet", *self.options(
                                  format="prompt", observation="screenshot"))
        self.assertEqual([arm["success"] for arm in done["arms"]],
                         [0.0, 1.0], done)
        asked = self.asked()
        self.assertEqual(set(asked), {"prompt"})
        self.assertEqual(self.told(asked["prompt"]), {True, False})

    def test_gta1_learns_and_tells_its_planner_not_the_grounding_model(self):
        asked = self.learns(format="gta1", grounder_model="near")
        self.assertEqual(set(asked), {"gta1", "grounder"})
        self.assertEqual(self.told(asked["gta1"]), {True, False})
        self.assertEqual(self.told(asked["grounder"]), {False})

    def test_ui_tars_learns_and_is_told_before_the_instruction(self):
        asked = self.learns(format="ui_tars")
        self.assertEqual(set(asked), {"ui_tars"})
        self.assertEqual(self.told(asked["ui_tars"]), {True, False})
        for text in asked["ui_tars"]:
            if KNOWN in text:
                self.assertLess(text.index(KNOWN),
                                text.index("## User Instruction"))


if __name__ == "__main__":
    main(missing)
