#pragma once
/// Draws the train, eval and test tasks from a seed. PURE except for `fit`.

#include "envs/spreadsheet/dataset.hpp"

#include <functional>
#include <map>

namespace brewery::spreadsheet {

struct split_options {
  std::uint32_t train = 30; ///< number of tasks
  std::uint32_t eval = 10;
  std::uint64_t seed = 1;
};

/// Split name ("train", "eval", "test") -> indices, ascending. Tasks are drawn
/// in a seeded order. Tasks that are not `fit` for learning stay in "test".
/// `fit` is called only until train and eval are full. Errors: those of `fit`;
/// ec::invalid_config if there are too few tasks.
result<std::map<std::string, std::vector<std::size_t>>>
draw_splits(std::size_t tasks, const split_options& options,
            const std::function<result<bool>(std::size_t)>& fit);

} // namespace brewery::spreadsheet
