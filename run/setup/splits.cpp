#include "run/setup/splits.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace brewery {

namespace {

/// `subject` is what an error calls the split.
result<std::vector<learner_task>> members(const benchmark& source,
                                          const std::string& split,
                                          const std::string& subject) {
  const auto it = source.splits().find(split);
  if (it == source.splits().end()) {
    std::vector<std::string> names;
    for (const auto& [name, tasks] : source.splits())
      names.push_back(name);
    const auto near = nearest(split, names);
    return error{
        ec::invalid_config,
        fmt::format("{} does not exist in {}; it has {}{}", subject,
                    source.name(), join(names, ", "),
                    near.empty() ? "" : "; did you mean '" + near + "'?")};
  }
  std::vector<learner_task> out;
  for (const auto index : it->second) {
    const auto& task = source.tasks()[index];
    out.push_back({task.id, task.about(), source.checkpoints(task.id)});
  }
  if (out.empty())
    return error{ec::invalid_config,
                 fmt::format("{} of {} has no task", subject, source.name())};
  return out;
}

/// How errors begin that are about a split that an option names.
std::string named_by(std::string_view option, const std::string& split) {
  return fmt::format("environment.{} = {}: split", option, quote_toml(split));
}

/// Takes `count` tasks at random, both parts stay in file order.
std::vector<learner_task> drawn(std::vector<learner_task>& left,
                                std::size_t count, rng& draw) {
  std::vector<std::size_t> order(left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  draw.shuffle(order);
  order.resize(count);
  std::sort(order.begin(), order.end());
  std::vector<learner_task> out, others;
  for (std::size_t i = 0; i < left.size(); ++i)
    (std::binary_search(order.begin(), order.end(), i) ? out : others)
        .push_back(std::move(left[i]));
  left = std::move(others);
  return out;
}

result<void> draw_splits(problem& out, const config& options) {
  const auto& where = options.environment;
  auto all = members(*out.source, where.draw_from,
                     named_by("draw_from", where.draw_from));
  if (!all) return all.error();
  const auto wanted = std::uint64_t{where.draw_train} + where.draw_eval;
  if (wanted > all->size()
      || (options.search.final_evaluation && wanted == all->size()))
    return error{
        ec::invalid_config,
        fmt::format("environment.draw_train = {} and draw_eval = {} "
                    "leave {} of the {} tasks in split '{}'",
                    where.draw_train, where.draw_eval,
                    options.search.final_evaluation ? "no test task" : "none",
                    all->size(), where.draw_from)};
  rng draw{rng_key(where.draw_seed, "draw splits")};
  out.train = drawn(*all, where.draw_train, draw);
  out.eval = drawn(*all, where.draw_eval, draw);
  out.test = std::move(*all);
  return {};
}

/// Held-out tasks are spread over the split.
result<void> hold_out(problem& out, const config& options) {
  const auto tasks = out.train.size();
  if (tasks < 2)
    return error{
        ec::invalid_config,
        fmt::format("{} has one task: nothing can be held out from it; "
                    "name environment.eval_split",
                    named_by("train_split", options.environment.train_split))};
  // 0.29 of 100 is slightly less than 29, and stays 28: runs on record hold
  // out as many.
  const auto count = static_cast<std::size_t>(
      static_cast<double>(tasks) * options.environment.eval_fraction);
  const auto own = options.environment.hold_out_seed;
  rng draw{rng_key(own > 0 ? own : options.run.seed, "hold out")};
  out.eval = drawn(out.train, std::max<std::size_t>(1, count), draw);
  return {};
}

result<void> named_splits(problem& out, const config& options) {
  const auto& where = options.environment;
  const auto take = [&](std::vector<learner_task>& tasks,
                        const std::string& split,
                        std::string_view option) -> result<void> {
    auto made = members(*out.source, split, named_by(option, split));
    if (!made) return made.error();
    tasks = std::move(*made);
    return {};
  };
  if (auto ok = take(out.train, where.train_split, "train_split"); !ok)
    return ok;
  auto eval = where.eval_split.empty()
                  ? hold_out(out, options)
                  : take(out.eval, where.eval_split, "eval_split");
  if (!eval) return eval;
  if (!options.search.final_evaluation) return {};
  return take(out.test, where.test_split, "test_split");
}

/// The first few of a list of ids, for a message.
std::string shown_ids(std::vector<std::string> ids) {
  constexpr std::size_t shown_max = 5;
  const auto more = ids.size() > shown_max ? ids.size() - shown_max : 0;
  ids.resize(ids.size() - more);
  return join(ids, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

void cap(std::vector<learner_task>& tasks, std::uint32_t max_tasks) {
  if (max_tasks > 0 && tasks.size() > max_tasks) tasks.resize(max_tasks);
}

} // namespace

result<void> take_splits(problem& out, const config& options) {
  const auto& where = options.environment;
  const bool draws = !where.draw_from.empty();
  auto taken = draws ? draw_splits(out, options) : named_splits(out, options);
  if (!taken) return taken;
  auto names = where;
  if (draws)
    names.train_split = names.eval_split = names.test_split = where.draw_from;
  cap(out.train, where.max_train_tasks);
  cap(out.eval, where.max_eval_tasks);
  cap(out.test, where.max_test_tasks);
  if (!options.search.final_evaluation) out.test.clear();
  return check_disjoint(out, names);
}

result<std::vector<learner_task>> tasks_of_split(const benchmark& source,
                                                 const std::string& split,
                                                 std::uint32_t max_tasks) {
  auto out = members(source, split, fmt::format("split '{}'", split));
  if (!out) return out;
  cap(*out, max_tasks);
  return out;
}

result<std::vector<learner_task>>
tasks_called(const std::string& split, const problem& what,
             const environment_options& where) {
  if (!where.draw_from.empty()) {
    if (split == "train") return what.train;
    if (split == "eval") return what.eval;
    if (split == "test" && what.test.empty())
      return error{ec::invalid_config,
                   "search.final_evaluation = false: no test task was drawn"};
    if (split == "test") return what.test;
  }
  // The tasks that the run has of it: fewer, or without those held out.
  if (split == where.test_split && !what.test.empty()) return what.test;
  if (split == where.train_split) return what.train;
  if (split == where.eval_split) return what.eval;
  return tasks_of_split(*what.source, split, where.max_test_tasks);
}

result<void> check_disjoint(const problem& what,
                            const environment_options& where) {
  // Tasks that are held out for eval come from the train split.
  const auto& eval_split =
      where.eval_split.empty() ? where.train_split : where.eval_split;
  const std::pair<const std::vector<learner_task>*, const std::string*> uses[] =
      {{&what.train, &where.train_split},
       {&what.eval, &eval_split},
       {&what.test, &where.test_split}};
  std::map<task_id, const std::string*> owner;
  for (const auto& [tasks, split] : uses) {
    std::map<std::string, std::vector<std::string>> shared;
    for (const auto& task : *tasks) {
      const auto [first, added] = owner.emplace(task.id, split);
      if (!added) shared[*first->second].push_back(task.id.value);
    }
    if (shared.empty()) continue;
    const auto& [other, ids] = *shared.begin();
    return error{
        ec::invalid_config,
        other == *split
            ? fmt::format("split '{}' lists {} twice", other, shown_ids(ids))
            : fmt::format("the splits '{}' and '{}' have {} of {} tasks in "
                          "common: {}; the splits for train, eval and test "
                          "must have different tasks",
                          other, *split, ids.size(), tasks->size(),
                          shown_ids(ids))};
  }
  return {};
}

} // namespace brewery
