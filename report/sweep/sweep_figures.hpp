#pragma once
/// What a sweep came to, ready to be shown: points with their seeds, scores,
/// costs and curves. Made from logs by report/sweep/collect.hpp; the page and
/// the Markdown are made from it alone. Shares are from 0 to 1.

#include "base/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// A run at one of its gather barriers.
struct barrier_figures {
  std::uint32_t iteration = 0;
  std::uint64_t rollouts = 0;  ///< recorded until it closed
  std::optional<double> train; ///< mean grade of its training rollouts
  double eval = 0;             ///< mean correctness of the best documents
  double reward = 0;           ///< mean reward of the best documents
};

/// One document of a run's published knowledge base on the sealed tasks.
struct document_figures {
  std::string title;
  std::size_t attempts = 0; ///< sealed attempts that were shown it
  std::size_t tasks = 0;    ///< their tasks
  /// Mean grade of these attempts, and the paired difference to the attempts at
  /// the same tasks without it; empty if not measured.
  std::optional<double> with;
  std::optional<estimate> gain;
};

/// A run of a point.
struct seed_figures {
  std::uint64_t seed = 0;
  std::string run;               ///< its folder's name
  std::string state;             ///< "finished", "running", ...
  bool cut = false;              ///< by halving; then `state` says where
  std::optional<double> score;   ///< published documents, sealed tasks
  std::optional<double> without; ///< no documents, the same tasks
  std::uint64_t rollouts = 0;    ///< asked for, with those it has in common
  std::uint64_t played = 0;      ///< by this run itself
  double cost_usd = 0;
  double seconds = 0;
  std::vector<barrier_figures> curve; ///< of the first strategy, in order
  std::vector<document_figures> documents;
};

/// One setting of the options that the sweep varies.
struct point_figures {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options; ///< key, value
  std::optional<std::uint64_t> width, depth; ///< search.max_width, max_depth
  std::vector<seed_figures> seeds;
  std::optional<estimate> score;      ///< over seeds and tasks
  std::optional<estimate> gain;       ///< to no documents, paired by task
  std::optional<estimate> difference; ///< to the first point, paired by task
};

struct sweep_figures {
  std::string name;
  std::string benchmark; ///< "tau2-telecom, 60 sealed tasks, 4 trials each"
  std::string made;      ///< date and time, UTC
  std::string version;
  bool of_language_models = false;   ///< else the page says that none took part
  std::string score_name;            ///< "success" or "mean grade"
  std::vector<point_figures> points; ///< in the order of the sweep's file
};

} // namespace brewery
