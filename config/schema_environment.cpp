#include "config/declare.hpp"

namespace brewery {

namespace {

template <class Options>
void add_child(section_of<Options>& s, child_settings Options::*child) {
  s.add(at(child, &child_settings::pass_env), "pass_env",
        "Names of environment variables that the child process gets beside "
        "PATH, HOME, LANG and TMPDIR, e.g. [\"OPENAI_API_KEY\"].");
  s.add(at(child, &child_settings::start_timeout_ms), "start_timeout_ms",
        "How long the child process may take to start and say what it has.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(at(child, &child_settings::step_timeout_ms), "step_timeout_ms",
        "How long the child process may take for a reset, a step or a close; "
        "then it is killed and the rollout has no score.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(at(child, &child_settings::grade_timeout_ms), "grade_timeout_ms",
        "How long the child process may take to grade.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
}

} // namespace

option_section environment_section() {
  section_of<environment_options> s{
      &config::environment, "environment",
      "The benchmark and how its tasks are split."};
  s.add(&environment_options::kind, "kind", "Which benchmark.",
        {.choices = {"tau2-telecom", "tau2-retail", "tau2-airline", "toy",
                     "external", "tau2-official", "spreadsheet"}});
  s.add(&environment_options::data, "data",
        "Data directory of the benchmark: examples/telecom, a tau2-bench "
        "checkout, examples/spreadsheets or a SpreadsheetBench dataset; the "
        "toy environment needs none. An external environment is "
        "started in it.");
  s.add(&environment_options::train_split, "train_split",
        "Split the agent learns from.");
  s.add(&environment_options::eval_split, "eval_split",
        "Split that scores candidate documents; empty to hold out a part of "
        "the train split.");
  s.add(&environment_options::eval_fraction, "eval_fraction",
        "Part of the train split that is held out when eval_split is empty.",
        {.min = 0.05, .max = 0.95});
  s.add(&environment_options::test_split, "test_split",
        "Sealed split: only the final evaluation sees it.");
  s.add(&environment_options::max_train_tasks, "max_train_tasks",
        "Most train tasks that are used, in file order; 0 is all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::max_eval_tasks, "max_eval_tasks",
        "Most eval tasks that are used, in file order; 0 is all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::max_test_tasks, "max_test_tasks",
        "Most test tasks that are used, in file order; 0 is all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::simulated_latency_ms, "simulated_latency_ms",
        "Artificial delay of every tool call, to rehearse a cluster; results "
        "stay the same.",
        {.unit = "ms", .min = 0, .max = 3600000});
  return s.take();
}

option_section tau2_section() {
  section_of<tau2_settings> s{
      at(&config::environment, &environment_options::tau2), "environment.tau2",
      "Options of tau2-telecom, tau2-retail and tau2-airline."};
  s.add(&tau2_settings::mode, "mode",
        "The agent alone with a ticket and both tool kits (solo), or in "
        "conversation with a simulated user (user); auto is solo for telecom, "
        "user for retail and airline.",
        {.choices = {"auto", "solo", "user"}});
  s.add(&tau2_settings::max_steps, "max_steps",
        "Steps until a conversation is broken off without a reward; a message "
        "is one, running its calls is another.",
        {.unit = "steps", .min = 1, .max = 100000});
  s.add(&tau2_settings::max_errors, "max_errors",
        "Failed tool calls of agent and user together until a conversation is "
        "broken off without a reward.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&tau2_settings::enforce_protocol, "enforce_protocol",
        "Break off at a message with both words and calls; else its calls run "
        "and its words reach nobody.");
  s.add(&tau2_settings::talk_timeout_s, "talk_timeout_s",
        "Wall time until a conversation is broken off without a reward; 0 for "
        "no limit.",
        {.unit = "s", .min = 0, .max = 604800});
  return s.take();
}

option_section tau2_official_section() {
  section_of<tau2_official_settings> s{
      at(&config::environment, &environment_options::tau2_official),
      "environment.tau2_official",
      "Options of tau2-official, tau2-bench's own Python package."};
  s.add(&tau2_official_settings::domain, "domain", "Domain that is played.",
        {.choices = {"telecom", "retail", "airline"}});
  s.add(&tau2_official_settings::python, "python",
        "Python interpreter that tau2-bench is installed for.");
  s.add(&tau2_official_settings::user_model, "user_model",
        "Model that tau2-bench's own user simulator asks, as LiteLLM spells "
        "it; empty for no user: solo mode, which only telecom has.");
  add_child(s, &tau2_official_settings::child);
  return s.take();
}

option_section external_section() {
  section_of<external_settings> s{
      at(&config::environment, &environment_options::external),
      "environment.external", "Options of external, a program of your own."};
  s.add(&external_settings::command, "command",
        "Program and arguments (docs/environments.md), e.g. [\"python3\", "
        "\"lock.py\"]; one string is split at spaces as a shell does.");
  add_child(s, &external_settings::child);
  return s.take();
}

} // namespace brewery
