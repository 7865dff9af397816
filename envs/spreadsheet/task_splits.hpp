#pragma once
/// Which tasks are learned from, scored on and tested on: a seeded draw. PURE
/// but for `fit`.

#include "envs/spreadsheet/dataset.hpp"

#include <functional>
#include <map>

namespace brewery::spreadsheet {

struct split_options {
  std::uint32_t train = 30; ///< tasks
  std::uint32_t eval = 10;
  std::uint64_t seed = 1;
};

/// Split name ("train", "eval", "test") -> indices, ascending. Tasks are drawn
/// in a seeded order; those that are not `fit` to be learned from stay in
/// "test". `fit` is asked only until train and eval are full. Errors: its own;
/// ec::invalid_config when there are too few.
result<std::map<std::string, std::vector<std::size_t>>>
draw_splits(std::size_t tasks, const split_options& options,
            const std::function<result<bool>(std::size_t)>& fit);

} // namespace brewery::spreadsheet
