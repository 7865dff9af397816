#include "envs/spreadsheet/task_splits.hpp"

#include "base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace brewery::spreadsheet {

result<std::map<std::string, std::vector<std::size_t>>>
draw_splits(std::size_t tasks, const split_options& options,
            const std::function<result<bool>(std::size_t)>& fit) {
  std::vector<std::size_t> order(tasks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng draw{rng_key(options.seed, "spreadsheet splits")};
  draw.shuffle(order);
  std::vector<std::size_t> train, eval, test;
  for (const auto index : order) {
    const bool wanted =
        train.size() < options.train || eval.size() < options.eval;
    if (wanted) {
      const auto good = fit(index);
      if (!good) return good.error();
      if (*good) {
        (train.size() < options.train ? train : eval).push_back(index);
        continue;
      }
    }
    test.push_back(index);
  }
  if (train.size() < options.train || eval.size() < options.eval)
    return error{
        ec::invalid_config,
        fmt::format("{} train and {} eval tasks are asked for, but of the {} "
                    "tasks only {} are fit for it; ask for fewer with --set "
                    "environment.spreadsheet.train_tasks=N and "
                    "environment.spreadsheet.eval_tasks=N "
                    "(`brewery data check DIR` says what is wrong with the "
                    "others)",
                    options.train, options.eval, tasks,
                    train.size() + eval.size())};
  for (auto* part : {&train, &eval, &test})
    std::sort(part->begin(), part->end());
  return std::map<std::string, std::vector<std::size_t>>{
      {"train", std::move(train)},
      {"eval", std::move(eval)},
      {"test", std::move(test)}};
}

} // namespace brewery::spreadsheet
