#pragma once
/// What the roles may be told: retrieval, prompts, agent, reflector,
/// integrator, judge, embedder, user, statement judge. Plain values;
/// config/schema_roles.cpp describes and bounds each field.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace brewery {

/// `[retrieval]`: how the agent finds documents.
struct retrieval_options {
  std::uint32_t top_k = 3;
  bool per_observation = true; ///< ask again after every observation
  double bm25_k1 = 1.2;        ///< term saturation
  double bm25_b = 0.75;        ///< length normalisation, 0 to 1

  bool operator==(const retrieval_options&) const = default;
};

/// `[prompts]`: the texts that roles on a model send.
struct prompt_options {
  std::filesystem::path dir; ///< of files that replace ours; empty: none

  bool operator==(const prompt_options&) const = default;
};

/// The model of a role, and how it is sampled. Which server has it, and at what
/// price, is told elsewhere.
struct role_model {
  std::string model{};
  std::optional<double> temperature = 0.1; ///< none: not sent
  std::uint32_t max_tokens = 0;   ///< of a reply, reasoning included; 0: unsaid
  std::string reasoning_effort{}; ///< empty: unsaid
  bool send_seed = true;          ///< a function of the job and the call

  bool operator==(const role_model&) const = default;
};

/// `[agent]`: the role that plays the tasks.
struct agent_options {
  std::string kind = "procedural";
  role_model llm{};
  std::uint32_t max_calls = 100;    ///< tool calls per rollout, of any kind
  bool explore = true;              ///< try things where documents are silent
  std::uint32_t explore_writes = 4; ///< exploratory changing calls per rollout
  std::uint32_t example_tokens = 8000; ///< of in-context examples, all of them
  std::filesystem::path script{}; ///< of kind scripted: directory of TASK.json

  bool operator==(const agent_options&) const = default;
};

/// `[reflector]`: graded trajectory to insights.
struct reflector_options {
  std::string kind = "procedural";
  role_model llm{};
  std::uint32_t max_insights = 8; ///< of a rollout, of a model

  bool operator==(const reflector_options&) const = default;
};

/// `[integrator]`: insights to a document.
struct integrator_options {
  std::string kind = "procedural";
  role_model llm{.temperature = std::nullopt}; ///< every job has its own
  bool send_temperature = true;                ///< reasoning models refuse it

  bool operator==(const integrator_options&) const = default;
};

/// `[judge]`: trajectory to rubric ratings.
struct judge_options {
  std::string kind = "procedural";
  role_model llm{};
  std::filesystem::path rubrics; ///< empty: the built-in rubrics

  bool operator==(const judge_options&) const = default;
};

/// `[embedder]`: text to a unit vector.
struct embedder_options {
  std::string kind = "procedural";
  std::uint32_t dimensions = 256;     ///< of the procedural one
  std::string model{};                ///< of the one on a model
  std::uint32_t model_dimensions = 0; ///< asked of the model; 0: its own
  std::uint32_t batch = 64;           ///< texts per call of the model

  bool operator==(const embedder_options&) const = default;
};

/// `[user]`: who plays the other side of a conversation.
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

/// All of them.
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
};

} // namespace brewery
