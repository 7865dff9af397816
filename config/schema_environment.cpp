#include "config/declare.hpp"

namespace brewery {

namespace {

template <class Options>
void add_child(section_of<Options>& s, child_settings Options::*child) {
  s.add(at(child, &child_settings::pass_env), "pass_env",
        "Environment variables passed to the child process, by name, in "
        "addition to PATH, HOME, LANG and TMPDIR, e.g. [\"OPENAI_API_KEY\"].");
  s.add(at(child, &child_settings::start_timeout_ms), "start_timeout_ms",
        "Time limit for the child process to start and to list its tasks.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(at(child, &child_settings::step_timeout_ms), "step_timeout_ms",
        "Time limit for one reset, step or close. After it, the child process "
        "is killed and the rollout has no score.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(at(child, &child_settings::grade_timeout_ms), "grade_timeout_ms",
        "Time limit for grading one rollout.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
}

} // namespace

option_section environment_section() {
  section_of<environment_options> s{
      &config::environment, "environment",
      "The benchmark and how its tasks are split."};
  s.add(&environment_options::kind, "kind", "The benchmark.",
        {.choices = {"tau2-telecom", "tau2-retail", "tau2-airline", "toy",
                     "external", "tau2-official", "spreadsheet", "osworld",
                     "plant"}});
  s.add(&environment_options::data, "data",
        "Data directory of the benchmark: examples/telecom, a tau2-bench "
        "checkout, examples/spreadsheets or a SpreadsheetBench dataset, "
        "OSWorld's evaluation_examples. The "
        "toy environment and the plant need none. An external program is "
        "started in it, or, "
        "if it is empty, in the working directory of brewery (not beside this "
        "file).");
  s.add(&environment_options::train_split, "train_split",
        "The split that the agent learns from.");
  s.add(&environment_options::eval_split, "eval_split",
        "The split that scores candidate documents. Empty: a part of the train "
        "split is held out.");
  s.add(&environment_options::eval_fraction, "eval_fraction",
        "The share of the train split that is held out if eval_split is empty.",
        {.min = 0.05, .max = 0.95});
  s.add(&environment_options::hold_out_seed, "hold_out_seed",
        "Seed of the draw of held-out tasks, so that runs with other seeds "
        "learn from the same tasks; 0: run.seed.",
        {.min = 0});
  s.add(&environment_options::test_split, "test_split",
        "The test split. Only the final evaluation uses it.");
  s.add(&environment_options::max_train_tasks, "max_train_tasks",
        "Maximum number of train tasks, in file order; 0: all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::max_eval_tasks, "max_eval_tasks",
        "Maximum number of eval tasks, in file order; 0: all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::max_test_tasks, "max_test_tasks",
        "Maximum number of test tasks, in file order; 0: all.",
        {.unit = "tasks", .min = 0, .max = tasks_max});
  s.add(&environment_options::draw_from, "draw_from",
        "Draw the train and eval tasks at random from this split; all its "
        "other tasks are the test split. Instead of train_split, eval_split "
        "and test_split. Empty: the benchmark's splits.");
  s.add(&environment_options::draw_train, "draw_train",
        "With draw_from: number of train tasks.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&environment_options::draw_eval, "draw_eval",
        "With draw_from: number of eval tasks.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&environment_options::draw_seed, "draw_seed",
        "With draw_from: seed of the draw, so that runs with other seeds learn "
        "from the same tasks.",
        {.min = 0});
  s.add(&environment_options::simulated_latency_ms, "simulated_latency_ms",
        "Artificial delay of every tool call, for trying out a cluster. "
        "Results stay the same.",
        {.unit = "ms", .min = 0, .max = 3600000});
  s.add(&environment_options::needs, "needs",
        "Tags that a cluster's workers must have to get rollouts of this run "
        "(`brewery worker --tag`), e.g. [\"gpu\"]. Without a coordinator it "
        "has no effect.");
  return s.take();
}

option_section tau2_section() {
  section_of<tau2_settings> s{
      at(&config::environment, &environment_options::tau2), "environment.tau2",
      "Options of tau2-telecom, tau2-retail and tau2-airline."};
  s.add(&tau2_settings::mode, "mode",
        "solo: the agent works alone on a ticket, with the tools of both "
        "sides. user: the agent talks to a simulated user. auto: solo for "
        "telecom, user for retail and airline.",
        {.choices = {"auto", "solo", "user"}});
  s.add(&tau2_settings::max_steps, "max_steps",
        "Maximum number of steps. A message is one step; running its calls is "
        "another. A conversation that exceeds it ends without a reward.",
        {.unit = "steps", .min = 1, .max = 100000});
  s.add(&tau2_settings::max_errors, "max_errors",
        "Maximum number of failed tool calls of agent and user together. A "
        "conversation that reaches it ends without a reward.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&tau2_settings::enforce_protocol, "enforce_protocol",
        "End the conversation at a message that has both text and calls. "
        "Otherwise its calls run and its text is dropped.");
  s.add(&tau2_settings::talk_timeout_s, "talk_timeout_s",
        "Time limit of a conversation (wall time); 0: none. After it, the "
        "conversation ends without a reward.",
        {.unit = "s", .min = 0, .max = 604800});
  return s.take();
}

option_section tau2_official_section() {
  section_of<tau2_official_settings> s{
      at(&config::environment, &environment_options::tau2_official),
      "environment.tau2_official",
      "Options of tau2-official, tau2-bench's own Python package."};
  s.add(&tau2_official_settings::domain, "domain", "The domain.",
        {.choices = {"telecom", "retail", "airline"}});
  s.add(&tau2_official_settings::python, "python",
        "The Python interpreter in which tau2-bench is installed.");
  s.add(&tau2_official_settings::user_model, "user_model",
        "The model of tau2-bench's user simulator, as LiteLLM names it. Empty: "
        "no user (solo mode, telecom only).");
  add_child(s, &tau2_official_settings::child);
  return s.take();
}

option_section external_section() {
  section_of<external_settings> s{
      at(&config::environment, &environment_options::external),
      "environment.external", "Options of external, a program of your own."};
  s.add(
      &external_settings::command, "command",
      "Program and arguments (docs/environments.md), e.g. [\"python3\", "
      "\"lock.py\"]. A single string is split as a shell does. Relative paths "
      "in it count from environment.data, or, if that is empty, from the "
      "working directory of brewery.");
  add_child(s, &external_settings::child);
  return s.take();
}

option_section plant_section() {
  section_of<plant_settings> s{
      at(&config::environment, &environment_options::plant),
      "environment.plant",
      "Options of plant, a simulated benchmark with scarce evidence "
      "(docs/scarce.md)."};
  s.add(&plant_settings::seed, "world_seed",
        "Seed of machines and tasks. run.seed is that of the search.",
        {.min = 0});
  s.add(&plant_settings::machines, "machines",
        "Number of kinds of machines; each becomes a concept.",
        {.unit = "kinds", .min = 3, .max = 1000});
  s.add(&plant_settings::families, "families",
        "Number of families. The kinds of a family share their words.",
        {.unit = "families", .min = 1, .max = 1000});
  s.add(&plant_settings::train, "train", "Size of the train split.",
        {.unit = "tasks", .min = 1, .max = 100000});
  s.add(&plant_settings::eval, "eval", "Size of the eval split.",
        {.unit = "tasks", .min = 1, .max = 100000});
  s.add(&plant_settings::test, "test", "Size of the test split.",
        {.unit = "tasks", .min = 1, .max = 100000});
  s.add(&plant_settings::grade_noise, "grade_noise",
        "Share of the checks of train rollouts that are reported wrong. Eval "
        "and test are graded without noise.",
        {.min = 0, .max = 0.5});
  s.add(&plant_settings::conflicts, "conflicts",
        "Share of faults whose remedy depends on the machine's mode.",
        {.min = 0, .max = 1});
  s.add(&plant_settings::strong, "strong",
        "Share of kinds with a remedy for all faults that jams the next "
        "machine of the ticket.",
        {.min = 0, .max = 1});
  s.add(&plant_settings::spare_calls, "spare_calls",
        "Number of changing calls that an attempt may make beyond those that "
        "its task needs.",
        {.unit = "calls", .min = 0, .max = 1000});
  return s.take();
}

} // namespace brewery
