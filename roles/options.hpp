#pragma once
/// The options of the roles: retrieval, prompts, agent, reflector, integrator,
/// judge, embedder, user, statement judge. Plain values;
/// config/schema_roles.cpp describes and bounds each field.

#include "kb/bm25_options.hpp"
#include "kb/fusion_options.hpp"
#include "learners/muse/options.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace brewery {

/// `[retrieval]`: how the agent finds documents.
struct retrieval_options {
  /// "bm25", "dense" (by vectors of the embedder) or "hybrid" (both fused).
  std::string kind = "bm25";
  std::uint32_t top_k = 3;
  bool per_observation = true; ///< ask again after every observation
  bool when_stuck = false; ///< ask again where no rule of a document is left
  bm25_options bm25{};
  fusion_options fusion{}; ///< of kind hybrid

  [[nodiscard]] bool needs_vectors() const { return kind != "bm25"; }
  bool operator==(const retrieval_options&) const = default;
};

/// `[prompts]`: the texts that roles send to a model.
struct prompt_options {
  /// Files that replace the built-in ones; empty: none.
  std::filesystem::path dir;

  bool operator==(const prompt_options&) const = default;
};

/// The model of a role and its sampling. The model catalog has its server and
/// price.
struct role_model {
  std::string model{};
  std::optional<double> temperature = 0.1; ///< empty: not sent
  std::uint32_t max_tokens = 0;   ///< per reply, with reasoning; 0: not sent
  std::string reasoning_effort{}; ///< empty: not sent
  bool send_seed = true; ///< the seed is a function of the job and the call

  bool operator==(const role_model&) const = default;
};

/// `[agent]`: the role that attempts the tasks.
struct agent_options {
  std::string kind = "procedural";
  role_model llm{};
  std::uint32_t max_calls = 100; ///< maximum number of tool calls per rollout
  bool explore = true;           ///< try calls where the documents give no rule
  std::uint32_t explore_writes = 4; ///< exploratory changing calls per rollout
  std::uint32_t example_tokens = 8000; ///< for all in-context examples together
  std::filesystem::path script{}; ///< for kind scripted: directory of TASK.json
  /// Of kind llm: "tools" (tool calls), or one of three that see a desktop:
  /// "prompt", "gta1", "ui_tars" (roles/desktop).
  std::string format = "tools";
  std::string observation = "screenshot"; ///< prompt: or "tree", "both"
  std::string grounder_model{};           ///< gta1: finds places on screenshots
  std::uint32_t plans = 8;                ///< gta1: drawn for each step
  std::uint32_t knowledge_tokens = 1500;  ///< of documents, on a desktop

  bool operator==(const agent_options&) const = default;
};

/// `[reflector]`: turns a graded trajectory into insights.
struct reflector_options {
  std::string kind = "procedural";
  role_model llm{};
  std::uint32_t max_insights = 8; ///< per rollout, for a model

  bool operator==(const reflector_options&) const = default;
};

/// `[integrator]`: turns insights into a document.
struct integrator_options {
  std::string kind = "procedural";
  role_model llm{.temperature = std::nullopt}; ///< each job has its own
  bool send_temperature = true; ///< false for reasoning models, which refuse it
  std::uint32_t max_insights = 200;         ///< told to a model; 0: all
  std::uint32_t max_document_tokens = 2000; ///< for a model; 0: no limit
  bool keep_facts = true; ///< look for the parent's facts in a model's document
  /// Procedural: how drafts of a document differ: "usual" or "varied".
  std::string drafts = "usual";
  std::uint32_t max_rules = 0; ///< procedural: of a document; 0: no limit

  bool operator==(const integrator_options&) const = default;
};

/// `[judge]`: rates a trajectory on rubrics.
struct judge_options {
  std::string kind = "procedural";
  role_model llm{};
  std::filesystem::path rubrics; ///< empty: the built-in rubrics
  bool with_reflector = true;    ///< in its call, if the models are the same

  bool operator==(const judge_options&) const = default;
};

/// Whether one call of the reflector's model does the work of both. Limits of
/// replies do not count: a resume may change them, and must ask as before.
inline bool in_one_call(const judge_options& judge,
                        const reflector_options& reflector) {
  auto rates = judge.llm;
  rates.max_tokens = reflector.llm.max_tokens;
  return judge.with_reflector && judge.kind == "llm" && reflector.kind == "llm"
         && rates == reflector.llm;
}

/// `[embedder]`: turns a text into a unit vector.
struct embedder_options {
  std::string kind = "procedural";
  std::uint32_t dimensions = 256; ///< of the procedural embedder
  std::string model{};            ///< of the embedder on a model
  /// Requested from the model; 0: its default.
  std::uint32_t model_dimensions = 0;
  std::uint32_t batch = 64;           ///< texts per model call
  std::filesystem::path model_file{}; ///< of the embedder of kind sentence
  std::string python = "python3";     ///< with the packages that it needs
  std::uint32_t start_timeout_ms = 120'000;
  std::uint32_t reply_timeout_ms = 120'000; ///< of one batch

  /// Takes the options that the machine decides on which it runs: which program
  /// is started with which file. A submitted run must not decide them.
  void take_machine(const embedder_options& here) {
    model_file = here.model_file;
    python = here.python;
    start_timeout_ms = here.start_timeout_ms;
    reply_timeout_ms = here.reply_timeout_ms;
  }

  /// What its vectors depend on, for the ids of its jobs; empty: it is the
  /// default one.
  [[nodiscard]] std::string key() const {
    if (kind == "llm")
      return "llm " + model + ' ' + std::to_string(model_dimensions);
    if (kind == "sentence") return "sentence " + model_file.string();
    return dimensions == embedder_options{}.dimensions
               ? std::string{}
               : "procedural " + std::to_string(dimensions);
  }

  bool operator==(const embedder_options&) const = default;
};

/// `[memory]`: does the steps of a learner other than BREW, or of a comparator,
/// on its memory.
struct memory_options {
  std::string kind = "procedural";
  role_model llm{};

  bool operator==(const memory_options&) const = default;
};

/// `[user]`: plays the other side of a conversation.
struct user_options {
  std::string kind = "none";
  role_model llm{};

  bool operator==(const user_options&) const = default;
};

/// `[statement_judge]`: decides a benchmark's assertions in natural language.
struct statement_judge_options {
  std::string kind = "none";
  role_model llm{};

  bool operator==(const statement_judge_options&) const = default;
};

/// The options of all roles.
struct role_options {
  retrieval_options retrieval;
  prompt_options prompts;
  agent_options agent;
  reflector_options reflector;
  integrator_options integrator;
  judge_options judge;
  embedder_options embedder;
  user_options user;
  statement_judge_options statement_judge;
  memory_options memory;
  std::string learner = "brew"; ///< whose memory needs a role; BREW has none
  /// Set if the learner is MUSE, whose attempts its own agent makes.
  std::optional<muse_options> muse{};
  std::vector<std::string> comparators{}; ///< whose memories need a role
};

} // namespace brewery
