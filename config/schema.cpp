#include "config/declare.hpp"
#include "config/schema_spreadsheet.hpp"

namespace brewery {

namespace {

option_section run_section() {
  section_of<run_options> s{&config::run, "run",
                            "This run and the process that holds it."};
  s.add(&run_options::seed, "seed",
        "Seed of every random draw: equal seeds give equal documents, whatever "
        "the number of threads.",
        {.min = 0});
  s.add(&run_options::name, "name",
        "Put in front of the run id; empty for none.");
  s.add(&run_options::runs_dir, "runs_dir",
        "Directory that holds one directory per run.");
  s.add(&run_options::threads, "threads",
        "Workers that play rollouts; 0 is one per core.",
        {.unit = "threads", .min = 0, .max = 1024});
  s.add(&run_options::workers, "workers",
        "Worker processes of its own, one job each; 0 is none, then threads "
        "do the work.",
        {.unit = "processes", .min = 0, .max = 1024});
  s.add(&run_options::metrics_listen, "metrics_listen",
        "Where /metrics is served, as host:port, e.g. \"127.0.0.1:9464\"; "
        "empty for nowhere.");
  s.add(&run_options::log_level, "log_level",
        "Least severe log line that is written.",
        {.choices = {"trace", "debug", "info", "warn", "error", "off"}});
  return s.take();
}

option_section cluster_section() {
  section_of<cluster_settings> s{
      &config::cluster, "cluster",
      "Leases, retries and backup copies of jobs on workers."};
  s.add(&cluster_settings::lease_ms, "lease_ms",
        "A worker that is silent for so long loses its jobs to others; it "
        "sends four heartbeats in this time.",
        {.unit = "ms", .min = 200, .max = 3600000});
  s.add(&cluster_settings::max_failures, "max_failures",
        "Failures on different workers until a job is quarantined.",
        {.unit = "failures", .min = 1, .max = 100});
  s.add(&cluster_settings::job_limit_s, "job_limit_s",
        "A job that runs longer has failed; 0 for no limit.",
        {.unit = "s", .min = 0, .max = 604800});
  s.add(&cluster_settings::backups, "backups",
        "Run a second copy of a job that looks stuck while slots are free.");
  return s.take();
}

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
  s.add(&environment_options::command, "command",
        "Program and arguments of an external environment "
        "(docs/environments.md), e.g. [\"python3\", \"lock.py\"]; one string "
        "is split at spaces as a shell does.");
  s.add(&environment_options::domain, "domain", "Domain of tau2-official.",
        {.choices = {"telecom", "retail", "airline"}});
  s.add(&environment_options::python, "python",
        "Python interpreter that runs tau2-official, the one tau2-bench is "
        "installed for; of spreadsheet, \"python3\" is /usr/bin/python3, for "
        "which Debian installs what is needed.");
  s.add(&environment_options::user_model, "user_model",
        "Model that tau2-official's own user simulator asks, as LiteLLM spells "
        "it; empty for no user: solo mode, which only telecom has.");
  s.add(&environment_options::pass_env, "pass_env",
        "Names of environment variables that a child process gets beside "
        "PATH, HOME, LANG and TMPDIR, e.g. [\"OPENAI_API_KEY\"].");
  s.add(&environment_options::start_timeout_ms, "start_timeout_ms",
        "How long a child process may take to start and say what it has.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&environment_options::step_timeout_ms, "step_timeout_ms",
        "How long a child process may take for a reset, a step or a close; "
        "then it is killed and the rollout has no score.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&environment_options::grade_timeout_ms, "grade_timeout_ms",
        "How long a child process may take to grade.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
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
  s.add(&environment_options::mode, "mode",
        "tau2: the agent alone with a ticket and both tool kits (solo), or in "
        "conversation with a simulated user (user); auto is solo for telecom, "
        "user for retail and airline.",
        {.choices = {"auto", "solo", "user"}});
  s.add(&environment_options::max_steps, "max_steps",
        "tau2: steps until a conversation is broken off without a reward; a "
        "message is one, running its calls is another.",
        {.unit = "steps", .min = 1, .max = 100000});
  s.add(&environment_options::max_errors, "max_errors",
        "tau2: failed tool calls of agent and user together until a "
        "conversation is broken off without a reward.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&environment_options::enforce_protocol, "enforce_protocol",
        "tau2: break off at a message with both words and calls; else its "
        "calls run and its words reach nobody.");
  s.add(&environment_options::talk_timeout_s, "talk_timeout_s",
        "tau2: wall time until a conversation is broken off without a reward; "
        "0 for no limit.",
        {.unit = "s", .min = 0, .max = 604800});
  add_spreadsheet_options(s);
  return s.take();
}

} // namespace

const std::vector<option_section>& schema() {
  static const std::vector<option_section> sections{
      run_section(),         cluster_section(),
      environment_section(), search_section(),
      eval_section(),        retrieval_section(),
      prompts_section(),     agent_section(),
      reflector_section(),   integrator_section(),
      judge_section(),       embedder_section(),
      user_section(),        statement_judge_section(),
      models_section(),      budget_section()};
  return sections;
}

} // namespace brewery
