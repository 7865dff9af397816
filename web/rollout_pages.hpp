#pragma once
/// The rollouts of a run as JSON, for the web page.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

#include <optional>

namespace brewery::web {

/// Which rollouts; an empty value: all.
struct rollout_filter {
  /// The whole id of a task; if no task has it, a part of ids, in large or
  /// small letters.
  std::string task;
  std::string arm;     ///< of the final evaluation, or "search" for the others
  std::string grade{}; ///< "full" (1 or more), "less", or "none" (not graded)
  double seconds = 0;  ///< that it took at least
  std::string text{};  ///< of a step or a query, as in `done_filter`
};

/// Whose texts are looked at for one page: a second of work, or two.
inline constexpr std::size_t rollouts_searched_max = 2000;

/// A page of them, the newest first. With a text, `searched` says how many of
/// the `chosen` ones were looked at, the newest ones. Errors: as of the log.
result<json> rollouts_json(const open_run& run, const rollout_filter& wanted,
                           const page& asked);

/// Which part of what an agent did.
struct done_filter {
  std::optional<std::size_t> step{}; ///< the page begins a little before it
  /// Only steps and queries with this text, whether in large or small letters
  /// of ASCII; empty: all.
  std::string text{};
  bool failed = false; ///< only steps that failed
};

/// One rollout with a page of what its agent did: each item is a step, or a
/// `query` with the `documents` that it found; `done` says how many there are,
/// `total` how many of them are wanted. A rollout that was not played shows the
/// one that stands for it. Error ec::not_found: no such rollout, or no such
/// step among those that are wanted.
result<json> rollout_page_json(const open_run& run, const std::string& id,
                               const page& asked,
                               const done_filter& wanted = {});

} // namespace brewery::web
