#pragma once
/// What a sweep came to, ready to be shown: points with their seeds, scores,
/// costs and curves. Made from logs by report/sweep/collect.hpp; the page and
/// the Markdown are made from it alone. Shares are from 0 to 1.

#include "base/statistics.hpp"
#include "llm/accounts/saved_work.hpp"
#include "search/growth.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// A run at one of its gather barriers.
struct barrier_figures {
  std::uint32_t iteration = 0;
  /// That its search had asked for, alone or with others of its run; without
  /// attempts at sealed tasks.
  std::uint64_t rollouts = 0;
  std::optional<double> train; ///< mean over trees of their training grade
  /// Means of the best documents; empty if none has a score.
  std::optional<double> eval;   ///< of their correctness
  std::optional<double> reward; ///< of their reward
};

/// One document of a run's published knowledge base on the sealed tasks.
struct document_figures {
  std::string title;
  std::size_t attempts = 0;   ///< sealed attempts that were shown it
  std::size_t tasks = 0;      ///< their tasks
  std::optional<double> with; ///< mean grade, over tasks
  /// Their difference to the attempts at the same tasks without any document;
  /// that of all documents to all but this one (eval.leave_one_out). Paired by
  /// task; empty if not measured.
  std::optional<estimate> gain, contribution;
};

/// A run of a point.
struct seed_figures {
  std::uint64_t seed = 0;
  std::string run;               ///< its folder's name
  std::string state;             ///< "finished", "running", ...
  bool cut = false;              ///< by halving; then `state` says where
  std::optional<double> score;   ///< of its `scored_arm`, sealed tasks
  std::optional<double> without; ///< no documents, the same tasks
  std::uint64_t rollouts = 0;    ///< asked for, with those it has in common
  std::uint64_t played = 0;      ///< by this run itself
  std::uint64_t calls = 0;       ///< of tools, in rollouts that were played
  std::uint64_t tokens = 0;      ///< of models, by this run itself
  /// With what it has in common with runs of the sweep that asked it.
  std::uint64_t tokens_alone = 0;
  tree_growth_figures grown; ///< of all its searches
  economy_counts scoring;    ///< the rollouts that scored versions
  saved_work saved;          ///< by reuse and bounds
  double cost_usd = 0;       ///< that it paid itself
  double cost_alone_usd = 0; ///< what `tokens_alone` costs
  double seconds = 0;
  std::vector<barrier_figures> curve; ///< of the first strategy, in order
  std::vector<document_figures> documents;
};

/// One setting of the options that the sweep varies.
struct point_figures {
  std::string name;
  std::string benchmark; ///< environment.kind
  std::string method;    ///< the same for points that differ in it alone
  std::vector<std::pair<std::string, std::string>> options; ///< key, value
  std::optional<std::uint64_t> width, depth; ///< search.max_width, max_depth
  std::vector<seed_figures> seeds;
  std::optional<estimate> score; ///< over seeds and tasks
  std::optional<estimate> gain;  ///< to no documents, paired by task
  /// To the first point of the same benchmark, paired by task.
  std::optional<estimate> difference;
};

struct sweep_figures {
  std::string name;
  /// "tau2-telecom, 60 sealed tasks, 4 trials each"; several: joined by "; ".
  std::string benchmark;
  std::string made; ///< date and time, UTC
  std::string version;
  bool of_language_models = false; ///< else the page says that none took part
  bool with_memory_port = false;   ///< a package, which may ask models itself
  std::string score_name;          ///< "success" or "mean grade"
  std::size_t not_begun = 0;       ///< runs of the sweep
  /// Runs that have begun and are not there, each with why.
  std::vector<std::string> absent;
  std::size_t unreadable = 0;        ///< runs that are left out
  std::vector<point_figures> points; ///< in the order of the sweep's file
};

} // namespace brewery
