#pragma once
/// What graded attempts on a desktop say about ways to do tasks. A *recipe* is
/// a list of moves that met a task. It is for the tasks that have certain
/// words: those which all tasks have that it met, and as few others as
/// possible. Pure.

#include "base/rng.hpp"
#include "messages/kb_msgs.hpp"

#include <string>
#include <vector>

namespace brewery::desktop {

struct recipe {
  std::string place;              ///< "application: gimp"
  std::vector<std::string> moves; ///< with the end: done() or fail()
  std::vector<std::string> words; ///< the tasks that it is for have all of them
  std::uint32_t met = 0, missed = 0; ///< attempts with them at such tasks
  std::uint32_t tasks = 0;           ///< different ones that it met
  std::vector<insight_id> sources;   ///< of the attempts that met
  std::string example;               ///< the sentence of one of them
};

struct recipe_options {
  std::uint32_t least_words = 2; ///< if the tasks share as many
  std::uint32_t most_words = 3;
  double min_share = 0.5; ///< of the attempts with the moves that met the task
  /// Probability that of several ways for one task another than the best is
  /// taken, so that drafts differ.
  double other_way = 0;
};

/// The best first: more tasks, then a larger share, then fewer moves. Of the
/// ways that met the same tasks one is kept.
std::vector<recipe> find_recipes(const told_insights& insights,
                                 const recipe_options& options, rng& draw);

} // namespace brewery::desktop
