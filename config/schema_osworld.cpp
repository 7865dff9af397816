#include "config/declare.hpp"

namespace brewery {

namespace {

/// Options that define a rollout and its score: part of its identity.
void add_osworld_play(section_of<osworld_settings>& s) {
  s.add(&osworld_settings::actions, "actions",
        "The agent's actions: Python code with pyautogui, or the thirteen "
        "kinds of computer_13; both with wait, done and fail.",
        {.choices = {"pyautogui", "computer_13"}});
  s.add(&osworld_settings::observation, "observation",
        "What the agent gets after an action: the screenshot, the "
        "accessibility tree, or both.",
        {.choices = {"screenshot", "a11y_tree", "screenshot_a11y_tree"}});
  s.add(&osworld_settings::terminal, "terminal",
        "Also give the agent the text of a terminal that has the focus.");
  s.add(&osworld_settings::steps, "steps",
        "Maximum number of actions of a rollout.",
        {.unit = "actions", .min = 1, .max = 1000});
  s.add(&osworld_settings::tree_bytes, "tree_bytes",
        "Maximum length of the accessibility tree as a table. The official "
        "agent cuts at 10,000 tokens, some 30,000 bytes.",
        {.unit = "bytes", .min = 256, .max = 1 << 24});
  s.add(&osworld_settings::action_pause_ms, "action_pause_ms",
        "Pause after an action, before the screen is looked at. The official "
        "environment waits 2,000 unless told otherwise.",
        {.unit = "ms", .min = 0, .max = 600000});
  s.add(&osworld_settings::wait_ms, "wait_ms", "How long `wait` waits.",
        {.unit = "ms", .min = 0, .max = 600000});
  s.add(&osworld_settings::start_pause_ms, "start_pause_ms",
        "Pause after the task is set up. The official runner waits 60,000.",
        {.unit = "ms", .min = 0, .max = 600000});
  s.add(&osworld_settings::grade_pause_ms, "grade_pause_ms",
        "Pause before a rollout is graded. The official runner waits 20,000.",
        {.unit = "ms", .min = 0, .max = 600000});
  s.add(&osworld_settings::width_px, "width_px", "Width of the screen.",
        {.unit = "px", .min = 640, .max = 7680});
  s.add(&osworld_settings::height_px, "height_px", "Height of the screen.",
        {.unit = "px", .min = 480, .max = 4320});
}

/// Options for the desktops of this machine.
void add_osworld_desktops(section_of<osworld_settings>& s) {
  s.add(&osworld_settings::provider, "provider",
        "Where desktops come from. local: processes of this machine. docker: "
        "the official image. static: machines that somebody else runs.",
        {.choices = {"local", "docker", "static"}});
  s.add(&osworld_settings::desktops, "desktops",
        "Number of desktops in use at once. More rollouts wait for one.",
        {.unit = "desktops", .min = 1, .max = 1000});
  s.add(&osworld_settings::spares, "spares",
        "Number of desktops that are made ready meanwhile, so that no rollout "
        "waits for a reset.",
        {.unit = "desktops", .min = 0, .max = 1000});
  s.add(&osworld_settings::ready_pause_ms, "ready_pause_ms",
        "Pause after a new desktop's screen stands still. The official runner "
        "waits 60,000 instead of looking.",
        {.unit = "ms", .min = 0, .max = 600000});
  s.add(&osworld_settings::take_timeout_s, "take_timeout_s",
        "Time limit for getting a desktop.",
        {.unit = "s", .min = 1, .max = 86400});
  s.add(&osworld_settings::accessibility_timeout_s, "accessibility_timeout_s",
        "Time limit for one accessibility tree.",
        {.unit = "s", .min = 1, .max = 3600});
  s.add(&osworld_settings::password_env, "password_env",
        "Environment variable with the password of the guest's user, which "
        "setup steps use for sudo. Empty: \"password\", as in the official "
        "images.");
  s.add(&osworld_settings::static_desktops, "static_desktops",
        "Of static: machines as \"HOST\", or "
        "\"HOST:SERVER:CHROMIUM:VLC\" with their ports.");
  s.add(&osworld_settings::static_reset, "static_reset",
        "Of static: program with arguments that resets a machine; {host} "
        "stands for its host, e.g. [\"./reset.sh\", \"{host}\"].");
  s.add(&osworld_settings::token_env, "token_env",
        "Of static: environment variable with the token of the machines' "
        "servers. Empty: none, as for the official images.");
  s.add(&osworld_settings::docker_image, "docker_image",
        "Of docker: the image.");
  s.add(&osworld_settings::docker_disk, "docker_disk",
        "Of docker: the official disk, Ubuntu.qcow2. It is not written to.");
  s.add(&osworld_settings::docker_socket, "docker_socket",
        "Of docker: the socket of the Docker Engine.");
}

/// Files and graders.
void add_osworld_files(section_of<osworld_settings>& s) {
  s.add(&osworld_settings::cache, "cache",
        "Directory of the files that tasks need, for all workers of this "
        "machine (`brewery data fetch`). Empty: brewery/osworld in the user's "
        "cache directory.");
  s.add(&osworld_settings::mirror, "mirror",
        "Address or directory with the official files, instead of the data "
        "set on Hugging Face.");
  s.add(&osworld_settings::screenshots, "screenshots",
        "Directory that keeps every screenshot by its hash, for `brewery "
        "export --osworld`. Empty: none is kept.");
  s.add(&osworld_settings::evaluators, "evaluators",
        "OSWorld checkout whose evaluators grade the tasks that this program "
        "cannot grade itself. Empty: those tasks are left out.");
  s.add(&osworld_settings::evaluators_python, "evaluators_python",
        "Python interpreter with what the evaluators need.");
  s.add(&osworld_settings::grade_timeout_s, "grade_timeout_s",
        "Time limit for a grade by the evaluators.",
        {.unit = "s", .min = 1, .max = 86400});
}

} // namespace

option_section osworld_section() {
  section_of<osworld_settings> s{
      at(&config::environment, &environment_options::osworld),
      "environment.osworld", "Options of osworld, OSWorld's desktop tasks."};
  add_osworld_play(s);
  add_osworld_desktops(s);
  add_osworld_files(s);
  return s.take();
}

} // namespace brewery
