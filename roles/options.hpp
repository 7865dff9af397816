#pragma once
/// What the roles may be told: retrieval, agent, reflector, integrator, judge,
/// embedder. Plain values; config/schema.cpp describes and bounds each field.

#include <cstdint>
#include <filesystem>
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

/// `[agent]`: the role that plays the tasks.
struct agent_options {
  std::string kind = "procedural";
  std::uint32_t max_calls = 100;    ///< tool calls per rollout, of any kind
  bool explore = true;              ///< try things where documents are silent
  std::uint32_t explore_writes = 4; ///< exploratory changing calls per rollout

  bool operator==(const agent_options&) const = default;
};

/// `[reflector]`: graded trajectory to insights.
struct reflector_options {
  std::string kind = "procedural";

  bool operator==(const reflector_options&) const = default;
};

/// `[integrator]`: insights to a document.
struct integrator_options {
  std::string kind = "procedural";

  bool operator==(const integrator_options&) const = default;
};

/// `[judge]`: trajectory to rubric ratings.
struct judge_options {
  std::string kind = "procedural";
  std::filesystem::path rubrics; ///< empty: the built-in rubrics

  bool operator==(const judge_options&) const = default;
};

/// `[embedder]`: text to a unit vector.
struct embedder_options {
  std::string kind = "procedural";
  std::uint32_t dimensions = 256;

  bool operator==(const embedder_options&) const = default;
};

} // namespace brewery
