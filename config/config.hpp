#pragma once
/// The whole configuration of a run: one options struct per module, passed on
/// as values. Only config/ uses option names as strings.

#include "cluster/options.hpp"
#include "economy/options.hpp"
#include "envs/external/options.hpp"
#include "envs/osworld/options.hpp"
#include "envs/plant/options.hpp"
#include "envs/spreadsheet/options.hpp"
#include "envs/tau2/options.hpp"
#include "learners/agent_kb/options.hpp"
#include "learners/comparators/options.hpp"
#include "learners/muse/options.hpp"
#include "learners/options.hpp"
#include "llm/options.hpp"
#include "messages/memory/comparator_steps.hpp"
#include "roles/options.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// `[run]`: this run and the process that executes it.
struct run_options {
  std::uint64_t seed = 1; ///< below 2^63, the largest TOML integer
  std::string name;       ///< part of the run id; empty: none
  std::filesystem::path runs_dir{"runs"};
  std::uint32_t threads = 0;  ///< worker threads; 0: one per core
  std::uint32_t workers = 0;  ///< worker processes instead of threads
  std::string metrics_listen; ///< "host:port"; empty: off
  std::string log_level = "warn";

  bool operator==(const run_options&) const = default;
};

/// `[environment]`: the benchmark and its splits. Options of a single benchmark
/// have tables of their own. Splits are limited in file order; 0 means all
/// tasks.
struct environment_options {
  std::string kind = "tau2-telecom";
  /// A directory. The toy environment and the plant need none. For an external
  /// environment it is the working directory.
  std::filesystem::path data;
  std::string train_split = "train";
  std::string eval_split;     ///< empty: held out from the train split
  double eval_fraction = 0.3; ///< of the train split, if eval_split is empty
  std::uint64_t hold_out_seed = 0; ///< of what is held out; 0: run.seed
  std::string test_split = "test"; ///< sealed: never seen by the search
  std::uint32_t max_train_tasks = 0;
  std::uint32_t max_eval_tasks = 0;
  std::uint32_t max_test_tasks = 0;
  /// Not empty: train and eval tasks are drawn from this split and the rest of
  /// it is the test split; the three splits and the share above are not used.
  std::string draw_from;
  std::uint32_t draw_train = 20;
  std::uint32_t draw_eval = 10;
  std::uint64_t draw_seed = 1;            ///< equal for runs with other seeds
  std::uint32_t simulated_latency_ms = 0; ///< added to every tool call
  std::vector<std::string> needs; ///< tags of the workers of its rollouts
  tau2_settings tau2;
  tau2_official_settings tau2_official;
  external_settings external;
  spreadsheet_settings spreadsheet;
  osworld_settings osworld;
  plant_settings plant;

  /// False for environments that bring their own tasks.
  [[nodiscard]] bool needs_data() const {
    return kind != "toy" && kind != "plant" && kind != "external";
  }

  /// The name of the benchmark's own table in `[environment]`; empty if it has
  /// none.
  [[nodiscard]] std::string table() const {
    if (kind == "tau2-official") return "tau2_official";
    if (kind.starts_with("tau2-")) return "tau2";
    return kind == "toy" ? "" : kind;
  }
  /// Whether the benchmark is an external program.
  [[nodiscard]] bool runs_program() const {
    return kind == "external" || kind == "tau2-official";
  }
  /// Whether programs start that the options name when its tasks are loaded.
  [[nodiscard]] bool loads_programs() const {
    return runs_program() || kind == "spreadsheet";
  }
  /// Takes the options of this machine: which programs are started and how code
  /// is confined. A submitted run must not decide them.
  void take_machine(const environment_options& here) {
    tau2_official.take_machine(here.tau2_official);
    external.take_machine(here.external);
    spreadsheet.take_machine(here.spreadsheet);
    osworld.take_machine(here.osworld);
  }
  /// Takes the programs themselves, too, of a benchmark that is one.
  void take_programs(const environment_options& here) {
    if (runs_program()) {
      data = here.data;
      external.command = here.external.command;
      external.child.pass_env = here.external.child.pass_env;
      tau2_official.user_model = here.tau2_official.user_model;
      tau2_official.child.pass_env = here.tau2_official.child.pass_env;
    }
    take_machine(here);
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
  agent_kb_options agent_kb;
  muse_options muse;
  memory_port_options memory_port;
  eval_options eval;
  economy_options economy;
  retrieval_options retrieval;
  prompt_options prompts;
  agent_options agent;
  reflector_options reflector;
  integrator_options integrator;
  judge_options judge;
  embedder_options embedder;
  memory_options memory;
  user_options user;
  statement_judge_options statement_judge;
  models_options models;
  budget_options budget;

  /// The input of make_roles (roles/make_roles.hpp).
  [[nodiscard]] role_options roles() const {
    return {retrieval,
            prompts,
            agent,
            reflector,
            integrator,
            judge,
            embedder,
            user,
            statement_judge,
            memory,
            search.learner,
            search.learner == "muse" ? std::optional{muse} : std::nullopt,
            comparators()};
  }
  /// Those of the baselines that are memories.
  [[nodiscard]] std::vector<std::string> comparators() const {
    auto out = eval.baselines;
    std::erase_if(out, [](const auto& arm) { return !is_comparator(arm); });
    return out;
  }
  /// The name in tables of an arm of `eval.baselines`: a package says which.
  [[nodiscard]] std::string arm_of(const std::string& baseline) const {
    return baseline == comparators::port
               ? baseline + " (" + memory_port.package + ")"
               : baseline;
  }
  /// Whether the role memory has work to do.
  [[nodiscard]] bool has_memory() const {
    return search.learner != "brew" || !comparators().empty();
  }
  /// Whether learning begins with rollouts of all train tasks without
  /// documents. MUSE begins in its own way, a finished memory with nothing.
  [[nodiscard]] bool begins_with_rollouts() const {
    if (search.learner == "brew") return !search.strategies.empty();
    return search.learner != "muse" && agent_kb.learn;
  }
  /// Only a procedural agent looks around before it plans.
  [[nodiscard]] bool surveys() const {
    return agent_kb.survey && agent.kind == "procedural";
  }
  bool operator==(const config&) const = default;
};

} // namespace brewery
