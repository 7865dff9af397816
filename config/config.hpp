#pragma once
/// The whole configuration of a search: one options struct per module, passed
/// on as values. Only config/ knows option names as strings.

#include "cluster/options.hpp"
#include "learners/options.hpp"
#include "llm/options.hpp"
#include "roles/options.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// `[run]`: this run and the process that holds it.
struct run_options {
  std::uint64_t seed = 1; ///< below 2^63, the largest TOML integer
  std::string name;       ///< part of the run id; empty: none
  std::filesystem::path runs_dir{"runs"};
  std::uint32_t threads = 0;  ///< workers; 0: one per core
  std::uint32_t workers = 0;  ///< worker processes instead of threads
  std::string metrics_listen; ///< "host:port"; empty: off
  std::string log_level = "warn";

  bool operator==(const run_options&) const = default;
};

/// `[environment]`: the benchmark and its splits. Tasks are capped in file
/// order; 0 means all.
struct environment_options {
  std::string kind = "tau2-telecom";
  /// Directory; the toy environment needs none. Of an external environment it
  /// is the working directory.
  std::filesystem::path data;
  /// Program and arguments of an external environment; a single word with
  /// spaces is split as a shell would.
  std::vector<std::string> command;
  std::string domain = "telecom"; ///< of tau2-official
  std::string python = "python3"; ///< interpreter for tau2-official
  std::string user_model; ///< tau2-official's simulated user; empty: solo
  std::vector<std::string> pass_env; ///< variables that the child sees too
  std::uint32_t start_timeout_ms = 30'000; ///< of a child, with its hello
  std::uint32_t step_timeout_ms = 60'000;  ///< reset, step, close
  std::uint32_t grade_timeout_ms = 120'000;
  std::string train_split = "train";
  std::string eval_split;     ///< empty: held out from the train split
  double eval_fraction = 0.3; ///< of the train split, if eval_split is empty
  std::string test_split = "test"; ///< sealed: never seen by the search
  std::uint32_t max_train_tasks = 0;
  std::uint32_t max_eval_tasks = 0;
  std::uint32_t max_test_tasks = 0;
  std::uint32_t simulated_latency_ms = 0; ///< added to every tool call
  std::string mode = "auto";              ///< tau2: "solo", "user", "auto"
  std::uint32_t max_steps = 100;          ///< tau2: of a conversation
  std::uint32_t max_errors = 10;          ///< tau2: failed calls of both sides
  bool enforce_protocol = false;          ///< tau2: words or calls, never both
  std::uint32_t talk_timeout_s = 0;       ///< tau2: of a conversation; 0: none
  // Of spreadsheet, as the rest.
  std::uint32_t turns = 5; ///< cells of code in a rollout
  std::string metric = "first";
  std::string position_parser = "official";
  std::uint32_t cell_timeout_ms = 60'000;
  std::uint32_t output_bytes = 8192; ///< of a cell, that the agent sees
  std::uint32_t train_tasks = 30;    ///< drawn; the rest is eval and test
  std::uint32_t eval_tasks = 10;
  std::uint32_t split_seed = 1;
  bool keep_flawed_tasks = false; ///< also learn from those
  std::string isolation = "auto";
  bool unsafe_run_without_isolation = false;
  std::uint32_t kernel_memory_mb = 2048;
  std::uint32_t recalculation_timeout_ms = 30'000;

  /// Whether the benchmark is a program that is started.
  [[nodiscard]] bool runs_program() const {
    return kind == "external" || kind == "tau2-official";
  }
  /// Whoever asks for a rollout does not say what is started on the machine
  /// that plays it, nor how code is confined there.
  void take_machine(const environment_options& here) {
    python = here.python;
    isolation = here.isolation;
    unsafe_run_without_isolation = here.unsafe_run_without_isolation;
    start_timeout_ms = here.start_timeout_ms;
  }
  bool operator==(const environment_options&) const = default;
};

/// `[cluster]`: leases, retries and backups; see cluster/options.hpp.
struct cluster_settings {
  std::uint32_t lease_ms = 10'000;
  std::uint32_t max_failures = 3;
  std::uint32_t job_limit_s = 3'600; ///< 0: none
  bool backups = true;

  [[nodiscard]] cluster_options options() const {
    cluster_options out;
    out.lease = std::chrono::milliseconds{lease_ms};
    out.heartbeat = out.lease / 4;
    out.max_failures = max_failures;
    out.job_limit = std::chrono::seconds{job_limit_s};
    out.backups = backups;
    return out;
  }
  bool operator==(const cluster_settings&) const = default;
};

struct config {
  run_options run;
  cluster_settings cluster;
  environment_options environment;
  learner_options search;
  eval_options eval;
  retrieval_options retrieval;
  prompt_options prompts;
  agent_options agent;
  reflector_options reflector;
  integrator_options integrator;
  judge_options judge;
  embedder_options embedder;
  user_options user;
  statement_judge_options statement_judge;
  models_options models;
  budget_options budget;

  /// What make_roles (roles/make_roles.hpp) is told.
  [[nodiscard]] role_options roles() const {
    return {retrieval, prompts,  agent, reflector,      integrator,
            judge,     embedder, user,  statement_judge};
  }
  bool operator==(const config&) const = default;
};

} // namespace brewery
